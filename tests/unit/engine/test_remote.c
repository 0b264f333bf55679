/* Decisions made by a service: which service is trusted, what its answers mean, and that every
 * failure denies. */
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask/pause.h"
#include "ask/service.h"
#include "support/fakeservice.h"
#include "warder.h"

#include <cmocka.h>

static char home[64], data[96];

/* ---- one decision ---- */

static void write_policy(const char *text)
{
    char path[160];
    FILE *file;

    snprintf(path, sizeof(path), "%s/.config", home);
    mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/.config/warder", home);
    mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/.config/warder/warder.yaml", home);
    file = fopen(path, "we");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, 0600);
}

static warder_engine *open_engine(const warder_options *more)
{
    warder_options o = *more;
    warder_engine *engine = NULL;
    warder_error err = {0};

    o.home = o.cwd = home;
    o.data = data;
    o.record = 1;
    if (warder_engine_new(&o, &engine, &err) != WARDER_OK)
        fail_msg("%s", err.message);
    return engine;
}

struct outcome {
    warder_behavior behavior;
    char layer[32], reason[300], name[32], id[64], input[128];
    bool interrupt;
};

static struct outcome decide_as(const warder_options *options, const warder_asking *asking,
                                const char *command)
{
    warder_engine *engine = open_engine(options);
    warder_decision *d = NULL;
    warder_error err = {0};
    struct outcome o;

    assert_int_equal(warder_check_argument(engine, "Bash", command, &d, &err), WARDER_OK);
    assert_int_equal(warder_resolve(engine, d, asking, &err), WARDER_OK);
    o.behavior = warder_decision_behavior(d);
    o.interrupt = warder_decision_interrupt(d) != 0;
    snprintf(o.layer, sizeof(o.layer), "%s", warder_decision_layer(d));
    snprintf(o.reason, sizeof(o.reason), "%s", warder_decision_reason(d));
    snprintf(o.name, sizeof(o.name), "%s", warder_decision_name(d));
    snprintf(o.id, sizeof(o.id), "%s", warder_decision_id(d));
    const char *input = warder_decision_updated_input(d);
    snprintf(o.input, sizeof(o.input), "%s", input ? input : "");
    warder_decision_free(d);
    warder_engine_free(engine);
    return o;
}

static struct outcome decide(const warder_asking *asking, const char *command)
{
    warder_options options = WARDER_OPTIONS_INIT;

    return decide_as(&options, asking, command);
}

static const warder_asking quick = {
    .struct_size = sizeof(quick), .client = "test", .deadline_ms = 20000};
static const warder_asking short_time = {
    .struct_size = sizeof(short_time), .client = "test", .deadline_ms = 300};
static const warder_asking leaving = {
    .struct_size = sizeof(leaving), .client = "test", .deadline_ms = 20000, .leave_ask = 1};

/* ---- tests ---- */

#define ALLOW                                                                                      \
    "{\"behavior\":\"allow\",\"decision\":\"auto-accept\",\"decision_id\":\"d_1\",\"layer\":"      \
    "\"allow-rules\","                                                                             \
    "\"reason\":\"so\"}\n"
#define DENY                                                                                       \
    "{\"behavior\":\"deny\",\"decision\":\"auto-deny\",\"decision_id\":\"d_2\",\"layer\":\"deny-"  \
    "rules\",\"reason\":"                                                                          \
    "\"no\",\"interrupt\":true}\n"
#define ASK                                                                                        \
    "{\"behavior\":\"ask\",\"decision\":\"ask\",\"decision_id\":\"d_3\",\"layer\":\"risk\","       \
    "\"reason\":\"who "                                                                            \
    "knows\"}\n"
#define WAITS                                                                                      \
    "{\"behavior\":\"ask\",\"status\":\"pending\",\"review_id\":\"r_7\",\"reason\":\"who "         \
    "knows\"}\n"
