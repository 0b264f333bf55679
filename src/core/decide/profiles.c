#include "decide/profiles.h"

/* The order IS the policy: each list below is read from top to bottom. */
/* clang-format off */

static const struct step warder_steps[] = {
    {LAYER_VALID, ROLE_STOP},
    {LAYER_POLICY, ROLE_STOP},
    {LAYER_DISABLED, ROLE_STOP},
    {LAYER_DENY_RULES, ROLE_STOP},
    {LAYER_CATASTROPHE, ROLE_STOP},
    {LAYER_DOUBT, ROLE_STOP}, /* asks the disk about many rules, so after what denies anyway */
    {LAYER_EVASION, ROLE_STOP},
    {LAYER_MODE_GATE, ROLE_STOP},
    {LAYER_UNDERSTOOD, ROLE_STOP},
    {LAYER_PROTECTED, ROLE_STOP},
    {LAYER_INTERACTION, ROLE_STOP},
    {LAYER_ASK_RULES, ROLE_STOP},
    {LAYER_HOOKS, ROLE_SPEAK},
    {LAYER_BYPASS, ROLE_SPEAK},
    {LAYER_ALLOWED, ROLE_SPEAK},
    {LAYER_ALLOW_RULES, ROLE_CLEAR},
    {LAYER_GRANTS, ROLE_CLEAR},
    {LAYER_EDITS, ROLE_CLEAR},
    {LAYER_HARMLESS, ROLE_CLEAR, .optional = true},
    {LAYER_REPOSITORY, ROLE_CLEAR, .optional = true},
    {LAYER_PROJECT, ROLE_CLEAR, .optional = true},
    {LAYER_REVERSIBLE, ROLE_CLEAR, .optional = true},
    {LAYER_CONTAINED, ROLE_CLEAR, .optional = true},
    {LAYER_RISK, ROLE_SPEAK},
};

static const struct step caliban_steps[] = {
    {LAYER_VALID, ROLE_STOP},
    {LAYER_POLICY, ROLE_STOP},
    {LAYER_MANAGED, ROLE_STOP},
    {LAYER_SELF, ROLE_STOP},
    {LAYER_DISABLED, ROLE_STOP},
    {LAYER_DOUBT, ROLE_STOP},
    {LAYER_FIRST_MATCH, ROLE_SPEAK},
};

static const struct step waterfall_steps[] = {
    {LAYER_VALID, ROLE_STOP},
    {LAYER_POLICY, ROLE_STOP},
    {LAYER_MANAGED, ROLE_STOP},
    {LAYER_SELF, ROLE_STOP},
    {LAYER_MODE_CHECK, ROLE_SPEAK},
    {LAYER_DOUBT, ROLE_STOP},
    {LAYER_DISABLED, ROLE_SPEAK},
    {LAYER_ALLOWED, ROLE_SPEAK},
    {LAYER_RULES, ROLE_SPEAK},
    {LAYER_HOOK_CHECK, ROLE_SPEAK},
    {LAYER_CALLBACK, ROLE_SPEAK},
    {LAYER_MODE_DEFAULT, ROLE_SPEAK},
};

static const struct step guild_steps[] = {
    {LAYER_VALID, ROLE_STOP},
    {LAYER_POLICY, ROLE_STOP},
    {LAYER_DISABLED, ROLE_STOP},
    {LAYER_DENY_RULES, ROLE_SPEAK},
    {LAYER_DOUBT, ROLE_STOP},
    {LAYER_EVASION, ROLE_STOP}, /* REQ-NF-1: no spelling gets around a deny */
    {LAYER_PROTECTED, ROLE_STOP},
    {LAYER_ASK_RULES, ROLE_STOP}, /* the document has none: they lift nothing */
    {LAYER_ACCEPT_RULES, ROLE_SPEAK},
    {LAYER_OTHER_TOOLS, ROLE_SPEAK},
    /* Not in the document, for commands that it leaves to a person. An accept rule may cover one
     * action and a clearance the next. */
    {LAYER_ALLOW_RULES, ROLE_CLEAR, .optional = true},
    {LAYER_HARMLESS, ROLE_CLEAR, .optional = true},
    {LAYER_REPOSITORY, ROLE_CLEAR, .optional = true},
    {LAYER_PROJECT, ROLE_CLEAR, .optional = true},
};

static const struct step mini_steps[] = {
    {LAYER_VALID, ROLE_STOP},
    {LAYER_POLICY, ROLE_STOP},
    {LAYER_MANAGED, ROLE_STOP},
    {LAYER_SELF, ROLE_STOP},
    {LAYER_DISABLED, ROLE_STOP},
    {LAYER_BYPASS, ROLE_SPEAK},
    {LAYER_DENY_RULES, ROLE_SPEAK},
    {LAYER_DOUBT, ROLE_STOP},
    {LAYER_ASK_RULES, ROLE_STOP}, /* the document has none: they lift nothing */
    {LAYER_RULES_ALLOW, ROLE_SPEAK},
    {LAYER_READ_TOOLS, ROLE_SPEAK},
    {LAYER_PLAN, ROLE_SPEAK},
    {LAYER_ACCEPT_EDITS, ROLE_SPEAK},
    {LAYER_DANGER, ROLE_SPEAK},
    {LAYER_ALLOW_REST, ROLE_SPEAK},
};

