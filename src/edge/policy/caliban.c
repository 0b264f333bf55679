/* caliban.c - permissions.toml: rows of a tool pattern, an action and a comment, in the order they
 * are tried. */
#include "policy/schema.h"

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
