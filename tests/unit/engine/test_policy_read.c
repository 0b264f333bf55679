/* Reloading: sources are read again, a broken file leaves the last good policy in force, and each
 * project has its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "support/policy_tree.h"
#include "warder_admin.h"

#include <cmocka.h> /* last: it defines a macro fail */

#define SETTINGS "home/.config/warder/warder.yaml"

static struct tree tree;

static int set_up(void **state)
{
    (void)state;
    tree_make(&tree);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_remove(&tree);
    return 0;
}

static warder_engine *open_tree(void)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine;
    warder_error err;

    options.home = tree.home;
    options.cwd = tree.project;
    if (warder_engine_new(&options, &engine, &err) != WARDER_OK)
        fail_msg("%s", err.message);
    return engine;
}

/* "allow by layer", of `command` in a project. */
static const char *verdict_in(warder_engine *engine, const char *project, const char *command)
{
    static char said[128];
    char json[1024];
    warder_decision *decision;

    snprintf(json, sizeof(json),
             "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"},\"project\":\"%s\"}", command,
             project);
    assert_int_equal(warder_check_json(engine, json, strlen(json), &decision, NULL), WARDER_OK);
    snprintf(said, sizeof(said), "%s by %s",
             warder_behavior_name(warder_decision_behavior(decision)),
             warder_decision_layer(decision));
    warder_decision_free(decision);
    return said;
}

static void problems_say(warder_engine *engine, const char *what)
{
    warder_report *report;

    assert_int_equal(warder_engine_problems(engine, &report, NULL), WARDER_OK);
    if (what && !strstr(warder_report_text(report), what))
        fail_msg("no \"%s\" in: %s", what, warder_report_text(report));
    if (!what)
        assert_string_equal(warder_report_text(report), "");
    warder_report_free(report);
}

static void sources_are_read_again(void **state)
{
    tree_write(&tree, SETTINGS, "allow: ['Bash(frob:*)']\n", 0);
    warder_engine *engine = open_tree();

    (void)state;
    assert_string_equal(verdict_in(engine, tree.project, "frob"), "allow by allow-rules");
    tree_write(&tree, SETTINGS, "deny: ['Bash(frob:*)']\n", 0);
    assert_string_equal(verdict_in(engine, tree.project, "frob"), "allow by allow-rules");
    assert_int_equal(warder_engine_reload(engine, NULL), WARDER_OK);
    assert_int_equal(warder_engine_generation(engine), 2);
    assert_string_equal(verdict_in(engine, tree.project, "frob"), "deny by deny-rules");
    warder_engine_free(engine);
}

static void a_broken_file_keeps_the_last_good_policy(void **state)
{
    tree_write(&tree, SETTINGS, "allow: ['Bash(frob:*)']\n", 0);
    warder_engine *engine = open_tree();
    warder_error err = {0};

    (void)state;
    problems_say(engine, NULL);
    assert_string_equal(verdict_in(engine, tree.home, "frob"),
                        "allow by allow-rules"); /* a second project */
    tree_write(&tree, SETTINGS, "allow: ['Bash(frob:*)'\n", 0);
    assert_int_equal(warder_engine_reload(engine, &err), WARDER_ESYNTAX);
    assert_non_null(strstr(err.message, "warder.yaml"));
    assert_int_not_equal(err.line, 0);
    assert_string_equal(verdict_in(engine, tree.project, "frob"), "allow by allow-rules");
    assert_string_equal(verdict_in(engine, tree.home, "frob"), "allow by allow-rules");
    problems_say(engine, "an older policy stays in force");

    /* A project without an earlier call has no last good policy. */
    assert_string_equal(verdict_in(engine, "/nonexistent/third", "frob"), "deny by policy");

    /* Still broken: reported again, and nothing is lost. */
    assert_int_equal(warder_engine_reload(engine, &err), WARDER_ESYNTAX);
    assert_string_equal(verdict_in(engine, tree.project, "frob"), "allow by allow-rules");

    tree_write(&tree, SETTINGS, "ask: ['Bash(frob:*)']\n", 0);
    assert_int_equal(warder_engine_reload(engine, &err), WARDER_OK);
    problems_say(engine, NULL);
    assert_string_equal(verdict_in(engine, tree.project, "frob"), "ask by ask-rules");
    assert_string_equal(verdict_in(engine, "/nonexistent/third", "frob"), "ask by ask-rules");
    warder_engine_free(engine);
}

