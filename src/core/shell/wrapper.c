/* wrapper.c - programs that run the program named in their arguments. */
#include "shell/walk.h"

/* One row per wrapper. An option that is not in its row is not understood: it could take a value,
 * and then the word behind it would not be the command. Facts from the man pages of coreutils,
 * util-linux, findutils, sudo, procps. */
static const struct wrapper {
    const char *name;
    const char *flags;       /* short options without a value */
    const char *values;      /* short options with one */
    const char *long_flags;  /* names between blanks */
    const char *long_values; /* likewise; --name value and --name=value */
    unsigned operands;       /* words between the options and the command */
    bool transparent;        /* an allow rule for the inner command covers it */
    bool assigns;            /* NAME=value words may stand before the command */
    bool appends;            /* words that come from outside are added to the command */
    char text;               /* option whose value is shell text */
    bool joins;              /* the words are joined and given to a shell */
} wrappers[] = {
    {"builtin", "", "", "", "", 0, true},
    {"caffeinate", "dimsu", "tw", "", "", 0, false},
    {"catchsegv", "", "", "", "", 0, false},
    {"chroot", "", "", "skip-chdir", "userspec groups", 1, false},
    {"chrt", "abfimopRrv", "TPD", "batch fifo idle other rr verbose all-tasks", "", 1, false},
    {"command", "p", "", "", "", 0, true},
    {"doas", "Ln", "uC", "", "", 0, false},
    {"env", "iv0", "uC", "ignore-environment debug null block-signal default-signal ignore-signal",
     "unset chdir", 0, true, true},
    {"exec", "cl", "a", "", "", 0, false},
    {"fakeroot", "", "ls", "", "lib faked", 0, false},
    {"flock", "eFnosuxv", "Ew", "exclusive shared nonblock unlock close no-fork verbose",
     "wait timeout conflict-exit-code", 1, false, false, false, 'c'},
    {"gtimeout", "v", "ks", "foreground preserve-status verbose", "kill-after signal", 1, true},
    {"ionice", "t", "cn", "ignore", "class classdata", 0, false},
    {"linux32", "", "", "", "", 0, false},
    {"linux64", "", "", "", "", 0, false},
    {"ltrace", "cCfhiLrStTbV", "aAeDlnopsuwxX", "", "", 0, false},
    {"nice", "", "n", "", "adjustment", 0, true},
    {"nohup", "", "", "", "", 0, true},
    {"numactl", "Hsl", "CNmip", "localalloc",
     "cpunodebind physcpubind membind interleave preferred", 0, false},
    {"parallel", "", "", "", "", 0, false, false, true, 0, true},
    {"pkexec", "", "", "disable-internal-agent keep-cwd", "user", 0, false},
    {"prlimit", "", "", "verbose raw noheadings", "", 0, false},
    {"proxychains", "q", "f", "", "", 0, false},
    {"proxychains4", "q", "f", "", "", 0, false},
    {"rlwrap", "aAcHiIlmnNoprRs", "bCDfFHPqStTwz", "", "", 0, false},
    {"setarch", "RBFILSTXZ3v", "", "", "", 1, false},
    {"setpriv", "", "", "no-new-privs clear-groups keep-groups init-groups reset-env",
     "reuid regid groups ruid euid inh-caps bounding-set", 0, false},
    {"setsid", "cfw", "", "ctty fork wait", "", 0, false},
    {"stdbuf", "", "ioe", "", "input output error", 0, true},
    {"strace", "cCdfFhiknqrtTvVwxyzZ", "abeEIoOpPsSuUX", "follow-forks", "trace output", 0, false},
    {"sudo", "AbEeHKklnPSVv", "CDghprRtTUu",
     "askpass background preserve-env edit set-home non-interactive stdin",
     "user group chdir host prompt", 0, false, true},
    {"systemd-run", "dGPqrtS", "pHMu",
     "user system scope wait pty pipe quiet collect same-dir shell",
     "unit property slice uid gid working-directory setenv description", 0, false},
    {"taskset", "ac", "", "all-tasks cpu-list", "", 1, false},
    {"time", "apqv", "fo", "append portability quiet verbose", "format output", 0, true},
    {"timeout", "v", "ks", "foreground preserve-status verbose", "kill-after signal", 1, true},
    {"torsocks", "", "", "", "", 0, false},
    {"unbuffer", "p", "", "", "", 0, false},
    {"unshare", "cCfimnprTuU", "RSGw",
     "fork mount uts ipc net pid user cgroup map-root-user map-current-user mount-proc",
     "root wd setuid setgid", 0, false},
    {"watch", "bcdegtwx", "nq", "beep color differences errexit chgexit no-title exec precise",
     "interval", 0, false, false, false, 0, true},
    {"xargs", "0oprtx", "adEIiLlnPs", "null open-tty interactive no-run-if-empty verbose exit",
     "arg-file delimiter eof replace max-lines max-args max-procs max-chars process-slot-var", 0,
     false, false, true},
    {"xvfb-run", "al", "efnpsw", "auto-servernum listen-tcp",
     "error-file auth-file server-num xauth-protocol server-args wait", 0, false},
};

