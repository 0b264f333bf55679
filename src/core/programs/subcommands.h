/* subcommands.h - which words of a command name its subcommand.
 *
 * A rule names a command by its first words, `docker compose down`. In a command
 * options may come between them: `docker --context x compose -f y down`. The rows
 * say which options take a value. Where they do not say it, an option may have
 * taken the word after it or not, and both readings are listed: the caller looks
 * for deny rules, and a reading that is missing is a way around them. */
#ifndef PROGRAMS_SUBCOMMANDS_H
#define PROGRAMS_SUBCOMMANDS_H

#include "programs/programs.h"

#define SUBCOMMAND_WORDS_MAX    4   /* words of one subcommand: "network vnet subnet delete" */
#define SUBCOMMAND_READINGS_MAX 512 /* that are listed for one command */

/* One reading: the words that name the subcommand. Options come in front of the last one. */
struct subcommand {
    size_t words[SUBCOMMAND_WORDS_MAX];
    size_t count;
};
struct subcommands LIST_OF(struct subcommand);

/* May an option separate the words of a subcommand? `text` is the words with blanks between them. A
 * quick look: where it says no program_subcommands() finds nothing. */
bool subcommand_is_apart(struct str text, const struct shell_word *words, size_t count,
                         const struct program_rows *more);

/* All readings in which options come in front of a word of the subcommand. words[0] is the program;
 * `more` may be NULL. False: there are more than SUBCOMMAND_READINGS_MAX, and the rest is missing.
 */
bool program_subcommands(struct arena *a, const struct shell_word *words, size_t count,
                         const struct program_rows *more, struct subcommands *out);

/* The command without the options in front of the last word of its subcommand, or with them
 * `moved` behind it: npm --global install is npm install --global. */
size_t subcommand_words(struct arena *a, const struct shell_word *words, size_t count,
                        const struct subcommand *found, bool moved, const struct shell_word **out);

#endif
