/* nested.c - shells inside the shell, and programs that run commands out of their own language:
 * find, fd, busybox. */
#include "shell/walk.h"

#include "base/ascii.h"

struct shell_call {
    bool has_command; /* -c */
    bool from_input;  /* -s, or nothing to run */
    bool unknown;
    bool nounset; /* -u */
    size_t i;     /* the first word after the options */
};

/* Shells that read a text like bash does, near enough that bash's reading finds every command that
 * they would run. */
static bool reads_like_bash(struct str name)
{
    return str_is(name, "sh") || str_is(name, "bash") || str_is(name, "dash") ||
           str_is(name, "ash");
}

static bool long_takes_value(struct str s)
{
    return str_is(s, "--rcfile") || str_is(s, "--init-file");
}

/* Those that do not change what a text means, or what a pattern finds: with dotglob `*` finds .env,
 * and with lastpipe `echo .env | read x` sets x. */
static bool is_plain_option(char letter, const struct shell_word *word)
{
    static const char set[] =
        "errexit nounset pipefail xtrace verbose noclobber errtrace functrace hashall monitor "
        "notify noexec ignoreeof nolog";
    static const char shopt[] =
        "extglob nullglob failglob globasciiranges cmdhist checkwinsize histappend";

    return word->known && str_has_word(letter == 'o' ? str_from(set) : str_from(shopt), word->text);
}

static void read_cluster(struct shell_call *c, const struct shell_words *argv, struct str s)
{
    for (size_t j = 1; j < s.len; j++) {
        c->has_command |= s.s[j] == 'c' && s.s[0] == '-';
        c->from_input |= s.s[j] == 's' && s.s[0] == '-';
        c->nounset |= s.s[j] == 'u' || s.s[j] == 'o';
        if (s.s[j] == 'o' || s.s[j] == 'O') {
            c->i++;
            c->unknown |= c->i >= argv->count || !is_plain_option(s.s[j], &argv->items[c->i]);
        }
        if (!strchr("abcefhiklmnprstuvxBCDEHOPTo", s.s[j]))
            c->unknown = true;
    }
}

static struct shell_call read_options(const struct shell_words *argv)
{
    struct shell_call c = {.i = 1};

    for (; c.i < argv->count; c.i++) {
        struct str s = argv->items[c.i].text;
        if (!argv->items[c.i].known &&
            !(s.len && s.s[0] != WORD_UNKNOWN && s.s[0] != '-' && !argv->items[c.i].may_split)) {
            c.unknown = true;
            return c;
        }
        if (str_is(s, "--") || str_is(s, "-")) {
            c.i++;
            break;
        }
        if (str_starts(s, STR("--"))) {
            static const char *const plain[] = {"--login",      "--norc",    "--noprofile",
                                                "--restricted", "--verbose", "--noediting",
                                                "--version",    "--help"};
            bool found = false;
            for (size_t k = 0; k < COUNT(plain); k++)
                found |= str_is(s, plain[k]);
            c.unknown |= !found;
            c.i += long_takes_value(s);
        } else if (s.len > 1 && (s.s[0] == '-' || s.s[0] == '+')) {
            read_cluster(&c, argv, s);
        } else {
            break;
        }
    }
    return c;
}

static void enter_shell(struct walk *w, const struct shell_words *argv, size_t args)
{
    env_new_shell(w);
    w->env.args = arguments_from(argv, args);
}

static void run_command_text(struct walk *w, const struct shell_words *argv, size_t i, size_t at,
                             size_t len, int index)
{
    struct env before = w->env;
    const struct shell_word *text = i < argv->count ? &argv->items[i] : NULL;

    if (!text)
        return;
    if (!text->known) {
        walk_fail(w, text->at, "a shell is given a text that is not known before run time");
        return;
    }
    enter_shell(w, argv, i + 2);
    walk_in_shell(w, text->text, !str_is(base_name(argv->items[0].text), "bash"), index, at, len);
    w->env = before;
}

static void run_input(struct walk *w, const struct shell_words *argv, size_t i, size_t at,
                      size_t len, int index)
{
    struct env before = w->env;

    if (w->env.input.kind != SHELL_INPUT_TEXT) {
        walk_fail(w, at,
                  "a shell reads its commands from an input that is not known before run time");
        return;
    }
    struct str text = w->env.input.text;
    enter_shell(w, argv, i);
    w->env.input.kind = SHELL_INPUT_UNKNOWN;
    w->env.input.lines = NULL;
    walk_in_shell(w, text, !str_is(base_name(argv->items[0].text), "bash"), index, at, len);
    w->env = before;
}

