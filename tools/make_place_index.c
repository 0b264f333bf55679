/* make_place_index.c - writes place_index.inc: the rows of src/layer/places.c by their first components. Run by the
 * build. */
#include <stdio.h>
#include <string.h>

#include "layer/places.h"

static const char *const names[PLACE_TABLES] = {
    [PLACES_PROTECTED] = "protected", [PLACES_SECRET] = "secret", [PLACES_PUBLIC] = "public"};

/* What a row is found by; false: by nothing, every name is held against it. */
static bool key_of(const struct place *row, struct str *key)
{
    *key = (struct str){row->path, strcspn(row->path, "/")};
    if (memchr(key->s, '*', key->len) == NULL)
        return true;
    if (key->len < 3 || memcmp(key->s, "*.", 2) != 0 || memchr(key->s + 1, '*', key->len - 1) ||
        memchr(key->s + 2, '.', key->len - 2))
        return false;
    *key = (struct str){key->s + 1, key->len - 1}; /* of *.pem the end of a name that begins with its last dot */
    return true;
}

#define BYTES 256

static size_t length_bit(size_t len)
{
    return (size_t)1 << (len < PLACE_LONG_BIT ? len : PLACE_LONG_BIT);
}

static void note_wild(const struct place *row, size_t names[BYTES])
{
    for (size_t byte = 0; byte < BYTES; byte++)
        if (row->path[0] == '*' || byte == (unsigned char)row->path[0])
            names[byte] |= (size_t)1 << PLACE_WILD_BIT;
}

/* A key that does not begin its row is an end. */
static void note_key(const struct place *row, struct str key, size_t names[BYTES], size_t ends[BYTES])
{
    bool end = key.s != row->path;
    size_t *lengths = end ? ends : names;

    lengths[(unsigned char)ascii_lower(key.s[end])] |= length_bit(key.len);
}

static void print_numbers(const char *type, const char *what, const char *name, const size_t *numbers, size_t count)
{
    printf("static const %s place_%s_%s[] = {", type, what, name);
    for (size_t i = 0; i < count; i++)
        printf("%zu,%s", numbers[i], i % 20 == 19 ? "\n    " : " ");
    printf("};\n");
}

static void print_table(const struct place_table *table, const char *name)
{
    static size_t heads[PLACE_SLOTS], next[PLACE_SLOTS], wild[PLACE_SLOTS];
    size_t wilds = 0, firsts[BYTES] = {0}, ends[BYTES] = {0};
    struct str key;

    memset(heads, 0, sizeof(heads));
    for (size_t i = 0; i < table->count; i++) {
        next[i] = 0;
        if (!key_of(&table->rows[i], &key)) {
            wild[wilds++] = i;
            note_wild(&table->rows[i], firsts);
            continue;
        }
        note_key(&table->rows[i], key, firsts, ends);
        next[i] = heads[place_hash(key)];
        heads[place_hash(key)] = i + 1;
    }
    wild[wilds++] = PLACE_NO_ROW;
    print_numbers("uint16_t", "heads", name, heads, PLACE_SLOTS);
    print_numbers("uint16_t", "next", name, next, table->count);
    print_numbers("uint16_t", "wild", name, wild, wilds);
    print_numbers("uint32_t", "names", name, firsts, BYTES);
    print_numbers("uint32_t", "ends", name, ends, BYTES);
}

int main(void)
{
    for (size_t i = 0; i < PLACE_TABLES; i++) {
        if (place_tables[i].count > PLACE_SLOTS / 2) {
            fprintf(stderr, "make_place_index: too many rows\n");
            return 1;
        }
        print_table(&place_tables[i], names[i]);
    }
    printf("static const struct place_index place_indexes[PLACE_TABLES] = {\n");
    for (size_t i = 0; i < PLACE_TABLES; i++)
        printf("    {place_heads_%s, place_next_%s, place_wild_%s, place_names_%s, place_ends_%s},\n", names[i],
               names[i], names[i], names[i], names[i]);
    printf("};\n");
    return 0;
}
