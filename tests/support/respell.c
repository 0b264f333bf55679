#include "support/respell.h"

#include "base/ascii.h"
#include "shell/tree.h"

/* ---- places in a text ---- */

struct span {
    size_t at, len;
};
struct spans LIST_OF(struct span);

/* Bytes that mean nothing to a shell anywhere in a word, so that quotes around them change
 * nothing. */
static bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && !(s.s[i] && strchr("_./:@%+,=-", s.s[i])))
            return false;
    return s.len > 0;
}

static void add_word(struct arena *a, struct str text, const struct word *w, struct spans *out)
{
    if (w->at + w->len <= text.len && is_plain(str_slice(text, w->at, w->at + w->len)))
        LIST_PUSH(a, out, (struct span){w->at, w->len});
}

/* bash takes name=( ) among the words only after an unquoted name, such as let or declare. */
static bool takes_array(const struct node *n)
{
    for (size_t i = 0; i < n->words.count; i++)
        if (n->words.items[i].array)
            return true;
    return false;
}

/* The plain words of simple commands and redirections, outside of substitutions. */
static void add_words(struct arena *a, struct str text, const struct node *n, struct spans *out)
{
    for (size_t i = takes_array(n); n->kind == NODE_SIMPLE && i < n->words.count; i++)
        add_word(a, text, &n->words.items[i], out);
    for (size_t i = 0; i < n->redirects.count; i++)
        if (n->redirects.items[i]->op != REDIRECT_HERE_DOC)
            add_word(a, text, &n->redirects.items[i]->target, out);
    for (size_t i = 0; i < n->kids.count; i++)
        add_words(a, text, n->kids.items[i], out);
    for (size_t i = 0; i < n->clauses.count; i++)
        if (n->clauses.items[i].body)
            add_words(a, text, n->clauses.items[i].body, out);
}

static bool parse(struct arena *a, struct str text, struct tree *tree)
{
    shell_parse(a, text, tree);
    return !tree->why && tree->root;
}

static bool pick_word(struct arena *a, struct dice *d, struct str text, struct span *out)
{
    struct spans words = {0};
    struct tree tree;

    if (!parse(a, text, &tree))
        return false;
    add_words(a, text, tree.root, &words);
    if (words.count)
        *out = words.items[dice_below(d, words.count)];
    return words.count > 0;
}

static struct str replace(struct arena *a, struct str text, struct span place, struct str by)
{
    struct buf b = buf_in(a);

    buf_add(&b, str_slice(text, 0, place.at));
    buf_add(&b, by);
    buf_add(&b, str_from_byte(text, place.at + place.len));
    return buf_str(&b);
}

/* ---- inside words ---- */

static void quote_piece(struct buf *b, struct dice *d, struct str piece)
{
    switch (dice_below(d, 5)) {
    case 0:
        buf_format(b, "'%.*s'", STR_ARG(piece));
        break;
    case 1:
        buf_format(b, "\"%.*s\"", STR_ARG(piece));
        break;
    case 2:
        buf_text(b, "$'");
        for (size_t i = 0; i < piece.len; i++)
            buf_format(b, dice_below(d, 2) ? "\\x%02x" : "\\%03o", (unsigned)piece.s[i]);
        buf_text(b, "'");
        break;
    case 3:
        for (size_t i = 0; i < piece.len; i++)
            buf_format(b, "\\%c", piece.s[i]);
        break;
    default:
        buf_add(b, piece);
        break;
    }
}

static bool requote(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    struct buf b = buf_in(a);
    struct span word;

    if (!pick_word(a, d, text, &word))
        return false;
    for (size_t at = 0, len; at < word.len; at += len) {
        len = 1 + dice_below(d, word.len - at);
        quote_piece(&b, d, str_slice(text, word.at + at, word.at + at + len));
    }
    *out = replace(a, text, word, buf_str(&b));
    return true;
}

static bool add_nothing(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    static const char *const nothing[] = {"\"\"", "''", "$''", "\"\"''"};
    struct span word;

    if (!pick_word(a, d, text, &word))
        return false;
    size_t at = word.at + dice_below(d, word.len + 1);
    *out = replace(a, text, (struct span){at, 0}, str_from(nothing[dice_below(d, COUNT(nothing))]));
    return true;
}

/* Where a line continuation vanishes: not in single quotes, and not after a backslash. This small
 * quote reader stops at anything it is not sure about. */
static size_t skip_quoted(struct str text, size_t i)
{
    bool ansi = i > 0 && text.s[i - 1] == '$';

    for (i++; i < text.len && text.s[i] != '\''; i++)
        if (ansi && text.s[i] == '\\')
            i++;
    return i;
}

