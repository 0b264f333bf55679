/* javascript.h - what the files of the JavaScript reader share: a text as tokens, as a tree, and
 * what is known of its names.
 *
 * lex.c    bytes to tokens
 * text.c   what a string is
 * tree.c   tokens to a tree: what all parts of the parser need; scopes
 * expr.c   expressions
 * atom.c   what expressions are made of: brackets, functions, templates
 * bind.c   patterns: what declarations, parameters and assignments bind
 * stmt.c   statements
 * names.c  what may be used: the tables
 * flow.c   which names hold what an unknown key led to
 * paths.c  which files it opens
 * read.c   the judge
 *
 * All of it is a subset of ES2020: what is not positively known refuses the text, and the first
 * refusal ends the reading. A text that is accepted is read in the same way as a script and as a
 * module. */
#ifndef PROGRAMS_JAVASCRIPT_JAVASCRIPT_H
#define PROGRAMS_JAVASCRIPT_JAVASCRIPT_H

#include "programs/readers/inline.h"

#define JS_TEXT_MAX   65536 /* bytes */
#define JS_DEPTH_MAX  60    /* nested expressions and blocks */
#define JS_TREE_MAX   200   /* nested nodes: bounds our stack */
#define JS_NAMES_MAX  1000  /* different names */
#define JS_ROUNDS_MAX 20    /* passes until nothing changes any more (flow.c) */
#define JS_PATHS_MAX  64    /* files that it opens */
#define JS_STEPS_MAX  500   /* names followed to other names; bounds our stack */

/* ---- tokens ---- */

enum token_kind {
    TOKEN_END = 0,
    TOKEN_NAME,
    TOKEN_WORD, /* reserved, in at least one mode */
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_TEMPLATE, /* the backtick that starts one */
    TOKEN_MARK,     /* an operator or a bracket */
};

struct token {
    enum token_kind kind;
    struct str text; /* as written */
    bool line;       /* a line ended before it */
};

struct lexer {
    struct str text;
    size_t at;
    bool bad;
};

bool js_bytes_fit(struct str text);     /* no invisible byte that ends a line or separates tokens */
struct token js_token(struct lexer *l); /* TOKEN_END with `bad` set if we do not read this */
size_t js_regex_length(
    struct str rest); /* of a regular expression that starts with this slash; 0 if there is none */
/* The string at run time; false if it has an escape that is not decoded here. *bad: an escape that
 * is invalid in some mode. */
bool js_decode(struct arena *a, struct str body, struct str *out, bool *bad);
bool js_is_word(struct str word);

/* ---- what may be done with a name ---- */

enum js_use {
    USE_NEVER = 0,
    USE_ANYHOW, /* also as a value: harmless whatever calls it, with any arguments */
    USE_LOOK,   /* the same; it only converts its arguments to strings and numbers */
    USE_JSON, /* the same, with one argument: a second could be a function that gets what is read or
                 written */
    USE_DATA, /* never called */
    USE_ARGV, /* process.argv */
    USE_CODE, /* process.exitCode, which may be assigned to */
    USE_CLASS,   /* only after new and instanceof */
    USE_MAKER,   /* the same, and may be called without new */
    USE_INPUT,   /* a method of process.stdin that returns process.stdin: only as a statement */
    USE_REQUIRE, /* from here on: only called */
    USE_PRINT,   /* its one argument is only read */
    USE_CALL,    /* its arguments are only read */
    USE_READ,
    USE_LIST,  /* the names in a directory */
    USE_STATE, /* whether it exists, and its kind */
};

/* The member after a dot whose left side is not a module. */
enum js_member {
    MEMBER_OWN = 0, /* data, or harmless as a value; never called */
    MEMBER_METHOD,  /* harmless to call on any object, with any arguments */
    MEMBER_CHANGES, /* the same, but it changes the object */
    MEMBER_STATIC,  /* data; on a class it would be a static function */
    MEMBER_NEVER,
};

/* ---- the tree ---- */

