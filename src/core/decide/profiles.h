/* profiles.h - the published permission models, and our own, as rows of one table. */
#ifndef DECIDE_PROFILES_H
#define DECIDE_PROFILES_H

#include "decide/layer.h"
#include "rule/shipped.h"

enum role {
    /* Looks at the whole call. A deny ends the walk; an ask is remembered, and a
     * later deny still wins; it cannot allow. */
    ROLE_STOP,
    /* Ends the walk when it speaks; an allow does not undo an ask that a stop remembered. */
    ROLE_SPEAK,
    /* Looks at one action at a time. The call is allowed when every action was cleared by one of
       them. */
    ROLE_CLEAR,
};

struct step {
    enum layer_id layer;
    enum role role;
};

struct profile {
    const char *name;
    const char *spec; /* the document it implements */
    const char *summary;
    enum dialect dialect;
    enum source order[SOURCE_COUNT]; /* strongest first */
    const struct shipped_list *shipped;
    const struct step *steps;
    size_t step_count;
    bool caliban_paths;        /* its policy files lie in places of their own */
    bool believes_annotations; /* of any MCP server; else only of those that user policy names */
    const char *asker;         /* the step that puts the question when no layer spoke */
    const char *headless;      /* what is said when an ask finds nobody */
    const char *rule_denial;   /* what the model is told, before the tool's name, when a deny rule
                                  matched; NULL: the reason */
};

const struct profile *profile_find(struct str name); /* NULL when there is none */
const struct profile *profile_rows(size_t *count);
const char *role_name(enum role r);

#endif
