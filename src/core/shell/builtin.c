/* builtin.c - what the shell's own commands do to its state, and texts that they run. */
#include "shell/walk.h"

struct builtin_call {
    struct walk *w;
    const struct shell_words *argv;
    size_t at, len;
    int index;
};

static struct str arg(const struct builtin_call *c, size_t i)
{
    return i < c->argv->count ? c->argv->items[i].text : (struct str){0};
}

static bool all_known(const struct builtin_call *c, size_t from)
{
    for (size_t i = from; i < c->argv->count; i++)
        if (!c->argv->items[i].known)
            return false;
    return true;
}

/* Takes the last component away; the root stays. */
static size_t parent_end(const struct buf *b)
{
    size_t end = b->len;

    while (end > 0 && b->s[end - 1] != '/')
        end--;
    return end > 0 ? end - 1 : 0;
}

/* An absolute path without . and .. and double slashes, as `cd` computes it. */
static struct str clean_path(struct arena *a, struct str base, struct str path)
{
    struct buf b = buf_in(a);
    struct str rest = path;

    if (path.len && path.s[0] != '/')
        rest = str_format(a, "%.*s/%.*s", STR_ARG(base), STR_ARG(path));
    while (rest.len) {
        struct str piece, tail;
        str_cut(rest, '/', &piece, &tail);
        rest = tail;
        if (!piece.len || str_is(piece, "."))
            continue;
        if (str_is(piece, "..")) {
            b.len = parent_end(&b);
            continue;
        }
        buf_byte(&b, '/');
        buf_add(&b, piece);
    }
    if (!b.len)
        buf_byte(&b, '/');
    return buf_str(&b);
}

/* What the shell itself sets when it goes to another directory. */
static void after_move(struct walk *w)
{
    w->seen.moves++;
    env_forget(w, STR("OLDPWD"));
    struct shell_value v;
    if (env_lookup(&w->env, STR("PWD"), &v))
        env_forget(w, STR("PWD")); /* else it is where the shell is */
}

static void change_directory(struct walk *w, struct shell_place to)
{
    directory_enter(&w->env.directory, to);
    after_move(w);
}

/* a/../b: each of the directories in front of a .. has to be there, though the path that is left
 * does not name it. */
static bool goes_up_again(struct str path)
{
    bool named = false;
    struct str piece, rest = path;

    while (rest.len) {
        str_cut(rest, '/', &piece, &rest);
        if (named && str_is(piece, ".."))
            return true;
        named |= piece.len && !str_is(piece, ".") && !str_is(piece, "..");
    }
    return false;
}

static void enter_path(struct walk *w, struct str path, struct shell_place to)
{
    change_directory(w, to);
    w->env.directory.skipped |= goes_up_again(path);
}

/* cd "$(mktemp -d)": a directory that is new, and has no name yet. */
static void enter_fresh(struct walk *w, struct str parent)
{
    struct str path = str_format(w->arena, "%.*s/%c", STR_ARG(parent), WORD_UNKNOWN);

    directory_enter_fresh(&w->env.directory, place_at(path));
    after_move(w);
}

static struct shell_place cd_target(const struct builtin_call *c, size_t i)
{
    const struct env *e = &c->w->env;
    struct shell_value v;
    struct str path = arg(c, i);

    if (i >= c->argv->count && env_lookup(e, STR("HOME"), &v))
        return v.known && str_starts(v.text, STR("/"))
                   ? place_at(clean_path(c->w->arena, (struct str){0}, v.text))
                   : PLACE_IS_ANYWHERE;
    if (i >= c->argv->count)
        return place_at(c->w->context->home);
    if (!all_known(c, i) || i + 1 < c->argv->count || str_is(path, "-") || !path.len)
        return PLACE_IS_ANYWHERE;
    if (path.s[0] != '/' &&
        (!directory_has_one_place(&e->directory) || env_lookup(e, STR("CDPATH"), &v)))
        return PLACE_IS_ANYWHERE;
    return place_at(clean_path(c->w->arena, e->directory.here.path, path));
}

