/* undo.c - the key `undo` of our own format: whether what calls destroy is saved, and for how long.
 */
#include "policy/schema.h"

#define DAYS_MOST  3650
#define CALLS_MOST 100000
#define SIZE_MOST  ((uint64_t)1 << 44)

static void take_use(struct policy_reader *r, const struct value *v)
{
    bool on = v->kind == VALUE_BOOL ? v->boolean : str_is(v->text, "on");

    if (v->kind == VALUE_STRING && !on && !str_is(v->text, "off"))
        schema_problem(r, false, v, "undo.use must be \"on\" or \"off\"");
    else if (r->book->undo.use == UNDO_UNSAID)
        r->book->undo.use = on ? UNDO_ON : UNDO_OFF;
}

static void take_number(struct policy_reader *r, const struct value *v, int64_t most, uint32_t *out)
{
    int64_t n;

    if (!value_integer(v, &n) || n < 1 || n > most)
        schema_problem(r, false, v, "expected a number from 1 to %lld", (long long)most);
    else if (!*out)
        *out = (uint32_t)n;
}

/* Bytes, or a number and K, M or G. */
static bool read_size(const struct value *v, uint64_t *out)
{
    static const char units[] = "KMG";
    struct str text = v->text;
    unsigned shift = 0;

    for (size_t i = 0; text.len && units[i]; i++)
        if (text.s[text.len - 1] == units[i])
            shift = 10 * (unsigned)(i + 1);
    text.len -= shift > 0;
    *out = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.s[i] < '0' || text.s[i] > '9' || *out > SIZE_MOST)
            return false;
        *out = *out * 10 + (uint64_t)(text.s[i] - '0');
    }
    *out <<= *out <= SIZE_MOST ? shift : 0;
    return text.len && *out && *out <= SIZE_MOST;
}

static void take_size(struct policy_reader *r, const struct value *v, uint64_t *out)
{
    uint64_t bytes;

    if (!read_size(v, &bytes))
        schema_problem(r, false, v, "expected a size, such as 64M or 2G");
    else if (!*out)
        *out = bytes;
}

static void take_days(struct policy_reader *r, const struct value *v)
{
    take_number(r, v, DAYS_MOST, &r->book->undo.days);
}

static void take_calls(struct policy_reader *r, const struct value *v)
{
    take_number(r, v, CALLS_MOST, &r->book->undo.calls);
}

static void take_kept_size(struct policy_reader *r, const struct value *v)
{
    take_size(r, v, &r->book->undo.size);
}

static void take_file(struct policy_reader *r, const struct value *v)
{
    take_size(r, v, &r->book->undo.file);
}

static void take_skip(struct policy_reader *r, const struct value *v)
{
    struct str name;

    for (size_t i = 0; i < v->count; i++) {
        if (!schema_text(r, false, &v->items[i], &name))
            continue;
        if (str_has(name, '/'))
            schema_problem(r, false, &v->items[i], "expected the name of a directory; ignored");
        else
            LIST_PUSH(r->arena, &r->book->undo.skip, name);
    }
}

static const struct schema_key keep_keys[] = {
    {"days", TAKES(VALUE_INTEGER), false, take_days},
    {"size", TAKES(VALUE_STRING) | TAKES(VALUE_INTEGER), false, take_kept_size},
    {"calls", TAKES(VALUE_INTEGER), false, take_calls},
};

static void take_keep(struct policy_reader *r, const struct value *v)
{
    schema_take(r, v, keep_keys, COUNT(keep_keys));
}

static const struct schema_key undo_keys[] = {
    {"use", TAKES(VALUE_STRING) | TAKES(VALUE_BOOL), false, take_use},
    {"keep", TAKES(VALUE_OBJECT), false, take_keep},
    {"file", TAKES(VALUE_STRING) | TAKES(VALUE_INTEGER), false, take_file},
    {"skip", TAKES(VALUE_ARRAY), false, take_skip},
};

/* What is saved lies in the person's own directory: a project has no say in it. */
void take_undo(struct policy_reader *r, const struct value *v)
{
    if (r->source == SOURCE_MANAGED || r->source == SOURCE_USER)
        schema_take(r, v, undo_keys, COUNT(undo_keys));
    else
        schema_problem(r, false, v,
                       "only managed and user policy can set this; it is ignored here");
}
