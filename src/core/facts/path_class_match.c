/* path_class_match.c - which row of a table of path classes covers a path. */
#include "facts/path_classes.h"

#include "base/block.h"
#include "base/path.h"

/* The usual greedy loop. */
bool path_class_component_is(struct str pattern, struct str name)
{
    size_t p = 0, n = 0, star = STR_NONE, from = 0;

    while (n < name.len) {
        if (p < pattern.len && pattern.s[p] == '*') {
            star = p++;
            from = n;
        } else if (p < pattern.len && ascii_lower(pattern.s[p]) == ascii_lower(name.s[n])) {
            p++;
            n++;
        } else if (star != STR_NONE) {
            p = star + 1;
            n = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.s[p] == '*')
        p++;
    return p == pattern.len;
}

static bool ends_component(struct str path, size_t at)
{
    return at == path.len || path.s[at] == '/';
}

/* The last of several slashes in a row. */
static size_t last_slash(struct str path, size_t at)
{
    while (at + 1 < path.len && path.s[at + 1] == '/')
        at++;
    return at;
}

/* Where the component has this byte of the pattern next, in either case, from `at` on; where it
 * ends if nowhere, or if the byte is no literal one. */
static size_t next_like(struct str pattern, size_t byte, struct str path, size_t at)
{
    if (byte == pattern.len || pattern.s[byte] == '*')
        return at;
    while (!ends_component(path, at) && ascii_lower(path.s[at]) != ascii_lower(pattern.s[byte]))
        at++;
    return at;
}

/* The same loop, but no star crosses a slash, and the match may end at any component of the path:
 * *end is after it. */
static bool begins(struct str pattern, struct str path, size_t *end)
{
    size_t p = 0, n = 0, star = STR_NONE, from = 0;

    while (p < pattern.len || (p > 0 && !ends_component(path, n))) {
        if (p < pattern.len && pattern.s[p] == '*') {
            star = p++;
            from = n;
        } else if (p < pattern.len && n < path.len &&
                   ascii_lower(pattern.s[p]) == ascii_lower(path.s[n])) {
            if (pattern.s[p] == '/') {
                star = STR_NONE;
                n = last_slash(path, n);
            }
            p++;
            n++;
        } else if (star != STR_NONE && !ends_component(path, from)) {
            p = star + 1;
            n = from = next_like(pattern, p, path, from + 1);
        } else {
            return false;
        }
    }
    *end = n;
    return true;
}

bool path_class_begins(struct str pattern, struct str path)
{
    size_t end;

    return begins(pattern, path, &end);
}

bool path_class_is_simple(struct str pattern)
{
    for (size_t i = 0; i < pattern.len; i++)
        if ((unsigned char)pattern.s[i] >= 0x80)
            return false;
    return str_until(pattern, "[({\\") == pattern.len;
}

/* ---- components ---- */

static struct str without_slashes(struct str path)
{
    for (; path.len && path.s[0] == '/'; path.len--)
        path.s++;
    return path;
}

/* The component that `path` begins with; it is not empty and does not begin with a slash. Moves
 * *path past it. */
static inline struct str take_part(struct str *path)
{
    struct str part;

    str_cut(*path, '/', &part, path);
    *path = without_slashes(*path);
    return part;
}

static bool is_wild(struct str part)
{
    return str_has(part, '*') || str_has(part, '?');
}

static bool is_tree(struct str part)
{
    return str_is(part, "**");
}

#define MEET_MAX 64 /* bytes of a component with wildcards; longer ones are assumed to overlap */

static bool bytes_meet(char row, char path)
{
    return path == '?' || ascii_lower(row) == ascii_lower(path);
}

/* Is there a name that both match? `row` only has '*', `path` also '?'. reached[j]: some name
 * matches all of `row` so far and j bytes of `path`. */
static bool components_meet(struct str row, struct str path)
{
    bool reached[MEET_MAX + 1] = {true}, next[MEET_MAX + 1];

    if (path.len > MEET_MAX)
        return true;
    for (size_t j = 0; j < path.len && path.s[j] == '*'; j++)
        reached[j + 1] = true;
    for (size_t i = 0; i < row.len; i++) {
        next[0] = row.s[i] == '*' && reached[0];
        for (size_t j = 0; j < path.len; j++) {
            if (row.s[i] == '*' || path.s[j] == '*')
                next[j + 1] = (row.s[i] == '*' && (reached[j + 1] || next[j])) ||
                              (path.s[j] == '*' && (reached[j + 1] || next[j]));
            else
                next[j + 1] = reached[j] && bytes_meet(row.s[i], path.s[j]);
        }
        memcpy(reached, next, path.len + 1);
    }
    return reached[path.len];
}

static bool is_component(struct str row, struct str part)
{
    return is_wild(part) ? components_meet(row, part) : path_class_component_is(row, part);
}

/* Do the components of `row` match those of a pattern? From a "**" on everything does. *rest is the
 * rest of the pattern. */
static bool fits(struct str row, struct str path, struct str *rest)
{
    for (row = without_slashes(row); row.len;) {
        struct str want = take_part(&row);
        *rest = path;
        if (path.len == 0)
            return false;
        struct str part = take_part(&path);
        if (is_tree(part))
            return true;
        if (!is_component(want, part))
            return false;
    }
    *rest = path;
    return true;
}

/* ---- rows ---- */

struct path_search {
    const struct path_class_search *search;
    bool pattern;
    const struct path_class *rows;
    size_t best;
    struct str from[PATH_CLASS_ANYWHERE]; /* the path relative to the home and to the root; empty:
                                             skip such rows */
    bool names;                           /* include rows for any directory */
    bool own; /* only rows that verdicts depend on, wherever they begin */
};

/* `at` is the path from one of its components on. */
static bool begins_at(const struct path_search *f, const struct path_class *row, struct str at)
{
    struct str rest;

    if (f->own ? !row->own
               : (row->where == PATH_CLASS_ANYWHERE ? !f->names : at.s != f->from[row->where].s))
        return false;
    return f->pattern ? fits(str_from(row->path), at, &rest)
                      : path_class_begins(str_from(row->path), at);
}

static void try_row(struct path_search *f, size_t row, struct str at)
{
    if (row < f->best && (f->search->hidden || f->rows[row].path[0] != '.') &&
        (f->rows[row].own || !f->search->own) && begins_at(f, &f->rows[row], at))
        f->best = row;
}

static void try_rows(struct path_search *f, struct str at)
{
    for (size_t row = 0; row < f->best; row++)
        try_row(f, row, at);
}

/* auth.json: by its name a file. Listing its directory shows only that it exists. */
static bool is_file_row(const struct path_class *row)
{
    const char *slash = strrchr(row->path, '/');

    return slash && slash[1] && strchr(slash + 2, '.');
}

static bool is_picked(const struct path_class *row, enum path_class_pick pick)
{
    return pick == PICK_ALL || (pick == PICK_OWN ? row->own : !is_file_row(row));
}

/* Each component of the directory is one that the row begins with, stars of the row included:
 * /proc/self is above what the row says of every process. */
static bool is_below(const struct path_class *row, enum path_class_where where,
                     struct str directory)
{
    if (row->where != where)
        return false;
    struct str path = str_from(row->path);
    for (directory = without_slashes(directory); directory.len;) {
        struct str name = take_part(&directory);
        if (path.len == 0 || !path_class_component_is(take_part(&path), name))
            return false;
    }
    return true;
}

static bool holds_below(const struct path_class *row, enum path_class_where where,
                        struct str directory, enum path_class_pick pick)
{
    return is_picked(row, pick) && is_below(row, where, directory);
}

/* Compares every row. */
static bool any_below(enum path_class_list list, enum path_class_where where, struct str directory,
                      enum path_class_pick pick)
{
    const struct path_class_table *table = &path_class_tables[list];

    for (size_t i = 0; i < table->count; i++)
        if (holds_below(&table->rows[i], where, directory, pick))
            return true;
    return false;
}

/* Generated by tools/gen/make_path_class_index.c during the build; a build without it tries every
 * row. */
#if __has_include("path_class_index.inc")
#include "base/ascii.h"
#include "path_class_index.inc"

__attribute__((noinline)) static void try_chain(struct path_search *f, struct str key,
                                                struct str at)
{
    const struct path_class_index *x = &place_indexes[f->search->list];

    for (size_t row = x->heads[path_class_hash(key)]; row; row = x->next[row - 1])
        try_row(f, row - 1, at);
}

__attribute__((noinline)) static void try_wild(struct path_search *f, uint32_t rows, struct str at)
{
    for (const uint16_t *wild = place_indexes[f->search->list].wild; rows; rows &= rows - 1)
        try_row(f, wild[__builtin_ctz(rows)], at);
}

/* May it have an ending of so many bytes? */
static inline bool has_end(struct str part, size_t len)
{
    return len <= part.len && part.s[part.len - len] == '.';
}

/* First byte, last byte and length rule out most names. */
static inline void try_name(struct path_search *f, const struct path_class_byte *bytes,
                            struct str part, struct str at)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a nonzero length implies bytes */
    const struct path_class_byte *first = &bytes[(unsigned char)part.s[0]];
    const struct path_class_byte *last = &bytes[(unsigned char)part.s[part.len - 1]];
    const uint32_t bit = path_class_length_bit(part.len);

    if (first->names & last->last & bit)
        try_chain(f, part, at);
    if (first->wild & bit)
        try_wild(f, first->rows, at);
    for (uint32_t ends = last->ends; ends; ends &= ends - 1) {
        size_t len = (size_t)__builtin_ctz(ends);
        if (has_end(part, len))
            try_chain(f, str_from_byte(part, part.len - len), at);
    }
}

