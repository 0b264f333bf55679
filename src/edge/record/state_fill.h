/* state_fill.h - reviews and tokens from the journal's records of them. */
#ifndef RECORD_STATE_FILL_H
#define RECORD_STATE_FILL_H

#include "record/state_db.h"

/* Into an empty database, in one transaction. */
enum status state_fill(struct database *db, const char *dir, struct state_db_progress *out,
                       struct error *err);

#endif
