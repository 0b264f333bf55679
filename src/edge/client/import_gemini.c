/* import_gemini.c - Gemini CLI's policy files. There the highest priority wins; here deny beats ask
 * and ask beats allow, so a rule that lifted a stricter one by its priority does not lift it any
 * more. */
#include "call/tool.h"
#include "client/client.h"
#include "client/import.h"

static bool read_decision(struct str word, enum behavior *out)
{
    if (str_is(word, "ask_user")) {
        *out = BEHAVIOR_ASK;
        return true;
    }
    return behavior_parse(word, out);
}

/* A condition that our rules cannot express: an allow does not hold without it, the others hold
 * with and without. */
static const char *condition_of(const struct value *rule)
{
    static const char *const names[] = {"modes", "interactive", "subagent", "toolAnnotations"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (value_get(rule, names[i]))
            return names[i];
    return NULL;
}

static struct str our_tool(struct import *to, const struct value *rule, struct str name)
{
    struct str server = value_text(rule, "mcpName"), first, rest;
    const struct tool *row = tool_find(name);

    if (server.len)
        return name.len && !str_is(name, "*")
                   ? str_format(to->arena, "mcp__%.*s__%.*s", STR_ARG(server), STR_ARG(name))
                   : str_format(to->arena, "mcp__%.*s", STR_ARG(server));
    if (str_starts(name, STR("mcp_")) && !str_starts(name, STR("mcp__")) &&
        str_cut(str_from_byte(name, 4), '_', &first, &rest))
        return str_format(to->arena, "mcp__%.*s__%.*s", STR_ARG(first), STR_ARG(rest));
    return row ? row->name : name;
}

struct gemini_rule {
    struct import *to;
    const struct value *rule;
    enum behavior effect;
    struct str tool, reason;
};

static void take_prefixes(const struct gemini_rule *g, const struct value *prefixes)
{
    if (prefixes->kind == VALUE_STRING)
        import_add(g->to, g->effect, import_prefix(g->to, g->effect, prefixes->text), g->reason);
    for (size_t i = 0; prefixes->kind == VALUE_ARRAY && i < prefixes->count; i++)
        if (prefixes->items[i].kind == VALUE_STRING)
            import_add(g->to, g->effect, import_prefix(g->to, g->effect, prefixes->items[i].text),
                       g->reason);
}

static void take_tool(const struct gemini_rule *g)
{
    const struct value *prefixes = value_get(g->rule, "commandPrefix");
    bool pattern = value_get(g->rule, "commandRegex") || value_get(g->rule, "argsPattern");

    if (pattern && g->effect == BEHAVIOR_ALLOW)
        import_note(g->to, g->rule->line, true,
                    "allow of %.*s is skipped: its regular expression is matched with another text",
                    STR_ARG(g->tool));
    else if (pattern)
        import_ask_tool(g->to, g->rule->line, str_copy(g->to->arena, g->tool).s,
                        "a deny or ask by regular expression");
    else if (prefixes)
        take_prefixes(g, prefixes);
    else if (g->effect == BEHAVIOR_ALLOW && (str_is(g->tool, "*") || str_has(g->tool, '*')) &&
             !str_starts(g->tool, STR("mcp__")))
        import_note(g->to, g->rule->line, true, "allow of %.*s is skipped: it covers every tool",
                    STR_ARG(g->tool));
    else
        import_add(g->to, g->effect, g->tool, g->reason);
}

static void take_rule(struct import *to, const struct value *rule)
{
    const struct value *tools = value_get(rule, "toolName");
    struct gemini_rule g = {.to = to, .rule = rule, .reason = value_text(rule, "denyMessage")};
    const char *condition = condition_of(rule);

    if (!read_decision(value_text(rule, "decision"), &g.effect)) {
        import_ask_tool(to, rule->line, "*", "a rule without a known decision");
        return;
    }
    if (condition && g.effect == BEHAVIOR_ALLOW) {
        import_note(to, rule->line, true, "an allow that holds only with \"%s\" is left out",
                    condition);
        return;
    }
    if (condition)
        import_note(to, rule->line, false, "always applies, not only with \"%s\"", condition);
    if (!tools || tools->kind == VALUE_STRING) {
        g.tool = our_tool(to, rule, tools ? tools->text : STR("*"));
        take_tool(&g);
        return;
    }
    for (size_t i = 0; i < tools->count; i++) {
        g.tool = our_tool(to, rule, tools->items[i].text);
        take_tool(&g);
    }
}

static bool has_effect(const struct import *to, enum behavior effect)
{
    for (size_t i = 0; i < to->rules.count; i++)
        if (to->rules.items[i].effect == effect)
            return true;
    return false;
}

void import_gemini(struct import *to, const struct value *document)
{
    const struct value *rules = value_get(document, "rule");

    for (size_t i = 0; rules && rules->kind == VALUE_ARRAY && i < rules->count; i++)
        take_rule(to, &rules->items[i]);
    if (has_effect(to, BEHAVIOR_ALLOW) &&
        (has_effect(to, BEHAVIOR_DENY) || has_effect(to, BEHAVIOR_ASK)))
        import_note(
            to, 0, false,
            "priorities are lost: a deny or ask applies even where an allow had a higher one");
}
