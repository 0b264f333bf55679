/* asking.h - the askers of one decision, and how the race between them ended. */
#ifndef ENGINE_ASKING_H
#define ENGINE_ASKING_H

#include "ask/callback.h"
#include "ask/race.h"
#include "engine/engine.h"

struct remote;

enum {
    ASK_HOOKS = 1u << 0,
    ASK_CALLBACK = 1u << 1,
    ASK_PERSON = 1u << 2,
    ASK_CLASSIFIER = 1u << 3,
};

/* What becomes of an ask that was not answered: leave_ask of warder_asking. */
enum {
    LEFT_TO_CLIENT = 1, /* which puts it to the person */
    LEFT_TO_APPROVAL =
        2, /* a question for reviewers, or for `warder approve`; see engine/approve.h */
};

struct asking_result {
    enum race_end end;
    const char *who; /* the winner's name: "hook", "classifier", "callback", "prompt", "review" */
    struct reply reply;
    struct error fault; /* the callback's answer could not be used, and why; STATUS_OK: it could */
};

/* Nothing that came with the program is its standard input: a struct that was zeroed by hand names
 * no descriptor. */
static inline int asking_cancel_fd(const warder_asking *asking)
{
    return asking->cancel_fd > 0 ? asking->cancel_fd : -1;
}

/* Its members; the strings are still the caller's. */
struct callback_word answer_word(const warder_answer *answer);

/* The question about d->last. Below an arena_try(). */
void decision_question(warder_decision *d, warder_question *out);

/* Puts the question about d->last to the askers in `whom` (ASK_ bits) that exist, and to the
 * reviewers of `review` (NULL: none). Not below an arena_try(). */
void asking_race(warder_decision *d, const warder_asking *asking, unsigned whom,
                 struct remote *review, int64_t deadline, struct asking_result *out);

#endif
