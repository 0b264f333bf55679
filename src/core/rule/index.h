/* index.h - which rules could speak of a subject, without looking at all of them.
 *
 * Every way in which a rule can match needs some bytes to stand in some text of
 * the subject. The index keeps, for each such way, one short run of those bytes
 * (a key), chosen among the rarest; looking up all runs of the subject's texts
 * then finds every rule that could match. What it finds is a guess that leaves
 * nothing out: rule_matches() still has the word. Rules without usable bytes are
 * found always. */
#ifndef RULE_INDEX_H
#define RULE_INDEX_H

#include <stdint.h>

#include "base/list.h"
#include "rule/rule.h"

struct rule_index;
struct rule_places LIST_OF(uint32_t);

struct rule_index *rule_index_build(struct arena *a, const struct rules *rules);

/* The search for the actions of one call: what they share is looked up once. */
struct rule_search {
    struct arena *arena;
    const struct rule_index *index;
    struct rule_places slots; /* met by what the actions share: */
    size_t names;             /* so many of the first names, */
    struct str first;         /* the first argument, and the fields */
};

/* `s` is any subject of the call. */
struct rule_search rule_search_begin(struct arena *a, const struct rule_index *x,
                                     const struct subject *s);

/* Places in the list of rules, ascending: no rule that rule_matches() the subject is missing. */
struct rule_places rule_search_find(const struct rule_search *search, const struct subject *s,
                                    const struct rule_env *env);

/* Deny and ask rules on paths that could mean something in the directory, or all of it; ascending.
 * *cut: there are more, of which more than `most` were met, some perhaps twice; then it is the
 * first one of those. */
struct rule_places rule_index_near(struct arena *a, const struct rule_index *x,
                                   struct str directory, const struct rule_env *env, size_t most,
                                   bool *cut);

/* The place of the first deny or ask rule that speaks of paths, or that number where there is none.
 */
#define INDEX_NO_RULE UINT32_MAX
uint32_t rule_index_first_on_paths(const struct rule_index *x);

/* The memory of the index that holds numbers only: none of them is an address, whatever it looks
 * like. */
struct str rule_index_numbers(const struct rule_index *x);

/* Does the rule speak of paths, whoever touches them? */
bool rule_is_on_paths(const struct rule *r);

#endif
