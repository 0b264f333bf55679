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

static struct row_use find_shipped(struct str name)
{
    const struct program_slot *slot = find_slot(name);

    if (!slot)
        return (struct row_use){0};
    return (struct row_use){
        .row = row_at(slot), .indexed = (uint32_t)(slot - program_slots) + 1, .subcommands = slot->subcommands};
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

static struct row_use find_shipped(struct str name)
{
    return (struct row_use){.row = program_shipped(name), .subcommands = program_has_subcommands(name)};
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
    for (size_t i = 0; added && i < added->count; i++)
        if (extends(added->items[i].name, name))
            return true;
    return false;
}

static struct row_use find_plain(const struct reading *r, struct str name)
{
    const struct program_row *added = program_added(r->more, name);
    struct row_use use = find_shipped(name);

    if (added && (!use.row || added->strength >= PROGRAM_BY_USER)) {
        use.row = added;
        use.indexed = 0;
    }
    return use;
}

/* "@@env" */
static struct str whole_reader(const struct program_row *row)
{
    const char *text = row->operands;

    while (*text == ' ')
        text++;
    if (text[0] != '@' || text[1] != '@')
        return (struct str){0};
    return (struct str){text + 2, strcspn(text + 2, " ")};
}

struct row_use row_find(const struct reading *r, struct str name)
{
    struct row_use use = {0};

    if (!str_has(name, '\0'))
        use = find_plain(r, name);
    /* another name of a row; one step only, so that two rows cannot point at each other for ever */
    if (use.row && use.row->options[0] == '=')
        use = find_plain(r, str_from(use.row->options + 1));
    if (!use.row || use.row->options[0] == '=')
        return (struct row_use){0};
    use.subcommands |= any_extends(r->more, str_from(use.row->name));
    use.modes = row_modes(use.row);
    use.reader = whole_reader(use.row);
    return use;
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

struct row_use row_of_program(const struct reading *r, struct str name)
{
    /* a name with a blank is never a program's: it would find the row of a subcommand */
    if (str_has(name, ' '))
        return (struct row_use){0};
    struct row_use use = row_find(r, name);
    if (!use.row) {
        use = row_find(r, without_version(name));
        if (!(use.modes & MODE_VERSIONS))
            use.row = NULL;
    }
    return use;
}

bool program_is_shipped(struct str name)
{
    const struct reading nobody = {0};
    struct str first, rest;

    str_cut(name, ' ', &first, &rest);
    return row_of_program(&nobody, first).row != NULL;
}
