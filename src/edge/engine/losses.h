/* losses.h - saves what a call may destroy, as far as the analysis knows it, before the call runs.
 *
 * What facts/losses.h lists. Where the verdict allows a call because that is saved, and it cannot
 * be after all, the verdict becomes ask; any other verdict stays as it is, and the journal says
 * what was not saved. */
#ifndef ENGINE_LOSSES_H
#define ENGINE_LOSSES_H

#include "engine/cell.h"
#include "undo/store.h"

/* Does policy have it saved, and may the call change a path that is known? Asks the system nothing.
 */
bool losses_may_be(warder_decision *d);

/* Could all of it be saved? For decide_options.saves. */
bool losses_foresee(void *decision, struct arena *a, const struct losses *losses,
                    struct str *why_not);

/* Once it is decided, before it is recorded and answered. The verdict says what was saved. */
void losses_save(warder_decision *d, struct str client);

/* A call that runs in a cell: makes the entry in which the keeper of the cell saves what it
 * changes, whatever the analysis knows of that. Where there is none, losses_save() saves what is
 * known. */
void losses_record(warder_decision *d, struct cell_undo *out);

/* A call has ended: says how it left its paths. `use_id`: which call; empty: any. `near`: a
 * directory of its project. */
void losses_end(const char *state_dir, struct str near, struct str use_id);

/* How long it is kept: what policy says, or the defaults. */
struct undo_keep losses_keep(const struct undo_policy *policy);

#endif
