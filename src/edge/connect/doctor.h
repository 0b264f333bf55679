/* doctor.h - what `warder doctor` has found out, before it is told.
 *
 * Looking and running come first, into plain structs (doctor.c); what is wrong (doctor_judge.c) and
 * what a person reads (doctor_tell.c) is made of them afterwards. */
#ifndef CONNECT_DOCTOR_H
#define CONNECT_DOCTOR_H

#include "base/list.h"
#include "connect/codex_trust.h"
#include "connect/evidence.h"
#include "connect/place.h"
#include "engine/report.h"

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
    enum hook_trust trust;  /* of clients that have it */
    struct evidence called; /* the last call that came from it */
    int64_t changed_at;     /* when its registration was written; milliseconds; 0: not known */
    struct strs problems, remarks;
    enum patient_state state;
};

struct visit {
    struct arena arena;
    const warder_installation *where;
    struct patient patients[PATIENTS_MAX];
    size_t count;
    struct error policy; /* why no call can be judged; its message is empty: none */
    struct error unread; /* why the record could not be searched for calls; likewise */
    bool changeable;     /* some registration, the program or the policy could be written by us */
};

/* Below an arena_try(): fills the patient's problems, remarks and state. */
void doctor_judge(struct visit *v, struct patient *p);

/* `about`: a struct visit. */
void doctor_tell(struct report *r, const void *about);

#endif
