/* update.h - changes to a rulebook while a session runs.
 *
 * A rulebook is immutable while decisions read it: an update gives a new one
 * that shares what did not change. Managed rules are never touched. */
#ifndef DECIDE_UPDATE_H
#define DECIDE_UPDATE_H

#include "base/error.h"
#include "decide/profiles.h"
#include "layer/session.h"
#include "rule/book.h"

enum update_kind {
    UPDATE_ADD_RULES,
    UPDATE_REPLACE_RULES, /* all rules of the same tool and behaviour give way to the new ones */
    UPDATE_REMOVE_RULES,
    UPDATE_SET_MODE,
    UPDATE_ADD_DIRECTORIES,
    UPDATE_REMOVE_DIRECTORIES,
};

struct update {
    enum update_kind kind;
    enum source destination; /* never managed or builtin */
    enum behavior behavior;  /* of added rules; a removal looks at tool and content only */
    struct strs rules;       /* in the profile's dialect */
    enum mode mode;
    struct strs directories;
};

bool update_kind_parse(struct str name, enum update_kind *out); /* "addRules", ... */

/* *out and its new parts live in the arena. `session` takes a mode. */
enum status update_apply(struct arena *a, const struct rulebook *book, const struct profile *profile,
                         const struct update *u, struct session *session, struct rulebook *out, struct error *err);

#endif
