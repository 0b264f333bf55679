/* A decision in two steps: what its caller is asked, what an answer does, what the record says of
 * it, and every wrong order of the two. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"
#include "machine/clock.h"
#include "support/policy_tree.h"
#include "warder_admin.h"

#include <cmocka.h>

#define ASKS "curl http://h/"
#define OURS "home/.config/warder/warder.yaml"

static struct tree tree;
static warder_engine *engine;

static void open_with(int record, const char *client)
{
    warder_options o = WARDER_OPTIONS_INIT;

    o.home = tree.home;
    o.cwd = tree.project;
    o.record = record;
    o.client = client;
    assert_int_equal(warder_engine_new(&o, &engine, NULL), WARDER_OK);
}

static int begin(void **state)
{
    (void)state;
    tree_make(&tree);
    tree_write(&tree, "project/x", "", 0);
    open_with(1, "test");
    return 0;
}

static int end(void **state)
{
    (void)state;
    warder_engine_free(engine);
    tree_remove(&tree);
    return 0;
}

static warder_decision *check(const char *command, const char *session)
{
    char json[400];
    warder_decision *d = NULL;

    snprintf(json, sizeof(json),
             "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"},\"session\":%s%s%s}", command,
             session ? "\"" : "", session ? session : "null", session ? "\"" : "");
    assert_int_equal(warder_check_json(engine, json, strlen(json), &d, NULL), WARDER_OK);
    return d;
}

static warder_decision *prepared(const char *command, const char *session, uint32_t deadline)
{
    warder_asking asking = WARDER_ASKING_INIT;
    warder_decision *d = check(command, session);

    asking.deadline_ms = deadline;
    assert_int_equal(warder_prepare(engine, d, &asking, NULL), WARDER_OK);
    return d;
}

/* The newest record, as JSON. "": there is none. */
static void newest(char *out, size_t room)
{
    warder_log_filter filter = WARDER_LOG_FILTER_INIT;
    warder_log *log = NULL;
    warder_report *report = NULL;

    assert_int_equal(warder_log_open(NULL, tree.home, &log, NULL), WARDER_OK);
    filter.limit = 1;
    assert_int_equal(warder_log_list(log, &filter, &report, NULL), WARDER_OK);
    snprintf(out, room, "%s", warder_report_json(report));
    warder_report_free(report);
    warder_log_close(log);
}

/* ---- who decided ---- */

static const struct ending {
    const char *why;
    warder_answer answer;
    warder_behavior want;
    const char *name, *reason, *by;
} endings[] = {
    {"a program allows",
     {.given = 1, .behavior = WARDER_ALLOW},
     WARDER_ALLOW,
     "auto-accept",
     "allowed by the application",
     "\"callback\""},
    {"a named program denies",
     {.given = 1, .who = "bot"},
     WARDER_DENY,
     "auto-deny",
     "denied by the application",
     "\"bot\""},
    {"a person allows",
     {.given = 1, .behavior = WARDER_ALLOW, .by = WARDER_BY_PERSON},
     WARDER_ALLOW,
     "human-accept",
     "allowed by a person",
     "\"person\""},
    {"a named person denies",
     {.given = 1, .by = WARDER_BY_PERSON, .who = "ada"},
     WARDER_DENY,
     "human-deny",
     "denied by a person",
     "\"ada\""},
    {"no one in time",
     {.given = 1, .by = WARDER_BY_TIMEOUT},
     WARDER_DENY,
     "timeout-deny",
     "no answer came in time",
     NULL},
    {"asking failed",
     {.given = -1, .behavior = WARDER_ALLOW, .message = "no paper"},
     WARDER_DENY,
     "auto-deny",
     "could not be used: it failed: no paper",
     NULL},
    {"no one", {.given = 0}, WARDER_DENY, "auto-deny", "", NULL},
};

static int callback(void *context, const warder_question *question, warder_answer *answer)
{
    const struct ending *e = context;
    size_t size = answer->struct_size;

    assert_string_equal(question->tool, "Bash");
    *answer = e->answer;
    answer->struct_size = size;
    return 0;
}

static void check_ending(const struct ending *e, warder_decision *d)
{
    char record[4000], by[100];

    newest(record, sizeof(record));
    snprintf(by, sizeof(by), "\"answered_by\": %s", e->by ? e->by : "");
    if (warder_decision_behavior(d) != e->want || strcmp(warder_decision_name(d), e->name) != 0 ||
        !strstr(warder_decision_reason(d), e->reason) || !strstr(record, warder_decision_id(d)) ||
        !strstr(record, e->name) || (strstr(record, by) != NULL) != (e->by != NULL))
        fail_msg("%s: %s\n%s", e->why, warder_decision_json(d), record);
    warder_decision_free(d);
}

