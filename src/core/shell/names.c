/* names.c - finds commands in the tables of names. */
#include "programs/programs.h"
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

const void *names_search(const struct names *n, struct str name)
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

/* tools/gen/make_shell_names.c writes it during the build. The generator itself is built without it
 * and uses binary search. */
#if __has_include("shell_names.inc")
#include "shell_names.inc"

/* An empty slot has no rows either. */
static const struct named *look_up(struct arena *a, struct str name)
{
    static const struct named none = {.len = 0};
    uint32_t at = name.len < NAME_SIZE ? name_hash(name.s, name.len) : 0;

    (void)a;
    if (!name.len || name.len >= NAME_SIZE)
        return &none;
    for (;; at++) {
        const struct named *e = &named[at % NAME_SLOTS];
        if (!e->len || (e->len == name.len && memcmp(e->name, name.s, name.len) == 0))
            return e;
    }
}

#else

static const struct named *look_up(struct arena *a, struct str name)
{
    static const struct names *const tables[] = {&builtin_names, &printer_names, &runner_names,
                                                 &writer_names, &zsh_names};
    struct named *found = ARENA_NEW(a, struct named);

    for (size_t i = 0; i < COUNT(tables); i++) {
        const char *rows = tables[i]->rows, *row = names_search(tables[i], name);
        found->rows[tables[i]->column] =
            row ? (unsigned char)((size_t)(row - rows) / tables[i]->size + 1) : 0;
    }
    found->rows[NAMED_WRAPPER] = !found->rows[NAMED_RUNNER] && program_is_wrapper(name);
    return found;
}

#endif

void names_look_up(struct walk *w, struct str name)
{
    w->cache.name = name;
    w->cache.named = look_up(w->arena, name);
}
