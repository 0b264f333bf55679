/* asked.h - questions that were left to a client: when it says that the call has run, a person has
 * said yes.
 *
 * One file for each, <state_dir>/asked/HASH.json. It is named by the client, the session and the
 * client's own ID of the call, or by the call itself where the client gives none. What the client
 * says later counts only for a question that is there, about the same input, and from the process
 * that asked; the one that removes the file has the answer. */
#ifndef ASK_ASKED_H
#define ASK_ASKED_H

#include "base/error.h"
#include "base/list.h"
#include "base/sha256.h"
#include "base/value.h"
#include "machine/proc.h"

#define ASKED_SECONDS                                                                              \
    86400                   /* for which it is waited: a person may be away, and a call run long   \
                             */
#define ASKED_MAX      256u /* then the oldest is removed */
#define ASKED_FILE_MAX ((size_t)256 * 1024)

/* Which question. */
struct asked_key {
    const char *state_dir;
    struct str client, session, use_id; /* use_id empty: not given */
    char call[SHA256_HEX];              /* of the tool and its whole input */
};

/* What is kept of it until then. */
struct asked {
    struct str id; /* of its decision on record */
    struct str worker, project, cwd, mode, profile, policy;
    struct str digest;      /* of the very same call (ask/approval.h); empty: a yes counts once */
    struct strs agreements; /* digests of files that a person agrees to run with it */
    uint32_t brought;       /* as the session was: see facts/session.h */
    bool brings;
    int64_t at;          /* seconds */
    struct proc_id from; /* whose child asked */
};

/* Below an arena_try(). */
void asked_hash(struct arena *a, struct str tool, const struct value *input, char out[SHA256_HEX]);

enum status asked_keep(struct arena *a, const struct asked_key *key, const struct asked *asked,
                       struct error *err);

/* It is not asked about any more: nothing that the client says later is an answer to it. */
void asked_drop(const struct asked_key *key);

/* The question that `from` has put, removed: *found. */
enum status asked_take(struct arena *a, const struct asked_key *key, const struct proc_id *from,
                       int64_t now, struct asked *out, bool *found, struct error *err);

#endif
