/* layer_contained.c - allows what nobody can judge, because it runs where it can do no harm.
 *
 * It stands in the place of the last clearance and of nothing else: what a deny rule, an ask rule
 * or a stop says comes before it and stays. fold.c marks the verdict as contained, and whoever
 * cannot run it so must not run it. */
#include "decide/contained.h"
#include "decide/layer.h"
#include "decide/why.h"

/* All actions run in the cell, so none may need what it lacks. */
static bool fits_as_a_whole(const struct facts *f)
{
    struct decision_cache *cache = f->cache;

    if (cache->fits_cell == ANY_UNASKED) {
        cache->fits_cell = ANY_YES;
        for (size_t i = 0; i < f->actions.count; i++)
            if (action_lacks(f, &f->actions.items[i]))
                cache->fits_cell = ANY_NO;
    }
    return cache->fits_cell == ANY_YES;
}

const struct said *layer_contained(const struct facts *f, size_t action)
{
    const struct action *a = &f->actions.items[action];

    if (f->call->kind != TOOL_SHELL ||
        sandbox_value(&f->book->sandbox, SANDBOX_ASKS) == ASKS_KEEP || !contained_is_on(f) ||
        !fits_as_a_whole(f) || action_asks_in_cell(f, a))
        return NULL;
    struct str why = why_action(f, action);
    return say(f, SAY_ALLOW,
               why.len ? str_format(f->arena, "%.*s: it runs in the sandbox%s", STR_ARG(why),
                                    action_is_saved_in_cell(f, a) ? ", which saves that" : "")
                       : (struct str){0});
}
