/* hand_over.h - what warder-hook cannot do itself is done by `warder hook`, in its place.
 *
 * The process becomes that program, with the event that was read as its
 * standard input. Nothing may have been written by then: no session, no record,
 * no answer. The places that hand over all lie before that. */
#ifndef HOOK_HAND_OVER_H
#define HOOK_HAND_OVER_H

#include "cli/hook_process.h"

/* What is handed over. `event` NULL, or without a text: nothing was read yet. All of it must live
 * on. */
void hand_over_prepare(char **argv, const struct hook_process *event);

/* Does not return. Where that program cannot be run, the call is blocked. */
_Noreturn void hand_over(void);

#endif
