/* drivers.h - the files that git runs because its settings name them: hooks, filters, diff and
 * merge drivers. */
#ifndef MACHINE_DRIVERS_H
#define MACHINE_DRIVERS_H

#include "base/world.h"

/* world.drivers */
bool drivers_find(const struct world *w, const char *directory, const char *home, char *out,
                  size_t size);

#endif
