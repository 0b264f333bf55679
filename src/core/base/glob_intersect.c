/* glob_intersect.c - can some text match both of two globs?
 *
 * Walks both at once, over a table: cell (i, j) is reached if some text brings the first branch to
 * token i and the second to token j. No move goes back to an earlier token, so each cell is visited
 * once, row by row, and two rows are all the memory needed. When it is not clear whether two sets
 * of symbols overlap, the answer is yes: a wrong yes costs one needless question, a wrong no lets a
 * shell glob reach a protected file. */
#include <string.h>

#include "base/glob_parts.h"

/* How a cell was reached: by a text that ends in a slash (or is empty), or by one that does not.
 * TOKEN_TREE may only end after a slash. */
enum { BY_SLASH = 1, BY_OTHER = 2 };

#define COLUMNS (GLOB_MAX_PATTERN + 4)

struct side {
    const struct glob *glob;
    const struct branch *branch;
    size_t count; /* tokens, with the virtual slash at the end */
};

struct walk {
    struct side a, b;
    size_t *steps; /* steps left, shared by all pairs of branches */
    unsigned char now[COLUMNS], next[COLUMNS];
};

static const struct token final_slash = {.kind = TOKEN_LITERAL, .symbol = '/'};

static struct side side_of(const struct glob *g, const struct branch *b)
{
    return (struct side){g, b, b->count + !g->ends_in_slash};
}

static const struct token *token_of(const struct side *s, size_t i)
{
    return i < s->branch->count ? &s->branch->tokens[i] : &final_slash;
}

static bool takes(const struct side *s, const struct token *t, uint32_t symbol)
{
    return token_takes(s->glob, t, s->glob->flags & GLOB_NOCASE ? symbol_fold(symbol) : symbol);
}

static uint32_t other_case(uint32_t symbol)
{
    uint32_t lower = symbol_fold(symbol);

    return lower != symbol ? lower : symbol >= 'a' && symbol <= 'z' ? symbol - 'a' + 'A' : symbol;
}

/* Do both tokens take this symbol, or both its other case? Not for the slash, which common_moves()
 * handles separately. */
static bool share(const struct walk *w, const struct token *x, const struct token *y,
                  uint32_t symbol)
{
    uint32_t other = other_case(symbol);

    return symbol != '/' && ((takes(&w->a, x, symbol) && takes(&w->b, y, symbol)) ||
                             (takes(&w->a, x, other) && takes(&w->b, y, other)));
}

/* Only range edges need testing: if two sets overlap at all, they share the first symbol of some
 * run of one of them, which is the low end of a range or, in a negated class, the symbol after
 * one. */
static bool share_edge(const struct walk *w, const struct token *x, const struct token *y,
                       const struct token *edges)
{
    for (size_t i = 0; edges->kind == TOKEN_CLASS && i < edges->set->count; i++)
        if (share(w, x, y, edges->set->items[i].low) ||
            share(w, x, y, edges->set->items[i].high + 1))
            return true;
    return false;
}

/* Two classes are compared edge by edge, so a visit costs about the product of their sizes. */
static size_t cost(const struct token *t)
{
    return t->kind == TOKEN_CLASS ? t->set->count + 1 : 1;
}

/* Runs that start at no range edge: at the first symbol, after the slash, and at the letters, which
 * GLOB_NOCASE cuts out of larger ranges. First, for speed, a symbol that nearly every negated class
 * takes. */
static const uint32_t edges_of_all[] = {0x10FFFF, 0, '/' + 1, 'Z' + 1, 'a', 'z' + 1};

static bool share_other(const struct walk *w, const struct token *x, const struct token *y)
{
    if (x->kind == TOKEN_LITERAL || y->kind == TOKEN_LITERAL)
        return share(w, x, y, x->kind == TOKEN_LITERAL ? x->symbol : y->symbol);
    for (size_t i = 0; i < COUNT(edges_of_all); i++)
        if (share(w, x, y, edges_of_all[i]))
            return true;
    return share_edge(w, x, y, x) || share_edge(w, x, y, y);
}

/* How both can consume one symbol together: BY_SLASH, BY_OTHER, both or neither. */
static unsigned common_moves(const struct walk *w, const struct token *x, const struct token *y)
{
    unsigned moves = takes(&w->a, x, '/') && takes(&w->b, y, '/') ? BY_SLASH : 0;

    return share_other(w, x, y) ? moves | BY_OTHER : moves;
}

/* In which of the states in `here` the run at `t` may end without consuming anything. */
static unsigned may_end(const struct token *t, unsigned here)
{
    return t->kind == TOKEN_TREE ? here & BY_SLASH : token_repeats(t) ? here : 0;
}

/* Leaves the cell in every possible way. A token that repeats stays where it is when it consumes a
 * symbol, any other moves on. So if both repeat, the walk stays in this cell; if only x does, it
 * goes right; if only y does, down; if neither does, diagonally. */
static void visit(struct walk *w, const struct token *x, size_t j)
{
    const struct token *y = token_of(&w->b, j);
    unsigned here = w->now[j], moves = common_moves(w, x, y);

    if (token_repeats(x) && token_repeats(y))
        here |= moves;
    w->now[j] = (unsigned char)here;
    w->next[j] |= (unsigned char)may_end(x, here);
    w->now[j + 1] |= (unsigned char)may_end(y, here);
    if (token_repeats(x))
        w->now[j + 1] |= (unsigned char)(token_repeats(y) ? 0 : moves);
    else
        w->next[token_repeats(y) ? j : j + 1] |= (unsigned char)moves;
}

/* The last column: the second branch is used up; the first may still skip empty runs. */
static void visit_end(struct walk *w, const struct token *x)
{
    size_t last = w->b.count;

    w->next[last] |= (unsigned char)may_end(x, w->now[last]);
}

static bool spend(struct walk *w, size_t steps)
{
    bool enough = *w->steps >= steps;

    *w->steps -= enough ? steps : *w->steps;
    return enough;
}

/* The last row: the first branch is used up; the second may still skip empty runs. */
static bool ends_empty(struct walk *w)
{
    for (size_t j = 0; j < w->b.count; j++)
        w->now[j + 1] |= (unsigned char)may_end(token_of(&w->b, j), w->now[j]);
    return w->now[w->b.count] != 0;
}

/* Out of steps means yes. */
static bool branches_meet(struct walk *w)
{
    memset(w->now, 0, w->b.count + 1);
    w->now[0] = BY_SLASH;
    for (size_t i = 0; i < w->a.count; i++) {
        const struct token *x = token_of(&w->a, i);
        memset(w->next, 0, w->b.count + 1);
        for (size_t j = 0; j < w->b.count; j++) {
            const struct token *y = token_of(&w->b, j);
            if (!spend(w, w->now[j] ? 1 + (cost(x) + cost(y)) * (cost(x) + cost(y)) / 4 : 1))
                return true;
            if (w->now[j])
                visit(w, x, j);
        }
        visit_end(w, x);
        memcpy(w->now, w->next, w->b.count + 1);
    }
    return ends_empty(w);
}

bool glob_intersects(const struct glob *a, const struct glob *b)
{
    size_t steps = GLOB_MAX_PRODUCT;
    struct walk w;

    w.steps = &steps;
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            w.a = side_of(a, &a->branches[i]);
            w.b = side_of(b, &b->branches[j]);
            if (branches_meet(&w))
                return true;
        }
    }
    return false;
}
