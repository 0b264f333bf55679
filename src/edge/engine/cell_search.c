#include "engine/cell_search.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "facts/path_classes.h"
#include "machine/entries.h"
#include "machine/plain.h"

#define SUM_START UINT64_C(0xcbf29ce484222325)
#define SUM_PRIME UINT64_C(0x100000001b3)

/* ---- resolving ---- */

struct str real_path(struct arena *a, struct str path)
{
    char room[PATH_MAX];

    return plain_real_path(path.s, room) ? str_copy(a, str_from(room)) : (struct str){0};
}

/* What is above a directory that is no link is none either. */
static bool is_real(struct cell_search *s, struct str directory)
{
    for (size_t i = 0; i < s->real.count; i++)
        if (path_is_inside(s->real.items[i], directory))
            return true;
    if (!str_eq(real_path(s->arena, str_copy(s->arena, directory)), directory))
        return false;
    LIST_PUSH(s->arena, &s->real, directory);
    return true;
}

/* Rules are often about many places of one directory. At the second one that is missing it is asked
 * whether the directory is there at all. */
static void note_missing(struct cell_search *s, struct str directory)
{
    struct stat st;

    if (!str_eq(directory, s->missing_in)) {
        s->missing_in = directory;
        s->missing = 1;
    } else if (++s->missing == 2 && lstat(str_copy(s->arena, directory).s, &st) != 0 &&
               errno == ENOENT) {
        s->absent = directory;
    }
}

struct str cell_search_resolve(struct cell_search *s, struct str path)
{
    struct stat st;

    if (s->absent.len && path_is_inside(path, s->absent))
        return (struct str){0};
    if (lstat(path.s, &st) != 0) {
        if (errno == ENOENT)
            note_missing(s, path_dir(path));
        return (struct str){0};
    }
    if (!S_ISLNK(st.st_mode) && is_real(s, path_dir(path)))
        return path;
    if (!s->links)
        return real_path(s->arena, path);
    LIST_PUSH(s->arena, s->links, path);
    return (struct str){0};
}

void cell_search_add_real(struct cell_search *s, struct strs *list, struct str real)
{
    if (real.len && !strs_has(list, real))
        LIST_PUSH(s->arena, list, real);
}

void cell_search_add(struct cell_search *s, struct strs *list, struct str path)
{
    cell_search_add_real(s, list, cell_search_resolve(s, path));
}

/* ---- listing ---- */

struct directory_stamp directory_stamp_of(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return (struct directory_stamp){0};
    return (struct directory_stamp){(uint64_t)st.st_dev, (uint64_t)st.st_ino,
                                    (int64_t)st.st_ctim.tv_sec, (int64_t)st.st_ctim.tv_nsec};
}

struct listing {
    struct arena *arena;
    const struct strs *only;
    bool begins[UCHAR_MAX + 1]; /* does one of them, with this byte? */
    int open;
    struct listed *out;
    bool vague;
};

/* Whatever the order in which the names come. */
static uint64_t sum_of(const char *name, unsigned char kind)
{
    uint64_t sum = (SUM_START ^ kind) * SUM_PRIME;

    for (; *name; name++)
        sum = (sum ^ (unsigned char)*name) * SUM_PRIME;
    return sum ^ (sum >> 32);
}

/* '*' is not their first byte. A directory may have many names, and few begin as one of them. */
static void note_beginnings(struct listing *l)
{
    for (size_t i = 0; l->only && i < l->only->count; i++)
        l->begins[(unsigned char)l->only->items[i].s[0]] = true;
}

static bool is_any(const struct listing *l, const char *name)
{
    if (!l->begins[(unsigned char)name[0]])
        return false;
    for (size_t i = 0; i < l->only->count; i++)
        if (l->only->items[i].s[0] == name[0] &&
            path_class_component_is(l->only->items[i], str_from(name)))
            return true;
    return false;
}

static void read_names(void *arg)
{
    struct listing *l = arg;
    struct entries all;
    const struct entry *entry;

    entries_of(&all, l->open);
    while ((entry = entries_next(&all))) {
        if (l->only && !is_any(l, entry->name))
            continue;
        LIST_PUSH(l->arena, &l->out->names, str_copy(l->arena, str_from(entry->name)));
        l->out->sum += sum_of(entry->name, entry->kind);
        l->vague |= entry->kind == DT_UNKNOWN;
    }
    l->out->read = !all.failed;
}

static struct listed list_directory(const struct cell_search *s, struct str directory)
{
    struct arena *a = s->arena;
    struct str path = str_copy(a, directory);
    struct listed found = {.directory = path, .sum = 1};
    if (s->links)
        found.before = directory_stamp_of(path.s);
    struct listing l = {
        .arena = a,
        .only = s->only,
        .open = openat(AT_FDCWD, path.s, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
        .out = &found,
    };

    if (l.open < 0)
        return found;
    note_beginnings(&l);
    bool read = arena_try(a, read_names, &l);
    close(l.open);
    if (!read)
        arena_leave(a);
    if (l.vague)
        found.sum = 0;
    return found;
}

const struct listed *cell_search_list(struct cell_search *s, struct str directory)
{
    for (size_t i = 0; i < s->listings.count; i++)
        if (str_eq(s->listings.items[i].directory, directory))
            return &s->listings.items[i];
    LIST_PUSH(s->arena, &s->listings, list_directory(s, directory));
    return &s->listings.items[s->listings.count - 1];
}

/* ---- rows ---- */

void cell_search_add_matching(struct cell_search *s, struct strs *list, struct str directory,
                              struct str pattern)
{
    struct strs names = cell_search_list(s, directory)->names;

    for (size_t i = 0; i < names.count; i++)
        if (path_class_component_is(pattern, names.items[i]))
            cell_search_add(s, list, path_join(s->arena, directory, names.items[i]));
}

/* What is there changes with every process, and a row below it is looked up. */
static bool is_listed(struct str directory)
{
    return !path_is_inside(directory, STR("/proc"));
}

/* May there be such a path? Most rows are about files that nobody here has, and one listing answers
 * for many of them. A part with '*' ends the search. */
static bool may_be_there(struct cell_search *s, struct str base, struct str row)
{
    struct str first, rest;

    for (bool more = true; more; row = rest) {
        more = str_cut(row, '/', &first, &rest);
        first = more ? first : row;
        if (!is_listed(base) || str_has(first, '*'))
            return true;
        const struct listed *l = cell_search_list(s, base);
        if (l->read && !strs_has(&l->names, first))
            return false;
        base = path_join(s->arena, base, first);
    }
    return true;
}

void cell_search_add_row(struct cell_search *s, struct strs *list, struct str base, const char *row)
{
    struct str path = path_join(s->arena, base, str_from(row));

    if (!may_be_there(s, base, str_from(row)) || str_has(path_dir(path), '*'))
        return;
    if (str_has(path_base(path), '*'))
        cell_search_add_matching(s, list, path_dir(path), path_base(path));
    else
        cell_search_add(s, list, path);
}