enum node_kind {
    NODE_GROUP = 0, /* statements */
    NODE_EMPTY,     /* an empty statement or a missing part */
    NODE_NAME,
    NODE_CONSTANT,
    NODE_NUMBER,
    NODE_STRING,
    NODE_LOOK,     /* its parts are only read: conditions, templates, comparisons */
    NODE_ARITH,    /* the same; `known`: a number if all its parts are numbers or `text` is empty */
    NODE_CHOICE,   /* its value is that of one of its parts */
    NODE_ARRAY,    /* may turn out to be a pattern */
    NODE_OBJECT,   /* of entries and spreads */
    NODE_ENTRY,    /* text: the key; the value */
    NODE_COMPUTED, /* [key]: value */
    NODE_SPREAD,
    NODE_PARENS, /* the parameters of an arrow function */
    NODE_REGEX,
    NODE_FUNCTION, /* statements; text: its name, if it has one */
    NODE_CALL,     /* what is called, then the arguments */
    NODE_NEW,      /* as NODE_CALL */
    NODE_INSTANCE, /* of the class */
    NODE_MEMBER,   /* of the first part, by name */
    NODE_INDEX,    /* the first part, by the second */
    NODE_ASSIGN,   /* to the first part the second; text: the operator */
    NODE_UPDATE,   /* ++ and -- */
    NODE_BIND,     /* a declaration: a pattern */
    NODE_EACH,     /* what a loop iterates over */
    NODE_RETURN,
    NODE_STATEMENT, /* an expression statement */
};

struct node {
    enum node_kind kind;
    bool known;  /* NODE_STRING: `text` is the string at run time; NODE_OBJECT: {a = 1}, valid only
                    as a pattern; NODE_MEMBER, NODE_INDEX, NODE_CALL: after ?. ; NODE_FUNCTION: takes
                    one or two arguments */
    bool own;    /* NODE_NAME: declared by the text, and visible here */
    bool closed; /* in parentheses, so not a pattern */
    unsigned depth; /* of the tree below it */
    struct str text;
    struct name *name; /* of NODE_NAME, NODE_MEMBER and NODE_ENTRY */
    struct node *parts, *last, *next;
    struct node *use; /* NODE_NAME: the next one in its scope */
};

enum name_bound {
    BOUND_VARIABLE = 1,
    BOUND_FUNCTION = 2,
    BOUND_MODULE = 4,
    BOUND_MEMBER = 8, /* const {MEMBER} = require(MODULE) */
};

/* A name means one thing in the whole text, whatever the scope: what it is in one place it could be
 * in all of them. */
struct name {
    struct name *next;
    struct str text;
    unsigned bound;           /* enum name_bound */
    bool checked;             /* cached: not a global */
    unsigned times;           /* how often it is bound */
    const struct node *value; /* the value if it is bound once; NULL if unknown */
    bool each;                /* bound to each part of that, one after the other */
    bool wild;                /* it may hold what an unknown key leads to (flow.c) */
    bool loose;               /* it may hold something other than a number */
    const struct scope *seen; /* while a scope is closed: the scope that binds it */
    struct str module, member;
    bool looked_up; /* `kind` was looked up */
    enum js_member kind;
};

#define NAME_BUCKETS 64

/* One value that a name gets; what the name may hold follows from all of them. */
struct gain {
    struct name *name;
    const struct node *value; /* NULL: an argument, or anything else that is never wild */
    bool part;                /* a part of that value */
    bool key;                 /* a key of it: a string */
    bool number;              /* x++ */
};
struct gains LIST_OF(struct gain);

struct bound {
    struct bound *next;
    struct name *name;
};

struct scope {
    struct scope *up;
    struct bound *bound;
    struct node *uses;
};

struct parser {
    struct arena *arena;
    struct lexer lexer;
    struct token now;
    size_t ended; /* where the previous token ended */
    unsigned depth;
    bool bad;
    bool head;       /* in the head of a for: `in` is not an operator */
    bool global;     /* a top-level `var`: until it has a value, it is the global of this name */
    bool less;       /* the expression has a < */
    unsigned covers; /* {a = 1} not yet shown to be patterns */
    unsigned functions, loops,
        choices; /* how many enclose this point: for return, continue, break */
    struct scope *scope;
    struct name *names[NAME_BUCKETS];
    size_t name_count;
    struct gains gains;
};

