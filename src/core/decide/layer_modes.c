/* layer_modes.c - what the mode of a session allows, in each model's terms. */
#include "base/path.h"
#include "decide/layer.h"
#include "decide/layer_shared.h"
#include "facts/sensitive_paths.h"

/* default: plan only allows reading (and the plan file), delegate only the Agent tool. */
static const struct said *plan_gate(const struct facts *f)
{
    if (f->call->kind == TOOL_PLAN_EXIT)
        return NULL;
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if (action_is_harmless(f, a) || (edits_by_tool(f->call) && edits_plan_file(f, a)))
            continue;
        return say_all(f, (struct said){.opinion = SAY_DENY,
                                        .action = i,
                                        .reason = STR("plan mode only allows reading"),
                                        .message = STR("plan mode only allows reading. Let a "
                                                       "person approve the plan first")});
    }
    return NULL;
}

static const struct said *delegate_gate(const struct facts *f)
{
    if (f->call->kind == TOOL_AGENT)
        return NULL;
    return say(f, SAY_DENY, STR("delegate mode only allows the Agent tool"));
}

const struct said *layer_mode_gate(const struct facts *f)
{
    if (f->mode == MODE_PLAN)
        return plan_gate(f);
    return f->mode == MODE_DELEGATE ? delegate_gate(f) : NULL;
}

static const struct said *allow_everything(const struct facts *f)
{
    return say_all(f, (struct said){.opinion = SAY_ALLOW, .action = WHOLE_CALL, .blind = true});
}

const struct said *layer_bypass(const struct facts *f)
{
    return f->mode == MODE_BYPASS ? allow_everything(f) : NULL;
}

/* waterfall, layer 1. */
const struct said *layer_mode_check(const struct facts *f)
{
    if (f->mode == MODE_BYPASS && !f->bypass_flag)
        return say(
            f, SAY_DENY,
            STR("error: mode bypassPermissions needs the bypass flag (--mode bypassPermissions)"));
    if (f->mode == MODE_BYPASS)
        return allow_everything(f);
    if (f->mode == MODE_PLAN)
        return say(f, SAY_DENY, STR("not allowed in plan mode"));
    if (f->mode == MODE_DELEGATE && f->call->kind == TOOL_AGENT)
        return say(f, SAY_ALLOW, STR("delegate mode allows the Agent tool"));
    return f->mode == MODE_DELEGATE ? delegate_gate(f) : NULL;
}

/* mini: the code of its spec, in its order. */
const struct said *layer_read_tools(const struct facts *f)
{
    if (f->call->kind != TOOL_READ && f->call->kind != TOOL_SEARCH)
        return NULL;
    return say(f, SAY_ALLOW, (struct str){0});
}

const struct said *layer_plan(const struct facts *f)
{
    if (f->mode != MODE_PLAN)
        return NULL;
    if (edits_by_tool(f->call) && f->actions.count == 1 && edits_plan_file(f, &f->actions.items[0]))
        return say(f, SAY_ALLOW, STR("writes the plan file"));
    if (edits_by_tool(f->call))
        return say(f, SAY_DENY,
                   str_format(f->arena, "Blocked in plan mode: %.*s", STR_ARG(f->call->tool)));
    if (f->call->kind == TOOL_SHELL)
        return say(f, SAY_DENY, STR("Shell commands blocked in plan mode"));
    return NULL;
}

const struct said *layer_accept_edits(const struct facts *f)
{
    if (f->mode != MODE_ACCEPT_EDITS || !edits_by_tool(f->call))
        return NULL;
    return say(f, SAY_ALLOW, (struct str){0});
}

const struct said *layer_allow_rest(const struct facts *f)
{
    (void)f;
    return say(f, SAY_ALLOW, (struct str){0});
}

/* mink: "plan: Read-only: every write/edit/bash returns deny". A tool that no row knows, or one of
 * a server, may write as well: no rule lets it run unasked. */
const struct said *layer_read_only(const struct facts *f)
{
    if (f->mode != MODE_PLAN)
        return NULL;
    switch (f->call->kind) {
    case TOOL_READ:
    case TOOL_SEARCH:
    case TOOL_FETCH:
    case TOOL_QUERY:
    case TOOL_AGENT: /* whose calls are judged themselves */
    case TOOL_PLAN_ENTER:
    case TOOL_PLAN_EXIT:
    case TOOL_QUESTION:
    case TOOL_NOTE:
        return NULL;
    case TOOL_MCP:
    case TOOL_OTHER:
        if (f->risk == RISK_LOW) /* a server that is believed calls it read-only */
            return NULL;
        if (f->risk != RISK_CRITICAL)
            return say_immune_ask(f, WHOLE_CALL,
                                  STR("plan mode is read-only, and this tool may write"));
        break;
    case TOOL_SHELL:
    case TOOL_STDIN:
    case TOOL_EDIT:
    case TOOL_PATCH:
        break;
    }
    return say(f, SAY_DENY, (struct str){0});
}

/* mink, step 5: its table of modes. */
static const struct said *mink_edits(const struct facts *f)
{
    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        if (!edits_by_tool(f->call) || !action_is_edit(f, a))
            return NULL;
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if (!path_in_workspace(f, &a->subject.paths.items[n]))
                return NULL;
    }
    return say(f, SAY_ALLOW, STR("mode acceptEdits: inside the working tree"));
}

const struct said *layer_mode(const struct facts *f)
{
    switch (f->mode) {
    case MODE_BYPASS:
        return allow_everything(f);
    case MODE_ACCEPT_EDITS:
        return mink_edits(f);
    case MODE_DELEGATE:
        return delegate_gate(f);
    case MODE_PLAN: /* the step before has said what it denies */
    case MODE_DEFAULT:
    case MODE_DONT_ASK:
    case MODE_AUTO:
    case MODE_BUBBLE:
        break;
    }
    return NULL;
}
