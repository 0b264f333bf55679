/* The API takes NULL wherever a pointer can be missing: nothing crashes, outputs are left in a
 * state that denies, and asking for something absent gives the answer that denies. */
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

static warder_engine *engine;

static int open_engine(void **state)
{
    warder_options options = WARDER_OPTIONS_INIT;
    static const warder_text text = {"p.yaml", "warder", "deny: [Task]\n", 13};

    (void)state;
    options.home = "/nonexistent/home";
    options.cwd = "/nonexistent/project";
    options.texts = &text;
    options.text_count = 1;
    return warder_engine_new(&options, &engine, NULL) == WARDER_OK ? 0 : 1;
}

static int close_engine(void **state)
{
    (void)state;
    warder_engine_free(engine);
    return 0;
}

static void what_is_not_there_denies(void **state)
{
    (void)state;
    assert_int_equal(warder_decision_behavior(NULL), WARDER_DENY);
    assert_string_equal(warder_decision_layer(NULL), "");
    assert_null(warder_decision_rule(NULL));
    assert_string_equal(warder_decision_reason(NULL), "");
    assert_string_equal(warder_decision_message(NULL), "");
    assert_int_equal(warder_decision_interrupt(NULL), 0);
    assert_string_equal(warder_decision_id(NULL), "");
    assert_string_equal(warder_decision_name(NULL), "auto-deny");
    assert_null(warder_decision_updated_input(NULL));
    assert_int_equal(warder_decision_suggestion_count(NULL), 0);
    assert_null(warder_decision_suggestion(NULL, 0));
    assert_non_null(strstr(warder_decision_json(NULL), "\"deny\""));
    assert_non_null(strstr(warder_decision_explain_json(NULL), "\"deny\""));
    assert_int_equal(strncmp(warder_decision_explain_text(NULL, 1), "deny", 4), 0);
    assert_string_equal(warder_behavior_name((warder_behavior)77), "deny");
    assert_int_equal(warder_engine_generation(NULL), 0);
    assert_string_equal(warder_report_text(NULL), "");
    assert_int_not_equal(warder_report_errors(NULL), 0);
    assert_int_equal(warder_report_warnings(NULL), 0);
    assert_int_not_equal(warder_reply_code(NULL), 0);
    assert_string_equal(warder_reply_out(NULL), "");
    assert_non_null(warder_reply_err(NULL));
    warder_engine_free(NULL);
    warder_decision_free(NULL);
    warder_report_free(NULL);
    warder_reply_free(NULL);
    warder_change_free(NULL);
}

