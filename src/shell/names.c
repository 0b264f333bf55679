/* names.c - tables by name: each command is looked up in several of them. */
#include "shell/walk.h"

/* Byte by byte: most names differ in the first or the second one. */
static int compare(struct str name, const char *row)
{
    for (size_t i = 0; i < name.len; i++) {
        if (name.s[i] != row[i])
            return (unsigned char)name.s[i] < (unsigned char)row[i] ? -1 : 1;
        if (!row[i])
            return 1; /* a NUL in the name */
    }
    return row[name.len] ? -1 : 0;
}

const void *names_find(const struct names *n, struct str name)
{
    size_t low = 0, high = n->count;

    while (low < high) {
        size_t middle = (low + high) / 2;
        const void *row = (const char *)n->rows + middle * n->size;
        int order = compare(name, *(const char *const *)row);
        if (order == 0)
            return row;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}
