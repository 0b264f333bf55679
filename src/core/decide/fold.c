/* fold.c - where the opinions of the layers become a verdict.
 *
 * 1. A step that says deny ends the walk.
 * 2. A stop's ask is remembered; after it nothing can allow any more.
 * 3. An allow needs: no ask remembered, and everything understood unless the
 *    allow is a bypass. It may be one that has to run in a cell (contained.h). allow() below is the
 * only way for policy to allow a call; decide/verdict.h lists the others, which come after it and
 * can only lift an ask or repeat what a service decided.
 * 4. If every layer is silent, the verdict is ask. */
#include "decide/fold.h"

/* There is always room for one more. */
static struct said *note(struct verdict *v, const struct step *step, const struct said *said)
{
    struct trace_step *t = &v->trace.items[v->trace.count++];

    t->layer = &layers[step->layer];
    t->role = step->role;
    t->said = *said;
    return &t->said;
}

static struct str reason_of(enum layer_id layer, const struct said *said)
{
    return said->reason.len ? said->reason : str_from(layers[layer].says);
}

static void keep_said(struct verdict *v, const struct said *said)
{
    v->rule = said->rule;
    v->immune = said->immune;
    v->interrupt = said->interrupt;
}

__attribute__((noinline)) static void refuse(struct verdict *v, enum behavior behavior,
                                             enum layer_id layer, const struct said *said)
{
    verdict_refuse(v, behavior, layers[layer].name, reason_of(layer, said));
    if (said->message.len)
        v->message = said->message;
    keep_said(v, said);
}

/* Published models that allow what no person's rule is about: the project's code in it runs as it
 * does where it is cleared. */
static bool is_shipped(enum layer_id layer, const struct said *said)
{
    return (layer == LAYER_ACCEPT_RULES || layer == LAYER_ALLOW_REST) &&
           (!said->rule || said->rule->source == SOURCE_BUILTIN);
}

/* What is allowed may have to run in a cell. False: it cannot, and so it asks. */
static bool contain(const struct facts *f, struct verdict *v, enum layer_id layer,
                    const struct said *by)
{
    const bool cleared = layers[layer].clear != NULL;
    const enum containing said =
        contained_judge(f, cleared ? v->cleared_by : NULL, is_shipped(layer, by), &v->contained);

    if (said != CONTAIN_CANNOT)
        return true;
    const struct said doubt = {.reason = v->contained.why};
    refuse(v, BEHAVIOR_ASK, LAYER_CONTAINED, &doubt);
    v->contained = (struct contained){0};
    return false;
}

/* What was cleared because it runs in a cell, and deletes there. */
static void save_in_cell(const struct facts *f, struct verdict *v)
{
    for (size_t i = 0; v->contained.yes && i < f->actions.count; i++) {
        if (v->cleared_by[i] != layers[LAYER_CONTAINED].name ||
            !action_is_saved_in_cell(f, &f->actions.items[i]))
            continue;
        if (!v->reversible.yes)
            v->reversible.why = reversible_why(f, i);
        v->reversible.yes = v->reversible.by_cell = true;
    }
}

/* True when the walk is over. */
static bool allow(const struct facts *f, struct verdict *v, bool asked, enum layer_id layer,
                  const struct said *said)
{
    if (asked)
        return false;
    if (!f->understood && !said->blind) {
        struct said doubt = {.reason = f->why, .immune = true};
        refuse(v, BEHAVIOR_ASK, LAYER_UNDERSTOOD, &doubt);
        return true;
    }
    if (!contain(f, v, layer, said))
        return true;
    if (layers[layer].clear)
        reversible_judge(f, v->cleared_by, &v->reversible);
    save_in_cell(f, v);
    verdict_allow(v, ALLOWED_BY_POLICY, layers[layer].name, reason_of(layer, said));
    keep_said(v, said);
    return true;
}

/* The walk through the steps so far. */
struct walk {
    bool asked;  /* a stop's ask is remembered */
    size_t open; /* actions that no clearance has cleared */
};

/* Lets one clearance look at every action that is still open. Returns the last thing that it said,
 * or NULL. */
static const struct said *clear_actions(const struct facts *f, struct verdict *v,
                                        const struct step *step, struct walk *w)
{
    const struct layer *layer = &layers[step->layer];
    const struct said *last = NULL;

    for (size_t i = 0; i < f->actions.count; i++) {
        if (v->cleared_by[i])
            continue;
        const struct said *said = layer->clear(f, i);
        if (!said || said->opinion != SAY_ALLOW)
            continue;
        v->cleared_by[i] = layer->name;
        w->open--;
        struct said *noted = note(v, step, said);
        noted->action = i;
        last = noted;
    }
    return last;
}

/* True when the walk is over. */
__attribute__((noinline)) static bool hear(const struct facts *f, struct verdict *v,
                                           const struct step *step, const struct said *said,
                                           struct walk *w)
{
    note(v, step, said);
    switch (said->opinion) {
    case NO_OPINION:
        return false;
    case SAY_DENY:
        refuse(v, BEHAVIOR_DENY, step->layer, said);
        return true;
    case SAY_ALLOW:
        return step->role == ROLE_SPEAK && allow(f, v, w->asked, step->layer, said);
    case SAY_ASK:
        if (!w->asked)
            refuse(v, BEHAVIOR_ASK, step->layer, said);
        w->asked = true;
        /* A stop's question waits for what later stops deny; in the published models an ask is an
         * answer. */
        return step->role == ROLE_SPEAK;
    }
    return true;
}

/* True when the walk is over. Most layers say nothing. */
static inline bool take_step(const struct facts *f, struct verdict *v, const struct step *step,
                             struct walk *w)
{
    const struct said *said;

    if (step->role == ROLE_CLEAR) {
        said = clear_actions(f, v, step, w);
        return said && !w->open && allow(f, v, w->asked, step->layer, said);
    }
    said = layers[step->layer].look(f);
    return said && hear(f, v, step, said, w);
}

static void walk(const struct profile *profile, const struct facts *f, struct verdict *v)
{
    const struct step *step = profile->steps, *end = step + profile->step_count;
    const bool skips = f->book->clearances_off;
    struct walk w = {.open = f->actions.count};

    for (; step < end; step++)
        if (!(skips && step->optional) && take_step(f, v, step, &w)) {
            v->walked = (size_t)(step - profile->steps) + 1;
            return;
        }
    v->walked = profile->step_count;
    if (w.asked)
        return;
    v->open = f->understood;
    verdict_refuse(v, BEHAVIOR_ASK, profile->asker,
                   f->understood ? str_from(profile->open) : f->why);
}

void fold(const struct profile *profile, const struct facts *f, struct verdict *v)
{
    v->cleared_by = ARENA_ARRAY(f->arena, const char *, f->actions.count + 1);
    /* A step says one thing, or one thing about each action. */
    v->trace.room = profile->step_count + f->actions.count + 1;
    v->trace.items = arena_room(f->arena, v->trace.room, sizeof(*v->trace.items));
    walk(profile, f, v);
    /* What was not understood needs a person, whichever layer asked, and --auto-allow does not
     * answer for one. */
    if (v->behavior == BEHAVIOR_ASK && !f->understood)
        v->immune = true;
}
