/* guild.c - deny and accept lists of command patterns. What is in neither goes to a person. */
#include "policy/schema.h"

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
};

void guild_read(struct policy_reader *r, const struct value *document)
{
    schema_take(r, document, guild_keys, COUNT(guild_keys));
}
