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

static void print_numbers(const char *what, const char *name, const size_t *numbers, size_t count)
{
    printf("static const uint16_t place_%s_%s[] = {", what, name);
    for (size_t i = 0; i < count; i++)
        printf("%zu,%s", numbers[i], i % 20 == 19 ? "\n    " : " ");
    printf("};\n");
}

static void print_table(const struct place_table *table, const char *name)
{
    static size_t heads[PLACE_SLOTS], next[PLACE_SLOTS], wild[PLACE_SLOTS];
    size_t wilds = 0;
    struct str key;

    memset(heads, 0, sizeof(heads));
    for (size_t i = 0; i < table->count; i++) {
        next[i] = 0;
        if (!key_of(&table->rows[i], &key)) {
            wild[wilds++] = i;
            continue;
        }
        next[i] = heads[place_hash(key)];
        heads[place_hash(key)] = i + 1;
    }
    wild[wilds++] = PLACE_NO_ROW;
    print_numbers("heads", name, heads, PLACE_SLOTS);
    print_numbers("next", name, next, table->count);
    print_numbers("wild", name, wild, wilds);
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
        printf("    {place_heads_%s, place_next_%s, place_wild_%s},\n", names[i], names[i], names[i]);
    printf("};\n");
    return 0;
}
