/* cell_outside.h - a contained call that a person lets run outside, once.
 *
 * The yes is for one call (its ID) and for the files that it reads or runs (ask/bound.h). The call
 * runs in the sandbox first, and most calls never need more, so that little may be done for it
 * then:
 *
 *   when it is contained   its files are looked at, not read: inode, size and time of the last
 *                          change, which no program can set. They are kept with its plan.
 *                          Against a file that is changed after the call has met its wall: what a
 *                          person is told of was refused to another text.
 *   when a person answers  the files must still have these marks, and are read: the yes counts for
 *                          this content, before the question is put. Against a change that leaves
 *                          no mark (through a mapping of a process that still runs, or within one
 *                          tick of the clock), and against one after the answer.
 *   when it comes again    the files are found anew and read; anything else than that content runs
 *                          in the sandbox. It is judged anew, too: what denies or asks by then
 * counts.
 *
 * A file can still change between that and the moment at which the client runs the call. */
#ifndef ENGINE_CELL_OUTSIDE_H
#define ENGINE_CELL_OUTSIDE_H

#include "ask/bound.h"
#include "engine/engine.h"

#define CELL_BOUND_MAX 1024u /* files of a call that can be let outside */

/* Names the call in d->outside; empty: it cannot be let outside. Its files go to *files, to be kept
 * with its plan. Not below an arena_try() of the decision, as the next one. */
void cell_outside_name(warder_decision *d, struct bound_files *files);

/* Has a person let this very call run outside? That is used up then. `tokens`: the directory. */
bool cell_outside_take(warder_decision *d, int tokens);

#endif