#define PERSON                                                                                     \
    "{\"behavior\":\"allow\",\"decision\":\"human-accept\",\"decision_id\":\"d_4\",\"reason\":"    \
    "\"yes\"}\n"
#define REFUSE                                                                                     \
    "{\"behavior\":\"deny\",\"decision\":\"human-deny\",\"decision_id\":\"d_5\",\"message\":"      \
    "\"not today\"}\n"
#define LATE "{\"behavior\":\"deny\",\"decision\":\"timeout-deny\",\"decision_id\":\"d_6\"}\n"

static void what_the_service_says_is_final(void **state)
{
    static const struct {
        const char *command, *answer;
        warder_behavior want;
        const char *layer, *name, *id;
    } rows[] = {
        {"rm -rf build2", ALLOW, WARDER_ALLOW, "allow-rules", "auto-accept", "d_1"},
        {"ls", DENY, WARDER_DENY, "deny-rules", "auto-deny", "d_2"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fake f = {.answers = {rows[i].answer}, .count = 1};
        fake_start(&f, data);
        struct outcome o = decide(&quick, rows[i].command);
        fake_stop(&f);
        assert_int_equal(o.behavior, rows[i].want);
        assert_string_equal(o.layer, rows[i].layer);
        assert_string_equal(o.name, rows[i].name);
        assert_string_equal(o.id, rows[i].id);
        assert_int_equal(o.interrupt, rows[i].want == WARDER_DENY);
        assert_non_null(strstr(f.heard[0], "\"client\":\"test\""));
        assert_non_null(strstr(f.heard[0], "\"wait\":0}"));
    }
}

static void the_whole_call_goes_along(void **state)
{
    static const char *const wanted[] = {
        "\"tool\":\"mcp__x__y\"",
        "\"input\":{\"a\":[1,\"\\u0007\"]}",
        "\"cwd\":\"/tmp\"",
        "\"project\":\"/var\"",
        "\"session\":\"s \\\"1\\\"\"",
        "\"mode\":\"plan\"",
        "\"tool_use_id\":\"t1\"",
        "\"plan_file\":\"/p\"",
        "\"doubt\":\"why\"",
        "\"cwd_unknown\":true",
        "\"worker_id\":\"w\"",
        "\"task_id\":\"7\"",
        "\"project_id\":\"p\"",
        "\"annotations\":{\"readOnly\":true,\"destructive\":true}",
    };
    const char call[] =
        "{\"tool\":\"mcp__x__y\",\"input\":{\"a\":[1,\"\\u0007\"]},\"cwd\":\"/tmp\",\"project\":\"/"
        "var\","
        "\"session\":\"s \\\"1\\\"\",\"mode\":\"plan\",\"tool_use_id\":\"t1\",\"plan_file\":\"/p\","
        "\"doubt\":\"why\",\"cwd_unknown\":true,\"worker_id\":\"w\",\"task_id\":7,\"project_id\":"
        "\"p\","
        "\"annotations\":{\"readOnly\":true,\"destructive\":true}}";
    struct fake f = {.answers = {DENY}, .count = 1};
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine = open_engine(&options);
    warder_decision *d = NULL;

    (void)state;
    fake_start(&f, data);
    assert_int_equal(warder_check_json(engine, call, strlen(call), &d, NULL), WARDER_OK);
    assert_int_equal(warder_resolve(engine, d, &quick, NULL), WARDER_OK);
    fake_stop(&f);
    for (size_t i = 0; i < COUNT(wanted); i++)
        if (!strstr(f.heard[0], wanted[i]))
            fail_msg("%s is not in %s", wanted[i], f.heard[0]);
    warder_decision_free(d);
    warder_engine_free(engine);
}

/* Harmless by itself: only the failure of the service can deny it. */
static void a_broken_answer_denies(void **state)
{
    static const char *const answers[] = {
        "",
        "\n",
        "{}\n",
        "[]\n",
        "allow\n",
        "{\"behavior\":\"allow\"}\n",
        "not json\n",
        "{\"behavior\":\"allow\",\"decision\":\"auto-deny\",\"decision_id\":\"d\"}\n",
        "{\"behavior\":\"allow\",\"decision\":\"auto-accept\"}\n",
        "{\"behavior\":\"allow\",\"decision\":\"auto-accept\",\"decision_id\":\"\"}\n",
        "{\"behavior\":\"allow\",\"decision\":\"auto-accept\",\"decision_id\":\"a\\nb\"}\n",
        "{\"behavior\":\"allow\",\"behavior\":\"allow\",\"decision\":\"auto-accept\",\"decision_"
        "id\":\"d\"}\n",
        "{\"behavior\":\"allow\",\"decision\":\"auto-accept\",\"decision_id\":\"d\",\"updated_"
        "input\":\"x\"}\n",
        "{\"behavior\":\"ask\",\"status\":\"pending\"}\n",
        "{\"behavior\":\"ask\",\"status\":\"pending\",\"review_id\":\"a\\\"b\"}\n",
        ALLOW ALLOW,
        ALLOW "x",
        /* no line feed, then the end */
        "{\"behavior\":\"allow\",\"decision\":\"auto-accept\",\"decision_id\":\"d_1\"}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(answers); i++) {
        struct fake f = {.answers = {answers[i]}, .count = 1};
        fake_start(&f, data);
        struct outcome o = decide(&quick, "ls");
        fake_stop(&f);
        if (o.behavior != WARDER_DENY || strcmp(o.layer, "service") != 0)
            fail_msg("%s: %d by %s", answers[i], o.behavior, o.layer);
        assert_int_equal(f.lines, 1);
        assert_string_equal(o.name, "auto-deny"); /* and it is recorded here */
        assert_true(o.id[0]);
    }
}

static void no_answer_in_time_denies(void **state)
{
    struct fake f = {.answers = {NULL}, .count = 1};

    (void)state;
    fake_start(&f, data);
    struct outcome o = decide(&short_time, "ls");
    fake_stop(&f);
    assert_int_equal(o.behavior, WARDER_DENY);
    assert_string_equal(o.layer, "service");
}

static void without_a_service_it_is_decided_here(void **state)
{
    static const struct {
        const char *policy;
        warder_behavior want;
    } rows[] = {
        {"service: auto\n", WARDER_ALLOW},
        {"service: off\n", WARDER_ALLOW},
        {"service: required\n", WARDER_DENY},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_policy(rows[i].policy);
        struct outcome o = decide(&quick, "ls");
        assert_int_equal(o.behavior, rows[i].want);
        assert_string_equal(o.layer, rows[i].want == WARDER_DENY ? "service" : "harmless");
    }
    write_policy("");
}

static void a_service_that_is_off_is_not_asked(void **state)
{
    struct fake f = {.answers = {DENY}, .count = 1};

    (void)state;
    write_policy("service: off\n");
    fake_start(&f, data);
    assert_int_equal(decide(&quick, "ls").behavior, WARDER_ALLOW);
    fake_stop(&f);
    assert_int_equal(f.lines, 0);
    write_policy("");
}

static void a_place_that_others_can_write_is_not_believed(void **state)
{
    (void)state;
    for (size_t required = 0; required < 2; required++) {
        struct fake f = {.answers = {ALLOW}, .count = 1};
        struct service_line line;
        struct error err;
        char link[128];
        write_policy(required ? "service: required\n" : "");
        fake_start(&f, data);
        snprintf(link, sizeof(link), "%s/link", home);
        assert_int_equal(symlink(data, link), 0);
        assert_int_not_equal(service_open(&line, link, &err),
                             STATUS_OK); /* a link may be pointed elsewhere */
        service_close(&line);
        unlink(link);
        chmod(data, 0770);
        assert_int_equal(service_open(&line, data, &err), STATUS_UNSAFE);
        service_close(&line);
        /* The record is there too, so nothing is allowed either way; nothing is sent. */
        struct outcome o = decide(&quick, "rm -rf build2");
        chmod(data, 0700);
        fake_stop(&f);
        assert_int_equal(o.behavior, WARDER_DENY);
        assert_int_equal(f.lines, 0);
    }
    write_policy("");
}

static void what_was_given_by_hand_is_decided_here(void **state)
{
    const warder_rule rule = {WARDER_DENY, "Bash(ls)"};
    warder_options options = WARDER_OPTIONS_INIT;

    (void)state;
    options.rules = &rule;
    options.rule_count = 1;
    for (size_t required = 0; required < 2; required++) {
        struct fake f = {.answers = {ALLOW}, .count = 1};
        write_policy(required ? "service: required\n" : "");
        fake_start(&f, data);
        struct outcome o = decide_as(&options, &quick, "ls");
        fake_stop(&f);
        assert_int_equal(f.lines, 0);
        assert_int_equal(o.behavior, WARDER_DENY);
        assert_string_equal(o.layer, required ? "service" : "deny-rules");
    }
    write_policy("");
}

/* A hook in an agent's settings: `warder run` runs it, the service does not. */
static void write_agent_hook(bool there)
{
    char path[160];

    snprintf(path, sizeof(path), "%s/.claude", home);
    mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/.claude/settings.json", home);
    FILE *file = there ? fopen(path, "we") : NULL;
    if (!there) {
        unlink(path);
        return;
    }
    assert_non_null(file);
    fputs("{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": "
          "\"command\", \"command\": "
          "\"echo no >&2; exit 2\"}]}]}}",
          file);
    fclose(file);
    chmod(path, 0600);
}

static void hooks_of_agents_are_not_passed_by(void **state)
{
    warder_asking agent = quick;

    (void)state;
    write_agent_hook(true);
    for (size_t required = 0; required < 2; required++) {
        struct fake f = {.answers = {ALLOW}, .count = 1};
        write_policy(required ? "service: required\n" : "");
        fake_start(&f, data);
        struct outcome o = decide(&quick, "ls");
        fake_stop(&f);
        assert_int_equal(f.lines, 0);
        assert_int_equal(o.behavior, WARDER_DENY);
        assert_string_equal(o.layer, required ? "service" : "hooks");
    }
    write_policy("");
    agent.client_runs_hooks = 1; /* then the agent runs it */
    struct fake f = {.answers = {ALLOW}, .count = 1};
    fake_start(&f, data);
    assert_int_equal(decide(&agent, "ls").behavior, WARDER_ALLOW);
    fake_stop(&f);
    assert_int_equal(f.lines, 1);
    write_agent_hook(false);
}

static void reviews_are_waited_for(void **state)
{
    static const struct {
        const char *answers[ANSWERS_MAX];
        size_t count;
        warder_behavior want;
        const char *name, *id;
    } rows[] = {
        {{WAITS, PERSON}, 2, WARDER_ALLOW, "human-accept", "d_4"},
        {{WAITS, REFUSE}, 2, WARDER_DENY, "human-deny", "d_5"},
        {{WAITS, LATE}, 2, WARDER_DENY, "timeout-deny", "d_6"},
        {{WAITS, WAITS, PERSON}, 3, WARDER_ALLOW, "human-accept", "d_4"}, /* it is asked again */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fake f = {.count = rows[i].count};
        memcpy(f.answers, rows[i].answers, sizeof(f.answers));
        fake_start(&f, data);
        struct outcome o = decide(&quick, "unknown-program");
        fake_stop(&f);
        assert_int_equal(o.behavior, rows[i].want);
        assert_string_equal(o.layer, "review");
        assert_string_equal(o.name, rows[i].name);
        assert_string_equal(o.id, rows[i].id);
        assert_null(strstr(f.heard[0], "review_id"));
        assert_non_null(strstr(f.heard[1], "\"review_id\":\"r_7\"}"));
    }
}

static void a_review_that_is_still_pending_denies(void **state)
{
    static const struct {
        const char *second;
        const warder_asking *asking;
    } rows[] = {{NULL, &short_time}, {"", &quick}, {"nonsense\n", &quick}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fake f = {.answers = {WAITS, rows[i].second}, .count = 2};
        fake_start(&f, data);
        struct outcome o = decide(rows[i].asking, "unknown-program");
        fake_stop(&f);
        assert_int_equal(o.behavior, WARDER_DENY);
        assert_non_null(strstr(o.reason, "review r_7 is pending"));
        assert_string_equal(o.id, ""); /* the service records the end */
    }
}

static void a_client_that_asks_needs_no_review(void **state)
{
    struct fake f = {.answers = {ASK}, .count = 1};

    (void)state;
    fake_start(&f, data);
    struct outcome o = decide(&leaving, "unknown-program");
    fake_stop(&f);
    assert_int_equal(o.behavior, WARDER_ASK);
    assert_string_equal(o.id, "d_3");
    assert_non_null(strstr(f.heard[0], "\"review\":false"));

    write_policy("service: required\n"); /* there reviewers answer */
    f = (struct fake){.answers = {WAITS, PERSON}, .count = 2};
    fake_start(&f, data);
    o = decide(&leaving, "unknown-program");
    fake_stop(&f);
    assert_int_equal(o.behavior, WARDER_ALLOW);
    assert_null(strstr(f.heard[0], "\"review\":false"));
    write_policy("");
}

static int say_yes(void *context, const warder_question *question, warder_answer *answer)
{
    (void)context;
    (void)question;
    answer->given = 1;
    answer->behavior = WARDER_ALLOW;
    return 0;
}

static void the_first_answer_counts(void **state)
{
    struct fake f = {.answers = {WAITS, NULL}, .count = 2};
    warder_asking asking = quick;

    (void)state;
    asking.can_use_tool = say_yes;
    fake_start(&f, data);
    struct outcome o = decide(&asking, "unknown-program");
    fake_stop(&f);
    assert_int_equal(o.behavior, WARDER_ALLOW);
    assert_string_equal(o.layer, "callback");
    assert_true(o.id[0] && strcmp(o.id, "d_4") != 0);
}

static void a_rewritten_input_runs(void **state)
{
    struct fake f = {
        .answers = {"{\"behavior\":\"allow\",\"decision\":\"auto-accept\",\"decision_id\":\"d_9\","
                    "\"updated_input\":{\"command\":\"ls -l\"}}\n"},
        .count = 1};

    (void)state;
    fake_start(&f, data);
    struct outcome o = decide(&quick, "ls");
    fake_stop(&f);
    assert_int_equal(o.behavior, WARDER_ALLOW);
    assert_string_equal(o.input, "{\"command\":\"ls -l\"}");
}

/* The bytes of an answer arrive in arbitrary pieces. */
static void answers_in_pieces_and_their_limit(void **state)
{
    int pair[2];
    struct service_line line = {.fd = -1};
    struct error err;
    struct str text;
    static char many[65536];

    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), 0);
    line.fd = pair[0];
    assert_int_equal(service_read(&line, &text, &err), STATUS_OK);
    assert_int_equal(text.len, 0);
    assert_int_equal(write(pair[1], "ab", 2), 2);
    assert_int_equal(service_read(&line, &text, &err), STATUS_OK);
    assert_int_equal(text.len, 0);
    assert_int_equal(write(pair[1], "c\n", 2), 2);
    assert_int_equal(service_read(&line, &text, &err), STATUS_OK);
    assert_true(str_is(text, "abc"));
    line.len = 0;
    memset(many, 'x', sizeof(many));
    enum status status = STATUS_OK;
    size_t sent = 0;
    while (status == STATUS_OK && sent < 2 * SERVICE_LINE_MAX + 2 * sizeof(many)) {
        ssize_t n = write(pair[1], many, sizeof(many));
        sent += n > 0 ? (size_t)n : 0;
        status = service_read(&line, &text, &err);
    }
    assert_int_equal(status, STATUS_LIMIT);
    assert_true(sent > SERVICE_LINE_MAX);
    service_close(&line);
    close(pair[1]);
}

