/* nearest.h - "did you mean ...?": the name of a list that a mistyped one was most likely meant to
 * be. Upper and lower case are the same; two letters in the wrong order are one mistake.
 *
 *     struct nearest n = nearest_to(typed);
 *     for (...)
 *         nearest_try(&n, name);
 *     fail(err, STATUS_USAGE, "unknown tool \"%s\"" NEAREST_FORMAT, typed, NEAREST_ARG(n)); */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/str.h"

struct nearest {
    struct str typed;
    struct str best; /* empty: no name is near enough to be worth a question */
    size_t distance;
};

struct nearest nearest_to(struct str typed);
void nearest_try(struct nearest *n, struct str name);

/* For printf: "; did you mean Bash?", or nothing where no name was near. */
#define NEAREST_FORMAT "%s%.*s%s"
#define NEAREST_ARG(n)                                                                             \
    (n).best.len ? "; did you mean " : "", STR_ARG((n).best), (n).best.len ? "?" : ""

#endif