const struct names wrapper_names = NAMES(wrappers, NAMED_WRAPPER);

static const struct wrapper *find_row(struct walk *w, struct str name)
{
    return names_find(w, &wrapper_names, name);
}

static bool has_word(const char *words, struct str word)
{
    for (const char *at = words; *at;) {
        size_t len = strcspn(at, " ");
        if (len == word.len && memcmp(at, word.s, len) == 0)
            return true;
        at += len + (at[len] == ' ');
    }
    return false;
}

struct reader {
    const struct wrapper *row;
    const struct shell_words *argv;
    size_t i;
    bool unknown;    /* an option that is not in the row, or a word that is not known */
    size_t perhaps;  /* that word: an option, or the program already; 0: there is none */
    struct str text; /* the value of the row's text option */
    bool has_text;
    bool text_unknown;
    struct str replace; /* xargs -I */
    bool harmless; /* only harmless assignments, and no option that does more than the row's name
                      says */
};

static bool is_assignment(struct str s)
{
    size_t equals = str_index(s, '=');

    if (equals == STR_NONE || equals == 0)
        return false;
    for (size_t i = 0; i < equals; i++) {
        char c = s.s[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
              (i && c >= '0' && c <= '9')))
            return false;
    }
    return true;
}

static void note_value(struct reader *r, char option, const struct shell_word *whole,
                       struct str value)
{
    r->unknown |=
        whole->may_glob ||
        whole->may_split; /* it may be several words, of which the second is the program */
    if (option == r->row->text && option) {
        r->has_text = true;
        r->text = value;
        r->text_unknown = !whole->known;
    }
    if (strcmp(r->row->name, "xargs") == 0 && (option == 'I' || option == 'i'))
        r->replace = value.len ? value : STR("{}");
}

static void long_option(struct reader *r, const struct shell_word *word)
{
    struct str name, value;
    bool equals = str_cut(str_from_byte(word->text, 2), '=', &name, &value);

    if (has_word(r->row->long_flags, name) &&
        (!equals || str_ends(name, STR("-signal")) || str_is(name, "preserve-env")))
        return;
    if (!has_word(r->row->long_values, name)) {
        r->unknown = true;
        return;
    }
    if (equals)
        note_value(r,
                   str_is(name, "command")   ? 'c'
                   : str_is(name, "replace") ? 'I'
                                             : 0,
                   word, value);
    else if (!str_is(name, "replace") && !str_is(name, "eof") && !str_is(name, "max-lines")) {
        r->i++;
        if (r->i < r->argv->count)
            note_value(r, str_is(name, "command") ? 'c' : 0, &r->argv->items[r->i],
                       r->argv->items[r->i].text);
    } else if (str_is(name, "replace")) {
        r->replace = STR("{}");
    }
}

