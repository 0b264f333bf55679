/* layer_shared.h - judgements that more than one layer needs. No layer calls another one: a layer
 * can be taken out of a profile or changed without changing what the others say
 * (tests/tools/layers.sh checks this). */
#ifndef DECIDE_LAYER_SHARED_H
#define DECIDE_LAYER_SHARED_H

#include "facts/facts.h"

bool edits_by_tool(const struct call *c); /* by a file tool, not by a command */
bool edits_plan_file(const struct facts *f, const struct action *a);

/* Only changes files of the workspace or in temporary places: what acceptEdits is for. */
bool action_is_edit(const struct facts *f, const struct action *a);

/* Only reads outside secret places, prints or computes. */
bool action_is_harmless(const struct facts *f, const struct action *a);

/* Why the call must not run in any mode, and which action it is (WHOLE_CALL: all together), or
 * NULL. */
const char *call_catastrophe(const struct facts *f, size_t *action);

/* Whether the analysis cannot tell what the call would do, and why. */
bool call_is_unclear(const struct facts *f, struct str *why);

/* An allow rule that covers the action; one that covers the last action when every action has
 * one. NULL: there is none. */
const struct rule *allow_rule(const struct facts *f, size_t action);
const struct rule *allow_rule_for_all(const struct facts *f);

#endif
