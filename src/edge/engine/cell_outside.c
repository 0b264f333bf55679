#include "engine/cell_outside.h"

#include <string.h>

#include "ask/approval.h"
#include "ask/cells.h"
#include "base/sha256.h"
#include "machine/world.h"

struct outside {
    warder_decision *decision;
    uint64_t budget;
    uint8_t call[SHA256_BYTES];
    struct bound bound;
};

/* ---- the call ---- */

static void name_call(void *arg)
{
    struct outside *o = arg;
    const warder_decision *d = o->decision;
    struct arena *a = &o->decision->arena;
    const struct str parts[] = {
        STR("outside"),
        d->past_client,
        d->last.session,
        d->last.tool,
        approval_input(a, &d->last),
        call_directory(a, &d->last, d->engine->home),
        d->last.project,
    };
    struct sha256 h;

    sha256_init(&h);
    for (size_t i = 0; i < COUNT(parts); i++)
        sha256_add_part(&h, parts[i]);
    sha256_end(&h, o->call);
}

/* ---- its files ---- */

/* What only counts as it was when the call was judged is as the decision saw it; what a yes counts
 * for is looked at again. */
static void find_files(void *arg)
{
    struct outside *o = arg;
    warder_decision *d = o->decision;
    const struct world *w = o->budget == BOUND_STAMPS ? &d->world : &real_world;

    bound_find(&d->arena, &d->verdict, w, o->budget, &o->bound);
}

static bool find(struct outside *o, uint64_t budget)
{
    o->budget = budget;
    return arena_try(&o->decision->arena, find_files, o) && !o->bound.unbound &&
           o->bound.files.count <= CELL_BOUND_MAX;
}

static bool may_leave(const warder_decision *d)
{
    return sandbox_value(&d->book->sandbox, SANDBOX_RETRY) == RETRY_ASK && d->call.session.len &&
           d->verdict.facts;
}

void cell_outside_name(warder_decision *d, struct bound_files *files)
{
    struct outside o = {.decision = d};

    d->outside[0] = '\0';
    *files = (struct bound_files){0};
    if (!may_leave(d) || !arena_try(&d->arena, name_call, &o) || !find(&o, BOUND_STAMPS))
        return;
    *str_hex(d->outside, o.call, (CELL_OUTSIDE_SIZE - 1) / 2) = '\0';
    *files = o.bound.files;
}

bool cell_outside_take(warder_decision *d, int tokens)
{
    struct outside o = {.decision = d};
    char let[SHA256_HEX], now[SHA256_HEX];

    if (!d->outside[0] || !cells_see_outside(tokens, d->outside, let) ||
        !find(&o, APPROVAL_BYTES_MAX))
        return false;
    bound_digest(&o.bound.files, now);
    return strcmp(let, now) == 0 && cells_take_outside(tokens, d->outside);
}
