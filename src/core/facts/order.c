#include "facts/order.h"

/* The commands of a function are over when it is; of a program that starts others its row says
 * it. */
static bool is_waited_for(const struct facts *f, const struct shell_actions *all, size_t at)
{
    for (int i = all->items[at].parent; i >= 0; i = all->items[i].parent) {
        const struct action *a = &f->actions.items[i];
        if ((a->effects & EFFECT_INNER) && !(a->row && (a->row->transparent || a->row->waits)))
            return false;
    }
    return true;
}

bool order_ends_before(const struct facts *f, const struct shell_actions *all, size_t first,
                       size_t second)
{
    const struct shell_action *a = &all->items[first], *b = &all->items[second];

    return first < second && !a->in_background && !b->in_background &&
           !(a->in_pipe && b->in_pipe) && !a->in_substitution && !b->in_substitution &&
           !(a->loop && a->loop == b->loop) && is_waited_for(f, all, first);
}
