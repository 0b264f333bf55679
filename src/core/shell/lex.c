/* lex.c - bytes to tokens. */
#include "base/ascii.h"
#include "shell/parse.h"

/* Stops the parser for good. The first refusal wins: it is the one that the user can act on. */
void parse_refuse_at(struct parser *p, size_t at, const char *why)
{
    if (!p->tree->why) {
        p->tree->why = why;
        p->tree->why_at = lex_place(p, at);
    }
    p->pos = p->text.len;
    p->tok.kind = TOK_END;
}

void parse_refuse(struct parser *p, const char *why)
{
    parse_refuse_at(p, p->pos, why);
}

static bool at_continuation(const struct parser *p)
{
    return p->pos + 1 < p->text.len && p->text.s[p->pos] == '\\' && p->text.s[p->pos + 1] == '\n';
}

int lex_look_past(struct parser *p)
{
    while (at_continuation(p))
        p->pos += 2;
    return lex_raw(p);
}

bool lex_next_is(struct parser *p, int c)
{
    if (lex_look(p) != c)
        return false;
    p->pos++;
    return true;
}

bool lex_follows(struct parser *p, int c)
{
    lex_look(p);
    size_t before = p->pos++;
    bool yes = lex_look(p) == c;

    p->pos = before;
    return yes;
}

void parse_bash_only(struct parser *p)
{
    p->tree->bash_only = true;
}

bool parse_enter(struct parser *p)
{
    if (++p->depth > SHELL_DEPTH_MAX)
        parse_refuse(p, "the text is nested too deeply");
    return !parse_refused(p);
}

void parse_leave(struct parser *p)
{
    p->depth--;
}

/* clang-format off */
const unsigned char byte_stops[UCHAR_MAX + 1] = {
    ['\0'] = 11, ['"'] = 3, ['\\'] = 3, ['$'] = 3, ['`'] = 3,
    [' '] = 5, ['\t'] = 5, ['\n'] = 5, ['|'] = 5, ['&'] = 5, [';'] = 5, ['('] = 13, [')'] = 5, ['<'] = 5, ['>'] = 5,
    ['\''] = 1, ['='] = 1, ['['] = 9, ['?'] = 9, ['*'] = 9, ['+'] = 1, ['@'] = 1, ['!'] = 1,
    ['~'] = 8, ['{'] = 8, ['#'] = 8,
};
/* clang-format on */

bool reserved_is(const struct parser *p, const char *reserved)
{
    return p->tok.kind == TOK_WORD && str_is(p->tok.text, reserved);
}

/* A backslash at the end of a comment line does not continue it: raw bytes. */
static void skip_comment(struct parser *p)
{
    size_t start = p->pos;

    for (int c; (c = lex_raw(p)) >= 0 && c != '\n'; p->pos++)
        if ((c == '"' || c == '\'' || c == '`') && !p->tree->comment_at)
            p->tree->comment_at = lex_place(p, start) + 1;
}

/* Returns lex_look() at what follows. Blanks are ASCII only: CR, FF, VT and Unicode spaces are
 * ordinary bytes of a word for bash. */
static inline int skip_blanks(struct parser *p)
{
    int c;

    while (ascii_is_blank(c = lex_look(p)))
        p->pos++;
    if (c != '#')
        return c;
    skip_comment(p);
    return lex_look(p);
}

static void set_redirect(struct parser *p, enum redirect_op op)
{
    p->tok.kind = TOK_REDIRECT;
    p->tok.op = op;
    if (op == REDIRECT_HERE_STR || op == REDIRECT_ALL || op == REDIRECT_ALL_APP)
        parse_bash_only(p);
}

static void lex_less(struct parser *p)
{
    if (lex_next_is(p, '<')) {
        if (lex_next_is(p, '<')) {
            set_redirect(p, REDIRECT_HERE_STR);
        } else {
            set_redirect(p, REDIRECT_HERE_DOC);
            p->tok.strip_tabs = lex_next_is(p, '-');
        }
    } else if (lex_next_is(p, '&')) {
        set_redirect(p, REDIRECT_IN_DUP);
    } else if (lex_next_is(p, '>')) {
        set_redirect(p, REDIRECT_BOTH);
    } else {
        set_redirect(p, REDIRECT_IN);
    }
}

