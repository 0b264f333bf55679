/* lex.c - Python's bytes as tokens.
 *
 * Refused is whatever versions, encodings or editors could read differently: controls other than
 * newline and tab (a lone CR ends a line), tabs in indentation, letters outside ASCII anywhere but
 * in strings and comments (Python takes the full-width "eval" for eval), a declared encoding. */
#include "base/ascii.h"
#include "programs/python/python.h"

/* In some locales' encodings a byte below 0x80 may be the second half of a letter. Such a byte must
 * not be one with a meaning. */
static bool ends_letter(struct str text, size_t i)
{
    return i > 0 && (unsigned char)text.s[i - 1] >= 0x80 && strchr("\\{}", text.s[i]);
}

/* "# coding: utf-7" in one of the first two lines gives the bytes that follow another meaning. */
static bool declares_encoding(struct str text)
{
    struct str line, rest = text;

    for (size_t i = 0; i < 2; i++) {
        str_cut(rest, '\n', &line, &rest);
        line = str_from_byte(line, str_index(line, '#')); /* empty if there is none */
        if (str_contains_nocase(line, STR("coding:")) || str_contains_nocase(line, STR("coding=")))
            return true;
    }
    return false;
}

bool python_bytes_fit(struct str text)
{
    if (text.len > PYTHON_TEXT_MAX || declares_encoding(text))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if ((ascii_is_control(text.s[i]) && text.s[i] != '\n' && text.s[i] != '\t') ||
            ends_letter(text, i))
            return false;
    return true;
}

static int look(const struct lexer *l, size_t ahead)
{
    return str_byte(l->text, l->at + ahead);
}

static bool is_name_byte(int c)
{
    return c >= 0 && c < 0x80 && (ascii_is_alnum((char)c) || c == '_');
}

static struct token give_up(struct lexer *l)
{
    l->bad = true;
    l->at = l->text.len;
    return (struct token){.kind = TOKEN_END};
}

static struct token take(struct lexer *l, enum token_kind kind, size_t len)
{
    struct token t = {kind, str_slice(l->text, l->at, l->at + len)};

    l->at += len;
    l->begun = true;
    return t;
}

static void skip_comment(struct lexer *l)
{
    while (look(l, 0) >= 0 && look(l, 0) != '\n')
        l->at++;
}

/* Blanks between tokens. A backslash at the end of a line continues it. */
static bool skip_blanks(struct lexer *l)
{
    for (;;) {
        int c = look(l, 0);
        if (c == ' ' || c == '\t' || (c == '\n' && l->brackets && !l->field))
            l->at++;
        else if (c == '\\' && look(l, 1) == '\n' && !l->field)
            l->at += 2;
        else if (c == '#' && !l->field)
            skip_comment(l);
        else
            return c != '\\' && c != '#';
    }
}

static bool push_indent(struct lexer *l, unsigned width)
{
    if (l->depth + 1 == COUNT(l->indents))
        return false;
    l->indents[++l->depth] = width;
    return true;
}

/* At the first token of a line. */
static struct token indentation(struct lexer *l, unsigned width)
{
    l->begun = true;
    if (width > l->indents[l->depth])
        return push_indent(l, width) ? (struct token){.kind = TOKEN_INDENT} : give_up(l);
    while (width < l->indents[l->depth]) {
        l->depth--;
        l->dedents++;
    }
    return width == l->indents[l->depth] ? (struct token){0} : give_up(l);
}

/* Lines that are empty or only a comment do not count for indentation. */
static unsigned skip_empty_lines(struct lexer *l)
{
    unsigned width = 0;

    for (;; width = 0) {
        while (look(l, 0) == ' ') {
            l->at++;
            width++;
        }
        if (look(l, 0) == '#')
            skip_comment(l);
        if (look(l, 0) != '\n')
            return width;
        l->at++;
    }
}

/* The index after the digits that start here; 0 if there are none. */
static size_t digits(const struct lexer *l, size_t from, const char *set)
{
    size_t i = from;

    while (look(l, i) > 0 &&
           (strchr(set, look(l, i)) || (look(l, i) == '_' && i > from && look(l, i - 1) != '_')))
        i++;
    return i == from || look(l, i - 1) == '_' ? 0 : i;
}

/* 12, 1_000, 1.5, .5, 2., 1e9; 0 if it is none of them. 0777 is refused: it was octal in Python
 * 2. */
static size_t decimal_length(const struct lexer *l)
{
    static const char set[] = "0123456789";
    size_t end = ascii_is_digit(look(l, 0)) ? digits(l, 0, set) : 0;

    if (ascii_is_digit(look(l, 0)) &&
        (end == 0 || (end > 1 && look(l, 0) == '0' && look(l, end) != '.')))
        return 0;
    if (look(l, end) == '.')
        end = ascii_is_digit(look(l, end + 1)) ? digits(l, end + 1, set) : end + 1;
    if (end && (look(l, end) == 'e' || look(l, end) == 'E'))
        end = digits(l, end + 1 + (look(l, end + 1) == '-' || look(l, end + 1) == '+'), set);
    return end;
}

