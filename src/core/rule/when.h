/* when.h - when a rule counts: {when: {mode: plan, until: 2026-12-31}}.
 *
 * What cannot be found out never loosens: a deny or ask rule then counts, an allow rule does
 * not. */
#ifndef RULE_WHEN_H
#define RULE_WHEN_H

#include "rule/rule.h"

/* Everything that is given must hold. */
struct rule_when {
    unsigned modes;       /* bits by enum mode; 0: in any */
    struct strs agents;   /* globs on who is asking; none: anyone */
    struct strs clients;  /* programs that the agent runs in */
    struct strs projects; /* directories, of which the project is one or below one; or its id */
    bool in_worktree, not_in_worktree; /* the project is a linked worktree of git, or is none */
    int64_t until;                     /* seconds since 1970; 0: for ever */
    int64_t for_seconds;               /* since the session began; 0: all of it */
};

enum when_answer { WHEN_NO = 0, WHEN_YES, WHEN_UNKNOWN };
enum when_answer rule_when_holds(struct arena *a, const struct rule_when *w,
                                 const struct rule_env *env);

/* Does it count now? By its scope, its session and its `when`. */
bool rule_counts(struct arena *a, const struct rule *r, const struct rule_env *env);

#endif
