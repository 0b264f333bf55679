/* decide.h - from a call to a verdict.
 *
 * decide() is a pure function of its arguments; check, explain, the hook and the
 * library all run this one. */
#ifndef DECIDE_DECIDE_H
#define DECIDE_DECIDE_H

#include "call/call.h"
#include "decide/verdict.h"
#include "facts/facts.h"
#include "facts/session.h"

struct decide_options {
    const struct profile *profile;
    const struct rulebook *book;
    const struct session *session; /* NULL: a new one */
    /* Returns the session with what it remembers of earlier calls, which has to be read from a
     * disk: called when a fact depends on that, and few do. NULL: `session` has all of it. */
    const struct session *(*recall)(void *context);
    /* Until when a person has paused Warder for this call; empty: it is not paused. Asked about a
     * question that a pause may lift. NULL: there is no pause. */
    struct str (*paused)(void *context, const struct call *call);
    /* The cell that a call could run in; asked where that matters. NULL: there is none. */
    const struct cell_facts *(*cell)(void *context);
    /* Will all of this be saved before the call runs? False: *why_not, the end of a sentence
     * ("a.bin is larger than 64M"), allocated in the arena. NULL: nothing is saved. */
    bool (*saves)(void *context, struct arena *a, const struct losses *losses, struct str *why_not);
    void *context; /* of all of these */
    const struct world *world;
    struct str home;
    const struct strs
        *own;     /* what verdicts depend on besides policy, see own_places.h; NULL: nothing
                   */
    bool bounded; /* no call may be judged more mildly than in the session's own mode: */
    struct str
        own_mode;     /* which is this one, if none was set during the session; empty: policy's */
    bool bypass_flag; /* --mode bypassPermissions was given by the person */
    bool headless;    /* no person can answer an ask: the profile says what it becomes */
    bool auto_allow;  /* an ask that is not immune is allowed */
    int64_t now;      /* seconds since 1970, for rules that count for a time; 0: not known */
    bool words_later; /* a caller that reads the reason or suggestions calls decide_word() */
    struct answer hook, callback;
};

/* Everything the verdict points to lives in the arena, the book or the call.
 * Running out of memory on the way is a deny that says so. */
void decide(struct arena *a, const struct decide_options *o, const struct call *call,
            struct verdict *out);

/* Does the verdict depend on when the session began and what has come into the tree since; on what
 * it built? */
bool decide_depends_on_age(const struct verdict *v);
bool decide_depends_on_programs(const struct verdict *v);

/* Finds the words that decide() left out, the reason and the suggestions, as long as its arena,
 * book and call are there. Below an arena_try(). */
void decide_word(const struct profile *profile, struct verdict *v);

/* The mode that the call would be judged in; what managed policy binds it by may be another one,
 * in which it is judged as well. False when it names one that does not exist. */
bool decide_mode(const struct decide_options *o, const struct call *call, enum mode *out);

/* The verdict for an input that is not a call. */
void decide_malformed(struct arena *a, struct str why, struct verdict *out);

/* The trace with those steps of the profile that looked and said nothing. */
struct trace decide_trace(struct arena *a, const struct profile *profile, const struct verdict *v);

#endif
