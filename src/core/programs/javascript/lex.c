/* lex.c - JavaScript's bytes as tokens.
 *
 * Refused is whatever runtimes or modes could read differently: controls other than newline and
 * tab, the separators U+2028 and U+2029 (they end a line, and with it a comment) and U+FEFF,
 * letters outside ASCII anywhere but in strings and comments, escapes in names, and <!-- and -->,
 * which are comments in scripts and operators in modules. Whether a slash divides or starts a
 * regular expression is up to the parser, which knows whether a value has just ended. */
#include "base/ascii.h"
#include "base/utf8.h"
#include "programs/javascript/javascript.h"

bool js_bytes_fit(struct str text)
{
    if (text.len > JS_TEXT_MAX || !utf8_valid(text))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (ascii_is_control(text.s[i]) && text.s[i] != '\n' && text.s[i] != '\t')
            return false;
    return !str_contains(text, STR("\u2028")) && !str_contains(text, STR("\u2029")) &&
           !str_contains(text, STR("\ufeff"));
}

static int look(const struct lexer *l, size_t ahead)
{
    return str_byte(l->text, l->at + ahead);
}

static bool is_name_byte(int c)
{
    return c >= 0 && c < 0x80 && (ascii_is_alnum((char)c) || c == '_' || c == '$');
}

static struct token give_up(struct lexer *l)
{
    l->bad = true;
    l->at = l->text.len;
    return (struct token){.kind = TOKEN_END};
}

static struct token take(struct lexer *l, enum token_kind kind, size_t len)
{
    struct token t = {.kind = kind, .text = str_slice(l->text, l->at, l->at + len)};

    l->at += len;
    return t;
}

/* A comment of either kind that starts here; false if it does not end. */
static bool skip_comment(struct lexer *l, bool *line)
{
    if (look(l, 1) == '/') {
        while (look(l, 0) >= 0 && look(l, 0) != '\n')
            l->at++;
        return true;
    }
    for (l->at += 2; look(l, 0) >= 0; l->at++) {
        *line |= look(l, 0) == '\n'; /* a comment with a newline in it ends the line */
        if (look(l, 0) == '*' && look(l, 1) == '/') {
            l->at += 2;
            return true;
        }
    }
    return false;
}

static bool skip_blanks(struct lexer *l, bool *line)
{
    for (;;) {
        int c = look(l, 0);
        if (c == ' ' || c == '\t' || c == '\n') {
            *line |= c == '\n';
            l->at++;
        } else if (c == '/' && (look(l, 1) == '/' || look(l, 1) == '*')) {
            if (!skip_comment(l, line))
                return false;
        } else {
            return true;
        }
    }
}

static size_t digits(const struct lexer *l, size_t from, const char *set)
{
    size_t i = from;

    while (look(l, i) > 0 && strchr(set, look(l, i)))
        i++;
    return i;
}

/* 12, 1.5, .5, 2., 1e9; 0 if it is none of them. 0777 is octal or a syntax error. */
static size_t decimal_length(const struct lexer *l)
{
    static const char set[] = "0123456789";
    size_t end = digits(l, 0, set);

    if (end > 1 && look(l, 0) == '0')
        return 0;
    if (look(l, end) == '.')
        end = digits(l, end + 1, set);
    if (look(l, end) != 'e' && look(l, end) != 'E')
        return end;
    size_t from = end + 1 + (look(l, end + 1) == '-' || look(l, end + 1) == '+');
    end = digits(l, from, set);
    return end == from ? 0 : end;
}

static struct token number(struct lexer *l)
{
    bool hex = look(l, 0) == '0' && (look(l, 1) == 'x' || look(l, 1) == 'X');
    size_t end = hex ? digits(l, 2, "0123456789abcdefABCDEF") : decimal_length(l);

    if (end == 0 || (hex && end == 2) || is_name_byte(look(l, end)))
        return give_up(l);
    return take(l, TOKEN_NUMBER, end);
}

static struct token string(struct lexer *l)
{
    int quote = look(l, 0);

    for (size_t i = 1; look(l, i) >= 0; i++) {
        if (look(l, i) == '\\')
            i++;
        else if (look(l, i) == quote)
            return take(l, TOKEN_STRING, i + 1);
        else if (look(l, i) == '\n')
            break;
    }
    return give_up(l);
}

static struct token word(struct lexer *l)
{
    size_t len = 0;

    while (is_name_byte(look(l, len)))
        len++;
    return take(l, js_is_word(str_slice(l->text, l->at, l->at + len)) ? TOKEN_WORD : TOKEN_NAME,
                len);
}

/* The length of the operator or bracket at the start of `rest`; 0 if we do not take it. */
static size_t mark_length(struct str rest)
{
    static const char *const marks[] = {
        ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "?\?=",
        "=>",   "==",  "!=",  "<=",  ">=",  "&&",  "||",  "?\?", "?.",  "++",  "--",
        "+=",   "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "<<",  ">>",  "**"};

    if (str_starts(rest, STR("<!--")) || str_starts(rest, STR("-->")))
        return 0;
    for (size_t i = 0; i < COUNT(marks); i++)
        if (marks[i][0] == rest.s[0] && str_starts(rest, str_from(marks[i]))) {
            bool choice = str_is(str_from(marks[i]), "?.") && rest.len > 2 &&
                          ascii_is_digit(rest.s[2]); /* a?.5:1 */
            return choice ? 1 : strlen(marks[i]);
        }
    return strchr("{}()[];,<>+-*/%&|^!~?:=.", rest.s[0]) ? 1 : 0;
}

struct token js_token(struct lexer *l)
{
    bool line = false;
    struct token t;

    if (!skip_blanks(l, &line))
        return give_up(l);
    int c = look(l, 0);
    if (c < 0) {
        t = (struct token){.kind = TOKEN_END};
    } else if (c >= 0x80) {
        t = give_up(l);
    } else if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(look(l, 1)))) {
        t = number(l);
    } else if (c == '"' || c == '\'') {
        t = string(l);
    } else if (c == '`') {
        t = take(l, TOKEN_TEMPLATE, 1);
    } else if (is_name_byte(c)) {
        t = word(l);
    } else {
        size_t len = mark_length(str_from_byte(l->text, l->at));
        t = len ? take(l, TOKEN_MARK, len) : give_up(l);
    }
    t.line = line;
    return t;
}

/* The body up to the first slash that is neither escaped nor in [ ], then the flags. */
size_t js_regex_length(struct str rest)
{
    bool class = false;
    size_t i = 1;

    for (; i < rest.len && (rest.s[i] != '/' || class); i++) {
        if (rest.s[i] == '\n' ||
            (rest.s[i] == '\\' && (i + 1 >= rest.len || rest.s[i + 1] == '\n')))
            return 0;
        if (rest.s[i] == '\\')
            i++;
        else if (rest.s[i] == '[' || rest.s[i] == ']')
            class = rest.s[i] == '[';
    }
    if (i >= rest.len)
        return 0;
    for (i++; i < rest.len && is_name_byte((unsigned char)rest.s[i]); i++)
        if (!strchr("dgimsuy", rest.s[i]))
            return 0;
    return i < rest.len && (rest.s[i] == '\\' || (unsigned char)rest.s[i] >= 0x80) ? 0 : i;
}