static const struct step mink_steps[] = {
    {LAYER_VALID, ROLE_STOP},
    {LAYER_POLICY, ROLE_STOP},
    {LAYER_MANAGED, ROLE_STOP},
    {LAYER_DISABLED, ROLE_STOP},
    {LAYER_HOOK_OVERRIDE, ROLE_SPEAK},
    {LAYER_DENY_RULES, ROLE_SPEAK},
    {LAYER_READ_ONLY, ROLE_STOP}, /* its table of modes: no ask comes before plan's deny */
    {LAYER_DOUBT, ROLE_STOP},
    {LAYER_ANALYSER, ROLE_SPEAK},
    {LAYER_ASK_RULES, ROLE_SPEAK},
    {LAYER_TOOL_HOOK, ROLE_SPEAK},
    {LAYER_HOOKS, ROLE_SPEAK},
    {LAYER_MODE, ROLE_SPEAK},
    {LAYER_PLAIN_ALLOW, ROLE_SPEAK},
};

/* clang-format on */

#define STEPS(list) .steps = (list), .step_count = COUNT(list)

/* Managed is always first: nothing weakens it. */
#define NEAREST_FIRST                                                                              \
    {                                                                                              \
        SOURCE_MANAGED, SOURCE_SESSION, SOURCE_COMMAND, SOURCE_RUNTIME, SOURCE_CLI, SOURCE_LOCAL,  \
            SOURCE_PROJECT, SOURCE_USER, SOURCE_BUILTIN                                            \
    }

static const struct profile profiles[] = {
    {
        .name = "warder",
        .spec = "ARCHITECTURE.md, section 6",
        .summary = "the default: everything the other five have, in the safest order",
        .dialect = DIALECT_WARDER,
        .order = NEAREST_FIRST,
        .shipped = &shipped_warder,
        STEPS(warder_steps),
        .contains = true,
        .saves = true,
        .asker = "ask",
        .open = "nothing allows it",
        .headless = "cannot ask: no prompt is available",
    },
    {
        .name = "caliban",
        .spec = "ADR 0020, permission rules layered on top of hooks",
        .summary = "first match wins; cli over project over user over built-in; ask without a "
                   "terminal is deny",
        .dialect = DIALECT_FIRST_ARG,
        .order = NEAREST_FIRST,
        .shipped = &shipped_caliban,
        STEPS(caliban_steps),
        .caliban_paths = true,
        .asker = "rules",
        .open = "no rule matches",
        .headless =
            "ask became deny: the session is not interactive (--auto-allow would let it run)",
    },
    {
        .name = "waterfall",
        .spec = "the eight-layer checker",
        .summary = "eight layers that may each end the walk; six modes by five risks",
        .dialect = DIALECT_DOUBLESTAR,
        .order = {SOURCE_MANAGED, SOURCE_CLI, SOURCE_RUNTIME, SOURCE_COMMAND, SOURCE_LOCAL,
                  SOURCE_PROJECT, SOURCE_USER, SOURCE_BUILTIN, SOURCE_SESSION},
        STEPS(waterfall_steps),
        .believes_annotations = true,
        .asker = "prompter",
        .open = "no rule decides, and the mode asks",
        .headless = "no interactive prompter available",
    },
    {
        .name = "guild",
        .spec = "tool authorization",
        .summary = "deny, then accept, then what does no harm, then a person; shipped deny and "
                   "accept lists",
        .dialect = DIALECT_ACTION,
        .order = NEAREST_FIRST,
        .shipped = &shipped_guild,
        STEPS(guild_steps),
        .asker = "human-review",
        .open = "no accept rule covers it",
        .headless = "not reviewed",
    },
    {
        .name = "mini",
        .spec = "permissions and security",
        .summary = "mode, deny, allow, sixteen danger patterns, what was confirmed before, confirm",
        .dialect = DIALECT_TRAILING,
        .order = NEAREST_FIRST,
        STEPS(mini_steps),
        .plans = ".claude/plans",
        .asker = "confirm",
        .open = "it needs confirmation",
        .headless = "cannot ask for confirmation",
        .rule_denial = "Denied by permission rule for",
    },
    {
        .name = "mink",
        .spec = "Mink permissions",
        .summary = "deny, analyser, ask, tool hook, mode, allow, ask; the settings.json drop-in",
        .dialect = DIALECT_FNMATCH,
        .order = {SOURCE_MANAGED, SOURCE_SESSION, SOURCE_COMMAND, SOURCE_CLI, SOURCE_USER,
                  SOURCE_PROJECT, SOURCE_LOCAL, SOURCE_RUNTIME, SOURCE_BUILTIN},
        STEPS(mink_steps),
        .asker = "default-ask",
        .open = "no rule allows it",
        .headless = "the prompt found no input: denied",
    },
};

const struct profile *profile_find(struct str name)
{
    for (size_t i = 0; i < COUNT(profiles); i++)
        if (str_is(name, profiles[i].name))
            return &profiles[i];
    return NULL;
}

const struct profile *profile_rows(size_t *count)
{
    *count = COUNT(profiles);
    return profiles;
}

const char *role_name(enum role r)
{
    static const char *const names[] = {
        [ROLE_STOP] = "stops", [ROLE_SPEAK] = "speaks", [ROLE_CLEAR] = "clears"};

    return names[r];
}