static void do_cd(const struct builtin_call *c)
{
    size_t i = 1;
    bool physical = false;

    while (i < c->argv->count && c->argv->items[i].known &&
           (str_is(arg(c, i), "-P") || str_is(arg(c, i), "-L")))
        physical |= str_is(arg(c, i++), "-P");
    if (str_is(arg(c, i), "--"))
        i++;
    const struct shell_word *word = i + 1 == c->argv->count ? &c->argv->items[i] : NULL;
    if (word && word->fresh && !word->may_split && str_is(word->text, WORD_UNKNOWN_TEXT)) {
        enter_fresh(c->w, word->like);
        return;
    }
    struct shell_place target = cd_target(c, i);
    directory_after_fresh(&c->w->env.directory,
                          str_starts(arg(c, i), STR("/")) && place_is_known(target));
    /* after a link ".." starts from where the link leads to */
    if (physical && str_contains(arg(c, i), STR("..")))
        target = PLACE_IS_ANYWHERE;
    struct shell_value home;
    bool goes_home = i >= c->argv->count && env_lookup(&c->w->env, STR("HOME"), &home);
    enter_path(c->w, goes_home ? home.text : arg(c, i), target);
}

static void do_pushd(const struct builtin_call *c)
{
    struct pushed *p = ARENA_NEW(c->w->arena, struct pushed);
    struct str path = arg(c, 1);

    *p = (struct pushed){.before = c->w->env.pushed, .left = c->w->env.directory.here};
    if (c->argv->count != 2 || (path.len && (path.s[0] == '+' || path.s[0] == '-'))) {
        change_directory(c->w, PLACE_IS_ANYWHERE);
        c->w->env.pushed = &pushed_unknown;
        return;
    }
    c->w->env.pushed = p;
    p->entered = cd_target(c, 1);
    enter_path(c->w, path, p->entered);
}

/* Does popd lead back to where that pushd was? If it has failed, the shell is still there, and popd
 * fails, too; but not if the shell has moved since, or if popd finds another entry. */
static bool leads_back(const struct shell_directory *d, const struct pushed *top)
{
    return top->proved ||
           (!top->before && place_is_known(d->here) && place_eq(d->here, top->entered) &&
            place_is_known(d->other) && place_eq(d->other, top->left));
}

static void do_popd(const struct builtin_call *c)
{
    const struct pushed *top = c->w->env.pushed;
    bool sure = top && c->argv->count == 1 && leads_back(&c->w->env.directory, top);

    change_directory(c->w, sure ? top->left : PLACE_IS_ANYWHERE);
    c->w->env.pushed = sure ? top->before : &pushed_unknown;
}

/* dirs -c empties the stack; other options only say how it is printed. */
static void do_dirs(const struct builtin_call *c)
{
    for (size_t i = 1; i < c->argv->count; i++)
        if (!c->argv->items[i].known || str_has(arg(c, i), 'c'))
            c->w->env.pushed = &pushed_unknown;
}

static void do_eval(const struct builtin_call *c)
{
    size_t from = str_is(arg(c, 1), "--") ? 2 : 1;

    if (!all_known(c, from))
        walk_fail(c->w, c->at, "eval of a text that is not known before run time");
    else if (from < c->argv->count)
        walk_text(c->w, words_join(c->w->arena, c->argv->items + from, c->argv->count - from),
                  c->index, c->at, c->len);
}

/* A trap that runs at the end of the shell, when there is nothing left to change. */
static bool is_exit(const struct shell_word *signal)
{
    struct str name = signal->text;

    if (name.len > 3 && str_eq_nocase(str_slice(name, 0, 3), STR("SIG")))
        name = str_from_byte(name, 3);
    return signal->known && (str_is(name, "0") || str_eq_nocase(name, STR("EXIT")));
}

/* Any other trap may run between two commands: DEBUG before each of them, and with set -T also in
 * substitutions, where its output becomes part of the value. */
static void interrupt(const struct builtin_call *c, const struct env *before, unsigned moves)
{
    const struct env *e = &c->w->env;

    c->w->seen.interrupted = true;
    if (e->vars != before->vars || e->functions != before->functions ||
        e->errexit != before->errexit || !ifs_eq(&e->ifs, &before->ifs) ||
        c->w->seen.moves != moves)
        walk_fail(c->w, c->at, "a trap that changes what the commands after it mean");
}

/* When a trap runs, nothing is known of the state. */
static void forget_state(struct walk *w)
{
    env_forget_all(w);
    w->env.directory.here = PLACE_IS_ANYWHERE;
    w->env.pushed = &pushed_unknown;
    w->env.args.known = w->env.ifs.known = false;
    w->env.forks++;
}

void builtin_run_traps(struct walk *w)
{
    for (size_t i = 0; i < w->traps.count; i++) {
        const struct trap t = w->traps.items[i];
        if (!w->defined || t.defined == w->defined->count)
            continue;
        forget_state(w);
        w->env.functions = w->defined;
        w->seen.unsure_functions = true;
        w->frame.plain_sh = t.plain_sh;
        w->frame.elsewhere = t.elsewhere;
        w->frame.late = true;
        walk_text(w, t.text, t.index, t.at, t.len);
    }
}

