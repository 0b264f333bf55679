/* make_path_class_index.c - writes path_class_index.inc: the rows of src/core/facts/path_classes.c
 * by their first components. Run by the build. */
#include <stdio.h>
#include <string.h>

#include "facts/path_classes.h"

static const char *const names[PATH_CLASS_TABLES] = {[PATHS_PROTECTED] = "protected",
                                                     [PATHS_SECRET] = "secret",
                                                     [PATHS_PUBLIC] = "public",
                                                     [PATHS_OPEN] = "open"};

/* The key of a row; false if it has none and must be compared with every name. */
static bool key_of(const struct path_class *row, struct str *key)
{
    *key = (struct str){row->path, strcspn(row->path, "/")};
    if (memchr(key->s, '*', key->len) == NULL)
        return true;
    if (key->len < 3 || memcmp(key->s, "*.", 2) != 0 || memchr(key->s + 1, '*', key->len - 1))
        return false;
    *key = (struct str){key->s + 1, key->len - 1}; /* what follows the star in *.pem */
    return true;
}

static bool is_byte(size_t byte, char c)
{
    return ascii_lower((char)byte) == ascii_lower(c);
}

/* The star may match any length. */
static void note_wild(const struct path_class *row, size_t number,
                      struct path_class_byte bytes[PATH_CLASS_BYTES])
{
    uint32_t lengths = 0;
    size_t least = 0;

    for (const char *at = row->path; *at && *at != '/'; at++)
        least += *at != '*';
    for (size_t len = least; len < least + PATH_CLASS_LONG_BIT; len++)
        lengths |= path_class_length_bit(len);
    for (size_t i = 0; i < PATH_CLASS_BYTES; i++)
        if (row->path[0] == '*' || is_byte(i, row->path[0])) {
            bytes[i].wild |= lengths;
            bytes[i].rows |= (uint32_t)1 << number;
        }
}

/* A key that is not at the start of its row is a suffix. */
static void note_key(const struct path_class *row, struct str key,
                     struct path_class_byte bytes[PATH_CLASS_BYTES])
{
    const uint32_t bit = path_class_length_bit(key.len);
    bool end = key.s != row->path;

    for (size_t i = 0; i < PATH_CLASS_BYTES; i++) {
        if (is_byte(i, key.s[key.len - 1]))
            *(end ? &bytes[i].ends : &bytes[i].last) |= bit;
        if (!end && is_byte(i, key.s[0]))
            bytes[i].names |= bit;
    }
}

static void print_bytes(const char *name, const struct path_class_byte bytes[PATH_CLASS_BYTES])
{
    printf("static const struct path_class_byte place_bytes_%s[PATH_CLASS_BYTES] = {\n", name);
    for (size_t i = 0; i < PATH_CLASS_BYTES; i++)
        printf("    {%uu, %uu, %uu, %uu, %uu},\n", bytes[i].names, bytes[i].last, bytes[i].wild,
               bytes[i].ends, bytes[i].rows);
    printf("};\n");
}

static void print_numbers(const char *what, const char *name, const size_t *numbers, size_t count)
{
    printf("static const uint16_t place_%s_%s[] = {", what, name);
    for (size_t i = 0; i < count; i++)
        printf("%zu,%s", numbers[i], i % 20 == 19 ? "\n    " : " ");
    printf("};\n");
}

/* False if it does not fit the index. */
static bool print_table(const struct path_class_table *table, const char *name)
{
    static size_t heads[PATH_CLASS_SLOTS], next[PATH_CLASS_SLOTS], wild[PATH_CLASS_SLOTS];
    struct path_class_byte bytes[PATH_CLASS_BYTES] = {0};
    size_t wilds = 0;
    struct str key;

    if (table->count > PATH_CLASS_SLOTS / 2)
        return false;
    memset(heads, 0, sizeof(heads));
    for (size_t i = 0; i < table->count; i++) {
        next[i] = 0;
        if (wilds == PATH_CLASS_WILD_MAX)
            return false;
        if (!key_of(&table->rows[i], &key)) {
            note_wild(&table->rows[i], wilds, bytes);
            wild[wilds++] = i;
            continue;
        }
        if (key.s != table->rows[i].path && key.len >= PATH_CLASS_LONG_BIT)
            return false; /* suffixes are searched by length */
        note_key(&table->rows[i], key, bytes);
        next[i] = heads[path_class_hash(key)];
        heads[path_class_hash(key)] = i + 1;
    }
    wild[wilds++] = PATH_CLASS_NO_ROW;
    print_numbers("heads", name, heads, PATH_CLASS_SLOTS);
    print_numbers("next", name, next, table->count);
    print_numbers("wild", name, wild, wilds);
    print_bytes(name, bytes);
    return true;
}

int main(void)
{
    for (size_t i = 0; i < PATH_CLASS_TABLES; i++) {
        if (!print_table(&path_class_tables[i], names[i])) {
            fprintf(stderr, "make_place_index: too many rows, or one that is too long\n");
            return 1;
        }
    }
    printf("static const struct path_class_index place_indexes[PATH_CLASS_TABLES] = {\n");
    for (size_t i = 0; i < PATH_CLASS_TABLES; i++)
        printf("    {place_heads_%s, place_next_%s, place_wild_%s, place_bytes_%s},\n", names[i],
               names[i], names[i], names[i]);
    printf("};\n");
    return 0;
}
