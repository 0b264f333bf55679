/* walk.c - walks the tree and keeps the state that the shell has at each point. */
#include "shell/walk.h"

void walk_fail(struct walk *w, size_t at, const char *why)
{
    if (w->failed)
        return; /* the first reason is the one to act on */
    w->failed = true;
    w->out->why = str_from(why);
    w->out->why_at = span_at(w, at);
}

/* What runs in a process of its own: its changes do not come back. */
RARE static void walk_forked(struct walk *w, const struct node *n)
{
    struct env before = w->env;
    const struct given_up outer = walk_begin_lines(w);

    w->env.forks++;
    walk_node(w, n);
    w->env = before;
    walk_end_lines(w, &outer);
}

/* Whatever fails in there, set -e does not end the shell. */
static void walk_leniently(struct walk *w, const struct node *n)
{
    w->frame.lenient++;
    walk_node(w, n);
    w->frame.lenient--;
}

void walk_substitution(struct walk *w, const struct node *body)
{
    struct env before = w->env;

    w->output = (struct output){0};
    if (!body)
        return;
    struct walk_frame outer = walk_enter(w);
    const struct given_up lines = walk_begin_lines(w);
    unsigned beside = w->seen.beside;
    w->frame.substitution = true;
    w->env.forks++;
    walk_leniently(w, body);
    const struct node *only = body->kids.count == 1 ? body->kids.items[0] : NULL;
    if (only && only->kind == NODE_PIPELINE && only->kids.count > 1)
        w->output = (struct output){.lines = w->output.lines};
    else if (!only || only->kind != NODE_SIMPLE)
        w->output = (struct output){0};
    if (w->seen.beside != beside)
        w->output = (struct output){0};
    walk_leave(w, &outer);
    w->env = before;
    walk_end_lines(w, &lines);
}

/* Is it sure that nothing after the command runs? `return` outside of a function only complains,
 * and so does `break` outside of a loop or in a process that a loop starts. */
static bool has_way_out(struct walk *w, struct str name)
{
    if (env_function(&w->env, name))
        return false;
    if (str_is(name, "exit"))
        return true;
    if (str_is(name, "return"))
        return w->frame.calls && w->frame.calls->forks == w->env.forks;
    return (str_is(name, "break") || str_is(name, "continue")) && w->frame.loops &&
           w->frame.loops->forks == w->env.forks;
}

static bool leaves(struct walk *w, const struct node *n)
{
    struct str name, value = STR("0");

    if (n->join == JOIN_BACKGROUND || n->redirects.count)
        return false; /* if a redirection fails, the shell goes on */
    if (n->kind == NODE_GROUP && n->kids.count && n->kids.items[0]->kids.count)
        return leaves(w, n->kids.items[0]->kids.items[n->kids.items[0]->kids.count - 1]);
    if (n->kind != NODE_SIMPLE || !n->words.count || n->words.count > 2 ||
        !word_plain(w->arena, &n->words.items[0], &name) || !has_way_out(w, name))
        return false;
    if (n->words.count > 1 && !str_is(name, "exit") && !str_is(name, "return"))
        return word_static(w->arena, &n->words.items[1], &value) && text_is_number(value);
    return true;
}

/* A list of && and ||, as far as it was walked. */
struct and_or {
    const struct env *first;      /* after the first command, the only one that always runs */
    const struct env *states;     /* after each of them so far, merged */
    bool certain;                 /* and all that were walked have run */
    int before_all, after;        /* as in env: before the list, and for the next command */
    struct shell_directory start; /* before the first command */
    struct shell_directory prior; /* before the last command so far */
    const struct pushed *start_pushed;
    const struct pushed *pushed; /* before the last command so far */
    int moves;                   /* commands that have changed the directory */
    bool unclear; /* one of them may have moved the shell and failed, or succeeded without */
};

static bool is_simple(const struct node *n)
{
    if (n->kind == NODE_PIPELINE && n->kids.count == 1 && !n->negated)
        return is_simple(n->kids.items[0]);
    return n->kind == NODE_SIMPLE;
}

/* A command that has moved the shell if and only if it succeeds. That of { cd x; true; } or of a
 * function may succeed without, or fail afterwards. */
