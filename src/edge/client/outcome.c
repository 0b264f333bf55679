/* outcome.c - what a client makes of an answer: doctor checks with it that a registered hook
 * blocks.
 */
#include "base/json.h"
#include "client/register.h"

static bool says(const struct value *v, const char *key, enum behavior *out)
{
    struct str word = value_text(v, key);

    if (word.len == 0)
        return false;
    if (!behavior_parse(word, out) && !str_is(word, "block"))
        return false;
    if (str_is(word, "block"))
        *out = BEHAVIOR_DENY;
    return true;
}

static bool is_true(const struct value *v, const char *key)
{
    const struct value *flag = value_get(v, key);

    return flag && flag->kind == VALUE_BOOL && flag->boolean;
}

enum behavior client_outcome(struct arena *a, struct str out, struct str err, int code)
{
    static const char *const keys[] = {"permissionDecision", "decision", "permission", "behavior"};
    enum behavior behavior = BEHAVIOR_ALLOW;
    struct value v;

    if (code == CLIENT_BLOCKED && err.len)
        return BEHAVIOR_DENY;
    if (code != 0 || str_trim(out).len == 0 ||
        json_read(a, str_trim(out), NULL, &v, NULL) != STATUS_OK)
        return BEHAVIOR_ALLOW;
    const struct value *specific = value_get(&v, "hookSpecificOutput");
    for (size_t i = 0; i < COUNT(keys); i++)
        if (says(specific, keys[i], &behavior) || says(&v, keys[i], &behavior))
            return behavior;
    if (is_true(&v, "cancel"))
        return BEHAVIOR_DENY;
    return is_true(&v, "review") ? BEHAVIOR_ASK : BEHAVIOR_ALLOW;
}
