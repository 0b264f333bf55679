/* contained.h - which calls run in a cell: a place where a program can write only in the workspace
 * and for temporary files, sees no secrets and talks to nobody.
 *
 * A call is contained as a whole: if one action of it needs the cell, all of them run there, so
 * none may need what a cell lacks. What is asked about because nobody can know what it does is at
 * home there; what harms in a cell as well (losing work), or is not possible there, is not. */
#ifndef DECIDE_CONTAINED_H
#define DECIDE_CONTAINED_H

#include "facts/facts.h"

/* What the verdict says; a zeroed one is not contained. */
struct contained {
    bool yes;
    enum cell_tier tier;
    struct str why;
};

/* Does policy want it, and could this call be one? Asks no disk. */
bool contained_is_wanted(const struct facts *f);

/* Would a contained verdict hold: the policy wants it, the machine has the tier that it needs, the
 * client runs what it is answered, and its own rules are known? */
bool contained_is_on(const struct facts *f);

/* Why the action cannot run in a cell, as the end of a sentence ("needs the network"); NULL: it
 * can. */
const char *action_lacks(const struct facts *f, const struct action *a);

/* Why a person is asked about the action even if it runs in a cell, in the same form; NULL: running
 * there answers every reason to ask. */
const char *action_asks_in_cell(const struct facts *f, const struct action *a);

/* Does that hold for an action which deletes in the workspace, only because the keeper of the cell
 * saves it? */
bool action_is_saved_in_cell(const struct facts *f, const struct action *a);

/* Does policy want it never to run there? */
bool action_is_outside(const struct facts *f, const struct action *a);

/* What an allow becomes. `cleared_by`: the layer that cleared each action; NULL: the call was
 * allowed as a whole, and `shipped`: by no rule or word of a person. */
enum containing {
    CONTAIN_NOT = 0, /* it stays as it is */
    CONTAIN_CALL,    /* it is contained: *out */
    CONTAIN_CANNOT,  /* a part of it must be contained and another cannot be: out->why asks */
};
enum containing contained_judge(const struct facts *f, const char *const *cleared_by, bool shipped,
                                struct contained *out);

/* Policy wants a deny where a call would be contained, and it cannot be: the machine or the client
 * lacks what is needed. */
bool contained_is_missed(const struct facts *f, const char *const *cleared_by);

/* An open action would be contained but for another one: a sentence that names both; empty: not
 * so. */
struct str contained_conflict(const struct facts *f, size_t open);

#endif
