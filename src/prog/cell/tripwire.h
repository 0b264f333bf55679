/* tripwire.h - names that must not be made, and were made nevertheless.
 *
 * The keeper refuses them when it sees them, but it sees a path in memory that the caller can
 * change before the kernel looks. So what is there is listed before the first name is made, and
 * looked at again when nobody is left in the cell. What is new is moved to where no program looks
 * for it. */
#ifndef CELL_TRIPWIRE_H
#define CELL_TRIPWIRE_H

#include "cell/plan.h"
#include "cell/report.h"

struct tripwire;

/* NULL: no memory. */
struct tripwire *tripwire_new(const struct plan *plan);
void tripwire_free(struct tripwire *t);

/* A name is about to be made: lists what is there, if that was not done yet. */
void tripwire_arm(struct tripwire *t);

/* Nobody is left. Moves away what is new, and says so in the report. */
void tripwire_look(struct tripwire *t, struct report *report);

#endif