static struct token number(struct lexer *l)
{
    bool hex = look(l, 0) == '0' && (look(l, 1) == 'x' || look(l, 1) == 'X');
    size_t end = hex ? digits(l, 2, "0123456789abcdefABCDEF") : decimal_length(l);

    return end == 0 || is_name_byte(look(l, end)) ? give_up(l) : take(l, TOKEN_NUMBER, end);
}

/* From the opening quote on; 0 if the string does not end. */
static size_t string_length(const struct lexer *l, size_t quote)
{
    int q = look(l, quote);
    bool triple = look(l, quote + 1) == q && look(l, quote + 2) == q;
    size_t i = quote + (triple ? 3 : 1);

    for (; look(l, i) >= 0; i++) {
        if (look(l, i) == '\\') {
            i++;
        } else if (look(l, i) == '\n' && !triple) {
            return 0;
        } else if (look(l, i) == q && (!triple || (look(l, i + 1) == q && look(l, i + 2) == q))) {
            return i + (triple ? 3 : 1);
        }
    }
    return 0;
}

static struct token string(struct lexer *l, size_t quote)
{
    size_t end = string_length(l, quote);
    struct literal literal;

    struct str written = str_slice(l->text, l->at, l->at + end);

    /* before 3.12 a field of an f-string could not contain a backslash */
    if (end == 0 || !python_literal(written, &literal) ||
        (l->field && (str_has(written, '\\') || str_has(written, '\n'))))
        return give_up(l);
    return take(l, TOKEN_STRING, end);
}

static struct token word(struct lexer *l)
{
    size_t len = 0;

    while (is_name_byte(look(l, len)))
        len++;
    if (look(l, len) == '"' || look(l, len) == '\'')
        return string(l, len);
    return take(l,
                python_is_keyword(str_slice(l->text, l->at, l->at + len)) ? TOKEN_WORD : TOKEN_NAME,
                len);
}

static size_t mark_length(const struct lexer *l)
{
    static const char *const marks[] = {"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>",
                                        "<<",  "<=",  ">=",  "==",  "!=",  "->", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=",  "|=",  "^="};
    struct str rest = str_from_byte(l->text, l->at);

    if (strchr("()[]{},;", rest.s[0])) /* no other begins with one of these */
        return 1;
    if (str_starts(rest, STR(":=")))
        return l->field && !l->brackets ? 1 : 2; /* f'{x:=5}' is x with a width */
    for (size_t i = 0; i < COUNT(marks); i++)
        if (marks[i][0] == rest.s[0] && str_starts(rest, str_from(marks[i])))
            return strlen(marks[i]);
    return strchr(":.=+-*/%&|^~<>", rest.s[0]) || (l->field && rest.s[0] == '!') ? 1 : 0;
}

static struct token mark(struct lexer *l)
{
    size_t len = mark_length(l);
    char c = l->text.s[l->at];

    if (len == 0)
        return give_up(l);
    if (len == 1 && strchr("([{", c))
        l->brackets++;
    else if (len == 1 && strchr(")]}", c) && l->brackets)
        l->brackets--;
    return take(l, TOKEN_MARK, len);
}

static struct token end_of_text(struct lexer *l)
{
    if (l->begun && !l->field) {
        l->begun = false;
        return (struct token){.kind = TOKEN_LINE};
    }
    l->dedents += l->depth;
    l->depth = 0;
    if (l->dedents == 0)
        return (struct token){.kind = TOKEN_END};
    l->dedents--;
    return (struct token){.kind = TOKEN_DEDENT};
}

/* INDENT or DEDENT at the start of a line; TOKEN_END means neither. */
static struct token begin_line(struct lexer *l)
{
    unsigned width = skip_empty_lines(l);

    if (look(l, 0) < 0)
        return (struct token){0};
    /* versions disagree about the width of a tab and about a continued indentation */
    return look(l, 0) == '\t' || look(l, 0) == '\\' ? give_up(l) : indentation(l, width);
}

struct token python_token(struct lexer *l)
{
    if (!l->begun && !l->brackets && !l->field && !l->dedents) {
        struct token t = begin_line(l);
        if (t.kind != TOKEN_END || l->bad)
            return t;
    }
    if (l->dedents && look(l, 0) >= 0) {
        l->dedents--;
        return (struct token){.kind = TOKEN_DEDENT};
    }
    if (!skip_blanks(l))
        return give_up(l);
    int c = look(l, 0);
    if (c < 0)
        return l->brackets ? give_up(l) : end_of_text(l);
    if (c == '\n') {
        l->at++;
        l->begun = false;
        return l->field ? give_up(l) : (struct token){.kind = TOKEN_LINE};
    }
    if (c >= 0x80)
        return give_up(l);
    if (ascii_is_digit(c) || (c == '.' && ascii_is_digit(look(l, 1))))
        return number(l);
    if (c == '"' || c == '\'')
        return string(l, 0);
    return is_name_byte(c) ? word(l) : mark(l);
}
