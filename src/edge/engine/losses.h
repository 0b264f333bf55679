/* losses.h - saves what a call may destroy, as far as the analysis knows it, before the call runs.
 *
 * Certain paths of the actions that are written or deleted, in the workspace. What cannot be saved
 * does not change the verdict: the journal says that it was not saved. */
#ifndef ENGINE_LOSSES_H
#define ENGINE_LOSSES_H

#include "engine/engine.h"
#include "undo/store.h"

/* Does policy have it saved, and may the call change a path that is known? Asks the system nothing.
 */
bool losses_may_be(warder_decision *d);

/* After the decision was recorded, before the answer leaves. */
void losses_save(warder_decision *d, struct str client);

/* A call has ended: says how it left its paths. `use_id`: which call; empty: any. `near`: a
 * directory of its project. */
void losses_end(const char *state_dir, struct str near, struct str use_id);

/* How long it is kept: what policy says, or the defaults. */
struct undo_keep losses_keep(const struct undo_policy *policy);

#endif
