/* shipped.h - the rules that come with Warder: ordinary rules of the builtin source, as text. */
#ifndef RULE_SHIPPED_H
#define RULE_SHIPPED_H

#include "rule/rule.h"

struct shipped_rule {
    enum behavior effect;
    const char *text;
    const char *reason; /* NULL for accept rules */
    bool runner;        /* a test, build, lint, format or type-check runner: it runs project code */
};

struct shipped_list {
    const char *name;
    enum dialect dialect; /* that the texts are written in */
    const struct shipped_rule *rules;
    size_t count;
    bool covers_loss; /* in its model an accept rule also covers work that its command may lose (git
                         checkout) */
};

/* What the record and the wire call it: the same as long as the rule is. In the arena. */
struct str shipped_id(struct arena *a, const struct shipped_list *list,
                      const struct shipped_rule *rule);

/* In the guild profile: the spec's global deny and accept lists, word for word. */
extern const struct shipped_list shipped_guild;
/* In the default profile: the accept list, extended to the usual runners. */
extern const struct shipped_list shipped_warder;
/* In the caliban profile: read-only tools are allowed, everything else is asked about. */
extern const struct shipped_list shipped_caliban;

#endif
