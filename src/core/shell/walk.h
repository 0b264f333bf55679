/* walk.h - what the files of the analysis share: the state that is carried through the tree. */
#ifndef SHELL_WALK_H
#define SHELL_WALK_H

#include "base/rare.h"
#include "programs/variables.h"
#include "shell/names.h"
#include "shell/shell.h"
#include "shell/tree.h"

/* What is printed or read, line by line: each line begins with these words, with a blank after
 * each. Zeroed: nothing is known. */
#define LINES_COLUMNS_MAX 4
struct lines {
    struct str found; /* each is a path that find has found, as in shell_word.like */
    unsigned columns[LINES_COLUMNS_MAX]; /* enum shell_shape */
    size_t count;
    bool more;   /* more may follow them on the line */
    bool single; /* one line at most */
    struct str
        place; /* with `single`: it is this directory, or one that its owner has put in its place */
    struct str variable; /* what is printed is the value of this variable */
};

static inline const struct lines *known_lines(const struct lines *lines)
{
    static const struct lines nothing = {.count = 0};

    return lines ? lines : &nothing;
}

/* What a variable holds. A zeroed value is an unknown one. */
struct shell_value {
    struct str text;
    bool known;
    bool scalar; /* of an expansion: in quotes it is one word. What is neither known nor this may be
                    any number of words */
    unsigned shape; /* enum shell_shape: of each word in it */
    bool one;       /* with a shape: it is one word, or empty */
    bool filled;    /* and it is not empty */
    bool number;    /* digits, whatever they are: safe in arithmetic, where other text could run
                       commands */
    bool array;
    struct shell_words elements; /* of an array */
    struct str like;             /* as in shell_word */
    bool fresh, found;
    bool own; /* this text has surely set it: the value is not the one from outside */
};

/* Bindings are a list that only grows at its head: a copy of the head is a copy of the state. */
struct binding {
    const struct binding *before;
    struct str name; /* empty: all earlier bindings are unknown */
    bool shell; /* and a new shell begins here: what is not set after it is from outside, as it was
                 */
    struct shell_value value;
    unsigned count;
    bool constant; /* readonly: later assignments may fail */
};

struct function {
    const struct function *before;
    struct str name;
    const struct node *body;
    bool sure; /* false: defined in a branch that may not have run */
    unsigned count;
};

/* The stack of pushd; NULL: it is empty. */
struct pushed {
    const struct pushed *before;
    struct shell_place left, entered;
    bool proved; /* that pushd has succeeded */
};
extern const struct pushed pushed_unknown; /* anything may be on it */

/* A variable that is local to the function that runs, for certain: not in a branch, or in a
 * subshell. */
struct sure_local {
    const struct sure_local *before;
    struct str name;
    unsigned count;
};

/* $1 and those after it. */
struct arguments {
    struct shell_words words;
    bool known; /* these are all, each of them one word */
};

/* The characters at which an unquoted value is split into words. */
struct ifs {
    struct str chars;
    bool known;
};
static inline bool ifs_eq(const struct ifs *a, const struct ifs *b)
{
    return a->known == b->known && str_eq(a->chars, b->chars);
}

/* The standard input. */
struct input {
    enum shell_input kind;
    struct str text;
    const struct lines *lines; /* NULL: nothing is known of them */
};

/* The state of a shell at one point; copied by value where the shell forks. */
struct env {
    const struct binding *vars;
    bool constants;     /* one of those is constant */
    bool all_constants; /* any variable may be constant */
    const struct function *functions;
    const struct sure_local *locals;
    const struct pushed *pushed;
    struct shell_directory directory;
    struct arguments args;
    bool errexit;
    struct ifs ifs;
    struct input input;
    int after;      /* the action that has succeeded, as in shell_action */
    unsigned forks; /* subshells around it */
};

/* The part of it that an expansion can change. */
struct variables {
    const struct binding *vars;
    struct ifs ifs;
};