/* su and script take -c TEXT anywhere among their words, and without it they start a shell. */
bool nested_run_su(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index)
{
    size_t i = 1;

    while (i < argv->count && argv->items[i].known && !str_is(argv->items[i].text, "-c") &&
           !str_is(argv->items[i].text, "--command"))
        i++;
    if (i + 1 >= argv->count || !argv->items[i].known) {
        walk_fail(w, at, "a shell is started in a way that is not followed here");
        return true;
    }
    struct env before = w->env;
    directory_forget(&w->env.directory);
    if (!argv->items[i + 1].known) {
        walk_fail(w, at, "a shell is given a text that is not known before run time");
    } else {
        env_new_shell(w);
        walk_in_shell(w, argv->items[i + 1].text, true, index, at, len);
    }
    w->env = before;
    return true;
}

/* A file that is run as a shell script: `sh x`, or as a program. */
void nested_run_script(struct walk *w, const struct shell_words *argv, size_t script, size_t at,
                       size_t len, int index)
{
    struct env before = w->env;
    struct str text;

    if (!w->written || !written_text(w, &argv->items[script], script == 0, at, &text))
        return;
    enter_shell(w, argv, script + 1);
    walk_in_shell(w, text, script > 0 && !str_is(base_name(argv->items[0].text), "bash"), index, at,
                  len);
    w->env = before;
}

bool nested_run_busybox(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                        int index)
{
    struct shell_words inner = {.items = argv->items + 1, .count = argv->count - 1};

    if (inner.count)
        shell_run_command(w, inner, at, len, index);
    w->output = (struct output){0}; /* it need not be there */
    return inner.count > 0;
}

bool nested_run_shell(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                      int index)
{
    struct str name = base_name(argv->items[0].text);

    if (argv->count == 2 &&
        (str_is(argv->items[1].text, "--version") || str_is(argv->items[1].text, "--help")))
        return true;
    struct shell_call c = read_options(argv);
    w->seen.nounset |= c.nounset;
    if (c.unknown)
        walk_fail(w, at, "a shell with an unknown option");
    if (!reads_like_bash(name) && (c.has_command || c.i >= argv->count))
        walk_fail(w, at, "a text for a shell with a syntax of its own");
    if (c.has_command)
        run_command_text(w, argv, c.i, at, len, index);
    else if (c.from_input || c.i >= argv->count)
        run_input(w, argv, c.i, at, len, index);
    else if (!argv->items[c.i].known)
        walk_fail(w, at, "a shell runs a file that is not known before run time");
    else if (str_starts(argv->items[c.i].text, STR("/dev/")) ||
             str_starts(argv->items[c.i].text, STR("/proc/")))
        walk_fail(w, at, "a shell reads its commands from a device");
    else
        nested_run_script(w, argv, c.i, at, len, index);
    w->output = (struct output){0};
    return true;
}

static bool is_exec(struct str s)
{
    return str_is(s, "-exec") || str_is(s, "-execdir") || str_is(s, "-ok") || str_is(s, "-okdir");
}

static bool is_fd_exec(struct str s)
{
    return str_is(s, "-x") || str_is(s, "-X") || str_is(s, "--exec") || str_is(s, "--exec-batch");
}

/* fd -Hx rm, fd --exec=rm: the command is not where we look for it. */
static bool hides_fd_exec(struct str s)
{
    if (str_starts(s, STR("--exec=")) || str_starts(s, STR("--exec-batch=")))
        return true;
    if (s.len < 3 || s.s[0] != '-' || s.s[1] == '-')
        return false;
    for (size_t i = 1; i < s.len; i++) {
        if (s.s[i] == 'x' || s.s[i] == 'X')
            return true;
        if (!strchr("HIusigFalLpq10", s.s[i]))
            return false; /* this one takes the rest as its value */
    }
    return false;
}

/* {} is the name of a file that is found, and for fd so are {/}, {//}, {.} and {/.}. */
static size_t mark_length(struct str s, bool fd)
{
    static const char *const marks[] = {"{}", "{/}", "{//}", "{.}", "{/.}"};

    for (size_t i = 0; i < (fd ? COUNT(marks) : 1); i++)
        if (str_starts(s, str_from(marks[i])))
            return strlen(marks[i]);
    return 0;
}

static bool mark_in(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (mark_length(str_from_byte(s, i), true))
            return true;
    return false;
}

/* {} of find -exec; `tree` says what it finds. */
static struct shell_word with_path(struct walk *w, const struct shell_word *word, bool fd,
                                   struct str tree)
{
    struct buf b = buf_in(w->arena);
    struct shell_word out = *word;

    if (!str_contains(word->text, STR("{")))
        return out;
    for (size_t i = 0; i < word->text.len;) {
        size_t mark = mark_length(str_from_byte(word->text, i), fd);
        if (mark) {
            buf_byte(&b, WORD_UNKNOWN);
            out.known = false;
            out.may_dash |= fd && i == 0; /* {/} of ./-rf is -rf */
        } else {
            buf_byte(&b, word->text.s[i]);
        }
        i += mark ? mark : 1;
    }
    out.text = buf_str(&b);
    if (str_is(word->text, "{}") && tree.len) {
        out.like = tree;
        out.found = true;
    }
    return out;
}

