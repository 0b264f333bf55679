/* approval.h - one call that a person approves later, from another terminal, once.
 *
 * If a client cannot ask, an ask becomes a deny with an ID. A person answers it with `warder
 * approve ID`; when the agent then tries the very same call again, it runs. "The very same" is a
 * hash: client, session, tool, the whole input, the directory, the paths it touches with links
 * resolved, the policy, and the content of each file that it would read or run (bound.h). If any of
 * them changes, the approval does not count.
 *
 * Two kinds of files in <state_dir>/approvals, named by that hash: DIGEST-SESSION.json waits for a
 * person, DIGEST.ok was approved. Using one up is unlink(): of two processes one succeeds. */
#ifndef ASK_APPROVAL_H
#define ASK_APPROVAL_H

#include <stdint.h>

#include "ask/bound.h"
#include "ask/panel.h"
#include "base/sha256.h"
#include "decide/decide.h"

#define APPROVAL_SECONDS 600 /* for which a question waits and an approval counts */
#define APPROVAL_ID_MAX  11  /* ten characters, 50 random bits, and the NUL */
#define APPROVALS_MAX    200u
#define APPROVAL_FILE_MAX                                                                          \
    ((size_t)16 * 1024 * 1024) /* of a question's file: an input may be 10 MB */
#define APPROVAL_BYTES_MAX ((uint64_t)64 * 1024 * 1024) /* of all files that one is bound to */
/* Of one session; its oldest question gives way, so that no session can take the room of others. */
#define APPROVALS_SESSION_MAX 50u

/* The call to be approved. */
struct approval_call {
    const char *state_dir;
    struct str client;
    const struct call *call;
    const struct verdict *verdict; /* an ask */
    const struct rulebook *book;
    const struct profile *profile;
    const struct world *world;
    struct str home;
    int64_t now; /* seconds, by the wall clock: files outlive the process */
};

/* Stores the question for a person. The same question again gets the same ID. STATUS_UNSAFE: an
 * approval could not be bound, because it is not known which file would run. Neither function needs
 * an arena_try() around it. */
/* *again (optional): it waits already. */
enum status approval_offer(struct arena *a, const struct approval_call *c,
                           const struct panel *panel, char id[APPROVAL_ID_MAX], bool *again,
                           struct error *err);

/* A file whose content is no longer that which a person has approved for this very call; empty:
 * none. For the words of the next question. */
struct str approval_outdated(struct arena *a, const struct approval_call *c);

/* Removes what is too old to be answered or used: nothing of a call stays longer than it must. */
void approval_sweep(const char *state_dir, int64_t now);

/* Uses up an approval of this very call, if there is one; *taken says whether this process got it.
 * Only STATUS_OK with *taken may run the call. */
enum status approval_take(struct arena *a, const struct approval_call *c, bool *taken,
                          struct error *err);

/* ---- for the person ---- */

/* A pending question. Its texts live in the arena it was read into. */
struct approval {
    char id[APPROVAL_ID_MAX], digest[SHA256_HEX], call[SHA256_HEX], session[SHA256_HEX];
    const struct value *files; /* that it is bound to */
    int64_t asked;             /* when */
    struct str client;
    struct panel panel;
};
struct approvals LIST_OF(struct approval);

/* Oldest first, without those that are too old. */
enum status approval_list(struct arena *a, const char *state_dir, int64_t now,
                          struct approvals *out, struct error *err);

/* STATUS_USAGE if it is no longer pending. */
enum status approval_grant(const char *state_dir, const struct approval *approval, int64_t now,
                           struct error *err);
enum status approval_refuse(const char *state_dir, const struct approval *approval,
                            struct error *err);

/* ---- approval_digest.c ---- */

/* What an approval is bound to. `digest` covers the other two. */
struct approval_bond {
    char digest[SHA256_HEX], call[SHA256_HEX]; /* all of it; all but the content of files */
    char session[SHA256_HEX];                  /* client and session */
    struct bound bound;
};

/* The input by which two calls are the same, as JSON. Below an arena_try(). */
struct str approval_input(struct arena *a, const struct call *call);

/* STATUS_UNSAFE: it cannot be bound. The digest is empty unless it succeeds. */
enum status approval_bind(struct arena *a, const struct approval_call *c, struct approval_bond *out,
                          struct error *err);

#endif
