/* evasion_code.c - the commands that code in another language starts.
 *
 * evasion_text() finds a denied command wherever it is written out. Here the question is what a
 * shell makes of the text that system("...") or subprocess.run([...]) gets, and whether that text
 * is to be seen at all: "a" + b, $x and sys.argv are not known before run time. The names of
 * functions are looked for everywhere, even inside strings: what a reader of all these languages
 * takes for a string may be code in one of them. */
#include "decide/evasion_code.h"

#include "base/ascii.h"
#include "rule/command.h"

/* Functions that start a command, and those that run a text as code of the same language. */
static const char starters[] =
    "system exec execl execle execlp execlpe execv execve execvp execvpe execSync execFile "
    "execFileSync execa popen popen2 popen3 popen4 Popen spawn spawnSync spawnl spawnle spawnlp "
    "spawnlpe spawnv spawnve spawnvp spawnvpe posix_spawn posix_spawnp check_call check_output "
    "getoutput getstatusoutput capture2 capture2e capture3 callCommand callProcess readProcess "
    "spawnProcess createProcess ProcessBuilder syscall dlsym shell_exec passthru proc_open "
    "pcntl_exec execute open2 open3 syscmd esyscmd create_subprocess_shell "
    "create_subprocess_exec system2 spawnv_passfds fork_exec";
static const char evaluators[] = "eval loadstring instance_eval class_eval module_eval "
                                 "runInThisContext runInNewContext runInContext Function "
                                 "create_function";
/* Functions that find another function by its name. */
static const char finders[] = "getattr __import__ import_module attrgetter methodcaller "
                              "__getattribute__ const_get public_send __send__ call_user_func "
                              "call_user_func_array require";
/* Modules whose functions have names that say nothing (run, call). */
static const char modules[] = "subprocess child_process ctypes webbrowser";
/* The functions of webbrowser that take an address; the others take a command. */
static const char addresses[] = "open open_new open_new_tab Error";
/* Of those: what starts nothing. */
static const char constants[] = "PIPE STDOUT DEVNULL CalledProcessError TimeoutExpired "
                                "SubprocessError CompletedProcess list2cmdline";
/* What Node.js starts instead of itself, if it is set. */
static const char another_program[] = "execPath";

struct site {
    struct code *c;
    struct str name;
    size_t at, end; /* of the name in the text */
    char quote;     /* the string that it is in; 0: none */
};

static size_t skip_space(struct str text, size_t at)
{
    while (at < text.len && ascii_is_space(text.s[at]))
        at++;
    return at;
}

static char before(const struct site *s)
{
    size_t at = s->at;

    while (at > 0 && ascii_is_blank(s->c->text.s[at - 1]))
        at--;
    return at ? s->c->text.s[at - 1] : '\0';
}

/* In a string, only what looks like a call counts: "operating system" is none. */
static bool is_used(const struct site *s)
{
    int next = str_byte(s->c->text, skip_space(s->c->text, s->end));

    if (!s->quote)
        return true;
    return next == '(' || next == '$' || next == '@' ||
           ((next == '"' || next == '\'') && next != s->quote);
}

/* const {execSync} = require(...): it is called by this name later. */
static bool is_unpacked(const struct site *s)
{
    struct str text = s->c->text;
    size_t at = skip_space(text, s->end);
    char first = before(s);

    if ((first != '{' && first != ',') || (str_byte(text, at) != '}' && str_byte(text, at) != ','))
        return false;
    while (at < text.len && text.s[at] != '}' && text.s[at] != '{' && text.s[at] != ';')
        at++;
    if (str_byte(text, at) != '}')
        return false;
    struct str rest = str_from_byte(text, skip_space(text, at + 1));
    return str_starts(rest, STR("=")) || str_starts(rest, STR("from"));
}

/* What the words are if they are one command, each a word of it: ["git", "push"]. */
static struct str as_command(struct arena *a, const struct strs *words, size_t first)
{
    struct buf b = buf_in(a);