/* A policy that was never readable denies, and the reason names the current error. */
static void what_was_never_good_denies(void **state)
{
    tree_write(&tree, SETTINGS, "deny: [\n", 0);
    warder_engine *engine = open_tree();

    (void)state;
    assert_string_equal(verdict_in(engine, tree.project, "ls"), "deny by policy");
    tree_write(&tree, SETTINGS, "denied: [x]\n", 0);
    assert_int_equal(warder_engine_reload(engine, NULL), WARDER_OK);
    assert_string_equal(verdict_in(engine, tree.project, "ls"), "deny by policy");
    problems_say(engine, "denied");
    warder_engine_free(engine);
}

/* Updates survive a reload. But a deny rule that is in the file now may have been written since. */
static void updates_outlive_a_reload(void **state)
{
    static const char replace[] =
        "{\"type\":\"replaceRules\",\"rules\":[\"Bash(frob on)\"],\"behavior\":\"allow\"}";
    warder_engine *engine;

    (void)state;
    tree_write(&tree, SETTINGS, "allow: ['Bash(frob go)']\ndeny: ['Bash(frob off)']\n", 0);
    engine = open_tree();
    assert_int_equal(warder_engine_update(engine, replace, sizeof(replace) - 1, NULL), WARDER_OK);
    assert_string_equal(verdict_in(engine, tree.project, "frob on"), "allow by allow-rules");
    assert_string_equal(verdict_in(engine, tree.project, "frob go"), "ask by risk");
    assert_string_equal(verdict_in(engine, tree.project, "frob off"), "ask by risk");
    assert_int_equal(warder_engine_reload(engine, NULL), WARDER_OK);
    assert_string_equal(verdict_in(engine, tree.project, "frob on"), "allow by allow-rules");
    assert_string_equal(verdict_in(engine, tree.project, "frob go"), "ask by risk");
    assert_string_equal(verdict_in(engine, tree.project, "frob off"), "deny by deny-rules");
    /* Projects that are read later get the updates too. */
    assert_string_equal(verdict_in(engine, "/nonexistent/later", "frob on"),
                        "allow by allow-rules");
    warder_engine_free(engine);
}

static void a_reload_may_change_the_profile(void **state)
{
    tree_write(&tree, SETTINGS, "profile: mini\n", 0);
    warder_engine *engine = open_tree();
    warder_decision *decision;

    (void)state;
    assert_string_equal(verdict_in(engine, tree.home, "ls"),
                        verdict_in(engine, tree.project, "ls"));
    tree_write(&tree, SETTINGS, "profile: guild\n", 0);
    assert_int_equal(warder_engine_reload(engine, NULL), WARDER_OK);
    assert_int_equal(warder_check_argument(engine, "Bash", "ls", &decision, NULL), WARDER_OK);
    assert_non_null(strstr(warder_decision_explain_json(decision), "\"profile\":\"guild\""));
    warder_decision_free(decision);
    tree_write(&tree, SETTINGS, "profile: none\n", 0);
    assert_int_not_equal(warder_engine_reload(engine, NULL), WARDER_OK);
    assert_int_equal(warder_check_argument(engine, "Bash", "ls", &decision, NULL), WARDER_OK);
    assert_non_null(strstr(warder_decision_explain_json(decision), "\"profile\":\"guild\""));
    warder_decision_free(decision);
    warder_engine_free(engine);
}

