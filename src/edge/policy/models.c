/* models.c - the small files of two other models.
 *
 * caliban's permissions.toml: rows of a tool pattern, an action and a comment, in the order they
 * are tried. guild's lists of command patterns to deny and to accept; a person answers for the
 * rest. */
#include "policy/schema.h"

/* ---- caliban ---- */

static void take_rows(struct policy_reader *r, const struct value *v)
{
    entry_take_rows(r, ENTRY_ROW, v);
}

static const struct schema_key permission_keys[] = {{"rules", TAKES(VALUE_ARRAY), true, take_rows}};

static void take_permissions(struct policy_reader *r, const struct value *v)
{
    schema_take(r, v, permission_keys, COUNT(permission_keys));
}

static const struct schema_key caliban_keys[] = {
    {"rule", TAKES(VALUE_ARRAY), true, take_rows},
    {"rules", TAKES(VALUE_ARRAY), true, take_rows},
    {"permissions", TAKES(VALUE_OBJECT), true, take_permissions},
};

void caliban_read(struct policy_reader *r, const struct value *document)
{
    schema_take(r, document, caliban_keys, COUNT(caliban_keys));
}

/* ---- guild ---- */

static void take_deny(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_COMMAND, BEHAVIOR_DENY, v);
}

static void take_accept(struct policy_reader *r, const struct value *v)
{
    entry_take_all(r, ENTRY_COMMAND, BEHAVIOR_ALLOW, v);
}

static const struct schema_key guild_keys[] = {
    {"deny", TAKES(VALUE_ARRAY), true, take_deny},
    {"accept", TAKES(VALUE_ARRAY), false, take_accept},
    CLEARANCES_KEY,
};

void guild_read(struct policy_reader *r, const struct value *document)
{
    schema_take(r, document, guild_keys, COUNT(guild_keys));
}
