/* hook_process.h - the process around one event of an agent's hook: `warder hook`, and warder-hook,
 * which is the same in small.
 *
 * Nearly every agent takes a hook that crashes, hangs or says something odd for
 * one that does not object. So there are two ways out of here: a whole answer
 * and its exit code, or EXIT_BLOCKED with a line on standard error. Every
 * failure, also a signal and our own alarm, takes the second. */
#ifndef CLI_HOOK_PROCESS_H
#define CLI_HOOK_PROCESS_H

#include <stdbool.h>

#include "warder_admin.h"

struct hook_process {
    char *text; /* malloc'ed */
    size_t len;
    long ring;   /* in how many seconds our alarm rings */
    bool sealed; /* the answer ends with its seal */
};

/* What follows an answer whose reader has to know that it is all of it: silence may be an answer,
 * and what a program prints before it fails is none. */
#define HOOK_SEAL_BYTES (sizeof("\nwarder: answered 000, 0000000000 bytes\n") - 1)
void hook_seal(char out[HOOK_SEAL_BYTES + 1], int code, size_t len);

/* Not NULL while an instruction is tried that the processor may not have: called from the handler
 * of SIGILL, and does not come back. */
extern void (*hook_lacks_instruction)(void);

/* Signals, the alarm, the environment (hook_environment.h); `timeout` and `home` NULL: not given.
 * False after a line: blocked. */
bool hook_begin(const char *timeout, const char *home, struct hook_process *e);

/* Of an event that says that a tool has run: from here on nothing is said, whatever happens, and
 * every way out ends with 0. Before hook_begin(). */
void hook_say_nothing(void);

/* All of standard input. False after a line: blocked. */
bool hook_read(struct hook_process *e);

/* What judges an event: warder_hook(), or what warder-hook has in its place. */
typedef warder_status hook_judge(const warder_options *options, const char *client,
                                 const char *event, size_t len, uint32_t deadline_ms,
                                 warder_reply **out, warder_error *err);

/* Judges and answers; returns the exit code. `client` NULL: recognised by the event. *reply is the
 * caller's to free. */
int hook_answer(const struct hook_process *e, hook_judge *judge, const char *client,
                const warder_options *options, warder_reply **reply);

void hook_end(struct hook_process *e);

#endif