static size_t run_exec(struct walk *w, const struct shell_words *argv, size_t i, size_t at,
                       size_t len, int index, bool fd, struct str tree)
{
    struct shell_words inner = {0};
    struct env before = w->env;
    bool named = false, directory = str_is(argv->items[i].text, "-execdir") ||
                                    str_is(argv->items[i].text, "-okdir");

    for (i++; i < argv->count && !str_is(argv->items[i].text, ";"); i++) {
        if (!fd && str_is(argv->items[i].text, "+") && inner.count &&
            inner.items[inner.count - 1].text.len == 1 &&
            inner.items[inner.count - 1].text.s[0] == WORD_UNKNOWN) {
            inner.items[inner.count - 1].may_split = true; /* uniq {} + writes the second path */
            break;
        }
        LIST_PUSH(w->arena, &inner,
                  with_path(w, &argv->items[i], fd, directory ? (struct str){0} : tree));
        named |= mark_in(argv->items[i].text);
    }
    if (fd && !named) /* the paths are added to the command then */
        LIST_PUSH(w->arena, &inner,
                  (struct shell_word){.text = WORD_UNKNOWN_STR,
                                      .may_split = true,
                                      .may_dash = true,
                                      .at = span_at(w, at)});
    if (directory)
        directory_forget(&w->env.directory);
    w->env.functions = NULL;
    if (inner.count)
        shell_run_command(w, inner, at, len, index);
    w->env = before;
    return i;
}

static bool is_name_pattern(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && !strchr("*?._-", s.s[i]))
            return false;
    return s.len > 0;
}

/* find follows links, begins in places that are not its words, prints something else than paths, or
 * deletes them. */
static bool finds_other(struct str s)
{
    return str_is(s, "-L") || str_is(s, "-follow") || str_is(s, "-printf") ||
           str_is(s, "-fprint") || str_is(s, "-fprint0") || str_is(s, "-fprintf") ||
           str_is(s, "-fls") || str_is(s, "-ls") || str_is(s, "-delete") ||
           str_is(s, "-files0-from");
}

static bool joins_tests(struct str s)
{
    return str_is(s, "-o") || str_is(s, "-or") || str_is(s, ",") || str_is(s, "!") ||
           str_is(s, "-not") || str_is(s, "(") || str_is(s, ")");
}

/* What `find DIRECTORY -name NAME ...` finds: DIRECTORY, two stars, NAME. Empty when it follows
 * links, begins in several places, or prints something else than paths. */
static struct str find_tree(struct walk *w, const struct shell_words *argv)
{
    struct str root = {0}, name = STR("*");
    size_t names = 0, i = 1;

    for (; i < argv->count && argv->items[i].text.len && !strchr("-(!,", argv->items[i].text.s[0]);
         i++) {
        if (root.len)
            return (struct str){0};
        root = argv->items[i].text;
    }
    for (size_t n = 1; n < argv->count; n++) {
        struct str word = argv->items[n].text;
        if (!argv->items[n].known || finds_other(word))
            return (struct str){0};
        if (joins_tests(word))
            names = 2;
        if ((str_is(word, "-name") || str_is(word, "-iname")) && n + 1 < argv->count &&
            ++names == 1)
            name = argv->items[n + 1].text;
    }
    if (names > 1 || !is_name_pattern(name))
        name = STR("*");
    if (str_contains(root, STR("..")) || str_has(root, '*') || str_has(root, '?') ||
        str_has(root, '['))
        return (struct str){0};
    while (root.len > 1 && root.s[root.len - 1] == '/')
        root.len--;
    return str_format(w->arena, "%.*s/**/%.*s", STR_ARG(root.len ? root : STR(".")), STR_ARG(name));
}

bool nested_run_find(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                     int index)
{
    struct str name = base_name(argv->items[0].text);
    bool fd = str_is(name, "fd") || str_is(name, "fdfind"), runs = false;

    struct str tree = fd ? (struct str){0} : find_tree(w, argv);
    for (size_t i = 1; i < argv->count; i++) {
        if (argv->items[i].may_split)
            walk_fail(w, at, "find with words that are not known before run time");
        runs |= !fd && is_exec(argv->items[i].text);
        if (fd ? is_fd_exec(argv->items[i].text) : is_exec(argv->items[i].text))
            i = run_exec(w, argv, i, at, len, index, fd, tree);
        else if (fd && hides_fd_exec(argv->items[i].text))
            walk_fail(w, at, "fd runs a command that is in the same word as its option");
    }
    w->output = (struct output){.found = tree.len && !runs, .like = runs ? (struct str){0} : tree};
    return true;
}
