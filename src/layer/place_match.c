/* place_match.c - which row of a table of places a path lies in. */
#include "layer/places.h"

#include "base/list.h"
#include "base/path.h"

/* The usual greedy loop. */
bool place_component_is(struct str pattern, struct str name)
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

bool place_begins(struct str pattern, struct str path)
{
    struct str want, have;

    while (pattern.len) {
        if (path.len == 0)
            return false;
        str_cut(pattern, '/', &want, &pattern);
        str_cut(path, '/', &have, &path);
        if (!place_component_is(want, have))
            return false;
    }
    return true;
}

bool place_is_simple(struct str pattern)
{
    for (size_t i = 0; i < pattern.len; i++)
        if (strchr("[({\\", pattern.s[i]) || (unsigned char)pattern.s[i] >= 0x80)
            return false;
    return true;
}

#define PARTS_ROOM 16 /* few paths have more components */

struct place_path place_take_apart(struct arena *a, struct str path, bool pattern)
{
    struct place_path p = {.whole = path, .pattern = pattern, .parts = {.room = PARTS_ROOM}};
    struct str part;

    p.parts.items = arena_room(a, PARTS_ROOM, sizeof(*p.parts.items));
    while (path.len) {
        str_cut(path, '/', &part, &path);
        if (part.len)
            LIST_PUSH(a, &p.parts, part);
    }
    return p;
}

/* ---- components ---- */

static bool is_wild(struct str part)
{
    return str_has(part, '*') || str_has(part, '?');
}

static bool is_tree(const struct place_path *path, size_t at)
{
    return path->pattern && str_is(path->parts.items[at], "**");
}

#define MEET_MAX 64 /* bytes of a component with wildcards; longer ones are taken to meet */

static bool may_be_same(char row, char path)
{
    return path == '?' || ascii_lower(row) == ascii_lower(path);
}

/* Is there a name that both match? `row` has '*' only, `path` '?' too. reached[j]: some name takes all of `row` so far
 * and j bytes of `path`. */
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
                next[j + 1] = reached[j] && may_be_same(row.s[i], path.s[j]);
        }
        memcpy(reached, next, path.len + 1);
    }
    return reached[path.len];
}

static bool is_component(struct str row, const struct place_path *path, size_t at)
{
    struct str part = path->parts.items[at];

    return path->pattern && is_wild(part) ? components_meet(row, part) : place_component_is(row, part);
}

/* Do the components of `row` fit those of the path from `at` on? From a "**" on everything does. *end is behind them.
 */
static bool fits(struct str row, const struct place_path *path, size_t at, size_t *end)
{
    struct str want;

    while (row.len) {
        str_cut(row, '/', &want, &row);
        if (want.len == 0)
            continue; /* in front of a home */
        if (at == path->parts.count)
            return false;
        if (is_tree(path, at))
            break;
        if (!is_component(want, path, at++))
            return false;
    }
    *end = at;
    return true;
}

/* ---- rows ---- */

struct finding_place {
    const struct place_search *search;
    const struct place_path *path;
    const struct place *rows;
    size_t best;
    size_t home; /* the number of the component behind the home; STR_NONE: the path does not lie below it */
    bool names;  /* rows that may lie anywhere count */
    bool places; /* the others do */
};

static bool begins_at(const struct finding_place *f, const struct place *row, size_t at)
{
    size_t end;

    switch (row->where) {
    case PLACE_HOME:
        return f->places && at == f->home && fits(str_from(row->path), f->path, at, &end);
    case PLACE_ROOT:
        return f->places && at == 0 && fits(str_from(row->path), f->path, at, &end);
    case PLACE_ANYWHERE:
        return f->names && fits(str_from(row->path), f->path, at, &end);
    }
    return true;
}

static void try(struct finding_place *f, size_t row, size_t at)
{
    if (row < f->best && (f->search->hidden || f->rows[row].path[0] != '.') && begins_at(f, &f->rows[row], at))
        f->best = row;
}

static void try_rows(struct finding_place *f, size_t at)
{
    for (size_t row = 0; row < f->best; row++)
        try(f, row, at);
}

static bool is_below(const struct place *row, enum place_where where, struct str directory)
{
    return row->where == where && path_is_inside(str_from(row->path), directory);
}

/* tools/make_place_index.c writes it while Warder is built; a build without it tries every row. */
#if __has_include("place_index.inc")
#include "place_index.inc"