/* Where bash may have given up the line, so far. A process that is forked begins without. */
struct given_up {
    const struct env *states;   /* all states in which it may have been, merged; NULL: none */
    const struct binding *vars; /* as they were when the last of them was added: */
    const struct function *functions;
    unsigned moves;
};

/* A file that the text writes. */
struct written {
    const struct written *before;
    struct str path; /* absolute; empty: not known */
    struct str text;
    bool known;       /* the text is all that is in it */
    unsigned changes; /* commands before it that may have written anything */
    unsigned count;
};

/* What the last command prints, when that can be told. */
struct output {
    bool known, number, fresh; /* fresh: one path, as in shell_word */
    bool several;              /* not one number, but a line for each */
    bool found;                /* paths, a line each, as in shell_word */
    struct str text, like;
    const struct lines *lines; /* as in env */
};

/* A variable that is local to a function, and what it was outside. */
struct local {
    struct str name;
    struct shell_value outside;
};
struct locals LIST_OF(struct local);

/* A word of export or its kind that is an assignment: all of them are expanded before the first is
 * set. */
struct declared {
    size_t index; /* in argv */
    struct str name;
    struct shell_value value;
};
struct declarations LIST_OF(struct declared);

struct calls {
    struct calls *outer;
    struct str name;
    struct locals locals;
    unsigned forks;         /* around its body */
    const struct env *left; /* the states in which it may have returned early, merged; NULL: none */
    unsigned again;         /* how often it calls itself without arguments */
    unsigned pipeline;      /* the pipeline of the last such call; 0: none */
    bool in_background;     /* one such call at least was in the background */
};

struct loops {
    struct loops *outer; /* in the same function */
    unsigned forks;
    const struct env
        *left; /* the states in which a pass may have ended early, merged; NULL: none */
};

/* A text that runs later: when the shell ends, or before any of the commands that follow. */
struct trap {
    struct str text;
    size_t at, len;
    int index;        /* the action that set it */
    unsigned defined; /* functions so far */
    bool plain_sh, elsewhere;
};
struct traps LIST_OF(struct trap);

/* What may still be spent; each begins with its maximum in shell.h. */
struct walk_limits {
    size_t steps;
    size_t commands;
    unsigned nodes, calls, texts, wrappers; /* one inside the other */
};

/* Answers to questions that are asked again and again. */
struct walk_cache {
    struct str path, base; /* of the command that was asked for last, and its name */
    struct str name;       /* that was looked up last, and its rows */
    const struct named *named;
    const struct shell_word *wrapper; /* the words of the wrapper that was read last, */
    size_t wrapper_count;
    const struct program_use *wrapper_use; /* and what its row says */
    bool open_asked, may_open;             /* may the text open a file as an input? */
};

/* Where the walk is in the text. walk_enter() saves it before a deeper part is walked, and
 * walk_leave() puts it back. */
struct walk_frame {
    struct calls *calls;
    struct loops *loops;
    int parent;        /* the action that contains what is walked; -1: none does */
    unsigned pipeline; /* its number; 0: in none */
    unsigned lenient;  /* conditions, left sides of && and ||, substitutions around: set -e ends
                          nothing there */
    unsigned unsure;   /* branches, loops, right sides of && and || around: it may not run */
    unsigned unroll;   /* passes that the loops and braces around make of one word or command */
    unsigned loop;     /* as in struct shell_action */
    bool background, pipe, substitution;
    bool piped;     /* what is printed goes into a pipe: in all of a pipeline but its end */
    bool late;      /* in the text of a trap: by the time it runs a function may be another one */
    bool elsewhere; /* on another machine or in a container */
    bool timed;     /* the keyword time is in front of the next command */
    bool plain_sh;  /* the text is for sh, which may be any of several shells */
    bool inner;     /* in a text inside the text: spans are those of the outer construct */
    size_t inner_at, inner_len;
};

