/* layer_shared.h - judgements that more than one layer needs. No layer calls another one: a layer
 * can be taken out of a profile or changed without changing what the others say
 * (tests/tools/layers.sh checks this). */
#ifndef DECIDE_LAYER_SHARED_H
#define DECIDE_LAYER_SHARED_H

#include "facts/facts.h"

bool edits_by_tool(const struct call *c); /* by a file tool, not by a command */
bool edits_plan_file(const struct facts *f, const struct action *a);

/* Only changes files of the workspace or in temporary directories: what acceptEdits is for. */
bool action_is_edit(const struct facts *f, const struct action *a);

/* Only reads paths that are not secret, prints or computes. */
bool action_is_harmless(const struct facts *f, const struct action *a);

/* Why a call must not run in any mode, and what its agent can do instead, as a sentence. */
struct catastrophe {
    const char *what, *instead;
};
/* NULL: it is none; *action: which action it is about (WHOLE_CALL: all together). */
const struct catastrophe *call_catastrophe(const struct facts *f, size_t *action);

/* Asks where the analysis cannot tell what the call would do: also about any unknown field. */
const struct said *ask_about_unclear(const struct facts *f);

/* An allow rule that covers the action, or NULL. allow_rule_for_all(): the one of the last action,
 * if every action has one; `bare`: only rules for whole tools count. */
const struct rule *allow_rule(const struct facts *f, size_t action);
const struct rule *allow_rule_for_all(const struct facts *f, bool bare);

#endif
