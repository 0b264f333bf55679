/* rare.h - marks functions that most calls never reach.
 *
 * A check runs once through more code than fits in the first-level cache, so its time depends on
 * how much code it touches. A RARE function is placed away from the others, and so are the branches
 * that lead to it. */
#ifndef BASE_RARE_H
#define BASE_RARE_H

#define RARE __attribute__((cold, noinline))

#endif