static bool is_move(const struct walk *w, const struct node *n)
{
    struct str name;
    size_t i = 0;

    while (n->kind == NODE_PIPELINE)
        n = n->kids.items[0];
    for (; i < n->words.count; i++) {
        if (!word_static(w->arena, &n->words.items[i], &name) || env_function(&w->env, name))
            return false;
        if (!name_precedes_command(name))
            return name_moves(name);
    }
    return false;
}

static bool has_moved(const struct env *e, const struct shell_directory *from,
                      const struct pushed *pushed)
{
    return e->pushed != pushed || !place_eq(e->directory.here, from->here) ||
           !place_eq(e->directory.other, from->other);
}

/* All commands so far have succeeded. */
static void succeed(struct walk *w, const struct and_or *so_far)
{
    const struct pushed *top = w->env.pushed;

    if (so_far->unclear)
        return;
    directory_succeed(&w->env.directory, &so_far->start);
    if (top && top != &pushed_unknown && !top->proved && top != so_far->pushed &&
        top->before == so_far->pushed) {
        struct pushed *sure = ARENA_NEW(w->arena, struct pushed);
        *sure = *top;
        sure->proved = true;
        w->env.pushed = sure;
    }
}

/* The directory of a command after ||. The command before that has failed, or an earlier one has,
 * and && has skipped what is between. */
static void directory_after_or(struct shell_directory *d, const struct and_or *so_far)
{
    if (so_far->moves > 1 || so_far->unclear) {
        directory_forget(d); /* three places or more */
        return;
    }
    if (place_eq(so_far->prior.here, d->here)) {
        d->skipped |= !place_eq(d->here, so_far->first->directory.here);
    } else {
        d->here = so_far->prior.here;
        d->other = so_far->prior.other;
        d->skipped |= so_far->prior.skipped;
    }
    directory_add(d, &so_far->start);
}

static bool has_changed(const struct env *e, const struct env *then)
{
    return e->vars != then->vars || e->functions != then->functions ||
           e->args.known != then->args.known || !arguments_are_same(&e->args, &then->args);
}

/* Any command before || may have failed, and those between have not run: x && v=b || echo $v. Where
 * the shell is then, directory_after_or() says. */
static void merge_skipped(struct walk *w, const struct and_or *so_far)
{
    const struct env now = w->env;

    if (!has_changed(&now, so_far->states))
        return;
    env_merge(w, so_far->states);
    w->env.directory = now.directory;
    w->env.pushed = now.pushed;
}

RARE static void walk_or(struct walk *w, const struct node *kid, const struct and_or *so_far)
{
    struct env passed = w->env;

    merge_skipped(w, so_far);
    directory_after_or(&w->env.directory, so_far);
    if (w->env.pushed != so_far->start_pushed)
        w->env.pushed = &pushed_unknown;
    walk_node(w, kid);
    if (leaves(w, kid)) {
        w->env = passed;
        succeed(w, so_far); /* cd x || exit */
        return;
    }
    struct env failed = w->env;
    w->env = passed;
    env_join(w, &passed, &failed);
}

/* Proved there or not. */
static bool is_same_pushd(const struct pushed *a, const struct pushed *b)
{
    return a && b && a->before == b->before && place_eq(a->left, b->left) &&
           place_eq(a->entered, b->entered);
}

/* After the last command, when some may not have run. */
static void join_moves(struct shell_directory *d, const struct shell_directory *end,
                       const struct and_or *all)
{
    d->here = all->moves > 1 ? PLACE_IS_ANYWHERE : end->here;
    d->other = end->other;
    d->skipped |= !place_eq(end->here, all->first->directory.here);
    directory_add(d, &all->start);
}

/* The next command of the list; `join` is what is before it. */
static void walk_step(struct walk *w, const struct node *kid, enum node_join join,
                      struct and_or *so_far)
{
    struct shell_directory now = w->env.directory;

    if (join == JOIN_OR)
        so_far->after = so_far->before_all; /* the commands before || have not all succeeded */
    w->env.after = so_far->after;
    w->simple = -1;
    if (join == JOIN_OR) {
        walk_or(w, kid, so_far);
        so_far->certain &= leaves(w, kid);
        so_far->unclear |=
            !leaves(w, kid) && has_moved(&w->env, &so_far->start, so_far->start_pushed);
    } else {
        if (join == JOIN_AND)
            succeed(w, so_far);
        const struct shell_directory from = w->env.directory;
        so_far->pushed = w->env.pushed;
        walk_node(w, kid);
        so_far->unclear |=
            has_moved(&w->env, &from, so_far->pushed) && !(is_simple(kid) && is_move(w, kid));
        so_far->certain &= join == JOIN_NONE;
        if (is_simple(kid) && w->simple >= 0)
            so_far->after = w->simple;
    }
    so_far->moves += !place_eq(now.here, w->env.directory.here);
    so_far->prior = now;
}

