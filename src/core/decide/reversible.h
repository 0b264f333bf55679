/* reversible.h - which calls are allowed because what they lose is saved before they run.
 *
 * What asked only because it may lose work: deleting files of the workspace, and git commands that
 * overwrite the work tree or drop refs. A write is more than a loss, for it also chooses what the
 * next test runs: that is for the mode acceptEdits to allow. Whether all of it can be saved comes
 * in as a value; whoever cannot save it must not run it. */
#ifndef DECIDE_REVERSIBLE_H
#define DECIDE_REVERSIBLE_H

#include "facts/losses.h"

/* What the verdict says; a zeroed one promises nothing. */
struct reversible {
    bool yes;       /* it is allowed because it is saved */
    bool by_cell;   /* ... by the keeper of its cell, which hears of what is deleted: not before */
    struct str why; /* "deletes src" */
    /* Filled in when it was saved: the undo entry, until when that is kept, and what is in it. */
    struct str entry;
    int64_t until; /* milliseconds; 0: not known */
    size_t paths, left;
};

/* Does it do nothing that asks, except to lose what is saved before the call runs? */
bool reversible_clears(const struct facts *f, size_t action);

/* Does undo save what the call loses, as far as that is known before it runs? */
bool reversible_is_saved(const struct facts *f);

/* What it loses: "deletes src", or of git that it may lose work. */
struct str reversible_why(const struct facts *f, size_t action);

/* An action that would be allowed if what the call loses could be saved: why it cannot. Empty: that
 * is not the reason. */
struct str reversible_problem(const struct facts *f, size_t action);

/* What the verdict says of a call that is allowed. */
void reversible_judge(const struct facts *f, const char *const *cleared_by, struct reversible *out);

#endif
