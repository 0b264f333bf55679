/* profiles.h - the published permission models, and our own, as rows of one table. */
#ifndef DECIDE_PROFILES_H
#define DECIDE_PROFILES_H

#include "decide/layer.h"
#include "rule/shipped.h"

enum role {
    /* Judges the whole call. A deny is final; an ask is remembered, and a later deny still wins; it
     * cannot allow. */
    ROLE_STOP,
    /* Final if it has an opinion; an allow does not undo an ask that a stop remembered. */
    ROLE_SPEAK,
    /* Judges one action at a time. The call is allowed if each action was cleared by one of
     * them. */
    ROLE_CLEAR,
};

struct step {
    enum layer_id layer;
    enum role role;
    bool optional; /* left out where policy says `clearances: off` */
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
    bool caliban_paths;        /* its policy files have their own locations */
    bool saves;                /* what calls lose is saved for undo, unless policy says otherwise */
    bool believes_annotations; /* from any MCP server; else only from those that the user policy
                                  names */
    bool contains;             /* what policy says nothing of: calls run in a cell, `use: auto` */
    const char *asker;         /* the step that asks when no layer has an opinion */
    const char *open;          /* why it asks then, for people */
    const char *plans;         /* the directory of the home where plan-SESSION.md is the plan file;
                                  NULL: there is none unless an option names it */
    const char *headless;      /* the message when an ask cannot be put to anyone */
    const char *rule_denial;   /* the message for the model when a deny rule matched, before the
                                  tool's name; NULL: the reason */
};

const struct profile *profile_find(struct str name); /* NULL when there is none */
const struct profile *profile_rows(size_t *count);
const char *role_name(enum role r);

#endif
