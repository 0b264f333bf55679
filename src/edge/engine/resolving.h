/* resolving.h - a decision on its way to its end: what resolve.c keeps of it, and what continues
 * it (prepare.c) or keeps its session (resolve_session.c). */
#ifndef ENGINE_RESOLVING_H
#define ENGINE_RESOLVING_H

#include "ask/session_file.h"
#include "decide/session.h"
#include "engine/asking.h"
#include "engine/remote.h"
#include "engine/resolve.h"

struct resolving {
    warder_decision *d;
    warder_asking asking;
    struct decide_options options;
    struct session_id id;
    int64_t deadline;
    int64_t asked_at;        /* of clock_ms() */
    struct answer before;    /* what the PreToolUse hooks said about d->last */
    struct session found;    /* the session as it was kept */
    char policy[SHA256_HEX]; /* what the session is to name as its policy files; "": as before */
    bool stricter;           /* judged with rules that the project's files no longer have */
    struct strs grants;      /* what the session will remember as approved, */
    struct strs agreements;  /* and which changed files a person agreed to run */
    bool agreed;             /* a person has approved the call */
    bool counts;             /* it was decided, not left open: the session counts it */
    bool unrecorded;         /* it is still open: the service records how it ends */
    bool asked_elsewhere; /* the service has asked the hooks: the askers of this process are left */
    bool by_service;      /* the service has decided it */
    bool alone;           /* this is the service: it asks no other one */
    bool defers;          /* the caller asks: see warder_prepare() */
    enum open_at {
        NOT_OPEN = 0,
        OPEN_AT_STEP, /* the walk has reached the callback, and its answer counts there */
        OPEN_AT_END
    } open;
    struct verdict unasked; /* what the walk decided without an answer to its last step */
    struct remote remote;
    struct decision_ending ending;
};

/* From the beginning to its end, or until the caller has to ask. */
warder_status resolving_run(struct resolving *r, const warder_asking *asking, warder_error *err);
/* From where it was open to its end, with the answer or without one. */
void resolving_resume(struct resolving *r, struct asking_result *a);
/* Records it, and tells the observer. */
void resolving_end(struct resolving *r);

enum status session_open(struct resolving *r, struct error *err);
/* Within a session the project's deny and ask rules only get stricter: where its policy files have
 * changed since the beginning and lack one of them, the decision's book has them all the same. */
enum status session_hold_rules(struct resolving *r, struct error *err);
/* Keeps what the decision has changed in its session. What cannot be kept denies. */
void session_close(struct resolving *r);

#endif
