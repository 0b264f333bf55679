/* judge.h - many calls, judged under one policy.
 *
 * A log repeats itself: what was said about a call is kept, and the same call is not judged twice.
 * Judging reads the disk as it is now and changes nothing; nothing is recorded. */
#ifndef REPORT_JUDGE_H
#define REPORT_JUDGE_H

#include "engine/engine.h"
#include "report/recorded.h"

/* What a policy says about a call: valid until the judge is asked again. */
struct judged {
    enum behavior behavior;
    const char *layer;
    struct str rule;    /* as it is written; empty: no rule decided */
    struct str place;   /* its file, line and column, or its source */
    struct str effects; /* what the call does: "sends to a server, may lose work" */
    struct str reason;
    struct str policy; /* fingerprint of the rules */
    bool by_session;   /* depends on the past of its session, which was not asked */
};

struct judge;

/* By the engine's policy; the engine stays the caller's and must live longer. */
warder_status judge_new(warder_engine *engine, struct judge **out, warder_error *err);
void judge_free(struct judge *j); /* NULL is fine */

/* A call as JSON, as warder_check_json() takes it. Something that is not a call is denied. */
warder_status judge_call(struct judge *j, struct str call, const struct judged **out,
                         warder_error *err);

/* A recorded call that lacks nothing, in its session where that matters. */
warder_status judge_recorded(struct judge *j, const struct recorded *r, const struct judged **out,
                             warder_error *err);

/* How many calls were judged, and how many were known from before. */
struct judge_counts {
    size_t judged, known;
};
struct judge_counts judge_counts(const struct judge *j);

#endif