/* What the text has done so far. It holds for all that is walked later, wherever that is. */
struct walk_seen {
    unsigned changes; /* commands that may have written anything */
    unsigned moves;   /* of the directory and the arguments */
    unsigned errors;  /* expansions and assignments that may fail */
    unsigned pipelines;
    unsigned loops;        /* of which the passes are not listed one by one */
    unsigned started;      /* substitutions */
    unsigned beside;       /* those of them that print where the command prints: >(...) */
    bool unsure_functions; /* unset: what was a function may be a program again */
    bool fed; /* exec < file: a program that inherits the standard input reads what this text chose
               */
    bool other_letters; /* a variable makes small or capital letters of what is put into it,
                           whenever that is */
    bool interrupted;   /* the output of any command may have that of a trap or a trace in it */
    bool other_globs;   /* what a pattern matches, or becomes if it matches nothing, has changed */
    bool homes;         /* a word begins with a home that may have been changed */
    bool nounset;       /* set -u: a parameter that is not set may be an error */
};

struct walk {
    struct arena *arena;
    const struct shell_context *context;
    struct shell_analysis *out;
    struct str text; /* all of it */
    struct env env;
    struct output output;
    struct walk_frame frame;
    struct walk_seen seen;
    struct walk_limits left;
    struct walk_cache cache;
    struct given_up gave_up;
    bool merging; /* two states are being merged: nothing that is bound then is a command's doing */
    const struct written *written;
    struct traps traps;
    const struct function *defined;        /* all functions of the text, wherever they hold */
    struct declarations declared;          /* in the order of the words */
    const struct shell_word *declared_for; /* the words of the command that they belong to */
    int simple; /* the action of the simple command that was walked last; -1: its status is not that
                   command's own */
    struct strs arrays; /* names that are an array somewhere in the text */
    struct strs maps;   /* and those that are an array with keys */
    bool failed;        /* something was not understood */
    bool secret; /* a variable that is named like a secret was expanded and belongs to no action yet
                  */
    bool cut;    /* ... and not as a whole: what comes of it depends on its value */
    bool tested; /* one was expanded for a test, which prints nothing, but leaves it in $_ and
                    BASH_REMATCH */
    bool traces; /* set -x prints the words of tests, too */
};

static inline struct walk_frame walk_enter(const struct walk *w)
{
    return w->frame;
}
static inline void walk_leave(struct walk *w, const struct walk_frame *outer)
{
    w->frame = *outer;
}

/* names.c */
void names_look_up(struct walk *w, struct str name);
/* Which rows a command has in the tables; and its row in one of them, or NULL. The name must live
 * as long as the arena. Asking again for the same one costs next to nothing. */
static inline const struct named *names_of(struct walk *w, struct str name)
{
    if (w->cache.name.s != name.s || w->cache.name.len != name.len || !w->cache.named)
        names_look_up(w, name);
    return w->cache.named;
}
static inline const void *names_find(struct walk *w, const struct names *n, struct str name)
{
    size_t row = names_of(w, name)->rows[n->column];

    return row ? (const char *)n->rows + (row - 1) * n->size : NULL;
}
const void *names_search(const struct names *n, struct str name); /* the same without the index */

/* All such tables. */
extern const struct names builtin_names, printer_names, runner_names, writer_names, zsh_names;

/* walk.c */
void walk_node(struct walk *w, const struct node *n);
void walk_text(struct walk *w, struct str text, int parent, size_t at, size_t len);
/* A shell of its own reads the text: a function or a loop around it is not one of that shell. */
void walk_in_shell(struct walk *w, struct str text, bool plain_sh, int parent, size_t at,
                   size_t len);
void walk_substitution(struct walk *w, const struct node *body);
RARE void walk_fail(struct walk *w, size_t at, const char *why);

/* A text can make us walk a body many times: loops, functions, braces, texts inside the text.
 * False: all steps are spent, and nothing more is walked. */
static inline bool walk_spend(struct walk *w, size_t steps, size_t at)
{
    if (steps <= w->left.steps) {
        w->left.steps -= steps;
        return true;
    }
    w->left.steps = 0;
    walk_fail(w, at, "too much work to follow it all");
    return false;
}

