/* respell.h - rewrites a shell command: the new text does the same, or the same and something
 * harmless.
 *
 * Every row of the table turns a text into another one, or says that it does not apply. A judge of
 * commands must not be more lenient with the new text than with the old one. */
#ifndef TESTS_SUPPORT_RESPELL_H
#define TESTS_SUPPORT_RESPELL_H

#include <stdbool.h>

#include "base/str.h"
#include "support/dice.h"

#define RESPELL_PADDING 10000 /* no-ops before or after a command */

struct respelling {
    const char *name;
    bool (*change)(struct arena *a, struct dice *d, struct str text, struct str *out);
};

extern const struct respelling respellings[];
extern const size_t respelling_count;

/* Not in the table: it costs a hundred times as much. */
bool respell_padded(struct arena *a, struct dice *d, struct str text, struct str *out);

#endif
