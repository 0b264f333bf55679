/* selection.h - which files a search hands on: find by its tests, as far as they are about names.
 */
#ifndef FACTS_SELECTION_H
#define FACTS_SELECTION_H

#include "facts/facts.h"

struct selection_test {
    struct str glob;
    bool path;          /* on the path as the search writes it, not on the last name of it */
    size_t alternative; /* a file must pass all tests of one of them */
};
struct selection_tests LIST_OF(struct selection_test);

struct selection {
    bool all;        /* nothing is known that leaves files out */
    struct str root; /* the directory that is searched, as written, */
    struct str from; /* and as an absolute path */
    struct selection_tests tests;
    size_t alternatives;
};

/* What find selects below this directory by the words of its command line. */
struct selection selection_of_find(const struct facts *f, const struct strs *words,
                                   struct str directory);

/* Could this file be among them? Its path is absolute and below the directory. */
bool selection_has(const struct facts *f, const struct selection *s, struct str path);

#endif
