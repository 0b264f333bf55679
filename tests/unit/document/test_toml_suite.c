/* The public TOML suite (toml-test): each valid file has the value of its tagged JSON, each invalid
 * one is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "document/toml.h"
#include "support/shared.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define SUITE     "corpora/toml-test/tests/"
#define LIST_FILE SUITE "files-toml-1.0.0"
#define ARENA_MAX ((size_t)64 << 20)

static bool same(const struct value *got, const struct value *want);

/* The suite writes each scalar as {"type": "...", "value": "..."}. In a real table with these keys
 * the values are tagged themselves. */
static bool is_tagged(const struct value *want)
{
    const struct value *type = value_get(want, "type"), *value = value_get(want, "value");

    return want->kind == VALUE_OBJECT && want->count == 2 && type && type->kind == VALUE_STRING &&
           value && value->kind == VALUE_STRING;
}

static bool same_float(struct str got, struct str want)
{
    double x = strtod(got.s, NULL), y = strtod(want.s, NULL);

    return (x != x && y != y) || x == y;
}

/* Normalises a time for comparison: T and Z, no trailing zeros in a fraction. */
static void plain_time(struct str time, char out[64])
{
    size_t len = 0, last = 0;
    bool in_fraction = false;

    for (size_t i = 0; i < time.len && len < 63; i++) {
        char c = time.s[i];
        if (in_fraction && (c < '0' || c > '9')) {
            in_fraction = false;
            len = last;
        }
        out[len++] = i == 10 ? 'T' : c == 'z' ? 'Z' : c;
        if (c == '.')
            in_fraction = true;
        if (!in_fraction || (c >= '1' && c <= '9'))
            last = len;
    }
    out[in_fraction ? last : len] = '\0';
}

static bool same_time(struct str got, struct str want)
{
    char x[64], y[64];

    plain_time(got, x);
    plain_time(want, y);
    return strcmp(x, y) == 0;
}

static bool same_scalar(const struct value *got, struct str type, struct str want)
{
    switch (got->kind) {
    case VALUE_BOOL:
        return str_is(type, "bool") && str_is(want, got->boolean ? "true" : "false");
    case VALUE_INTEGER:
        return str_is(type, "integer") && str_eq(got->text, want);
    case VALUE_FLOAT:
        return str_is(type, "float") && same_float(got->text, want);
    case VALUE_TIME:
        return (str_starts(type, STR("date")) || str_is(type, "time-local")) &&
               same_time(got->text, want);
    case VALUE_STRING:
        return str_is(type, "string") && str_eq(got->text, want) &&
               got->text.s[got->text.len] == '\0';
    case VALUE_NULL:
    case VALUE_ARRAY:
    case VALUE_OBJECT:
        break;
    }
    return false;
}

static bool same_members(const struct value *got, const struct value *want)
{
    for (size_t i = 0; i < got->count; i++) {
        const struct member *m = &got->members[i], *w = value_member(want, m->key);
        if (!w || m->line < 1 || m->column < 1 || !same(&m->value, &w->value))
            return false;
    }
    return got->count == want->count;
}

static bool same_items(const struct value *got, const struct value *want)
{
    for (size_t i = 0; i < got->count && i < want->count; i++)
        if (!same(&got->items[i], &want->items[i]))
            return false;
    return got->count == want->count;
}

static bool same(const struct value *got, const struct value *want)
{
    if (got->line < 1 || got->column < 1)
        return false;
    if (is_tagged(want))
        return same_scalar(got, value_text(want, "type"), value_text(want, "value"));
    if (got->kind != want->kind)
        return false;
    return got->kind == VALUE_ARRAY ? same_items(got, want) : same_members(got, want);
}

static struct str read_suite_file(const char *name, const char *ending)
{
    char path[512];
    struct str text;

    snprintf(path, sizeof(path), SUITE "%.*s%s", (int)(strlen(name) - strlen(".toml")), name,
             ending);
    const char *found = shared_path(path);
    assert_non_null(found);
    text.s = read_whole_file(found, &text.len);
    return text;
}

static bool valid_is_read(const char *name)
{
    struct str text = read_suite_file(name, ".toml"), json = read_suite_file(name, ".json");
    struct arena arena;
    struct value got, want;
    struct error err = {0};

    arena_init(&arena, ARENA_MAX);
    if (json_read(&arena, json, NULL, &want, &err) != STATUS_OK)
        fail_msg("%s: the JSON beside it: %s", name, err.message);
    bool read = toml_read(&arena, text, &got, &err) == STATUS_OK, ok = read && same(&got, &want);
    if (!ok)
        printf("WRONG %s: %s\n", name, read ? "reads as something else" : err.message);
    arena_release(&arena);
    free((void *)(uintptr_t)text.s);
    free((void *)(uintptr_t)json.s);
    return ok;
}

static bool invalid_is_refused(const char *name)
{
    struct str text = read_suite_file(name, ".toml");
    struct arena arena;
    struct value got;
    struct error err = {0};

    arena_init(&arena, ARENA_MAX);
    enum status status = toml_read(&arena, text, &got, &err);
    bool ok = status == STATUS_SYNTAX && err.line >= 1 && err.column >= 1 && err.message[0] &&
              got.kind == VALUE_NULL;
    if (!ok)
        printf("WRONG %s: status %d at %u:%u\n", name, status, err.line, err.column);
    arena_release(&arena);
    free((void *)(uintptr_t)text.s);
    return ok;
}

static void the_suite_agrees(void **state)
{
    size_t len, valid = 0, valid_ok = 0, invalid = 0, invalid_ok = 0;
    const char *path = shared_path(LIST_FILE);

    (void)state;
    if (!path)
        skip();
    char *text = read_whole_file(path, &len);
    struct str name, rest = {text, len};
    while (rest.len > 0) {
        char file[512];
        str_cut(rest, '\n', &name, &rest);
        if (!str_ends(name, STR(".toml")))
            continue;
        snprintf(file, sizeof(file), "%.*s", STR_ARG(name));
        if (str_starts(name, STR("valid/")))
            valid++, valid_ok += valid_is_read(file);
        else
            invalid++, invalid_ok += invalid_is_refused(file);
    }
    free(text);
    printf("toml-test 1.0: %zu of %zu valid read, %zu of %zu invalid refused\n", valid_ok, valid,
           invalid_ok, invalid);
    assert_true(valid > 100 && invalid > 100);
    assert_int_equal(valid_ok, valid);
    assert_int_equal(invalid_ok, invalid);
}

static void the_comparison_can_fail(void **state)
{
    struct value x = {.kind = VALUE_STRING, .text = STR("a"), .line = 1, .column = 1};

    (void)state;
    assert_true(same_scalar(&x, STR("string"), STR("a")));
    assert_false(same_scalar(&x, STR("string"), STR("b")));
    assert_false(same_scalar(&x, STR("integer"), STR("a")));
    assert_true(same_time(STR("1987-07-05 17:45:56.6z"), STR("1987-07-05T17:45:56.600Z")));
    assert_false(same_time(STR("1987-07-05T17:45:56.6Z"), STR("1987-07-05T17:45:56.601Z")));
    assert_false(same_time(STR("1987-07-05T17:45:56.6+01:00"), STR("1987-07-05T17:45:56.6+02:00")));
    assert_true(same_float(STR("3e2"), STR("300")) && !same_float(STR("1"), STR("nan")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_comparison_can_fail),
        cmocka_unit_test(the_suite_agrees),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
