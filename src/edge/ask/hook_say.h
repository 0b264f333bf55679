/* hook_say.h - the meaning of a hook's exit code and output.
 *
 * A hook may be the only one that would have denied, so a failed answer does not count as silence:
 *
 *     exit 0, nothing or plain text   no opinion
 *     exit 0, a JSON object           its answer; deny if it is invalid
 *     exit 2                          deny, with standard error as the reason
 *     any other exit                  ask: it failed, and a person may check
 *     anything else                   deny: a signal, no end in time, too much output, no such
 *                                     program, JSON after other text */
#ifndef ASK_HOOK_SAY_H
#define ASK_HOOK_SAY_H

#include "facts/facts.h"
#include "machine/process.h"

#define HOOK_TEXT_MAX 10000u /* bytes of a reason; longer ones are cut */

/* One hook's answer. answer.stop with a deny: the agent should stop. */
struct hook_word {
    struct answer answer;
    bool failed; /* the answer is ours, not the hook's */
};

/* `p` has ended. The texts of *out are in the arena. */
void hook_hear(struct arena *a, const struct hook *hook, const struct process *p,
               struct hook_word *out);

/* The answer of a hook that could not be started. */
void hook_failed(struct arena *a, const struct hook *hook, const char *why, struct hook_word *out);

#endif
