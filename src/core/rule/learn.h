/* learn.h - which rules a list of answered calls speaks for.
 *
 * Calls, sessions and rules are numbers here: what a call does and which rule it is an example of,
 * others have found out (facts/general.h). A rule is worth having if it helps to let calls through
 * that people let through in several sessions, and if no call was rejected that it is about. */
#ifndef RULE_LEARN_H
#define RULE_LEARN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"

/* A rule that a call needs. */
struct lesson_need {
    size_t rule;
    size_t variant; /* which of several things it was an example of */
};
struct lesson_needs LIST_OF(struct lesson_need);

struct lesson_call {
    size_t session;
    bool counts; /* someone accepted it, and the rules that it needs would let it through */
    struct lesson_needs needs;
    struct lesson_needs vetoes; /* someone rejected it: the rules that are about it */
};

struct lesson_rule {
    size_t variants;              /* that have to be seen; 0: one is enough */
    bool chosen;                  /* the result */
    bool vetoed;                  /* ... and why not */
    size_t calls, sessions, seen; /* that speak for it: the last is of its variants */
};

struct lesson {
    struct arena *arena;
    const struct lesson_call *calls;
    size_t call_count;
    struct lesson_rule *rules;
    size_t rule_count;
    size_t sessions_least;
    const bool *heard; /* by session: only these count; NULL: all */
    size_t session_count;
};

/* Chooses the largest set in which each rule is needed by calls of enough sessions whose other
 * needs are in the set as well. There is one such set, and no smaller one lets as many calls
 * through: every rule in it is one that some call needs. */
void lesson_choose(struct lesson *l);

/* Are all rules that it needs chosen? */
bool lesson_covers(const struct lesson *l, const struct lesson_call *call);

#endif