static const struct path_class_byte *bytes_of(enum path_class_list list)
{
    return place_indexes[list].bytes;
}

/* The same test as in try_name(): a row that begins with this component passes it. */
bool path_class_may_begin(enum path_class_list list, struct str part)
{
    const struct path_class_byte *bytes = bytes_of(list);

    if (!part.len)
        return false;
    const struct path_class_byte *first = &bytes[(unsigned char)part.s[0]];
    const struct path_class_byte *last = &bytes[(unsigned char)part.s[part.len - 1]];
    const uint32_t bit = path_class_length_bit(part.len);
    if ((first->names & last->last & bit) || (first->wild & bit))
        return true;
    for (uint32_t ends = last->ends; ends; ends &= ends - 1)
        if (has_end(part, (size_t)__builtin_ctz(ends)))
            return true;
    return false;
}

bool path_class_lies_below(enum path_class_list list, enum path_class_where where,
                           struct str directory, enum path_class_pick pick)
{
    const struct path_class *rows = path_class_tables[list].rows;
    const struct path_class_index *x = &place_indexes[list];
    struct str part, rest;

    str_cut(directory, '/', &part, &rest);
    if (!part.len)
        return any_below(list, where, directory, pick);
    const struct path_class_byte *first = &x->bytes[(unsigned char)part.s[0]];
    const struct path_class_byte *last = &x->bytes[(unsigned char)part.s[part.len - 1]];
    const uint32_t bit = path_class_length_bit(part.len);
    size_t row = first->names & last->last & bit ? x->heads[path_class_hash(part)] : 0;
    for (; row; row = x->next[row - 1])
        if (holds_below(&rows[row - 1], where, directory, pick))
            return true;
    for (uint32_t wild = first->wild & bit ? first->rows : 0; wild; wild &= wild - 1)
        if (holds_below(&rows[x->wild[__builtin_ctz(wild)]], where, directory, pick))
            return true;
    return false;
}