static void do_trap(const struct builtin_call *c)
{
    struct env before = c->w->env;
    bool ends = true;
    size_t from = str_is(arg(c, 1), "--") ? 2 : 1;
    struct str text = arg(c, from);

    if (c->argv->count < from + 2 || str_is(text, "-") || !text.len)
        return;
    if (!c->argv->items[from].known) {
        walk_fail(c->w, c->at, "a trap whose text is not known before run time");
        return;
    }
    LIST_PUSH(c->w->arena, &c->w->traps,
              (struct trap){.text = text,
                            .at = span_at(c->w, c->at),
                            .len = span_len(c->w, c->len),
                            .index = c->index,
                            .defined = c->w->defined ? c->w->defined->count : 0,
                            .plain_sh = c->w->frame.plain_sh,
                            .elsewhere = c->w->frame.elsewhere});
    forget_state(c->w);
    const struct env forgotten = c->w->env;
    unsigned moves = c->w->seen.moves;
    struct walk_frame outer = walk_enter(c->w);
    c->w->frame.late = true;
    walk_text(c->w, text, c->index, c->at, c->len);
    walk_leave(c->w, &outer);
    for (size_t i = from + 1; i < c->argv->count; i++)
        ends &= is_exit(&c->argv->items[i]);
    if (!ends)
        interrupt(c, &forgotten, moves);
    c->w->env = before;
}

/* The text that . and source read; false: it is not known, or comes from elsewhere. */
static bool sourced_text(const struct builtin_call *c, struct str *text)
{
    static const char *const inputs[] = {"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"};
    const struct shell_word *file = &c->argv->items[1];
    struct shell_value path;

    if (!file->known || str_starts(file->text, STR("-")) ||
        (!str_has(file->text, '/') && env_lookup(&c->w->env, STR("PATH"), &path))) {
        walk_fail(c->w, c->at, "commands are read from a file that is not known before run time");
        return false;
    }
    if (STR_IN(file->text, inputs) && c->w->env.input.kind == SHELL_INPUT_TEXT) {
        *text = c->w->env.input.text;
        return true;
    }
    if (str_starts(file->text, STR("/dev/")) || str_starts(file->text, STR("/proc/"))) {
        walk_fail(c->w, c->at, "a shell reads its commands from a device");
        return false;
    }
    return c->w->written && written_text(c->w, file, false, c->at, text);
}

/* The file runs in this shell, with the words after its name as its arguments if there are any. */
static void do_source(const struct builtin_call *c)
{
    struct str text;

    if (c->argv->count > 2)
        c->w->env.args = arguments_from(c->argv, 2);
    if (c->argv->count > 1 && sourced_text(c, &text))
        walk_text(c->w, text, c->index, c->at, c->len);
    env_forget_all(c->w);
    c->w->env.args.known = false; /* it may have set others */
    c->w->env.pushed = &pushed_unknown;
    c->w->seen.unsure_functions = true; /* the file may have functions of its own */
    c->w->seen.moves++;
}

static void set_args(const struct builtin_call *c, size_t from)
{
    c->w->seen.moves++;
    c->w->env.args = arguments_from(c->argv, from);
}

/* Options that do not change how a text is read or expanded, where cd leads, or what other programs
 * get to see. */
static void set_option(const struct builtin_call *c, struct str name, bool on)
{
    static const char *const plain[] = {"errexit", "nounset",   "pipefail", "xtrace",    "verbose",
                                        "noglob",  "noclobber", "errtrace", "functrace", "hashall",
                                        "monitor", "notify",    "noexec",   "ignoreeof", "nolog"};

    c->w->seen.nounset |= str_is(name, "nounset");
    if (str_is(name, "errexit"))
        c->w->env.errexit = on;
    else if (!STR_IN(name, plain))
        walk_fail(c->w, c->at, "set changes how commands are read");
}

/* Wherever the o is among the letters, the next word is the name of its option. With two of them it
 * is not clear which one the word belongs to. */
static void set_letters(const struct builtin_call *c, struct str word)
{
    size_t o = str_index(word, 'o');

    if (o != STR_NONE && str_has(str_from_byte(word, o + 1), 'o'))
        walk_fail(c->w, c->at, "set changes how commands are read");
    for (size_t i = 1; i < word.len; i++) {
        c->w->seen.nounset |= word.s[i] == 'u';
        if (word.s[i] == 'e')
            c->w->env.errexit = word.s[0] == '-';
        else if (!strchr("uxvfCbhmnETo", word.s[i]))
            walk_fail(c->w, c->at, "set changes how commands are read");
    }
}

