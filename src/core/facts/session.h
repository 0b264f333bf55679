/* session.h - what one session has collected: approvals, denials, its mode.
 *
 * The core only reads it and returns new values; where a session is kept between calls (a file, the
 * service, an embedder) is decided elsewhere. */
#ifndef FACTS_SESSION_H
#define FACTS_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "base/sha256.h"
#include "base/str.h"
#include "base/world.h"
#include "rule/mode.h"

#define SESSION_DENIALS_IN_A_ROW 3  /* then auto becomes interactive */
#define SESSION_DENIALS_IN_ALL   20 /* then the loop is interrupted */

#define SESSION_AGREEMENTS_MAX   1024u /* further ones count once */
#define SESSION_GRANTS_MAX       4096u /* likewise */
#define SESSION_APPROVALS_MAX    512u  /* likewise */
#define SESSION_KEY_SHORT        16    /* letters of a grant's key by which it is found again */
#define SESSION_PROGRAMS_MAX     16    /* then the oldest build is dropped */
#define SESSION_PROGRAM_PATH_MAX 1024  /* bytes; longer ones are not remembered */

#define GIVEN_UNKNOWN                                                                              \
    ((struct str){".", 1}) /* a secret, or perhaps one, of which no path is known */

/* A program that a call of the session built from the project (facts/session_builds.h). */
struct session_program {
    struct str path; /* absolute, without links; a trailing slash means every file directly in that
                        directory */
    struct str tree; /* a directory where the compiler keeps the same file under other names; empty
                        if none */
    int64_t built;   /* when that call was answered, in milliseconds; 0: it has been run since, and
                        `seen` counts */
    struct file_mark seen; /* as it was when last run */
};
struct session_programs LIST_OF(struct session_program);

/* How a person approved a call for the rest of the session. */
enum approved_how {
    APPROVED_AT_PROMPT = 0, /* "for this session", where Warder asked */
    APPROVED_BY_ALLOW,      /* warder allow --session */
    APPROVED_IN_CLIENT,     /* in the agent's own prompt: the very same call */
};
#define APPROVED_HOWS 3

/* What a person is shown of it, and takes back (`warder grants`). */
struct session_approval {
    struct str id;     /* of the decision on record */
    struct str digest; /* of the very same call (ask/approval.h), which is not asked about again;
                          empty: what it has added to `grants` counts */
    struct strs keys;  /* the first letters of these, SESSION_KEY_SHORT */
    enum approved_how how;
    int64_t at; /* seconds */
};
struct session_approvals LIST_OF(struct session_approval);

struct session {
    struct strs grants; /* keys of what a person approved (see layer_grants.c) */
    struct session_approvals approvals;
    struct session_programs programs;
    struct str workspace; /* fixed at the first call; empty: take the call's project */
    bool has_mode;        /* a mode that was set during the session */
    enum mode mode;
    bool has_prior; /* plan mode was entered from `prior` */
    enum mode prior;
    bool has_main;  /* the mode of the agent that the session belongs to, as its client told; the */
    enum mode main; /* modes of those that it starts may be chosen by files of the project */
    uint32_t denials_in_a_row, denials;
    bool auto_asks; /* mode auto was denied too often: from then on it asks */
    /* How often its calls brought code of others into the tree, and up to which of these times a
     * person has agreed to run it (facts/fresh.h). */
    uint32_t brought, agreed;
    struct strs agreements; /* digests of changed files that a person agreed to run */
    struct str given;       /* a secret that a call of it gave to git (facts/staged.h): its path, or
                               GIVEN_UNKNOWN; empty: none */
    int64_t began;          /* when its first call was judged, in seconds; 0 if unknown */
    char policy[SHA256_HEX]; /* digest of the project's policy files that it began with; "": none */
    bool fresh;              /* this is its first call, nothing is stored yet */
};

/* Does mode auto ask a person in this session? It says nothing about other modes. */
static inline bool session_asks_in_auto(const struct session *s)
{
    return s->auto_asks || s->denials_in_a_row >= SESSION_DENIALS_IN_A_ROW;
}

#endif