static inline size_t span_at(const struct walk *w, size_t at)
{
    return w->frame.inner ? w->frame.inner_at : at;
}
static inline size_t span_len(const struct walk *w, size_t len)
{
    return w->frame.inner ? w->frame.inner_len : len;
}

/* vars.c */
struct arguments arguments_from(const struct shell_words *argv, size_t from);
bool arguments_are_same(const struct arguments *a, const struct arguments *b);
bool env_lookup(const struct env *e, struct str name,
                struct shell_value *out);                /* false: never assigned here */
bool env_assigned(const struct env *e, struct str name); /* in this text, perhaps */
bool env_owns(const struct env *e,
              struct str name); /* in this text for certain: it is not from outside */
bool env_holds_secret(const struct walk *w,
                      struct str name); /* a value from outside, named like a secret */
bool variable_is_of_text(struct str name);
void env_bind(struct walk *w, struct str name, struct shell_value v);
/* This variable, also in the environment of a shell that is started, may change what wildcards
 * match. */
void env_note_globs(struct walk *w, struct str name);
void env_forget_all(struct walk *w);
void env_local(struct walk *w, struct str name); /* from here to the end of the function */
void env_global(
    struct walk *w,
    struct str name); /* past all that is local: declare -g, and perhaps what follows unset */
void env_end_locals(struct walk *w, const struct calls *call);
void env_new_shell(struct walk *w);
void env_forget(struct walk *w, struct str name);
void env_forget_unnamed(
    struct walk *w); /* what read, mapfile, getopts and select set without being given a name */
void env_freeze(struct walk *w, struct str name); /* readonly */
RARE void env_doubt(struct walk *w,
                    const struct env *before); /* what was set since `before` may not have been */
void env_join(struct walk *w, const struct env *before,
              const struct env *branch); /* w->env gets what both agree on */

/* merge.c: the same shell may be in the state `other` instead: w->env keeps what is true in both.
 */
RARE void env_merge(struct walk *w, const struct env *other);
void env_merge_locals(struct walk *w, const struct env *other); /* this of it alone */

/* bash may not have come to what was expanded since then, or it has done so in a process of its
 * own: what that sets may not have been set. */
RARE void env_merge_variables(struct walk *w, const struct variables *then);
static inline struct variables env_variables(const struct walk *w)
{
    return (struct variables){w->env.vars, w->env.ifs};
}
static inline void env_may_be_unread(struct walk *w, const struct variables *then)
{
    if (w->env.vars != then->vars)
        env_merge_variables(w, then);
}

/* The shell goes on from here after the loop or the function, where `left` is merged. */
void env_leave(struct walk *w, const struct env **left);

/* When arithmetic fails or a readonly variable is set, bash gives up the whole line and goes on
 * with the next one. Then nothing that the rest of the line sets is set. What is not proved to be
 * without errors calls this before it changes anything. */
RARE void env_may_give_up(struct walk *w);
void env_next_line(struct walk *w, bool whole);
/* A function ends, and it was left if the line was given up in it. */
void env_leave_given_up(struct walk *w, const struct calls *call);
/* After a text inside the text, or a forked process, that began without: what is given up in it is
 * not the line around it. */
static inline struct given_up walk_begin_lines(struct walk *w)
{
    const struct given_up outer = w->gave_up;

    w->gave_up = (struct given_up){0};
    return outer;
}
static inline void walk_end_lines(struct walk *w, const struct given_up *outer)
{
    w->gave_up = *outer;
}
void env_define(struct walk *w, struct str name, const struct node *body, bool sure);
const struct function *env_function(const struct env *e, struct str name);
const struct function *
env_function_before(const struct function *f); /* the one that it has replaced; NULL: none */
bool text_is_number(struct str s);
void env_check_integer(struct walk *w, struct str name, struct shell_value v,
                       size_t at); /* OPTIND=value */
