/* stakes.h - what is at stake if a call is let through, for the person who is asked: how much, in
 * one word and in one sentence. Only what no layer cleared counts. It decides nothing. */
#ifndef DECIDE_STAKES_H
#define DECIDE_STAKES_H

#include "decide/decide.h"

/* Grave is zero: what was never weighed counts as that. */
enum stakes {
    STAKES_GRAVE = 0, /* secrets, other users, the machine, lost work, or a text that deceives */
    STAKES_OUTSIDE,   /* it reaches beyond the project, or nobody knows what it does */
    STAKES_SMALL,
};

const char *stakes_name(enum stakes s); /* "grave", "outside", "small" */
enum stakes stakes_of(const struct verdict *v);

/* Why a person is asked, in parts, so that one of them can be left out and the rest still says it.
 * Empty: there is none. */
struct stakes_why {
    struct str action; /* what was not cleared, as it is written */
    struct str effect; /* "sends to a server" */
    struct str path;   /* a file that needs care */
    struct str what;   /* ... and what it is: "an environment file" */
    struct str rule;   /* that asks */
};
struct stakes_why stakes_why(struct arena *a, const struct verdict *v);

/* "curl touches .env, an environment file; sends to hooks.example.net". Of the call's text it has
 * the names of programs, hosts and files alone. */
struct str stakes_headline(struct arena *a, const struct verdict *v);

#endif
