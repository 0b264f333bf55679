/* parse.h - what the files of the parser share.
 *
 * The parser works on bytes with one token of look-ahead. lex_look() is the one
 * place where a backslash before a newline vanishes; code that needs the bytes
 * as written calls lex_raw().
 *
 * A refusal is sticky (see parse_refuse()): after it every lex_look() is the end of the
 * text, so every loop ends by itself and no function needs an error path. */
#ifndef SHELL_PARSE_H
#define SHELL_PARSE_H

#include <limits.h>

#include "base/rare.h"
#include "shell/tree.h"

enum token_kind {
    TOK_END = 0,
    TOK_NEWLINE,
    TOK_WORD,
    TOK_FD, /* digits or {name} right before a redirection operator */
    TOK_PIPE,
    TOK_PIPE_ERR,
    TOK_AND,
    TOK_OR,
    TOK_AMPERSAND,
    TOK_SEMI,
    TOK_CASE_END, /* ;; ;& ;;& */
    TOK_OPEN,
    TOK_CLOSE,
    TOK_REDIRECT,
};

struct token {
    enum token_kind kind;
    enum redirect_op op; /* TOK_REDIRECT */
    bool strip_tabs;     /* <<- */
    bool reserved; /* TOK_WORD: the text is one of the words that callers of token_is() ask for */
    size_t at, end;
    struct str
        text; /* TOK_FD, TOK_CASE_END; TOK_WORD: its text when it is plain, for reserved words */
    struct word word; /* TOK_WORD */
};

/* How the word that comes next is to be read. */
enum word_mode {
    WORD_PLAIN = 0,
    WORD_REGEX,     /* right of =~ in [[ ]]: ( ) and | belong to it */
    WORD_PATTERN,   /* right of == in [[ ]]: extended globs whatever shopt says */
    WORD_DELIMITER, /* right of <<: nothing is expanded */
};

struct parser {
    struct arena *arena;
    struct str text;
    size_t pos;
    struct token tok;
    struct tree *tree;        /* refusal and counts, shared with the parsers of inner texts */
    struct redirects pending; /* here-documents with bodies that begin after the next newline */
    enum word_mode mode;
    bool assign_ok;  /* an array may be assigned by the next word */
    bool declaring;  /* the command is declare, export, ...: assignments may follow anywhere */
    bool in_array;   /* between the parentheses of name=( ) */
    bool in_pattern; /* of a case: no assignment, and no command, can begin there */
    bool outer_docs; /* a here-document outside of the substitution we are in still waits for its
                        body: no newline may come */
    unsigned parens; /* $( ) and <( ) around us */
    unsigned depth;
    bool in_doc;   /* in the body of a here-document */
    bool inner;    /* an inner text (backticks, here-document): places are those of the outer one */
    size_t origin; /* then: that place */
};

/* lex.c */
RARE void parse_refuse(struct parser *p, const char *why);               /* at the current byte */
RARE void parse_refuse_at(struct parser *p, size_t at, const char *why); /* first one wins */
RARE int lex_look_past(struct parser *p); /* lex_look() at a backslash, which may continue a line */
bool lex_next_is(struct parser *p, int c); /* lex_look() is c and is taken */
bool lex_follows(struct parser *p, int c); /* the byte after the next one is c */
void parse_bash_only(
    struct parser *p); /* notes what sh reads differently: ((a)) runs a there, $'\'' ends at once */
bool parse_enter(struct parser *p); /* one level deeper; false when that was refused. Always
                                       parse_leave() afterwards */
void parse_leave(struct parser *p);
void lex_next(struct parser *p); /* moves to the next token */
void lex_command(
    struct parser *p); /* the same, past a reserved word after which a command begins */
RARE bool
reserved_is(const struct parser *p,
            const char *reserved); /* token_is() for a token that may be a reserved word */

/* What is asked for every byte is inline. */
static inline bool parse_refused(const struct parser *p)
{
    return p->tree->why != NULL;
}

/* The next byte as it is written; -1 at the end. */
static inline int lex_raw(const struct parser *p)
{
    return p->pos >= p->text.len || parse_refused(p) ? -1 : (unsigned char)p->text.s[p->pos];
}

/* The next byte, continuations removed; -1 at the end. */
static inline int lex_look(struct parser *p)
{
    int c = lex_raw(p);

    return c == '\\' ? lex_look_past(p) : c;
}

