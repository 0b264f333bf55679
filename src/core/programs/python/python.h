/* python.h - what the files of the Python reader share: a text as tokens, as a tree, and what is
 * known of its names.
 *
 * lex.c     bytes to tokens
 * text.c    what a string is
 * tree.c    tokens to a tree: what all parts of the parser need
 * expr.c    expressions
 * format.c  the expressions in f-strings
 * args.c    arguments and parameters
 * stmt.c    statements
 * names.c   what may be used: the tables
 * paths.c   which files it opens
 * read.c    the judge
 *
 * All of it is a subset of Python 3: what is not positively known refuses the text, and the first
 * refusal ends the reading. A text that is accepted reads the same in every version from 3.6 on, or
 * is a syntax error there. */
#ifndef PROGRAMS_PYTHON_PYTHON_H
#define PROGRAMS_PYTHON_PYTHON_H

#include "programs/readers/inline.h"

#define PYTHON_TEXT_MAX  65536 /* bytes */
#define PYTHON_DEPTH_MAX 60    /* nested expressions and blocks */
#define PYTHON_TREE_MAX  200   /* nested nodes: bounds our stack */
#define PYTHON_NAMES_MAX 1000  /* different names */
#define PYTHON_PATHS_MAX 64    /* files that it opens */
#define PYTHON_STEPS_MAX 500   /* names followed to other names; bounds our stack */

/* ---- tokens ---- */

enum token_kind {
    TOKEN_END = 0,
    TOKEN_LINE, /* the end of a logical line */
    TOKEN_INDENT,
    TOKEN_DEDENT,
    TOKEN_NAME,
    TOKEN_WORD, /* a keyword */
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_MARK, /* an operator or a bracket */
};

struct token {
    enum token_kind kind;
    struct str text; /* as written */
};

struct lexer {
    struct str text;
    size_t at;
    unsigned brackets; /* open ones: a line does not end inside them */
    bool field;        /* inside the braces of an f-string */
    bool begun;        /* the line has had a token */
    bool bad;
    unsigned indents[PYTHON_DEPTH_MAX];
    unsigned depth;   /* of the indentation */
    unsigned dedents; /* not yet returned */
};

/* False if some version of Python or some locale reads one of its bytes differently. */
bool python_bytes_fit(struct str text);
struct token python_token(struct lexer *l); /* TOKEN_END with `bad` set if we do not read this */

/* A string literal, taken apart. */
struct literal {
    struct str body;
    bool raw, bytes, fields; /* r, b, f */
    bool triple;
};
bool python_literal(struct str written, struct literal *out);
/* The string at run time; false if it has an escape that is not decoded here. */
bool python_decode(struct arena *a, const struct literal *l, struct str *out);

/* ---- what may be done with a name ---- */

enum python_use {
    USE_NEVER = 0,
    USE_ANYHOW, /* also as a value: harmless whatever calls it, with any arguments */
    USE_ARGV,
    USE_TYPE,    /* called with one argument; the result is only printed or compared */
    USE_CLASS,   /* only in isinstance and except */
    USE_OPEN,    /* from here on: only called, with arguments that are checked */
    USE_PATH,    /* pathlib.Path */
    USE_LIST,    /* the names in a directory */
    USE_WALK,    /* ... and below it */
    USE_FIND,    /* glob.glob */
    USE_PARSE,   /* ast.parse */
    USE_FORMAT,  /* str.format */
    USE_REPLACE, /* of a string, not of a path */
    USE_COPY,
    USE_READ, /* of a path: read_text */
    USE_WRITE,
    USE_NAMES, /* of a path: iterdir */
};

/* ---- the tree ---- */

enum node_kind {
    NODE_GROUP = 0, /* only the parts count: statements, operators, displays */
    NODE_NAME,
    NODE_CONSTANT, /* None, True, False, ... */
    NODE_NUMBER,
    NODE_STRING,
    NODE_FORMAT, /* an f-string; its fields */
    NODE_LIST,   /* or a tuple */
    NODE_LAMBDA,
    NODE_COMPARE,
    NODE_CALL,      /* what is called, then the arguments */
    NODE_KEYWORD,   /* name=value in a call */
    NODE_SPREAD,    /* *x and **x */
    NODE_ATTRIBUTE, /* of the first part */
    NODE_SUBSCRIPT, /* the first part, by the second */
    NODE_SLICE,     /* the expressions between its colons; NODE_GROUP for a missing one */
    NODE_BIND,      /* its part is assigned to */
};

struct node {
    enum node_kind kind;
    bool known; /* NODE_STRING: `text` is the string at run time; NODE_SPREAD: two stars; NODE_LIST:
                   a tuple, which cannot change */
    unsigned depth;    /* of the tree below it */
    struct str text;   /* depends on the kind: an attribute's name, a number, a string */
    struct name *name; /* of NODE_NAME and NODE_ATTRIBUTE */
    struct node *parts, *last, *next;
};

