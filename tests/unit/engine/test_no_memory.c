/* Each allocation in a typical use of the library fails once, and then all from there on: nothing
 * crashes, a failed call leaves no output, a failed update or reload leaves the policy unchanged,
 * and nothing is allowed that the policy does not allow. The linker replaces malloc and the like
 * with the functions below. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"
#include "warder_admin.h"

#include <cmocka.h> /* last: it defines a macro fail */

static size_t calls, failing; /* 0: none */
static bool for_good;         /* ... and all after it */

static bool fails(void)
{
    calls++;
    return failing && (calls == failing || (for_good && calls > failing));
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *p, size_t size);
char *__real_strdup(const char *s);
char *__real_strndup(const char *s, size_t len);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *p, size_t size);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t len);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    return fails() ? NULL : __real_realloc(p, size);
}

char *__wrap_strdup(const char *s)
{
    return fails() ? NULL : __real_strdup(s);
}

char *__wrap_strndup(const char *s, size_t len)
{
    return fails() ? NULL : __real_strndup(s, len);
}

/* ---- a typical use ---- */

static const char policy[] =
    "deny: ['Bash(frob off)']\nask: ['Bash(frob ask)']\nallow: ['Bash(frob on)']\n";
static const char deny_on[] =
    "{\"type\":\"addRules\",\"rules\":[\"Bash(frob on)\"],\"behavior\":\"deny\"}";
static const char allow_all[] =
    "{\"type\":\"addRules\",\"rules\":[\"Bash\"],\"behavior\":\"allow\"}";

static const char *profile;

static warder_engine *open_engine(void)
{
    static const warder_text text = {"p.yaml", "warder", policy, sizeof(policy) - 1};
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine = (warder_engine *)1;
    warder_error err;

    options.profile = profile;
    options.home = "/nonexistent/home";
    options.cwd = "/nonexistent/project";
    options.texts = &text;
    options.text_count = 1;
    if (warder_engine_new(&options, &engine, &err) == WARDER_OK)
        assert_non_null(engine);
    else
        assert_null(engine);
    return engine;
}

/* The loosest verdict seen, as value and as text. */
static warder_behavior verdict(warder_engine *engine, const char *command, const char *project)
{
    char json[256];
    warder_decision *d = (warder_decision *)1;

    snprintf(json, sizeof(json),
             "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"},\"project\":\"%s\"}", command,
             project);
    if (warder_check_json(engine, json, strlen(json), &d, NULL) != WARDER_OK) {
        assert_null(d);
        return WARDER_DENY;
    }
    warder_behavior behavior = warder_decision_behavior(d);
    const char *text = warder_decision_json(d), *explained = warder_decision_explain_text(d, 0);
    /* A text says the same or is not there; and it changes nothing. */
    assert_int_equal(warder_decision_behavior(d), behavior);
    if (behavior != WARDER_ALLOW) {
        assert_true(!text || !strstr(text, "\"behavior\":\"allow\""));
        assert_true(!explained || strncmp(explained, "allow", 5) != 0);
    }
    warder_decision_free(d);
    return behavior;
}

static void reports(warder_engine *engine)
{
    warder_report *r;

    for (int i = 0; i < 3; i++) {
        r = (warder_report *)1;
        warder_status status = i == 0   ? warder_rules_list(engine, &r, NULL)
                               : i == 1 ? warder_policy_show(engine, 0, &r, NULL)
                                        : warder_engine_problems(engine, &r, NULL);
        assert_true((status == WARDER_OK) == (r != NULL));
        warder_report_free(r);
    }
}

static void update_and_reload(warder_engine *engine)
{
    uint64_t before = warder_engine_generation(engine);
    bool updated = warder_engine_update(engine, deny_on, sizeof(deny_on) - 1, NULL) == WARDER_OK;

    assert_int_equal(warder_engine_generation(engine), before + updated);
    if (updated)
        assert_int_not_equal(verdict(engine, "frob on", "/nonexistent/project"), WARDER_ALLOW);
    if (warder_engine_reload(engine, NULL) != WARDER_OK)
        assert_true(warder_engine_generation(engine) <= before + updated + 1);
    if (updated)
        assert_int_not_equal(verdict(engine, "frob on", "/nonexistent/later"), WARDER_ALLOW);
    (void)!warder_engine_update(engine, allow_all, sizeof(allow_all) - 1, NULL);
    assert_int_equal(verdict(engine, "frob off", "/nonexistent/project"), WARDER_DENY);
}

static void live(void)
{
    warder_engine *engine = open_engine();

    if (!engine)
        return;
    assert_int_equal(verdict(engine, "frob off", "/nonexistent/project"), WARDER_DENY);
    assert_int_not_equal(verdict(engine, "frob ask", "/nonexistent/other"), WARDER_ALLOW);
    reports(engine);
    update_and_reload(engine);
    warder_engine_free(engine);
}

/* Fails every `step`th allocation, one run for each. */
static void fail_each(const char *with, size_t step)
{
    profile = with;
    for (failing = 1;; failing += step) {
        calls = 0;
        live();
        if (calls < failing)
            break; /* there were fewer allocations */
    }
    assert_true(failing > 50);
    failing = 0;
}

#define STEP 7 /* skips most of those that only build the shipped rules */

static void one_allocation_fails(void **state)
{
    (void)state;
    for_good = false;
    fail_each("mink", 1);
    fail_each("warder", STEP);
}

static void all_from_one_on_fail(void **state)
{
    (void)state;
    for_good = true;
    fail_each("mink", 1);
    fail_each("warder", STEP);
}

/* Without a failure it gets the expected verdicts. */
static void the_life_is_a_real_one(void **state)
{
    warder_engine *engine = open_engine();

    (void)state;
    assert_non_null(engine);
    assert_int_equal(verdict(engine, "frob on", "/nonexistent/project"), WARDER_ALLOW);
    assert_int_equal(verdict(engine, "frob ask", "/nonexistent/project"), WARDER_ASK);
    assert_int_equal(warder_engine_update(engine, deny_on, sizeof(deny_on) - 1, NULL), WARDER_OK);
    assert_int_equal(verdict(engine, "frob on", "/nonexistent/project"), WARDER_DENY);
    warder_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_life_is_a_real_one),
        cmocka_unit_test(one_allocation_fails),
        cmocka_unit_test(all_from_one_on_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
