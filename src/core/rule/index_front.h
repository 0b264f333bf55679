/* index_front.h - finds deny and ask rules on paths by their directory. For rule/index*.c only.
 *
 * The front of a path rule is the part before its first wildcard. A path pattern, or a directory
 * that is read with everything in it, can only match rules whose front is above or below its
 * own. */
#ifndef RULE_INDEX_FRONT_H
#define RULE_INDEX_FRONT_H

#include "rule/index.h"

struct rule_fronts;

struct rule_fronts *fronts_build(struct arena *a, const struct rules *rules);

/* Adds the rules that could match a path in `directory`, which is absolute; some rules twice. Stops
 * when there are more than `most`. */
void fronts_find(struct arena *a, const struct rule_fronts *x, struct str directory,
                 const struct rule_env *env, size_t most, struct rule_places *out);

/* Could one of them match this path, which is absolute and no pattern? A front matches itself and
 * what is below it. `below`: or something below the path? */
bool fronts_may_match(const struct rule_fronts *x, struct str path, bool below,
                      const struct rule_env *env);

#endif