static void join_places(struct arena *a, struct str text, struct spans *out)
{
    bool quotes = false, twice = false;

    for (size_t i = 0; i < text.len; i++) {
        struct str rest = str_from_byte(text, i);
        twice |= str_starts(rest, STR("((")) || str_starts(rest, STR("(\\\n("));
        if (text.s[i] == '#' || text.s[i] == '`' || str_starts(rest, STR("<<")) ||
            (quotes && str_starts(rest, STR("$"))))
            return;
        /* the end of (( )) is one token in bash, and ((a)\<newline>; b) an error */
        if (!(i && text.s[i - 1] == ')' && (twice || text.s[i] == ')')))
            LIST_PUSH(a, out, (struct span){i, 0});
        if (text.s[i] == '\\')
            i++;
        else if (text.s[i] == '"')
            quotes = !quotes;
        else if (text.s[i] == '\'' && !quotes)
            i = skip_quoted(text, i);
    }
}

static bool join_lines(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    struct spans places = {0};
    struct tree tree;

    if (!parse(a, text, &tree))
        return false;
    join_places(a, text, &places);
    if (places.count)
        *out = replace(a, text, places.items[dice_below(d, places.count)], STR("\\\n"));
    return places.count > 0;
}

/* ---- around commands ---- */

static const char *const builtins[] = {
    ".",        "alias",    "bind",     "break",    "builtin", "caller", "cd",      "command",
    "compgen",  "complete", "continue", "dirs",     "disown",  "enable", "eval",    "exec",
    "exit",     "export",   "fc",       "fg",       "getopts", "hash",   "help",    "history",
    "jobs",     "let",      "local",    "logout",   "mapfile", "popd",   "pushd",   "read",
    "readonly", "bg",       "return",   "set",      "shift",   "shopt",  "source",  "suspend",
    "times",    "trap",     "type",     "typeset",  "umask",   "ulimit", "unalias", "unset",
    "wait",     "compopt",  "declare",  "readarray"};

static bool is_builtin(struct str name)
{
    for (size_t i = 0; i < COUNT(builtins); i++)
        if (str_is(name, builtins[i]))
            return true;
    return false;
}

/* Is the text one simple command that runs a program, so that a wrapper can be put before it? */
static bool is_one_program(struct arena *a, struct str text)
{
    struct tree tree;
    struct str name;

    if (!parse(a, text, &tree))
        return false;
    const struct node *n = tree.root;
    for (; n->kind != NODE_SIMPLE; n = n->kids.items[0])
        if (n->kids.count != 1 || n->has_keyword || n->join > JOIN_SEMI ||
            (n->kind != NODE_LIST && n->kind != NODE_AND_OR && n->kind != NODE_PIPELINE))
            return false;
    return n->assigns.count == 0 && n->words.count && n->join <= JOIN_SEMI && n->at == 0 &&
           word_static(a, &n->words.items[0], &name) && !is_builtin(name);
}

static bool put_word_before(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    static const char *const words[] = {"env",         "command",    "nice",    "nohup",
                                        "timeout 5",   "nice -n 5",  "env A=b", "command --",
                                        "timeout 5m ", "env -u A ",  "time",    "nice -5",
                                        "env --",      "stdbuf -oL", "setsid",  "time -p"};

    if (!is_one_program(a, text))
        return false;
    *out = str_format(a, "%s %.*s", words[dice_below(d, COUNT(words))], STR_ARG(text));
    return true;
}

static void single_quote(struct buf *b, struct str text)
{
    buf_byte(b, '\'');
    for (size_t i = 0; i < text.len; i++)
        if (text.s[i] == '\'')
            buf_text(b, "'\\''");
        else
            buf_byte(b, text.s[i]);
    buf_byte(b, '\'');
}

static bool make_text(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    static const char *const shells[] = {"sh -c ",        "bash -c ",     "eval ",
                                         "bash -ec ",     "/bin/sh -c ",  "bash -c -- ",
                                         "command eval ", "env bash -c ", "bash --norc -c ",
                                         "sh -ec ",       "eval -- "};
    struct buf b = buf_in(a);

    buf_text(&b, shells[dice_below(d, COUNT(shells))]);
    single_quote(&b, text);
    *out = buf_str(&b);
    return true;
}

