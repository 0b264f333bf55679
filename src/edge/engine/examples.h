/* examples.h - judges the examples of a policy file: `tests`, and `match` and `not` of a rule.
 *
 * A file is judged by its own rules and those of the profile, without the other files, on a disk
 * that has the files of the example and no others (pretend.h): the result is the same on every
 * machine and at any time: a rule that counts until a date counts. An example of a rule is judged
 * by that rule alone. */
#ifndef ENGINE_EXAMPLES_H
#define ENGINE_EXAMPLES_H

#include "decide/decide.h"
#include "machine/regex.h"
#include "policy/load.h"

/* What it is judged with. */
struct examples_of {
    const struct rulebook *book;
    const struct profile *profile;
    struct str home, project;
};

/* How one of them ended; valid in the function that gets it. */
struct example_result {
    const struct example *example;
    bool passed;
    enum behavior behavior;  /* what was decided */
    const struct rule *rule; /* of the book: of EXAMPLE_MATCH and EXAMPLE_NOT the one that has it */
    struct str message;      /* if it failed: what is wrong */
    /* the rules of the book that said something about the call */
    const struct rule *const *said;
    size_t said_count;
};
typedef void example_visit(void *context, const struct example_result *result);

/* Each of them, in the order of the files. False: no memory. */
bool examples_judge(const struct examples_of *of, example_visit *visit, void *context);

/* For struct policy_request. */
policy_prove examples_prove;

#endif
