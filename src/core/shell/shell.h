/* shell.h - what a shell command will do, as far as its text tells.
 *
 * shell_analyse() reads a text as bash 5.2 would, follows its variables,
 * functions and directories, peels wrappers, opens the texts that will be run
 * as commands (sh -c, eval, trap, a here-document into a shell), and lists what
 * is left: actions. It reads nothing but its arguments. Everything it returns
 * lives in the arena or is a view of the text. */
#ifndef SHELL_SHELL_H
#define SHELL_SHELL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"
#include "base/str.h"
#include "programs/programs.h"
#include "shell/directory.h"

/* A text that exceeds one of these is "not understood"; what was found until then is in the list.
 */
#define SHELL_COMMANDS_MAX                                                                         \
    30000 /* simple commands walked, functions and loops counted as often as run */
#define SHELL_TEXT_DEPTH_MAX 8   /* sh -c in eval in sh -c ... */
#define SHELL_WALK_DEPTH_MAX 300 /* nodes inside nodes, calls and inner texts too: our stack */
#define SHELL_WRAP_DEPTH_MAX 16  /* nice nice nice ... */
#define SHELL_CALL_DEPTH_MAX 20  /* functions that call functions */
#define SHELL_UNROLL_MAX                                                                           \
    64 /* passes through nested `for` loops, and substitutions that braces repeat */
#define SHELL_BRACES_MAX    256  /* words that one word's braces may make */
#define SHELL_FUNCTIONS_MAX 500  /* functions remembered */
#define SHELL_LOCALS_MAX    200  /* local variables in one call */
#define SHELL_VARIABLES_MAX 1000 /* assignments remembered */
#define SHELL_WRITTEN_MAX   200  /* files remembered that the text writes */

/* The work of one analysis is linear in the length of the text, however often its loops, functions
 * and braces repeat something. A step is a node, a word or a part of a word that is walked; actions
 * and patterns cost more, since later stages check each of them. Of 72,000 real commands the most
 * expensive one takes 359 steps more than its bytes pay for. */
#define SHELL_STEPS_FREE     ((size_t)8192)
#define SHELL_STEPS_PER_BYTE ((size_t)16)
#define SHELL_STEPS_ACTION   16
#define SHELL_STEPS_PATTERN  4  /* for each byte: it is compared with every protected place */
#define SHELL_STEP_BYTES     16 /* bytes per step, where a text is read again or joined */

struct shell_words LIST_OF(struct shell_word);

enum shell_action_kind { SHELL_COMMAND = 0, SHELL_REDIRECT, SHELL_ASSIGN };
enum shell_access { SHELL_READS = 1, SHELL_WRITES = 2 }; /* bits, for SHELL_REDIRECT */

/* What a command reads on its standard input. */
enum shell_input {
    SHELL_INPUT_INHERITED = 0,
    SHELL_INPUT_UNKNOWN, /* a pipe or a file */
    SHELL_INPUT_TEXT, /* a here-document, a here-string or a pipe from an echo: the text is known */
};

struct shell_action {
    enum shell_action_kind kind;
    struct shell_words
        words; /* SHELL_COMMAND: argv; SHELL_REDIRECT: the target; SHELL_ASSIGN: name and value */
    struct str normal;       /* the words joined by single blanks */
    struct strs allow_forms; /* normal first; then without transparent wrappers before it (time,
                                nice, ...) */
    struct strs
        deny_forms;  /* all of those, and every other form that a deny rule should recognise */
    unsigned access; /* SHELL_REDIRECT: enum shell_access */
    bool appends;    /* ... and what is in the file stays */
    struct shell_directory directory; /* without `if_mktemp_failed` */
    enum shell_input input;           /* SHELL_COMMAND */
    struct str input_text;            /* with SHELL_INPUT_TEXT */
    size_t at, len;                   /* span in the text that was analysed */
    int parent; /* the action that wraps or contains it, which may come later; -1 when there is none
                 */
    int after;  /* a simple command that has succeeded when this one runs (a && b); the `after` of
                   that one has succeeded, too; -1: none is sure */
    const struct program_use
        *use; /* SHELL_COMMAND: what programs/ knows about it, if it was asked before, all words are
                 known and the input does not matter; else NULL */
    unsigned uses; /* SHELL_ASSIGN: variable_uses() of its name */
    unsigned loop; /* the number of the outermost loop around it of which the passes are not listed
                      one by one; 0: it is in none */
    bool in_background, in_pipe, in_substitution;
    bool elsewhere; /* on another machine or in a container: names and paths are not those of this
                       one */
    bool secret;    /* one of its words holds a variable from outside that is named like a secret */
    bool whole_environment; /* SHELL_ASSIGN: for the rest of the shell, not for one command */
    bool set;  /* SHELL_ASSIGN: by read, printf -v or a loop, where no assignment is written */
    bool idle; /* SHELL_ASSIGN: nothing else sees it (IFS= read), or it keeps its value (X=$(go env
                  X)) */
    bool function; /* SHELL_COMMAND: it surely calls a function of this text; the commands of that
                      function are listed with the words that they have in this call */
};
struct shell_actions LIST_OF(struct shell_action);

/* Something noticed, by a stable name of shell_finding_names. */
struct shell_finding {
    const char *name;
    struct str what; /* the bytes it is about */
    size_t at, len;
};
struct shell_findings LIST_OF(struct shell_finding);

struct shell_analysis {
    bool understood; /* false: something was refused, a program name is not known before run time,
                        or memory ended */
    bool splits;  /* a value became several words, or a pattern, which another shell leaves as it is
                   */
    bool lasting; /* a shell that goes on after it has other functions, arguments or kinds of
                     variables */
    /* A shell that goes on after it is where it was, or in `enters`, unless a `cd` to it failed;
     * false: it may be anywhere */
    bool stays;
    struct str enters; /* empty: where it was */
    bool bash_only;    /* the text itself has what a plain sh or another shell reads differently */
    struct str why;    /* the first reason, a sentence, when not understood */
    size_t why_at;
    struct shell_actions actions; /* what was found, also when not understood: deny rules are still
                                     compared with it */
    struct shell_findings findings;
};

struct shell_context {
    struct str cwd, home;                /* absolute; empty when unknown */
    const struct program_rows *programs; /* that policy files add; NULL: none */
};

/* May the text open a file as an input, also in an inner text that is spelled in $'...'? */
bool shell_may_open(struct str text);

/* Does PowerShell read the text as it is read here? */
bool shell_is_powershell_too(struct str text);

void shell_analyse(struct arena *a, struct str text, const struct shell_context *c,
                   struct shell_analysis *out);

/* Every name that a finding can have, and its meaning as a sentence. Ends with a NULL name. */
struct shell_finding_name {
    const char *name, *says;
};
extern const struct shell_finding_name shell_finding_names[];

#endif