static void do_set(const struct builtin_call *c)
{
    size_t i = 1;

    for (; i < c->argv->count; i++) {
        struct str text = arg(c, i);
        if (!c->argv->items[i].known) {
            walk_fail(c->w, c->at, "set with options that are not known before run time");
            return;
        }
        if (str_is(text, "--")) {
            set_args(c, i + 1);
            return;
        }
        if (str_is(text, "-")) { /* like --, but without words after it nothing changes */
            i++;
            break;
        }
        if (!text.len || (text.s[0] != '-' && text.s[0] != '+'))
            break; /* a lone + is an option without letters */
        set_letters(c, text);
        c->w->traces |= str_has(text, 'x') && text.s[0] == '-';
        if (str_has(text, 'o') && i + 1 < c->argv->count)
            set_option(c, arg(c, ++i), text.s[0] == '-');
        c->w->traces |= str_is(arg(c, i), "xtrace");
    }
    if (i < c->argv->count)
        set_args(c, i);
}

/* exit 1 2 only complains, and bash gives up nothing but the line. */
static void check_count(const struct builtin_call *c)
{
    bool many = c->argv->count > 2;

    for (size_t i = 1; i < c->argv->count; i++)
        many |= c->argv->items[i].may_split;
    if (many)
        env_may_give_up(c->w);
}

static void do_shift(const struct builtin_call *c)
{
    struct arguments *args = &c->w->env.args;
    size_t n = 1;

    check_count(c);
    c->w->seen.moves++;
    if (c->argv->count > 1)
        n = arg(c, 1).len == 1 && arg(c, 1).s[0] >= '0' && arg(c, 1).s[0] <= '9'
                ? (size_t)(arg(c, 1).s[0] - '0')
                : 1000;
    if (n > args->words.count) {
        args->known = n < 1000 && args->known;
        return;
    }
    args->words.items += n;
    args->words.count -= n;
}

static void do_return(const struct builtin_call *c)
{
    struct calls *call = c->w->frame.calls;

    check_count(c);
    if (call && call->forks == c->w->env.forks)
        env_leave(c->w, &call->left);
}

/* break, continue; with a number they leave more than the innermost loop. */
static void do_break(const struct builtin_call *c)
{
    check_count(c);
    if (c->argv->count > 1 && !text_is_number(arg(c, 1)))
        env_may_give_up(c->w);
    for (struct loops *l = c->w->frame.loops; l && l->forks == c->w->env.forks;
         l = c->argv->count > 1 ? l->outer : NULL)
        env_leave(c->w, &l->left);
}

/* Attributes of declare that change what an assignment means. */
static void declare_flags(const struct builtin_call *c, struct str flags)
{
    if (str_has(flags, 'n') || str_has(flags, 'i'))
        walk_fail(c->w, c->at, "a variable whose value is read as a name or as arithmetic");
}

/* export x=y, which was already expanded as an assignment; `next` is the first one that is not set
 * yet. */
static bool set_declared(const struct builtin_call *c, size_t word, size_t *next, bool map)
{
    const struct declarations *all = &c->w->declared;

    if (c->w->declared_for != c->argv->items || *next >= all->count ||
        all->items[*next].index != word)
        return false;
    const struct declared *d = &all->items[(*next)++];
    if (!str_is(arg(c, 0), "export") && !str_is(arg(c, 0), "readonly"))
        env_local(c->w, d->name);
    struct shell_value v = d->value;
    v.known &= !map;
    env_bind(c->w, d->name, v);
    return true;
}

/* export "x=y": an assignment that does not look like one to the parser. */
static void declare_value(const struct builtin_call *c, const struct shell_word *word,
                          size_t equals, bool array)
{
    struct str name = str_slice(word->text, 0, equals);
    bool append = str_ends(name, STR("+"));
    struct shell_word value = *word;

    name.len -= append;
    value.text = str_from_byte(word->text, equals + 1);
    shell_check_compound(c->w, array, name, value, c->at);
    env_check_integer(c->w, name, (struct shell_value){.text = value.text, .known = value.known},
                      c->at);
    shell_add_assign(c->w, name, value, true, c->at, c->len);
    if (!str_is(arg(c, 0), "export") && !str_is(arg(c, 0), "readonly"))
        env_local(c->w, name);
    env_bind(c->w, name,
             append ? (struct shell_value){0}
                    : (struct shell_value){.text = value.text, .known = word->known});
}

