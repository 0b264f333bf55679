/* hook_say.h - what a hook's exit code and output mean.
 *
 * A hook may be the one thing that would have denied, so what it meant and could not say is not
 * taken for silence:
 *
 *     exit 0, nothing or plain text       no opinion
 *     exit 0, a JSON object               what it says; deny when it makes no sense
 *     exit 2                              deny, with standard error as the reason
 *     any other exit                      ask: it failed, and a person may look
 *     a signal, no end in time, too much output, no such program, JSON behind other text    deny */
#ifndef ASK_HOOK_SAY_H
#define ASK_HOOK_SAY_H

#include "facts/facts.h"
#include "machine/process.h"

#define HOOK_TEXT_MAX 10000u /* bytes of a reason; the rest is cut off */

/* One hook's word. answer.stop with a deny: the agent's loop should end. */
struct hook_word {
    struct answer answer;
    bool failed; /* the word is ours, not the hook's */
};

/* `p` has ended. The texts of *out are in the arena. */
void hook_hear(struct arena *a, const struct hook *hook, const struct process *p,
               struct hook_word *out);

/* The word of a hook that could not even be started. */
void hook_failed(struct arena *a, const struct hook *hook, const char *why, struct hook_word *out);

#endif
