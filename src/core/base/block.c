#include "base/block.h"

/* A text whose length is not a multiple of BLOCK ends in a block that overlaps the one before it.
 */
uint64_t str_marks(struct str s, char c)
{
    size_t len = s.len < MARKS ? s.len : MARKS, at = 0;
    uint64_t marks = 0;

    for (; at + BLOCK <= len; at += BLOCK)
        marks |= block_marks(block_at(s.s + at), c) << at;
    if (at < len && len >= BLOCK)
        return marks | block_marks(block_at(s.s + len - BLOCK), c) << (len - BLOCK);
    for (; at < len; at++)
        marks |= (uint64_t)(s.s[at] == c) << at;
    return marks;
}

bool parts_go_on(struct parts *p)
{
    while (p->slashes == 0) {
        if (p->end - p->window <= MARKS)
            return false;
        p->window += MARKS;
        p->slashes = str_marks((struct str){p->window, (size_t)(p->end - p->window)}, '/');
    }
    return true;
}
