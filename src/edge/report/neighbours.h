/* neighbours.h - the calls near a rule: one that it is about, and others that differ from it in one
 * thing each.
 *
 * They are candidates, made of the rule's text alone: whether a policy allows one of them is for
 * judge.h to say. Comparing two policies looks for a difference among them; a proposed rule is
 * shown with some of them, so that its reader sees where it ends. */
#ifndef REPORT_NEIGHBOURS_H
#define REPORT_NEIGHBOURS_H

#include "rule/rule.h"

enum neighbour_kind {
    NEAR_ITSELF = 0, /* a call that the rule is about */
    NEAR_OPTION,     /* another option of the program, those that do more first */
    NEAR_HOST,       /* another host */
    NEAR_PATH,       /* another place on the disk */
    NEAR_WRAPPER,    /* started by another program */
    NEAR_CHAIN,      /* with a second command, a redirection or a substitution */
};

struct neighbour {
    enum neighbour_kind kind;
    struct str tool;     /* the name of a tool, also for a rule on several */
    struct str argument; /* its first argument; the whole input as JSON if `input` */
    bool input;
};
struct neighbours LIST_OF(struct neighbour);

const char *neighbour_kind_name(enum neighbour_kind kind); /* "another option" */

/* The first of them is NEAR_ITSELF, if the rule is about anything that can be written down; then
 * at most NEIGHBOURS_EACH of a kind. Home and project: where paths begin. Below an arena_try(). */
#define NEIGHBOURS_EACH 8
void neighbours_of(struct arena *a, const struct rule *r, struct str home, struct str project,
                   struct neighbours *out);

/* It as a call for judge_call(), in this directory. False: there is no such tool. */
bool neighbour_call(struct arena *a, const struct neighbour *n, struct str cwd, struct str *out);

#endif
