/* authzen_call.h - one evaluation as a call, and its verdict as a decision. */
#ifndef SERVE_AUTHZEN_CALL_H
#define SERVE_AUTHZEN_CALL_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/json.h"
#include "base/value.h"

/* An evaluation of a batch; what it leaves out is in the request around it. */
struct evaluation {
    const struct value *own, *defaults; /* NULL: none */
    bool waits; /* "wait" in its context counts: no other evaluation is held up */
};

/* The call as JSON; false: *why says what is wrong with the evaluation. Below an arena_try(). */
bool authzen_call(struct arena *a, const struct evaluation *e, struct str *out, const char **why);

/* Adds the decision to `out`. `verdict`: that of the service, as JSON. Returns whether it is true.
 * Below an arena_try(). */
bool authzen_decision(struct buf *out, const char *verdict);
/* The decision about an evaluation that could not be judged. Below an arena_try(). */
void authzen_failure(struct buf *out, unsigned status, const char *message);

#endif
