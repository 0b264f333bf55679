/* dice.h - pseudo-random numbers that are the same for the same seed on every machine. */
#ifndef TESTS_SUPPORT_DICE_H
#define TESTS_SUPPORT_DICE_H

#include <stddef.h>
#include <stdint.h>

struct dice {
    uint64_t state; /* the seed, not zero */
};

static inline uint64_t dice_next(struct dice *d)
{
    d->state ^= d->state << 13;
    d->state ^= d->state >> 7;
    d->state ^= d->state << 17;
    return d->state;
}

static inline size_t dice_below(struct dice *d, size_t n)
{
    return (size_t)(dice_next(d) % n);
}

#endif
