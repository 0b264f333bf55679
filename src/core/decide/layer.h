/* layer.h - the steps of a decision.
 *
 * A layer sees facts and says something, or nothing. It does not see what other
 * layers said: rows of a profile can be read, tested and reordered one at a
 * time. The only place where an opinion becomes a verdict is decide/fold.c. */
#ifndef DECIDE_LAYER_H
#define DECIDE_LAYER_H

#include "facts/facts.h"

/* Silence is zero: silence from all ends in ask. */
enum opinion { NO_OPINION = 0, SAY_ALLOW, SAY_ASK, SAY_DENY };

#define WHOLE_CALL ((size_t)-1)

struct said {
    enum opinion opinion;
    const struct rule *rule; /* the rule that made it speak */
    size_t action;           /* which action it speaks of, or WHOLE_CALL */
    struct str reason;       /* for people; empty: the layer's sentence */
    struct str message;      /* for the model, where a spec fixes its words; empty: the reason */
    bool immune;             /* this ask survives bypass and --auto-allow */
    bool interrupt;          /* stop the agent's loop */
    bool blind;              /* this allow also covers what was not understood (bypass only) */
};

enum layer_id {
    LAYER_VALID = 0,
    LAYER_POLICY,
    LAYER_MANAGED,
    LAYER_DENY_RULES,
    LAYER_DOUBT,
    LAYER_CATASTROPHE,
    LAYER_MODE_GATE,
    LAYER_UNDERSTOOD,
    LAYER_PROTECTED,
    LAYER_SELF,
    LAYER_INTERACTION,
    LAYER_ASK_RULES,
    LAYER_HOOKS,
    LAYER_BYPASS,
    LAYER_ALLOW_RULES,
    LAYER_GRANTS,
    LAYER_EDITS,
    LAYER_HARMLESS,
    LAYER_REPOSITORY,
    LAYER_PROJECT,
    LAYER_RISK,
    /* The published models' own steps. */
    LAYER_MODE_CHECK,
    LAYER_DISABLED,
    LAYER_ALLOWED,
    LAYER_RULES,
    LAYER_HOOK_CHECK,
    LAYER_CALLBACK,
    LAYER_MODE_DEFAULT,
    LAYER_FIRST_MATCH,
    LAYER_ACCEPT_RULES,
    LAYER_OTHER_TOOLS,
    LAYER_RULES_ALLOW,
    LAYER_PLAIN_ALLOW,
    LAYER_READ_TOOLS,
    LAYER_PLAN,
    LAYER_ACCEPT_EDITS,
    LAYER_DANGER,
    LAYER_ALLOW_REST,
    LAYER_HOOK_OVERRIDE,
    LAYER_ANALYSER,
    LAYER_TOOL_HOOK,
    LAYER_MODE,
};
#define LAYER_COUNT 42

struct layer {
    const char *name;
    const char *says; /* shown by explain, and why it speaks when it gives no reason */
    /* NULL: it has nothing to say, as most have of most calls. */
    const struct said *(*look)(const struct facts *f); /* at the whole call, or: */
    const struct said *(*clear)(const struct facts *f,
                                size_t action); /* at one action; may only allow */
};

extern const struct layer layers[LAYER_COUNT];

/* How layers speak: of the whole call; in their own words; of an action for which a rule speaks. */
const struct said *say(const struct facts *f, enum opinion opinion, struct str reason);
const struct said *say_all(const struct facts *f, struct said said);
struct said *say_rule(const struct facts *f, enum opinion opinion, const struct rule *rule,
                      size_t action);

#define LAYER_LOOK(name)  const struct said *layer_##name(const struct facts *f)
#define LAYER_CLEAR(name) const struct said *layer_##name(const struct facts *f, size_t action)

LAYER_LOOK(valid);
LAYER_LOOK(policy);
LAYER_LOOK(managed);
LAYER_LOOK(deny_rules);
LAYER_LOOK(doubt);
LAYER_LOOK(catastrophe);
LAYER_LOOK(mode_gate);
LAYER_LOOK(understood);
LAYER_LOOK(protected);
LAYER_LOOK(self);
LAYER_LOOK(interaction);
LAYER_LOOK(ask_rules);
LAYER_LOOK(hooks);
LAYER_LOOK(bypass);
LAYER_CLEAR(allow_rules);
LAYER_CLEAR(grants);
LAYER_CLEAR(edits);
LAYER_CLEAR(harmless);
LAYER_CLEAR(repository);
LAYER_CLEAR(project);
LAYER_LOOK(risk);
LAYER_LOOK(mode_check);
LAYER_LOOK(disabled);
LAYER_LOOK(allowed);
LAYER_LOOK(rules);
LAYER_LOOK(hook_check);
LAYER_LOOK(callback);
LAYER_LOOK(mode_default);
LAYER_LOOK(first_match);
LAYER_LOOK(rules_allow);
LAYER_LOOK(plain_allow);
LAYER_LOOK(other_tools);
LAYER_LOOK(read_tools);
LAYER_LOOK(plan);
LAYER_LOOK(accept_edits);
LAYER_LOOK(danger);
LAYER_LOOK(allow_rest);
LAYER_LOOK(hook_override);
LAYER_LOOK(analyser);
LAYER_LOOK(tool_hook);
LAYER_LOOK(mode);

/* Of more rules than this on paths near a directory nobody looks which one speaks of something in
 * there: one could. */
#define RULES_BELOW_MAX 1000

/* The risk that the matrix of modes and risks gives. */
enum opinion risk_matrix(enum mode mode, enum risk risk);

#endif
