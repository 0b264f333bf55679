/* lock.h - results of very many inputs, locked: a test counts and digests them by groups, and
 * compares each group with its line in tests/lock/NAME.lock.
 *
 *     cases/warder  allow 312  ask 101  deny 87  0 other  5f0c9a41b2d377e8
 *
 * No line says that a result is right, only that it is what it was. So whoever changes one sees it,
 * and so does whoever reads the commit: a verdict that became looser is a number that grew.
 *
 *     test_lock_NAME               compares
 *     test_lock_NAME --update      writes the lines anew
 *     test_lock_NAME --show GROUP  prints each input of the group with its result, to be compared
 * with what another build prints */
#ifndef TESTS_SUPPORT_LOCK_H
#define TESTS_SUPPORT_LOCK_H

#include <stdbool.h>

#include "base/str.h"
#include "rule/mode.h"

#define LOCK_NO_VERDICT ((enum behavior)3) /* the result is none */

/* Begins a group. False: its results are not wanted now. */
bool lock_begin(const char *group);

/* A result of the group. `what` is only shown. */
void lock_add(enum behavior behavior, struct str what, struct str result);

/* A verdict that is part of a result. */
void lock_count(enum behavior behavior);

/* Compares the group, or notes its line. */
void lock_end(void);

/* For main(): what `run` adds is compared, or as the arguments say. */
int lock_main(int argc, char **argv, const char *name, void (*run)(void));

#endif
