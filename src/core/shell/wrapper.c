/* wrapper.c - programs that run the command or the shell text in their arguments.
 *
 * There is no list of wrappers here: a wrapper is a row of programs/, shipped or from a policy
 * file, with a command (role I) or a text (role S) among its operands. The row says where the
 * command begins and what else is special about it. */
#include "base/ascii.h"
#include "programs/programs.h"
#include "shell/walk.h"

/* ---- what the row says ---- */

static bool all_known(const struct shell_words *argv)
{
    for (size_t i = 0; i < argv->count; i++)
        if (!argv->items[i].known || argv->items[i].may_glob || argv->items[i].may_split ||
            argv->items[i].shape)
            return false;
    return true;
}

/* Where an inner command begins does not depend on what may be guessed. */
static const struct shell_word *without_shapes(struct walk *w, const struct shell_words *argv)
{
    struct shell_word *words = arena_room(w->arena, argv->count, sizeof(*words));

    for (size_t i = 0; i < argv->count; i++) {
        words[i] = argv->items[i];
        words[i].shape = 0;
    }
    return words;
}

static const struct program_use *explain(struct walk *w, const struct shell_words *argv)
{
    struct program_use *use = ARENA_NEW(w->arena, struct program_use);

    program_explain(w->arena, all_known(argv) ? argv->items : without_shapes(w, argv), argv->count,
                    w->context->programs, use);
    return use;
}

static bool may_wrap(struct walk *w, const struct shell_words *argv)
{
    struct str name = command_name(w, argv->items[0].text);

    return names_of(w, name)->rows[NAMED_WRAPPER] ||
           (walk_has_added(w) && program_added(w->context->programs, name));
}

/* NULL: it is no wrapper. The forms of an action and its inner command are made from one reading:
 * the last one is kept. */
static const struct program_use *read_wrapper(struct walk *w, const struct shell_words *argv)
{
    if (!argv->count || !argv->items[0].known || !may_wrap(w, argv))
        return NULL;
    if (w->cache.wrapper != argv->items || w->cache.wrapper_count != argv->count) {
        w->cache.wrapper_use = explain(w, argv);
        w->cache.wrapper = argv->items;
        w->cache.wrapper_count = argv->count;
    }
    return w->cache.wrapper_use->row ? w->cache.wrapper_use : NULL;
}

/* A word in front of the command that becomes two words moves the command by one. */
static bool may_shift(const struct shell_words *argv, const struct program_use *use)
{
    for (size_t i = 1; i < use->inner && i < argv->count; i++)
        if (argv->items[i].may_glob || argv->items[i].may_split)
            return true;
    return false;
}

/* Is it not certain where the command begins, or that it is all that is run? */
static bool is_doubtful(const struct shell_words *argv, const struct program_use *use)
{
    unsigned added = use->effects & ~use->row->effects;

    return ((use->effects & EFFECT_UNKNOWN) && !use->only_uncounted) || (added & EFFECT_CODE) ||
           use->shortened || use->inners > 1 || use->prints || may_shift(argv, use);
}

static bool is_variable(struct str s, struct str *name)
{
    struct str value;

    if (!str_cut(s, '=', name, &value) || !name->len || (name->s[0] >= '0' && name->s[0] <= '9'))
        return false;
    for (size_t i = 0; i < name->len; i++)
        if (!ascii_is_alnum(name->s[i]) && name->s[i] != '_')
            return false;
    return true;
}

/* No options, and no variable that could matter. */
static bool is_bare(const struct shell_words *argv, const struct program_use *use)
{
    for (size_t i = 1; i < use->inner; i++) {
        struct str s = argv->items[i].text, name;
        if (str_starts(s, STR("-")) && !str_is(s, "--"))
            return false;
        if (use->assigns && !str_is(s, "--") &&
            !(is_variable(s, &name) && variable_is_harmless(name) && argv->items[i].known))
            return false;
    }
    return true;
}

/* A shipped row that is transparent is so with the effects that it has. */
static bool is_transparent(const struct shell_words *argv, const struct program_use *use)
{
    const struct program_row *row = use->row;
    unsigned own = EFFECT_INNER | (row->strength == PROGRAM_SHIPPED ? row->effects : 0);

    if (!row->transparent || (use->effects & ~own) || use->paths.count || use->hosts.count)
        return false;
    if (str_has(argv->items[0].text, '/')) /* ./timeout may be any program */
        return false;
    return !row->only_bare || is_bare(argv, use);
}

