/* pretend.h - a disk with a few files that someone names, and nothing else.
 *
 * An example of a policy must have the same result on every machine, so it is judged on this one.
 * The project, the home and the root are there; so is each directory above a file. Files are
 * regular, have no links, and are older than any session. */
#ifndef ENGINE_PRETEND_H
#define ENGINE_PRETEND_H

#include "base/list.h"
#include "base/path.h"
#include "base/world.h"

struct pretend {
    struct strs files; /* absolute and clean; a directory ends in '/' */
};

/* The project and the home are there; further files are added with pretend_add(), relative to
 * `base` unless they begin with '/' or '~/'. */
struct pretend pretend_disk(struct arena *a, struct str project, struct str home);
void pretend_add(struct arena *a, struct pretend *p, struct str file, struct str base,
                 struct str home);

struct world pretend_world(struct pretend *p,
                           enum regex_answer (*match)(const void *code, struct str text));

#endif
