/* layer_reversible.c - allows what asks only because it may lose work, where that is saved before.
 *
 * It stands behind every stop, as all clearances do. The verdict says that it was allowed for this
 * reason, and whoever runs the call must have saved what it loses (engine/losses.h). */
#include "decide/layer.h"
#include "decide/reversible.h"

const struct said *layer_reversible(const struct facts *f, size_t action)
{
    if (!reversible_clears(f, action))
        return NULL;
    struct str why = reversible_why(f, action);
    return say(f, SAY_ALLOW,
               why.len ? str_format(f->arena, "%.*s: saved first", STR_ARG(why)) : (struct str){0});
}