static void lex_greater(struct parser *p)
{
    if (lex_next_is(p, '>'))
        set_redirect(p, REDIRECT_APPEND);
    else if (lex_next_is(p, '&'))
        set_redirect(p, REDIRECT_OUT_DUP);
    else if (lex_next_is(p, '|'))
        set_redirect(p, REDIRECT_CLOBBER);
    else
        set_redirect(p, REDIRECT_OUT);
}

static void lex_ampersand(struct parser *p)
{
    if (lex_next_is(p, '&'))
        p->tok.kind = TOK_AND;
    else if (!lex_next_is(p, '>'))
        p->tok.kind = TOK_AMPERSAND;
    else
        set_redirect(p, lex_next_is(p, '>') ? REDIRECT_ALL_APP : REDIRECT_ALL);
}

static void lex_pipe(struct parser *p)
{
    if (lex_next_is(p, '|'))
        p->tok.kind = TOK_OR;
    else
        p->tok.kind = lex_next_is(p, '&') ? TOK_PIPE_ERR : TOK_PIPE;
    if (p->tok.kind == TOK_PIPE_ERR)
        parse_bash_only(p);
}

static void lex_semicolon(struct parser *p)
{
    p->tok.kind = TOK_CASE_END;
    if (lex_next_is(p, '&'))
        p->tok.text = STR(";&");
    else if (!lex_next_is(p, ';'))
        p->tok.kind = TOK_SEMI;
    else
        p->tok.text = lex_next_is(p, '&') ? STR(";;&") : STR(";;");
}

static void lex_newline(struct parser *p)
{
    p->tok.kind = TOK_NEWLINE;
    if (p->outer_docs)
        parse_refuse(p, "a newline inside a substitution while a here-document waits for its body");
    heredoc_bodies(p);
}

static void lex_operator(struct parser *p, int c)
{
    p->pos++;
    switch (c) {
    case '\n':
        lex_newline(p);
        break;
    case '|':
        lex_pipe(p);
        break;
    case '&':
        lex_ampersand(p);
        break;
    case ';':
        lex_semicolon(p);
        break;
    case '<':
        lex_less(p);
        break;
    case '>':
        lex_greater(p);
        break;
    default:
        p->tok.kind = c == '(' ? TOK_OPEN : TOK_CLOSE;
        break;
    }
}

static bool all_digits(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.s[i] < '0' || s.s[i] > '9')
            return false;
    return s.len > 0;
}

/* {name}, or {name[1]} with a number: another subscript is arithmetic. */
static bool braced_name(struct str s)
{
    struct str name, index;

    if (s.len < 3 || s.s[0] != '{' || s.s[s.len - 1] != '}')
        return false;
    if (!str_cut(str_slice(s, 1, s.len - 1), '[', &name, &index))
        return name_is_identifier(name);
    return name_is_identifier(name) && str_ends(index, STR("]")) &&
           all_digits(str_slice(index, 0, index.len - 1));
}

/* 2>x and {fd}>x: the word belongs to the operator that touches it. */
RARE static void take_fd(struct parser *p)
{
    if (all_digits(p->tok.text)) {
        p->tok.kind = TOK_FD;
        if (p->tok.text.len > 9)
            parse_refuse(p, "the file descriptor is too large"); /* bash would read it as a word */
    } else if (braced_name(p->tok.text)) {
        p->tok.kind = TOK_FD;
    } else if (p->tok.text.s[0] == '{' && p->tok.text.s[p->tok.text.len - 1] == '}') {
        parse_refuse(p, "braces before a redirection that do not hold a plain name");
    }
}

static bool is_comparison(struct str text)
{
    static const char *const words[] = {"-eq", "-ne", "-lt", "-le", "-gt",
                                        "-ge", "-nt", "-ot", "-ef"};

    return STR_IN(text, words);
}