/* a && b || c: which of them run depends on which of them fail. Each is walked in the state that
 * the shell has if it runs: after && all before it have succeeded, after || one of them has failed.
 * Only the first command is sure to run. So the state after the list is that after the first
 * command, joined with that after the last one. env_join() knows nothing of success and failure,
 * and would forget every directory; `cd x || exit` and `cd x && make` are too common for that, so
 * join_moves() does better. */
static void walk_and_or(struct walk *w, const struct node *n)
{
    struct env first;
    struct and_or so_far = {.first = &first,
                            .states = &first,
                            .certain = true,
                            .before_all = w->env.after,
                            .after = w->env.after,
                            .start = w->env.directory,
                            .start_pushed = w->env.pushed,
                            .prior = w->env.directory};

    w->frame.lenient += n->kids.count > 1;
    for (size_t i = 0; i < n->kids.count; i++) {
        walk_step(w, n->kids.items[i], i ? n->kids.items[i - 1]->join : JOIN_NONE, &so_far);
        if (i == 0)
            first = w->env;
        else if (has_changed(&w->env, so_far.states))
            env_leave(w, &so_far.states);
        w->frame.unsure++;
    }
    w->frame.unsure -= (unsigned)n->kids.count;
    w->frame.lenient -= n->kids.count > 1;
    if (!so_far.certain) {
        struct env end = w->env;
        w->env = first;
        env_join(w, &first, &end);
        if (is_same_pushd(first.pushed, end.pushed))
            w->env.pushed = first.pushed;
        join_moves(&w->env.directory, &end.directory, &so_far);
    }
    w->env.after = so_far.before_all;
}

/* The lines that command number `i` of a pipeline reads. */
static const struct lines *lines_into(struct walk *w, const struct node *n, size_t i)
{
    const struct lines *lines = w->output.lines;

    if (w->output.found) {
        struct lines *found = ARENA_NEW(w->arena, struct lines);
        *found = *known_lines(lines);
        found->found = w->output.like;
        lines = found;
    }
    if (n->kids.items[i - 1]->join == JOIN_PIPE_ERR ||
        (lines && (lines->count || lines->found.len) && node_drains_input(w, n->kids.items[i])))
        return NULL;
    return lines;
}

static void walk_pipeline(struct walk *w, const struct node *n)
{
    struct env before = w->env;

    w->frame.timed = n->timed;
    if (n->kids.count == 1) {
        w->frame.lenient += n->negated;
        walk_node(w, n->kids.items[0]);
        w->frame.lenient -= n->negated;
        if (n->negated) /* ! cd x */
            directory_forget_move(&w->env.directory, &before.directory);
        return;
    }
    struct walk_frame outer = walk_enter(w);
    const struct given_up lines = walk_begin_lines(w);
    w->frame.pipe = true;
    w->frame.pipeline = ++w->seen.pipelines;
    for (size_t i = 0; i < n->kids.count; i++) {
        w->env = before;
        w->env.forks++;
        if (i) {
            w->env.input =
                (struct input){.kind = w->output.known ? SHELL_INPUT_TEXT : SHELL_INPUT_UNKNOWN,
                               .text = w->output.text,
                               .lines = lines_into(w, n, i)};
        }
        w->output = (struct output){0};
        w->frame.piped = outer.piped || i + 1 < n->kids.count;
        walk_node(w, n->kids.items[i]);
        if (n->kids.items[i]->kind != NODE_SIMPLE)
            w->output = (struct output){0};
    }
    w->env = before;
    w->output = (struct output){.lines = w->output.lines};
    walk_leave(w, &outer);
    walk_end_lines(w, &lines);
}

static void walk_list(struct walk *w, const struct node *n)
{
    for (size_t i = 0; i < n->kids.count; i++) {
        const struct node *kid = n->kids.items[i];
        struct shell_place other = w->env.directory.other;
        bool background = w->frame.background,
             strict = w->env.errexit && !w->frame.lenient && is_simple(kid);
        if (kid->join == JOIN_BACKGROUND) {
            w->frame.background = true;
            walk_forked(w, kid);
        } else {
            walk_node(w, kid);
        }
        if (strict)
            w->env.directory.other = other; /* after a failed cd the shell has ended, unless that
                                               was before set -e */
        w->frame.background = background;
        if (kid->ends_line)
            env_next_line(w, n->whole);
    }
}

