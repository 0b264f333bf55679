/* fresh_parts.h - what the files of fresh.h share. */
#ifndef FACTS_FRESH_PARTS_H
#define FACTS_FRESH_PARTS_H

#include "facts/fresh.h"

/* It runs code of the project: tests, builds, scripts of packages. */
bool fresh_runs_project(const struct action *a);

/* A file that another part of the call writes and that the action at this place may run. */
bool fresh_find_written(const struct facts *f, const struct shell_actions *all, size_t at,
                        struct fresh *out);

/* A file that says what the action runs, changed since the session began, and that no person has
 * agreed to as it is. */
bool fresh_find_entry(const struct facts *f, const struct action *a, struct fresh *out);

#endif
