/* program_action.h - what a program does with its words, by its row in the table: paths, hosts,
 * effects. */
#ifndef FACTS_PROGRAM_ACTION_H
#define FACTS_PROGRAM_ACTION_H

#include "facts/facts.h"
#include "shell/shell.h"

/* False if the program is unknown. */
bool program_action(struct facts *f, struct shell_action *from, struct action *a);

/* For an unknown program: each operand may be a path that it reads, writes or deletes. */
void program_operand(struct facts *f, struct subject *s, struct str cwd,
                     const struct shell_word *w);

/* May it change any file? None of what its patterns match is an option. */
bool program_changes(struct facts *f, struct shell_action *from);

/* For a file of the project that is run: the words after its name may be paths. */
void program_script(struct facts *f, const struct shell_action *from, struct action *a);

/* Is it run by another machine, whose relative paths are none of this one? */
bool action_is_remote(struct facts *f, const struct shell_action *from);

#endif