RARE static void walk_if(struct walk *w, const struct node *n)
{
    struct env joined = {0};

    for (size_t i = 0; i + 1 < n->kids.count; i += 2) {
        struct shell_directory start = w->env.directory;
        walk_leniently(w, n->kids.items[i]);
        struct env condition = w->env;
        walk_node(w, n->kids.items[i + 1]);
        directory_forget_move(&condition.directory, &start); /* if cd x: it may have failed */
        struct env branch = w->env;
        w->env = i ? joined : condition;
        if (i)
            env_join(w, &joined, &condition);
        bool left =
            n->kids.items[i + 1]->kids.count &&
            leaves(w, n->kids.items[i + 1]->kids.items[n->kids.items[i + 1]->kids.count - 1]);
        if (!left)
            env_join(w, &condition, &branch);
        joined = w->env;
    }
    if (n->kids.count % 2) {
        struct env before = w->env;
        walk_node(w, n->kids.items[n->kids.count - 1]);
        struct env branch = w->env;
        w->env = before;
        env_join(w, &before, &branch);
    }
}

/* One pass through the body of a loop. It is walked as if every pass began in the same state:
 * variables, directory and arguments are forgotten before (assigned.c); functions and IFS are not,
 * so they may not change. */
static void walk_pass(struct walk *w, const struct env *before, const struct node *n)
{
    struct loops loop = {.outer = w->frame.loops, .forks = w->env.forks};

    w->frame.loops = &loop;
    for (size_t i = 0; i < n->kids.count; i++)
        if (i + 1 < n->kids.count)
            walk_leniently(w, n->kids.items[i]); /* the condition */
        else
            walk_node(w, n->kids.items[i]);
    w->frame.loops = loop.outer;
    if (loop.left)
        env_merge(w, loop.left);
    if (w->env.functions != before->functions)
        walk_fail(w, n->at, "a function is defined in a loop");
    if (!ifs_eq(&w->env.ifs, &before->ifs))
        walk_fail(w, n->at, "IFS is changed in a loop");
}

/* One pass for all of them. */
static void walk_any_pass(struct walk *w, const struct env *before, const struct node *n)
{
    struct walk_frame outer = walk_enter(w);

    if (!w->frame.loop)
        w->frame.loop = ++w->seen.loops;
    walk_pass(w, before, n);
    walk_leave(w, &outer);
}

RARE static void walk_loop(struct walk *w, const struct node *n)
{
    env_forget_assigned(w, n);
    struct env before = w->env;

    walk_any_pass(w, &before, n);
    struct env after = w->env;
    w->env = before;
    env_join(w, &before, &after);
}

static void loop_values(struct walk *w, const struct node *n, struct shell_words *out, bool *sure)
{
    *sure = true;
    if (!n->has_in) {
        *out = w->env.args.words;
        *sure = w->env.args.known;
        return;
    }
    for (size_t i = 0; i < n->words.count; i++)
        eval_fields(w, &n->words.items[i], out);
    for (size_t i = 0; i < out->count; i++)
        *sure &= !out->items[i].may_split;
}

/* The name of a file that a pattern finds is like the pattern, with unknown parts in place of the
 * wildcards. */
static struct shell_value matched(struct walk *w, const struct shell_word *word)
{
    struct buf b = buf_in(w->arena);

    if (!word->may_glob)
        return (struct shell_value){.text = word->text, .known = word->known};
    if (str_contains(word->text, STR("//"))) /* of which one slash may be left */
        return (struct shell_value){0};
    for (size_t i = 0; i < word->text.len; i++) {
        char c = word->text.s[i];
        if (c == '[')
            return (struct shell_value){0};
        buf_byte(&b, c == '*' || c == '?' ? WORD_UNKNOWN : c);
    }
    return (struct shell_value){.text = buf_str(&b), .like = word->text};
}

/* for c in $(git log --format=%h): no word of a list is empty. */
static struct shell_value any_of(const struct shell_words *list, bool number)
{
    const struct shell_word *word = list->items;

