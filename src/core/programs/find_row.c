/* find_row.c - finds the row of a program or subcommand. */
#include <stdlib.h>

#include "programs/command_options.h"
#include "programs/index.h"
#include "programs/other_names.h"
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

/* A name that is looked for. */
struct name {
    struct str outer; /* of the row of which it is a subcommand; empty: there is none */
    struct str word;
    uint32_t hash; /* of both, with a blank between them */
};

static inline struct name alone(struct str word)
{
    return (struct name){.word = word, .hash = program_hash(PROGRAM_HASH, word.s, word.len)};
}

static inline struct name after(const struct row_use *outer, struct str word)
{
    return (struct name){.outer = {outer->row->name, outer->len},
                         .word = word,
                         .hash = program_hash(outer->hash, word.s, word.len)};
}

/* Both parts of it as one text. */
static struct str whole_name(struct arena *a, const struct name *n)
{
    if (!n->outer.len)
        return n->word;
    char *whole = arena_bytes(a, n->outer.len + 1 + n->word.len);
    memcpy(whole, n->outer.s, n->outer.len);
    whole[n->outer.len] = ' ';
    if (n->word.len)
        memcpy(whole + n->outer.len + 1, n->word.s, n->word.len);
    return (struct str){whole, n->outer.len + 1 + n->word.len};
}

RARE static void describe(struct row_use *use, const struct program_row *row)
{
    use->row = row;
    use->len = strlen(row->name);
    use->hash = program_hash(program_hash(PROGRAM_HASH, row->name, use->len), " ", 1);
    use->indexed = 0;
    use->modes = row_modes(row);
    use->trees = row_trees(row);
    use->reader = row_reader(row);
    use->forms = NULL;
}

/* tools/gen/make_program_index.c writes it while Warder is built; a build without it searches
 * through the files. */
#if __has_include("program_index.inc")
#include "program_index.inc"

static const struct program_row *row_at(const struct program_slot *slot)
{
    return &program_file_list[slot->file]->rows[slot->row - 1];
}

static bool is_name_of(const struct program_row *row, const struct name *n)
{
    const char *name = row->name;

    if (n->outer.len) {
        if (memcmp(name, n->outer.s, n->outer.len) != 0 || name[n->outer.len] != ' ')
            return false;
        name += n->outer.len + 1;
    }
    return n->word.len == 0 || memcmp(name, n->word.s, n->word.len) == 0;
}

static inline const struct program_slot *find_slot(const struct name *n)
{
    size_t len = n->outer.len + (n->outer.len > 0) + n->word.len;

    for (uint32_t at = program_slot_of(n->hash);; at++) {
        const struct program_slot *slot = &program_slots[at % PROGRAM_SLOTS];
        if (!slot->row)
            return NULL;
        if (slot->len == len && is_name_of(row_at(slot), n))
            return slot;
    }
}

static const struct program_slot *slot_of(struct str name)
{
    struct name n = alone(name);

    return find_slot(&n);
}

const struct program_row *program_shipped(struct str name)
{
    const struct program_slot *slot = slot_of(name);

    return slot ? row_at(slot) : NULL;
}

const struct program_row *program_subcommand(struct str program, struct str subcommand)
{
    uint32_t hash = program_hash(program_hash(PROGRAM_HASH, program.s, program.len), " ", 1);
    struct name n = {.outer = program,
                     .word = subcommand,
                     .hash = program_hash(hash, subcommand.s, subcommand.len)};
    const struct program_slot *slot = program.len ? find_slot(&n) : NULL;

    return slot ? row_at(slot) : NULL;
}

bool program_has_subcommands(struct str name)
{
    const struct program_slot *slot = slot_of(name);

    return slot && slot->subcommands;
}

const struct word_lists program_name_lists = {program_others, COUNT(program_others)};

bool program_others_of(struct str name, size_t *list)
{
    const struct program_slot *slot = slot_of(name);

    *list = slot ? slot->others : 0;
    return slot;
}

bool program_may_say(struct str name, enum program_column column)
{
    return program_columns[program_shape(name)] & (unsigned)column;
}

const struct program_row *program_told_next(size_t *at)
{
    return *at < COUNT(programs_told) ? row_at(&program_slots[programs_told[(*at)++]]) : NULL;
}

