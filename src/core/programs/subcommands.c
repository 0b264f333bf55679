/* subcommands.c - finds the words of a subcommand among the options in front of them. */
#include "programs/subcommands.h"

#include "base/ascii.h"
#include "programs/reading.h"

/* Stands for a subcommand that has no row: none of its options is known. */
static const struct program_row no_row = {"", "", "", 0, ""};

struct search {
    struct reading r;
    struct row_use rows[SUBCOMMAND_WORDS_MAX + 1]; /* of the program and of each word so far */
    struct program_use use;                        /* what r writes to */
    struct subcommand at;                          /* the words so far */
    struct subcommands *out;
    bool cut; /* there are too many readings */
};

/* Which of the next words may be read after this one: bit n is the n-th after it. */
enum { NEXT = 1 << 1, SECOND = 1 << 2 };
#define WINDOW 64

/* A row that a project's policy adds may be there to hide a subcommand in a value. */
static bool is_by_project(const struct search *s)
{
    for (size_t i = 0; i < s->r.depth; i++)
        if (s->rows[i].row->strength == PROGRAM_BY_PROJECT)
            return true;
    return false;
}

/* Reads the option as its row says; 0: no row says how. */
static size_t words_of_option(struct search *s, size_t i)
{
    struct reading *r = &s->r;

    r->at = i;
    r->given.count = 0;
    s->use.doubt = 0;
    if (!read_option(r) || s->use.doubt || is_by_project(s))
        return 0;
    if (r->given.count && str_is(r->given.items[r->given.count - 1].roles, "I"))
        return 0; /* a command of which the end is not certain */
    return r->at - i + 1;
}

static bool is_optional(const struct reading *r)
{
    return r->given.count && r->given.items[r->given.count - 1].option.optional;
}

static uint64_t after_option(struct search *s, size_t i)
{
    const struct shell_word *w = &s->r.words[i];
    size_t words = words_of_option(s, i);

    bool joined = str_has(w->text, '=') && !w->may_split;

    if (!words)
        return joined ? NEXT : NEXT | SECOND;
    /* some programs take no value that begins with a dash, or none after the one that is joined */
    bool refuses = words > 1 && (joined || (w[1].text.len && w[1].text.s[0] == '-'));
    /* and a value that is optional may come as a word of its own in another version */
    bool takes = words == 1 && !joined && is_optional(&s->r);
    return (words < WINDOW ? UINT64_C(1) << words : 0) | (refuses ? NEXT : 0) |
           (takes ? SECOND : 0);
}

/* A word that is not known may be nothing, options, or an option that takes the next word; one with
 * a plus may be an option, too (cargo +nightly). */
static uint64_t after_operand(const struct shell_word *w)
{
    if (w->text.len > 1 && w->text.s[0] == '+')
        return NEXT;
    if (begins_with_no_dash(w))
        return w->may_split ? NEXT : 0;
    return w->may_dash || w->may_split ||
                   (w->may_glob && w->text.len && strchr("*?[", w->text.s[0]))
               ? NEXT | SECOND
               : 0;
}

/* What can be a word of a subcommand that has no row. */
static bool is_name(const struct shell_word *w)
{
    if (!w->known || !w->text.len || !ascii_is_letter(w->text.s[0]))
        return false;
    for (size_t i = 0; i < w->text.len; i++)
        if (!ascii_is_alnum(w->text.s[i]) && !strchr("-_:", w->text.s[i]))
            return false;
    return true;
}

/* Do the words of this row choose what is done, though no rows say which ones there are? */
static bool is_open(const struct search *s, const struct row_use *use)
{
    return use->row == &no_row || use->subcommands || reader_has_subcommands(use->reader) ||
           (use->reader.len && s->r.depth == 1);
}

static bool has_row(struct search *s, const struct shell_word *w)
{
    return s->r.use->subcommands && w->known && !str_has(w->text, ' ') &&
           row_find(&s->r, s->r.use, w->text, &s->rows[s->r.depth]);
}

/* May the operands of a row without subcommands name one all the same? Not where the program only
 * works on files and texts (grep, rm), or the subcommand changes nothing that lasts. */
static bool has_operations(const struct program_row *row, size_t depth)
{
    const unsigned lasting = EFFECT_SEND | EFFECT_PRIVILEGE | EFFECT_PROCESS | EFFECT_SYSTEM |
                             EFFECT_LOSS | EFFECT_SECRETS | EFFECT_INSTALL;

    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a row that was found is there */
    return row->effects & (depth > 1 ? lasting : ~(unsigned)EFFECT_NETWORK) ||
           row->strength != PROGRAM_SHIPPED || reader_has_subcommands(row_reader(row));
}

