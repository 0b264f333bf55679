/* import_opencode.c - OpenCode's permission map. There the last pattern that matches wins; here
 * deny beats ask and ask beats allow, so an allow after a deny does not lift it. */
#include "client/import.h"

/* Its keys; those that write have one name here, too. */
static const struct {
    const char *theirs, *ours;
    enum { BY_COMMAND, BY_PATH, BY_HOST, BY_NOTHING } kind;
} keys[] = {
    {"bash", "Bash", BY_COMMAND},
    {"read", "Read", BY_PATH},
    {"edit", "Edit", BY_PATH},
    {"write", "Edit", BY_PATH},
    {"list", "LS", BY_PATH},
    {"glob", "Glob", BY_NOTHING},
    {"grep", "Grep", BY_NOTHING},
    {"webfetch", "WebFetch", BY_HOST},
    {"websearch", "WebSearch", BY_NOTHING},
    {"task", "Agent", BY_NOTHING},
    {"skill", "Skill", BY_NOTHING},
    {"lsp", "LSP", BY_NOTHING},
    {"todowrite", "TodoWrite", BY_NOTHING},
    {"question", "AskUserQuestion", BY_NOTHING},
};

struct permission {
    struct import *to;
    enum behavior effect;
    const char *tool;
    uint32_t line;
};

static void command_pattern(const struct permission *p, struct str pattern)
{
    struct str text = import_escape(p->to, pattern, true);
    struct buf wide = buf_in(p->to->arena);

    if (str_has(pattern, '?') && p->effect == BEHAVIOR_ALLOW) {
        import_note(p->to, p->line, true, "allow of %.*s is skipped: '?' cannot be expressed",
                    STR_ARG(pattern));
        return;
    }
    for (size_t i = 0; i < text.len; i++)
        buf_byte(&wide, text.s[i] == '?' ? '*' : text.s[i]);
    import_add(p->to, p->effect, str_format(p->to->arena, "%s(%s)", p->tool, buf_str(&wide).s),
               (struct str){0});
}

/* Its star crosses directories. A bare name holds at any depth here, as there. */
static void path_pattern(const struct permission *p, struct str pattern)
{
    struct str place = pattern;

    if (p->effect == BEHAVIOR_ALLOW) {
        import_note(p->to, p->line, true,
                    "allow of %s %.*s is skipped: its star also matches slashes", p->tool,
                    STR_ARG(pattern));
        return;
    }
    if (str_has(pattern, '?') || str_has(pattern, '[')) {
        import_ask_tool(p->to, p->line, p->tool, "a path pattern that cannot be expressed");
        return;
    }
    if (str_starts(pattern, STR("/")))
        place = str_format(p->to->arena, "/%.*s", STR_ARG(pattern));
    else if (str_starts(pattern, STR("$HOME/")))
        place = str_format(p->to->arena, "~/%.*s", STR_ARG(str_from_byte(pattern, 6)));
    import_add(p->to, p->effect, str_format(p->to->arena, "%s(%.*s)", p->tool, STR_ARG(place)),
               (struct str){0});
    size_t slash = str_last_index(place, '/');
    if (slash != STR_NONE && str_has(str_from_byte(place, slash), '*'))
        import_add(p->to, p->effect,
                   str_format(p->to->arena, "%s(%.*s/**/%.*s)", p->tool,
                              STR_ARG(str_slice(place, 0, slash)),
                              STR_ARG(str_from_byte(place, slash + 1))),
                   (struct str){0});
}

static void take_pattern(const struct permission *p, int kind, struct str pattern)
{
    if (str_is(pattern, "*") || str_is(pattern, "**"))
        import_add_tool(p->to, p->effect, p->tool);
    else if (kind == BY_COMMAND)
        command_pattern(p, pattern);
    else if (kind == BY_PATH)
        path_pattern(p, pattern);
    else if (p->effect == BEHAVIOR_ALLOW)
        import_note(p->to, p->line, true,
                    "allow of %s %.*s is skipped: its pattern cannot be expressed", p->tool,
                    STR_ARG(pattern));
    else
        import_ask_tool(p->to, p->line, p->tool, "a pattern that has no counterpart");
}

static void take_value(struct import *to, const char *tool, int kind, const struct value *v)
{
    struct permission p = {to, BEHAVIOR_DENY, tool, v->line};

    if (v->kind == VALUE_STRING) {
        if (behavior_parse(v->text, &p.effect))
            take_pattern(&p, kind, STR("*"));
        else
            import_ask_tool(to, v->line, tool, "an unknown action");
        return;
    }
    for (size_t i = 0; v->kind == VALUE_OBJECT && i < v->count; i++) {
        p.line = v->members[i].value.line;
        if (behavior_parse(v->members[i].value.text, &p.effect))
            take_pattern(&p, kind, v->members[i].key);
        else
            import_ask_tool(to, p.line, tool, "an unknown action");
    }
}

static bool is_strict(const struct value *v)
{
    enum behavior b;

    if (v->kind == VALUE_STRING)
        return !behavior_parse(v->text, &b) || b != BEHAVIOR_ALLOW;
    for (size_t i = 0; i < v->count; i++)
        if (v->kind != VALUE_OBJECT || is_strict(&v->members[i].value))
            return true;
    return false;
}

static void take_key(struct import *to, const struct member *m)
{
    for (size_t i = 0; i < COUNT(keys); i++)
        if (str_is(m->key, keys[i].theirs)) {
            take_value(to, keys[i].ours, (int)keys[i].kind, &m->value);
            return;
        }
    if (str_is(m->key, "*")) {
        if (is_strict(&m->value))
            take_value(to, "*", BY_NOTHING, &m->value);
        else
            import_note(to, m->line, true, "allow of every tool is skipped");
    } else if (str_is(m->key, "external_directory")) {
        if (is_strict(&m->value))
            import_ask_tool(to, m->line, "Read(//**)",
                            "external_directory: our rules cannot name what is outside");
    } else if (str_is(m->key, "doom_loop")) {
        import_note(to, m->line, false, "doom_loop has no counterpart");
    } else if (is_strict(&m->value)) {
        /* server_tool: it does not show where the server's name ends. */
        import_add(to, BEHAVIOR_ASK, str_copy(to->arena, m->key), (struct str){0});
        import_ask_tool(to, m->line, "mcp__*", "a tool that is not one of OpenCode's own");
    } else {
        import_note(to, m->line, true,
                    "allow of %.*s is skipped: it does not say which server it is for",
                    STR_ARG(m->key));
    }
}

void import_opencode(struct import *to, const struct value *document)
{
    const struct value *permission = value_get(document, "permission");

    if (permission && permission->kind == VALUE_STRING) {
        take_key(to,
                 &(struct member){.key = STR("*"), .line = permission->line, .value = *permission});
        return;
    }
    for (size_t i = 0; permission && permission->kind == VALUE_OBJECT && i < permission->count; i++)
        take_key(to, &permission->members[i]);
    import_note(to, 0, false,
                "the order is lost: a deny or ask applies even where an allow came after it");
}
