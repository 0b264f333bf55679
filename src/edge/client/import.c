#include "client/import.h"

#include <stdarg.h>
#include <stdio.h>

void import_add(struct import *to, enum behavior effect, struct str rule, struct str reason)
{
    if (to->rules.count == IMPORT_RULES_MAX) {
        import_note(to, 0, true,
                    "more than %u rules: the rest is left out, and everything is asked about",
                    IMPORT_RULES_MAX);
        LIST_PUSH(to->arena, &to->rules, (struct import_rule){BEHAVIOR_ASK, STR("*"), {0}});
    }
    for (size_t i = 0; i < to->rules.count; i++)
        if (to->rules.items[i].effect == effect && str_eq(to->rules.items[i].text, rule))
            return;
    if (to->rules.count < IMPORT_RULES_MAX)
        LIST_PUSH(to->arena, &to->rules, (struct import_rule){effect, rule, reason});
}

void import_note(struct import *to, uint32_t line, bool lost, const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    LIST_PUSH(to->arena, &to->notes,
              (struct import_note){line, str_copy(to->arena, str_from(text)), lost});
}

static struct str whole_tool(struct import *to, const char *tool)
{
    bool paths = strcmp(tool, "Edit") == 0 || strcmp(tool, "Read") == 0;

    return str_format(to->arena, paths ? "%s(//**)" : "%s", tool);
}

void import_add_tool(struct import *to, enum behavior effect, const char *tool)
{
    if (effect != BEHAVIOR_ALLOW) {
        import_add(to, effect, whole_tool(to, tool), (struct str){0});
        return;
    }
    import_add(to, effect, str_copy(to->arena, str_from(tool)), (struct str){0});
    if (strcmp(tool, "Edit") == 0)
        import_add(to, effect, STR("Write"), (struct str){0});
}

void import_ask_tool(struct import *to, uint32_t line, const char *tool, const char *why)
{
    struct str rule = whole_tool(to, tool);

    import_note(to, line, true, "%s: %.*s is asked about instead", why, STR_ARG(rule));
    import_add(to, BEHAVIOR_ASK, rule, STR("imported: a rule that could not be expressed"));
}

struct str import_escape(struct import *to, struct str text, bool globs)
{
    struct buf b = buf_in(to->arena);

    for (size_t i = 0; i < text.len; i++) {
        char c = text.s[i];
        if (c == '(' || c == ')' || c == '\\' || (c == '*' && !globs))
            buf_byte(&b, '\\');
        buf_byte(&b, c);
    }
    return buf_str(&b);
}

struct str import_prefix(struct import *to, enum behavior effect, struct str prefix)
{
    struct str text = import_escape(to, prefix, false);

    return str_format(to->arena, effect == BEHAVIOR_ALLOW ? "Bash(%.*s:*)" : "Bash(%.*s*)",
                      STR_ARG(text));
}

/* ---- which one it is ---- */

static bool holds_call(const struct value *list, const char *begin)
{
    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++)
        if (str_starts(list->items[i].text, str_from(begin)))
            return true;
    return false;
}

bool import_recognise(const struct value *document, enum import_format *out)
{
    const struct value *permissions = value_get(document, "permissions");
    const struct value *lists[] = {value_get(permissions, "allow"), value_get(permissions, "deny")};
    static const char *const marks[] = {"Shell", "Write(", "Read(", "Mcp("};

    if (value_get(document, "rule")) {
        *out = IMPORT_GEMINI;
        return true;
    }
    if (value_get(document, "permission")) {
        *out = IMPORT_OPENCODE;
        return true;
    }
    for (size_t i = 0; i < COUNT(lists) * COUNT(marks); i++)
        if (holds_call(lists[i % COUNT(lists)], marks[i / COUNT(lists)])) {
            *out = IMPORT_CURSOR;
            return true;
        }
    if (value_get(document, "allowTools") || value_get(document, "denyTools") ||
        value_get(document, "allowedTools") || value_get(document, "deniedTools")) {
        *out = IMPORT_COPILOT;
        return true;
    }
    return false;
}
