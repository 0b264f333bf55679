/* hooks.h - external programs that are asked about a call: all that match are asked at once, and
 * their answers become one.
 *
 * Deny beats ask, and ask beats allow. Hooks that only observe run beside the others and do not
 * decide. */
#ifndef ASK_HOOKS_H
#define ASK_HOOKS_H

#include "ask/hook_say.h"
#include "ask/race.h"
#include "call/call.h"
#include "decide/decide.h"

#define HOOKS_MAX       32 /* that match one call; if more match, the call is denied */
#define HOOK_ROUNDS_MAX 4  /* rewrites of an input; all hooks are asked again about each new one */
#define HOOK_DEPTH_MAX  3  /* a hook may start a program that asks us again, whose hook ... */

struct hook_question {
    enum hook_event event;
    const struct call *call;
    const struct rulebook *book;
    const struct verdict *verdict; /* its mode, and its suggestions for PermissionRequest */
    const struct world *world;     /* that matches regular expressions */
    bool own_only;                 /* the client runs the hooks of its own files */
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
    const char *refused;  /* why the hooks are not asked and the call is denied */
    struct answer answer; /* the answer of all hooks together, when all have ended */
};

/* Finds the hooks to be asked, and prepares their input. Starts nothing. False: no memory. */
bool hooks_prepare(struct arena *a, const struct hook_question *q, struct hook_panel *out);

/* A panel as an asker. For PermissionRequest it answers allow or deny, or is gone: a hook that
 * fails has no opinion, and the question stays open. For PreToolUse the reply is empty and
 * panel->answer has the result. */
extern const struct asker_kind hook_asker;

/* Asks the PreToolUse hooks, and all of them again if they rewrite the input. *out is the input of
 * decide(). Do not call it inside an arena_try(): child processes run meanwhile. */
void hooks_consult(struct arena *a, const struct hook_question *q, int64_t deadline, int cancel_fd,
                   struct answer *out);

bool hook_matches(const struct world *world, const struct hook *hook, const struct call *call);

/* Makes one answer of many. `input` is the one the hooks were asked about. */
void hooks_fold(struct arena *a, const struct value *input, const struct hook_panel *panel,
                const struct hook_word *words, struct answer *out);

#endif
