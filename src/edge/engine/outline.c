#include "engine/outline.h"

#include "shell/shell.h"

#define NOBODY ((size_t)-1)

int outline_parent(const struct facts *f, size_t i)
{
    /* if it was not understood, the whole text follows the actions of the analysis */
    return f->shell && i < f->shell->actions.count ? f->shell->actions.items[i].parent : -1;
}

/* First child and next sibling of each action. Actions without a parent are children of the last
 * entry. */
struct links {
    size_t *child, *next;
};

static struct links link_all(struct arena *a, const struct facts *f)
{
    size_t n = f->actions.count;
    struct links l = {ARENA_ARRAY(a, size_t, n + 1), ARENA_ARRAY(a, size_t, n + 1)};

    for (size_t i = 0; i <= n; i++)
        l.child[i] = l.next[i] = NOBODY;
    for (size_t i = n; i-- > 0;) {
        int parent = outline_parent(f, i);
        size_t at = parent < 0 ? n : (size_t)parent;
        l.next[i] = l.child[at];
        l.child[at] = i;
    }
    return l;
}

/* With its own stack: the judged text decides how deeply actions are nested. */
struct outline outline_of(struct arena *a, const struct facts *f)
{
    size_t n = f->actions.count, depth = 0;
    struct outline o = {ARENA_ARRAY(a, struct outline_row, n + 1), 0,
                        ARENA_ARRAY(a, size_t, n + 1)};
    struct links l = link_all(a, f);
    size_t *stack = ARENA_ARRAY(a, size_t, n + 1);

    stack[0] = l.child[n];
    for (;;) {
        size_t at = stack[depth];
        if (at == NOBODY) {
            if (depth == 0)
                return o;
            depth--;
            continue;
        }
        stack[depth] = l.next[at];
        o.rows[o.count] = (struct outline_row){at, (unsigned)depth};
        o.number[at] = ++o.count;
        if (l.child[at] != NOBODY)
            stack[++depth] = l.child[at];
    }
}
