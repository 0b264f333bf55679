/* hooks.h - external programs that are asked about a call: all that match at once, and one word out
 * of them.
 *
 * Deny beats ask, and ask beats allow. Hooks that only observe run beside the others and have no
 * word. */
#ifndef ASK_HOOKS_H
#define ASK_HOOKS_H

#include "ask/hook_say.h"
#include "ask/race.h"
#include "call/call.h"
#include "decide/decide.h"

#define HOOKS_MAX 32 /* that match one call; with more of them it is denied */
#define HOOK_ROUNDS_MAX                                                                            \
    4 /* times that hooks may rewrite an input: each new one is shown to all of them again */
#define HOOK_DEPTH_MAX 3 /* a hook may start a program that asks us again, whose hook ... */

struct hook_question {
    enum hook_event event;
    const struct call *call;
    const struct rulebook *book;
    const struct verdict *verdict; /* its mode, and its suggestions for PermissionRequest */
    const struct world *world;     /* that matches regular expressions */
    bool own_only;                 /* the client runs the hooks of its own files itself */
};

struct hook_job {
    const struct hook *hook;
    char **argv;
    struct process process;
    bool started, ended;
    struct error error; /* it could not be started */
};

/* All hooks that one question goes to. */
struct hook_panel {
    struct arena *arena;
    const struct hook_question *question;
    struct str input;
    char **environment;
    const char *directory;
    struct hook_job *jobs;
    size_t count;
    const char *refused;  /* they are not asked, and it is denied: why */
    struct answer answer; /* what all of them said together, when all have ended */
};

/* Finds the hooks to be asked, and makes all that they are given. Starts nothing. False: no memory.
 */
bool hooks_prepare(struct arena *a, const struct hook_question *q, struct hook_panel *out);

/* A panel as an asker. For PermissionRequest it answers allow or deny, or is gone: who fails has no
 * opinion there, since the question stays open. For PreToolUse its reply says nothing and
 * panel->answer everything. */
extern const struct asker_kind hook_asker;

/* Asks the PreToolUse hooks, and all of them again when they rewrite the input. *out is what
 * decide() wants to know. Not below an arena_try(): children are held meanwhile. */
void hooks_consult(struct arena *a, const struct hook_question *q, int64_t deadline, int cancel_fd,
                   struct answer *out);

bool hook_matches(const struct world *world, const struct hook *hook, const struct call *call);

/* One word out of many. `input` is what they were asked about. */
void hooks_fold(struct arena *a, const struct value *input, const struct hook_panel *panel,
                const struct hook_word *words, struct answer *out);

#endif
