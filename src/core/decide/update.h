/* update.h - changes to a rulebook while a session runs.
 *
 * A rulebook is immutable while decisions read it: an update gives a new one
 * that shares what did not change. Managed and built-in rules are never touched. */
#ifndef DECIDE_UPDATE_H
#define DECIDE_UPDATE_H

#include "base/error.h"
#include "base/value.h"
#include "decide/profiles.h"
#include "facts/session.h"
#include "rule/book.h"

enum update_kind {
    UPDATE_ADD_RULES,
    UPDATE_REPLACE_RULES, /* the new rules replace all rules of the same tool */
    UPDATE_REMOVE_RULES,
    UPDATE_SET_MODE,
    UPDATE_ADD_DIRECTORIES,
    UPDATE_REMOVE_DIRECTORIES,
};

struct update {
    enum update_kind kind;
    enum source destination; /* never managed or builtin */
    struct str session;      /* rules, a mode: for calls of this session only; empty: for all */
    enum behavior behavior;  /* of added rules */
    /* A removal goes by tool and content, and by these where they are given. */
    bool destination_given, behavior_given;
    struct strs rules; /* in the profile's dialect */
    enum mode mode;
    struct strs directories;
};
struct updates LIST_OF(struct update);

bool update_kind_parse(struct str name, enum update_kind *out); /* "addRules", ... */

/* One update on a rulebook. *out and its new parts live in the arena. `session` takes a mode. The
 * engine collects updates with changes_add(); the tests compare it with this, one step at a time.
 */
enum status update_apply(struct arena *a, const struct rulebook *book,
                         const struct profile *profile, const struct update *u,
                         struct session *session, struct rulebook *out, struct error *err);

/* Reads one update, or a list of them, each
 *
 *     {"type": "addRules", "rules": ["Bash(npm test)", {"toolName": "Read", "ruleContent": "~/x"}],
 *      "behavior": "allow", "destination": "session"}
 *
 * With "session": ID the rules, or the mode, are for calls of that session, and an update of a
 * session touches no rule but those. Without it they are for all calls of the engine, whatever the
 * destination; so "session" alone is no destination, it would promise too much. A key that the kind
 * of update does not have is an error. Strings point into `v`. */
enum status updates_read(struct arena *a, const struct value *v, struct updates *out,
                         struct error *err);

/* ---- many updates ---- */

struct changes;

/* Without the rules and the mode that were added for this session. */
void changes_end_session(struct arena *a, const struct changes *from, struct str session,
                         struct changes *out);

#define CHANGES_MAX                                                                                \
    ((size_t)4096) /* rules and directories that the updates of one engine may add and take away   \
                    */

/* A rule that was taken away, wherever it comes from. */
struct taken {
    struct str tool, content;
    struct str session;        /* only those that were added for it; empty: all */
    bool whole;                /* every rule of the tool */
    bool of_effect, of_source; /* only rules with this: */
    enum behavior effect;
    enum source source;
    bool only_allow; /* the files were read again since: what they deny or ask now counts */
};
struct taken_rules LIST_OF(struct taken);

/* The sum of all updates so far. It is kept apart from the book, so that the files can be read
 * again; an update that takes away what another added leaves nothing, so it does not grow with the
 * number of updates. */
struct session_mode {
    struct str session;
    enum mode mode, prior;
    bool has_prior; /* as in struct session */
};
struct session_modes LIST_OF(struct session_mode);

struct changes {
    struct rules added;
    struct taken_rules taken;
    struct directories directories;
    struct strs no_directories;
    struct session_modes modes;
};

/* *out is `from` and one update more; it lives in the arena and shares nothing with `from`. A mode
 * is added by changes_set_mode(), one for all sessions is not among them (session_set_mode). */
enum status changes_add(struct arena *a, const struct changes *from, enum dialect dialect,
                        const struct update *u, struct changes *out, struct error *err);

/* The mode of this session becomes that of `set`. */
enum status changes_set_mode(struct arena *a, struct changes *c, struct str session,
                             const struct session *set, struct error *err);
/* Gives *s the mode that was set for this session, if one was. */
void changes_mode(const struct changes *c, struct str session, struct session *s);

/* Into another arena. */
enum status changes_copy(struct arena *a, const struct changes *from, struct changes *out,
                         struct error *err);

/* After the files were read again: a rule there that denies or asks may be a new one of the same
 * text. */
void changes_reread(struct changes *c);

/* The book with all changes. `project` is what "/x" in path rules means. *out points into `book`
 * and `c`. */
void changes_apply(struct arena *a, const struct rulebook *book, const struct profile *profile,
                   const struct changes *c, struct str project, struct rulebook *out);

/* Plan mode remembers the mode before it; leaving plan mode restores that (session.h). */
void session_set_mode(struct session *s, const struct rulebook *book, enum mode mode);

#endif
