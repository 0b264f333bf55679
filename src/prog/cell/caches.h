/* caches.h - directories of packages that were fetched: programs see those of the home, and what
 * they write is kept apart. */
#ifndef CELL_CACHES_H
#define CELL_CACHES_H

#include "base/error.h"
#include "cell/plan.h"

/* Outside: makes the stores that are not there. */
enum status caches_make(const struct plan *plan, struct error *err);

/* Inside, before everything becomes read-only: what is to be laid over each place, attached
 * nowhere; -1 where nothing is. Then, to lay it there. */
enum status caches_prepare(const struct plan *plan, int layers[PLAN_CACHES], struct error *err);
enum status caches_lay(const struct plan *plan, const int layers[PLAN_CACHES], struct error *err);

#endif
