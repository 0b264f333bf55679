#include "base/value.h"

#include <errno.h>
#include <stdlib.h>

const struct member *value_member(const struct value *object, struct str key)
{
    if (!object || object->kind != VALUE_OBJECT)
        return NULL;
    for (size_t i = 0; i < object->count; i++)
        if (str_eq(object->members[i].key, key))
            return &object->members[i];
    return NULL;
}

const struct value *value_get(const struct value *object, const char *key)
{
    const struct member *m = value_member(object, str_from(key));

    return m ? &m->value : NULL;
}

struct str value_text(const struct value *object, const char *key)
{
    const struct value *v = value_get(object, key);

    return v && v->kind == VALUE_STRING ? v->text : (struct str){"", 0};
}

const char *value_kind_name(enum value_kind kind)
{
    static const char *const names[] = {
        [VALUE_NULL] = "null",      [VALUE_BOOL] = "a boolean",   [VALUE_INTEGER] = "an integer",
        [VALUE_FLOAT] = "a number", [VALUE_TIME] = "a time",      [VALUE_STRING] = "a string",
        [VALUE_ARRAY] = "a list",   [VALUE_OBJECT] = "an object",
    };

    return names[kind];
}

bool value_integer(const struct value *v, int64_t *out)
{
    char *end;

    if (!v || v->kind != VALUE_INTEGER || v->text.len == 0)
        return false;
    errno = 0;
    long long n = strtoll(v->text.s, &end, 10);
    if (errno || end != v->text.s + v->text.len)
        return false;
    *out = n;
    return true;
}