/* xargs -i -l -e take their value only when it touches them. */
static bool value_is_optional(const struct wrapper *row, char c)
{
    return strcmp(row->name, "xargs") == 0 && (c == 'i' || c == 'l' || c == 'e');
}

static void short_options(struct reader *r, const struct shell_word *word)
{
    struct str s = word->text;

    for (size_t j = 1; j < s.len; j++) {
        char c = s.s[j];
        if (c == r->row->text || strchr(r->row->values, c)) {
            struct str value = str_from_byte(s, j + 1);
            if (!value.len && !value_is_optional(r->row, c)) {
                r->i++;
                if (r->i < r->argv->count)
                    note_value(r, c, &r->argv->items[r->i], r->argv->items[r->i].text);
            } else {
                note_value(r, c, word, value);
            }
            return;
        }
        if (!strchr(r->row->flags, c)) {
            /* nice -10 */
            r->unknown |= !(strcmp(r->row->name, "nice") == 0 && c >= '0' && c <= '9');
            return;
        }
    }
}

/* Up to the command; r->i is where it begins. */
static void read_options(struct reader *r)
{
    for (r->i = 1; r->i < r->argv->count && !r->unknown; r->i++) {
        const struct shell_word *word = &r->argv->items[r->i];
        struct str s = word->text;
        if (r->row->assigns && is_assignment(s) && !word->may_split) {
            r->harmless &= is_harmless_variable(str_slice(s, 0, str_index(s, '='))) && word->known;
            continue;
        }
        if (!word->known && (word->may_dash || word->may_split || (s.len && s.s[0] == '-'))) {
            r->unknown = true;
            r->perhaps = r->i;
        } else if (str_is(s, "--")) {
            r->i++;
            break;
        } else if (s.len > 2 && s.s[0] == '-' && s.s[1] == '-')
            long_option(r, word);
        else if (s.len > 1 && s.s[0] == '-')
            short_options(r, word);
        else
            break;
        r->harmless &=
            !r->row->assigns && strcmp(r->row->name, "time") != 0; /* env -C x, time -o file */
    }
    if (r->row->assigns)
        while (r->i < r->argv->count && is_assignment(r->argv->items[r->i].text)) {
            r->harmless &= is_harmless_variable(
                str_slice(r->argv->items[r->i].text, 0, str_index(r->argv->items[r->i].text, '=')));
            r->i++;
        }
    r->i += r->row->operands;
    if (r->row->text && r->row->operands && r->i + 1 < r->argv->count &&
        (str_is(r->argv->items[r->i].text, "-c") || str_is(r->argv->items[r->i].text, "--command")))
        note_value(r, r->row->text, &r->argv->items[r->i + 1],
                   r->argv->items[r->i + 1].text); /* flock FILE -c TEXT */
}

static bool is_query(const struct reader *r)
{
    struct str first = r->argv->count > 1 ? r->argv->items[1].text : (struct str){0};

    if (strcmp(r->row->name, "command") == 0)
        return str_is(first, "-v") || str_is(first, "-V") || str_is(first, "-pv") ||
               str_is(first, "-pV");
    return (str_is(first, "--help") || str_is(first, "--version")) && r->argv->count == 2;
}

size_t wrapper_inner(struct walk *w, const struct shell_words *argv, bool transparent_only)
{
    struct reader r = {.argv = argv, .harmless = true};

    if (!argv->count || !argv->items[0].known)
        return 0;
    if (!(r.row = find_row(w, command_name(w, argv->items[0].text))))
        return added_inner(w, argv, transparent_only);
    if (r.row->joins || is_query(&r))
        return 0;
    read_options(&r);
    if (r.unknown || r.i >= argv->count)
        return 0;
    /* ./timeout is somebody's program, whatever it is called */
    if (transparent_only &&
        (!r.row->transparent || !r.harmless || str_has(argv->items[0].text, '/')))
        return 0;
    return r.i;
}

