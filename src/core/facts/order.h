/* order.h - which of two actions of a call is over when the other begins.
 *
 * The list of actions is in the order of execution: functions are listed as often as they are
 * called, and the passes of a loop one by one where their number is known. That says nothing about
 * what runs beside the rest, starts again, or goes on. */
#ifndef FACTS_ORDER_H
#define FACTS_ORDER_H

#include "facts/facts.h"
#include "shell/shell.h"

/* Is the action at `first` surely over when the one at `second` begins? */
bool order_ends_before(const struct facts *f, const struct shell_actions *all, size_t first,
                       size_t second);

#endif