bool option_names_array(
    struct str option); /* -a and -A of declare and read: what follows is an array */
bool option_names_letters(struct str option);  /* declare -u, -l and -c */
bool option_names_map(struct str option);      /* -A alone */
bool format_counts_printed(struct str format); /* of printf: with %n */
void walk_note_array(struct walk *w, struct str name);
bool walk_is_array(const struct walk *w, struct str name); /* it may be one */
void walk_note_map(struct walk *w, struct str name);
bool walk_is_map(const struct walk *w,
                 struct str name); /* of declare -A: (a b) puts b at a there */

/* assigned.c: what a loop body may change */
RARE void env_forget_assigned(struct walk *w, const struct node *body);

/* drain.c: may something in it read from its standard input other than by whole lines? */
bool node_drains_input(struct walk *w, const struct node *n);

/* output_shape.c: what can be said of the words that a program prints */
bool output_keeps_lines(const struct shell_words *argv);
const struct lines *lines_printed(struct walk *w, const struct node *n,
                                  const struct shell_words *argv);
void shape_of_output(const struct walk *w, struct shell_value *v);
struct shell_value shape_of_name(const struct walk *w, size_t i,
                                 size_t count); /* that `read` sets */

/* A word that was read in one step is its own value. */
static inline struct shell_word word_literal(const struct walk *w, const struct word *word)
{
    return (struct shell_word){.text = word->parts.items[0].text,
                               .known = true,
                               .at = span_at(w, word->at),
                               .len = span_len(w, word->len)};
}

/* value.c */
void eval_fields(struct walk *w, const struct word *word, struct shell_words *out);
struct shell_word eval_value(struct walk *w, const struct word *word,
                             size_t from); /* one word, from part `from` */
struct shell_value eval_assignment(struct walk *w, const struct word *word);
void eval_split(struct walk *w, struct str text, struct strs *out); /* by IFS */

/* param_value.c */
struct shell_value param_scalar(struct walk *w, const struct part *part);
bool param_is_list(const struct param *p);
bool param_list(struct walk *w, const struct param *p,
                struct shell_words *out); /* false: not known */

/* arith.c */
struct shell_value arith_value(struct walk *w, const struct word_parts *inner, size_t at);
/* The same for a command, which always runs: i=0 and i++ in it surely make i a number. */
void arith_run(struct walk *w, const struct word_parts *inner, size_t at);
void arith_check_subscript(struct walk *w, const struct word *word); /* x[...]=value */
/* Forgets what an expression may assign, and what the brackets of a word may. */
void arith_forget(struct walk *w, const struct word_parts *inner);
void arith_forget_subscript(struct walk *w, const struct word *word);

/* brace.c */
bool brace_expand(struct walk *w, const struct word *word,
                  struct words *out); /* false: none in it */
/* The command with the words that its braces make, in `copy`; itself if it has none. */
const struct node *node_without_braces(struct walk *w, const struct node *n, struct node *copy);

/* command.c */
struct shell_action *shell_action_begin(struct walk *w, enum shell_action_kind kind, size_t at,
                                        size_t len);
/* "x$TOKEN" = x: are they equal if the one that is not known is empty, and only then? */
bool test_is_for_emptiness(struct arena *a, const struct shell_word *left,
                           const struct shell_word *right);
int shell_action_end(struct walk *w); /* its words are complete; returns its index */
void walk_simple(struct walk *w, const struct node *n);
void walk_redirects(struct walk *w, const struct node *n);
bool redirects_may_fail(const struct walk *w, const struct node *n);
void shell_run_command(struct walk *w, struct shell_words argv, size_t at, size_t len, int parent);
void shell_check_compound(struct walk *w, bool array, struct str name, struct shell_word value,
                          size_t at);
void shell_add_set(struct walk *w, struct str name, size_t at,
                   size_t len); /* by read, printf -v, a loop */
void shell_add_assign(struct walk *w, struct str name, struct shell_word value, bool whole,
                      size_t at, size_t len);