/* The same with conclude and with the callback. */
static void the_record_says_who_decided(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(endings); i++) {
        warder_asking asking = WARDER_ASKING_INIT;
        warder_answer answer = endings[i].answer;
        warder_decision *d = prepared(ASKS, NULL, 0);
        assert_int_equal(warder_decision_behavior(d), WARDER_ASK);
        assert_string_equal(warder_decision_id(d), ""); /* it is not decided yet */
        answer.struct_size = sizeof(answer);
        assert_int_equal(warder_conclude(engine, d, &answer, NULL), WARDER_OK);
        check_ending(&endings[i], d);

        d = check(ASKS, NULL);
        asking.can_use_tool = callback;
        asking.context = (void *)(uintptr_t)&endings[i];
        assert_int_equal(warder_resolve(engine, d, &asking, NULL), WARDER_OK);
        check_ending(&endings[i], d);
    }
}

static void an_approval_is_remembered_in_its_session(void **state)
{
    warder_answer answer = WARDER_ANSWER_INIT;
    warder_decision *d = prepared(ASKS, "s1", 0);

    (void)state;
    answer.given = answer.remember = 1;
    answer.behavior = WARDER_ALLOW;
    assert_int_equal(warder_conclude(engine, d, &answer, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
    d = prepared(ASKS, "s1", 0);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    assert_null(strstr(warder_decision_reason(d), "person")); /* it was a program */
    warder_decision_free(d);
    d = prepared(ASKS, "s2", 0);
    assert_int_equal(warder_decision_behavior(d), WARDER_ASK);
    warder_decision_free(d);
}

static warder_behavior judged(const char *command, const char *session)
{
    warder_decision *d = prepared(command, session, 0);
    warder_behavior behavior = warder_decision_behavior(d);

    warder_decision_free(d);
    return behavior;
}

static warder_status change(const char *type, const char *rest)
{
    char json[300];

    snprintf(json, sizeof(json), "{\"type\":\"%s\",\"rules\":[\"Bash(curl http://h/*)\"]%s}", type,
             rest);
    return warder_engine_update(engine, json, strlen(json), NULL);
}

/* What an update grants a session counts for its calls alone, until the session ends. */
static void rules_of_one_session(void **state)
{
#define ALLOW ",\"behavior\":\"allow\""
#define S1    ",\"session\":\"s1\""
    (void)state;
    assert_int_equal(change("addRules", ALLOW ",\"destination\":\"session\""), WARDER_ESYNTAX);
    assert_int_equal(change("addRules", ALLOW S1 ",\"destination\":\"user\""), WARDER_ESYNTAX);
    assert_int_equal(change("addRules", ALLOW ",\"session\":\"\""), WARDER_ESYNTAX);
    assert_int_equal(change("addRules", ALLOW ",\"session\":7"), WARDER_ESYNTAX);
    assert_int_equal(judged(ASKS, "s1"), WARDER_ASK);
    assert_int_equal(change("addRules", ALLOW S1 ",\"destination\":\"session\""), WARDER_OK);
    assert_int_equal(judged(ASKS, "s1"), WARDER_ALLOW);
    assert_int_equal(judged(ASKS, "s2"), WARDER_ASK);
    assert_int_equal(judged(ASKS, NULL), WARDER_ASK);
    assert_int_equal(warder_engine_reload(engine, NULL), WARDER_OK);
    assert_int_equal(judged(ASKS, "s1"), WARDER_ALLOW);
    assert_int_equal(judged(ASKS, "s2"), WARDER_ASK);
    assert_int_equal(change("removeRules", ",\"session\":\"s2\""), WARDER_OK); /* not its own */
    assert_int_equal(judged(ASKS, "s1"), WARDER_ALLOW);

    assert_int_equal(change("addRules", ",\"behavior\":\"deny\",\"destination\":\"engine\""),
                     WARDER_OK);
    assert_int_equal(judged(ASKS, "s1"), WARDER_DENY);
    assert_int_equal(change("removeRules", S1), WARDER_OK); /* takes no rule of the engine away */
    assert_int_equal(judged(ASKS, "s1"), WARDER_DENY);
    assert_int_equal(change("removeRules", ""), WARDER_OK);
    assert_int_equal(judged(ASKS, "s1"), WARDER_ASK);
}

static void a_session_ends(void **state)
{
    warder_answer answer = WARDER_ANSWER_INIT;
    warder_decision *d = prepared(ASKS, "s1", 0);

    (void)state;
    answer.given = answer.remember = 1;
    answer.behavior = WARDER_ALLOW;
    assert_int_equal(warder_conclude(engine, d, &answer, NULL), WARDER_OK);
    warder_decision_free(d);
    assert_int_equal(change("addRules", ",\"behavior\":\"allow\",\"session\":\"s2\""), WARDER_OK);
    assert_int_equal(judged(ASKS, "s1"), WARDER_ALLOW);
    assert_int_equal(judged(ASKS, "s2"), WARDER_ALLOW);
    assert_int_equal(warder_session_end(engine, "other", "s1", NULL), WARDER_OK);
    assert_int_equal(judged(ASKS, "s1"), WARDER_ALLOW); /* another program's */
    assert_int_equal(warder_session_end(engine, NULL, "s1", NULL), WARDER_OK);
    assert_int_equal(judged(ASKS, "s1"), WARDER_ASK);
    assert_int_equal(judged(ASKS, "s2"), WARDER_ALLOW);
    assert_int_equal(warder_session_end(engine, "test", "s2", NULL), WARDER_OK);
    assert_int_equal(judged(ASKS, "s2"), WARDER_ASK);
    assert_int_equal(warder_session_end(engine, "test", "never", NULL), WARDER_OK);
    assert_int_equal(warder_session_end(engine, "test", "", NULL), WARDER_EUSAGE);
    assert_int_equal(warder_session_end(NULL, "test", "s1", NULL), WARDER_EUSAGE);
}

static void an_answer_may_be_too_late(void **state)
{
    warder_answer answer = WARDER_ANSWER_INIT;
    warder_decision *d = prepared(ASKS, NULL, 20);

    (void)state;
    assert_int_equal(warder_decision_behavior(d), WARDER_ASK);
    usleep(30000);
    answer.given = 1;
    answer.behavior = WARDER_ALLOW;
    assert_int_equal(warder_conclude(engine, d, &answer, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    assert_string_equal(warder_decision_name(d), "timeout-deny");
    warder_decision_free(d);
}

static void the_question_has_the_rewritten_input(void **state)
{
    warder_question question = WARDER_QUESTION_INIT;

    (void)state;
    warder_engine_free(engine);
    tree_write(&tree, OURS,
               "hooks:\n  PreToolUse:\n    - hooks:\n        - {command: sh, args: [-c, 'cat "
               ">/dev/null; echo "
               "\"{\\\"hookSpecificOutput\\\":{\\\"updatedInput\\\":{\\\"command\\\":\\\"curl "
               "http://other/\\\"}}}\"'], timeout: 20}\n",
               0);
    open_with(1, "test");
    warder_decision *d = prepared(ASKS, NULL, 0);
    assert_int_equal(warder_question_of(d, &question, NULL), WARDER_OK);
    assert_string_equal(question.input, "{\"command\":\"curl http://other/\"}");
    assert_non_null(strstr(question.verdict, "\"behavior\":\"ask\""));
    warder_decision_free(d); /* given up: no record */
    char record[4000];
    newest(record, sizeof(record));
    assert_null(strstr(record, "curl"));
}

/* ---- wrong orders ---- */

static void deny_and_free(warder_decision *d)
{
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);
}

static void used_wrongly(void **state)
{
    warder_answer allow = WARDER_ANSWER_INIT, small = WARDER_ANSWER_INIT;
    warder_asking asking = WARDER_ASKING_INIT;
    warder_question question = WARDER_QUESTION_INIT;

    (void)state;
    allow.given = 1;
    allow.behavior = WARDER_ALLOW;
    small.struct_size = 0;
    assert_int_equal(warder_prepare(engine, NULL, NULL, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_conclude(engine, NULL, &allow, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_question_of(NULL, &question, NULL), WARDER_EUSAGE);

    warder_decision *d = check("ls", NULL); /* never prepared */
    assert_int_equal(warder_question_of(d, &question, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    assert_int_equal(warder_conclude(engine, d, &allow, NULL), WARDER_EUSAGE);
    deny_and_free(d);

    d = prepared(ASKS, NULL, 0); /* twice */
    assert_int_equal(warder_conclude(engine, d, &allow, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    assert_int_equal(warder_conclude(engine, d, &allow, NULL), WARDER_EUSAGE);
    deny_and_free(d);

    d = prepared(ASKS, NULL, 0);
    assert_int_equal(warder_prepare(engine, d, NULL, NULL), WARDER_EUSAGE);
    deny_and_free(d);
    d = prepared(ASKS, NULL, 0);
    assert_int_equal(warder_resolve(engine, d, NULL, NULL), WARDER_EUSAGE);
    deny_and_free(d);
    d = prepared(ASKS, NULL, 0);
    assert_int_equal(warder_conclude(NULL, d, &allow, NULL), WARDER_EUSAGE);
    deny_and_free(d);
    d = prepared(ASKS, NULL, 0);
    assert_int_equal(warder_conclude(engine, d, &small, NULL), WARDER_EUSAGE);
    deny_and_free(d);
    d = prepared(ASKS, NULL, 0); /* what is asked about the next call is not this question */
    assert_int_equal(warder_check_again(d, "{", 1, NULL), WARDER_OK);
    assert_int_equal(warder_conclude(engine, d, &allow, NULL), WARDER_EUSAGE);
    deny_and_free(d);

    asking.terminal = 1;
    d = check(ASKS, NULL);
    assert_int_equal(warder_prepare(engine, d, &asking, NULL), WARDER_EUSAGE);
    deny_and_free(d);
    asking.terminal = 0;
    asking.can_use_tool = callback;
    d = check(ASKS, NULL);
    assert_int_equal(warder_prepare(engine, d, &asking, NULL), WARDER_EUSAGE);
    deny_and_free(d);
}

/* A decision that became a deny after it was prepared is not raised by an answer. */
static void a_refusal_after_the_question_stays(void **state)
{
    warder_answer allow = WARDER_ANSWER_INIT;

    (void)state;
    allow.given = 1;
    allow.behavior = WARDER_ALLOW;
    warder_decision *d = prepared(ASKS, NULL, 0);
    assert_int_equal(warder_resolve(engine, d, NULL, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    (void)!warder_conclude(engine, d, &allow, NULL);
    deny_and_free(d);
}

static void callers_of_other_versions(void **state)
{
    struct {
        warder_question known;
        char more[64];
    } newer = {.known = WARDER_QUESTION_INIT};
    warder_question older = WARDER_QUESTION_INIT;
    warder_answer answer = WARDER_ANSWER_INIT;

    (void)state;
    warder_decision *d = prepared(ASKS, NULL, 0);
    memset(newer.more, 'x', sizeof(newer.more));
    newer.known.struct_size = sizeof(newer);
    assert_int_equal(warder_question_of(d, &newer.known, NULL), WARDER_OK);
    assert_string_equal(newer.known.tool, "Bash");
    assert_int_equal(newer.more[0], 0); /* not known here */
    older.struct_size = offsetof(warder_question, tool_use_id);
    older.cwd = "untouched";
    assert_int_equal(warder_question_of(d, &older, NULL), WARDER_OK);
    assert_string_equal(older.tool, "Bash");
    assert_string_equal(older.cwd, "untouched");
    answer.struct_size = offsetof(warder_answer, by);
    answer.given = 1;
    answer.behavior = WARDER_ALLOW;
    answer.by = (warder_by)99; /* after the end of an older struct */
    assert_int_equal(warder_conclude(engine, d, &answer, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
}

static void a_session_needs_a_client(void **state)
{
    warder_asking asking = WARDER_ASKING_INIT;
    warder_error err = {0};

    (void)state;
    warder_engine_free(engine);
    open_with(0, NULL);
    warder_decision *d = check("ls", "s1");
    assert_int_equal(warder_resolve(engine, d, NULL, &err), WARDER_EUSAGE);
    assert_non_null(strstr(err.message, "client"));
    deny_and_free(d);
    d = check("ls", "s1");
    asking.client = "";
    assert_int_equal(warder_prepare(engine, d, &asking, NULL), WARDER_EUSAGE);
    deny_and_free(d);
    d = check("ls", "s1");
    asking.client = "test";
    assert_int_equal(warder_prepare(engine, d, &asking, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
    d = check("ls", NULL);
    assert_int_equal(warder_resolve(engine, d, NULL, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
}

/* ---- taken back ---- */

static int hangs(void *context, const warder_question *question, warder_answer *answer)
{
    struct pollfd fd = {.fd = question->cancel_fd, .events = POLLIN};

    (void)context;
    poll(&fd, 1, 20000);
    answer->given = 1;
    answer->behavior = WARDER_ALLOW; /* too late */
    return 0;
}

static void *take_back(void *arg)
{
    usleep(30000);
    assert_int_equal(write(*(int *)arg, "x", 1), 1);
    return NULL;
}

static void taken_back_with(int readable_before)
{
    warder_asking asking = WARDER_ASKING_INIT;
    pthread_t thread;
    int fds[2];

    assert_int_equal(pipe(fds), 0);
    asking.can_use_tool = hangs;
    asking.cancel_fd = fds[0];
    asking.deadline_ms = 20000;
    warder_decision *d = check(ASKS, NULL);
    int64_t began = clock_ms();
    if (readable_before)
        assert_int_equal(write(fds[1], "x", 1), 1);
    else
        assert_int_equal(pthread_create(&thread, NULL, take_back, &fds[1]), 0);
    assert_int_equal(warder_resolve(engine, d, &asking, NULL), WARDER_OK);
    assert_true(clock_ms() - began < 10000);
    if (!readable_before)
        pthread_join(thread, NULL);
    assert_string_equal(warder_decision_reason(d), "the question was taken back");
    deny_and_free(d);
    close(fds[0]);
    close(fds[1]);
}

static void a_question_can_be_taken_back(void **state)
{
    (void)state;
    taken_back_with(0);
    taken_back_with(1);
    warder_engine_free(engine);
    tree_write(&tree, OURS,
               "hooks:\n  PreToolUse:\n    - hooks:\n        - {command: sleep, args: ['20'], "
               "timeout: 30}\n",
               0);
    open_with(1, "test");
    taken_back_with(0); /* while a hook runs */
}

/* Zero is no descriptor: a struct that was zeroed by hand must not watch standard input. */
static void standard_input_takes_nothing_back(void **state)
{
    warder_asking asking = {.struct_size = sizeof(asking)};
    struct ending allows = {.answer = {.given = 1, .behavior = WARDER_ALLOW}};
    int fds[2], before = dup(STDIN_FILENO);

    (void)state;
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(write(fds[1], "x", 1), 1);
    asking.can_use_tool = callback;
    asking.context = &allows;
    warder_decision *d = check(ASKS, NULL);
    assert_int_equal(warder_resolve(engine, d, &asking, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);
    if (before >= 0)
        dup2(before, STDIN_FILENO);
    close(before);
    close(fds[0]);
    close(fds[1]);
}

/* Each allocation of the two steps fails once: never an allow. */
static void memory_runs_out(void **state)
{
    size_t failed = 0;

    (void)state;
    for (size_t n = 1;; n++) {
        warder_asking asking = WARDER_ASKING_INIT;
        warder_answer answer = WARDER_ANSWER_INIT;
        warder_question question = WARDER_QUESTION_INIT;
        warder_decision *d = check(ASKS, "s1");
        answer.given = 1;
        answer.behavior = WARDER_ALLOW;
        answer.message = "fine";
        answer.who = "ada";
        answer.updated_input = "{\"command\":\"curl http://x/\"}";
        asking.client = "test";
        arena_fail_at(&d->arena, d->arena.allocations + n);
        (void)!warder_prepare(engine, d, &asking, NULL);
        (void)!warder_question_of(d, &question, NULL);
        (void)!warder_conclude(engine, d, &answer, NULL);
        bool ran_out = d->arena.allocations >= d->arena.fail_at;
        warder_behavior b = warder_decision_behavior(d);
        warder_decision_free(d);
        if (!ran_out) {
            assert_int_equal(b, WARDER_ALLOW);
            break;
        }
        if (b == WARDER_ALLOW)
            fail_msg("allocation %zu failed, and it is allowed", n);
        failed++;
    }
    assert_true(failed > 100);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_record_says_who_decided),
        TEST(an_approval_is_remembered_in_its_session),
        TEST(rules_of_one_session),
        TEST(a_session_ends),
        TEST(an_answer_may_be_too_late),
        TEST(the_question_has_the_rewritten_input),
        TEST(used_wrongly),
        TEST(a_refusal_after_the_question_stays),
        TEST(callers_of_other_versions),
        TEST(a_session_needs_a_client),
        TEST(a_question_can_be_taken_back),
        TEST(standard_input_takes_nothing_back),
        TEST(memory_runs_out),
    };

    /* a cancel_fd of 0 is none */
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    close(none);
    return failed;
}
