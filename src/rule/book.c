#include "rule/book.h"

const struct problem *rulebook_broken(const struct rulebook *b)
{
    for (size_t i = 0; i < b->problems.count; i++)
        if (b->problems.items[i].fatal)
            return &b->problems.items[i];
    return NULL;
}
