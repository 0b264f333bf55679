/* session_file.h - sessions that outlive a process: a hook is a new process for every call, and
 * must know what was approved and denied before.
 *
 * One small file per session, named by a hash of client and session, so that a client's name never
 * becomes a path. Readers need no lock; a change reads, changes and replaces the file under one. */
#ifndef ASK_SESSION_FILE_H
#define ASK_SESSION_FILE_H

#include "base/error.h"
#include "facts/session.h"

#define SESSIONS_BELOW   "sessions" /* the state directory */
#define SESSION_FILE_MAX ((size_t)512 * 1024)
#define SESSION_DAYS     30    /* after which a session that did not change is forgotten */
#define SESSIONS_MAX     4096u /* then the one that was unchanged longest is removed */

struct shelf;
struct session_later;

struct session_id {
    const char *state_dir;
    struct str client, session;  /* session empty: the call has no session */
    struct shelf *shelf;         /* not NULL: it is kept there, and not in files */
    struct session_later *later; /* not NULL: somebody syncs what this one writes, later */
};

/* Its state so far; zeroed if it is new or there is none. Do not call it inside an arena_try(). A
 * file with anything wrong is a failure: an attacker who can change it could allow more. */
enum status session_load(struct arena *a, const struct session_id *id, struct session *out,
                         struct error *err);

/* The same for a call whose answer the session will keep: a new one begins now. Otherwise it would
 * begin anew with every call, and what the agent wrote a moment ago would be older than its
 * session. */
enum status session_meet(struct arena *a, const struct session_id *id, struct session *out,
                         struct error *err);

/* Changes it. `change` gets the session as it is on disk now and may allocate in `a`; if it changes
 * nothing, nothing is written. *after (optional): counts and modes after the change. */
typedef void session_change(struct arena *a, struct session *s, void *context);
enum status session_update(const struct session_id *id, session_change *change, void *context,
                           struct session *after, struct error *err);

/* All sessions that are kept in files and have approvals; the names are those that they were
 * approved in. Returns when `visit` says false. One that cannot be read is passed over. Not below
 * an arena_try(). */
struct session_kept {
    struct str client, name;
    int64_t changed; /* seconds */
    struct session session;
};
typedef bool session_visit(const struct session_kept *kept, void *context);
enum status session_each(const char *state_dir, session_visit *visit, void *context,
                         struct error *err);

/* Forgets it. One that is not there is no failure. */
enum status session_remove(const struct session_id *id, struct error *err);

/* The name of its file below sessions/. */
#define SESSION_NAME_MAX 80
void session_name(const struct session_id *id, char out[SESSION_NAME_MAX]);

#endif
