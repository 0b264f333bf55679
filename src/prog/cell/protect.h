/* protect.h - what is protected in what can be written, where there are no mounts to keep it.
 *
 * Landlock can except nothing from a directory that it lets be written. So the keeper refuses what
 * it sees, and since a program can trick it, everything protected is remembered before the command
 * begins, compared when nobody is left in the cell, and put back. What was there instead is moved
 * to the trash: it may be the work of somebody outside.
 *
 * Two cells of one workspace must remember the same: what one of them has changed must not be what
 * the other one puts back. Each says what it remembers in a file that is locked as long as it runs,
 * and a cell that would remember something else is not built. */
#ifndef CELL_PROTECT_H
#define CELL_PROTECT_H

#include "cell/names.h"
#include "cell/plan.h"
#include "cell/report.h"

struct protect;

/* Remembers; *out is NULL if the plan protects nothing. */
enum status protect_begin(const struct plan *plan, struct protect **out, struct error *err);
/* Nobody is left. Once; `report` may be NULL. */
void protect_end(struct protect *p, struct report *report);

/* May a call with this path change what is protected? */
bool protect_is_meant(const struct plan *plan, bool known, const char *text, enum change change);

#endif
