/* A caller of the service names no milder mode than the service's own, and no plan file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "rule/mode.h"
#include "support/servicebox.h"

#include <cmocka.h>

#define OUTSIDE "touch /etc/x" /* asks in default and acceptEdits, runs in bypassPermissions */
#define INSIDE  "touch x"      /* asks in default, runs in acceptEdits */

static void reopen(const char *mode)
{
    box_close(&box);
    box_open_with(&box, (warder_service_options){.profile = "warder", .mode = mode});
}

static void expect(const char *command, const char *more, const char *behavior, const char *mode)
{
    const warder_caller *const callers[] = {&box.worker, &box.operator};

    for (size_t i = 0; i < COUNT(callers); i++) {
        const char *json = box_ask(&box, callers[i], command, more);
        assert_member(json, "behavior", behavior);
        if (mode)
            assert_member(json, "mode", mode);
    }
}

static void no_milder_mode_counts(void **state)
{
    (void)state;
    reopen(NULL);
    expect(OUTSIDE, "", "ask", NULL);
    expect(OUTSIDE, ",\"mode\":\"bypassPermissions\"", "ask", NULL);
    expect(OUTSIDE, ",\"mode\":\"yolo\"", "ask", NULL);
    expect(OUTSIDE, ",\"permission_mode\":\"bypassPermissions\"", "ask", NULL);
    expect(INSIDE, ",\"mode\":\"acceptEdits\"", "ask", NULL);
    expect(OUTSIDE, ",\"mode\":\"plan\"", "deny", "plan");
    expect(OUTSIDE, ",\"mode\":\"dontAsk\"", "deny", "dontAsk");
    expect("ls", ",\"mode\":\"bypassPermissions\"", "allow", "default");
    expect("ls", ",\"mode\":\"nothing\"", "deny", NULL);
}

static void the_own_mode_is_the_limit(void **state)
{
    (void)state;
    reopen("acceptEdits");
    expect(INSIDE, "", "allow", "acceptEdits");
    expect(INSIDE, ",\"mode\":\"acceptEdits\"", "allow", "acceptEdits");
    expect(INSIDE, ",\"mode\":\"default\"", "ask", NULL);
    expect(INSIDE, ",\"mode\":\"bypassPermissions\"", "allow", "acceptEdits");
    expect(OUTSIDE, ",\"mode\":\"bypassPermissions\"", "ask", NULL);
    reopen("plan");
    expect(INSIDE, ",\"mode\":\"dontAsk\"", "deny", "plan");
    expect(INSIDE, ",\"mode\":\"default\"", "deny", "plan");
}

static void dry_runs_have_the_same_limit(void **state)
{
    static const char call[] = "{\"tool\":\"Bash\",\"input\":{\"command\":\"" OUTSIDE "\"},"
                               "\"mode\":\"bypassPermissions\"}";
    warder_report *report = NULL;

    (void)state;
    reopen(NULL);
    assert_int_equal(
        warder_service_dry_run(box.service, &box.worker, call, sizeof(call) - 1, &report, NULL),
        WARDER_DONE);
    assert_member(warder_report_json(report), "behavior", "ask");
    warder_report_free(report);
}

/* In plan mode one file may be written, which the person who starts the engine names. */
static void a_caller_names_no_plan_file(void **state)
{
    static char call[8192];
    warder_case *item = NULL;

    (void)state;
    reopen(NULL);
    int len = snprintf(call, sizeof(call),
                       "{\"tool\":\"Write\",\"input\":{\"file_path\":\"%s/f\",\"content\":\"x\"},"
                       "\"cwd\":\"%s\",\"mode\":\"plan\",\"plan_file\":\"%s/f\"}",
                       box.work, box.work, box.work);
    assert_int_equal(
        warder_service_check(box.service, &box.worker, call, (size_t)len, NULL, &item, NULL),
        WARDER_DONE);
    box_commit(&box);
    assert_member(warder_case_json(item), "behavior", "deny");
    warder_case_free(item);
}

static void modes_have_an_order(void **state)
{
    static const enum mode order[] = {MODE_PLAN, MODE_DEFAULT, MODE_ACCEPT_EDITS, MODE_BYPASS};
    static const enum mode apart[] = {MODE_DELEGATE, MODE_DONT_ASK, MODE_AUTO, MODE_BUBBLE};

    (void)state;
    for (size_t i = 0; i < COUNT(order); i++)
        for (size_t k = 0; k < COUNT(order); k++)
            assert_int_equal(mode_is_milder(order[i], order[k]), i > k);
    /* the others are in no order: neither stands for the other */
    for (size_t i = 0; i < COUNT(apart); i++)
        for (int m = 0; m < MODE_COUNT; m++) {
            assert_false(mode_is_milder(apart[i], (enum mode)m));
            assert_false(mode_is_milder((enum mode)m, apart[i]));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, box_setup, box_teardown)
        CASE(no_milder_mode_counts),           CASE(the_own_mode_is_the_limit),
        CASE(dry_runs_have_the_same_limit),    CASE(a_caller_names_no_plan_file),
        cmocka_unit_test(modes_have_an_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