static void run_text(struct walk *w, const struct reader *r, size_t at, size_t len, int index)
{
    struct env before = w->env;

    if (r->text_unknown) {
        not_understood(w, at, "a text is run that is not known before run time");
        return;
    }
    env_new_shell(w);
    bool plain_sh = w->plain_sh;
    w->plain_sh = true;
    walk_text(w, r->text, index, at, len);
    w->plain_sh = plain_sh;
    w->env = before;
}

/* In xargs -I{} the mark may stand anywhere in a word. */
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
            buf_byte(&b, SHELL_UNKNOWN);
            i += mark.len;
        } else {
            buf_byte(&b, word->text.s[i++]);
        }
    }
    out.text = buf_str(&b);
    out.known = false;
    return out;
}

static void change_for_inner(struct walk *w, const struct reader *r)
{
    /* env -C, sudo -D and their like: the inner command runs elsewhere */
    for (size_t i = 1; i < r->i && i < r->argv->count; i++)
        if (str_starts(r->argv->items[i].text, STR("-C")) ||
            str_starts(r->argv->items[i].text, STR("--chdir")) ||
            str_starts(r->argv->items[i].text, STR("-D")) ||
            str_starts(r->argv->items[i].text, STR("--working-directory")))
            w->env.cwd = w->env.cwd_other = (struct str){0};
    if (strcmp(r->row->name, "chroot") == 0 || strcmp(r->row->name, "unshare") == 0)
        w->env.cwd = w->env.cwd_other = (struct str){0};
}

/* These run in the shell itself: what the inner command changes stays changed. */
static bool keeps_state(const struct wrapper *row)
{
    return strcmp(row->name, "builtin") == 0 || strcmp(row->name, "command") == 0 ||
           strcmp(row->name, "exec") == 0;
}

/* xargs whose options change nothing of what it reads and where from. */
static bool takes_lines(const struct reader *r)
{
    static const char *const plain[] = {"-0", "-r", "-t", "-n", "-P", "-I", "-I{}", "{}", "-n1"};

    for (size_t i = 1; i < r->i && i < r->argv->count; i++) {
        bool known = is_number(r->argv->items[i].text);
        for (size_t n = 0; n < COUNT(plain); n++)
            known |= str_is(r->argv->items[i].text, plain[n]);
        if (!known)
            return false;
    }
    return strcmp(r->row->name, "xargs") == 0;
}

static void run_inner(struct walk *w, const struct reader *r, size_t at, size_t len, int index)
{
    struct shell_words inner = {0};
    struct env before = w->env;

    struct str found = takes_lines(r) ? known_lines(w->env.lines)->found : (struct str){0};

    for (size_t i = r->i; i < r->argv->count; i++) {
        struct shell_word word = replaced(w, &r->argv->items[i], r->replace);
        if (found.len && r->replace.len && str_eq(r->argv->items[i].text, r->replace)) {
            word.like = found;
            word.found = true;
            word.may_dash = false;
        }
        LIST_PUSH(w->arena, &inner, word);
    }
    if (r->row->appends && !r->replace.len)
        LIST_PUSH(w->arena, &inner,
                  (struct shell_word){.text = STR("\x01"),
                                      .may_split = true,
                                      .may_dash = !found.len,
                                      .like = found,
                                      .found = found.len > 0,
                                      .at = span_at(w, at)});
    if (r->row->appends) {
        w->env.input = SHELL_INPUT_UNKNOWN;
        w->env.lines = NULL;
    }
    change_for_inner(w, r);
    w->env.functions = NULL; /* a program or a builtin, never a function */
    run_command(w, inner, at, len, index);
    w->env.functions = before.functions;
    if (!keeps_state(r->row))
        w->env = before;
    if (r->row->appends)
        w->output = (struct output){0};
}

