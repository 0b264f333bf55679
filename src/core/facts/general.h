/* general.h - an action as an example of a rule: its program and subcommand, with any words after
 * them.
 *
 * Whoever learns rules from what people accept asks here what one example may stand for. Most of
 * what matters is no example at all: what a rule on words cannot bound is never generalised. */
#ifndef FACTS_GENERAL_H
#define FACTS_GENERAL_H

#include "facts/facts.h"

enum general_kind {
    GENERAL_NEVER = 0,
    GENERAL_BOUNDED, /* its row says what it does, and the ceiling of a star holds it there */
    GENERAL_WRITES,  /* what the agent chooses, into files of the workspace */
    GENERAL_SENDS,   /* to a server, also by a tool of one: it cannot be taken back */
    GENERAL_SCRIPT,  /* runs files of the project, which may be others tomorrow */
    GENERAL_UNKNOWN, /* no row describes the program: nothing bounds it */
};

struct general {
    enum general_kind kind;
    const char *why;   /* GENERAL_NEVER: the reason, as "it ..." */
    struct str name;   /* "git push", "./gradlew"; also of what is never generalised */
    struct str rule;   /* "Bash(git push:*)" */
    struct strs hosts; /* that the rule has to name in `within` */
};

/* In f->arena. */
void action_generalise(const struct facts *f, const struct action *a, struct general *out);

#endif