/* May the subcommand go on after this word? Then its row is in its place. */
static bool goes_on(struct search *s, const struct shell_word *w)
{
    if (s->at.count == SUBCOMMAND_WORDS_MAX)
        return false;
    if (has_row(s, w)) {
        const struct row_use *use = &s->rows[s->r.depth];
        return use->subcommands || has_operations(use->row, s->r.depth + 1);
    }
    s->rows[s->r.depth] = (struct row_use){.row = &no_row};
    return is_open(s, s->r.use) && is_name(w);
}

static void push(struct search *s)
{
    s->cut |= s->out->count == SUBCOMMAND_READINGS_MAX;
    if (!s->cut)
        LIST_PUSH(s->r.arena, s->out, s->at);
}

/* Of a subcommand that has none. */
static bool is_leaf(const struct search *s)
{
    return s->r.depth > 1 && !is_open(s, s->r.use);
}

static void read_below(struct search *s, size_t from);

/* NOLINTNEXTLINE(misc-no-recursion): not deeper than SUBCOMMAND_WORDS_MAX */
static void take_word(struct search *s, size_t i, bool options_before)
{
    s->at.words[s->at.count++] = i;
    if (options_before)
        push(s);
    if (goes_on(s, &s->r.words[i])) {
        s->r.use = &s->rows[s->r.depth++];
        read_below(s, i + 1);
        s->r.use = &s->rows[--s->r.depth - 1];
    }
    s->at.count--;
}

/* Every word that may be the next one of the subcommand. What is reachable is kept in a window that
 * moves with i: many readings meet at the same word, which is read once. */
/* NOLINTNEXTLINE(misc-no-recursion): see take_word() */
static void read_below(struct search *s, size_t from)
{
    uint64_t reached = 1, after_dashes = 0;

    for (size_t i = from; i < s->r.count && (reached | after_dashes) && !s->cut; i++) {
        const struct shell_word *w = &s->r.words[i];
        bool dash = w->text.len > 1 && w->text.s[0] == '-', operand = after_dashes & 1;
        if (reached & 1) {
            if (dash && str_is(w->text, "--"))
                after_dashes |= is_leaf(s) ? 0 : NEXT; /* git push -- x: an operand follows */
            else if (dash && !has_row(s, w))           /* python -m: the option has a row */
                reached |= after_option(s, i);
            else
                operand = true;
            if (operand)
                reached |= after_operand(w);
        }
        if (operand)
            take_word(s, i, i > from);
        if (dash && (after_dashes & 1)) /* some programs take an option here, too */
            after_dashes |= NEXT;
        reached >>= 1;
        after_dashes >>= 1;
    }
}

static bool may_be_option(const struct shell_word *w)
{
    return w->text.len && (w->text.s[0] == '-' || w->text.s[0] == '+' || !w->known);
}

static bool may_have_subcommand(const struct shell_word *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!str_starts(words[i].text, STR("-")) && !str_has(words[i].text, ' '))
            return true;
    return false;
}

bool subcommand_is_apart(struct str text, const struct shell_word *words, size_t count,
                         const struct program_rows *more)
{
    size_t option = 1;

    text.len = words[0].text.len;
    for (; option < count && !may_be_option(&words[option]); option++)
        text.len += 1 + words[option].text.len;
    if (option > SUBCOMMAND_WORDS_MAX || !may_have_subcommand(words + option, count - option))
        return false;
    const struct program_row *leaf = more && more->count ? NULL : row_leaf(text, words, &option);
    return !leaf || has_operations(leaf, option);
}

bool program_subcommands(struct arena *a, const struct shell_word *words, size_t count,
                         const struct program_rows *more, struct subcommands *out)
{
    struct search s = {.out = out};

    s.r = (struct reading){.arena = a,
                           .words = words,
                           .count = count,
                           .more = more,
                           .out = &s.use,
                           .rows = s.rows,
                           .use = s.rows,
                           .depth = 1};
    if (!row_of_program(&s.r, words[0].text, &s.rows[0]))
        s.rows[0] = (struct row_use){.row = &no_row};
    else if (!s.rows[0].subcommands && !has_operations(s.rows[0].row, 1))
        return true;
    read_below(&s, 1);
    return !s.cut;
}

size_t subcommand_words(struct arena *a, const struct shell_word *words, size_t count,
                        const struct subcommand *found, bool moved, const struct shell_word **out)
{
    struct shell_word *plain = arena_room(a, count, sizeof(*plain));
    size_t n = 1, rest = 1;

    plain[0] = words[0];
    for (size_t i = 0; i < found->count; i++) {
        plain[n++] = words[found->words[i]];
        rest = found->words[i] + 1;
    }
    for (size_t i = 1, name = 0; moved && i < rest; i++) {
        if (name < found->count && found->words[name] == i)
            name++;
        else
            plain[n++] = words[i];
    }
    for (; rest < count; rest++)
        plain[n++] = words[rest];
    *out = plain;
    return n;
}