    for (size_t i = first; i < words->count; i++) {
        if (i > first)
            buf_byte(&b, ' ');
        buf_quoted(&b, words->items[i]);
    }
    return buf_str(&b);
}

/* One text is for a shell. More of them are a command, in which execlp() names the program
 * twice. */
static void judge_texts(struct code *c, const struct strs *texts)
{
    evasion_shell(c->e, texts->items[0], false);
    if (texts->count == 1)
        return;
    evasion_shell(c->e, as_command(c->e->f->arena, texts, 0), false);
    evasion_shell(c->e, as_command(c->e->f->arena, texts, 1), false);
}

/* f = os.system: it is called by another name later. */
static bool is_value(const struct site *s)
{
    size_t at = skip_space(s->c->text, s->end);

    return s->c->ways && !s->quote && strchr(".=,([", before(s)) && before(s) &&
           str_byte(s->c->text, at) != '(';
}

static void start(struct site *s)
{
    struct code_arguments args;

    if (is_unpacked(s))
        return;
    code_arguments(s->c, s->end, &args);
    if (args.none && !is_value(s))
        return; /* platform.system() */
    if (args.known)
        judge_texts(s->c, &args.texts);
    else
        evasion_unknown(s->c->e);
    if (args.known && args.raw.count)
        judge_texts(s->c, &args.raw);
}

/* eval { ... } of Perl only catches errors. */
static void evaluate(struct site *s)
{
    struct code_arguments args;

    if (str_byte(s->c->text, skip_space(s->c->text, s->end)) == '{')
        return;
    code_arguments(s->c, s->end, &args);
    if (!args.none && !args.known)
        evasion_unknown(s->c->e);
    for (size_t i = 0; args.known && i < args.texts.count; i++)
        evasion_code(s->c->e, args.texts.items[i], s->c->ways);
}

/* A function is found by a name that is written there, and starts nothing; or it is not known. */
static void find(struct site *s)
{
    struct code_arguments args;

    code_arguments(s->c, s->end, &args);
    bool plain = args.none || args.texts.count > 0;
    for (size_t i = 0; i < args.texts.count; i++)
        plain &= !str_has_word(str_from(starters), args.texts.items[i]) && !args.joined;
    if (!plain)
        evasion_unknown(s->c->e);
}

/* subprocess.run(...): the name after the dot. `import subprocess as s` gives it another name. */
static void use_module(struct site *s)
{
    struct str text = s->c->text;
    size_t at = skip_space(text, s->end), from = at + 1;

    if (str_byte(text, at) != '.') {
        struct str rest = str_from_byte(text, at);
        if (!s->quote && (str_starts(rest, STR("as ")) || str_starts(rest, STR("import "))))
            evasion_unknown(s->c->e);
        return;
    }
    while (at + 1 < text.len && ascii_is_name(text.s[at + 1]))
        at++;
    struct site member = *s;
    member.name = str_slice(text, from, at + 1);
    member.end = at + 1;
    if (str_is(s->name, "webbrowser")) {
        if (!str_has_word(str_from(addresses), member.name))
            evasion_unknown(s->c->e);
    } else if (!str_has_word(str_from(constants), member.name)) {
        start(&member);
    }
}

/* fork(file, [], {execPath: "git"}), process.execPath = "git" */
static void set_program(struct site *s)
{
    size_t at = skip_space(s->c->text, s->end);
    int mark = str_byte(s->c->text, at), next = str_byte(s->c->text, at + 1);

    if ((s->quote && (mark == s->quote)) || mark == ':' || (mark == '=' && next != '='))
        evasion_unknown(s->c->e);
}

/* /x/.exec(s) is a search, unless the text knows a module with such a function; a database
 * executes queries. */
static bool is_search(const struct site *s)
{
    if (str_is(s->name, "execute"))
        return !str_contains(s->c->text, STR("os.execute"));
    return str_is(s->name, "exec") && before(s) == '.' &&
           !str_contains(s->c->text, STR("child_process")) &&
           !str_contains(s->c->text, STR("Kernel")) && !str_contains(s->c->text, STR("Process"));
}