/* export -f f, declare -fx f, declare -f -x f; and readonly -f f, declare -fr f */
static void check_functions(const struct builtin_call *c)
{
    bool functions = false, out = str_is(arg(c, 0), "export"),
         constant = str_is(arg(c, 0), "readonly");

    for (size_t i = 1; i < c->argv->count; i++) {
        bool option = str_starts(arg(c, i), STR("-"));
        functions |= option && str_has(arg(c, i), 'f');
        out |= option && str_has(arg(c, i), 'x');
        constant |= option && str_has(arg(c, i), 'r');
    }
    if (functions && out)
        walk_fail(c->w, c->at, "a function is handed to other shells");
    if (functions && constant)
        walk_fail(c->w, c->at, "a function stays what it is, whatever is defined later");
}

/* local outside of a function fails, declare -f is about functions, and declare -p prints. */
static bool may_not_declare(const struct builtin_call *c)
{
    bool other = false;

    for (size_t i = 1; i < c->argv->count; i++)
        other |= str_starts(arg(c, i), STR("-")) &&
                 (str_has(arg(c, i), 'f') || str_has(arg(c, i), 'F') || str_has(arg(c, i), 'p'));
    return other || (str_is(arg(c, 0), "local") && !c->w->frame.calls);
}

/* declare TOKEN and readonly TOKEN keep the value from outside, unless they are local: true. */
static bool note_kept(const struct builtin_call *c, struct str name)
{
    bool local = c->w->frame.calls && !str_is(arg(c, 0), "readonly");

    for (size_t i = 1; i < c->argv->count; i++)
        local &= !(str_starts(arg(c, i), STR("-")) && str_has(arg(c, i), 'g'));
    c->w->secret |= !local && env_holds_secret(c->w, name);
    return local;
}

/* After the command: what is constant, what may not have been set at all, and what was set
 * elsewhere. */
static void end_declare(const struct builtin_call *c)
{
    bool constant = str_is(arg(c, 0), "readonly"), doubt = may_not_declare(c), global = false;

    for (size_t i = 1; i < c->argv->count; i++) {
        constant |= str_starts(arg(c, i), STR("-")) && str_has(arg(c, i), 'r');
        global |= str_starts(arg(c, i), STR("-")) && str_has(arg(c, i), 'g') && c->w->frame.calls;
        if (option_names_letters(arg(c, i))) {
            c->w->seen.other_letters = true;
            env_forget_all(c->w);
        }
    }
    for (size_t i = 1; i < c->argv->count && (constant || doubt || global); i++) {
        struct str name = str_slice(arg(c, i), 0, str_index(arg(c, i), '='));
        if (str_ends(name, STR("+")))
            name.len--;
        if (global)
            env_global(c->w, name);
        if (doubt)
            env_forget(c->w, name);
        if (constant) {
            (void)note_kept(c, name);
            env_freeze(c->w, name);
        }
    }
}

static void do_declare(const struct builtin_call *c)
{
    if (c->w->frame.plain_sh && (str_is(arg(c, 0), "declare") || str_is(arg(c, 0), "typeset")))
        walk_fail(c->w, c->at, "a plain sh has no such command");
    check_functions(c);
    bool array = false, map = false;
    size_t next = 0;
    for (size_t i = 1; i < c->argv->count; i++) {
        const struct shell_word *word = &c->argv->items[i];
        size_t equals = str_index(word->text, '=');
        array |= option_names_array(word->text);
        map |= option_names_map(word->text);
        if (array)
            walk_note_array(c->w, str_slice(word->text, 0, equals));
        if (map)
            walk_note_map(c->w, str_slice(word->text, 0, equals));
        if (str_has(str_slice(word->text, 0, equals), '['))
            walk_fail(c->w, c->at, "a variable is set whose name is not plain");
        if (word->text.len && word->text.s[0] == '-')
            declare_flags(c, word->text);
        else if (set_declared(c, i, &next, map))
            continue;
        else if (equals != STR_NONE && !word->may_split && equals &&
                 !str_has(str_slice(word->text, 0, equals), WORD_UNKNOWN))
            declare_value(c, word, equals, array);
        else if (word->may_split || str_has(str_slice(word->text, 0, equals), WORD_UNKNOWN))
            walk_fail(c->w, c->at, "a variable is set whose name is not known before run time");
        else if (!str_has(word->text, '=') && !str_is(arg(c, 0), "export") &&
                 !str_is(arg(c, 0), "readonly")) {
            const bool local = note_kept(c, word->text);
            env_local(c->w, word->text);
            env_bind(c->w, word->text, (struct shell_value){.own = local && !may_not_declare(c)});
            if (str_is(word->text, "PATH")) /* which is unset then */
                shell_add_set(c->w, word->text, c->at, c->len);
        }
    }
    end_declare(c);
}

