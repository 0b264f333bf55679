/* losses.h - what a call may destroy in the workspace, as far as that is known before it runs.
 *
 * Undo saves it (engine/losses.h), and the layer `reversible` allows what only loses what is saved.
 * So a path that is listed here must be the one that the call changes, and an action that may lose
 * anything else says so (loses_unknown()). */
#ifndef FACTS_LOSSES_H
#define FACTS_LOSSES_H

#include "facts/facts.h"

struct loss {
    struct str path; /* absolute, below the workspace; ends in NUL */
    bool tree;       /* it may be deleted, with what it contains */
    bool written;    /* it may be written in place */
    bool at_once;    /* a whole directory that `rm` deletes before anything else happens: it may as
                        well be moved away before the call */
    bool away;       /* ... and was; for whoever saves */
};
struct loss_list LIST_OF(struct loss);

struct losses {
    struct loss_list paths;
    enum program_saves git; /* what of the workspace's own repository is lost, besides */
    bool git_alone;         /* ... and the call is that one command */
};

/* In the order of the actions. Asks the disk nothing. */
void losses_find(const struct facts *f, struct losses *out);

/* Does it change only paths that losses_find() lists, what it creates, and files in temporary
 * directories? *git: what of the repository has to be saved for that. */
bool losses_cover(const struct facts *f, size_t action, enum program_saves *git);

#endif
