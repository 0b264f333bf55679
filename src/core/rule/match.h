/* match.h - shared by the files that match a rule against a subject. */
#ifndef RULE_MATCH_H
#define RULE_MATCH_H

#include "rule/dialect.h"
#include "rule/open.h"

/* One question: does this rule match this subject? */
struct match {
    struct arena *a;
    const struct rule *r;
    const struct subject *s;
    const struct rule_env *env;
    bool allow;  /* the rule allows: it must cover the subject; deny and ask need only touch it */
    bool letter; /* rule_more.letter counts */
    bool either; /* with `allow`: a field and a text count, as for deny and ask: Bash(timeout:*) */
    struct open_rule *open;
};

/* The rule's globs, compiled on first use. */
struct open_rule {
    struct open_reading main, unquoted;
    const struct glob *tool, *field, *letter;
    const struct gitignore *path[2]; /* the rule's own path: [0] exact, [1] folded */
};

/* match.c */
bool match_tool(const struct match *m);

/* match_text.c: commands and first arguments. The tool name already matched. */
bool match_text(const struct match *m);
bool match_letter(const struct match *m);
bool match_field(const struct match *m);
bool match_has_field(const struct match *m);
bool match_action(const struct match *m);
/* The argument itself, as the call gives it. */
bool match_argument(const struct match *m);

/* match_path.c */
bool match_path(const struct match *m);
bool match_path_list(const struct match *m); /* the long form's paths */
/* A text rule on a path argument; `value` is as given in the call. */
bool match_path_value(const struct match *m, struct str value);
/* Deny and ask: does any spelling of any path match? Only paths with this `access`; 0: all. */
bool match_any_path(const struct match *m, unsigned access);

/* Deny and ask: is this path, or what it may stand for, what the pattern means? */
bool match_path_touches(const struct match *m, const struct rule_path *p,
                        const struct subject_path *path);
/* What the pattern is relative to; for a deny or ask rule there may be a second directory. */
struct str match_path_base(const struct match *m, const struct rule_path *p);
struct str match_path_other_base(const struct match *m, const struct rule_path *p); /* or empty */
/* A path that must not be read must not be written, moved away or run either. */
unsigned match_denied_access(unsigned access);

/* match_below.c */
void match_below(const struct match *m, struct strs *found); /* see rule_means_below() */

/* One reading against one text. */
bool match_reading(const struct match *m, struct open_reading *reading, struct str text,
                   bool folded);
const struct glob *match_field_glob(const struct match *m);

#endif