/* Of all variables only PATH matters when it is unset: programs are then searched in the current
 * directory. What unset removes may be the local variable, and then the next assignment sets the
 * one outside. */
static void note_set(const struct builtin_call *c, struct str name)
{
    bool unset = str_is(arg(c, 0), "unset");

    if (!unset || str_is(name, "PATH"))
        shell_add_set(c->w, name, c->at, c->len);
    if (unset)
        env_global(c->w, name);
}

/* A name with a subscript is arithmetic: a[$(cmd)] runs cmd. */
static void forget_name(const struct builtin_call *c, const struct shell_word *word)
{
    if (!word->known || str_has(word->text, '['))
        walk_fail(c->w, c->at, "a variable is set whose name is not plain");
    env_check_integer(c->w, word->text, (struct shell_value){0}, c->at);
    note_set(c, word->text);
    env_forget(c->w, word->text);
}

/* The word after an option: its value, or a name nevertheless. */
static void forget_option(const struct builtin_call *c, struct str text)
{
    env_check_integer(c->w, text, (struct shell_value){0}, c->at);
    note_set(c, text);
    env_forget(c->w, text);
}

static void do_read(const struct builtin_call *c)
{
    bool array = str_is(arg(c, 0), "mapfile") || str_is(arg(c, 0), "readarray");

    for (size_t i = 1; i < c->argv->count; i++) {
        struct str text = arg(c, i);
        array |= option_names_array(text);
        if (array)
            walk_note_array(c->w, text);
        if (str_starts(text, STR("-C")))
            walk_fail(c->w, c->at, "a callback is run for what is read");
        if (text.len && text.s[0] == '-') {
            /* The value of the option, or a name nevertheless: read -t 5 x, but mapfile -t x and
             * read -dt x. */
            if (i + 1 < c->argv->count && strchr("pdntuiNOcC", text.s[text.len - 1])) {
                forget_option(c, arg(c, ++i));
            }
            continue;
        }
        forget_name(c, &c->argv->items[i]);
    }
    env_forget_unnamed(c->w);
}

/* read -r NAME..., of lines of which something is known */
static void read_line(const struct builtin_call *c)
{
    struct str found = known_lines(c->w->env.input.lines)->found;
    size_t first = str_is(arg(c, 1), "-r") ? 2 : 1,
           count = c->argv->count > first ? c->argv->count - first : 0;
    bool plain = all_known(c, 1) && str_is(arg(c, 0), "read");

    do_read(c);
    for (size_t i = 0; i < count; i++)
        plain &= arg(c, first + i).len && arg(c, first + i).s[0] != '-';
    if (!plain)
        return;
    if (found.len && count == 1)
        env_bind(c->w, arg(c, first), (struct shell_value){.like = found, .found = true});
    for (size_t i = 0; !found.len && i < count; i++)
        env_bind(c->w, arg(c, first + i), shape_of_name(c->w, i, count));
}

static void do_unset(const struct builtin_call *c)
{
    c->w->seen.unsure_functions = true;
    do_read(c);
}

static void do_let(const struct builtin_call *c)
{
    for (size_t i = 1; i < c->argv->count; i++) {
        struct str text = arg(c, i);
        struct part part = {.text = text};
        struct word_parts parts = {&part, 1, 1};
        if (!c->argv->items[i].known || str_has(text, '[') || str_has(text, '$') ||
            str_has(text, '`'))
            walk_fail(c->w, c->at, "arithmetic on a value that may hold more than a number");
        else
            arith_value(c->w, &parts, c->at);
    }
}

static void do_test(const struct builtin_call *c)
{
    for (size_t i = 1; i + 1 < c->argv->count; i++)
        if (str_is(arg(c, i), "-v") &&
            (!c->argv->items[i + 1].known || str_has(arg(c, i + 1), '[')))
            walk_fail(c->w, c->at, "a test of a variable whose name is not plain");
}

static void do_alias(const struct builtin_call *c)
{
    if (c->argv->count > 1)
        walk_fail(c->w, c->at, "a command gets another meaning");
}

