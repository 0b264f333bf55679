/* compare.h - two policies, or a policy and what a log says: which calls they judge differently.
 *
 * The calls are those of a log (compare.c) and the neighbours of every rule (compare_rules.c);
 * compare_show.c writes the report. A call that cannot be judged again is counted with the reason
 * why, and never guessed. */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "engine/report.h"
#include "report/judge.h"

enum compare_class { NEWLY_ALLOWED = 0, NEWLY_ASKED, NEWLY_DENIED, CANNOT_SAY };
#define COMPARE_CLASSES 4

#define COMPARE_EXAMPLES 5 /* of a group */

struct compare_example {
    struct str tool, argument, cwd;
    struct str id;    /* of the record; empty: it was made from a rule */
    const char *near; /* how it differs from what that rule is about; NULL: it is of a record */
};

/* Calls with the same change, for the same reason, that do the same. */
struct compare_group {
    struct compare_group *next; /* in its bucket */
    enum compare_class class;
    enum behavior before, after;
    struct str rule, place; /* that decides after, or decided before; empty: no rule did */
    bool rule_is_old;
    const char *layer;
    struct str effects; /* of a CANNOT_SAY: why */
    size_t calls, records;
    struct compare_example examples[COMPARE_EXAMPLES];
    size_t shown;
};
struct compare_groups LIST_OF(struct compare_group *);

/* A rule that only one of the two policies has. */
struct compare_rule {
    const struct rule *rule;
    bool added;                /* else it was removed */
    const struct rule *covers; /* of the other policy, that holds for all of it; NULL: none */
    bool apart;                /* no allow rule meets it */
    bool harmless;             /* it is proved that nothing is wider for it */
    size_t seen;               /* calls near it that are judged differently because of it */
};
struct compare_rules LIST_OF(struct compare_rule);

#define COMPARE_BUCKETS 1024

struct warder_comparison {
    struct arena arena; /* of the result */
    struct arena line;  /* of one call */
    warder_engine *before, *after;
    struct judge *judges[2];
    bool recorded; /* compare with what the log says */
    struct compare_groups groups;
    struct compare_group *buckets[COMPARE_BUCKETS];
    size_t records, others; /* lines that are decisions, and that are something else */
    size_t made;            /* calls that were made from rules */
    size_t classes[COMPARE_CLASSES];
    size_t same[3]; /* by behavior */
    size_t wider;   /* of the changes: what was denied or asked before, and is less now */
    bool rules_done;
    struct compare_rules rules;
    struct strs settings; /* that differ */
    struct held held[2];  /* while rules are compared */
    struct str gone;      /* the last directory that was looked for */
    bool is_gone;
};

/* Counts one call. `before` and `after` are what was said about it. */
struct compare_call {
    struct str tool, argument, cwd, id;
    const char *near;
    enum behavior before_behavior;
    const struct judged *before; /* NULL: only its behavior is known */
    const struct judged *after;
};
bool compare_count(struct warder_comparison *c, const struct compare_call *call);
void compare_cannot(struct warder_comparison *c, const struct compare_call *call, const char *why);

#endif
