/* token.h - who may use the service, and in which role.
 *
 * A token is shown once, when it is created; the database and the journal have its hash. It has 32
 * random bytes, so a fast hash is enough: whoever reads the hash cannot guess the token. It
 * contains the id of its row, so only one row is compared, in constant time. */
#ifndef RECORD_TOKEN_H
#define RECORD_TOKEN_H

#include <stdint.h>

#include "machine/stamp.h"
#include "record/state_db.h"

#define TOKEN_ID_SIZE  (16 + 1)
#define TOKEN_SIZE     (4 + 16 + 1 + 43 + 1) /* wdr_ID_SECRET and the NUL */
#define TOKEN_NAME_MAX 200

/* None is zero: an unknown caller has no role. */
enum token_role { TOKEN_NONE = 0, TOKEN_VIEWER, TOKEN_WORKER, TOKEN_OPERATOR };

/* A code is exchanged for a browser's session, once; a session is as good as the token that it came
 * from, and as long as that one is in force. Each has a prefix of its own, and counts only as what
 * it is. */
enum token_kind { TOKEN_PLAIN = 0, TOKEN_CODE, TOKEN_BROWSER };

struct access_token {
    char id[TOKEN_ID_SIZE];
    enum token_role role;
    struct str name;   /* its name for people; views live as long as the call */
    struct str policy; /* a policy file for this worker; empty: none */
    /* what its calls may name, one a line; the first mode is that of a call that names none.
     * Empty: see docs/service.md */
    struct str projects, workers, modes;
    char created_at[STAMP_SIZE], revoked_at[STAMP_SIZE]; /* "" : it is in force */
    enum token_kind kind;
    struct str parent;           /* the id of a token, or "uid:1000"; empty: none */
    char expires_at[STAMP_SIZE]; /* "": never */
    int64_t lasts;               /* of a code: the seconds of its session */
};

const char *token_role_name(enum token_role role);
bool token_role_parse(struct str name, enum token_role *out);

/* Creates a token with the role, name, policy and bounds of `wanted`. *out is the only copy of it.
 */
enum status token_create(struct database *db, const struct access_token *wanted,
                         char out[TOKEN_SIZE], struct error *err);

typedef bool (*token_visit)(const struct access_token *t, void *context); /* true continues */

const char *token_kind_name(enum token_kind kind); /* "" for a plain one */
bool token_kind_of(struct str presented, enum token_kind *out);

/* Calls `visit` for the row of this token, unless it is malformed, unknown, revoked or expired, or
 * the one that it came from is. */
enum status token_check(struct database *db, struct str presented, token_visit visit, void *context,
                        struct error *err);

enum status token_list(struct database *db, token_visit visit, void *context, struct error *err);

/* Calls `visit` for the token with this id, in force or revoked. */
enum status token_find(struct database *db, struct str id, token_visit visit, void *context,
                       struct error *err);

/* ---- the journal's records of them ---- */

/* The body of a record of the token's whole row, so that it can be made again. Do not call it
 * inside an arena_try(). */
enum status token_record(struct database *db, struct arena *a, struct str id, const char *action,
                         struct str *body, struct error *err);
/* Notes which record has it; 0: none. */
enum status token_recorded(struct database *db, struct str id, uint64_t n, struct error *err);
/* Tokens in force that no record from number n on has, and any token that none has at all. One that
 * was revoked needs no more: the records from when it was in force are older, and go first. */
enum status tokens_unrecorded(struct database *db, uint64_t n, token_visit visit, void *context,
                              struct error *err);

/* Rows of codes and sessions that ended before this time are of no use to anybody. */
enum status tokens_forget_ended(struct database *db, const char *before, struct error *err);

/* *found is false if there is none, or it was revoked before. */
enum status token_revoke(struct database *db, struct str id, bool *found, struct error *err);

#endif