    if (list->count != 1 || word->may_glob || word->text.len != 1)
        return (struct shell_value){.number = number, .filled = number};
    return (struct shell_value){.number = number || (word->shape & SHAPE_DIGITS),
                                .shape = word->shape,
                                .one = word->shape & SHAPE_ONE,
                                .filled = true};
}

RARE static void walk_for(struct walk *w, const struct node *n)
{
    struct shell_words values = {0};
    bool sure;

    w->output = (struct output){0};
    loop_values(w, n, &values, &sure);
    bool number = w->output.number && values.count == 1;
    shell_add_set(w, n->name, n->at, n->name.len);
    bool once = sure && n->kind == NODE_FOR && values.count == 1 && !values.items[0].may_glob;
    struct env entered = w->env;
    env_forget_assigned(w, n);
    struct env before = w->env;
    if (!n->kids.count)
        return;
    if (sure && n->kind == NODE_FOR && values.count * w->frame.unroll <= SHELL_UNROLL_MAX) {
        struct walk_frame outer = walk_enter(w);
        w->frame.unroll *= (unsigned)(values.count ? values.count : 1);
        for (size_t i = 0; i < values.count; i++) {
            w->env = once ? entered : before; /* a single pass has no earlier one that could have
                                                 changed anything */
            struct shell_value value = matched(w, &values.items[i]);
            value.own = true;
            env_bind(w, n->name, value);
            if (values.items[i].may_glob)
                walk_any_pass(w, &before, n);
            else
                walk_pass(w, &before, n);
        }
        walk_leave(w, &outer);
    } else {
        struct shell_value value = any_of(&values, number);
        value.own = true;
        env_bind(w, n->name, value);
        walk_any_pass(w, &before, n);
    }
    struct env after = w->env;
    w->env = before;
    env_join(w, &before, &after);
    env_forget(w, n->name);
}

static void walk_words(struct walk *w, const struct words *words)
{
    for (size_t i = 0; i < words->count; i++)
        eval_value(w, &words->items[i], 0);
}

/* bash expands patterns only until one matches: what they set may not have been set. */
static void walk_patterns(struct walk *w, const struct words *patterns)
{
    const struct variables unread = env_variables(w);

    walk_words(w, patterns);
    env_may_be_unread(w, &unread);
}

RARE static void walk_case(struct walk *w, const struct node *n)
{
    walk_words(w, &n->words);
    struct env before = w->env, joined = before;

    for (size_t i = 0; i < n->clauses.count; i++) {
        const struct clause *clause = &n->clauses.items[i];
        walk_patterns(w, &clause->patterns);
        struct env entered = w->env;
        if (clause->body)
            walk_node(w, clause->body);
        struct env branch = w->env;
        w->env = joined;
        env_join(w, &before, &branch);
        joined = w->env;
        w->env = entered;
        if (!str_is(clause->end, ";;"))
            env_join(w, &before, &branch); /* the next one may go on from there */
    }
    struct env none = w->env;
    w->env = joined;
    env_join(w, &before, &none);
}

static bool is_arithmetic_test(struct walk *w, const struct node *n)
{
    static const char *const operators[] = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v"};
    struct str text;

    for (size_t i = 0; i < n->words.count; i++)
        for (size_t k = 0; word_plain(w->arena, &n->words.items[i], &text) && k < COUNT(operators);
             k++)
            if (str_is(text, operators[k]))
                return true;
    return false;
}

/* Is the word at this place a text of the list, separated by blanks? */
static bool is_text_of(struct walk *w, const struct node *n, size_t at, const char *list)
{
    struct str text;

    return at < n->words.count && word_plain(w->arena, &n->words.items[at], &text) &&
           str_has_word(str_from(list), text);
}

/* Does [[ ]] only ask whether the word is empty: -n $x, -z $x, $x == "", "x$x" == x? */
static bool asks_for_emptiness(struct walk *w, const struct node *n, size_t at,
                               const struct shell_word *word)
{
    const char *equal = "= == !=";
    size_t other = is_text_of(w, n, at + 1, equal)              ? at + 2
                   : at >= 2 && is_text_of(w, n, at - 1, equal) ? at - 2
                                                                : n->words.count;

    if (at > 0 && is_text_of(w, n, at - 1, "-n -z"))
        return true;
    if (other >= n->words.count)
        return false;
    struct shell_word wanted = eval_value(w, &n->words.items[other], 0);
    return test_is_for_emptiness(w->arena, word, &wanted);
}

