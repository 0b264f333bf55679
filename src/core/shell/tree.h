/* tree.h - a bash text as a tree.
 *
 * The tree keeps what decides meaning and drops the rest: a word is a flat list
 * of parts, each of which knows whether it was quoted; line continuations and
 * comments are gone. It lives in the arena it was parsed in, and its texts are
 * views of the source or of that arena. */
#ifndef SHELL_TREE_H
#define SHELL_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"
#include "base/str.h"

/* A text that exceeds one of these is refused. The longest real command of an agent has 13 kB, and
 * none has more than 33 commands. */
#define SHELL_TEXT_MAX ((size_t)256 * 1024)
#define SHELL_DEPTH_MAX                                                                            \
    100 /* nesting of commands, substitutions and parameters; one level takes some stack */
#define SHELL_NODES_MAX 200000 /* words, parts and commands together */

struct node;
struct param;
struct part;
struct word;
struct word_parts LIST_OF(struct part);
struct words LIST_OF(struct word);
struct nodes LIST_OF(struct node *);

enum part_kind {
    PART_TEXT = 0,
    PART_PARAM,       /* $x ${x...} */
    PART_COMMAND,     /* $(...) */
    PART_BACKTICK,    /* `...` */
    PART_ARITH,       /* $((...)), $[...]; also the inside of ((...)) and of subscripts */
    PART_PROCESS_IN,  /* <(...) */
    PART_PROCESS_OUT, /* >(...) */
};

struct part {
    enum part_kind kind;
    bool quoted;     /* by any means: neither split nor globbed nor special */
    bool escaped;    /* by a backslash outside of quotes */
    bool translated; /* its text is not known: $"...", by the locale; $'...' with bytes that bash
                        itself uses; a backslash at the end of the text */
    bool plain;      /* PART_TEXT: no byte of it STOPS_SPECIAL; false says nothing */
    size_t at, len;  /* in the text that was parsed first; parts of an inner text have the place of
                        the outer one */
    struct str text; /* PART_TEXT: the bytes; PART_ARITH: the expression as written */
    struct param *param; /* PART_PARAM */
    struct node
        *body; /* PART_COMMAND, PART_BACKTICK, PART_PROCESS_*: a list; NULL when it is empty */
    struct word_parts *inner; /* PART_ARITH: texts and expansions in it */
};

struct word {
    struct word_parts parts;
    size_t at, len;
    struct str source;     /* its bytes as they are written; empty: it is the text of its only part
                            */
    struct str name;       /* of the variable, when the word looks like an assignment; else empty */
    size_t value_from;     /* the first part of the value, when `name` is set */
    bool append;           /* name+=value */
    bool subscript;        /* name[...]=value */
    bool array;            /* name=(elements) */
    struct words elements; /* of the array */
};

enum param_form {
    PARAM_PLAIN = 0,
    PARAM_LENGTH,   /* ${#x} */
    PARAM_INDIRECT, /* ${!x} */
    PARAM_NAMES,    /* ${!x*} ${!x@} ${!x[@]} */
};

struct param {
    enum param_form form;
    struct str name;             /* a name, digits or one of @*#?-$! */
    bool has_subscript;          /* [..] */
    struct word_parts subscript; /* empty parts and `all` for [@] and [*] */
    bool all;
    bool star;           /* with `all`: [*] */
    struct str op;       /* "", ":-", "-", "##", "/", "@P", ...; ":" is a slice */
    struct word operand; /* what follows the operator */
    bool odd; /* bash refuses it when it runs, or it has no rule here: `operand` is all of it */
};

enum redirect_op {
    REDIRECT_IN = 0,   /* <   */
    REDIRECT_OUT,      /* >   */
    REDIRECT_APPEND,   /* >>  */
    REDIRECT_CLOBBER,  /* >|  */
    REDIRECT_BOTH,     /* <>  */
    REDIRECT_IN_DUP,   /* <&  */
    REDIRECT_OUT_DUP,  /* >&  */
    REDIRECT_ALL,      /* &>  */
    REDIRECT_ALL_APP,  /* &>> */
    REDIRECT_HERE_DOC, /* << and <<- */
    REDIRECT_HERE_STR, /* <<< */
};

struct redirect {
    enum redirect_op op;
    struct str fd;      /* digits or {name}; empty when not written */
    struct word target; /* of a here-document: its body, as one word */
    bool strip_tabs;    /* <<- */
    bool inert;         /* a here-document with a quoted delimiter */
    struct str delimiter;
    size_t at, len;
};
struct redirects LIST_OF(struct redirect *);

/* The variable that {name}> and {name[1]}> set; empty when there is none. */
static inline struct str redirect_variable(const struct redirect *r)
{
    struct str name = {0}, index;

    if (r->fd.len > 2 && r->fd.s[0] == '{')
        str_cut(str_slice(r->fd, 1, r->fd.len - 1), '[', &name, &index);
    return name;
}

