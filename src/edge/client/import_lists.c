/* import_lists.c - Cursor's and Copilot's rules: lists of kind(argument), where a deny always wins.
 */
#include "client/import.h"

/* One entry, taken apart: "shell(git:*)" is shell and "git:*". */
struct entry {
    struct import *to;
    enum behavior effect;
    uint32_t line;
    struct str kind, argument;
    bool bare;
};

static void allow_left_out(const struct entry *e, const char *why)
{
    import_note(e->to, e->line, true, "allow %.*s(%.*s) is left out: %s", STR_ARG(e->kind),
                STR_ARG(e->argument), why);
}

static void tool_rule(const struct entry *e, const char *tool)
{
    import_add_tool(e->to, e->effect, tool);
}

static bool has_glob(struct str text)
{
    return str_has(text, '*') || str_has(text, '?') || str_has(text, '[') || str_has(text, '{');
}

/* In both clients paths are relative to the project; deny and ask hold at any depth. */
static void path_rule(const struct entry *e, const char *tool)
{
    struct str p = e->argument;

    if (str_starts(p, STR("/")))
        p = str_format(e->to->arena, "/%.*s", STR_ARG(p));
    else if (e->effect == BEHAVIOR_ALLOW && !str_starts(p, STR("~/")) && !str_starts(p, STR("./")))
        p = str_format(e->to->arena, "./%.*s", STR_ARG(p));
    import_add(e->to, e->effect, str_format(e->to->arena, "%s(%.*s)", tool, STR_ARG(p)),
               (struct str){0});
}

static void domain_rule(const struct entry *e)
{
    struct str host = e->argument, scheme, rest;

    for (size_t i = 0; i < 3 && str_contains(host, STR("://")); i++)
        host = str_from_byte(host, str_index(host, ':') + 3);
    if (str_cut(host, '/', &scheme, &rest) && rest.len && e->effect == BEHAVIOR_ALLOW) {
        allow_left_out(e, "only whole hosts can be expressed");
        return;
    }
    str_cut(host, '/', &host, &rest);
    import_add(e->to, e->effect, str_format(e->to->arena, "WebFetch(domain:%.*s)", STR_ARG(host)),
               (struct str){0});
}

static void mcp_rule(const struct entry *e, struct str server, struct str tool)
{
    struct str text =
        tool.len ? str_format(e->to->arena, "mcp__%.*s__%.*s", STR_ARG(server), STR_ARG(tool))
                 : str_format(e->to->arena, "mcp__%.*s", STR_ARG(server));

    if (e->effect == BEHAVIOR_ALLOW && has_glob(server))
        allow_left_out(e, "the server is not named");
    else
        import_add(e->to, e->effect, text, (struct str){0});
}

/* ---- Cursor: Shell(git), Shell(git:status*), Read(src/x), Write(x), WebFetch(host),
 * Mcp(server:tool) ---- */

static void cursor_shell(const struct entry *e)
{
    struct str program, rest, text;

    if (e->bare || str_is(e->argument, "*")) {
        tool_rule(e, "Bash");
        return;
    }
    if (!str_cut(e->argument, ':', &program, &rest)) {
        if (has_glob(program) && e->effect == BEHAVIOR_ALLOW)
            allow_left_out(e, "the program is not named");
        else if (has_glob(program))
            import_add(e->to, e->effect, str_format(e->to->arena, "Bash(%.*s*)", STR_ARG(program)),
                       (struct str){0});
        else
            import_add(e->to, e->effect, import_prefix(e->to, e->effect, program), (struct str){0});
        return;
    }
    if (str_is(rest, "*") || rest.len == 0) {
        import_add(e->to, e->effect, import_prefix(e->to, e->effect, program), (struct str){0});
        return;
    }
    text = import_escape(
        e->to, str_format(e->to->arena, "%.*s %.*s", STR_ARG(program), STR_ARG(rest)), true);
    if (e->effect == BEHAVIOR_ALLOW &&
        (str_has(text, '?') || str_has(text, '[') || has_glob(program)))
        allow_left_out(e, "its pattern cannot be expressed exactly");
    else if (str_has(text, '?') || str_has(text, '['))
        import_add(e->to, e->effect, import_prefix(e->to, e->effect, program), (struct str){0});
    else
        import_add(e->to, e->effect, str_format(e->to->arena, "Bash(%.*s)", STR_ARG(text)),
                   (struct str){0});
}

