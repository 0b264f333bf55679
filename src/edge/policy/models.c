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

static void take_list(struct policy_reader *r, enum behavior effect, const struct value *v)
{
    const enum dialect dialect = r->dialect;

    r->dialect = DIALECT_FIRST_ARG;
    entry_take_all(r, ENTRY_SHORT, effect, v);
    r->dialect = dialect;
}

static void take_denied(struct policy_reader *r, const struct value *v)
{
    take_list(r, BEHAVIOR_DENY, v);
}

static void take_asked(struct policy_reader *r, const struct value *v)
{
    take_list(r, BEHAVIOR_ASK, v);
}

static void take_allowed(struct policy_reader *r, const struct value *v)
{
    take_list(r, BEHAVIOR_ALLOW, v);
}

/* The older form: lists, in the order in which they are met. */
static const struct schema_key permission_keys[] = {
    {"rules", TAKES(VALUE_ARRAY), true, take_rows},
    {"rule", TAKES(VALUE_ARRAY), true, take_rows},
    {"deny", TAKES(VALUE_ARRAY), true, take_denied},
    {"ask", TAKES(VALUE_ARRAY), true, take_asked},
    {"allow", TAKES(VALUE_ARRAY), false, take_allowed},
};

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
