/* index_front.h - deny and ask rules on paths, by the directory that they speak of. For
 * rule/index.c only.
 *
 * The front of a path rule is what stands before its first wildcard. A path that is a pattern, and
 * a directory that is read with all that is in it, can only meet rules whose fronts lie above or
 * below their own. */
#ifndef RULE_INDEX_FRONT_H
#define RULE_INDEX_FRONT_H

#include "rule/index.h"

struct rule_fronts;

struct rule_fronts *fronts_build(struct arena *a, const struct rules *rules);

/* Adds the rules that could mean something in `directory` or above it; which is absolute. Some of
 * them twice. It ends when there are more than `most`. */
void fronts_find(struct arena *a, const struct rule_fronts *x, struct str directory,
                 const struct rule_env *env, size_t most, struct rule_places *out);

#endif
