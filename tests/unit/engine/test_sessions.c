/* Sessions of an embedder: a mode for one of them, and sessions that leave nothing on the disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/shelf.h"
#include "support/policy_tree.h"
#include "warder.h"

#include <cmocka.h>

#define ASKS "curl http://h/"

static struct tree tree;

static warder_engine *open_with(int in_memory, const char *client)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *e = NULL;

    o.home = tree.home;
    o.cwd = tree.project;
    o.client = client;
    o.sessions_in_memory = in_memory;
    assert_int_equal(warder_engine_new(&o, &e, NULL), WARDER_OK);
    return e;
}

static int begin(void **state)
{
    (void)state;
    tree_make(&tree);
    tree_write(&tree, "project/x", "", 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tree_remove(&tree);
    return 0;
}

static warder_decision *check(warder_engine *e, const char *tool, const char *argument,
                              const char *session)
{
    warder_call call = WARDER_CALL_INIT;
    warder_decision *d = NULL;

    call.tool = tool;
    call.argument = argument;
    call.session = session;
    assert_int_equal(warder_check(e, &call, &d, NULL), WARDER_OK);
    return d;
}

static int approve(void *context, const warder_question *question, warder_answer *answer)
{
    (void)question;
    answer->given = 1;
    answer->behavior = WARDER_ALLOW;
    answer->remember = *(const int *)context;
    return 0;
}

/* What it ends as; `remember`: 1 and 0 for a person who approves, -1 for nobody. */
static warder_behavior ends(warder_engine *e, const char *tool, const char *argument,
                            const char *session, int remember)
{
    warder_asking asking = WARDER_ASKING_INIT;
    warder_decision *d = check(e, tool, argument, session);

    asking.client = "test";
    asking.can_use_tool = remember < 0 ? NULL : approve;
    asking.context = &remember;
    assert_int_equal(warder_resolve(e, d, &asking, NULL), WARDER_OK);
    warder_behavior b = warder_decision_behavior(d);
    warder_decision_free(d);
    return b;
}

static warder_behavior judged(warder_engine *e, const char *tool, const char *argument,
                              const char *session)
{
    warder_decision *d = check(e, tool, argument, session);
    warder_behavior b = warder_decision_behavior(d);

    warder_decision_free(d);
    return b;
}

static warder_status set_mode(warder_engine *e, const char *mode, const char *more)
{
    char json[200];

    snprintf(json, sizeof(json), "{\"type\":\"setMode\",\"mode\":\"%s\"%s}", mode, more);
    return warder_engine_update(e, json, strlen(json), NULL);
}

/* ---- the mode of one session ---- */

#define S1    ",\"session\":\"s1\""
#define WRITE "Write", tree_path(&tree, "project/x")

static void a_mode_is_of_its_session(void **state)
{
    warder_engine *e = open_with(0, "test");

    (void)state;
    assert_int_equal(set_mode(e, "acceptEdits", ",\"destination\":\"session\""), WARDER_ESYNTAX);
    assert_int_equal(set_mode(e, "acceptEdits", S1 ",\"destination\":\"user\""), WARDER_ESYNTAX);
    assert_int_equal(judged(e, WRITE, "s1"), WARDER_ASK);
    assert_int_equal(set_mode(e, "acceptEdits", S1 ",\"destination\":\"session\""), WARDER_OK);
    assert_int_equal(judged(e, WRITE, "s1"), WARDER_ALLOW);
    assert_int_equal(judged(e, WRITE, "s2"), WARDER_ASK);
    assert_int_equal(judged(e, WRITE, NULL), WARDER_ASK);
    assert_int_equal(ends(e, WRITE, "s1", -1), WARDER_ALLOW);
    assert_int_equal(ends(e, WRITE, "s2", -1), WARDER_DENY);
    /* a mode of the engine is not that of a session that has its own */
    assert_int_equal(set_mode(e, "plan", ""), WARDER_OK);
    assert_int_equal(judged(e, WRITE, "s1"), WARDER_ALLOW);
    assert_int_equal(judged(e, WRITE, "s2"), WARDER_DENY);
    assert_int_equal(warder_engine_reload(e, NULL), WARDER_OK);
    assert_int_equal(judged(e, WRITE, "s1"), WARDER_ALLOW);
    assert_int_equal(warder_session_end(e, NULL, "s1", NULL), WARDER_OK);
    assert_int_equal(judged(e, WRITE, "s1"), WARDER_DENY);
    warder_engine_free(e);
}

