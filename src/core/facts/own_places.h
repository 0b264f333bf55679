/* own_places.h - the places that verdicts depend on: policy, record, the agents' settings, Warder
 * itself.
 *
 * The usual ones are rows of path_classes.c. What an engine uses elsewhere (a policy file that was
 * named, settings that a variable has moved, the program that runs) comes in as lists of absolute
 * paths: `own` of the rulebook and of struct facts. A directory above such a place counts, too:
 * removing, moving, locking or replacing it takes away all that is below. */
#ifndef FACTS_OWN_PLACES_H
#define FACTS_OWN_PLACES_H

#include "facts/facts.h"
#include "facts/selection.h"

/* Files of one place in the workspace that are compared with what a search selects. */
#define OWN_FILES_MAX 4096

/* What the path is, or what the pattern could name, by these lists; NULL: none of them. */
const char *own_place_listed(const struct facts *f, const struct subject_path *p);

/* Do these lists have any place in the workspace, the workspace itself or one that it is in? */
bool own_places_in_workspace(const struct facts *f);

/* What the text names of them, whatever is in front: the home can be spelled in many ways. NULL:
 * nothing. */
const char *own_place_named(const struct facts *f, struct str text);

/* What is taken away or replaced when the action changes this directory as a whole; NULL: nothing
 * of ours is below it, or the action leaves it in place. */
const char *own_place_below(const struct facts *f, const struct action *a,
                            const struct subject_path *p);

/* The same for a directory that nobody says anything of but its name. Only places outside of the
 * workspace count. */
const char *own_place_under(const struct facts *f, struct str directory);

/* The agents' settings and Warder's own in the workspace: the name of the first one that is there,
 * and that the search selects (NULL: every file); NULL if there is none. */
const char *own_place_in_workspace(const struct facts *f, const struct selection *which);

/* The same for the work tree that this action of git acts in, as far as it is known. */
const char *own_place_in_tree(const struct facts *f, const struct action *a);

/* To build such lists. Adds a path unless a row covers it already. */
void own_places_add(struct arena *a, struct strs *list, struct str home, struct str path);
/* The rows below `directory` of the home, which was moved to `to`; all of `to` only if that is no
 * home, nor above one. */
void own_places_add_moved(struct arena *a, struct strs *list, struct str home, struct str directory,
                          struct str to);

#endif
