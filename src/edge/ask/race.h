/* race.h - a question that several may answer: the first valid answer wins, exactly once.
 *
 * Two halves. The race itself is a pure state machine: events and times go in, and the state of the
 * race comes out; tests drive it with their own clock. race_run() is the poll() loop around it,
 * which starts the askers, waits for them, and does not return before all of them have ended.
 *
 * Whatever happens, a race ends once, and every end but RACE_ANSWERED denies. */
#ifndef ASK_RACE_H
#define ASK_RACE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "base/value.h"
#include "rule/rule.h"

#define RACERS_MAX    8
#define RACE_FDS_MAX  256 /* of all askers together */
#define RACE_GRACE_MS 200 /* keys pressed sooner than this were not meant for the question */

/* How long an approval or refusal holds. */
enum remember {
    REMEMBER_NOTHING = 0,
    REMEMBER_SESSION, /* an approval: these actions are not asked about again in this session */
    REMEMBER_WRITTEN, /* the asker has written `rule` to a file */
};

/* Who decided. An asker of ours knows; the embedder's callback says so. */
enum reply_by { REPLY_BY_PROGRAM = 0, REPLY_BY_PERSON, REPLY_BY_TIMEOUT };

/* An asker's answer. Zeroed, it denies. Its texts live in the decision's arena or are static: they
 * outlive the asker. */
struct reply {
    enum behavior behavior; /* BEHAVIOR_ASK is an answer only if race.ask_counts */
    bool cancelled;     /* a person cancelled: the call does not run, and the client should pause */
    bool interrupt;     /* the agent should stop; with a deny */
    struct str message; /* for people and for the model; empty: none was given */
    const struct value *updated_input; /* an object: what is allowed is this; NULL: unchanged */
    enum remember remember;
    struct str rule;  /* that was written, in the profile's spelling */
    enum reply_by by; /* of the embedder's answers only */
    struct str who;   /* its name for the one who decided; empty: none */
};

/* ---- the state machine ---- */

enum race_end {
    RACE_OPEN = 0,
    RACE_ANSWERED,  /* `winner` and `reply` are set */
    RACE_DEADLINE,  /* no answer in time */
    RACE_NOBODY,    /* no asker is left */
    RACE_CANCELLED, /* the caller took the question back */
};

struct racer {
    bool person;
    uint32_t grace_ms; /* an answer sooner than this after its start does not count */
    bool running;
    int64_t started;
};

struct race {
    struct racer racers[RACERS_MAX];
    size_t count;
    int64_t deadline; /* milliseconds of a monotonic clock */
    bool ask_counts;  /* "ask" is an answer too: of hooks that are consulted before the verdict */
    bool touched;     /* a person has started to answer: ... */
    size_t person;    /* ... this one, and no other asker counts any more */
    enum race_end end;
    size_t winner;
    struct reply reply;
};

/* All of them return true if the race is over, now or before. Time must not go back. */
bool race_started(struct race *r, size_t racer, int64_t now);
bool race_touched(struct race *r, size_t racer, int64_t now);
bool race_answered(struct race *r, size_t racer, const struct reply *reply, int64_t now);
bool race_gone(struct race *r, size_t racer,
               int64_t now);                 /* it has no answer, and will not have one */
bool race_tick(struct race *r, int64_t now); /* time has passed */
bool race_cancel(struct race *r, int64_t now);

/* Would an answer of this asker still count? If not, it can be stopped. */
bool race_counts(const struct race *r, size_t racer);

/* ---- askers, and the loop ---- */

enum news {
    NEWS_NONE = 0, /* no answer yet */
    NEWS_TOUCHED,  /* a person has started to answer */
    NEWS_ANSWER,   /* *reply is set. A person's answer may not count (too early, invalid): then the
                      asker goes on */
    NEWS_GONE,     /* it cannot answer; the question stays open */
};

/* A kind of asker: one row of functions. None of them blocks, except `stop`, and none leaves
 * through an arena's door. */
struct asker_kind {
    const char *name; /* "hook", "callback", "prompt", "review" */
    bool person;
    /* Starts to ask. False: it cannot. `stop` is called in both cases. */
    bool (*start)(void *self, int64_t now);
    /* What to wait for: fills up to `room` of fds, returns how many; lowers *wake to the latest
     * time of its next turn. */
    size_t (*wait)(void *self, struct pollfd *fds, size_t room, int64_t *wake);
    /* One of these events has happened. `fds` are those of the last wait, with the result of
     * poll(). */
    enum news (*turn)(void *self, const struct pollfd *fds, size_t count, int64_t now,
                      struct reply *reply);
    /* Stops it, whether it has won, lost or failed: when this returns, nothing of it runs any more
     * (children are reaped, threads joined, the terminal restored). Called exactly once; it must be
     * quick. */
    void (*stop)(void *self);
};

struct asker {
    const struct asker_kind *kind;
    void *self;
    uint32_t grace_ms; /* RACE_GRACE_MS at a terminal; 0 for what cannot press a key by mistake */
};

struct race_options {
    int64_t deadline; /* in milliseconds of clock_ms() */
    bool ask_counts;
    int cancel_fd; /* readable: the caller takes the question back; -1: it will not */
};

/* Asks them all at once. On return the race is over and every asker is stopped. Askers beyond
 * RACERS_MAX are not asked. */
void race_run(const struct asker *askers, size_t count, const struct race_options *options,
              struct race *out);

#endif