static inline size_t lex_place(const struct parser *p, size_t pos)
{
    return p->inner ? p->origin : pos;
}

static inline bool parse_count_nodes(struct parser *p, size_t count) /* false: that was refused */
{
    p->tree->nodes += count;
    if (p->tree->nodes <= SHELL_NODES_MAX)
        return true;
    parse_refuse(p, "the text has too many parts");
    return false;
}
static inline void parse_count_node(struct parser *p)
{
    parse_count_nodes(p, 1);
}

/* Which bytes end a run of plain text outside of quotes, which do so in double quotes, and which
 * end a word; and which may be special in an unquoted word, or worth a finding. */
enum { STOPS_PLAIN = 1, STOPS_DOUBLE = 2, STOPS_WORD = 4, STOPS_SPECIAL = 8 };
extern const unsigned char byte_stops[UCHAR_MAX + 1];

static inline bool byte_is_meta(int c) /* ends a word */
{
    return c < 0 || (byte_stops[c] & STOPS_WORD);
}

static inline bool token_is(const struct parser *p, const char *reserved)
{
    return p->tok.reserved && reserved_is(p, reserved);
}

/* word.c */
void word_read(struct parser *p, struct word *w);
bool word_read_plain(
    struct parser *p,
    struct word *w); /* must not be at the end; false: the word is not that simple */
void words_read_plain(struct parser *p,
                      struct words *out); /* as many of those as follow each other */
void word_double(struct parser *p, struct word *w, bool translated);
void word_single(struct parser *p, struct word *w);
/* 'text' where bash may read the quotes as bytes: nothing special may be between them. `keep`: they
 * stay in the text. */
void word_plain_single(struct parser *p, struct word *w, bool keep, const char *why);
void word_ansi(struct parser *p, struct word *w);
void word_add_text(struct parser *p, struct word *w, struct str text, bool quoted);
struct part *word_add(struct parser *p, struct word *w, enum part_kind kind, size_t at);

/* A text that is one word by itself: what braces make of one. False: it is none. */
bool word_read_again(struct arena *a, struct str text, size_t at, struct word *out);
/* The end of the $( ), <( ) or >( ) that begins at `at`; STR_NONE: it is not read. */
size_t word_substitution_end(struct arena *a, struct str text, size_t at);

/* expand.c */
void word_dollar(struct parser *p, struct word *w, bool quoted);
void word_backtick(struct parser *p, struct word *w, bool quoted);
void word_process(struct parser *p, struct word *w);
/* Reads an expression up to `close`, which is not taken; `))` when it is ')'. */
void arith_read(struct parser *p, struct word *w, char close);
/* Is what follows a first parenthesis, at p->pos, a list of commands that begins with a subshell
 * and no arithmetic? Then `end` is after the parenthesis that closes the first one. */
bool parens_hold_commands(const struct parser *p, bool substitution, size_t *end);

/* param.c */
void word_brace_param(struct parser *p, struct word *w, bool quoted, size_t at);

/* heredoc.c */
void heredoc_delimiter(struct parser *p, struct redirect *r);
void heredoc_bodies(struct parser *p); /* right after a newline */

/* parse.c */
struct node *parse_list(struct parser *p); /* up to a token that cannot begin a command */
struct node *parse_inner_list(struct parser *p);
struct node *node_new(struct parser *p, enum node_kind kind);
struct node *node_finish(struct parser *p, struct node *n);
void parse_redirects(struct parser *p, struct node *n);
struct node *parse_inner_text(struct parser *p, struct str text, size_t at);
void lex_skip_newlines(struct parser *p);
bool name_is_plain(struct str name);
bool token_names_closer(const struct parser *p);           /* a reserved word */
static inline bool token_is_closer(const struct parser *p) /* that cannot begin a command */
{
    return p->tok.reserved && token_names_closer(p);
}
struct node *parse_simple(struct parser *p);
struct node *parse_simple_after(struct parser *p, struct node *n);

/* compound.c */
bool token_names_compound(const struct parser *p); /* a reserved word */
static inline bool token_begins_compound(const struct parser *p)
{
    return p->tok.kind == TOK_OPEN || (p->tok.reserved && token_names_compound(p));
}
struct node *parse_compound(struct parser *p);
RARE struct node *parse_function(struct parser *p, struct str name);
RARE struct node *parse_coproc(struct parser *p);

/* cond.c */
struct node *parse_cond(struct parser *p);

#endif