size_t wrapper_inner(struct walk *w, const struct shell_words *argv, bool transparent_only)
{
    const struct program_use *use = read_wrapper(w, argv);

    if (!use || !use->inners || use->inner_text.s || is_doubtful(argv, use))
        return 0;
    return transparent_only && !is_transparent(argv, use) ? 0 : use->inner;
}

bool wrapper_is_doubtful(struct walk *w, const struct shell_words *argv)
{
    const struct program_use *use = read_wrapper(w, argv);

    return use && is_doubtful(argv, use);
}

/* ---- the inner command ---- */

struct wrapped {
    const struct program_use *use;
    const struct shell_words *argv;
    size_t at, len; /* in the text */
    int index;      /* the action of the wrapper */
};

static void run_text(struct walk *w, const struct wrapped *c)
{
    struct env before = w->env;

    env_new_shell(w);
    walk_in_shell(w, c->use->inner_text, true, c->index, c->at, c->len);
    w->env = before;
}

/* In xargs -I{} the mark may be anywhere in a word. */
static struct shell_word replaced(struct walk *w, const struct shell_word *word, struct str mark)
{
    struct buf b = buf_in(w->arena);
    struct shell_word out = *word;
    size_t i = 0;

    if (!mark.len || !str_contains(word->text, mark))
        return out;
    out.may_dash |= str_starts(word->text, mark);
    while (i < word->text.len) {
        if (str_starts(str_from_byte(word->text, i), mark)) {
            buf_byte(&b, WORD_UNKNOWN);
            i += mark.len;
        } else {
            buf_byte(&b, word->text.s[i++]);
        }
    }
    out.text = buf_str(&b);
    out.known = false;
    return out;
}

/* What find has found, when the wrapper adds exactly the lines of its input. */
static struct str found_lines(struct walk *w, const struct wrapped *c)
{
    const char *by_line = c->use->row->by_line;

    for (size_t i = 1; i < c->use->inner && by_line; i++)
        if (!text_is_number(c->argv->items[i].text) &&
            !str_has_word(str_from(by_line), c->argv->items[i].text))
            return (struct str){0};
    return by_line ? known_lines(w->env.input.lines)->found : (struct str){0};
}

static struct shell_words inner_words(struct walk *w, const struct wrapped *c, size_t from)
{
    struct str mark = c->use->mark, found = found_lines(w, c);
    struct shell_words inner = {0};

    for (size_t i = from; i < c->argv->count; i++) {
        struct shell_word word = replaced(w, &c->argv->items[i], mark);
        if (found.len && mark.len && str_eq(c->argv->items[i].text, mark)) {
            word.like = found;
            word.found = true;
            word.may_dash = false;
        }
        LIST_PUSH(w->arena, &inner, word);
    }
    if (c->use->row->appends && !mark.len)
        LIST_PUSH(w->arena, &inner,
                  (struct shell_word){.text = WORD_UNKNOWN_STR,
                                      .may_split = true,
                                      .may_dash = !found.len,
                                      .like = found,
                                      .found = found.len > 0,
                                      .at = span_at(w, c->at)});
    return inner;
}

/* The command that begins at this word. */
static void run_inner(struct walk *w, const struct wrapped *c, size_t from)
{
    const struct program_row *row = c->use->row;
    struct shell_words inner = inner_words(w, c, from);
    struct env before = w->env;

    if (row->appends) {
        w->env.input.kind = SHELL_INPUT_UNKNOWN;
        w->env.input.lines = NULL;
    }
    if (row->elsewhere || c->use->directory.len)
        directory_forget(&w->env.directory);
    w->env.functions = NULL; /* a program or a builtin, never a function */
    shell_run_command(w, inner, c->at, c->len, c->index);
    w->env.functions = before.functions;
    if (!row->keeps_state) {
        w->env = before;
        w->output.known = false; /* the wrapper need not be there, and then nothing is printed */
    }
    if (row->appends)
        w->output = (struct output){0};
}

static void add_variables(struct walk *w, const struct wrapped *c)
{
    size_t end = c->use->inner ? c->use->inner : c->argv->count;
    int parent = w->frame.parent;

    w->frame.parent = c->index;
    for (size_t i = 1; i < end; i++) {
        struct shell_word word = c->argv->items[i];
        struct str name;
        if (!is_variable(word.text, &name))
            continue;
        word.text = str_from_byte(word.text, name.len + 1);
        env_note_globs(w, name);
        shell_add_assign(w, name, word, false, c->at, c->len);
    }
    w->frame.parent = parent;
}

