/* names.c - tables by name: each command is looked up in several of them. */
#include "shell/walk.h"

static int compare(struct str name, const char *row)
{
    if (name.len && name.s[0] != row[0])
        return (unsigned char)name.s[0] < (unsigned char)row[0] ? -1 : 1;
    return str_compare(name, str_from(row));
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
