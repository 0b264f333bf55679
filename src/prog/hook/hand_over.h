/* hand_over.h - what warder-hook cannot do itself is done by `warder hook`, in its place.
 *
 * The process becomes that program, with the event that was read as its
 * standard input. Nothing may have been written by then: no session, no record,
 * no answer. */
#ifndef HOOK_HAND_OVER_H
#define HOOK_HAND_OVER_H

#include "cli/hook_process.h"

/* What will be handed over. `event` NULL, or without a text: nothing was read yet. The caller keeps
 * all of it until the end. */
void hand_over_prepare(char **argv, const struct hook_process *event);

/* Does not return. Where that program cannot be run, the call is blocked. */
_Noreturn void hand_over(void);

#endif
