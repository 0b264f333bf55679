/* take_back.h - a directory that was moved into the trash before its call, and the call did not
 * delete it: its client asked a person who said no, it was stopped, or it failed before.
 *
 * The link that was put in its place is still there (stand_in.h): then the one in the trash comes
 * back. */
#ifndef UNDO_TAKE_BACK_H
#define UNDO_TAKE_BACK_H

#include "undo/save.h"

/* Whether the call is over. If it is not, it may still run, and what comes back is linked into the
 * trash as well. */
enum undo_over {
    UNDO_MAY_RUN = 0,
    UNDO_IS_OVER,
    UNDO_IS_CLOSED, /* ... and its journal has its end: no line can follow */
};

/* Of the entry of a call, with its log. The journal gets lines: read it again. */
enum status undo_take_back(const struct undo_store *s, const char *id, const struct undo_log *log,
                           enum undo_over over, struct error *err);

/* Is anything of it away, with the link in its place? */
bool undo_is_away(const struct undo_store *s, const char *id, const struct undo_log *log);

#endif
