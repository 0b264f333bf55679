/* verdict.h - what was decided about a call.
 *
 * `behavior` is written by verdict_allow() and verdict_refuse() and by nothing else, so that
 * everything that can allow a call is a caller of verdict_allow(). tests/tools/doors.sh counts
 * them. */
#ifndef DECIDE_VERDICT_H
#define DECIDE_VERDICT_H

#include "decide/contained.h"
#include "decide/profiles.h"
#include "decide/reversible.h"

/* One line of the trace: which layer saw what, and what it said. */
struct trace_step {
    const struct layer *layer;
    enum role role;
    struct said said;
};
struct trace LIST_OF(struct trace_step);

/* The doors to allow: each has one caller of verdict_allow(). */
enum allowed_by {
    ALLOWED_BY_NOBODY = 0, /* it is not allowed */
    ALLOWED_BY_POLICY,     /* decide/fold.c: the layers of the profile */
    ALLOWED_BY_AUTO_ALLOW, /* decide/decide.c: the option --auto-allow, or a pause, of an ask */
    ALLOWED_BY_ANSWER,     /* engine/resolve.c: a person, a callback or a hook, of an ask */
    ALLOWED_BY_SERVICE,    /* engine/remote.c: the running service, which went through its own */
    ALLOWED_BY_SETTINGS, /* connect/settings.c: not of a call, but of a change to the settings of a
                            client that keeps Warder registered */
};

/* A zeroed verdict denies. */
struct verdict {
    enum behavior behavior;
    enum allowed_by allowed_by;
    const char *layer;
    const struct rule *rule;
    struct str reason;            /* for people */
    struct str message;           /* for the model; empty when it is allowed */
    bool immune;                  /* an ask that no mode, no pause and no --auto-allow lifts */
    bool paused;                  /* it would be an ask, and a person has paused Warder */
    struct contained contained;   /* of an allow: it runs in a cell, or not at all */
    struct reversible reversible; /* of an allow: what it loses is saved, or it does not run */
    bool interrupt;
    bool open;       /* no layer had an opinion, so the profile asks */
    bool uncleared;  /* no layer objects: it only lacks an allow rule, which would clear it */
    bool cancelled;  /* the question was: no answer, but the end of the agent's turn */
    bool unanswered; /* an ask that became a deny because there is nobody to answer it */
    const struct value *updated_input; /* NULL: unchanged */
    struct strs suggestions;           /* rules that would clear it */
    bool unsuggested;                  /* ... which decide_word() would find */
    bool vague;                        /* ... and so the reason: which part is not cleared */
    struct trace trace;                /* of the steps that said something: see decide_trace() */
    size_t walked;                     /* how many steps of the profile were taken */
    const struct facts *facts; /* what was seen, for explain; NULL when the decision failed */
    const char **cleared_by;   /* per action: the layer that cleared it, or NULL */
    enum mode mode;
    enum risk risk;
};

/* The only function that writes allow. The message becomes empty, `paused` and `vague` false; rule,
 * immune, interrupt and the rest stay as they are. */
void verdict_allow(struct verdict *v, enum allowed_by by, const char *layer, struct str reason);

/* Writes ask or deny; any other behavior denies. The message becomes the reason, `paused`
 * and `vague` false; the rest stays as it is. */
void verdict_refuse(struct verdict *v, enum behavior behavior, const char *layer,
                    struct str reason);

/* The behavior as it leaves the engine: an allow that did not come through verdict_allow() is a
 * deny. */
enum behavior verdict_behavior(const struct verdict *v);

#endif