/* An operand that holds a secret: which answer the test gives depends on what it is. */
static void test_operand(struct walk *w, const struct node *n, size_t at)
{
    bool before = w->secret;

    w->secret = w->cut = false;
    struct shell_word word = eval_value(w, &n->words.items[at], 0);
    bool tells = w->secret && (w->cut || !asks_for_emptiness(w, n, at, &word));
    w->tested |= w->secret;
    w->secret = before || tells || (w->secret && w->traces);
    w->cut = tells;
}

/* [[ ]]: operands of -eq and similar operators are arithmetic, and so is a subscript after -v. */
RARE static void walk_cond(struct walk *w, const struct node *n)
{
    bool arithmetic = is_arithmetic_test(w, n);
    const struct variables unread = env_variables(w);

    for (size_t i = 0; i < n->words.count; i++) {
        const struct word *word = &n->words.items[i];
        if (!arithmetic) {
            test_operand(w, n, i);
            continue;
        }
        /* a bare word is a name whose value is evaluated, as in $(( )) */
        arith_value(w, &word->parts, word->at);
        for (size_t j = 0; j < word->parts.count; j++) {
            struct str text = word->parts.items[j].text;
            if (word->parts.items[j].kind == PART_TEXT &&
                (str_has(text, '[') || str_has(text, '`') || str_has(text, '$')))
                walk_fail(w, word->at, "arithmetic on a value that may hold more than a number");
        }
    }
    env_may_be_unread(w, &unread); /* after && and || */
}

/* Of the three expressions of a loop only the first is sure to be evaluated. */
RARE static void walk_arith(struct walk *w, const struct node *n)
{
    for (size_t i = 0; i < n->words.count; i++)
        for (size_t j = 0; j < n->words.items[i].parts.count; j++)
            (i ? (void)arith_value(w, n->words.items[i].parts.items[j].inner, n->at)
               : arith_run(w, n->words.items[i].parts.items[j].inner, n->at));
}

RARE static void walk_coproc(struct walk *w, const struct node *n)
{
    struct walk_frame outer = walk_enter(w);

    /* bash prints what is in $( ) and reads it again: $(coproc ls) becomes `coproc COPROC ls`, and
     * that runs COPROC */
    if (w->frame.substitution && !n->name.len)
        walk_fail(w, n->at, "a coprocess without a name in a substitution");
    w->frame.background = true;
    for (size_t i = 0; i < n->kids.count; i++)
        walk_forked(w, n->kids.items[i]);
    walk_leave(w, &outer);
    if (n->name.len)
        shell_add_set(w, n->name, n->at, n->len);
    env_forget(w, n->name.len ? n->name : STR("COPROC"));
}

/* Functions that bash or zsh call by themselves: when a program is not found, after cd, at a
 * signal. */
static bool is_hook(struct str name)
{
    return str_starts(name, STR("TRAP")) ||
           str_has_word(STR("chpwd command_not_found_handle command_not_found_handler "
                            "periodic precmd preexec zshaddhistory zshexit"),
                        name);
}

/* In a plain sh these builtins win over a function of the same name. */
static bool is_special(struct str name)
{
    return str_has_word(
        STR(". : break continue eval exec exit export readonly return set shift times trap unset"),
        name);
}

RARE static void walk_function(struct walk *w, const struct node *n)
{
    if (is_special(n->name))
        walk_fail(w, n->at, "a function with the name of a builtin, which wins");
    if (is_hook(n->name))
        walk_fail(w, n->at, "a function that the shell itself calls");
    if (n->kids.count)
        env_define(w, n->name, n->kids.items[0], true);
}

/* Commands that may run or not, or several times. */
RARE static void walk_unsure(struct walk *w, const struct node *n,
                             void (*walk)(struct walk *, const struct node *))
{
    w->frame.unsure++;
    walk(w, n);
    w->frame.unsure--;
}

