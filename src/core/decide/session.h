/* session.h - how a session changes: by verdicts, by approvals, by plan mode. */
#ifndef DECIDE_SESSION_H
#define DECIDE_SESSION_H

#include "decide/decide.h"

/* Counts a final verdict (an ask that was not answered does not count). After three
 * denials in a row, mode auto asks in this session. */
void session_count(struct session *s, enum behavior behavior, enum mode mode);

/* A person approved this call: its actions need no further question in this session. */
void session_grant(struct arena *a, struct session *s, const struct verdict *v);

/* A person approved this call, and so the code that it brings in or runs (facts/fresh.h): adds the
 * keys of what had changed to `agreements`. session_brings() counts the rest. */
void session_agree(struct arena *a, struct session *s, const struct verdict *v);

/* What an allowed call does to the tree: it may bring in code of others. `agreed`: a person
 * approved it when the session was as `seen`. */
void session_brings(struct session *s, const struct verdict *v, bool agreed,
                    const struct session *seen);

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
