/* program_action.h - what a program does with its words, by its row in the table: paths, hosts,
 * effects. */
#ifndef FACTS_PROGRAM_ACTION_H
#define FACTS_PROGRAM_ACTION_H

#include "facts/facts.h"
#include "shell/shell.h"

/* False: nobody knows this program. */
bool program_action(struct facts *f, const struct shell_action *from, struct action *a);

/* Of one that nobody knows: each of its operands may be a path that it reads, writes or deletes. */
void program_operand(struct facts *f, struct subject *s, struct str cwd,
                     const struct shell_word *w);

/* May it change any file? Whatever its patterns find, none of it is an option. */
bool program_changes(struct facts *f, const struct shell_action *from);

/* Of a file of the project's own that is run: the words behind its name may be paths. */
void program_script(struct facts *f, const struct shell_action *from, struct action *a);

#endif