/* The session's own calls may have set a mode before and may set one later: the last one counts. */
static void the_last_mode_counts(void **state)
{
    (void)state;
    for (int in_memory = 0; in_memory < 2; in_memory++) {
        warder_engine *e = open_with(in_memory, "test");
        warder_call call = WARDER_CALL_INIT;
        warder_asking asking = WARDER_ASKING_INIT;
        warder_decision *d = NULL;

        call.tool = "EnterPlanMode";
        call.session = "s1";
        assert_int_equal(warder_check(e, &call, &d, NULL), WARDER_OK);
        asking.can_use_tool = approve;
        asking.context = &in_memory;
        assert_int_equal(warder_resolve(e, d, &asking, NULL), WARDER_OK);
        assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
        warder_decision_free(d);
        assert_int_equal(ends(e, WRITE, "s1", 0), WARDER_DENY);
        assert_int_equal(set_mode(e, "acceptEdits", S1), WARDER_OK);
        assert_int_equal(ends(e, WRITE, "s1", -1), WARDER_ALLOW);
        assert_int_equal(set_mode(e, "plan", S1), WARDER_OK);
        assert_int_equal(ends(e, WRITE, "s1", 0), WARDER_DENY);
        assert_int_equal(ends(e, WRITE, "s2", -1), WARDER_DENY);
        assert_int_equal(ends(e, WRITE, "s2", 0), WARDER_ALLOW);
        warder_engine_free(e);
    }
}

/* Whose session it is must be known: its file is found by it. */
static void a_mode_needs_the_client(void **state)
{
    warder_engine *e = open_with(0, NULL);
    warder_error err = {0};
    const char *json = "{\"type\":\"setMode\",\"mode\":\"plan\",\"session\":\"s1\"}";

    (void)state;
    assert_int_equal(warder_engine_update(e, json, strlen(json), &err), WARDER_EUSAGE);
    assert_non_null(strstr(err.message, "client"));
    assert_int_equal(set_mode(e, "plan", ""), WARDER_OK);
    warder_engine_free(e);
}

/* What cannot be changed in the session's file is not changed at all. */
static void a_broken_session_keeps_its_mode(void **state)
{
    warder_engine *e = open_with(0, "test");
    char command[600];

    (void)state;
    assert_int_equal(ends(e, "Bash", ASKS, "s1", 1), WARDER_ALLOW);
    snprintf(command, sizeof(command),
             "for f in %s/.local/state/warder/sessions/*.json; do echo '{' > $f; done", tree.home);
    assert_int_equal(system(command), 0); /* NOLINT(cert-env33-c) */
    uint64_t before = warder_engine_generation(e);
    assert_int_equal(set_mode(e, "acceptEdits", S1), WARDER_ESYNTAX);
    assert_int_equal(warder_engine_generation(e), before);
    assert_int_equal(judged(e, WRITE, "s1"), WARDER_ASK);
    warder_engine_free(e);
}

/* ---- off the disk ---- */

static bool is_there(const char *below)
{
    struct stat st;
    char path[500];

    snprintf(path, sizeof(path), "%s/%s", tree.home, below);
    return lstat(path, &st) == 0;
}

static void nothing_is_on_the_disk(void **state)
{
    warder_engine *e = open_with(1, "test"), *other = open_with(1, "test");

    (void)state;
    /* files of the project whose rules hold for the session are kept with it */
    tree_write(&tree, "project/.warder/warder.yaml", "deny: ['Bash(frob)']\n", 0);
    assert_int_equal(warder_engine_reload(e, NULL), WARDER_OK);
    assert_int_equal(ends(e, "Bash", ASKS, "s1", 1), WARDER_ALLOW);
    assert_int_equal(ends(e, "Bash", ASKS, "s1", -1), WARDER_ALLOW);
    assert_int_equal(ends(e, "Bash", ASKS, "s2", -1), WARDER_DENY);
    assert_int_equal(ends(other, "Bash", ASKS, "s1", -1), WARDER_DENY);
    assert_int_equal(ends(e, "Bash", "frob", "s1", 0), WARDER_DENY);
    tree_write(&tree, "project/.warder/warder.yaml", "deny: []\n", 0);
    assert_int_equal(warder_engine_reload(e, NULL), WARDER_OK);
    assert_int_equal(ends(e, "Bash", "frob", "s1", 0), WARDER_DENY);
    assert_int_equal(ends(e, "Bash", "frob", "s3", 0), WARDER_ALLOW);
    assert_false(is_there(".local"));
    assert_int_equal(warder_session_end(e, NULL, "s1", NULL), WARDER_OK);
    assert_int_equal(ends(e, "Bash", ASKS, "s1", -1), WARDER_DENY);
    assert_false(is_there(".local"));
    warder_engine_free(e);
    warder_engine_free(other);
    /* the near miss: with files both know it */
    e = open_with(0, "test"), other = open_with(0, "test");
    assert_int_equal(ends(e, "Bash", ASKS, "s1", 1), WARDER_ALLOW);
    assert_int_equal(ends(other, "Bash", ASKS, "s1", -1), WARDER_ALLOW);
    assert_true(is_there(".local/state/warder/sessions"));
    warder_engine_free(e);
    warder_engine_free(other);
}

