/* awk.c - whether an awk program only computes and prints.
 *
 * awk has an old trap: a slash divides or starts a regular expression, and only the grammar says
 * which. A reader that guesses wrong takes code for text. So the words that run, read or reveal
 * something are searched for everywhere, even inside strings. Only '>', '|', '@' and a bare
 * "system", which are common in strings, are left to a tokeniser, and it doubts the program where
 * it cannot tell. */
#include "base/ascii.h"
#include "programs/reading.h"

/* Words that are refused anywhere in the program. ARGV and ARGC choose the files that are read
 * next; SYMTAB reaches every variable. */
static const struct {
    const char *word;
    unsigned effect;
    bool called; /* only where '(' follows */
} words[] = {
    {"system", EFFECT_CODE, true},      {"extension", EFFECT_CODE, true},
    {"getline", EFFECT_UNKNOWN, false}, {"ARGV", EFFECT_UNKNOWN, false},
    {"ARGC", EFFECT_UNKNOWN, false},    {"ARGIND", EFFECT_UNKNOWN, false},
    {"SYMTAB", EFFECT_UNKNOWN, false},  {"FUNCTAB", EFFECT_UNKNOWN, false},
    {"ENVIRON", EFFECT_SECRETS, false},
};

/* The kind of the last token: whether a slash after it divides. */
enum last { LAST_OPERATOR, LAST_OPERAND, LAST_UNSURE };

struct program {
    struct reading *r;
    struct piece p;
    struct str text;
    size_t at;
    enum last last;
    unsigned parens;
    bool printing; /* in a print statement */
    bool bad;
};

static void give_up(struct program *a)
{
    a->bad = true;
    doubt(a->r, a->p.word);
}

static int look(const struct program *a, size_t ahead)
{
    return str_byte(a->text, a->at + ahead);
}

static bool has_word(struct str text, struct str word, bool called)
{
    const char *at;

    for (; text.len && (at = memmem(text.s, text.len, word.s, word.len));
         text = str_from_byte(text, 1)) {
        text = str_from_byte(text, (size_t)(at - text.s));
        size_t next = word.len;
        while (called && next < text.len && strchr(" \t\r\n\f\v\\", text.s[next]))
            next++;
        if (!called || (next < text.len && text.s[next] == '('))
            return true;
    }
    return false;
}

static bool find_words(struct program *a)
{
    bool found = false;

    for (size_t i = 0; i < COUNT(words); i++)
        if (has_word(a->text, str_from(words[i].word), words[i].called)) {
            a->r->out->effects |= words[i].effect;
            found |= words[i].effect != EFFECT_SECRETS;
        }
    return found;
}

static void skip_string(struct program *a)
{
    for (a->at++; look(a, 0) != '"'; a->at++) {
        if (look(a, 0) < 0 || look(a, 0) == '\n') {
            give_up(a);
            return;
        }
        if (look(a, 0) == '\\')
            a->at++;
    }
    a->at++;
    a->last = LAST_OPERAND;
}

static bool ends_line(int c)
{
    return c < 0 || c == '\n';
}

/* From "[:" to the ']' after the next ":". */
static void skip_class(struct program *a, int kind)
{
    for (a->at += 2; !(look(a, 0) == kind && look(a, 1) == ']'); a->at++)
        if (ends_line(look(a, 0)) || look(a, 0) == '/') {
            give_up(a);
            return;
        }
    a->at++;
}

/* From '[' to the ']' that ends the brackets, as POSIX reads them. Some awks end the expression at
 * a slash in the brackets, others do not. */
static void skip_brackets(struct program *a)
{
    a->at++;
    if (look(a, 0) == '^')
        a->at++;
    if (look(a, 0) == ']')
        a->at++;
    for (; !a->bad && look(a, 0) != ']'; a->at++) {
        int c = look(a, 0), kind = look(a, 1);
        if (ends_line(c) || c == '/')
            give_up(a);
        else if (c == '\\')
            a->at++;
        else if (c == '[' && (kind == ':' || kind == '.' || kind == '='))
            skip_class(a, kind);
    }
}