/* Mostly the option follows the last word of a subcommand, and the first search finds it. */
const struct program_row *row_leaf(struct str text, const struct shell_word *words, size_t *depth)
{
    for (;;) {
        const struct program_slot *slot = slot_of(text);
        if (slot && row_at(slot)->options[0] == '=')
            slot = slot_of(str_from(row_at(slot)->options + 1));
        if (slot)
            return slot->subcommands ? NULL : row_at(slot);
        if (--*depth == 0)
            return NULL;
        text.len -= 1 + words[*depth].text.len;
    }
}

static inline void find_shipped(const struct reading *r, const struct name *n, struct row_use *out)
{
    const struct program_slot *slot = find_slot(n);

    (void)r;
    if (!slot) {
        *out = (struct row_use){0};
        return;
    }
    *out = (struct row_use){.row = row_at(slot),
                            .len = slot->len,
                            .hash = program_hash(n->hash, " ", 1),
                            .indexed = (uint32_t)(slot - program_slots) + 1,
                            .modes = slot->modes,
                            .trees = program_trees[slot->trees],
                            .subcommands = slot->subcommands,
                            .forms = &program_forms[slot->form],
                            .form_count = slot->form_count};
    if (slot->whole)
        out->reader = row_reader(out->row);
}

static void fill_option(struct option *out, const char *names, const struct option_kind *kind)
{
    out->names = (struct str){names, kind->names};
    out->roles =
        (struct str){kind->value ? names + kind->names + kind->optional + 1 : NULL, kind->roles};
    out->set = kind->set;
    out->effects = kind->effects;
    out->value = kind->value;
    out->optional = kind->optional;
    out->prints = kind->prints;
}

static bool find_option(const struct row_use *use, struct str name, struct option *out)
{
    for (uint32_t at = option_hash(use->indexed, name.s, name.len);; at++) {
        const struct option_slot *slot = &option_slots[at % OPTION_SLOTS];
        if (!slot->row)
            return false;
        const char *text = use->row->options + slot->at;
        if (slot->row == use->indexed && slot->len == name.len &&
            memcmp(text, name.s, name.len) == 0) {
            fill_option(out, text - slot->before, &option_kinds[slot->kind]);
            return true;
        }
    }
}

#else

const struct word_lists program_name_lists = {0};

bool program_others_of(struct str name, size_t *list)
{
    *list = NAMES_ANY;
    return program_shipped(name);
}

bool program_may_say(struct str name, enum program_column column)
{
    (void)name;
    (void)column;
    return true;
}

const struct program_row *program_told_next(size_t *at)
{
    size_t files, before = 0;
    const struct program_file *const *all = program_files(&files);

    for (size_t f = 0; f < files; before += all[f++]->count)
        while (*at - before < all[f]->count) {
            const struct program_row *row = &all[f]->rows[(*at)++ - before];
            if (row->set_by && strchr(row->set_by, '>'))
                return row;
        }
    return NULL;
}

const struct program_row *row_leaf(struct str text, const struct shell_word *words, size_t *depth)
{
    (void)text;
    (void)words;
    (void)depth;
    return NULL;
}

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

const struct program_row *program_subcommand(struct str program, struct str subcommand)
{
    char name[PROGRAM_NAME_MAX + 1];
    size_t len = program.len + 1 + subcommand.len;

    if (len > PROGRAM_NAME_MAX || !program.len || !subcommand.len)
        return NULL;
    memcpy(name, program.s, program.len);
    name[program.len] = ' ';
    memcpy(name + program.len + 1, subcommand.s, subcommand.len);
    return program_shipped((struct str){name, len});
}

static void find_shipped(const struct reading *r, const struct name *n, struct row_use *out)
{
    struct str name = whole_name(r->arena, n);
    const struct program_row *row = str_has(name, '\0') ? NULL : program_shipped(name);

    *out = (struct row_use){.subcommands = row && program_has_subcommands(name)};
    if (row)
        describe(out, row);
}

static bool find_option(const struct row_use *use, struct str name, struct option *out)
{
    return option_search(use->row, name, out);
}

#endif

/* A blank would lead to the row of a subcommand. */
const struct program_row *program_named(struct str name)
{
    return str_has(name, ' ') ? NULL : program_shipped(name);
}