/* exec ls, where the language is not known: code_lines() reads it. */
static bool is_line(const struct site *s)
{
    int next = str_byte(s->c->text, skip_space(s->c->text, s->end));

    return next >= 0 && !strchr("($@[{\"'`", next);
}

bool code_is_too_long(struct code *c)
{
    if (++c->looked <= CODE_PLACES_MAX)
        return false;
    evasion_doubt(c->e, evasion_first(c->e), "a text is too long to search");
    return true;
}

static bool is_function(const struct site *s)
{
    return str_has_word(str_from(starters), s->name) ||
           str_has_word(str_from(evaluators), s->name) ||
           str_has_word(str_from(finders), s->name) || str_has_word(str_from(modules), s->name) ||
           str_is(s->name, "open") || str_is(s->name, "qx");
}

static void look_at_name(struct site *s)
{
    if (str_is(s->name, another_program)) {
        set_program(s);
        return;
    }
    bool opens = s->c->ways && code_names_opener(s->name);
    if ((!opens && !is_function(s)) || !is_used(s) || (!s->c->ways && is_line(s)) ||
        code_is_too_long(s->c))
        return;
    if (opens)
        code_opens(s->c, s->at, s->end);
    if (str_has_word(str_from(starters), s->name) && !is_search(s))
        start(s);
    else if (str_has_word(str_from(evaluators), s->name))
        evaluate(s);
    else if (str_has_word(str_from(finders), s->name))
        find(s);
    else if (str_has_word(str_from(modules), s->name))
        use_module(s);
    else if (str_is(s->name, "open") && s->c->ways && code_has(s->c, 'o'))
        code_open(s->c, s->end);
    else if (str_is(s->name, "qx") && s->c->ways && code_has(s->c, '`'))
        code_backtick(s->c, s->at);
}

static size_t end_of_name(struct str text, size_t at)
{
    while (at < text.len && ascii_is_name(text.s[at]))
        at++;
    return at;
}

/* Which string the text is in after this byte. */
static char next_quote(struct code *c, size_t at, char quote)
{
    char mark = c->text.s[at];

    if ((mark != '"' && mark != '\'' && mark != '`') || (at && c->text.s[at - 1] == '\\') ||
        (quote && quote != mark))
        return quote;
    *(quote ? &c->closed : &c->opened) = at;
    return quote ? '\0' : mark;
}

static void look_at_operator(struct code *c, size_t at, char quote)
{
    char mark = c->text.s[at];

    if (!c->ways || (mark != '`' && mark != '|') || !code_has(c, mark) || code_is_too_long(c))
        return;
    if (mark == '`' && quote != '`')
        code_backtick(c, at);
    else if (mark == '|' && !quote)
        code_pipe(c, at);
}

static void look_at_names(struct code *c)
{
    struct str text = c->text;
    char quote = '\0';

    for (size_t at = 0, end; at < text.len; at = end) {
        end = end_of_name(text, at);
        if (end == at) {
            look_at_operator(c, at, quote);
            quote = next_quote(c, at, quote);
            end = at + 1;
        } else if (ascii_is_name_start(text.s[at])) {
            struct site s = {c, str_slice(text, at, end), at, end, quote};
            look_at_name(&s);
        }
    }
}

static const bool call_bytes[256] = {
    ['\0'] = true, ['\t'] = true, ['\n'] = true, ['\r'] = true, [' '] = true,
    ['('] = true,  ['"'] = true,  ['\''] = true, ['`'] = true,  ['$'] = true,
    ['@'] = true,  ['|'] = true,  ['!'] = true,  [';'] = true,
};

/* A plain word, or a path, calls nothing. */
static bool may_call(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (call_bytes[(unsigned char)text.s[i]])
            return true;
    return false;
}

void evasion_code(struct evasion *e, struct str text, const char *ways)
{
    struct code c = {.e = e, .text = text, .ways = ways};

    if (!may_call(text) && !(ways && strchr(ways, 'e')))
        return;
    look_at_names(&c);
    if (!ways)
        code_lines(&c);
    else if (strchr(ways, 'e'))
        code_sed(&c);
}
