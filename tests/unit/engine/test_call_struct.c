/* A call as a struct: the same verdict as the same call as JSON, and every wrong use. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/policy_tree.h"
#include "warder.h"

#include <cmocka.h>

static struct tree tree;
static warder_engine *engine;

static int begin(void **state)
{
    warder_options o = WARDER_OPTIONS_INIT;

    (void)state;
    tree_make(&tree);
    o.home = tree.home;
    o.cwd = tree.project;
    return warder_engine_new(&o, &engine, NULL) != WARDER_OK;
}

static int end(void **state)
{
    (void)state;
    warder_engine_free(engine);
    tree_remove(&tree);
    return 0;
}

#define CALL(...)                                                                                  \
    {                                                                                              \
        .struct_size = sizeof(warder_call), __VA_ARGS__                                            \
    }
#define INPUT(text) .input = (text), .input_len = sizeof(text) - 1

static const struct {
    warder_call call;
    const char *json;
} alike[] = {
    {CALL(.tool = "Bash", .argument = "git status"),
     "{\"tool\":\"Bash\",\"input\":{\"command\":\"git status\"}}"},
    {CALL(.tool = "Bash", .argument = "echo \"a\\n\" '\t' > /etc/x"),
     "{\"tool\":\"Bash\",\"input\":{\"command\":\"echo \\\"a\\\\n\\\" '\\t' > /etc/x\"}}"},
    {CALL(.tool = "Bash", INPUT("{\"command\": \"ls\"}")),
     "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"}}"},
    {CALL(.tool = "Bash", INPUT("{\"command\": \"ls\", \"command\": \"rm x\"}")), "{\"tool\":1}"},
    {CALL(.tool = "Bash", INPUT("{\"command\": \"ls\"")), "{"},
    {CALL(.tool = "Bash", INPUT("[]")), "{\"tool\":\"Bash\",\"input\":[]}"},
    {CALL(.tool = "Bash"), "{\"tool\":\"Bash\"}"},
    {CALL(.tool = "Bash", .argument = "ls", .mode = "none"),
     "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"},\"mode\":\"none\"}"},
    {CALL(.tool = "Bash", .argument = "touch x", .mode = "plan"),
     "{\"tool\":\"Bash\",\"input\":{\"command\":\"touch x\"},\"mode\":\"plan\"}"},
    {CALL(.tool = "Write", .argument = "/srv/x/y", .mode = "acceptEdits", .cwd = "/srv/x",
          .project = "/srv/x"),
     "{\"tool\":\"Write\",\"input\":{\"file_path\":\"/srv/x/"
     "y\"},\"mode\":\"acceptEdits\",\"cwd\":\"/srv/x\",\"project\":\"/srv/x\"}"},
    {CALL(.tool = "Read", .argument = "x", .cwd = "relative"),
     "{\"tool\":\"Read\",\"input\":{\"file_path\":\"x\"},\"cwd\":\"relative\"}"},
    {CALL(.tool = "mcp__s__t", .read_only = 1),
     "{\"tool\":\"mcp__s__t\",\"annotations\":{\"readOnly\":true}}"},
    {CALL(.tool = "mcp__s__t", .destructive = 1),
     "{\"tool\":\"mcp__s__t\",\"annotations\":{\"destructive\":true}}"},
    {CALL(.tool = "", .argument = NULL), "{\"tool\":\"\"}"},
};

static void as_the_same_call_in_json(void **state)
{
    warder_decision *again = NULL;

    (void)state;
    assert_int_equal(warder_check_json(engine, "{}", 2, &again, NULL), WARDER_OK);
    for (size_t i = 0; i < sizeof(alike) / sizeof(alike[0]); i++) {
        warder_decision *json = NULL, *call = NULL;
        assert_int_equal(
            warder_check_json(engine, alike[i].json, strlen(alike[i].json), &json, NULL),
            WARDER_OK);
        assert_int_equal(warder_check(engine, &alike[i].call, &call, NULL), WARDER_OK);
        assert_int_equal(warder_recheck(again, &alike[i].call, NULL), WARDER_OK);
        if (warder_decision_behavior(call) != warder_decision_behavior(json) ||
            warder_decision_behavior(again) != warder_decision_behavior(json) ||
            strcmp(warder_decision_layer(call), warder_decision_layer(json)) != 0)
            fail_msg("%s: %s, %s", alike[i].json, warder_decision_json(json),
                     warder_decision_json(call));
        warder_decision_free(json);
        warder_decision_free(call);
    }
    warder_decision_free(again);
}

/* Bytes that no JSON could hold. */
static void texts_must_be_utf8(void **state)
{
    warder_call call = WARDER_CALL_INIT;
    warder_decision *d = NULL;

    (void)state;
    call.tool = "Bash";
    call.argument = "ls";
    call.session = "\xff";
    assert_int_equal(warder_check(engine, &call, &d, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);
    call.session = NULL;
    call.argument = "ls \xff";
    assert_int_equal(warder_check(engine, &call, &d, NULL), WARDER_OK);
    assert_int_not_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
}

/* The caller may free what it passed in, whichever way it came. */
static void nothing_points_into_the_call(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        char *tool = strdup("Bash"), *text = strdup(how == 1 ? "{\"command\":\"ls\"}" : "ls");
        warder_call call = CALL(.tool = tool, .argument = text);
        warder_decision *d = NULL;
        assert_true(tool && text);
        warder_status status = how == 0 ? warder_check_argument(engine, tool, text, &d, NULL)
                               : how == 1
                                   ? warder_check_input(engine, tool, text, strlen(text), &d, NULL)
                                   : warder_check(engine, &call, &d, NULL);
        assert_int_equal(status, WARDER_OK);
        memset(tool, '#', 4);
        memset(text, '#', strlen(text));
        free(tool);
        free(text);
        assert_non_null(strstr(warder_decision_explain_json(d), "Bash"));
        assert_null(strchr(warder_decision_explain_json(d), '#'));
        warder_decision_free(d);
    }
}

