/* match.h - what the files that hold a rule against a subject share. */
#ifndef RULE_MATCH_H
#define RULE_MATCH_H

#include "rule/dialect.h"
#include "rule/open.h"

/* One question: does this rule speak of this subject? */
struct match {
    struct arena *a;
    const struct rule *r;
    const struct subject *s;
    const struct rule_env *env;
    bool allow; /* the rule's effect: allow must cover, deny and ask must only touch */
    struct open_rule *open;
};

/* The rule's globs, compiled when the first text comes. */
struct open_rule {
    struct open_reading main, unquoted;
    const struct glob *tool, *field;
    const struct gitignore *path[2]; /* of the rule's own path: exactly; folded */
};

/* match.c */
bool match_tool(const struct match *m);

/* match_text.c: commands and first arguments. The tool's name has matched. */
bool match_text(const struct match *m);
bool match_field(const struct match *m);
bool match_has_field(const struct match *m);
bool match_action(const struct match *m);

/* match_path.c */
bool match_path(const struct match *m);
bool match_path_list(const struct match *m); /* the long form's paths */
/* A textual rule on a path value: `value` is what the call says. */
bool match_path_value(const struct match *m, struct str value);
/* Deny and ask: is one of the paths touched, in any of its spellings? `access`: only paths so used;
 * 0 is all. */
bool match_any_path(const struct match *m, unsigned access);

bool match_below(const struct match *m); /* see rule_may_mean_below() */

/* One reading against one text. */
bool match_reading(const struct match *m, struct open_reading *reading, struct str text,
                   bool folded);
const struct glob *match_field_glob(const struct match *m);

#endif
