/* doubt.c - what a client does with a command that the command itself does not show.
 *
 * The engine judges the text as bash reads it, and what it does while nothing is
 * typed into it. Where the client gives it to another shell, or can type into a
 * running program without asking us, an allow must hold for that, too. */
#include "base/ascii.h"
#include "base/path.h"
#include "client/client.h"
#include "client/field.h"

/* These obey what is typed into them: a pager runs `!command`. */
static const char *const obeys_keys =
    "ash bash csh dash emacs ed ex fish fzf ftp gdb ghci htop info irb jdb joe jshell "
    "julia ksh less lldb lua lynx man mc more most mysql nano ncftp nvim pdb php pico "
    "pg psql pry python python2 python3 R radare2 rlwrap ruby scala screen script "
    "sftp sh sqlite3 ssh tcsh telnet tig tmux top vi view vim vimdiff w3m zsh node "
    "deno bun ipython ptpython erl iex mongosh redis-cli";
/* Of these only when nothing tells them what to run. */
static const char *const obeys_if_bare =
    "ash bash csh dash deno bun erl fish ghci iex irb jshell julia ksh lua node php "
    "python python2 python3 R ruby scala sh tcsh zsh";
/* And everything that is told to wait for input. */
static const char *const listens =
    "-i --interactive --pdb --trace inspect --inspect-brk --debugger --watch";

static bool has_operand(const struct strs *words)
{
    for (size_t i = 1; i < words->count; i++)
        if (words->items[i].len && words->items[i].s[0] != '-')
            return true;
    return false;
}

/* What is known to run nothing does not become a shell by an option: sed -i, grep -i. */
static bool runs_nothing(const struct action *action)
{
    return action->program && !action->unknown && !(action->effects & ~(unsigned)EFFECT_INNER);
}

static bool obeys(const struct action *action)
{
    const struct strs *words = &action->subject.words;

    if (words->count == 0 || action->redirect || action->assignment)
        return false;
    struct str name = path_base(words->items[0]);
    for (size_t i = 1; i < words->count && !runs_nothing(action); i++)
        if (str_has_word(str_from(listens), words->items[i]))
            return true;
    return str_has_word(str_from(obeys_keys), name) &&
           !(str_has_word(str_from(obeys_if_bare), name) && has_operand(words));
}

static struct str stdin_doubt(struct arena *a, const struct client_question *q,
                              const struct facts *f)
{
    for (size_t i = 0; q->client->stdin_unhooked && i < f->actions.count; i++)
        if (obeys(&f->actions.items[i]))
            return str_format(a,
                              "%.*s obeys what is typed into it, and %s types into "
                              "running programs "
                              "without asking",
                              STR_ARG(path_base(f->actions.items[i].subject.words.items[0])),
                              q->client->title);
    return (struct str){0};
}

/* ---- other shells ---- */

static bool is_word_byte(char c)
{
    return ascii_is_alnum(c) || strchr("_./:,@%+-", c) != NULL;
}

/* Bytes that mean the same in every shell that we know: words, quotes around plain text, lists,
 * pipes, plain redirections, a star. */
static bool is_plain(struct str text)
{
    char quote = 0;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (c == '\0')
            return false;
        if (quote && c == quote) {
            quote = 0;
        } else if (quote) {
            if (strchr("\\$`!", c))
                return false;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '=' || c == '~') {
            bool inside = i > 0 && is_word_byte(text.s[i - 1]),
                 home = i + 1 < text.len && text.s[i + 1] == '/';
            if (c == '=' ? !inside : inside || !home)
                return false;
        } else if (!is_word_byte(c) && !strchr(" \t\n&|;<>*", c)) {
            return false;
        }
    }
    return !quote;
}

/* The last command of a pipe is run by zsh itself, where bash starts another process: what these
 * set, and where they go, holds for what follows. */
static const char *const changes_shell =
    ". alias cd declare eval export getopts local mapfile popd pushd read readarray "
    "set shift shopt source trap typeset umask unset";
static const char *const begins_compound = "while until for if case select {";

/* Where the text after the last compound command begins. */
static struct str behind_compound(struct str text)
{
    static const char *const ends[] = {"done", "fi", "esac", "}"};

    for (size_t at = text.len; at-- > 0;)
        for (size_t i = 0; i < COUNT(ends); i++)
            if (str_starts(str_from_byte(text, at), str_from(ends[i])))
                return str_from_byte(text, at + strlen(ends[i]));
    return text;
}

static bool pipe_changes_shell(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] != '|' || (i > 0 && text.s[i - 1] == '|'))
            continue;
        size_t from = i + 1, to;
        while (from < text.len && strchr("& \t\n", text.s[from]))
            from++;
        for (to = from; to < text.len && !strchr(" \t\n;&|", text.s[to]); to++)
            ;
        struct str word = str_slice(text, from, to);
        if (str_has_word(str_from(changes_shell), word) ||
            (str_has_word(str_from(begins_compound), word) &&
             str_has(behind_compound(str_from_byte(text, to)), '$')))
            return true;
    }
    return false;
}

