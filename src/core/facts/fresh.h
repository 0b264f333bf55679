/* fresh.h - code that came into the tree, and that no person has agreed to yet.
 *
 * Tests and builds are cleared because they run what the project holds. That is the project's own
 * only as far as it was there when the session began, came by a way that a person was asked about,
 * or was written by the agent as ordinary sources. What it does not cover is "fresh":
 *
 *  - a revision that is not known to be the project's own (revisions.h);
 *  - commits of a remote that the session, or this call, brought into the tree;
 *  - a file that the same call writes, and that the run may take for code;
 *  - a file that says what a run starts (package.json, Makefile), or one that it names
 *    (named_in.h), changed since the session began;
 *  - a file that git itself runs, because its settings name it.
 *
 * The session remembers what was brought and what a person agreed to (facts/session.h).
 *
 * This is the one place that says so, and action_is_fresh() the one question that layers ask: where
 * a call is contained, so that it can do no harm whatever it runs, the answer may be "no" there. */
#ifndef FACTS_FRESH_H
#define FACTS_FRESH_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Fills `fresh` and `brings` of every action. All actions must be known. */
void fresh_find(struct facts *f, const struct shell_actions *all);

static inline bool action_is_fresh(const struct action *a)
{
    return a->fresh.kind != FRESH_NOT;
}

/* Does the call bring code into the tree that came from elsewhere? Then the session remembers it.
 */
bool fresh_is_brought(const struct facts *f);

/* Is the file of this name one that says what such an action runs? */
bool fresh_is_entry(const struct action *a, struct str name);

/* The end of a sentence about the action; empty if it is not fresh. */
struct str fresh_why(const struct facts *f, const struct action *a);

#endif
