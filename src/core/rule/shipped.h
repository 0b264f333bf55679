/* shipped.h - the rules that come with Warder: ordinary rules, as text, with source "builtin". */
#ifndef RULE_SHIPPED_H
#define RULE_SHIPPED_H

#include "rule/rule.h"

struct shipped_rule {
    enum behavior effect;
    const char *text;
    const char *reason; /* NULL for accept rules */
    /* a test, build, lint, format or type-check runner, which runs project code */
    bool runner;
};

struct shipped_list {
    const char *name;
    enum dialect dialect; /* of the texts */
    const struct shipped_rule *rules;
    size_t count;
    bool covers_loss; /* its accept rules also cover commands that may lose work (git checkout) */
};

/* The rule's id in records and on the wire; it changes only if the rule does. */
struct str shipped_id(struct arena *a, const struct shipped_list *list,
                      const struct shipped_rule *rule);

/* For the guild profile: the global deny and accept lists of its spec, verbatim. */
extern const struct shipped_list shipped_guild;
/* For the default profile: the accept list, extended to common runners. */
extern const struct shipped_list shipped_warder;
/* For the caliban profile: read-only tools are allowed, everything else asks. */
extern const struct shipped_list shipped_caliban;

#endif
