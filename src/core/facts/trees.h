/* trees.h - whole directories: what a program reads or writes below one that no word names. */
#ifndef FACTS_TREES_H
#define FACTS_TREES_H

#include "facts/facts.h"

/* Names that are looked at for one call, over all of its directories. */
#define TREES_ENTRIES_MAX 65536

/* Why reading or writing everything below the path needs care, as the end of a sentence ("an
 * environment file: /p/.env"), or NULL: a secret whose contents it prints, or a link that it
 * follows to a secret, or that it writes through to a place outside the workspace or a protected
 * one. A tree that is too large to look at counts as one that has such a thing. */
const char *tree_doubt(const struct facts *f, const struct action *a,
                       const struct subject_path *path);

/* As what a visitor meets a name: the last is what a link leads to. */
enum tree_met { TREE_FILE = 0, TREE_DIRECTORY, TREE_TARGET };

/* Is told what lies below a directory. */
struct tree_visitor {
    void *to;
    bool links; /* what links lead to is met as well, and entered */
    /* False: more is not looked at, and counts as not seen. */
    bool (*meets)(void *to, struct str directory, const char *name, enum tree_met as);
    bool (*enters)(void *to, struct str directory); /* false: nothing below it matters */
};

/* Why it was not told everything, as the end of a sentence; NULL: it was. The names count as those
 * above. */
const char *tree_visit(const struct facts *f, struct str root, const struct tree_visitor *visitor);

/* Does the action follow or write through the links that it meets below the path? */
bool tree_has_links(const struct action *a, const struct subject_path *path);

/* Does the action, with this access to the root, reach what lies there? Not what it skips by its
 * name. */
bool tree_is_reached(const struct facts *f, const struct action *a, unsigned access,
                     struct str root, struct str path, enum tree_met as);

/* A secret below the directory that git does not ignore, and so adds with everything else; NULL:
 * none. `all`: what git ignores now counts, too. */
const char *tree_unignored_secret(const struct facts *f, struct str directory, bool all);

#endif
