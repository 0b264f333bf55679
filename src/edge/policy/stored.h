/* stored.h - the rules that operators add while the service runs: one JSON file in the data
 * directory.
 *
 *     {"version": 1, "rules": [
 *       {"id": "rule_..", "pattern": "npm publish*", "type": "deny", "reason": "...",
 *        "scope": "global", "created_at": "...", "created_by": "...", "ends_at": 1700000000}]}
 *
 * Only the service writes it. Hooks and libraries read it with the other policy files, so that its
 * rules count without the service, too. Errors in it are fatal: it is not known what it would have
 * denied. */
#ifndef POLICY_STORED_H
#define POLICY_STORED_H

#include "base/error.h"
#include "base/json.h"
#include "base/list.h"
#include "base/str.h"
#include "base/value.h"
#include "machine/regex.h"
#include "rule/rule.h"

#define STORED_NAME      "rules.json"
#define STORED_RULES_MAX ((size_t)2000)
#define STORED_TEXT_MAX  ((size_t)2048) /* bytes of a reason, a scope or a name */
#define STORED_LIST_MAX  ((size_t)64)   /* flags or paths of one rule */
#define STORED_GLOBAL    "global"

/* An AuthorizationRule, and when it takes effect and ends. */
struct stored_rule {
    struct str id, pattern, reason, scope, created_at, created_by, updated_at, updated_by;
    /* the long form: each one given must match, too */
    struct str regex;
    struct strs flags, paths;
    enum behavior effect;
    int64_t acts_from; /* seconds since 1970; 0: at once */
    int64_t ends_at;   /* it counts no more from then on; 0: it never ends */
};
struct stored_rules LIST_OF(struct stored_rule);

/* *out points into the document. The place in an error is that of the document. Call it inside an
 * arena_try(). */
enum status stored_parse(struct arena *a, const struct value *document, struct stored_rules *out,
                         struct error *err);

/* What the file and the wire call an effect: allow, ask, deny. "accept", the word of the document
 * that they follow, is read as allow. */
const char *stored_type(enum behavior effect);
bool stored_type_read(struct str text, enum behavior *out);

/* Its members; `times` also writes when it takes effect and ends, as the file does. */
void stored_members(struct json_writer *w, const struct stored_rule *r, bool times);

/* The whole file. */
void stored_write(struct buf *out, const struct stored_rules *rules);

/* As a rule of the runtime source. A pattern that names a tool is a rule about that tool, any other
 * one is about commands. The set owns the compiled regular expression. Opens its own door on the
 * arena. */
enum status stored_rule_parse(struct arena *a, struct regexes *regexes, const struct stored_rule *r,
                              struct rule *out, struct error *err);

/* A list of strings that a rule may have: flags or paths. False: it is not one. Below an
 * arena_try(). */
bool stored_list(struct arena *a, const struct value *v, struct strs *out);

#endif