const struct program_row *program_by_any_name(struct str name)
{
    const struct program_row *row = program_named(name);

    return row && row->options[0] == '=' && row->options[1]
               ? program_shipped(str_from(row->options + 1))
               : row;
}

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

bool row_option(const struct row_use *use, struct str name, struct option *out)
{
    return use->indexed ? find_option(use, name, out) : option_search(use->row, name, out);
}

RARE static bool any_extends(const struct program_rows *added, struct str name)
{
    for (size_t i = 0; i < added->count; i++)
        if (extends(added->items[i].name, name))
            return true;
    return false;
}

static bool explains_nothing(const struct program_row *row)
{
    return strcmp(row->options, "=") == 0;
}

RARE static void find_added(const struct reading *r, const struct name *n, struct row_use *out)
{
    const struct program_row *added = program_added(r->more, whole_name(r->arena, n));

    if (added && (!out->row || explains_nothing(out->row) || added->strength >= PROGRAM_BY_USER))
        describe(out, added);
}

static inline void find_plain(const struct reading *r, const struct name *n, struct row_use *out)
{
    find_shipped(r, n, out);
    if (r->more && r->more->count)
        find_added(r, n, out);
}

/* It is another name of a row; one step only, so that two rows cannot point at each other for ever.
 * No row has the empty name: "=" finds none. */
RARE static bool find_renamed(const struct reading *r, struct row_use *out)
{
    struct name n = alone(str_from(out->row->options + 1));

    find_plain(r, &n, out);
    out->renamed = true;
    return out->row && out->row->options[0] != '=';
}

static inline bool find_row(const struct reading *r, const struct name *n, struct row_use *out)
{
    find_plain(r, n, out);
    if (!out->row)
        return false;
    if (out->row->options[0] == '=' && !find_renamed(r, out)) {
        out->row = NULL;
        return false;
    }
    if (!out->subcommands && r->more && r->more->count)
        out->subcommands = any_extends(r->more, str_from(out->row->name));
    return true;
}

bool row_find(const struct reading *r, const struct row_use *outer, struct str name,
              struct row_use *out)
{
    struct name n = outer ? after(outer, name) : alone(name);

    return find_row(r, &n, out);
}

/* The last component of a path, and its hash, in one step. A blank in it: no program is called so,
 * it would find the row of a subcommand. */
static inline struct name program_name(struct str path, bool *blank)
{
    while (path.len && path.s[path.len - 1] == '/')
        path.len--;
    struct name n = {.word = path, .hash = PROGRAM_HASH};
    *blank = false;
    for (size_t i = 0; i < path.len; i++) {
        if (path.s[i] == '/') {
            n.word = str_from_byte(path, i + 1);
            n.hash = PROGRAM_HASH;
            *blank = false;
        } else {
            n.hash = program_hash(n.hash, path.s + i, 1);
            *blank |= path.s[i] == ' ';
        }
    }
    return n;
}

/* python3.11 is python, gcc-12 is gcc. */
static struct str without_version(struct str name)
{
    while (name.len && ((name.s[name.len - 1] >= '0' && name.s[name.len - 1] <= '9') ||
                        name.s[name.len - 1] == '.'))
        name.len--;
    if (name.len && name.s[name.len - 1] == '-')
        name.len--;
    return name;
}

RARE static bool find_without_version(const struct reading *r, struct str name, struct row_use *out)
{
    if (row_find(r, NULL, without_version(name), out) && !(out->modes & MODE_VERSIONS))
        out->row = NULL;
    return out->row != NULL;
}

bool row_of_program(const struct reading *r, struct str path, struct row_use *out)
{
    bool blank;
    struct name n = program_name(path, &blank);

    out->row = NULL;
    if (blank)
        return false;
    return find_row(r, &n, out) || find_without_version(r, n.word, out);
}

bool program_is_wrapper(struct str name)
{
    static const struct reading no_reading;
    struct row_use use;

    return program_may_say(name, COLUMN_WRAPS) && !str_has(name, ' ') &&
           row_find(&no_reading, NULL, name, &use) && (use.modes & MODE_WRAPS);
}

bool program_is_shipped(struct str name)
{
    const struct reading no_reading = {0};
    struct str first, rest;
    struct row_use use;

    str_cut(name, ' ', &first, &rest);
    return !str_has(first, '/') && row_of_program(&no_reading, first, &use);
}