static void skip_regex(struct program *a)
{
    for (a->at++; !a->bad && look(a, 0) != '/'; a->at++) {
        if (ends_line(look(a, 0)))
            give_up(a);
        else if (look(a, 0) == '\\')
            a->at++;
        else if (look(a, 0) == '[')
            skip_brackets(a);
    }
    a->at++;
    a->last = LAST_OPERAND;
}

static void skip_name(struct program *a)
{
    static const char *const before_regex[] = {"print", "printf", "return", "exit",
                                               "in",    "else",   "do",     "case"};
    size_t from = a->at;

    while (ascii_is_name(look(a, 0)))
        a->at++;
    struct str name = str_slice(a->text, from, a->at);
    a->last = str_is(name, "length") ? LAST_UNSURE : LAST_OPERAND;
    for (size_t i = 0; i < COUNT(before_regex); i++)
        if (str_is(name, before_regex[i]))
            a->last = LAST_OPERATOR;
    if (str_is(name, "print") || str_is(name, "printf"))
        a->printing = true;
    if (str_is(name, "system")) { /* the awk of macOS and the BSDs needs no parenthesis: a bare
                                     system runs the line it has read */
        a->r->out->effects |= EFFECT_CODE;
        give_up(a);
    }
}

/* A number, or the dot in one: an operand (1./x divides), and never part of the name before it
 * (print.5). */
static void skip_dot(struct program *a)
{
    a->at++;
    a->last = LAST_OPERAND;
}

static void read_slash(struct program *a)
{
    if (a->last == LAST_UNSURE) {
        give_up(a);
    } else if (a->last == LAST_OPERATOR) {
        skip_regex(a);
    } else {
        a->at++;
        a->last = LAST_OPERATOR;
    }
}

/* Operators and brackets, among them the bytes that can do harm. */
static void read_mark(struct program *a, int c)
{
    a->at++;
    a->last = LAST_OPERATOR;
    if (c == '(') {
        a->parens++;
    } else if (c == ')') {
        a->parens -= a->parens > 0;
        a->last = LAST_UNSURE; /* if (x) /re/ and (x) / y */
    } else if (c == ']') {
        a->last = LAST_OPERAND;
    } else if ((c == '+' || c == '-') && look(a, 0) == c) {
        a->at++;
        a->last = LAST_UNSURE;
    } else if (c == ';' || c == '}') {
        a->printing = false;
        a->parens = 0;
    } else if (c == '|' && look(a, 0) == '|') {
        a->at++;
    } else if (c == '|' || c == '@' || c == '`' || (c == '>' && a->printing && !a->parens)) {
        give_up(a);
    }
}

static void read_token(struct program *a)
{
    int c = look(a, 0);

    if (c == ' ' || c == '\t')
        a->at++;
    else if (c == '\\' && look(a, 1) == '\n')
        a->at += 2; /* a continued line */
    else if (c == '\\' || c == '\r' || c == '\f' || c == '\v')
        give_up(a); /* some awks take it for a blank, others for an error */
    else if (c == '#')
        while (look(a, 0) >= 0 && look(a, 0) != '\n')
            a->at++;
    else if (c == '"')
        skip_string(a);
    else if (c == '/')
        read_slash(a);
    else if (c == '.')
        skip_dot(a);
    else if (ascii_is_name(c))
        skip_name(a);
    else
        read_mark(a, c);
}

void read_awk(struct reading *r, struct piece p)
{
    struct program a = {.r = r, .p = p, .text = p.text, .last = LAST_OPERATOR};

    if (!p.known || find_words(&a)) {
        give_up(&a);
        return;
    }
    if (!str_has(a.text, '>') && !str_has(a.text, '|') && !str_has(a.text, '@') &&
        !str_contains(a.text, STR("system")))
        return;
    while (!a.bad && a.at < a.text.len)
        read_token(&a);
}

/* An operand of awk: a file, except that gawk connects to the host in /inet/tcp/0/HOST/PORT, and in
 * /inet4 and /inet6. */
void read_awkfile(struct reading *r, struct piece p)
{
    if (str_starts(p.text, STR("/inet")))
        r->out->effects |= EFFECT_NETWORK;
    add_path(r, p, PROGRAM_READS, false);
}