static void cursor_entry(const struct entry *e)
{
    struct str server, tool;

    if (str_is(e->kind, "Shell")) {
        cursor_shell(e);
    } else if (str_is(e->kind, "Read") || str_is(e->kind, "Write")) {
        const char *ours = str_is(e->kind, "Read") ? "Read" : "Edit";
        if (e->bare || str_is(e->argument, "**") || str_is(e->argument, "**/*"))
            tool_rule(e, ours);
        else
            path_rule(e, ours);
    } else if (str_is(e->kind, "WebFetch")) {
        if (e->bare || str_is(e->argument, "*"))
            tool_rule(e, "WebFetch");
        else
            domain_rule(e);
    } else if (str_is(e->kind, "Mcp")) {
        if (!str_cut(e->argument, ':', &server, &tool) || str_is(tool, "*"))
            tool = (struct str){0};
        if (e->bare || str_is(server, "*"))
            server = STR("*");
        mcp_rule(e, server, tool);
    } else if (e->effect == BEHAVIOR_ALLOW) {
        allow_left_out(e, "its kind is unknown");
    } else {
        import_ask_tool(e->to, e->line, "*", "a deny of an unknown kind");
    }
}

/* ---- Copilot: shell(exact), shell(git:*), read(path), write(path), url(host), server(tool) ----
 */

static void copilot_shell(const struct entry *e)
{
    struct str stem = e->argument, text;

    if (e->bare) {
        tool_rule(e, "Bash");
        return;
    }
    if (str_ends(stem, STR(":*"))) {
        import_add(e->to, e->effect,
                   import_prefix(e->to, e->effect, str_slice(stem, 0, stem.len - 2)),
                   (struct str){0});
        return;
    }
    /* An exact deny becomes wider: with other arguments the command is the same one. */
    text = e->effect == BEHAVIOR_ALLOW
               ? str_format(e->to->arena, "Bash(%.*s)", STR_ARG(import_escape(e->to, stem, false)))
               : import_prefix(e->to, e->effect, stem);
    import_add(e->to, e->effect, text, (struct str){0});
}

static void copilot_path(const struct entry *e, const char *tool)
{
    if (e->bare)
        tool_rule(e, tool);
    else if (e->effect == BEHAVIOR_ALLOW && !str_starts(e->argument, STR("/")))
        allow_left_out(e, "the path applies in every directory there");
    else
        path_rule(e, tool);
}

static void copilot_entry(const struct entry *e)
{
    if (str_is(e->kind, "shell")) {
        copilot_shell(e);
    } else if (str_is(e->kind, "write")) {
        copilot_path(e, "Edit");
    } else if (str_is(e->kind, "url")) {
        if (e->bare)
            tool_rule(e, "WebFetch");
        else
            domain_rule(e);
    } else if (str_is(e->kind, "read")) {
        copilot_path(e, "Read");
    } else {
        mcp_rule(e, e->kind, e->argument);
    }
}

/* ---- the lists ---- */

static void take_list(struct import *to, const struct value *list, enum behavior effect,
                      void (*take)(const struct entry *))
{
    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++) {
        const struct value *v = &list->items[i];
        struct entry e = {.to = to, .effect = effect, .line = v->line, .kind = v->text};
        size_t open = str_index(v->text, '(');
        if (v->kind != VALUE_STRING || v->text.len == 0) {
            import_ask_tool(to, v->line, "*", "an entry that is not a string");
            continue;
        }
        e.bare = open == STR_NONE || !str_ends(v->text, STR(")"));
        if (!e.bare) {
            e.kind = str_slice(v->text, 0, open);
            e.argument = str_slice(v->text, open + 1, v->text.len - 1);
            e.bare = e.argument.len == 0;
        }
        take(&e);
    }
}

void import_cursor(struct import *to, const struct value *document)
{
    const struct value *permissions = value_get(document, "permissions");

    take_list(to, value_get(permissions, "deny"), BEHAVIOR_DENY, cursor_entry);
    take_list(to, value_get(permissions, "allow"), BEHAVIOR_ALLOW, cursor_entry);
}

void import_copilot(struct import *to, const struct value *document)
{
    take_list(to, value_get(document, "denyTools"), BEHAVIOR_DENY, copilot_entry);
    take_list(to, value_get(document, "deniedTools"), BEHAVIOR_DENY, copilot_entry);
    take_list(to, value_get(document, "allowTools"), BEHAVIOR_ALLOW, copilot_entry);
    take_list(to, value_get(document, "allowedTools"), BEHAVIOR_ALLOW, copilot_entry);
}