static void dispatch(struct walk *w, const struct node *n)
{
    switch (n->kind) {
    case NODE_SIMPLE:
        walk_simple(w, n);
        break;
    case NODE_LIST:
    case NODE_GROUP:
        walk_list(w, n);
        break;
    case NODE_AND_OR:
        walk_and_or(w, n);
        break;
    case NODE_PIPELINE:
        walk_pipeline(w, n);
        break;
    case NODE_SUBSHELL: {
        struct env before = w->env;
        const struct given_up outer = walk_begin_lines(w);
        w->env.forks++;
        walk_list(w, n);
        w->env = before;
        walk_end_lines(w, &outer);
        break;
    }
    case NODE_IF:
        walk_unsure(w, n, walk_if);
        break;
    case NODE_WHILE:
    case NODE_UNTIL:
        walk_unsure(w, n, walk_loop);
        break;
    case NODE_FOR_ARITH:
        env_forget_assigned(w, n);
        walk_arith(w, n);
        walk_unsure(w, n, walk_loop);
        break;
    case NODE_FOR:
    case NODE_SELECT:
        walk_unsure(w, n, walk_for);
        break;
    case NODE_CASE:
        walk_unsure(w, n, walk_case);
        break;
    case NODE_FUNCTION:
        walk_function(w, n);
        break;
    case NODE_COPROC:
        walk_coproc(w, n);
        break;
    case NODE_COND:
        walk_cond(w, n);
        break;
    case NODE_ARITH:
        walk_arith(w, n);
        break;
    }
}

/* Commands that share an input each take a part of it: { read x; bash; } <<E */
static void share_input(struct walk *w)
{
    if (w->env.input.kind == SHELL_INPUT_TEXT)
        w->env.input.kind = SHELL_INPUT_UNKNOWN;
}

RARE static void walk_redirected(struct walk *w, const struct node *n)
{
    struct env before = w->env;

    walk_redirects(w, n);
    share_input(w);
    dispatch(w, n);
    if (redirects_may_fail(w, n))
        env_doubt(w, &before);
}

void walk_node(struct walk *w, const struct node *n)
{
    struct input input = w->env.input;

    if (!walk_spend(w, 1, n->at))
        return;
    if (!w->left.nodes) {
        walk_fail(w, n->at, "commands are nested too deeply");
        return;
    }
    w->left.nodes--;
    if (n->kind == NODE_SIMPLE) {
        walk_simple(w, n);
    } else if (n->redirects.count) {
        walk_redirected(w, n);
    } else {
        share_input(w);
        dispatch(w, n);
    }
    w->left.nodes++;
    w->env.input = input;
}

/* bash still waits for the rest of such a line when it reads on after eval, and then [[ is no
 * reserved word: [[ x || y ]] runs y. */
static bool ends_with_backslash(struct str text)
{
    size_t count = 0;

    if (str_ends(text, STR("\n")))
        text.len--;
    while (count < text.len && text.s[text.len - 1 - count] == '\\')
        count++;
    return count % 2;
}

/* A text that will be run as commands: parsed again, walked in the same state. */
void walk_text(struct walk *w, struct str text, int parent, size_t at, size_t len)
{
    struct tree tree;

    if (!w->left.texts) {
        walk_fail(w, at, "commands are nested too deeply");
        return;
    }
    if (!walk_spend(w, text.len / SHELL_STEP_BYTES, at))
        return;
    struct walk_frame outer = walk_enter(w);
    w->left.texts--;
    w->frame.inner_at = span_at(w, at);
    w->frame.inner_len = span_len(w, len);
    w->frame.inner = true;
    w->frame.parent = parent;
    w->env.input.lines =
        NULL; /* whether other commands in it read some of the input is not checked */
    shell_parse(w->arena, text, &tree);
    if (tree.why)
        walk_fail(w, at, tree.why);
    if (ends_with_backslash(text))
        walk_fail(w, at, "a text inside the text that ends with a backslash");
    if (tree.bash_only && w->frame.plain_sh)
        walk_fail(w, at, "a text for sh that not every sh reads the same way");
    findings_in_tree(w, &tree, text);
    const struct given_up lines = walk_begin_lines(w);
    if (tree.root)
        walk_node(w, tree.root);
    env_next_line(w, true); /* eval, too, goes on after a line that is given up */
    walk_end_lines(w, &lines);
    w->output =
        (struct output){0}; /* the last of its commands may not be the only one that prints */
    w->left.texts++;
    walk_leave(w, &outer);
}

void walk_in_shell(struct walk *w, struct str text, bool plain_sh, int parent, size_t at,
                   size_t len)
{
    struct walk_frame outer = walk_enter(w);

    w->frame.calls = NULL;
    w->frame.loops = NULL;
    w->frame.plain_sh = plain_sh;
    walk_text(w, text, parent, at, len);
    walk_leave(w, &outer);
}
