/* actions.h - from a call to the list of things it would do. */
#ifndef FACTS_ACTIONS_H
#define FACTS_ACTIONS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Fills actions, findings, understood, why and malformed. The other facts must be set. */
void actions_find(struct facts *f);

/* Marks an action that runs a file of the project, by its path or by an interpreter. The words
 * after the file's name may be paths or say that it sends, as with any code of the project. Rules
 * still see the original words. */
void action_become_project_code(struct facts *f, const struct shell_action *from, struct action *a);

/* The action with these words instead. */
struct action action_with_words(struct facts *f, const struct shell_action *from,
                                struct shell_words words);

/* The facts of a text that some program of the call gives to a shell, in this directory. The rules,
 * the session and the disk are those of the call. */
struct facts *actions_of_text(const struct facts *f, struct str text, struct str cwd);

/* Could it change this file? */
bool action_may_write(const struct action *a, struct str file);

#endif
