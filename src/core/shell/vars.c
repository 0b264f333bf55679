/* vars.c - the variables and functions of a shell. */
#include "shell/walk.h"

/* Longer ones exist only to make splitting slow. */
#define IFS_MAX 16

bool text_is_number(struct str s)
{
    size_t i = s.len && s.s[0] == '-';

    if (i == s.len || s.len > 18)
        return false;
    for (; i < s.len; i++)
        if (s.s[i] < '0' || s.s[i] > '9')
            return false;
    return true;
}

bool env_lookup(const struct env *e, struct str name, struct shell_value *out)
{
    bool hidden = false;

    for (const struct binding *b = e->vars; b; b = b->before) {
        hidden |= b->shell;
        if (b->shell || (b->name.len && !str_eq(b->name, name)))
            continue;
        *out = hidden ? (struct shell_value){0} : b->value;
        return true;
    }
    *out = (struct shell_value){0};
    return false;
}

bool env_assigned(const struct env *e, struct str name)
{
    for (const struct binding *b = e->vars; b && b->name.len; b = b->before)
        if (str_eq(b->name, name))
            return true;
    return false;
}

bool env_owns(const struct env *e, struct str name)
{
    struct shell_value v;

    return env_lookup(e, name, &v) && v.own;
}

static void push(struct walk *w, struct str name, struct shell_value v)
{
    unsigned count = w->env.vars ? w->env.vars->count : 0;
    struct binding *b;

    if (count >= SHELL_VARIABLES_MAX) {
        /* Too many to remember: forget everything, then count anew. */
        w->env.vars = NULL;
        w->env.all_constants = w->env.constants;
        name = (struct str){0};
        v = (struct shell_value){0};
        count = 0;
    }
    b = ARENA_NEW(w->arena, struct binding);
    *b = (struct binding){.before = w->env.vars, .name = name, .value = v, .count = count + 1};
    w->env.vars = b;
}

/* The shell itself sets these, or ignores assignments: FUNCNAME=ls leaves it empty, _ changes with
 * every command. */
static bool is_of_the_shell(struct str name)
{
    static const char *const names[] = {
        "_",       "FUNCNAME",     "GROUPS",        "DIRSTACK", "PIPESTATUS", "RANDOM",
        "SRANDOM", "SECONDS",      "LINENO",        "UID",      "EUID",       "PPID",
        "HISTCMD", "EPOCHSECONDS", "EPOCHREALTIME", "COPROC",   "REPLY",      "COLUMNS",
        "LINES",   "OPTARG",       "COPROC_PID"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_is(name, names[i]))
            return true;
    return str_starts(name, STR("BASH")) || str_starts(name, STR("COMP_"));
}

static bool is_constant(const struct env *e, struct str name)
{
    const struct binding *b = e->constants ? e->vars : NULL;

    while (b && !(b->constant && str_eq(b->name, name)))
        b = b->before;
    return b || e->all_constants;
}

/* From the start. */
static bool is_readonly(struct str name)
{
    return str_is(name, "UID") || str_is(name, "EUID") || str_is(name, "PPID") ||
           str_is(name, "BASHOPTS") || str_is(name, "SHELLOPTS") || str_is(name, "BASH_VERSINFO");
}

/* A character of several bytes separates words as a whole, or not at all, as the locale says. */
static bool is_ascii(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.s[i] > 0x7e)
            return false;
    return true;
}

void env_note_globs(struct walk *w, struct str name)
{
    w->seen.other_globs |= str_is(name, "GLOBIGNORE") || str_is(name, "BASHOPTS");
}

void env_bind(struct walk *w, struct str name, struct shell_value v)
{
    if (!name.len)
        return;
    if (is_of_the_shell(name))
        v = (struct shell_value){.number = v.number};
    if (is_constant(&w->env, name) || is_readonly(name))
        env_may_give_up(w);
    if (is_constant(&w->env, name))
        v = (struct shell_value){0};
    if (v.known && text_is_number(v.text))
        v.number = true;
    else if (w->seen.other_letters)
        v = (struct shell_value){.number = v.number, .own = v.own};
    w->seen.interrupted |= str_is(name, "BASH_XTRACEFD");
    if (str_is(name, "IFS"))
        w->env.ifs = (struct ifs){v.text, v.known && v.text.len <= IFS_MAX && is_ascii(v.text)};
    if (str_is(name, "DIRSTACK"))
        w->env.pushed = &pushed_unknown;
    env_note_globs(w, name);
    push(w, name, v);
}