static void do_shopt(const struct builtin_call *c)
{
    static const char *const plain[] = {"-s",
                                        "-u",
                                        "-q",
                                        "-p",
                                        "extglob",
                                        "nullglob",
                                        "globstar",
                                        "dotglob",
                                        "nocaseglob",
                                        "failglob",
                                        "inherit_errexit",
                                        "nocasematch",
                                        "globasciiranges",
                                        "cmdhist",
                                        "checkwinsize",
                                        "histappend"};

    for (size_t i = 1; i < c->argv->count; i++) {
        if (!c->argv->items[i].known || !STR_IN(arg(c, i), plain))
            walk_fail(c->w, c->at, "shopt changes how commands are read or run");
        c->w->seen.other_globs |= str_contains(arg(c, i), STR("glob"));
    }
}

static void put_output(struct walk *w, struct str text)
{
    w->output =
        (struct output){.known = true, .text = text, .number = text_is_number(str_trim(text))};
}

static void do_echo(const struct builtin_call *c)
{
    size_t from = 1;
    bool newline = true;
    struct str text;

    for (; from < c->argv->count; from++) {
        struct str s = arg(c, from);
        bool option = s.len > 1 && s.s[0] == '-';
        for (size_t i = 1; i < s.len; i++)
            option &= s.s[i] == 'n' || s.s[i] == 'e' || s.s[i] == 'E';
        if (!option)
            break;
        newline &= !str_has(s, 'n');
    }
    if (!all_known(c, 1))
        return;
    text = words_join(c->w->arena, c->argv->items + from, c->argv->count - from);
    if (str_has(text, '\\')) /* sh's echo reads escapes, bash's does not */
        return;
    put_output(c->w, newline ? str_join(c->w->arena, text, STR("\n")) : text);
}

/* \n and \t are the same for every printf; with any other escape the output is not known. */
static bool unescape(struct walk *w, struct str format, struct str *out)
{
    struct buf b = buf_in(w->arena);

    for (size_t i = 0; i < format.len; i++) {
        char c = format.s[i], next = i + 1 < format.len ? format.s[i + 1] : '\0';
        if (c == '%' || (c == '\\' && next != 'n' && next != 't'))
            return false;
        if (c == '\\')
            i++;
        buf_byte(&b, c != '\\' ? c : next == 'n' ? '\n' : '\t');
    }
    *out = buf_str(&b);
    return true;
}

/* %n sets the variable that a word names to the number of characters printed. */
static void count_printed(const struct builtin_call *c)
{
    size_t at = str_is(arg(c, 1), "--") ? 2 : 1;
    const struct shell_word *format = at < c->argv->count ? &c->argv->items[at] : NULL;

    if (!format || (format->known && !format_counts_printed(format->text)))
        return;
    for (size_t i = at + 1; i < c->argv->count; i++) {
        struct str name = arg(c, i);
        if (c->argv->items[i].known ? !name_is_identifier(name) : !format->known)
            continue;
        if (!c->argv->items[i].known)
            walk_fail(c->w, c->at, "a variable is set whose name is not known before run time");
        if (format->known || variable_is_dangerous(name))
            shell_add_set(c->w, name, c->at, c->len);
        env_forget(c->w, name);
    }
}

static void do_printf(const struct builtin_call *c)
{
    struct str format = arg(c, 1), text;

    if (str_is(format, "-v") && c->argv->count > 2) {
        forget_name(c, &c->argv->items[2]);
        return;
    }
    if (str_starts(format, STR("-v"))) {
        struct shell_word name = c->argv->items[1];
        name.text = str_from_byte(format, 2);
        forget_name(c, &name);
        return;
    }
    count_printed(c);
    if (!all_known(c, 1) || str_starts(format, STR("-"))) /* an option, or the end of them */
        return;
    if (c->argv->count == 2 && unescape(c->w, format, &text))
        put_output(c->w, text);
    else if (c->argv->count == 3 && str_is(format, "%s"))
        put_output(c->w, arg(c, 2));
    else if (c->argv->count == 3 && str_is(format, "%s\\n"))
        put_output(c->w, str_join(c->w->arena, arg(c, 2), STR("\n")));
}

/* wait -p x unsets x before it waits for anything. */
static void do_wait(const struct builtin_call *c)
{
    for (size_t i = 1; i < c->argv->count && arg(c, i).len && arg(c, i).s[0] == '-'; i++) {
        size_t p = str_index(arg(c, i), 'p');
        if (p == STR_NONE)
            continue;
        if (p + 1 < arg(c, i).len)
            forget_option(c, str_from_byte(arg(c, i), p + 1));
        else if (i + 1 < c->argv->count)
            forget_name(c, &c->argv->items[++i]);
    }
}

static void do_pwd(const struct builtin_call *c)
{
    struct str here = directory_sure_path(&c->w->env.directory);

    if (c->argv->count == 1 && here.len)
        put_output(c->w, here);
}

