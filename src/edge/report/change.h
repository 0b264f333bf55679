/* change.h - a change of the user's or the project's own policy file: found, read, and written only
 * if the file is still what was read. What the new text is, policy/edit.h says. */
#ifndef REPORT_CHANGE_H
#define REPORT_CHANGE_H

#include "engine/engine.h"
#include "policy/edit.h"

struct policy_change {
    struct str file, project; /* project: empty in the user's policy */
    char *text;               /* the file's, malloc'ed; NULL: there is none */
    struct str old, new;
};

/* Sets file and project: warder.* of the user, or .warder/warder.local.* of the engine's project;
 * the one that is there, else a new one. Below an arena_try(). */
void policy_change_place(struct arena *a, const warder_engine *engine, bool user,
                         struct policy_change *out);

enum status policy_change_read(struct policy_change *c, struct error *err);
enum status policy_change_write(const warder_engine *engine, const struct policy_change *c,
                                struct error *err);
void policy_change_release(struct policy_change *c);

#endif
