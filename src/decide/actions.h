/* actions.h - from a call to the list of things it would do. */
#ifndef DECIDE_ACTIONS_H
#define DECIDE_ACTIONS_H

#include "layer/facts.h"
#include "shell/shell.h"

/* Fills actions, findings, understood, why and malformed. The rest of the facts must be there. */
void actions_find(struct facts *f);

/* A path as a call writes it, seen from this directory. */
void action_add_path(struct facts *f, struct subject *s, struct str cwd, struct str text, unsigned access);

/* The project's own script gets the words behind its name: they may be paths, and its name may say that it sends. */
void action_explain_script(struct facts *f, const struct shell_action *from, struct action *a);

/* Could it change this file? */
bool action_may_write(const struct action *a, struct str file);

#endif