/* The name is ours, but another user's service listens. */
static void another_users_service_is_not_believed(void **state)
{
    struct service_line line;
    struct error err;
    int ready[2], fd;
    char byte = 0;

    (void)state;
    if (geteuid() != 0)
        skip();
    fd = fake_listen(data);
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        if (setresuid(65534, 65534, 65534) != 0 || listen(fd, 4) != 0)
            _exit(1);
        (void)!write(ready[1], &byte, 1);
        pause();
        _exit(0);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(service_open(&line, data, &err), STATUS_UNSAFE);
    service_close(&line);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(fd);
}

static void begin_pause(void)
{
    char path[160];
    struct pause planned;
    struct error err = {0};
    struct arena a;

    arena_init(&a, (size_t)1024 * 1024);
    snprintf(path, sizeof(path), "%s/.local/state/warder", home);
    assert_int_equal(pause_plan(600, (struct str){0}, &planned, &err), STATUS_OK);
    assert_int_equal(pause_begin(&a, path, &planned, &err), STATUS_OK);
    arena_release(&a);
}

/* Ours stays out of it, unless policy requires it; without the option there is no pause. */
static void a_pause_counts_before_our_own_service(void **state)
{
    static const struct {
        const char *policy;
        int pausable;
        warder_behavior want;
        size_t lines;
    } rows[] = {
        {"", 1, WARDER_ALLOW, 0},
        {"", 0, WARDER_DENY, 1},
        {"service: required\n", 1, WARDER_DENY, 1},
        {"pause: off\n", 1, WARDER_DENY, 1},
    };

    (void)state;
    begin_pause();
    for (size_t i = 0; i < COUNT(rows); i++) {
        warder_options options = WARDER_OPTIONS_INIT;
        struct fake f = {.answers = {DENY}, .count = 1};
        options.pausable = rows[i].pausable;
        write_policy(rows[i].policy);
        fake_start(&f, data);
        struct outcome o = decide_as(&options, &quick, "curl https://example.com");
        fake_stop(&f);
        assert_int_equal(o.behavior, rows[i].want);
        assert_int_equal(f.lines, rows[i].lines);
    }
    write_policy("");
}

