/* cell.h - the sandbox, as an engine needs it: whether a call could run in a cell, the plan of one,
 * and the token under which a contained call finds its plan.
 *
 * A contained verdict leaves the engine as an allow of another command: `warder-cell TOKEN`. The
 * token is 128 random bits, names one stored plan with the command in it, and is used once
 * (ask/cells.h). Who cannot be given one is asked about instead. */
#ifndef ENGINE_CELL_H
#define ENGINE_CELL_H

#include "ask/bound.h"
#include "base/json.h"
#include "engine/cell_hidden.h"
#include "engine/engine.h"

/* Whether the decision's call could be contained, as the machine, the policy and the client of the
 * call say. */
struct cell_facts cell_find(const warder_decision *d);

/* The undo entry in which the keeper of the cell saves what the call changes in the workspace. */
struct cell_undo {
    struct str entry; /* empty: it saves nothing */
    struct str state, project;
    uint64_t file;
    struct strs skip;
    bool needed; /* the call was allowed because of that: what cannot be saved is not removed */
};

/* What a plan is made for. */
struct cell_order {
    const struct rulebook *book;
    const struct strs *own; /* places that verdicts depend on */
    struct str home, project, directory;
    const char *program;
    const char *const *words;
    enum cell_tier tier;
    struct strs kits;       /* of its programs, by name (programs/kits.h): for their caches */
    struct strs registries; /* of those that it reaches */
    struct str
        token; /* that names it in what the cell says; its end is told under this name, too */
    struct str session; /* calls of one share their loopback network; empty: it has its own */
    struct str boot, build, call;
    bool follow;   /* warder-cell says afterwards where its shell has ended */
    int64_t until; /* seconds; 0: it is not stored */
    struct cell_undo undo;
    struct cell_memory *memory;      /* NULL: what is hidden is found anew */
    const struct bound_files *bound; /* kept for `warder outside` (cell_outside.h); NULL: none */
};
struct cell_places {
    struct strs write, protect, hide, hosts;
};

/* Looks at the disk and writes the plan, an object. Below an arena_try(). */
void cell_plan_write(struct arena *a, struct json_writer *w, const struct cell_order *order,
                     struct cell_places *places);

/* The same of a decision that is contained, without its command. */
void cell_write_places(struct json_writer *w, const warder_decision *d, struct cell_places *places);

/* Makes a contained decision one that can leave: its plan is stored, and the input is one that runs
 * it. What cannot be stored asks. */
void cell_contain(warder_decision *d);

#endif