static void no_engine_and_no_text_are_refused(void **state)
{
    static const char json[] = "{}";
    warder_decision *d = (warder_decision *)1;
    warder_error err;

    (void)state;
    assert_int_equal(warder_engine_reload(NULL, &err), WARDER_EUSAGE);
    assert_int_equal(err.status, WARDER_EUSAGE);
    assert_int_equal(warder_engine_update(NULL, json, 2, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_engine_update(engine, NULL, 2, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_check_json(NULL, json, 2, &d, &err), WARDER_EUSAGE);
    assert_null(d);
    d = (warder_decision *)1;
    assert_int_equal(warder_check_json(engine, NULL, 2, &d, NULL), WARDER_EUSAGE);
    assert_null(d);
    d = (warder_decision *)1;
    assert_int_equal(warder_check_input(engine, NULL, json, 2, &d, NULL), WARDER_EUSAGE);
    assert_null(d);
    d = (warder_decision *)1;
    assert_int_equal(warder_check_argument(engine, "Bash", NULL, &d, NULL), WARDER_EUSAGE);
    assert_null(d);
    assert_int_equal(warder_check_json(engine, json, 2, NULL, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_engine_new(NULL, NULL, NULL), WARDER_EUSAGE);
    assert_int_not_equal(warder_resolve(engine, NULL, NULL, NULL), WARDER_OK);
    assert_int_equal(warder_check_argument(engine, "Bash", "ls", &d, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    assert_int_not_equal(warder_resolve(NULL, d, NULL, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);
}

#define NO_REPORT(call)                                                                            \
    do {                                                                                           \
        warder_report *r = (warder_report *)1, **out = &r;                                         \
        assert_int_not_equal(call, WARDER_OK);                                                     \
        assert_null(r);                                                                            \
        out = NULL;                                                                                \
        assert_int_not_equal(call, WARDER_OK);                                                     \
    } while (0)

static void reports_about_nothing_are_refused(void **state)
{
    warder_installation where = WARDER_INSTALLATION_INIT;

    (void)state;
    where.struct_size = 0;
    NO_REPORT(warder_rules_list(NULL, out, NULL));
    NO_REPORT(warder_rules_lint(NULL, out, NULL));
    NO_REPORT(warder_rules_show(NULL, "1", out, NULL));
    NO_REPORT(warder_rules_show(engine, NULL, out, NULL));
    NO_REPORT(warder_rules_show(engine, "no such rule", out, NULL));
    NO_REPORT(warder_policy_show(NULL, out, NULL));
    NO_REPORT(warder_policy_check(NULL, NULL, out, NULL));
    NO_REPORT(warder_engine_problems(NULL, out, NULL));
    NO_REPORT(warder_shell_parse(NULL, "ls", 2, out, NULL));
    NO_REPORT(warder_shell_parse(engine, NULL, 2, out, NULL));
    NO_REPORT(warder_trust_preview("relative", NULL, out, NULL));
    NO_REPORT(warder_import(NULL, NULL, out, NULL));
    NO_REPORT(warder_approvals(NULL, out, NULL));
    NO_REPORT(warder_doctor(NULL, out, NULL));
    NO_REPORT(warder_doctor(&where, out, NULL));
    assert_int_not_equal(warder_profiles(NULL, NULL), WARDER_OK);
}

static void operators_mistakes_are_refused(void **state)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_installation where = WARDER_INSTALLATION_INIT;
    warder_reply *reply = (warder_reply *)1;
    warder_change *change = (warder_change *)1;
    warder_trust trust = WARDER_TRUSTED;
    warder_approval approval = (warder_approval)77;

    (void)state;
    assert_int_not_equal(warder_approve(NULL, "id", &approval, NULL), WARDER_OK);
    assert_int_equal(approval, WARDER_LEFT_OPEN);
    assert_int_not_equal(warder_approve(NULL, NULL, NULL, NULL), WARDER_OK);
    assert_int_not_equal(warder_trust_status("relative", NULL, &trust, NULL), WARDER_OK);
    assert_int_equal(trust, WARDER_UNTRUSTED);
    assert_int_not_equal(warder_trust_status("/nonexistent", "/", NULL, NULL), WARDER_OK);
    assert_int_not_equal(warder_hook(&options, NULL, "{}", 2, 0, &reply, NULL), WARDER_OK);
    assert_null(reply);
    reply = (warder_reply *)1;
    assert_int_not_equal(warder_hook(&options, "claude", NULL, 2, 0, &reply, NULL), WARDER_OK);
    assert_null(reply);
    assert_int_not_equal(warder_hook(&options, "claude", "{}", 2, 0, NULL, NULL), WARDER_OK);
    assert_int_not_equal(warder_install_plan(NULL, &change, NULL), WARDER_OK);
    assert_null(change);
    assert_int_not_equal(warder_install_plan(&where, &change, NULL),
                         WARDER_OK); /* no client given */
    assert_null(change);
    assert_int_not_equal(warder_install_plan(&where, NULL, NULL), WARDER_OK);
    assert_int_not_equal(warder_change_apply(NULL, NULL), WARDER_OK);
    assert_string_equal(warder_change_file(NULL), "");
    assert_string_equal(warder_change_diff(NULL), "");
    assert_null(warder_change_note(NULL));
    assert_null(warder_change_backup(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_there_denies),
        cmocka_unit_test_setup_teardown(no_engine_and_no_text_are_refused, open_engine,
                                        close_engine),
        cmocka_unit_test_setup_teardown(reports_about_nothing_are_refused, open_engine,
                                        close_engine),
        cmocka_unit_test(operators_mistakes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
