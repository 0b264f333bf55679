/* evasion.h - other ways to say what a deny or ask rule is about.
 *
 * deny-rules compares rules with the commands that the analysis of the shell lists. The same
 * command may be spelled otherwise (rm -r -f for rm -rf, git-push for git push), stand in the
 * arguments of a program that is not known, in a text that another program runs, or in a word that
 * only run time fills. evasion_command() and evasion_text() look for such a command and remember
 * the strictest rule. */
#ifndef DECIDE_EVASION_H
#define DECIDE_EVASION_H

#include "facts/facts.h"
#include "shell/shell.h"

#define EVASION_WORK_MAX                                                                           \
    ((size_t)32 * 1024 * 1024) /* bytes of one call that are compared and copied */

struct makers LIST_OF(size_t); /* places in the list of actions */

struct evasion {
    const struct facts *f;
    size_t action; /* the one that is looked at */
    /* A rule that the action is sure to match in another spelling, and one that it may match:
     * `why` says how. Each is about an action of its own. */
    const struct rule *sure, *perhaps;
    size_t sure_action, perhaps_action;
    const char *why;
    /* Of a text that another program gives to a shell: how many texts it is inside of, and how many
     * of them the call has so far. */
    unsigned depth;
    const struct evasion *outer; /* NULL: it stands in none */
    size_t *texts;
    /* The directory that was looked at last, and whether no rule is about a path below or above
     * it. */
    struct str cwd;
    bool free_below;
    /* The actions that may write or make a file (evasion_made.c), once they were looked for. */
    struct makers makers;
    bool knows_makers;
    bool knows_others, others; /* whether it runs what may start any command, in the same way */
    size_t *work;              /* bytes that were compared and copied so far, for the whole call */
};

/* All actions. */
void evasion_look(struct evasion *e);

/* One command: its words in any spelling. */
void evasion_command(struct evasion *e, const struct shell_word *words, size_t count);

/* The same as one command: its words are known to begin with the name of `program`, which is
 * without its directory. */
void evasion_one(struct evasion *e, const struct shell_word *words, size_t count,
                 struct str program);
/* The targets, tasks and scripts of package.json that it runs by their names. */
void evasion_tasks(struct evasion *e, const struct shell_word *words, size_t count,
                   struct str program);
/* A text that the action reads, if it has targets: the text may name one of them. */
void evasion_targets(struct evasion *e, struct str text);

/* The same by the other names of program, subcommand and what it acts on; if there can be a rule
 * on one of them, but for its own name. */
bool evasion_may_be_renamed(const struct evasion *e, struct str program);
void evasion_names(struct evasion *e, const struct shell_word *words, size_t count);

/* Compares one rule with a command, another spelling of the action. */
void evasion_compare(struct evasion *e, const struct rule *rule, const struct shell_word *words,
                     size_t count);

/* The same with every option by one of its names, as its row knows them. */
void evasion_plain(struct evasion *e, const struct shell_word *words, size_t count);

/* Compares the rules on the program with these words, another spelling of the action. */
void evasion_spelling(struct evasion *e, const struct strs *words);

/* A value that is the beginning of a command: whoever runs it adds words of its own. */
void evasion_prefix(struct evasion *e, struct str text);

/* A text that a program may run, or pass on to a shell. */
void evasion_text(struct evasion *e, struct str text);

/* A text that a shell reads; if that is only a guess, it may be none. */
void evasion_shell(struct evasion *e, struct str text, bool guessed);

/* Code in some language, which may start commands: `ways` is the column `launches` of its program,
 * NULL if that is not known. */
void evasion_code(struct evasion *e, struct str text, const char *ways);

/* The action runs something that is not known before run time. */
void evasion_unknown(struct evasion *e);

/* The words after the first one of a program that may run them; `input` is what they read then, or
 * NULL. */
void evasion_words(struct evasion *e, const struct shell_words *words, const struct str *input);

/* bash, perl, nice: is what follows the name of this program a command or code? */
bool evasion_runs_others(struct str name);

/* The text without its escapes, which most languages have in common. */
struct str evasion_unescape(struct arena *a, struct str text);

/* A program that is not known may run each of its words with those after it: the work grows with
 * the square of their number. True if the call has used up what it may take: then it is asked
 * about. */
bool evasion_is_spent(struct evasion *e, size_t bytes);

/* The rule matches, or could match. */
void evasion_match(struct evasion *e, const struct rule *rule);
void evasion_doubt(struct evasion *e, const struct rule *rule, const char *why);

/* The first rule that could be about what cannot be seen: on commands or on paths; NULL: none. */
const struct rule *evasion_first(const struct evasion *e);

/* The same, unless an allow rule of a person names the program of the action. */
void evasion_doubt_unnamed(struct evasion *e, const struct rule *rule, const char *why);

/* Code that the call brings and that cannot be read: from a pipe, an unknown word, a file that the
 * call writes. */
void evasion_unseen(struct evasion *e, const struct shell_action *from);

/* Does the command print no more than its words, or its here-document, say? */
bool evasion_prints_own_text(const struct action *a, const struct shell_action *from);

/* The action runs a file, of which another part of the call makes what nobody can see. */
bool evasion_runs_made(struct evasion *e);
/* The same of the file that a word names in this directory. */
bool evasion_is_made(struct evasion *e, struct str directory, struct str word);

/* The same of a variable: the value is a command that is not known, or a file that the call makes.
 */
void evasion_unseen_value(struct evasion *e, const struct shell_action *from);

/* The texts that the call writes into files before it runs code. */
void evasion_written(struct evasion *e);

/* git p, kubectl x: an alias or a plugin may be called so, and may be what a rule is about. The
 * words are those of the action. */
void evasion_alias(struct evasion *e, const struct shell_word *words, size_t count);

/* Does a variable say what this option of the program says: one that the call sets, or that the
 * text around names? */
bool evasion_variable_says(const struct evasion *e, struct str program, struct str names);
/* The action sets a variable: what the call runs may be a command for which it says what a rule
 * forbids. */
void evasion_variable(struct evasion *e);
/* The same of those that its words set. */
void evasion_settings(struct evasion *e, const struct shell_action *from);

/* The text of the files that the action runs, if they have changed since the session began. */
void evasion_files(struct evasion *e);
/* The same of the files that this text names. */
void evasion_files_named(struct evasion *e, struct str directory, struct str text);

/* A denied path that is mentioned where no row expects a path. */
void evasion_paths(struct evasion *e, const struct shell_action *from);
/* A text that a program runs, and that no word of the action is. */
void evasion_names_in(struct evasion *e, struct str text);
/* Does the action run code that no reader has followed to its end? */
bool evasion_reads_code(const struct evasion *e);
/* A text that is the name of a file, or of a directory in which everything may be reached; or a
 * pattern of names. */
void evasion_file(struct evasion *e, struct str name);

#endif
