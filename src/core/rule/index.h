/* index.h - finds the rules that could match a subject without checking all of them.
 *
 * Each way in which a rule can match requires some bytes to be in some text of the subject. For
 * each way the index stores one short run of those bytes (a key), one of the rarest. Looking up all
 * runs of the subject's texts then finds every rule that could match. The result may contain rules
 * that do not match, so rule_matches() decides; it never misses one. Rules without usable bytes are
 * always returned. */
#ifndef RULE_INDEX_H
#define RULE_INDEX_H

#include <stdint.h>

#include "base/list.h"
#include "rule/rule.h"

struct rule_index;
struct word_lists;
struct rule_places LIST_OF(uint32_t);

/* `lists` are those of programs that rulebook_may_name_one() is asked about; NULL: there are none.
 */
struct rule_index *rule_index_build(struct arena *a, const struct rules *rules,
                                    const struct word_lists *lists);

/* A search for the actions of one call: what they share is looked up once. */
struct rule_search {
    struct arena *arena;
    const struct rule_index *index;
    struct rule_places slots; /* hit by what all actions share, which is: */
    size_t names;             /* the first `names` names, */
    struct str first;         /* the first argument, and the fields */
};

/* `s` is any subject of the call. */
struct rule_search rule_search_begin(struct arena *a, const struct rule_index *x,
                                     const struct subject *s);

/* Indexes into the list of rules, ascending. No rule that rule_matches() the subject is missing. */
struct rule_places rule_search_find(const struct rule_search *search, const struct subject *s,
                                    const struct rule_env *env);

/* Deny and ask rules that could match a path in the directory, or the directory itself; ascending.
 * If there are more than `most` (some may be counted twice), *cut is set and only the first of
 * those seen is returned. */
struct rule_places rule_index_near(struct arena *a, const struct rule_index *x,
                                   struct str directory, const struct rule_env *env, size_t most,
                                   bool *cut);

/* Could a deny or ask rule about paths match this one, which is absolute and no pattern? */
bool rule_index_may_forbid(const struct rule_index *x, struct str path, const struct rule_env *env);
/* ... or this directory, or something below it? */
bool rule_index_may_forbid_below(const struct rule_index *x, struct str directory,
                                 const struct rule_env *env);

/* The index of the first deny or ask rule about paths, or INDEX_NO_RULE. */
#define INDEX_NO_RULE UINT32_MAX
uint32_t rule_index_first_on_paths(const struct rule_index *x);

/* The index of the first deny or ask rule on commands (command.h), or INDEX_NO_RULE. */
uint32_t rule_index_first_on_commands(const struct rule_index *x);

/* The index of the first deny or ask rule about effects, or INDEX_NO_RULE; and whether any rule is
 * about them. */
uint32_t rule_index_first_on_effects(const struct rule_index *x);
bool rule_index_on_effects(const struct rule_index *x);
bool rule_index_on_age(const struct rule_index *x); /* or about the time since a session began */

/* The part of the index that contains only numbers. The image check must not take any of them for
 * an address. */
struct str rule_index_numbers(const struct rule_index *x);

/* Is the rule about paths, whichever tool touches them? */
bool rule_is_on_paths(const struct rule *r);

#endif
