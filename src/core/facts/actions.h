/* actions.h - from a call to the list of things it would do. */
#ifndef FACTS_ACTIONS_H
#define FACTS_ACTIONS_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Fills actions, findings, understood, why and malformed. The rest of the facts must be there. */
void actions_find(struct facts *f);

/* It runs a file of the project's own, by its path or by an interpreter. What it may do with the
 * words behind that file's name is what any code of the project may: they may be paths, and a name
 * may say that it sends. Rules see them as they did. */
void action_become_project_code(struct facts *f, const struct shell_action *from, struct action *a);

/* What it would be with these words instead. */
struct action action_with_words(struct facts *f, const struct shell_action *from,
                                struct shell_words words);

/* Could it change this file? */
bool action_may_write(const struct action *a, struct str file);

#endif