enum name_bound {
    BOUND_VARIABLE = 1,
    BOUND_FUNCTION = 2, /* by def, or to a lambda */
    BOUND_MODULE = 4,
    BOUND_MEMBER = 8, /* from MODULE import MEMBER */
};

/* A name means one thing in the whole text, whatever the scope: what it is in one place it could be
 * in all of them. */
struct name {
    struct name *next;
    struct str text;
    unsigned bound;           /* enum name_bound */
    unsigned times;           /* how often it is bound */
    const struct node *value; /* BOUND_VARIABLE bound once: its value; NULL if unknown */
    bool each;                /* bound to each part of that, one after the other */
    struct str module, member;
    bool looked_up;         /* `method` was looked up */
    enum python_use method; /* cached: what the tables say of a method of this name */
};

#define NAME_BUCKETS 64

struct parser {
    struct arena *arena;
    struct lexer lexer;
    struct token now;
    unsigned depth;
    bool bad;
    struct name **names; /* NAME_BUCKETS */
    size_t *name_count;
};

/* tree.c */
void python_refuse(struct parser *p); /* for good: every later token is TOKEN_END */
void python_next(struct parser *p);
static inline bool python_is(const struct parser *p, const char *mark) /* is it this operator? */
{
    return p->now.kind == TOKEN_MARK && str_is(p->now.text, mark);
}
static inline bool python_takes(struct parser *p, const char *mark) /* and if so, the next token */
{
    bool is = python_is(p, mark);

    if (is)
        python_next(p);
    return is;
}
void python_expect(struct parser *p, const char *mark);                     /* or refuse */
static inline bool python_is_word(const struct parser *p, const char *word) /* this keyword */
{
    return p->now.kind == TOKEN_WORD && str_is(p->now.text, word);
}
static inline bool python_takes_word(struct parser *p, const char *word)
{
    bool is = python_is_word(p, word);

    if (is)
        python_next(p);
    return is;
}
bool python_enter(struct parser *p); /* one level deeper; false: too deep */
void python_leave(struct parser *p);

struct node *python_node(struct parser *p, enum node_kind kind, struct str text);
void python_add(struct parser *p, struct node *to, struct node *part);
struct name *python_name(struct parser *p, struct str text);
struct str python_take_name(struct parser *p); /* one that is no keyword and may be used */
void python_bind(struct parser *p, struct str text, enum name_bound how, const struct node *value,
                 bool each);
struct node *python_bind_target(struct parser *p, struct node *target, const struct node *value,
                                bool each);

struct node *python_named(struct parser *p, struct str text); /* a node of this name */

/* expr.c */
struct node *python_expression(struct parser *p);                /* one, not a tuple */
struct node *python_condition(struct parser *p);                 /* or x := one */
struct node *python_choice(struct parser *p);                    /* without if and lambda */
struct node *python_binary(struct parser *p);                    /* without comparisons */
struct node *python_expressions(struct parser *p);               /* a, b, *c */
struct node *python_targets(struct parser *p);                   /* of for: without `in` */
struct node *python_starred(struct parser *p, const char *star); /* *x or **x */
void python_loops(struct parser *p,
                  struct node *to); /* for x in y if z, after the expression that it repeats */

/* format.c: one string, or several adjacent ones. */
struct node *python_strings(struct parser *p);

/* args.c */
struct node *python_call(struct parser *p, struct node *callee);
struct node *python_parameters(struct parser *p, const char *end, bool hints);

/* stmt.c: the whole text; NULL if it is refused. */
struct node *python_parse(struct arena *a, struct str text, struct name **names);

/* ---- what may be used (names.c) ---- */

bool python_is_keyword(struct str word);
enum python_use python_builtin(struct str name);
bool python_is_risky(struct str name,
                     bool three);       /* a builtin that may not even be a variable's name */
bool python_is_module(struct str name); /* may be imported */
enum python_use python_member(struct str module, struct str name);
enum python_use python_method(struct str name);

/* ---- judging ---- */

struct judge {
    struct reading *r;
    struct piece piece; /* the words after this one are sys.argv[1], ... */
    bool three;         /* the program's name says that it is Python 3 */
    bool bad;
    size_t paths, steps;
};

/* The module that this expression names; empty if none. */
struct str python_module_of(struct judge *j, const struct node *n);
/* What may be done with an expression that is a builtin or a member of a module; USE_NEVER for any
 * other. */
enum python_use python_use_of(struct judge *j, const struct node *n);

/* Records an access to the path that the expression gives. NULL is the working directory. */
void python_touch(struct judge *j, const struct node *path, struct touch how);
/* Records a listing of what this pattern finds. */
void python_find(struct judge *j, const struct node *pattern);

#endif
