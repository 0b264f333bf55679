/* session_builds.h - how a verdict changes what the session knows of programs that it built
 * (facts/session_builds.h). */
#ifndef DECIDE_SESSION_BUILDS_H
#define DECIDE_SESSION_BUILDS_H

#include "decide/decide.h"

/* What the session will know after this verdict: empty unless the call was cleared. */
const struct session_programs *session_builds_of(const struct verdict *v);

/* Applies the verdict to what the session knows. now: milliseconds, by the clock of file stamps. */
void session_builds_keep(struct arena *a, struct session *s, const struct verdict *v, int64_t now);

/* Would that change anything? Does not allocate. */
bool session_builds_change(const struct session *s, const struct verdict *v);

/* Do both sessions know the same programs? */
bool session_builds_same(const struct session *s, const struct session *other);

#endif