static void add_inner_assigns(struct walk *w, const struct reader *r, size_t at, size_t len,
                              int index)
{
    int parent = w->parent;

    w->parent = index;
    for (size_t i = 1; i < r->i && i < r->argv->count && r->row->assigns; i++) {
        struct shell_word word = r->argv->items[i];
        struct str name, value;
        if (!is_assignment(word.text))
            continue;
        str_cut(word.text, '=', &name, &value);
        word.text = value;
        add_assign(w, name, word, false, at, len);
    }
    w->parent = parent;
}

/* env -S 'a b' splits its text itself, by rules of its own. */
static bool has_split_string(const struct shell_words *argv)
{
    for (size_t i = 1; i < argv->count; i++) {
        struct str s = argv->items[i].text;
        if (str_starts(s, STR("--split-string")) ||
            (str_starts(s, STR("-")) && !str_starts(s, STR("--")) && str_has(s, 'S')))
            return true;
        if (!s.len || s.s[0] != '-')
            return false;
    }
    return false;
}

static void run_row(struct walk *w, const struct wrapper *row, const struct shell_words *argv,
                    size_t at, size_t len, int index)
{
    struct reader r = {.row = row, .argv = argv, .harmless = true};

    if (is_query(&r))
        return;
    if (strcmp(row->name, "env") == 0 && has_split_string(argv)) {
        not_understood(w, at, "env -S makes words in a way of its own");
        return;
    }
    read_options(&r);
    if (r.unknown)
        not_understood(w, at, "a wrapper with an option that is not known");
    if (r.perhaps && !row->joins) { /* for deny rules: both readings */
        struct reader other = r;
        other.i = r.perhaps;
        run_inner(w, &other, at, len, index);
    }
    add_inner_assigns(w, &r, at, len, index);
    if (r.has_text) {
        run_text(w, &r, at, len, index);
        return;
    }
    if (r.i >= argv->count)
        return;
    if (!row->joins) {
        run_inner(w, &r, at, len, index);
        return;
    }
    r.text = words_join(w->arena, argv->items + r.i, argv->count - r.i);
    r.text_unknown = row->appends;
    for (size_t i = r.i; i < argv->count; i++)
        r.text_unknown |= !argv->items[i].known;
    run_text(w, &r, at, len, index);
}

/* Programs that run commands in ways of their own. False: these words run none. */
static const struct runner {
    const char *name;
    bool (*run)(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index);
} runners[] = {
    {"ash", run_shell},        {"bash", run_shell},      {"bundle", run_launched},
    {"busybox", run_busybox},  {"csh", run_shell},       {"dash", run_shell},
    {"docker", run_container}, {"fd", run_find},         {"fdfind", run_find},
    {"find", run_find},        {"fish", run_shell},      {"gfind", run_find},
    {"ksh", run_shell},        {"ksh93", run_shell},     {"kubectl", run_container},
    {"mise", run_launched},    {"mksh", run_shell},      {"pipenv", run_launched},
    {"podman", run_container}, {"poetry", run_launched}, {"rbash", run_shell},
    {"runuser", run_su},       {"script", run_su},       {"sh", run_shell},
    {"ssh", run_ssh},          {"su", run_su},           {"tcsh", run_shell},
    {"toybox", run_busybox},   {"uv", run_launched},     {"yash", run_shell},
    {"zsh", run_shell},
};
const struct names runner_names = NAMES(runners, NAMED_RUNNER);

void run_wrapped(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index)
{
    struct str name = command_name(w, argv->items[0].text);
    const struct wrapper *row = find_row(w, name);

    if (row) {
        run_row(w, row, argv, at, len, index);
        return;
    }
    const struct runner *runner = names_find(w, &runner_names, name);
    if (!runner || !runner->run(w, argv, at, len, index))
        run_added(w, argv, at, len, index);
}
