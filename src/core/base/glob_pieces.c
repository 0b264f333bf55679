/* glob_pieces.c - the literal runs that every match of a glob contains, for the rule index. */
#include "base/glob_parts.h"

size_t glob_branches(const struct glob *g)
{
    return g->count;
}

static bool is_plain(const struct token *t)
{
    return t->kind == TOKEN_LITERAL && t->symbol < 0x80;
}

/* How many tokens of the branch match bytes that are really in the text. The virtual slash is not,
 * and neither need be a run after it. */
static size_t certain_end(const struct glob *g, const struct branch *b)
{
    size_t end = b->count;

    if (!g->ends_in_slash)
        return end;
    while (end && (b->tokens[end - 1].kind == TOKEN_TREE || b->tokens[end - 1].kind == TOKEN_SPAN))
        end--;
    return end && b->tokens[end - 1].kind == TOKEN_LITERAL && b->tokens[end - 1].symbol == '/'
               ? end - 1
               : end;
}

/* A letter and a combining mark after it may be one code point in another spelling of the text. */
static bool may_compose(const struct branch *b, size_t next)
{
    return next < b->count && b->tokens[next].kind == TOKEN_LITERAL &&
           b->tokens[next].symbol >= 0x80;
}

bool glob_piece(const struct glob *g, size_t branch, size_t *at, struct glob_piece *out)
{
    const struct branch *b = &g->branches[branch];
    size_t end = certain_end(g, b), from = *at;

    while (from < end && (!is_plain(&b->tokens[from]) || may_compose(b, from + 1)))
        from++;
    *out = (struct glob_piece){
        .at_start = from == 0,
        .at_component = from == 0 || b->tokens[from - 1].kind == TOKEN_TREE,
    };
    while (from < end && out->len < GLOB_MAX_PIECE && is_plain(&b->tokens[from]) &&
           !may_compose(b, from + 1))
        out->text[out->len++] = (char)symbol_fold(b->tokens[from++].symbol);
    out->at_end = from == b->count;
    out->at_last = from == end && end < b->count;
    *at = from;
    return out->len > 0;
}