/* js_tree.c */
void js_refuse(struct parser *p); /* for good: every later token is TOKEN_END */
void js_next(struct parser *p);
bool js_is(const struct parser *p, const char *mark);      /* is it this operator? */
bool js_takes(struct parser *p, const char *mark);         /* and if so, the next token */
void js_expect(struct parser *p, const char *mark);        /* or refuse */
bool js_at_word(const struct parser *p, const char *word); /* this reserved word */
bool js_takes_word(struct parser *p, const char *word);
bool js_enter(struct parser *p); /* one level deeper; false: too deep */
void js_leave(struct parser *p);
struct node *js_node(struct parser *p, enum node_kind kind);
void js_add(struct parser *p, struct node *to, struct node *part);
struct node *js_around(struct parser *p, enum node_kind kind,
                       struct node *part); /* a node with this one part */
struct name *js_name(struct parser *p, struct str text);
struct str js_take_name(struct parser *p); /* one that may be used and declared */
struct node *js_named(struct parser *p, struct str text);
void js_open(struct parser *p); /* opens a scope */
void js_close(struct parser *p);
void js_bind(struct parser *p, struct str text, enum name_bound how, const struct node *value,
             bool each);
void js_gain(struct parser *p, struct gain gain);

/* expr.c */
struct node *js_expression(struct parser *p); /* with commas */
struct node *js_assignment(struct parser *p); /* without */

/* atom.c */
struct node *js_atom(struct parser *p);
struct node *js_string(struct parser *p);                         /* a string literal */
struct node *js_function(struct parser *p, bool declared);        /* at `function` */
struct node *js_arrow(struct parser *p, struct node *parameters); /* at => */
void js_arguments(struct parser *p, struct node *to);             /* at ( */

/* bind.c */
bool js_is_pattern(const struct node *n);
struct node *js_pattern(struct parser *p); /* of a declaration or a parameter */
/* Binds the names of the pattern to this value (NULL if unknown), to its parts or to its keys. */
struct node *js_declare(struct parser *p, struct node *pattern, const struct node *value, bool each,
                        bool key);
struct node *js_parameter(struct parser *p);
void js_parameters(struct parser *p, struct node *function, struct node *list);
struct str js_required(const struct node *n); /* the known module that it requires; empty if none */
struct str js_module(struct str written);     /* without the prefix node: */
void js_bind_module(struct parser *p, struct str as, struct str module, struct str member);
/* The left side of an assignment operator. */
void js_assign(struct parser *p, struct node *target, const struct node *value,
               struct str operator);

/* stmt.c: the whole text; NULL if it is refused. */
struct node *js_parse(struct parser *p, struct arena *a, struct str text);
void js_scope(struct parser *p, struct node *to); /* { ... } */

/* ---- what may be used (names.c) ---- */

bool js_is_module(struct str name); /* may be required and imported */
bool js_is_space(
    struct str name); /* a global whose members are in the tables: JSON, process.stdin */
enum js_use js_global(struct str name); /* any other global */
bool js_is_library(struct str name);    /* a module that node -e has as a global */
bool js_is_taken(struct str name);      /* a global of some runtime: not for variables */
enum js_use js_member_of(struct str space, struct str name);
enum js_member js_member(struct str name);

/* ---- judging ---- */

/* flow.c: finds the wild names; false if that takes too many passes. */
bool js_settle(struct parser *p);
bool js_is_wild(const struct node *n);
enum js_member js_kind(const struct node *member); /* of NODE_MEMBER and NODE_ENTRY */

struct judge {
    struct reading *r;
    struct piece piece;
    bool bad;
    size_t paths, steps;
};

/* The module, or global with members in the tables, that this expression names; empty if none. */
struct str js_space_of(struct judge *j, const struct node *n);
enum js_use js_use_of(struct judge *j, const struct node *n);

void js_touch(struct judge *j, const struct node *path, struct touch how);
void js_load(struct judge *j, struct str path); /* require('./x.json') */

#endif
