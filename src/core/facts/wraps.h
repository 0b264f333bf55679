/* wraps.h - does a program that no row describes look like a wrapper: withlock git status? */
#ifndef FACTS_WRAPS_H
#define FACTS_WRAPS_H

#include "facts/facts.h"

struct wrap {
    struct str name;  /* "withlock", "runner exec" */
    struct str inner; /* the row of the command inside: "git status" */
};

/* True for an action of an unknown program whose words, after its name or after subcommands and a
 * "--", are a command that its row explains to the last word. In f->arena. */
bool action_may_wrap(const struct facts *f, const struct action *a, struct wrap *out);

/* Are these the words of the program, or program and subcommand, of this name? */
bool wrap_is_used(struct str name, const struct strs *words);

#endif
