/* javascript.h - what the files of the JavaScript reader share: a text as tokens, as a tree, and
 * what is known of its names.
 *
 * lex.c    bytes to tokens
 * text.c   what a string is
 * js_tree.c   tokens to a tree: what all parts of the parser need; scopes
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
#define JS_DEPTH_MAX  60    /* expressions and blocks inside each other */
#define JS_TREE_MAX   200   /* parts inside parts: our stack */
#define JS_NAMES_MAX  1000  /* different names */
#define JS_ROUNDS_MAX 20    /* names that get their values from names */
#define JS_PATHS_MAX  64    /* files that it opens */
#define JS_STEPS_MAX  500   /* names that lead to names, on the way to those; also our stack */

/* ---- tokens ---- */

enum token_kind {
    TOKEN_END = 0,
    TOKEN_NAME,
    TOKEN_WORD, /* reserved, in some mode or other */
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_TEMPLATE, /* the backtick that begins one */
    TOKEN_MARK,     /* an operator or a bracket */
};

struct token {
    enum token_kind kind;
    struct str text; /* as it is written */
    bool line;       /* a line ended in front of it */
};

struct lexer {
    struct str text;
    size_t at;
    bool bad;
};

bool js_bytes_fit(struct str text); /* no byte in it ends a line, or is a blank, unseen */
struct token
js_token(struct lexer *l); /* TOKEN_END, with `bad` set, where it is no JavaScript that we read */
size_t js_regex_length(
    struct str rest); /* of a regular expression that begins with this slash; 0: there is none */
/* What a string is at run time; false: an escape that is not decoded here. *bad: one that is no
 * escape everywhere. */
bool js_decode(struct arena *a, struct str body, struct str *out, bool *bad);
bool js_is_word(struct str word);

/* ---- what may be done with a name ---- */

enum js_use {
    USE_NEVER = 0,
    USE_ANYHOW, /* as a value, too: whoever calls it, with whatever arguments, does no harm */
    USE_LOOK,   /* likewise, and of its arguments it makes texts and numbers only */
    USE_JSON, /* likewise, if it has one: a second one may be a function, which gets what is read or
                 written */
    USE_DATA, /* never called */
    USE_ARGV, /* process.argv */
    USE_CODE, /* process.exitCode, which may be assigned to */
    USE_CLASS,   /* only behind new and instanceof */
    USE_MAKER,   /* likewise, and called without new */
    USE_INPUT,   /* of process.stdin, returning that: only a statement of its own */
    USE_REQUIRE, /* these are only called */
    USE_PRINT,   /* its one argument is only looked at */
    USE_CALL,    /* its arguments are only looked at */
    USE_READ,
    USE_LIST,  /* the names in a directory */
    USE_STATE, /* whether it is there, and what it is */
};

/* What stands behind a dot when what is in front of it is no module. */
enum js_member {
    MEMBER_OWN = 0, /* data, or what does no harm as a value; it is not called */
    MEMBER_METHOD,  /* calling it does no harm on any object, with any arguments */
    MEMBER_CHANGES, /* likewise, but it changes the object */
    MEMBER_STATIC,  /* data; of a class it would be one of its functions */
    MEMBER_NEVER,
};

/* ---- the tree ---- */

enum node_kind {
    NODE_GROUP = 0, /* statements */
    NODE_EMPTY,     /* nothing is there, and nothing is done */
    NODE_NAME,
    NODE_CONSTANT,
    NODE_NUMBER,
    NODE_STRING,
    NODE_LOOK,   /* its parts are only looked at: conditions, templates, comparisons */
    NODE_ARITH,  /* likewise; `known`: it makes a number, if all of its parts are numbers or `text`
                    is empty */
    NODE_CHOICE, /* its value is that of one of its parts */
    NODE_ARRAY,  /* the first kind that may be a pattern */
    NODE_OBJECT, /* of entries and spreads */
    NODE_ENTRY,  /* text: the key; the value */
    NODE_COMPUTED, /* [key]: value */
    NODE_SPREAD,
    NODE_PARENS, /* the parameters of an arrow function */
    NODE_REGEX,
    NODE_FUNCTION, /* statements; text: its name, if it has one */
    NODE_CALL,     /* what is called, then the arguments */
    NODE_NEW,      /* likewise */
    NODE_INSTANCE, /* of the class */
    NODE_MEMBER,   /* of the first part, by name */
    NODE_INDEX,    /* the first part, by the second */
    NODE_ASSIGN,   /* to the first part the second; text: the operator */
    NODE_UPDATE,   /* ++ and -- */
    NODE_BIND,     /* a declaration: a pattern */
    NODE_EACH,     /* what a loop goes over */
    NODE_RETURN,
    NODE_STATEMENT, /* an expression that is one */
};