/* A home that cannot be written is no reason to deny then. */
static void a_read_only_home_will_do(void **state)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *e = NULL;

    (void)state;
    o.home = "/proc";
    o.cwd = tree.project;
    o.client = "test";
    o.sessions_in_memory = 1;
    assert_int_equal(warder_engine_new(&o, &e, NULL), WARDER_OK);
    assert_int_equal(ends(e, "Bash", "ls", "s1", -1), WARDER_ALLOW);
    assert_int_equal(ends(e, "Bash", ASKS, "s1", 1), WARDER_ALLOW);
    assert_int_equal(ends(e, "Bash", ASKS, "s1", -1), WARDER_ALLOW);
    warder_engine_free(e);
    o.sessions_in_memory = 0;
    assert_int_equal(warder_engine_new(&o, &e, NULL), WARDER_OK);
    assert_int_equal(ends(e, "Bash", "ls", "s1", -1), WARDER_DENY);
    warder_engine_free(e);
}

static void a_child_has_its_own(void **state)
{
    warder_engine *e = open_with(1, "test");

    (void)state;
    assert_int_equal(ends(e, "Bash", ASKS, "s1", 1), WARDER_ALLOW);
    pid_t child = fork();
    if (child == 0)
        _exit(ends(e, "Bash", ASKS, "s1", -1) != WARDER_ALLOW ||
              ends(e, "Bash", ASKS, "s2", 1) != WARDER_ALLOW);
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(ends(e, "Bash", ASKS, "s2", -1), WARDER_DENY);
    warder_engine_free(e);
}

/* ---- the shelf itself ---- */

static bool holds(struct shelf *s, const char *name, const char *want)
{
    char *text;
    size_t len;

    assert_int_equal(shelf_read(s, name, &text, &len, NULL), STATUS_OK);
    bool same = want ? text && strcmp(text, want) == 0 && len == strlen(want) : !text && !len;
    free(text);
    return same;
}

static void what_was_used_longest_ago_goes(void **state)
{
    struct shelf *s = shelf_new();
    char name[SHELF_NAME_MAX];

    (void)state;
    assert_non_null(s);
    for (unsigned i = 0; i < SHELF_TEXTS_MAX; i++) {
        snprintf(name, sizeof(name), "%u", i);
        assert_int_equal(shelf_put(s, name, STR("x"), NULL), STATUS_OK);
    }
    assert_true(holds(s, "0", "x"));
    assert_int_equal(shelf_put(s, "more", STR("y"), NULL), STATUS_OK);
    assert_true(shelf_has(s, "0"));
    assert_false(shelf_has(s, "1"));
    assert_int_equal(shelf_put(s, "more", STR("z"), NULL), STATUS_OK);
    assert_true(holds(s, "more", "z"));
    assert_true(shelf_has(s, "2"));
    shelf_remove(s, "more");
    shelf_remove(s, "more");
    assert_true(holds(s, "more", NULL));
    shelf_free(s);
}

static void a_shelf_has_a_limit_of_bytes(void **state)
{
    struct shelf *s = shelf_new();
    char *large = malloc(SHELF_BYTES_MAX / 2 + 1);

    (void)state;
    assert_non_null(large);
    memset(large, 'x', SHELF_BYTES_MAX / 2 + 1);
    assert_int_equal(shelf_put(s, "a", (struct str){large, SHELF_BYTES_MAX / 2}, NULL), STATUS_OK);
    assert_int_equal(shelf_put(s, "b", (struct str){large, SHELF_BYTES_MAX / 2}, NULL), STATUS_OK);
    assert_true(shelf_has(s, "a") && shelf_has(s, "b"));
    assert_int_equal(shelf_put(s, "c", STR("x"), NULL), STATUS_OK);
    assert_false(shelf_has(s, "a"));
    assert_true(shelf_has(s, "b") && shelf_has(s, "c"));
    free(large);
    shelf_free(s);
    shelf_free(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_mode_is_of_its_session),
        TEST(the_last_mode_counts),
        TEST(a_mode_needs_the_client),
        TEST(a_broken_session_keeps_its_mode),
        TEST(nothing_is_on_the_disk),
        TEST(a_read_only_home_will_do),
        TEST(a_child_has_its_own),
        cmocka_unit_test(what_was_used_longest_ago_goes),
        cmocka_unit_test(a_shelf_has_a_limit_of_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