static bool may_be_command(const struct shell_word *w)
{
    return !w->known || (w->text.len && w->text.s[0] != '-');
}

/* A word that is not explained may be an option, or the command already: deny rules see both. */
static void run_readings(struct walk *w, const struct wrapped *c)
{
    size_t doubt = c->use->doubt, inner = c->use->inner;

    if (doubt && doubt <= inner && may_be_command(&c->argv->items[doubt])) {
        run_inner(w, c, doubt);
        inner = inner == doubt ? doubt + 1 : inner;
    }
    if (inner && inner < c->argv->count)
        run_inner(w, c, inner);
}

/* timeout --help, command -v x: nothing is run. With more words --help may be the inner command's.
 */
static bool is_query(const struct wrapped *c)
{
    const char *queries = c->use->row->queries;
    struct str first = c->argv->count > 1 ? c->argv->items[1].text : (struct str){0};

    if (queries)
        return str_has_word(str_from(queries), first);
    return c->argv->count == 2 && (str_is(first, "--help") || str_is(first, "--version"));
}

static void run_wrapper(struct walk *w, const struct wrapped *c)
{
    const struct program_use *use = c->use;
    /* a query that is not written like one */
    bool runs_none = use->row->queries && !use->inners && c->argv->count > 1;

    if (all_known(c->argv) && !use->input.len)
        w->out->actions.items[c->index].use = use;
    if (is_query(c))
        return;
    if (use->inner_text.s && (use->row->appends || !use->inner_known))
        walk_fail(w, c->at, "a text is run that is not known before run time");
    if (is_doubtful(c->argv, use) || runs_none)
        walk_fail(w, c->at, "a wrapper with an unknown option");
    if (use->assigns)
        add_variables(w, c);
    if (use->inner_text.s && use->inner_known && !use->row->appends)
        run_text(w, c);
    else
        run_readings(w, c);
}

/* uv run, poetry run, mise exec --: the command is a program of the project's environment or of the
 * system. Where it is started elsewhere, or in a way that the row does not explain, it is not
 * listed, and so it is not judged to be harmless. */
bool wrapper_run_launched(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                          int index)
{
    if (program_added(w->context->programs, command_name(w, argv->items[0].text)))
        return false;
    const struct program_use *use = explain(w, argv);
    if (all_known(argv) && !use->input.len)
        w->out->actions.items[index].use = use;
    if (!use->row || use->inners != 1 || use->inner_text.s || use->directory.len ||
        (use->effects & EFFECT_UNKNOWN))
        return true;
    run_inner(w, &(struct wrapped){use, argv, at, len, index}, use->inner);
    w->output = (struct output){0};
    return true;
}

/* ---- programs that run commands in ways of their own: functions, and no other facts ---- */

/* False: these words run none. */
static const struct runner {
    const char *name;
    bool (*run)(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index);
} runners[] = {
    {"ash", nested_run_shell},
    {"bash", nested_run_shell},
    {"bundle", wrapper_run_launched},
    {"busybox", nested_run_busybox},
    {"csh", nested_run_shell},
    {"dash", nested_run_shell},
    {"docker", remote_run_container},
    {"fd", nested_run_find},
    {"fdfind", nested_run_find},
    {"find", nested_run_find},
    {"fish", nested_run_shell},
    {"gfind", nested_run_find},
    {"ksh", nested_run_shell},
    {"ksh93", nested_run_shell},
    {"kubectl", remote_run_container},
    {"mise", wrapper_run_launched},
    {"mksh", nested_run_shell},
    {"mosh", remote_run_ssh},
    {"pipenv", wrapper_run_launched},
    {"podman", remote_run_container},
    {"poetry", wrapper_run_launched},
    {"rbash", nested_run_shell},
    {"runuser", nested_run_su},
    {"script", nested_run_su},
    {"sh", nested_run_shell},
    {"ssh", remote_run_ssh},
    {"su", nested_run_su},
    {"tcsh", nested_run_shell},
    {"toybox", nested_run_busybox},
    {"uv", wrapper_run_launched},
    {"yash", nested_run_shell},
    {"zsh", nested_run_shell},
};
const struct names runner_names = NAMES(runners, NAMED_RUNNER);

void wrapper_run(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index)
{
    const struct runner *runner =
        names_find(w, &runner_names, command_name(w, argv->items[0].text));
    const struct program_use *use;

    if (runner && runner->run(w, argv, at, len, index))
        return;
    if ((use = read_wrapper(w, argv)))
        run_wrapper(w, &(struct wrapped){use, argv, at, len, index});
}