static int make_home(void **state)
{
    (void)state;
    unsetenv("XDG_RUNTIME_DIR");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("WARDER_CONFIG");
    snprintf(home, sizeof(home), "/tmp/warder-remote-XXXXXX");
    if (!mkdtemp(home))
        return -1;
    snprintf(data, sizeof(data), "%s/data", home);
    return mkdir(data, 0700);
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static int remove_home(void **state)
{
    (void)state;
    return nftw(home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_service_says_is_final),
        cmocka_unit_test(the_whole_call_goes_along),
        cmocka_unit_test(a_broken_answer_denies),
        cmocka_unit_test(no_answer_in_time_denies),
        cmocka_unit_test(without_a_service_it_is_decided_here),
        cmocka_unit_test(a_service_that_is_off_is_not_asked),
        cmocka_unit_test(a_place_that_others_can_write_is_not_believed),
        cmocka_unit_test(what_was_given_by_hand_is_decided_here),
        cmocka_unit_test(hooks_of_agents_are_not_passed_by),
        cmocka_unit_test(reviews_are_waited_for),
        cmocka_unit_test(a_review_that_is_still_pending_denies),
        cmocka_unit_test(a_client_that_asks_needs_no_review),
        cmocka_unit_test(the_first_answer_counts),
        cmocka_unit_test(a_rewritten_input_runs),
        cmocka_unit_test(answers_in_pieces_and_their_limit),
        cmocka_unit_test(another_users_service_is_not_believed),
        cmocka_unit_test(a_pause_counts_before_our_own_service),
    };

    return cmocka_run_group_tests(tests, make_home, remove_home);
}