/* Integers, for bash: what is put into one of them is evaluated. */
void env_check_integer(struct walk *w, struct str name, struct shell_value v, size_t at)
{
    static const char *const names[] = {"BASHPID", "HISTCMD", "OPTIND",
                                        "RANDOM",  "SECONDS", "SRANDOM"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (str_is(name, names[i]) && !v.number && !(v.known && !v.array && text_is_number(v.text)))
            walk_fail(w, at, "arithmetic on a value that may hold more than a number");
}

/* After this many, any variable may be one. */
#define ARRAYS_MAX 64

bool option_names_array(struct str option)
{
    return str_starts(option, STR("-")) && (str_has(option, 'a') || str_has(option, 'A'));
}

bool option_names_map(struct str option)
{
    return str_starts(option, STR("-")) && str_has(option, 'A');
}

bool option_names_letters(struct str option)
{
    return str_starts(option, STR("-")) &&
           (str_has(option, 'u') || str_has(option, 'l') || str_has(option, 'c'));
}

void walk_note_array(struct walk *w, struct str name)
{
    if (name.len && w->arrays.count < ARRAYS_MAX && !strs_has(&w->arrays, name))
        LIST_PUSH(w->arena, &w->arrays, name);
}

void walk_note_map(struct walk *w, struct str name)
{
    if (name.len && w->maps.count < ARRAYS_MAX && !strs_has(&w->maps, name))
        LIST_PUSH(w->arena, &w->maps, name);
}

bool walk_is_map(const struct walk *w, struct str name)
{
    return w->maps.count == ARRAYS_MAX || strs_has(&w->maps, name);
}

bool walk_is_array(const struct walk *w, struct str name)
{
    return w->arrays.count == ARRAYS_MAX || strs_has(&w->arrays, name) ||
           str_starts(name, STR("BASH")) ||
           str_has_word(STR("COMPREPLY COPROC DIRSTACK FUNCNAME GROUPS MAPFILE PIPESTATUS"), name);
}

bool format_counts_printed(struct str format)
{
    for (size_t i = 0; i < format.len; i++) {
        if (format.s[i] != '%')
            continue;
        for (i++; i < format.len && strchr("-+ #'*.0123456789hlqjztL", format.s[i]);)
            i++;
        if (i < format.len && format.s[i] == 'n')
            return true;
    }
    return false;
}

void env_forget(struct walk *w, struct str name)
{
    env_bind(w, name, (struct shell_value){.own = env_owns(&w->env, name)});
}

void env_forget_unnamed(struct walk *w)
{
    env_forget(w, STR("REPLY"));
    env_forget(w, STR("MAPFILE"));
    env_forget(w, STR("OPTARG"));
    env_bind(w, STR("OPTIND"), (struct shell_value){.number = true, .filled = true});
}

void env_freeze(struct walk *w, struct str name)
{
    struct shell_value v;

    if (!name_is_identifier(name))
        return; /* readonly "": bash complains, and nothing is bound */
    env_lookup(&w->env, name, &v);
    env_bind(w, name, v);
    w->env.constants = true;
    if (!str_eq(w->env.vars->name, name)) { /* too many to remember: it may be any of them */
        w->env.all_constants = true;
        return;
    }
    struct binding *b = ARENA_NEW(w->arena, struct binding);
    *b = *w->env.vars;
    b->constant = true;
    w->env.vars = b;
}

static bool is_surely_local(const struct env *e, struct str name)
{
    for (const struct sure_local *l = e->locals; l; l = l->before)
        if (str_eq(l->name, name))
            return true;
    return false;
}

static struct local *find_local(const struct calls *call, struct str name)
{
    for (size_t i = 0; i < call->locals.count; i++)
        if (str_eq(call->locals.items[i].name, name))
            return &call->locals.items[i];
    return NULL;
}

void env_local(struct walk *w, struct str name)
{
    struct local l = {.name = name}, *known;

    if (!w->frame.calls || w->frame.calls->locals.count > SHELL_LOCALS_MAX ||
        is_surely_local(&w->env, name))
        return;
    known = find_local(w->frame.calls, name);
    if (known) {
        known->outside = (struct shell_value){0}; /* it may have been set outside since */
    } else {
        env_lookup(&w->env, name, &l.outside);
        LIST_PUSH(w->arena, &w->frame.calls->locals, l);
    }
    struct sure_local *sure = ARENA_NEW(w->arena, struct sure_local);
    *sure = (struct sure_local){w->env.locals, name, w->env.locals ? w->env.locals->count + 1 : 1};
    w->env.locals = sure;
}

void env_global(struct walk *w, struct str name)
{
    for (struct calls *call = w->frame.calls; call; call = call->outer) {
        struct local *l = find_local(call, name);
        if (l)
            l->outside = (struct shell_value){0};
    }
    env_forget(w, name);
}

void env_end_locals(struct walk *w, const struct calls *call)
{
    if (call->locals.count > SHELL_LOCALS_MAX)
        env_forget_all(w);
    for (size_t i = 0; i < call->locals.count; i++) {
        const struct local *l = &call->locals.items[i];
        env_bind(w, l->name,
                 is_surely_local(&w->env, l->name) ? l->outside : (struct shell_value){0});
    }
}

void env_forget_all(struct walk *w)
{
    push(w, (struct str){0}, (struct shell_value){0});
}

static void hide_all(struct walk *w)
{
    struct binding *b = ARENA_NEW(w->arena, struct binding);

    *b = (struct binding){.before = w->env.vars, .count = w->env.vars->count + 1, .shell = true};
    w->env.vars = b;
}

/* It has the exported variables, which are not tracked here. HOME is one of them and keeps its
 * value. */
struct arguments arguments_from(const struct shell_words *argv, size_t from)
{
    struct arguments out = {.known = true};

    if (from < argv->count)
        out.words = (struct shell_words){.items = argv->items + from, .count = argv->count - from};
    for (size_t i = 0; i < argv->count; i++) /* one before them that is several moves them all */
        out.known &= !argv->items[i].may_split && !argv->items[i].may_glob;
    return out;
}

/* The same words of the text, not only equal ones. */
bool arguments_are_same(const struct arguments *a, const struct arguments *b)
{
    return a->words.items == b->words.items && a->words.count == b->words.count;
}

const struct pushed pushed_unknown;

void env_new_shell(struct walk *w)
{
    struct shell_value home;
    bool moved = env_lookup(&w->env, STR("HOME"), &home);

    if (w->env.vars)
        hide_all(w);
    if (moved)
        env_bind(w, STR("HOME"), home);
    w->env.constants = w->env.all_constants = false;
    w->env.forks++;
    w->env.functions = NULL;
    w->env.locals = NULL;
    w->env.pushed = NULL;
    w->env.errexit = false;
    w->env.ifs = (struct ifs){STR(" \t\n"), true};
    w->env.args = (struct arguments){.known = true};
}

/* A name in small letters is not from the environment, and other programs do not read it. */
bool variable_is_of_text(struct str name)
{
    if (str_ends(name, STR("_proxy")) || str_starts(name, STR("npm_")))
        return false;
    for (size_t i = 0; i < name.len; i++)
        if (name.s[i] >= 'A' && name.s[i] <= 'Z')
            return false;
    return name.len > 0;
}

static void join_functions(struct walk *w, const struct env *before, const struct env *branch)
{
    for (const struct function *f = branch->functions; f && f != before->functions; f = f->before)
        env_define(w, f->name, f->body, false);
}

void env_doubt(struct walk *w, const struct env *before)
{
    struct env now = w->env;

    if (!arguments_are_same(&now.args, &before->args))
        w->env.args.known = false;
    w->env.functions = before->functions;
    w->env.locals = before->locals;
    if (now.pushed != before->pushed)
        w->env.pushed = &pushed_unknown;
    directory_join(&w->env.directory, &before->directory);
    join_functions(w, before, &now);
    for (const struct binding *b = now.vars; b != before->vars; b = b->before) {
        if (!b || !b->name.len) {
            env_forget_all(w);
            return;
        }
        env_bind(w, b->name,
                 (struct shell_value){.own = env_owns(before, b->name) && env_owns(&now, b->name)});
    }
}

void env_join(struct walk *w, const struct env *before, const struct env *branch)
{
    for (const struct binding *b = branch->vars; b != before->vars; b = b->before) {
        if (!b) {
            env_forget_all(w); /* the branch forgot everything and began anew */
            break;
        }
        struct shell_value was,
            v = {.number = b->value.number && env_lookup(before, b->name, &was) && was.number};
        if (variable_is_of_text(b->name) && !env_lookup(before, b->name, &was)) {
            bool again = env_lookup(&w->env, b->name, &was); /* in this branch, or in another one */
            v.shape = again ? b->value.shape & was.shape
                            : b->value.shape; /* where it was not set, it is empty */
            v.one = b->value.one && (!again || was.one);
        }
        v.own = env_owns(before, b->name) && env_owns(branch, b->name);
        if (b->name.len)
            env_bind(w, b->name, v);
        else
            env_forget_all(w);
        if (b->constant)
            env_freeze(w, b->name);
    }
    w->env.all_constants |= branch->all_constants;
    join_functions(w, before, branch);
    env_merge_locals(w, branch);
    if (!ifs_eq(&branch->ifs, &before->ifs))
        w->env.ifs.known = false;
    w->env.errexit &= branch->errexit;
    if (w->env.pushed != branch->pushed)
        w->env.pushed = &pushed_unknown;
    directory_join(&w->env.directory, &branch->directory);
    if (!branch->args.known || !arguments_are_same(&w->env.args, &branch->args))
        w->env.args.known = false;
}

/* ---- lines that are given up ---- */

/* b=1; $((x)); b=2; $((y)); b=1: the line may end with either value, so each state counts, and not
 * only the first. */
void env_may_give_up(struct walk *w)
{
    struct given_up *g = &w->gave_up;

    if (w->merging)
        return;
    w->seen.errors++;
    if (g->states && g->vars == w->env.vars && g->functions == w->env.functions &&
        g->moves == w->seen.moves)
        return;
    g->vars = w->env.vars;
    g->functions = w->env.functions;
    g->moves = w->seen.moves;
    env_leave(w, &g->states);
}

/* bash gives up a compound command as a whole and goes on with the line after it. The lines inside
 * are treated in the same way, so that a text in braces is not judged more mildly; there, what was
 * given up stays so. */
void env_next_line(struct walk *w, bool whole)
{
    if (!w->gave_up.states)
        return;
    env_merge(w, w->gave_up.states);
    if (whole)
        w->gave_up = (struct given_up){0};
}

void env_leave_given_up(struct walk *w, const struct calls *call)
{
    const struct env now = w->env;

    if (!w->gave_up.states || !call->locals.count)
        return;
    struct env *left = ARENA_NEW(w->arena, struct env);
    w->env = *w->gave_up.states;
    w->merging = true;
    env_end_locals(w, call);
    w->merging = false;
    *left = w->env;
    w->gave_up.states = left;
    w->env = now;
}

void env_define(struct walk *w, struct str name, const struct node *body, bool sure)
{
    struct function *f = ARENA_NEW(w->arena, struct function);
    unsigned count = w->env.functions ? w->env.functions->count : 0;

    if (count >= SHELL_FUNCTIONS_MAX) {
        walk_fail(w, body->at, "too many functions");
        return;
    }
    *f = (struct function){w->env.functions, name, body, sure, count + 1};
    w->env.functions = f;
    struct function *all = ARENA_NEW(w->arena, struct function);
    *all = (struct function){w->defined, name, body, sure, w->defined ? w->defined->count + 1 : 1};
    w->defined = all;
}

const struct function *env_function(const struct env *e, struct str name)
{
    for (const struct function *f = e->functions; f; f = f->before)
        if (str_eq(f->name, name))
            return f;
    return NULL;
}

const struct function *env_function_before(const struct function *f)
{
    return env_function(&(struct env){.functions = f->before}, f->name);
}
