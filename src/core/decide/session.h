/* session.h - how a session changes: by verdicts, by approvals, by plan mode. */
#ifndef DECIDE_SESSION_H
#define DECIDE_SESSION_H

#include "decide/decide.h"

/* Counts a final verdict (an ask that was not answered does not count). After three
 * denials in a row, mode auto asks in this session. */
void session_count(struct session *s, enum behavior behavior, enum mode mode);

/* A call was judged in this mode, whatever became of it: if mode auto asked because of denials, it
 * goes on asking. */
void session_judged(struct session *s, enum mode mode);

/* A person approved this call: its actions need no further question in this session. */
void session_grant(struct arena *a, struct session *s, const struct verdict *v);

/* Keeps what a person approved for the rest of the session: `keys` for its grants (NULL: none), and
 * what `about` says, without its own keys. Everything must live as long as the session. */
void session_approve(struct arena *a, struct session *s, const struct strs *keys,
                     const struct session_approval *about);

/* Was the very same call approved in this session? */
bool session_has_digest(const struct session *s, struct str digest);

/* A person approved this call, and so the code that it brings in or runs (facts/fresh.h): adds the
 * keys of what had changed to `agreements`. session_brings() counts the rest. */
void session_agree(struct arena *a, struct session *s, const struct verdict *v);

/* What an allowed call does to the tree: it may bring in code of others. `agreed`: a person
 * approved it when the session was as `seen`. */
void session_brings(struct session *s, const struct verdict *v, bool agreed,
                    const struct session *seen);

/* A call that gives a secret to git, unless it was denied: of one that is asked about it is not
 * known whether it ran. What it keeps is the verdict's. */
void session_gives(struct session *s, const struct verdict *v);

/* As session_brings(), of a call that a person approved elsewhere, and that has run since: it was
 * asked about when `seen` times code had been brought in, and brings in some itself, or not. */
void session_ran(struct session *s, uint32_t seen, bool brings);

/* Do both sessions know the same of the tree? */
bool session_same_tree(const struct session *s, const struct session *other);

/* Does a call of this project mean the same to decide() in both sessions? */
bool session_is_like(const struct session *s, const struct session *other, struct str project);

void session_enter_plan(struct session *s, enum mode now);
/* Back to the mode that plan mode was entered from. */
void session_leave_plan(struct session *s);

/* What the call itself does to the session once it has run: the tools that enter and leave plan
 * mode. */
void session_after(struct session *s, const struct call *call, enum mode mode);

#endif
