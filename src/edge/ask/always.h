/* always.h - "always": which file a person's new rule goes to, what it would match, and writing it.
 */
#ifndef ASK_ALWAYS_H
#define ASK_ALWAYS_H

#include <limits.h>

#include "decide/decide.h"
#include "policy/edit.h"
#include "policy/trust.h"
#include "rule/danger.h"

struct always {
    const struct profile *profile;
    const struct verdict *verdict;
    struct str project, state_dir, config_home; /* end in NUL */
    danger_of *danger;                          /* for lint */
    meant_of *meant;

    /* Set by always_find(). */
    char path[PATH_MAX];
    enum format format;
    enum trust trust;         /* of the project, before */
    char user_path[PATH_MAX]; /* the person's own warder.*; empty: not for this profile */
};

/* The project's own file for the profile: an existing .warder/warder.local.*, else
 * .claude/settings.local.json; in caliban .caliban/permissions.toml; in guild, for a command,
 * .warder/authorization.*. STATUS_USAGE: there is no project. */
enum status always_find(struct always *r, struct error *err);

/* Parses a rule that a person typed and describes in sentences what it would do: for this call, and
 * the findings of lint. */
enum status always_check(struct arena *a, const struct always *r, enum behavior effect,
                         struct str text, struct strs *sentences, struct error *err);

/* Writes it. A project that was trusted, or had nothing to trust, is trusted afterwards, if this
 * rule is all that changed in it. *line: where the rule is; 0 if it was there already. */
enum status always_write(const struct always *r, enum behavior effect, struct str rule,
                         uint32_t *line, struct error *err);

/* The same in r->user_path, where it counts whatever the project is. */
enum status always_write_user(const struct always *r, enum behavior effect, struct str rule,
                              uint32_t *line, struct error *err);

/* The same for a text that was planned before: `text` takes the place of `old` in r->path. old.s
 * NULL: there was no file. */
enum status always_replace(const struct always *r, struct str old, struct str text,
                           struct error *err);

#endif