/* Does one of its words contain this one, in any quotes? */
static bool names(struct arena *a, const struct node *n, const char *word)
{
    struct str text;

    for (size_t i = 0; i < n->words.count; i++)
        if (word_static(a, &n->words.items[i], &text) && str_contains(text, str_from(word)))
            return true;
    for (size_t i = 0; i < n->kids.count; i++)
        if (names(a, n->kids.items[i], word))
            return true;
    for (size_t i = 0; i < n->clauses.count; i++)
        if (n->clauses.items[i].body && names(a, n->clauses.items[i].body, word))
            return true;
    return false;
}

static bool put_between(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    static const struct {
        const char *before, *behind;
    } pairs[] = {
        {"warder_f() { ", "\n}\nwarder_f"},
        {"( ", "\n)"},
        {"{ ", "\n}"},
        {"if true; then ", "\nfi"},
        {"if false; then :; else ", "\nfi"},
        {"! { ", "\n}"},
        {"while :; do ", "\nbreak; done"},
        {"for warder_i in 1; do ", "\ndone"},
        {"case x in x) ", "\n;; esac"},
        {"( ( ", "\n) )"},
        {"{ ", "\n} 2>/dev/null"},
        {"( ", "\n) && true"},
        {"true && { ", "\n}"},
        {"false || { ", "\n}"},
    };
    size_t i = dice_below(d, COUNT(pairs));
    struct tree tree;

    if (!parse(a, text, &tree) || str_ends(text, STR("\\")))
        return false;
    if (tree.unclosed_at)
        return false; /* its here-document takes what is put behind it */
    if (i == 0 && str_contains(text, STR("warder_f")))
        return false; /* it would call itself */
    if (i == 0 && (names(a, tree.root, "local") || names(a, tree.root, "return")))
        return false; /* fails outside a function */
    if (i == 0 && (names(a, tree.root, "declare") || names(a, tree.root, "typeset")))
        return false; /* hides a variable from outside there */
    if (str_ends(str_from(pairs[i].before), STR("do ")) &&
        (names(a, tree.root, "break") || names(a, tree.root, "continue")))
        return false; /* fails outside a loop */
    *out = str_format(a, "%s%.*s%s", pairs[i].before, STR_ARG(text), pairs[i].behind);
    return true;
}

/* Is it one pipeline? Then no part of the text depends on whether another part ran. */
static bool is_one_pipeline(const struct tree *tree)
{
    return tree->root->kids.count == 1 && tree->root->kids.items[0]->kind != NODE_AND_OR;
}

static bool put_before(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    static const char *const before[] = {
        "true; ", "pwd\n", "ls\n", "echo ok; ", "pwd >/dev/null\n", "# it's\n", "date; ", "(id); ",
        "warder_x=1\n", "ls | wc -l; ", "echo a; \n\n", "sleep 1 & ", "cd .\n",
        /* from here on the text may run or not */
        "false || ", "[[ a = a ]] && ", "ls && ", ": && ", "cd . && "};
    const size_t sure = COUNT(before) - 5;
    struct tree tree;

    if (!parse(a, text, &tree))
        return false;
    *out = str_format(a, "%s%.*s",
                      before[dice_below(d, is_one_pipeline(&tree) ? COUNT(before) : sure)],
                      STR_ARG(text));
    return true;
}

static bool put_behind(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    static const char *const behind[] = {"\ntrue",     "\n# that's all", "\necho ok",
                                         "\nls | cat", "\n:\n",          "\n\n"};
    struct tree tree;

    if (!parse(a, text, &tree) || str_ends(text, STR("\\")))
        return false;
    *out = str_format(a, "%.*s%s", STR_ARG(text), behind[dice_below(d, COUNT(behind))]);
    return true;
}

bool respell_padded(struct arena *a, struct dice *d, struct str text, struct str *out)
{
    static const char *const no_ops[] = {"true; ", ":\n", "#\n", "true\n", ":;"};
    const char *no_op = no_ops[dice_below(d, COUNT(no_ops))];
    struct buf b = buf_in(a);
    struct tree tree;

    if (!parse(a, text, &tree) || str_ends(text, STR("\\")))
        return false;
    if (dice_below(d, 2)) {
        buf_add(&b, text);
        buf_byte(&b, '\n');
        text = (struct str){0};
    }
    for (size_t i = 0; i < RESPELL_PADDING; i++)
        buf_text(&b, no_op);
    buf_add(&b, text);
    *out = buf_str(&b);
    return true;
}

const struct respelling respellings[] = {
    {"words in other quotes", requote},        {"nothing in quotes", add_nothing},
    {"a line that goes on", join_lines},       {"a word in front", put_word_before},
    {"a text for a shell", make_text},         {"inside another command", put_between},
    {"behind something harmless", put_before}, {"in front of something harmless", put_behind},
};
const size_t respelling_count = COUNT(respellings);
