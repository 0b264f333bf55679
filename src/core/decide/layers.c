/* layers.c - the table of all layers. The sentences here are the ones people read. */
#include "decide/layer.h"

const struct layer layers[LAYER_COUNT] = {
    [LAYER_VALID] = {"valid", "the call is malformed", .look = layer_valid},
    [LAYER_POLICY] = {"policy", "a policy file cannot be read", .look = layer_policy},
    [LAYER_MANAGED] = {"managed", "a managed deny rule matched", .look = layer_managed},
    [LAYER_DENY_RULES] = {"deny-rules", "a deny rule matched", .look = layer_deny_rules},
    [LAYER_DOUBT] = {"doubt", "a rule may speak of what is not known yet", .look = layer_doubt},
    [LAYER_CATASTROPHE] = {"catastrophe", "no wording excuses this", .look = layer_catastrophe},
    [LAYER_MODE_GATE] = {"mode-gate", "the mode does not let this through",
                         .look = layer_mode_gate},
    [LAYER_UNDERSTOOD] = {"understood", "it cannot be told what this would do",
                          .look = layer_understood},
    [LAYER_PROTECTED] = {"protected", "it touches a protected place", .look = layer_protected},
    [LAYER_SELF] = {"self", "verdicts depend on what it writes", .look = layer_self},
    [LAYER_INTERACTION] = {"interaction", "a person has to agree to this",
                           .look = layer_interaction},
    [LAYER_ASK_RULES] = {"ask-rules", "an ask rule matched", .look = layer_ask_rules},
    [LAYER_HOOKS] = {"hooks", "a hook answered", .look = layer_hooks},
    [LAYER_BYPASS] = {"bypass", "mode bypassPermissions", .look = layer_bypass},
    [LAYER_ALLOW_RULES] = {"allow-rules", "an allow rule covers it", .clear = layer_allow_rules},
    [LAYER_GRANTS] = {"grants", "a person approved it in this session", .clear = layer_grants},
    [LAYER_EDITS] = {"edits", "mode acceptEdits, inside the workspace", .clear = layer_edits},
    [LAYER_HARMLESS] = {"harmless", "it only reads, prints or computes", .clear = layer_harmless},
    [LAYER_REPOSITORY] = {"repository", "it changes the project's repository and can be undone",
                          .clear = layer_repository},
    [LAYER_PROJECT] = {"project-code", "it runs the project's own tests, builds or checks",
                       .clear = layer_project},
    [LAYER_RISK] = {"risk", "the mode's answer to this risk", .look = layer_risk},

    [LAYER_MODE_CHECK] = {"mode-check", "the mode decides", .look = layer_mode_check},
    [LAYER_DISABLED] = {"disabled", "tool is disabled", .look = layer_disabled},
    [LAYER_ALLOWED] = {"allowed", "the tool is in allowedTools", .look = layer_allowed},
    [LAYER_RULES] = {"rules", "the first rule that matches", .look = layer_rules},
    [LAYER_HOOK_CHECK] = {"hook", "the PermissionRequest hook answered", .look = layer_hook_check},
    [LAYER_CALLBACK] = {"callback", "the callback answered", .look = layer_callback},
    [LAYER_MODE_DEFAULT] = {"mode-default", "the mode's answer to this risk",
                            .look = layer_mode_default},
    [LAYER_FIRST_MATCH] = {"rules", "the first rule that matches, strongest source first",
                           .look = layer_first_match},
    [LAYER_ACCEPT_RULES] = {"accept-rules", "accept rules cover every action",
                            .look = layer_rules_allow},
    [LAYER_OTHER_TOOLS] = {"other-tools", "not a shell command: the mode's answer to this risk",
                           .look = layer_other_tools},
    [LAYER_RULES_ALLOW] = {"allow-rules", "allow rules cover every action",
                           .look = layer_rules_allow},
    [LAYER_PLAIN_ALLOW] = {"allow-rules", "allow rules cover every action",
                           .look = layer_plain_allow},
    [LAYER_READ_TOOLS] = {"read-tools", "read tools are always safe", .look = layer_read_tools},
    [LAYER_PLAN] = {"plan", "plan mode", .look = layer_plan},
    [LAYER_ACCEPT_EDITS] = {"accept-edits", "mode acceptEdits", .look = layer_accept_edits},
    [LAYER_DANGER] = {"danger", "a danger pattern matched", .look = layer_danger},
    [LAYER_ALLOW_REST] = {"default", "nothing spoke against it", .look = layer_allow_rest},
    [LAYER_HOOK_OVERRIDE] = {"hook", "the PreToolUse hook answered", .look = layer_hook_override},
    [LAYER_ANALYSER] = {"analyser", "the security analyser", .look = layer_analyser},
    [LAYER_TOOL_HOOK] = {"tool-hook", "the tool's own check", .look = layer_tool_hook},
    [LAYER_MODE] = {"mode", "the mode decides", .look = layer_mode},
};

const struct said *say_all(const struct facts *f, struct said said)
{
    struct said *kept = arena_room(f->arena, 1, sizeof(*kept));

    *kept = said;
    return kept;
}

const struct said *say(const struct facts *f, enum opinion opinion, struct str reason)
{
    static const struct said allow = {.opinion = SAY_ALLOW,
                                      .action = WHOLE_CALL}; /* what is said most */

    if (opinion == SAY_ALLOW && reason.len == 0)
        return &allow;
    return say_all(f, (struct said){.opinion = opinion, .action = WHOLE_CALL, .reason = reason});
}

/* "deny rule Bash(curl:*) (user, settings.json:12): network request" */
struct said *say_rule(const struct facts *f, enum opinion opinion, const struct rule *rule,
                      size_t action)
{
    struct buf b = buf_in(f->arena);

    buf_text(&b, behavior_name(rule->effect));
    buf_text(&b, " rule ");
    buf_add(&b, rule->text);
    buf_text(&b, " (");
    buf_text(&b, source_name(rule->source));
    if (rule->file.len) {
        buf_text(&b, ", ");
        buf_add(&b, rule->file);
        buf_byte(&b, ':');
        buf_number(&b, rule->line);
    }
    buf_byte(&b, ')');
    if (rule_more(rule)->reason.len) {
        buf_text(&b, ": ");
        buf_add(&b, rule_more(rule)->reason);
    }
    struct said *said = ARENA_NEW(f->arena, struct said);
    *said =
        (struct said){.opinion = opinion, .rule = rule, .action = action, .reason = buf_str(&b)};
    /* Whoever wrote the project could speak to the model through it. */
    if (rule->untrusted)
        said->message =
            str_format(f->arena, "a %s rule of this project matched", behavior_name(rule->effect));
    return said;
}
