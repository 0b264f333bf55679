/* hand_over.h - what warder-hook cannot do itself is done by `warder hook`, which it starts.
 *
 * That program needs libraries, and whether it comes to its end depends on more than its own code:
 * a library may be missing, a limit of the process may be reached, a signal may end it. An agent
 * takes most of these ends for a hook that does not object. So this process stays, with its alarm,
 * and waits: it passes on an answer that is whole, and blocks the call in every other case.
 * Nothing may have been written before: no session, no record, no answer. */
#ifndef HOOK_HAND_OVER_H
#define HOOK_HAND_OVER_H

#include "cli/hook_process.h"

/* What will be handed over. `event` without a text: nothing was read yet. The caller keeps all of
 * it until the end. */
void hand_over_prepare(char **argv, const struct hook_process *event);

/* Does not return: the process ends with the other program's answer, or blocks the call. */
_Noreturn void hand_over(void);

#endif