/* The words that callers of token_is() ask for, by their first byte. */
static bool is_reserved(struct str text)
{
    switch (text.s[0]) {
    case '!':
        return str_is(text, "!") || str_is(text, "!=");
    case '-':
        return str_is(text, "--") || str_is(text, "-p") || is_comparison(text);
    case '=':
        return str_is(text, "=") || str_is(text, "==") || str_is(text, "=~");
    case '[':
        return str_is(text, "[[");
    case ']':
        return str_is(text, "]]");
    case '{':
        return str_is(text, "{");
    case '}':
        return str_is(text, "}");
    case 'c':
        return str_is(text, "case") || str_is(text, "coproc");
    case 'd':
        return str_is(text, "do") || str_is(text, "done");
    case 'e':
        return str_is(text, "elif") || str_is(text, "else") || str_is(text, "esac");
    case 'f':
        return str_is(text, "fi") || str_is(text, "for") || str_is(text, "function");
    case 'i':
        return str_is(text, "if") || str_is(text, "in");
    case 's':
        return str_is(text, "select");
    case 't':
        return str_is(text, "then") || str_is(text, "time");
    case 'u':
        return str_is(text, "until");
    case 'w':
        return str_is(text, "while");
    default:
        return false;
    }
}

/* The lengths of those words, as bits, by their first byte: most words are none of them. */
static inline bool may_be_reserved(struct str text)
{
#define LENGTHS(a, b, c) (1u << (a) | 1u << (b) | 1u << (c))
    static const unsigned short lengths[UCHAR_MAX + 1] = {
        ['!'] = LENGTHS(1, 2, 2), ['{'] = LENGTHS(1, 1, 1), ['}'] = LENGTHS(1, 1, 1),
        ['['] = LENGTHS(2, 2, 2), [']'] = LENGTHS(2, 2, 2), ['='] = LENGTHS(1, 2, 2),
        ['-'] = LENGTHS(2, 2, 3), ['c'] = LENGTHS(4, 6, 6), ['d'] = LENGTHS(2, 4, 4),
        ['e'] = LENGTHS(4, 4, 4), ['f'] = LENGTHS(2, 3, 8), ['i'] = LENGTHS(2, 2, 2),
        ['s'] = LENGTHS(6, 6, 6), ['t'] = LENGTHS(4, 4, 4), ['u'] = LENGTHS(5, 5, 5),
        ['w'] = LENGTHS(5, 5, 5),
    };
#undef LENGTHS

    return text.len && text.len <= 8 && (lengths[(unsigned char)text.s[0]] >> text.len & 1u);
}

static void lex_word(struct parser *p)
{
    if (word_read_plain(p, &p->tok.word)) {
        p->tok.text = p->tok.word.parts.items[0].text;
    } else {
        struct word w = {0}; /* not in p->tok: a substitution in it has tokens of its own */
        word_read(p, &w);
        p->tok.word = w;
        word_plain(p->arena, &p->tok.word, &p->tok.text);
    }
    p->tok.kind = TOK_WORD;
    p->tok.reserved = may_be_reserved(p->tok.text) && is_reserved(p->tok.text);
    int c = lex_look(p);
    if ((c == '<' || c == '>') && p->tok.text.len)
        take_fd(p);
}

/* Where an array may be assigned: until the first word that is not an assignment, and after declare
 * and similar commands; never in the patterns of a case. */
static inline void update_assign_ok(struct parser *p)
{
    enum token_kind kind = p->tok.kind;

    if (kind == TOK_WORD) {
        p->assign_ok = p->declaring || (p->assign_ok && p->tok.word.name.len > 0);
    } else if (kind != TOK_FD && kind != TOK_REDIRECT) {
        p->assign_ok = !p->in_pattern;
        p->declaring = false;
    }
}

void lex_next(struct parser *p)
{
    update_assign_ok(p);
    p->tok = (struct token){0};
    int c = skip_blanks(p);
    p->tok.at = p->pos;
    if (c < 0)
        p->tok.kind = TOK_END;
    else if (!byte_is_meta(c) || ((c == '<' || c == '>') && lex_follows(p, '(')) ||
             (p->mode == WORD_REGEX && (c == '(' || c == '|')))
        lex_word(p);
    else
        lex_operator(p, c);
    p->tok.end = p->pos;
    if (parse_refused(p))
        p->tok.kind = TOK_END;
}

/* Past a reserved word after which a command begins. */
void lex_command(struct parser *p)
{
    p->tok.kind = TOK_SEMI;
    lex_next(p);
}
