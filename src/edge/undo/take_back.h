/* take_back.h - a directory that was moved into the trash before its call, and the call did not
 * delete it: its client asked a person who said no, it was stopped, or it failed before.
 *
 * The empty directory that was put in its place is still there, with the time that it was given:
 * then the one in the trash comes back. */
#ifndef UNDO_TAKE_BACK_H
#define UNDO_TAKE_BACK_H

#include "undo/save.h"

/* Whether the call is over. If it is not, it may still run, and what comes back is linked into the
 * trash as well. */
enum undo_over { UNDO_MAY_RUN = 0, UNDO_IS_OVER };

/* Of the entry of a call, with its log; the log is changed, and the journal with it. */
enum status undo_take_back(const struct undo_store *s, const char *id, struct undo_log *log,
                           enum undo_over over, struct error *err);

#endif