static void used_wrongly(void **state)
{
    warder_call call = CALL(.tool = "Bash", .argument = "ls"), unsized = {.tool = "Bash"};
    warder_call both = CALL(.tool = "Bash", .argument = "ls", INPUT("{}"));
    warder_call none = CALL(.tool = NULL), unknown = CALL(.tool = "Frob", .argument = "x");
    struct {
        warder_call call;
        int more;
    } newer = {CALL(.tool = "Bash", .argument = "ls"), 1};
    const warder_call *const wrong[] = {NULL, &unsized, &both, &none, &unknown, &newer.call};
    warder_decision *d = NULL, *used = NULL;

    (void)state;
    newer.call.struct_size = sizeof(newer);
    assert_int_equal(warder_check(engine, &call, &used, NULL), WARDER_OK);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        warder_error err = {0};
        d = used; /* rubbish of before */
        assert_int_equal(warder_check(engine, wrong[i], &d, &err), WARDER_EUSAGE);
        assert_null(d);
        assert_true(err.message[0] != '\0');
        assert_int_equal(warder_recheck(used, &call, NULL), WARDER_OK);
        assert_int_equal(warder_decision_behavior(used), WARDER_ALLOW);
        assert_int_equal(warder_recheck(used, wrong[i], NULL), WARDER_EUSAGE);
        assert_int_equal(warder_decision_behavior(used), WARDER_DENY);
    }
    newer.more = 0;
    assert_int_equal(warder_check(engine, &newer.call, &d, NULL), WARDER_OK);
    warder_decision_free(d);
    assert_int_equal(warder_check(NULL, &call, &d, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_check(engine, &call, NULL, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_recheck(NULL, &call, NULL), WARDER_EUSAGE);
    warder_decision_free(used);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_the_same_call_in_json),
        cmocka_unit_test(texts_must_be_utf8),
        cmocka_unit_test(nothing_points_into_the_call),
        cmocka_unit_test(used_wrongly),
    };

    return cmocka_run_group_tests(tests, begin, end);
}
