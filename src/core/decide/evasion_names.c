/* evasion_names.c - a command by its other names.
 *
 * A rule on `npm install` is about npm i, one on `python3 -c` about python3.11, and one on `kubectl
 * delete ns` about namespace/x. The command is written again with the words of the rule, and
 * compared with that. */
#include "base/path.h"
#include "decide/evasion.h"
#include "programs/command_options.h"
#include "programs/other_names.h"
#include "programs/subcommands.h"
#include "rule/command.h"

/* A command, and the words of a rule that it is compared with. */
struct renaming {
    struct evasion *e;
    const struct shell_word *words;
    size_t count;
    const struct rule *rule;
    struct rule_words pattern;
    struct str program; /* that of the pattern, or the one that it is read like */
};

static struct shell_word known_word(struct str text)
{
    return (struct shell_word){.text = text, .known = true};
}

/* The first words of the rule, `named` of them, in the place of `taken` words of the command. */
static void compare_as(struct renaming *n, size_t named, size_t taken)
{
    struct arena *a = n->e->f->arena;
    size_t count = named + n->count - taken;

    if (evasion_is_spent(n->e, count * sizeof(*n->words)))
        return;
    struct shell_word *words = arena_room(a, count + 1, sizeof(*words));
    for (size_t i = 0; i < named; i++)
        words[i] = known_word(n->pattern.items[i].text);
    memcpy(words + named, n->words + taken, (n->count - taken) * sizeof(*words));
    evasion_compare(n->e, n->rule, words, count);
}

/* The first words of the rule as a name; that of the program as it is in the command. */
static struct str first_words(const struct renaming *n, size_t count)
{
    struct buf b = buf_in(n->e->f->arena);

    buf_add(&b, n->program);
    for (size_t i = 1; i < count; i++) {
        buf_byte(&b, ' ');
        buf_add(&b, n->pattern.items[i].text);
    }
    return buf_str(&b);
}

static void compare_names(struct renaming *n, const struct program_row *row, struct str own,
                          size_t named)
{
    struct str name;
    size_t at = 0;

    while (program_next_name(row, &at, &name)) {
        size_t taken = program_words_named(n->words, n->count, name);
        if (taken && (!str_eq(name, own) || !str_eq(n->words[0].text, n->program)))
            compare_as(n, named, taken);
    }
}

/* git stash, yarn: without a further word the subcommand of the rule is meant. */
static void compare_bare(struct renaming *n, const struct program_row *row, struct str own,
                         size_t named)
{
    struct command_options read;
    size_t taken = program_words_named(n->words, n->count, own);

    if (!row->bare || named >= n->pattern.count || !taken ||
        !str_is(n->pattern.items[named].text, row->bare))
        return;
    command_options(n->e->f->arena, n->words, n->count, n->e->f->book->programs, &read);
    if (read.operands.count == taken)
        compare_as(n, named + 1, taken);
}

/* ---- kinds ---- */

/* The command with the words of the rule, "ns" or "ns/x", in the place of one that means the same.
 */
static void compare_kind(struct renaming *n, size_t at, struct str kind, struct str name,
                         bool has_name)
{
    struct arena *a = n->e->f->arena;
    struct shell_word *words = arena_room(a, n->count + 2, sizeof(*words));
    size_t count = 0;

    for (size_t i = 0; i < n->count; i++) {
        if (i != at) {
            words[count++] = n->words[i];
            continue;
        }
        words[count++] = known_word(kind);
        if (has_name)
            words[count++] = known_word(name);
    }
    evasion_compare(n->e, n->rule, words, count);
    if (at + 1 >= n->count && !has_name)
        return;
    /* ns x may be what the rule writes as ns/x */
    words[at] = known_word(str_format(a, "%.*s/%.*s", STR_ARG(kind), STR_ARG(words[at + 1].text)));
    memmove(words + at + 1, words + at + 2, (count - at - 2) * sizeof(*words));
    evasion_compare(n->e, n->rule, words, count - 1);
}