enum node_kind {
    NODE_SIMPLE = 0,
    NODE_LIST,     /* kids, joined by JOIN_SEMI or JOIN_BACKGROUND */
    NODE_AND_OR,   /* kids, joined by JOIN_AND, JOIN_OR */
    NODE_PIPELINE, /* kids, joined by JOIN_PIPE, JOIN_PIPE_ERR */
    NODE_GROUP,    /* { } */
    NODE_SUBSHELL, /* ( ) */
    NODE_IF, /* kids: condition, body, condition, body, ... and the else body when the count is odd
              */
    NODE_WHILE, /* kids: condition, body */
    NODE_UNTIL,
    NODE_FOR, /* name, words (in), kid: body */
    NODE_SELECT,
    NODE_FOR_ARITH, /* words: the three expressions; kid: body */
    NODE_CASE,      /* words[0] is the subject; clauses */
    NODE_FUNCTION,  /* name, kid: body */
    NODE_COPROC,    /* name, kid: command */
    NODE_COND,      /* [[ ]]: words, operators and parentheses among them as plain texts */
    NODE_ARITH,     /* (( )): words[0] */
};

enum node_join {
    JOIN_NONE = 0,
    JOIN_SEMI,
    JOIN_BACKGROUND,
    JOIN_AND,
    JOIN_OR,
    JOIN_PIPE,
    JOIN_PIPE_ERR
};

struct clause {
    struct words patterns;
    struct node *body; /* NULL when it is empty */
    struct str end;    /* ";;", ";&", ";;&" */
};
struct clauses LIST_OF(struct clause);

struct node {
    enum node_kind kind;
    enum node_join join; /* what joins it to the next node of its parent */
    size_t at, len;
    size_t start;         /* in the text it was read from; `at` unless that is an inner text */
    struct words assigns; /* NODE_SIMPLE: the assignments before the command */
    struct words words;
    struct redirects redirects;
    struct nodes kids;
    struct clauses clauses;
    struct str name;
    bool has_in;      /* NODE_FOR, NODE_SELECT: with a list; without one it is "$@" */
    bool negated;     /* NODE_PIPELINE: an odd number of ! */
    bool timed;       /* NODE_PIPELINE: time */
    bool time_posix;  /* NODE_PIPELINE: time -p */
    bool has_keyword; /* NODE_PIPELINE: it begins with ! or time */
    bool whole;       /* NODE_LIST: all of a text */
    bool ends_line;   /* in such a list: a newline follows it */
};

struct tree {
    struct node
        *root; /* a list; NULL when the text has no command; what was read when it was refused */
    const char *why;    /* the sentence when the text was refused, else NULL */
    size_t why_at;      /* byte offset of the refusal */
    size_t nodes;       /* counted against SHELL_NODES_MAX */
    bool extended_glob; /* shopt -s extglob was read */
    bool bash_only;     /* it has something that a plain sh reads in another way */
    size_t
        comment_at; /* where a comment with a quote in it begins, plus one; 0 when there is none */
    size_t unclosed_at; /* where the body of a here-document begins that the end of the text ends,
                           plus one; 0 when there is none */
};

/* Reads the text as bash 5.2 does. What is in the tree is a lower bound when `why` is set. */
void shell_parse(struct arena *a, struct str text, struct tree *out);

/* The canonical form: one line per command, nesting by indentation, every substitution opened. Two
 * texts with the same print run the same commands. */
void shell_print(struct buf *out, const struct node *root);

const char *node_kind_name(enum node_kind kind);   /* "command", "and-or", ... */
const char *redirect_op_name(enum redirect_op op); /* ">>" */

/* A word that was read in one step: its text is all of it. */
static inline bool word_is_literal(const struct word *w)
{
    return w->parts.count == 1 && w->parts.items[0].plain;
}

/* The text of a word whose parts are all plain unquoted text; false for every other word. */
bool word_plain(struct arena *a, const struct word *w, struct str *out);
/* The same with quoted text, too; quotes are removed. */
bool word_join(struct arena *a, const struct word *w, struct str *out);
static inline bool word_static(struct arena *a, const struct word *w, struct str *out)
{
    if (!word_is_literal(w))
        return word_join(a, w, out);
    *out = w->parts.items[0].text;
    return true;
}
bool name_is_identifier(struct str s); /* the name of a variable */

/* Does the command of this name declare variables: export, declare, ...? */
bool name_is_declaring(struct str name);
static inline bool name_declares(struct str name)
{
    return name.len >= sizeof("local") - 1 && name.len <= sizeof("readonly") - 1 &&
           name_is_declaring(name);
}

#endif
