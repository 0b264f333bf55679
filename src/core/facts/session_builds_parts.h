/* session_builds_parts.h - shared by facts/session_builds.c and decide/session_builds.c. */
#ifndef FACTS_SESSION_BUILDS_PARTS_H
#define FACTS_SESSION_BUILDS_PARTS_H

#include "facts/facts.h"

#define NANOSECONDS ((int64_t)1000000) /* in a millisecond */
#define NO_ACTION   ((size_t)-1)

bool session_build_touched(const struct facts *f, const struct session_program *p, size_t but);
bool session_build_is_same(const struct file_mark *a, const struct file_mark *b);
size_t session_build_index(const struct session_programs *list, struct str path);
bool session_build_is_right_in(struct str path, struct str directory);
const struct session_program *session_build_known(const struct session_programs *list,
                                                  struct str path);

#endif