static void do_cat(const struct builtin_call *c)
{
    if (c->w->env.input.kind == SHELL_INPUT_TEXT &&
        (c->argv->count == 1 || (c->argv->count == 2 && str_is(arg(c, 1), "-"))))
        put_output(c->w, c->w->env.input.text);
}

static void do_number(const struct builtin_call *c)
{
    c->w->output = (struct output){.number = all_known(c, 1)};
}

/* seq 1 3: with an option it prints what its format says. */
static void do_seq(const struct builtin_call *c)
{
    bool plain = true;

    for (size_t i = 1; i < c->argv->count; i++)
        plain &= text_is_number(arg(c, i)) || str_is(arg(c, i), "-w");
    if (plain) {
        do_number(c);
        c->w->output.several = true;
    }
}

static void do_wc(const struct builtin_call *c)
{
    if (c->argv->count == 2 && str_is(arg(c, 1), "-l"))
        do_number(c);
}

static void do_date(const struct builtin_call *c)
{
    if (c->argv->count == 2 && str_is(arg(c, 1), "+%s"))
        do_number(c);
}

static void do_filter(const struct builtin_call *c)
{
    const struct lines *in = known_lines(c->w->env.input.lines);

    if (output_keeps_lines(c->argv) && in->found.len)
        c->w->output = (struct output){.found = true, .like = in->found};
}

/* mktemp makes a new file or directory where the template says, or in the directory for temporary
 * files unless this text chose another one. A template without enough X makes mktemp fail, and its
 * output is empty. */
static void do_mktemp(const struct builtin_call *c)
{
    struct str template = {0}, directory = STR("/tmp"), name;
    struct shell_value v;

    if (!all_known(c, 1) || env_lookup(&c->w->env, STR("TMPDIR"), &v))
        return;
    for (size_t i = 1; i < c->argv->count; i++) {
        struct str word = arg(c, i);
        if (str_is(word, "-d") || str_is(word, "--directory") || str_is(word, "-q") ||
            str_is(word, "--quiet"))
            continue;
        if (word.len == 0 || word.s[0] == '-' || template.len)
            return;
        template = word;
    }
    if (template.len) {
        size_t slash = str_last_index(template, '/');
        if (slash == STR_NONE || slash == 0 || template.s[0] != '/' ||
            str_contains(template, STR("/..")))
            return;
        directory = str_slice(template, 0, slash);
        name = str_from_byte(template, slash + 1);
        if (!str_contains(name, STR("XXXXXX")))
            return;
    }
    c->w->output = (struct output){.fresh = true, .like = directory};
}

/* Some of these are programs, not builtins. They are in the table only because their output is
 * known; they run as any other program. */
static const struct builtin {
    const char *name;
    void (*run)(const struct builtin_call *);
} builtins[] = {
    {".", do_source},        {"[", do_test},           {"alias", do_alias},    {"bind", do_alias},
    {"break", do_break},     {"cat", do_cat},          {"cd", do_cd},          {"chdir", do_cd},
    {"compgen", do_alias},   {"complete", do_alias},   {"continue", do_break}, {"date", do_date},
    {"declare", do_declare}, {"dirs", do_dirs},        {"echo", do_echo},      {"enable", do_alias},
    {"eval", do_eval},       {"exit", check_count},    {"export", do_declare}, {"getopts", do_read},
    {"grep", do_filter},     {"hash", do_alias},       {"head", do_filter},    {"let", do_let},
    {"local", do_declare},   {"mapfile", do_read},     {"mktemp", do_mktemp},  {"popd", do_popd},
    {"printf", do_printf},   {"pushd", do_pushd},      {"pwd", do_pwd},        {"read", read_line},
    {"readarray", do_read},  {"readonly", do_declare}, {"return", do_return},  {"seq", do_seq},
    {"set", do_set},         {"shift", do_shift},      {"shopt", do_shopt},    {"sort", do_filter},
    {"source", do_source},   {"tail", do_filter},      {"test", do_test},      {"trap", do_trap},
    {"typeset", do_declare}, {"uniq", do_filter},      {"unset", do_unset},    {"wait", do_wait},
    {"wc", do_wc},
};

const struct names builtin_names = NAMES(builtins, NAMED_BUILTIN);

bool builtin_run(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index)
{
    const struct builtin *row = names_find(w, &builtin_names, argv->items[0].text);

    if (row)
        row->run(&(struct builtin_call){w, argv, at, len, index});
    return row != NULL;
}
