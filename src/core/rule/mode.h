/* mode.h - the modes a session can be in, and the sources rules come from. */
#ifndef RULE_MODE_H
#define RULE_MODE_H

#include <stdbool.h>

#include "base/nearest.h"
#include "base/str.h"

/* Deny is zero on purpose: a verdict that was never set denies. */
enum behavior { BEHAVIOR_DENY = 0, BEHAVIOR_ASK = 1, BEHAVIOR_ALLOW = 2 };

enum mode {
    MODE_DEFAULT = 0,
    MODE_ACCEPT_EDITS,
    MODE_BYPASS,
    MODE_DONT_ASK,
    MODE_PLAN,
    MODE_DELEGATE,
    /* Internal: set by clients and updates, not written in policy files. */
    /* unattended: what is not cleared is denied; three denials in a row make it interactive */
    MODE_AUTO,
    MODE_BUBBLE, /* a worker's question goes up to the agent that started it: an ask stays an ask */
};
#define MODE_COUNT 8

enum source {
    SOURCE_MANAGED = 0,
    SOURCE_USER,
    SOURCE_PROJECT,
    SOURCE_LOCAL,
    SOURCE_CLI,
    SOURCE_RUNTIME,
    SOURCE_COMMAND,
    SOURCE_SESSION,
    SOURCE_BUILTIN,
};
#define SOURCE_COUNT 9

const char *behavior_name(enum behavior b); /* "deny", "ask", "allow" */
const char *mode_name(enum mode m);         /* "default", "acceptEdits", ... */
const char *source_name(enum source s);

/* Also accepts other clients' names for the same mode ("yolo", "auto_edit", "manual"). */
bool mode_parse(struct str name, enum mode *out);
void mode_nearest(struct nearest *n); /* tries the names that people may give */
/* Is `m` above `than` in plan < default < acceptEdits < bypassPermissions? The others are not
 * comparable: plan reads what delegate refuses, dontAsk runs what a rule allows, auto denies what
 * default asks about. Whoever is bound by one of those is judged in both (decide.c). */
bool mode_is_milder(enum mode m, enum mode than);
/* In any case; also "accept" and "approve" for allow. */
bool behavior_parse(struct str name, enum behavior *out);
bool source_parse(struct str name, enum source *out);
/* Is it a file of the project itself? */
static inline bool source_is_project(enum source s)
{
    return s == SOURCE_PROJECT || s == SOURCE_LOCAL;
}

#endif
