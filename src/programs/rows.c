/* rows.c - finds the row of a program or subcommand. */
#include <stdlib.h>

#include "base/path.h"
#include "programs/index.h"
#include "programs/reading.h"

static int compare(struct str name, const char *row)
{
    int c = strncmp(name.s, row, name.len);

    return c ? c : -(row[name.len] != '\0');
}

static bool extends(const char *row, struct str name)
{
    return strncmp(row, name.s, name.len) == 0 && row[name.len] == ' ';
}

/* tools/make_program_index.c writes it while Warder is built; a build without it searches through the files. */
#if __has_include("program_index.inc")
#include "program_index.inc"

static const struct program_row *row_at(const struct program_slot *slot)
{
    size_t count;

    return &program_files(&count)[slot->file]->rows[slot->row - 1];
}

static const struct program_slot *find_slot(struct str name)
{
    for (uint32_t at = program_hash(name.s, name.len);; at++) {
        const struct program_slot *slot = &program_slots[at % PROGRAM_SLOTS];
        if (!slot->row || str_is(name, row_at(slot)->name))
            return slot->row ? slot : NULL;
    }
}

const struct program_row *program_shipped(struct str name)
{
    const struct program_slot *slot = find_slot(name);

    return slot ? row_at(slot) : NULL;
}

bool program_has_subcommands(struct str name)
{
    const struct program_slot *slot = find_slot(name);

    return slot && slot->subcommands;
}

#else

/* The first row that is not before `name`. */
static size_t lower_bound(const struct program_file *f, struct str name)
{
    size_t low = 0, high = f->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(name, f->rows[middle].name) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct program_row *program_shipped(struct str name)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);

    for (size_t i = 0; i < count; i++) {
        size_t at = lower_bound(files[i], name);
        if (at < files[i]->count && str_is(name, files[i]->rows[at].name))
            return &files[i]->rows[at];
    }
    return NULL;
}

bool program_has_subcommands(struct str name)
{
    size_t count;
    const struct program_file *const *files = program_files(&count);
    char first[PROGRAM_NAME_MAX + 1];

    if (name.len >= PROGRAM_NAME_MAX)
        return false;
    memcpy(first, name.s, name.len);
    first[name.len] = ' ';
    for (size_t i = 0; i < count; i++) {
        size_t at = lower_bound(files[i], (struct str){first, name.len + 1});
        if (at < files[i]->count && extends(files[i]->rows[at].name, name))
            return true;
    }
    return false;
}

#endif

static int by_name(const void *name, const void *row)
{
    return compare(*(const struct str *)name, ((const struct program_row *)row)->name);
}

const struct program_row *program_added(const struct program_rows *added, struct str name)
{
    if (!added || !added->count || str_has(name, '\0'))
        return NULL;
    return bsearch(&name, added->items, added->count, sizeof(*added->items), by_name);
}

static const struct program_row *find_plain(const struct reading *r, struct str name)
{
    const struct program_row *added = program_added(r->more, name);
    const struct program_row *row = added && added->strength >= PROGRAM_BY_USER ? added : program_shipped(name);

    return row ? row : added;
}

const struct program_row *row_find(const struct reading *r, struct str name)
{
    const struct program_row *row = str_has(name, '\0') ? NULL : find_plain(r, name);

    /* another name of a row; one step only, so that two rows cannot point at each other for ever */
    if (row && row->options[0] == '=')
        row = find_plain(r, str_from(row->options + 1));
    return row && row->options[0] != '=' ? row : NULL;
}

/* python3.11 is python, gcc-12 is gcc. */
static struct str without_version(struct str name)
{
    while (name.len && ((name.s[name.len - 1] >= '0' && name.s[name.len - 1] <= '9') || name.s[name.len - 1] == '.'))
        name.len--;
    if (name.len && name.s[name.len - 1] == '-')
        name.len--;
    return name;
}

const struct program_row *row_of_program(const struct reading *r, struct str name)
{
    const struct program_row *row = row_find(r, name);

    /* a name with a blank is never a program's: it would find the row of a subcommand */
    if (str_has(name, ' '))
        return NULL;
    if (!row) {
        row = row_find(r, without_version(name));
        if (row && !row_says(row, "versions"))
            row = NULL;
    }
    return row;
}

bool program_is_shipped(struct str name)
{
    const struct reading nobody = {0};
    struct str first, rest;

    str_cut(name, ' ', &first, &rest);
    return row_of_program(&nobody, first) != NULL;
}

bool row_has_subcommands(const struct reading *r, struct str name)
{
    if (program_has_subcommands(name))
        return true;
    for (size_t i = 0; r->more && i < r->more->count; i++)
        if (extends(r->more->items[i].name, name))
            return true;
    return false;
}

const struct program_row *row_in_use(const struct reading *r)
{
    return r->rows[r->depth - 1];
}
