/* session_builds.h - what a verdict changes in what the session knows of programs that it built
 * (facts/made.h). */
#ifndef DECIDE_SESSION_BUILDS_H
#define DECIDE_SESSION_BUILDS_H

#include "decide/decide.h"

/* What the session will know of behind this verdict: empty unless the call was cleared. */
const struct session_programs *session_builds_of(const struct verdict *v);

/* What the verdict changes in what the session knows. now: milliseconds, by the clock that files
 * are stamped with. */
void session_builds_keep(struct arena *a, struct session *s, const struct verdict *v, int64_t now);

/* Would that change anything? Needs no memory. */
bool session_builds_change(const struct session *s, const struct verdict *v);

/* Do both sessions know the same programs? */
bool session_builds_same(const struct session *s, const struct session *other);

#endif