struct node {
    enum node_kind kind;
    bool known; /* NODE_STRING: `text` is what it is at run time; NODE_OBJECT: {a = 1}, a pattern or
                   nothing; NODE_MEMBER, NODE_INDEX, NODE_CALL: behind ?. ; NODE_FUNCTION: it takes
                   one argument or two */
    bool own;   /* NODE_NAME: the text declares it, where it can be seen from here */
    bool closed;    /* in parentheses: no pattern */
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

/* A name is one thing in the whole text, whatever the scope: what it is in one place it could be in
 * all of them. */
struct name {
    struct name *next;
    struct str text;
    unsigned bound;           /* enum name_bound */
    bool checked;             /* it is no global: each is looked up once */
    unsigned times;           /* how often it is bound */
    const struct node *value; /* to this, if that is the only time; NULL: nobody knows to what */
    bool each;                /* to each part of that, one after the other */
    bool wild;                /* it may hold anything that a key leads to (flow.c) */
    bool loose;               /* it may hold something else than a number */
    const struct scope *seen; /* while a scope is closed: it is bound there */
    struct str module, member;
    bool looked_up; /* `kind` says what the tables say of a member of this name */
    enum js_member kind;
};

#define NAME_BUCKETS 64

/* A value that a name gets: all of them together say what it may hold. */
struct gain {
    struct name *name;
    const struct node *value; /* NULL: an argument, or what is in no other way anything wild */
    bool part;                /* a part of that value */
    bool key;                 /* a key of it, which is a text */
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
    size_t ended; /* where the token before this one ended */
    unsigned depth;
    bool bad;
    bool head;   /* of a for: no `in` there */
    bool global; /* a `var` outside of functions: until it has a value it is the global of this name
                  */
    bool less;   /* there is a < */
    unsigned covers;                    /* {a = 1} that are no patterns yet */
    unsigned functions, loops, choices; /* that it is in: return, continue, break */
    struct scope *scope;
    struct name *names[NAME_BUCKETS];
    size_t name_count;
    struct gains gains;
};

/* js_tree.c */
void js_refuse(struct parser *p); /* for good: from here on every token is the end */
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
                       struct node *part); /* a node of this one part */
struct name *js_name(struct parser *p, struct str text);
struct str js_take_name(struct parser *p); /* one that may be used and declared */
struct node *js_named(struct parser *p, struct str text);
void js_open(struct parser *p); /* a scope */
void js_close(struct parser *p);
void js_bind(struct parser *p, struct str text, enum name_bound how, const struct node *value,
             bool each);
void js_gain(struct parser *p, struct gain gain);

/* expr.c */
struct node *js_expression(struct parser *p); /* with commas */
struct node *js_assignment(struct parser *p); /* without */

/* atom.c */
struct node *js_atom(struct parser *p);
struct node *js_string(struct parser *p);                         /* what a known string is */
struct node *js_function(struct parser *p, bool declared);        /* at `function` */
struct node *js_arrow(struct parser *p, struct node *parameters); /* at => */
void js_arguments(struct parser *p, struct node *to);             /* at ( */

/* bind.c */
bool js_is_pattern(const struct node *n);
struct node *js_pattern(struct parser *p); /* of a declaration or a parameter */
/* What the pattern declares gets this value, NULL: nobody knows which; or each of its parts, or its
 * keys. */
struct node *js_declare(struct parser *p, struct node *pattern, const struct node *value, bool each,
                        bool key);
struct node *js_parameter(struct parser *p);
void js_parameters(struct parser *p, struct node *function, struct node *list);
struct str
js_required(const struct node *n); /* the module that it requires, if we know that; empty: none */
struct str js_module(struct str written); /* without node: */
void js_bind_module(struct parser *p, struct str as, struct str module, struct str member);
/* What stands left of an assignment operator. */
void js_assign(struct parser *p, struct node *target, const struct node *value,
               struct str operator);

/* stmt.c: the whole text; NULL when it is refused. */
struct node *js_parse(struct parser *p, struct arena *a, struct str text);
void js_scope(struct parser *p, struct node *to); /* { ... } */

/* ---- what may be used (names.c) ---- */

bool js_is_module(struct str name); /* for require and import */
bool js_is_space(
    struct str name); /* a global whose members are in the tables: JSON, process.stdin */
enum js_use js_global(struct str name); /* a global that is none of those */
bool js_is_library(struct str name);    /* node -e has it as a global: a module */
bool js_is_taken(struct str name);      /* a global of some runtime: no name for a variable */
enum js_use js_member_of(struct str space, struct str name);
enum js_member js_member(struct str name);

/* ---- judging ---- */

/* flow.c: which names are wild; false: it takes too many rounds to say. */
bool js_settle(struct parser *p);
bool js_is_wild(const struct node *n);
enum js_member js_kind(const struct node *member); /* of NODE_MEMBER and NODE_ENTRY */

struct judge {
    struct reading *r;
    struct piece piece;
    bool bad;
    size_t paths, steps;
};

/* The module or global that this expression is, and whose members are in the tables; empty: none.
 */
struct str js_space_of(struct judge *j, const struct node *n);
enum js_use js_use_of(struct judge *j, const struct node *n);

void js_touch(struct judge *j, const struct node *path, struct touch how);
void js_load(struct judge *j, struct str path); /* require('./x.json') */

#endif
