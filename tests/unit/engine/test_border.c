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
    assert_string_equal(warder_decision_reason(NULL), "there is no decision");
    assert_string_equal(warder_decision_message(NULL), "there is no decision");
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

static warder_status open_with(const warder_options *options, warder_error *err)
{
    warder_engine *e = (warder_engine *)1;
    warder_status status = warder_engine_new(options, &e, err);

    assert_true((status == WARDER_OK) == (e != NULL));
    warder_engine_free(e);
    return status;
}

/* A count without its list, a count that went wrong, and lists with holes: none of them is read. */
static void lists_that_are_not_there_are_refused(void **state)
{
    static const char *const no_file[] = {NULL};
    static const warder_rule no_rule[] = {{WARDER_ALLOW, NULL}},
                             no_such[] = {{(warder_behavior)9, "Bash"}};
    static const warder_text no_text[] = {{"p.yaml", NULL, NULL, 5}};
    const struct {
        warder_options options;
        const char *says;
    } rows[] = {
        {{.policy_count = 1}, "no policies"},
        {{.rule_count = 3}, "no rules"},
        {{.text_count = 1}, "no texts"},
        {{.policies = no_file, .policy_count = SIZE_MAX}, "policies"},
        {{.rules = no_rule, .rule_count = SIZE_MAX / sizeof(warder_rule)}, "rules"},
        {{.texts = no_text, .text_count = (size_t)-1}, "texts"},
        {{.policies = no_file, .policy_count = 1}, "the name of a policy file"},
        {{.rules = no_rule, .rule_count = 1}, "no text"},
        {{.rules = no_such, .rule_count = 1}, "no such behavior"},
        {{.texts = no_text, .text_count = 1}, "text is missing"},
        {{.retention_days = 40}, "nothing is recorded"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        warder_options options = rows[i].options;
        warder_error err = {0};
        options.struct_size = sizeof(options);
        options.home = "/nonexistent/home";
        options.cwd = "/nonexistent/project";
        assert_int_equal(open_with(&options, &err), WARDER_EUSAGE);
        if (!strstr(err.message, rows[i].says))
            fail_msg("%zu: %s, not: %s", i, err.message, rows[i].says);
    }
}

static warder_behavior judged(const warder_options *options, const char *command)
{
    warder_engine *e = NULL;
    warder_decision *d = NULL;

    assert_int_equal(warder_engine_new(options, &e, NULL), WARDER_OK);
    assert_int_equal(warder_check_argument(e, "Bash", command, &d, NULL), WARDER_OK);
    warder_behavior behavior = warder_decision_behavior(d);
    warder_decision_free(d);
    warder_engine_free(e);
    return behavior;
}

/* A list of no policies is a choice: nothing is searched for. No list is none. */
static void an_empty_list_is_not_a_missing_one(void **state)
{
    static const char *const files[] = {NULL};
    static const warder_text texts[] = {{NULL, NULL, NULL, 0}};
    static const char rules[] = "allow: [\"Bash(curl http://h/*)\"]\n";
    char home[] = "/tmp/warder-border-XXXXXX", path[100];
    warder_options options = WARDER_OPTIONS_INIT;

    (void)state;
    assert_non_null(mkdtemp(home));
    options.home = options.cwd = home;
    snprintf(path, sizeof(path), "mkdir -p -m 700 %s/.config/warder", home);
    assert_int_equal(system(path), 0); /* NOLINT(cert-env33-c) */
    snprintf(path, sizeof(path), "%s/.config/warder/warder.yaml", home);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(rules, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(judged(&options, "curl http://h/"), WARDER_ALLOW);
    options.policies = files;
    assert_int_equal(judged(&options, "curl http://h/"), WARDER_ASK);
    assert_int_equal(judged(&options, "ls"), WARDER_ALLOW); /* by the built-in rules */
    options.policies = NULL;
    options.texts = texts;
    assert_int_equal(judged(&options, "curl http://h/"), WARDER_ASK);
    snprintf(path, sizeof(path), "rm -r %s", home);
    assert_int_equal(system(path), 0); /* NOLINT(cert-env33-c) */
}

static void versions_and_statuses_have_names(void **state)
{
    char text[32];
    uint32_t n = warder_version_number();

    (void)state;
    snprintf(text, sizeof(text), "%u.%u.%u", n >> 16, n >> 8 & 0xff, n & 0xff);
    assert_string_equal(text, warder_version());
    assert_string_equal(text, WARDER_VERSION);
    assert_int_equal(n, WARDER_VERSION_NUMBER);
    assert_string_equal(warder_status_name(WARDER_OK), "ok");
    assert_string_equal(warder_status_name(WARDER_EUNSAFE), "unsafe");
    assert_string_equal(warder_status_name(WARDER_EUSAGE), "usage");
    assert_string_equal(warder_status_name((warder_status)7), "unknown");
    assert_string_equal(warder_status_name((warder_status)-1), "unknown");
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
    NO_REPORT(warder_policy_show(NULL, 0, out, NULL));
    NO_REPORT(warder_policy_check(NULL, NULL, out, NULL));
    NO_REPORT(warder_engine_problems(NULL, out, NULL));
    NO_REPORT(warder_shell_parse(NULL, "ls", 2, out, NULL));
    NO_REPORT(warder_shell_parse(engine, NULL, 2, out, NULL));
    NO_REPORT(warder_trust_preview("relative", NULL, NULL, out, NULL));
    NO_REPORT(warder_import(NULL, NULL, out, NULL));
    NO_REPORT(warder_approvals(NULL, out, NULL));
    NO_REPORT(warder_doctor(NULL, out, NULL));
    NO_REPORT(warder_doctor(&where, out, NULL));
    NO_REPORT(warder_doctor_live(NULL, 1, out, NULL));
    NO_REPORT(warder_doctor_live(&where, 1, out, NULL));
    assert_null(warder_live_command(NULL));
    assert_null(warder_live_command("no such client"));
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
        cmocka_unit_test(lists_that_are_not_there_are_refused),
        cmocka_unit_test(an_empty_list_is_not_a_missing_one),
        cmocka_unit_test(versions_and_statuses_have_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