#else

static void try_name(struct path_search *f, const struct path_class_byte *bytes, struct str part,
                     struct str at)
{
    (void)bytes;
    (void)part;
    try_rows(f, at);
}

static const struct path_class_byte *bytes_of(enum path_class_list list)
{
    (void)list;
    return NULL;
}

bool path_class_may_begin(enum path_class_list list, struct str part)
{
    (void)list;
    return part.len > 0;
}

bool path_class_lies_below(enum path_class_list list, enum path_class_where where,
                           struct str directory, enum path_class_pick pick)
{
    return any_below(list, where, directory, pick);
}

#endif

/* After a "**" a row may begin anywhere, unless the fixed part before it says otherwise. */
static void try_tree(struct path_search *f, struct str at)
{
    for (size_t row = 0; row < f->best; row++) {
        enum path_class_where where = f->rows[row].where;
        struct str from = where == PATH_CLASS_ANYWHERE ? at : f->from[where];
        if (from.len)
            try_row(f, row, from);
    }
}

/* The path relative to the home; empty if it is not below it. */
static struct str below_home(struct str home, struct str path, bool pattern)
{
    struct str rest = {0};
    size_t end = path.len;

    home = without_slashes(home);
    if (pattern)
        return fits(home, path, &rest) ? rest : (struct str){0};
    if (str_starts(path, home) && home.len && ends_component(path, home.len))
        return without_slashes(str_from_byte(
            path, home.len)); /* identical bytes: no need to compare case-insensitively */
    return begins(home, path, &end) ? without_slashes(str_from_byte(path, end)) : (struct str){0};
}

