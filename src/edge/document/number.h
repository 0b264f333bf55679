/* number.h - the numbers of policy files, in one spelling.
 *
 * Who reads a document later sees plain decimal only, and need not know that a
 * language also writes 0xFF or 1_000. */
#ifndef DOCUMENT_NUMBER_H
#define DOCUMENT_NUMBER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/str.h"

/* The value of a digit in `base` (at most 16), or -1. */
int number_digit(char c, unsigned base);

/* Writes the integer as plain decimal, without a plus and without leading zeros.
 * False when it does not fit 64 bits with a sign. `digits` must be digits of `base`. */
bool number_plain(struct arena *a, struct str digits, unsigned base, bool negative,
                  struct str *out);

#endif
