/* own_programs.h - Warder's own programs: what an agent may start of them, and what would stop
 * them. */
#ifndef FACTS_OWN_PROGRAMS_H
#define FACTS_OWN_PROGRAMS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Does the action start one of them to decide, to approve, or to change a state? */
bool own_program_misused(const struct action *a);

/* Does the text, or do these words after each other, hold a command of Warder that only a person
 * may give: in quotes, in code, for another terminal? */
extern const char own_program_command[]; /* its name, where it is a mention (mentions.h) */
bool own_program_commanded(struct str text);
bool own_program_commanded_by(const struct shell_words *words);

/* Could it end one of them: by its name, by a pattern, or by what another part of the call finds?
 */
bool own_program_stopped(const struct facts *f, const struct action *a);

#endif