/* After a dollar: $=x and $~x split and match, $x[2,-1] and $x:h are parts of a value. */
static bool changes_value(struct str text)
{
    size_t i = 0;

    if (text.len && strchr("=~^+", text.s[0]))
        return true;
    while (i < text.len && (ascii_is_alnum(text.s[i]) || text.s[i] == '_'))
        i++;
    if (!i && text.len && strchr("@*", text.s[0]))
        i = 1;
    if (!i || i == text.len)
        return false;
    return text.s[i] == '[' ||
           (text.s[i] == ':' && i + 1 < text.len && ascii_is_letter(text.s[i + 1]));
}

/* zsh reads most of bash as bash does. Not: glob qualifiers, which run code; =name; >! as
 * "overwrite"; <1-9>. */
static bool zsh_differs(struct str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i], before = i ? text.s[i - 1] : ' ';
        if (c == '(' && !strchr(" \t\n;&|($<>", before))
            return true;
        if (c == '=' && strchr(" \t\n;&|(", before))
            return true;
        if (c == '!' && (before == '>' || before == '&'))
            return true;
        if (c == '>' && (before == '-' || ascii_is_digit(before)) &&
            str_has(str_slice(text, 0, i), '<'))
            return true;
        if (c == '~' && i + 1 < text.len && text.s[i + 1] == '[')
            return true;
        if (c == '$' && changes_value(str_from_byte(text, i + 1)))
            return true;
    }
    return false;
}

/* path=x sets PATH there, functions[ls]=x makes a command: only names that cannot be special are
 * the same. */
static bool sets_special(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *action = &f->actions.items[i];
        struct str name = action->assignment && action->subject.words.count
                              ? action->subject.words.items[0]
                              : (struct str){0};
        for (size_t n = 0; n < name.len; n++)
            if (!ascii_is_upper(name.s[n]) && !ascii_is_digit(name.s[n]) && name.s[n] != '_')
                return true;
        if (str_ends(name, STR("NULLCMD")))
            return true;
    }
    return false;
}

static struct str shell_doubt(struct arena *a, const struct client_question *q,
                              const struct facts *f, struct str login_shell)
{
    struct str text, chosen = value_text(f->call->input, "shell"),
                     name = path_base(chosen.len ? chosen : login_shell);

    if (f->call->kind != TOOL_SHELL || (q->client->shell == SHELL_BASH && !chosen.len) ||
        !call_command(a, f->call, &text))
        return (struct str){0};
    if (q->client->shell == SHELL_EMBEDDED)
        return is_plain(text)
                   ? (struct str){0}
                   : str_format(
                         a, "%s has a shell of its own, which may read this differently than bash",
                         q->client->title);
    if (name.len == 0 || str_is(name, "bash"))
        return (struct str){0};
    if (str_is(name, "zsh")
            ? !zsh_differs(text) && !pipe_changes_shell(text) && !sets_special(f) && !f->splits
            : is_plain(text))
        return (struct str){0};
    return str_format(a, "it will be read by %.*s, which may read this differently than bash",
                      STR_ARG(name));
}

/* ---- terminals that stay open ---- */

/* In a text that is typed, ! is replaced by earlier commands, and quotes around it do not keep them
 * one word: the next one of `echo '"; touch x; "'` may be `echo "!!"`. And # begins a comment for
 * zsh only if its user wants that. */
static bool means_more_typed(struct str text, bool comments)
{
    bool single = false, twice = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i], before = i ? text.s[i - 1] : '\n',
             next = i + 1 < text.len ? text.s[i + 1] : ' ';
        bool history = c == '!' && !strchr(" \t\n=", next) && !(twice && next == '"');
        bool comment = c == '#' && comments && !twice && strchr(" \t\n;&|()", before);
        if (!single && (history || comment))
            return true;
        if (c == '\'' && !twice)
            single = !single;
        else if (c == '"' && !single)
            twice = !twice;
        else if (c == '\\' && !single)
            i++;
    }
    return false;
}

static struct str terminal_doubt(struct arena *a, const struct client_question *q,
                                 const struct facts *f, struct str login_shell)
{
    struct str text, name = path_base(login_shell);

    if (!q->client->cwd_moves || f->call->kind != TOOL_SHELL || !call_command(a, f->call, &text))
        return (struct str){0};
    if (means_more_typed(text, name.len && !str_is(name, "bash")))
        return str_format(a, "%s types it into a terminal, where ! and # may mean something else",
                          q->client->title);
    if (f->lasting)
        return str_format(
            a, "%s keeps the terminal open: what it defines changes what later commands mean",
            q->client->title);
    return (struct str){0};
}

struct str client_doubt(struct arena *a, const struct client_question *q, const struct facts *f,
                        struct str login_shell)
{
    struct str why = stdin_doubt(a, q, f);

    if (!why.len)
        why = terminal_doubt(a, q, f, login_shell);
    return why.len ? why : shell_doubt(a, q, f, login_shell);
}