/* builtin.c */
void builtin_run_traps(struct walk *w); /* again, with the functions that were defined after them */
bool builtin_run(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index);

/* wrapper.c */
void wrapper_run(struct walk *w, const struct shell_words *argv, size_t at, size_t len, int index);
bool wrapper_run_launched(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                          int index);
/* The inner command of a wrapper: where it begins in argv, 0 when there is none, when that is not
 * certain, or when it is a text. */
size_t wrapper_inner(struct walk *w, const struct shell_words *argv, bool transparent_only);
/* A wrapper that may run more, or begin elsewhere, than its row says: any word may be the first of
 * the inner command. */
bool wrapper_is_doubtful(struct walk *w, const struct shell_words *argv);

/* command cd, builtin cd: the name of the command comes after it. */
static inline bool name_precedes_command(struct str name)
{
    return str_is(name, "command") || str_is(name, "builtin");
}

/* Builtins that move the shell to another directory. */
static inline bool name_moves(struct str name)
{
    return str_is(name, "cd") || str_is(name, "pushd") || str_is(name, "popd");
}

static inline struct str base_name(struct str path)
{
    size_t slash = str_last_index(path, '/');

    return slash == STR_NONE ? path : (struct str){path.s + slash + 1, path.len - slash - 1};
}

/* The same for a word that lives as long as the arena. The last answer is kept: many ask for the
 * same command. */
static inline struct str command_name(struct walk *w, struct str path)
{
    if (w->cache.path.s != path.s || w->cache.path.len != path.len) {
        w->cache.path = path;
        w->cache.base = base_name(path);
    }
    return w->cache.base;
}

/* Do policy files add programs? Each of them may be a wrapper. */
static inline bool walk_has_added(const struct walk *w)
{
    return w->context->programs && w->context->programs->count;
}

/* nested.c */
bool nested_run_shell(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                      int index);
bool nested_run_busybox(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                        int index);
bool nested_run_su(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                   int index);
void nested_run_script(struct walk *w, const struct shell_words *argv, size_t script, size_t at,
                       size_t len, int index);
bool nested_run_find(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                     int index);

/* written.c */
void written_note(struct walk *w, const struct shell_word *target, const struct output *text);
void written_note_contents(struct walk *w, const struct written *target, const struct output *text);
void written_note_more(struct walk *w, const struct written *target, const struct output *text,
                       const struct written *old);
/* What the command does to files that were written before it. Nothing, if none were and it is none
 * of writer_names. */
void written_note_changes(struct walk *w, const struct shell_words *argv);
/* The text of a file that was written before, and is now read by a shell or, being a program,
 * started. False: it was not written here, or its text is not known, which is not understood. */
bool written_text(struct walk *w, const struct shell_word *script, bool started, size_t at,
                  struct str *text);

/* remote.c */
bool remote_run_ssh(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                    int index);
bool remote_run_container(struct walk *w, const struct shell_words *argv, size_t at, size_t len,
                          int index);

/* forms.c */
struct str words_join(struct arena *a, const struct shell_word *words, size_t count);
/* Returns whether one of its words begins with a slash. */
bool forms_fill(struct walk *w, struct shell_action *action);

/* finding.c */
RARE void finding_add(struct walk *w, const char *name, struct str what, size_t at, size_t len);
void findings_in_bytes(struct walk *w, struct str text);
void findings_in_tree(struct walk *w, const struct tree *tree, struct str text);
void findings_in_word(struct walk *w, const struct word *word, const struct shell_words *fields,
                      size_t first);
void findings_in_action(struct walk *w, const struct shell_action *action,
                        bool slashed); /* as forms_fill() returned */

static inline bool variable_is_dangerous(struct str name)
{
    return variable_uses(name) & VARIABLE_NOTED;
}
static inline bool variable_is_harmless(struct str name)
{
    return variable_uses(name) & VARIABLE_TRANSPARENT;
}

#endif