/* Without the rows for any directory: does a row begin here at all? */
static bool is_beginning(const struct path_search *f, struct str at)
{
    return f->names || at.s == f->from[PATH_CLASS_HOME].s || at.s == f->from[PATH_CLASS_ROOT].s;
}

static void search_pattern(struct path_search *f, struct str path)
{
    while (path.len) {
        struct str at = path, part = take_part(&path);
        if (is_tree(part)) {
            try_tree(f, at);
            return;
        }
        if (!is_beginning(f, at))
            continue;
        if (is_wild(part))
            try_rows(f, at);
        else
            try_name(f, bytes_of(f->search->list), part, at);
    }
}

static void search_names(struct path_search *f, struct str path)
{
    const struct path_class_byte *bytes = bytes_of(f->search->list);
    struct parts parts = parts_of(path);
    struct str part;

    while (parts_next(&parts, &part))
        if (part.len)
            try_name(f, bytes, part, (struct str){part.s, (size_t)(parts.end - part.s)});
}

size_t path_class_match(const struct path_class_search *s, struct str path, bool pattern)
{
    const struct path_class_table *table = &path_class_tables[s->list];
    struct path_search f = {
        .search = s, .pattern = pattern, .rows = table->rows, .best = table->count};

    f.names = !s->literal_names;
    f.from[PATH_CLASS_ROOT] = path = without_slashes(path);
    f.from[PATH_CLASS_HOME] = below_home(s->home, path, pattern);
    if (pattern)
        search_pattern(&f, path);
    else
        search_names(&f, path);
    if (s->literal_names) {
        struct path_class_search all = *s;
        all.hidden = true;
        f = (struct path_search){
            .search = &all, .rows = table->rows, .best = f.best, .names = true};
        search_names(&f, path);
    }
    return f.best;
}

const struct path_class *path_class_own_at(struct str path)
{
    const struct path_class_search search = {.list = PATHS_PROTECTED, .hidden = true};
    const struct path_class_table *table = &path_class_tables[PATHS_PROTECTED];
    struct path_search f = {
        .search = &search, .rows = table->rows, .best = table->count, .own = true};
    struct str part, rest;

    str_cut(path, '/', &part, &rest);
    if (part.len)
        try_name(&f, bytes_of(PATHS_PROTECTED), part, path);
    return f.best < table->count ? &table->rows[f.best] : NULL;
}
