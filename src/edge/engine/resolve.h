/* resolve.h - brings a decision to its end without recording it: a service records several at
 * once. */
#ifndef ENGINE_RESOLVE_H
#define ENGINE_RESOLVE_H

#include "engine/record.h"

/* What warder_resolve() does before it records. *ending says how it ended. */
warder_status decision_resolve(warder_decision *d, const warder_asking *asking,
                               struct decision_ending *ending, warder_error *err);

/* A reviewer's answer to a call that was left open; its session counts it. An approval lifts an ask
 * and nothing else: a deny stays a deny. The message must live as long as the decision. */
void decision_answer(warder_decision *d, const char *client, enum behavior behavior,
                     struct str message);

#endif