static void try_chain(struct finding_place *f, struct str key, size_t at)
{
    const struct place_index *x = &place_indexes[f->search->list];

    for (size_t row = x->heads[place_hash(key)]; row; row = x->next[row - 1])
        try(f, row - 1, at);
}

static bool may_begin(const char *row, struct str name)
{
    return row[0] == '*' || (ascii_lower(row[0]) == ascii_lower(name.s[0]) &&
                             (row[1] == '*' || (name.len > 1 && ascii_lower(row[1]) == ascii_lower(name.s[1]))));
}

/* Most names are found by nothing: their first byte and their length say so. */
static void try_name(struct finding_place *f, size_t at)
{
    const struct place_index *x = &place_indexes[f->search->list];
    struct str part = f->path->parts.items[at], end = str_from_byte(part, str_last_index(part, '.'));
    uint32_t lengths = x->names[(unsigned char)ascii_lower(part.s[0])];

    if (place_has_length(lengths, part.len))
        try_chain(f, part, at);
    if (end.len > 1 && end.len < part.len && place_has_length(x->ends[(unsigned char)ascii_lower(end.s[1])], end.len))
        try_chain(f, end, at);
    for (const uint16_t *wild = x->wild; lengths >> PLACE_WILD_BIT & 1 && *wild != PLACE_NO_ROW; wild++)
        if (may_begin(f->rows[*wild].path, part))
            try(f, *wild, at);
}

bool place_lies_below(enum place_list list, enum place_where where, struct str directory)
{
    const struct place *rows = place_tables[list].rows;
    const struct place_index *x = &place_indexes[list];
    struct str first, rest;

    str_cut(directory, '/', &first, &rest);
    for (size_t row = x->heads[place_hash(first)]; row; row = x->next[row - 1])
        if (is_below(&rows[row - 1], where, directory))
            return true;
    for (const uint16_t *wild = x->wild; *wild != PLACE_NO_ROW; wild++)
        if (is_below(&rows[*wild], where, directory))
            return true;
    return false;
}

#else

static void try_name(struct finding_place *f, size_t at)
{
    try_rows(f, at);
}

bool place_lies_below(enum place_list list, enum place_where where, struct str directory)
{
    const struct place_table *table = &place_tables[list];

    for (size_t i = 0; i < table->count; i++)
        if (is_below(&table->rows[i], where, directory))
            return true;
    return false;
}

#endif

/* Behind a "**" a row may begin wherever it likes, if what is fixed in front does not say otherwise. */
static void try_tree(struct finding_place *f, size_t at)
{
    for (size_t row = 0; row < f->best; row++) {
        size_t from = f->rows[row].where == PLACE_HOME ? f->home : f->rows[row].where == PLACE_ROOT ? 0 : at;
        if (from == STR_NONE)
            continue;
        try(f, row, from);
    }
}

/* The number of the first component behind the home; STR_NONE: the path does not lie there. */
static size_t behind_home(struct str home, const struct place_path *path)
{
    size_t end = 0;

    if (path->pattern || !str_starts(path->whole, home) || path->whole.len == home.len ||
        path->whole.s[home.len] != '/')
        return fits(home, path, 0, &end) ? end : STR_NONE;
    while (end < path->parts.count && path->parts.items[end].s < path->whole.s + home.len)
        end++;
    return end;
}

static void search(struct finding_place *f)
{
    f->home = behind_home(f->search->home, f->path);
    for (size_t at = 0; at < f->path->parts.count; at++) {
        if (is_tree(f->path, at)) {
            try_tree(f, at);
            return;
        }
        if (f->path->pattern && is_wild(f->path->parts.items[at]))
            try_rows(f, at);
        else
            try_name(f, at);
    }
}

size_t place_match(const struct place_search *s, const struct place_path *path)
{
    const struct place_table *table = &place_tables[s->list];
    struct finding_place f = {s, path, table->rows, table->count, STR_NONE, true, true};

    if (!s->literal_names) {
        search(&f);
        return f.best;
    }
    struct place_path literal = *path;
    struct place_search all = *s;
    f.names = false;
    search(&f);
    literal.pattern = false;
    all.hidden = true;
    f = (struct finding_place){&all, &literal, table->rows, f.best, STR_NONE, .names = true};
    search(&f);
    return f.best;
}
