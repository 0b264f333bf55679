/* number.h - normalises the numbers of policy files.
 *
 * Users of a document only see plain decimal and need not know that a syntax also has 0xFF or
 * 1_000. */
#ifndef DOCUMENT_NUMBER_H
#define DOCUMENT_NUMBER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* The value of a digit in `base` (at most 16), or -1. */
int number_digit(char c, unsigned base);

/* Writes the integer as plain decimal, without a plus and without leading zeros. False if it does
 * not fit in a signed 64-bit integer. `digits` must be digits of `base`. */
bool number_plain(struct arena *a, struct str digits, unsigned base, bool negative,
                  struct str *out);

#endif
