/* settings.c - settings.json, as Claude Code and its relatives write it. */
#include "policy/schema.h"

static void take_deny(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_SHORT, BEHAVIOR_DENY, v);
}

static void take_ask(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_SHORT, BEHAVIOR_ASK, v);
}

static void take_rows(struct policy_reader *r, const struct value *v)
{
    entry_take_rows(r, ENTRY_ROW, v);
}

static void take_allow(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_SHORT, BEHAVIOR_ALLOW, v);
}

/* Of "mode" and "defaultMode" the first one counts. */
static const struct schema_key permission_keys[] = {
    {"deny", TAKES(VALUE_ARRAY), true, take_deny},
    {"ask", TAKES(VALUE_ARRAY), true, take_ask},
    {"rules", TAKES(VALUE_ARRAY), true, take_rows},
    {"allow", TAKES(VALUE_ARRAY), false, take_allow},
    {"mode", TAKES(VALUE_STRING), true, take_mode},
    {"defaultMode", TAKES(VALUE_STRING), true, take_mode},
    {"additionalDirectories", TAKES(VALUE_ARRAY), false, take_directories},
    {"disableBypassPermissionsMode", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), true,
     take_bypass_switch},
    {"disableAutoMode", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), true, take_auto_switch},
};

static void take_permissions(struct policy_reader *r, const struct value *v)
{
    schema_take(r, v, permission_keys, COUNT(permission_keys));
}

/* Switching off a hook that denies would loosen, so only trusted files may. */
static void take_hooks_off(struct policy_reader *r, const struct value *v)
{
    if (r->trusted)
        r->book->client_hooks_off |= v->boolean;
    else
        r->left_out += v->boolean;
}

static void take_managed_hooks(struct policy_reader *r, const struct value *v)
{
    if (r->source == SOURCE_MANAGED)
        r->book->client_hooks_off |= v->boolean;
}

static const struct schema_key settings_keys[] = {
    {"permissions", TAKES(VALUE_OBJECT), true, take_permissions},
    {"disabledTools", TAKES(VALUE_ARRAY), true, take_disabled_tools},
    {"allowedTools", TAKES(VALUE_ARRAY), false, take_allowed_tools},
    {"allowManagedPermissionRulesOnly", TAKES(VALUE_BOOL), true, take_managed_only},
    {"hooks", TAKES(VALUE_OBJECT), true, take_hooks},
    {"sandbox", TAKES(VALUE_OBJECT), false, take_client_sandbox},
    {"disableAllHooks", TAKES(VALUE_BOOL), false, take_hooks_off},
    {"allowManagedHooksOnly", TAKES(VALUE_BOOL), false, take_managed_hooks},
};

void settings_read(struct policy_reader *r, const struct value *document)
{
    schema_take(r, document, settings_keys, COUNT(settings_keys));
}
