/* doctor.h - what `warder doctor` has found out, before it is told.
 *
 * Looking and running come first, into plain structs (doctor.c); what is wrong (doctor_judge.c) and
 * what a person reads (doctor_tell.c) is made of them afterwards. */
#ifndef CONNECT_DOCTOR_H
#define CONNECT_DOCTOR_H

#include "ask/pause.h"
#include "base/list.h"
#include "connect/codex_trust.h"
#include "connect/evidence.h"
#include "connect/live.h"
#include "connect/other_hooks.h"
#include "connect/place.h"
#include "connect/sandboxed.h"
#include "engine/report.h"
#include "report/undo_place.h"

#define PATIENTS_MAX 32

/* Must be stopped by every profile. Nobody runs it: only the hook gets to see it. */
#define BAD_CANARY  "rm -rf /"
#define GOOD_CANARY "echo warder-canary"

struct look {
    struct place place;
    struct error error;
    bool found;
    struct registered said;
    bool
        ours_to_change; /* we could write the file: so could what the agent's allowed actions run */
};

struct canary {
    bool fired;
    enum behavior bad, good;
    struct str said; /* what the hook complained of */
};

/* What is known of an agent, the worst first. Only a call that came is a proof: which files an
 * agent takes, and when, is its own affair. */
enum patient_state {
    NOT_PROTECTED = 0,
    REGISTERED, /* everything seems right, but no call has come since the settings are as they are
                 */
    SEEN,
};

struct patient {
    const struct client *client;
    char seen[2 * PATH_MAX]; /* the program or directory that it was found by; "": it is not here */
    struct look looks[SCOPE_COUNT];
    const struct look *used; /* the strongest registration; NULL: none */
    struct canary canary;
    enum hook_trust trust;     /* of clients that have it */
    struct evidence called;    /* the last call that came from it */
    struct live live;          /* what came of starting it */
    int64_t changed_at;        /* when its registration was written; milliseconds; 0: not known */
    struct other_hooks others; /* hooks that run beside ours */
    struct strs problems, remarks;
    enum patient_state state;
};

/* How much is looked at. */
enum visit_kind {
    VISIT_CANARIES = 0, /* all of it, and calls are sent through each hook */
    VISIT_LIVE,         /* the same, and the agent is started if nothing is wrong with it */
    VISIT_LOOK,         /* no hook is started */
    VISIT_BRIEF,        /* and of the record only today counts */
};

struct visit_order {
    enum visit_kind kind;
    uint32_t live_seconds;                             /* VISIT_LIVE: how long the agent may run */
    void (*tell)(struct report *r, const void *about); /* `about`: the struct visit */
};

struct visit {
    struct arena arena;
    struct visit_order order;
    const warder_installation *where;
    struct patient patients[PATIENTS_MAX];
    size_t count;
    const char *mode;          /* that policy names; NULL: it names none */
    size_t approvals, reviews; /* that wait for a person */
    struct outcomes today;
    struct sandboxed sandboxed;
    struct undo_place undo;     /* what is saved in this project; only where it is shown */
    bool ignored[PATIENTS_MAX]; /* by client, as in their table: its calls do not run in one */
    const char *sandbox_home;   /* where its tokens are, if calls should run in one; else NULL */
    struct error policy;        /* why no call can be judged; its message is empty: none */
    struct error unread;        /* why the record could not be searched for calls; likewise */
    struct pause pause;         /* questions are lifted now; zeroed: they are not */
    struct error unpaused;      /* why the file of a pause does not count; likewise */
    bool changeable; /* some registration, the program or the policy could be written by us */
};

/* Below an arena_try(): fills the patient's problems, remarks and state. */
void doctor_judge(struct visit *v, struct patient *p);

/* Likewise, after it was started. */
void doctor_judge_live(struct visit *v, struct patient *p);

/* Neither the agent nor a registration of it is here. */
bool patient_is_gone(const struct patient *p);

/* `about`: a struct visit. */
void doctor_tell(struct report *r, const void *about);

/* Looks at the agents (of `where->client`: that one), and makes a report of the struct visit. */
warder_status doctor_visit(const warder_installation *where, const struct visit_order *order,
                           warder_report **out, warder_error *err);

/* "3 min ago" */
struct str how_long_ago(struct arena *a, int64_t at);

#endif
