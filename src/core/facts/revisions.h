/* revisions.h - whose code is a revision of git that a command brings into the tree?
 *
 * By induction the local branches hold what the project had, what the agent committed from its work
 * tree, and what came by a revision that was proved to be one of these. So a name is looked up
 * among the branches, tags and remote branches; whatever else git understands (FETCH_HEAD,
 * pull/5/head, an object's id, a search in messages) may be anything, made by anyone. */
#ifndef FACTS_REVISIONS_H
#define FACTS_REVISIONS_H

#include "facts/facts.h"

enum origin {
    ORIGIN_UNKNOWN = 0, /* not known to be the project's own */
    ORIGIN_OWN,         /* a local branch, or what was checked out before */
    ORIGIN_NONE,        /* git knows no such revision now */
    ORIGIN_REMOTE,      /* a tag, or a branch of a remote, from before the session */
    ORIGIN_NEW,         /* the same, and it has changed since, or is fetched right now */
};

/* Of what the action names; ORIGIN_OWN if it names none. */
enum origin revision_origin(const struct facts *f, const struct action *a,
                            const struct program_revision *revision);

#endif
