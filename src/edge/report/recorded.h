/* recorded.h - a call as a log has it, made into one that can be judged again.
 *
 * A record is not the call: secrets were removed from it, and long texts were cut. What it lacks is
 * never guessed: `lacks` then says what, and such a call is not judged. */
#ifndef REPORT_RECORDED_H
#define REPORT_RECORDED_H

#include "base/value.h"
#include "rule/mode.h"

/* Views into the arena that it was read in. Empty: the record does not say. */
struct recorded {
    struct str id, at, session, client, tool;
    struct str shown;       /* the command, or the tool's first argument */
    struct str cwd;         /* absolute */
    struct str project;     /* a directory, or the name that a worker gave it */
    struct str policy;      /* fingerprint of the rules that decided */
    struct str layer, rule; /* what decided: a layer, and the id of a rule */
    struct str call;        /* for warder_check_json(), without the session */
    bool decided;           /* it says what the policy answered: */
    enum behavior was;      /* an ask where a person, or no one, answered */
    enum recorded_answer { ANSWER_NONE = 0, ANSWER_ACCEPT, ANSWER_REJECT } answer; /* a person's */
    const char *lacks; /* why it cannot be judged again, as the end of a sentence; NULL: it can */
};

/* Reads one line: of `warder log export --json`, of the journal, or {"tool", "input", "cwd",
 * "project", "session", "mode", "answer": "accept" or "reject"}. False: not JSON, or the record of
 * something else than a decision. Below an arena_try(). */
bool recorded_read(struct arena *a, struct str line, struct recorded *out);

/* The call in its session, for a verdict that depends on when that began. */
struct str recorded_in_session(struct arena *a, const struct recorded *r);

/* A call of a tool with its first argument, as JSON. cwd empty: not given. False: the tool is
 * unknown, or has no argument. */
bool recorded_call(struct arena *a, struct str tool, struct str argument, struct str cwd,
                   struct str *out);

#endif
