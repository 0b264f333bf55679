/* decision.h - a decision as the record keeps it, with its names on the wire.
 *
 * Everything in it is redacted before it is written; only a keyed hash covers the whole command. */
#ifndef RECORD_DECISION_H
#define RECORD_DECISION_H

#include "base/value.h"
#include "machine/stamp.h"
#include "record/keyed.h"
#include "record/redact_memory.h"

#define DECISION_COMMAND_MAX ((size_t)64 * 1024) /* bytes of a command that are kept */
#define DECISION_TEXT_MAX    ((size_t)2048)      /* of any other text */
#define DECISION_INPUT_MAX                                                                         \
    ((size_t)64 * 1024)           /* of an input as JSON; of a larger one only the size is kept */
#define CANARY_SESSION   "canary" /* of the calls that `warder doctor` makes itself */
#define DECISION_ID_SIZE (2 + 32 + 1) /* d_ and 32 hexadecimal digits */

/* Empty or zero: unknown, and not written. */
struct decision_record {
    struct str id;
    struct str worker_id, task_id, project_id, session_id;
    struct str task;   /* what it is about, in the worker's words */
    struct str caller; /* the id of the token that asked, or "uid:1000" of the unix socket */
    struct str policy; /* the fingerprint of the rulebook that decided */
    struct str tool, tool_use_id, client;
    struct str command;      /* a shell tool's command, or the first argument: the whole text */
    struct str command_hash; /* if given: `command` was redacted before, and this is the hash of the
                                whole one */
    bool shell;              /* it is shell text */
    const struct value *input; /* of any other tool; NULL: none */
    const char *commands;      /* its members that are shell text */
    struct str
        decision; /* auto-accept, auto-deny, human-accept, human-deny, timeout-deny; ask if
                     the client's prompt shall ask; left-to-client if its own checks decide */
    struct str behavior, layer, matched_rule_id, rule, reason;
    struct str tier, contained; /* of the cell that it runs in, and why; empty: none */
    struct str token, outside;  /* what it was answered with; what a yes for it is bound to */
    struct str undo_entry;      /* that what it loses is saved in; empty: none */
    int64_t undo_until;         /* milliseconds: how long that is kept, */
    size_t undo_paths;          /* and how many paths it is about, */
    size_t undo_left;           /* and those that could not be saved */
    bool undo_needed;           /* it was allowed because of that */
    struct str profile, mode, cwd;
    struct str answered_by, review_id;
    struct str answers;       /* the id of the question on record that this answers */
    struct str answer_reason; /* of the person who answered */
    int64_t review_requested_at,
        review_responded_at; /* milliseconds; 0: no one was asked, or there was no answer */
    int64_t response_time_ms;
    bool again; /* the client's second question about one call, in which it was answered, too */
    bool undelivered;              /* a review ended, and its worker was not connected */
    struct redact_memory *redacts; /* NULL: each text is scanned */
};

/* Its first letters, which tell it from the others: what people type. */
struct str decision_brief(struct str id);

/* A new id; false if the system has no random bytes. */
bool decision_id_make(char out[DECISION_ID_SIZE]);

/* The same, from a supply of random bytes. A child of fork() would use the same ones, so this is
 * only for programs that fork only to execute another program. */
struct decision_ids {
    uint8_t bytes[512];
    size_t left; /* at the end of them */
};
bool decision_id_next(struct decision_ids *ids, char out[DECISION_ID_SIZE]);

/* The members of the record, for journal_append(). In the arena; call it inside an arena_try(). */
struct str decision_body(struct arena *a, const struct decision_record *d,
                         const struct record_key *key);

#endif
