#include "programs/other_names.h"

#include "base/ascii.h"
#include "base/path.h"
#include "programs/reading.h"

bool program_next_name(const struct program_row *row, size_t *at, struct str *name)
{
    struct str also = str_from(row->also ? row->also : ""), tail;

    if (*at == 0) {
        *name = str_from(row->name);
        *at = 1;
        return true;
    }
    also = str_from_byte(also, *at - 1);
    if (!also.len)
        return false;
    str_cut(also, ',', name, &tail);
    *at += name->len + (name->len < also.len);
    return true;
}

static bool has_name(const struct program_row *row, struct str wanted)
{
    struct str name;
    size_t at = 0;

    while (program_next_name(row, &at, &name))
        if (str_eq(name, wanted))
            return true;
    return false;
}

const struct program_row *program_same_command(struct str name)
{
    const struct program_row *row = program_shipped(name);

    if (row && row->options[0] == '=' && row->options[1])
        row = program_shipped(str_from(row->options + 1));
    return row && has_name(row, name) ? row : NULL;
}

/* The program whose name may carry a version: python3.11, gcc-12. */
static const struct program_row *versioned(struct str name)
{
    const struct reading no_reading = {0};
    struct row_use use;

    return row_of_program(&no_reading, name, &use) && (use.modes & MODE_VERSIONS) ? use.row : NULL;
}

/* gsed, grm: what systems with other tools call those of GNU. */
static bool is_gnu_name(struct str written, struct str name)
{
    const struct program_row *row;

    if (written.len != name.len + 1 || written.s[0] != 'g' ||
        !str_eq(str_from_byte(written, 1), name))
        return false;
    row = program_named(name);
    return row && strncmp(row->source, "GNU ", 4) == 0;
}

/* curl.exe, as shells of Windows and WSL have it. */
static struct str without_suffix(struct str name)
{
    struct str suffix = STR(".exe");

    return str_ends(name, suffix) ? str_slice(name, 0, name.len - suffix.len) : name;
}

static bool is_program(struct str written, struct str name)
{
    const struct program_row *row;

    written = without_suffix(written);
    if (str_eq(written, name) || is_gnu_name(written, name))
        return true;
    row = written.len && name.len && written.s[0] == name.s[0] ? versioned(written) : NULL;
    return row && row == versioned(name);
}

size_t program_words_named(const struct shell_word *words, size_t count, struct str name)
{
    struct str word;
    size_t n = 0;

    for (; str_next_word(&name, &word); n++)
        if (n == count || !words[n].known ||
            !(n ? str_eq(words[n].text, word) : is_program(path_base(words[n].text), word)))
            return 0;
    return n;
}

/* ---- rules ---- */

static void add_program(struct arena *a, struct strs *out, struct str name)
{
    struct str program, rest;

    str_cut(name, ' ', &program, &rest);
    if (program.len && !strs_has(out, program))
        LIST_PUSH(a, out, program);
}

static void add_names(struct arena *a, struct strs *out, const struct program_row *row)
{
    struct str name;
    size_t at = 0;

    while (row && program_next_name(row, &at, &name))
        add_program(a, out, name);
}

/* npm exec is npx, and python -m pip is pip. */
static void add_commands(struct arena *a, struct strs *out, const struct shell_word *words,
                         size_t count, struct str program)
{
    struct buf name = buf_in(a);

    buf_add(&name, program);
    for (size_t i = 1; i < count && i < SUBCOMMAND_DEPTH_MAX && words[i].known; i++) {
        buf_byte(&name, ' ');
        buf_add(&name, words[i].text);
        add_names(a, out, program_same_command(buf_str(&name)));
    }
}

/* May it be the name of a version, or what systems with other tools call a program of GNU? */
static bool may_be_spelled(struct str name)
{
    char last = name.len ? name.s[name.len - 1] : '.';

    return ascii_is_digit(last) || last == '.' || last == '-' || name.s[0] == 'g';
}

size_t program_other_names(struct str program)
{
    size_t list;
    bool shipped = program_others_of(program, &list);

    if (without_suffix(program).len < program.len)
        return NAMES_ANY;
    if (shipped || !may_be_spelled(program))
        return list;
    return versioned(program) || is_gnu_name(program, str_from_byte(program, program.len > 0))
               ? NAMES_ANY
               : 0;
}

bool program_is_spelled_plainly(struct str program)
{
    return !may_be_spelled(program) && without_suffix(program).len == program.len;
}

struct strs program_rule_names(struct arena *a, const struct shell_word *words, size_t count)
{
    struct str written = path_base(words[0].text);
    const struct program_row *row = program_same_command(written);
    struct strs out = {0};

    if (!row)
        row = versioned(written);
    add_program(a, &out, written);
    add_program(a, &out, without_suffix(written));
    add_names(a, &out, row);
    if (is_gnu_name(written, str_from_byte(written, written.len > 0)))
        add_program(a, &out, str_from_byte(written, 1));
    add_commands(a, &out, words, count, row ? str_from(row->name) : written);
    return out;
}

/* ---- kinds ---- */

/* Namespaces.v1 is namespaces: a version or a group may follow. */
static struct str plain_kind(struct str word)
{
    struct str kind, group;

    str_cut(word, '.', &kind, &group);
    return kind;
}

static bool lists_kind(struct str names, struct str kind)
{
    struct str name, tail = {0};

    for (bool more = true; more; names = tail) {
        more = str_cut(names, ',', &name, &tail);
        if (str_eq_nocase(name, kind))
            return true;
    }
    return false;
}

bool program_same_kind(const char *kinds, struct str word, struct str other)
{
    struct str rest = str_from(kinds), names;

    word = plain_kind(word);
    other = plain_kind(other);
    if (!word.len || str_eq_nocase(word, other))
        return word.len > 0;
    while (str_next_word(&rest, &names))
        if (lists_kind(names, word))
            return lists_kind(names, other);
    return false;
}
