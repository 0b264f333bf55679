/* grants.h - what a person has allowed or denied for later, beyond the policy that they write by
 * hand: rules (grants.c), and approvals for the rest of a session (grants_session.c). */
#ifndef REPORT_GRANTS_H
#define REPORT_GRANTS_H

#include "ask/session_file.h"
#include "engine/report.h"

#define GRANT_OF_SESSION "session-" /* how the names of approvals begin; then the id on record */

struct session_grant {
    struct str name; /* session-12ab34cd */
    struct str id;   /* of the decision */
    struct str client, session;
    struct str tool, shown; /* as the record has them; empty: it is no longer there */
    enum approved_how how;
    int64_t at, changed; /* seconds: the approval, the session */
    size_t found;        /* how many were found before it */
};
struct session_grants LIST_OF(struct session_grant);

/* Those of the sessions that work in the engine's project, oldest first. Texts live in `a`. Not
 * below an arena_try(). */
enum status session_grants_find(struct arena *a, const warder_engine *e, struct session_grants *out,
                                struct error *err);
void session_grant_show(struct report *r, const struct session_grant *g);
enum status session_grant_revoke(const warder_engine *e, const struct session_grant *g,
                                 struct error *err);

#endif
