/* rare.h - what most calls do not come to.
 *
 * A check runs through more code than the processor's first cache holds, once: what counts is how
 * much of it is touched. A function that is marked so is kept apart from the others, and so are the
 * branches that lead to it. */
#ifndef BASE_RARE_H
#define BASE_RARE_H

#define RARE __attribute__((cold, noinline))

#endif
