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

static void describe(struct row_use *use, const struct program_row *row)
{
    use->row = row;
    use->indexed = 0;
    use->modes = row_modes(row);
    use->reader = row_reader(row);
    use->forms = NULL;
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
        if (!slot->row)
            return NULL;
        if (slot->len == name.len && memcmp(row_at(slot)->name, name.s, name.len) == 0)
            return slot;
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

static void find_shipped(struct str name, struct row_use *out)
{
    const struct program_slot *slot = find_slot(name);

    *out = (struct row_use){0};
    if (!slot)
        return;
    out->row = row_at(slot);
    out->indexed = (uint32_t)(slot - program_slots) + 1;
    out->modes = slot->modes;
    out->forms = &program_forms[slot->form];
    out->form_count = slot->form_count;
    out->subcommands = slot->subcommands;
    if (slot->whole)
        out->reader = row_reader(out->row);
}

static struct str find_option(const struct row_use *use, struct str name)
{
    for (uint32_t at = option_hash(use->indexed, name.s, name.len);; at++) {
        const struct option_slot *slot = &option_slots[at % OPTION_SLOTS];
        if (!slot->row)
            return (struct str){0};
        const char *text = use->row->options + slot->at;
        if (slot->row == use->indexed && slot->len == name.len && memcmp(text, name.s, name.len) == 0)
            return token_around(use->row->options, text);
    }
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

static void find_shipped(struct str name, struct row_use *out)
{
    const struct program_row *row = str_has(name, '\0') ? NULL : program_shipped(name);

    *out = (struct row_use){.subcommands = row && program_has_subcommands(name)};
    if (row)
        describe(out, row);
}

static struct str find_option(const struct row_use *use, struct str name)
{
    return option_search(use->row, name);
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

struct str row_option(const struct row_use *use, struct str name)
{
    return use->indexed ? find_option(use, name) : option_search(use->row, name);
}

static bool any_extends(const struct program_rows *added, struct str name)
{
    for (size_t i = 0; i < added->count; i++)
        if (extends(added->items[i].name, name))
            return true;
    return false;
}

static void find_plain(const struct reading *r, struct str name, struct row_use *out)
{
    const struct program_row *added = program_added(r->more, name);

    find_shipped(name, out);
    if (added && (!out->row || added->strength >= PROGRAM_BY_USER))
        describe(out, added);
}

bool row_find(const struct reading *r, struct str name, struct row_use *out)
{
    find_plain(r, name, out);
    /* another name of a row; one step only, so that two rows cannot point at each other for ever */
    if (out->row && out->row->options[0] == '=')
        find_plain(r, str_from(out->row->options + 1), out);
    if (!out->row || out->row->options[0] == '=') {
        out->row = NULL;
        return false;
    }
    if (!out->subcommands && r->more)
        out->subcommands = any_extends(r->more, str_from(out->row->name));
    return true;
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

bool row_of_program(const struct reading *r, struct str name, struct row_use *out)
{
    out->row = NULL;
    /* a name with a blank is never a program's: it would find the row of a subcommand */
    if (str_has(name, ' '))
        return false;
    if (row_find(r, name, out))
        return true;
    if (row_find(r, without_version(name), out) && !(out->modes & MODE_VERSIONS))
        out->row = NULL;
    return out->row != NULL;
}

bool program_is_shipped(struct str name)
{
    const struct reading nobody = {0};
    struct str first, rest;
    struct row_use use;

    str_cut(name, ' ', &first, &rest);
    return row_of_program(&nobody, first, &use);
}