/* pods,ns or ns/x: each of them is a kind. */
static void look_at_kinds(struct renaming *n, const char *kinds, size_t at, struct str wanted)
{
    struct str text = n->words[at].text, list, name, kind, tail = {0};
    bool has_name = str_cut(text, '/', &list, &name);

    for (bool more = true; more; list = tail) {
        more = str_cut(list, ',', &kind, &tail);
        if (program_same_kind(kinds, kind, wanted) &&
            !evasion_is_spent(n->e, n->count * sizeof(*n->words)))
            compare_kind(n, at, wanted, name, has_name);
    }
}

static void compare_kinds(struct renaming *n)
{
    const struct program_row *row = program_by_any_name(n->pattern.items[0].text);
    struct str wanted, name;

    if (!row || !row->kinds)
        return;
    for (size_t w = 2; w < n->pattern.count && !n->pattern.items[w].wild; w++) {
        str_cut(n->pattern.items[w].text, '/', &wanted, &name);
        if (!wanted.len || wanted.s[0] == '-')
            continue;
        for (size_t i = 2; i < n->count; i++)
            if (n->words[i].known)
                look_at_kinds(n, row->kinds, i, wanted);
        return;
    }
}

/* ---- one command ---- */

/* podman is read like docker: what docker container rm is to docker rm, it has as well. */
static bool read_like_another(const struct renaming *n, struct renaming *out)
{
    const struct program_row *row = program_named(n->program);
    struct shell_word *words;

    if (!row || row->options[0] != '=' || !row->options[1] || strchr(row->options, ' ') ||
        !str_eq(path_base(n->words[0].text), n->program))
        return false;
    words = arena_room(n->e->f->arena, n->count, sizeof(*words));
    memcpy(words, n->words, n->count * sizeof(*words));
    *out = *n;
    out->words = words;
    out->program = words[0].text = str_from(row->options + 1);
    return true;
}

static void compare_prefixes(struct renaming *n, size_t from)
{
    for (size_t named = from; named <= n->pattern.count && named <= SUBCOMMAND_WORDS_MAX; named++) {
        if (n->pattern.items[named - 1].wild)
            break;
        struct str own = first_words(n, named);
        const struct program_row *row = program_same_command(own);
        if (!row)
            continue;
        compare_names(n, row, own, named);
        compare_bare(n, row, own, named);
    }
}

static void compare_rule(struct renaming *n)
{
    struct renaming like;

    n->program = n->pattern.items[0].text;
    compare_prefixes(n, 1);
    if (read_like_another(n, &like))
        compare_prefixes(&like, 2);
    compare_kinds(n);
}

static void compare_rules(struct renaming *n, const struct rule_places *rules)
{
    for (size_t i = 0; i < rules->count; i++) {
        n->rule = &n->e->f->book->rules.items[rules->items[i]];
        n->pattern = rule_words(n->e->f->arena, n->rule);
        if (n->pattern.count && !n->pattern.items[0].wild)
            compare_rule(n);
    }
}

/* Mostly there is none. */
bool evasion_may_be_renamed(const struct evasion *e, struct str program)
{
    if (program_is_spelled_plainly(program) && !rulebook_may_name_other(e->f->book, program.s[0]))
        return false;
    return rulebook_may_name_one(e->f->book, program_other_names(program));
}

void evasion_names(struct evasion *e, const struct shell_word *words, size_t count)
{
    struct arena *a = e->f->arena;

    struct renaming n = {.e = e, .words = words, .count = count};
    struct strs names = program_rule_names(a, words, count);
    struct subcommands found = {0};
    bool read = false;

    for (size_t i = 0; i < names.count; i++) {
        struct rule_places rules = rulebook_on_program(a, e->f->book, names.items[i]);
        if (!rules.count || evasion_is_spent(e, rules.count * sizeof(struct rule_word)))
            continue;
        compare_rules(&n, &rules);
        if (!read)
            program_subcommands(a, words, count, e->f->book->programs, &found);
        read = true;
        for (size_t s = 0; s < found.count * 2; s++) {
            struct renaming as = {.e = e};
            as.count = subcommand_words(a, words, count, &found.items[s / 2], s % 2, &as.words);
            compare_rules(&as, &rules);
        }
    }
}