/* Each call may name a project; their number is limited. */
static void projects_are_limited(void **state)
{
    warder_engine *engine = open_tree();
    struct snapshot *s = snapshot_slot_take(&engine->slot);

    (void)state;
    assert_int_equal(atomic_load(&s->count), 1);
    assert_string_equal(verdict_in(engine, "/nonexistent/second", "ls"), "allow by harmless");
    assert_string_equal(verdict_in(engine, "/nonexistent/second", "ls"), "allow by harmless");
    assert_int_equal(atomic_load(&s->count), 2);
    atomic_store(&s->count, SNAPSHOT_PROJECTS_MAX - 1);
    assert_string_equal(verdict_in(engine, "/nonexistent/last", "ls"), "allow by harmless");
    assert_string_equal(verdict_in(engine, "/nonexistent/one-more", "ls"), "deny by malformed");
    assert_string_equal(verdict_in(engine, "/nonexistent/last", "ls"), "allow by harmless");
    snapshot_drop(s);
    warder_engine_free(engine);
}

static warder_status open_text(const char *name, const char *format, const char *text,
                               warder_engine **out)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_text given = {name, format, text, strlen(text)};

    options.home = tree.home;
    options.cwd = tree.project;
    options.texts = &given;
    options.text_count = 1;
    return warder_engine_new(&options, out, NULL);
}

static void policy_comes_from_memory(void **state)
{
    static const struct {
        const char *name, *format, *text, *want;
    } cases[] = {
        {"a.yaml", NULL, "deny: ['Bash(frob:*)']\n", "deny by deny-rules"},
        {"a.toml", "warder", "deny = ['Bash(frob:*)']\n", "deny by deny-rules"},
        {"a.json", "settings", "{\"permissions\":{\"allow\":[\"Bash(frob:*)\"]}}",
         "allow by allow-rules"},
        {"a", NULL, "{\"permissions\":{\"allow\":[\"Bash(frob:*)\"]}}", "allow by allow-rules"},
        {NULL, "guild", "{\"accept\":[\"frob*\"]}", "allow by allow-rules"},
        {"a.json", "warder", "{\"permission\":{}}",
         "deny by policy"}, /* our format does not have this key */
        {"a.yaml", NULL, "deny: [", "deny by policy"},
        {"a.json", NULL, "{}", "ask by risk"}, /* the home is not searched */
    };
    warder_engine *engine;

    (void)state;
    tree_write(&tree, SETTINGS, "deny: ['Bash']\n", 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(open_text(cases[i].name, cases[i].format, cases[i].text, &engine),
                         WARDER_OK);
        const char *said = verdict_in(engine, tree.project, "frob");
        if (strcmp(said, cases[i].want) != 0)
            fail_msg("%s: %s, want %s", cases[i].text, said, cases[i].want);
        warder_engine_free(engine);
    }
    assert_int_equal(open_text("a", "claude", "{}", &engine), WARDER_EUSAGE);
    assert_null(engine);
}

/* A program built with a newer header may ask for fields that we do not know. */
static void options_may_be_shorter_or_longer(void **state)
{
    struct {
        warder_options known;
        size_t more;
    } longer = {
        .known = {.struct_size = sizeof(longer), .home = "/nonexistent", .cwd = "/nonexistent"}};
    warder_engine *engine;
    warder_error err;

    (void)state;
    assert_int_equal(warder_engine_new(&longer.known, &engine, NULL), WARDER_OK);
    warder_engine_free(engine);
    longer.more = 1;
    assert_int_equal(warder_engine_new(&longer.known, &engine, &err), WARDER_EUSAGE);
    assert_null(engine);
    longer.known.struct_size = offsetof(warder_options, texts);
    longer.known.text_count = 1; /* beyond what such a program has */
    assert_int_equal(warder_engine_new(&longer.known, &engine, NULL), WARDER_OK);
    warder_engine_free(engine);
    longer.known.struct_size = 0;
    assert_int_equal(warder_engine_new(&longer.known, &engine, NULL), WARDER_EUSAGE);
    assert_null(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sources_are_read_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_broken_file_keeps_the_last_good_policy, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_was_never_good_denies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(updates_outlive_a_reload, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reload_may_change_the_profile, set_up, tear_down),
        cmocka_unit_test_setup_teardown(projects_are_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(policy_comes_from_memory, set_up, tear_down),
        cmocka_unit_test(options_may_be_shorter_or_longer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
