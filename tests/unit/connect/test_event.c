/* Events of agents' hooks that a service answers: what it decides, what it leaves to the process,
 * and that only complete answers count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "support/fakeservice.h"
#include "support/servicebox.h"
#include "warder_admin.h"

#include <cmocka.h>

/* ---- the service ---- */

static const char *event_with(const char *mode, const char *command)
{
    static char text[8192];

    snprintf(text, sizeof(text),
             "{\"session_id\":\"s\",\"transcript_path\":\"t\",\"prompt_id\":\"p\",\"cwd\":\"%s\","
             "\"permission_mode\":"
             "\"%s\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{"
             "\"command\":\"%s\"},"
             "\"tool_use_id\":\"u\"}",
             box.work, mode, command);
    return text;
}

struct line_making {
    struct arena arena;
    const char *client, *event, *shell;
    struct str out;
};

static void write_line(void *arg)
{
    struct line_making *m = arg;
    struct buf b = buf_in(&m->arena);

    buf_text(&b, "{\"hook\":");
    json_string(&b, str_from(m->client));
    buf_text(&b, ",\"cwd\":");
    json_string(&b, str_from(box.work));
    buf_text(&b, ",\"project\":");
    json_string(&b, str_from(box.work));
    buf_text(&b, ",\"shell\":");
    json_string(&b, str_from(m->shell));
    buf_text(&b, ",\"event\":");
    json_string(&b, str_from(m->event));
    buf_text(&b, "}");
    m->out = buf_str(&b);
}

/* The service's answer; NULL: it leaves the event. Valid until the next call. */
static const char *put(const char *client, const char *event, const char *shell)
{
    static char text[16384];
    struct line_making m = {.client = client, .event = event, .shell = shell};
    warder_case *item = NULL;

    arena_init(&m.arena, (size_t)1 << 20);
    assert_true(arena_try(&m.arena, write_line, &m));
    size_t before = warder_service_uncommitted(box.service);
    warder_outcome outcome =
        warder_service_hook(box.service, &box.worker, m.out.s, m.out.len, NULL, &item, NULL);
    arena_release(&m.arena);
    if (outcome == WARDER_NOT_FOUND) {
        assert_null(item);
        assert_int_equal(warder_service_uncommitted(box.service), before);
        return NULL;
    }
    assert_int_equal(outcome, WARDER_DONE);
    box_commit(&box);
    snprintf(text, sizeof(text), "%s", warder_case_json(item));
    warder_case_free(item);
    return text;
}

static const char *put_plain(const char *command)
{
    return put("claude", event_with("default", command), "/bin/bash");
}

static const char *decided(const char *json)
{
    return box_member(box_member(json, "hook.out"), "hookSpecificOutput.permissionDecision");
}

static int open_warder(void **state)
{
    (void)state;
    box_make(&box);
    box_open(&box, "warder");
    return 0;
}

/* The user's own policy file. */
static void write_policy(const char *text)
{
    char path[160];

    snprintf(path, sizeof(path), "%s/.config", box.home);
    mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/.config/warder", box.home);
    mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/.config/warder/warder.yaml", box.home);
    box_write(path, text);
}

static void policy_decides_by_itself(void **state)
{
    (void)state;
    const char *json = put_plain("git status");
    assert_string_equal(decided(json), "allow");
    assert_member(json, "hook.err", "");
    assert_int_equal(box_records(&box, "\"client\":\"claude\""), 1);
    json = put_plain("rm -rf /");
    assert_string_equal(decided(json), "deny");
    assert_int_equal(box_records(&box, "auto-deny"), 1);
    assert_int_equal(box_records(&box, "\"tool_use_id\":\"u\""), 2);
}

static void everything_else_is_left(void **state)
{
    static const char *const texts[] = {
        "", "{", "[]", "{\"hook_event_name\":\"PreToolUse\"}", "{\"hook_event_name\":\"Nonsense\"}",
    };

    (void)state;
    assert_null(put_plain("some-unknown-program"));
    assert_null(put_plain("echo 'unclosed"));
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_null(put("claude", texts[i], "/bin/bash"));
    assert_null(put("nobody", event_with("default", "ls"), "/bin/bash"));
    assert_null(put(
        "claude",
        "{\"hook_event_name\":\"ConfigChange\",\"session_id\":\"s\",\"source\":\"user_settings\"}",
        "/bin/bash"));
    assert_int_equal(box_records(&box, "decision"), 0);
    assert_int_equal(box.service->pending, 0);
}

/* A client that cannot ask would take this for an answer too. */
static void an_ask_is_left_to_the_process(void **state)
{
    static const char *const names[] = {"claude", "codex", "qwen"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        assert_null(put(names[i], event_with("default", "git push"), "/bin/bash"));
}

static void what_another_shell_would_read_differently_is_left(void **state)
{
    (void)state;
    assert_non_null(put("claude", event_with("default", "ls -la"), "/bin/zsh"));
    assert_null(
        put("claude", event_with("default", "for i in 1 2; do echo $i; done"), "/usr/bin/fish"));
    assert_null(put("claude", event_with("default", "echo =ls"), "/bin/zsh"));
    assert_non_null(put("claude", event_with("default", "echo =ls"), "/bin/bash"));
}

static void what_a_call_changes_is_saved_by_the_process(void **state)
{
    (void)state;
    assert_null(put("claude", event_with("acceptEdits", "touch new.txt"), "/bin/bash"));
    assert_null(put("claude", event_with("acceptEdits", "rm -rf src"), "/bin/bash"));
    assert_non_null(put("claude", event_with("acceptEdits", "ls"), "/bin/bash"));
}

/* An allow that only follows from the client's own mode is left to the client, as the process
 * would. */
static void an_allow_by_the_clients_mode_is_silent(void **state)
{
    (void)state;
    box_close(&box);
    write_policy("undo: {use: off}\n");
    box_open(&box, "warder");
    assert_member(put("claude", event_with("acceptEdits", "touch new.txt"), "/bin/bash"),
                  "hook.out", "");
    assert_string_equal(decided(put("claude", event_with("acceptEdits", "ls"), "/bin/bash")),
                        "allow");
    assert_null(put("claude", event_with("default", "touch new.txt"), "/bin/bash"));
}

static void policy_of_the_process_is_its_own(void **state)
{
    static const char *const policies[] = {
        "service: off\n",
        "hooks:\n  PreToolUse:\n    - hooks:\n        - {type: command, command: 'true'}\n",
        "deny: [\"Bash(\"]\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(policies); i++) {
        box_close(&box);
        write_policy(policies[i]);
        box_open(&box, "warder");
        if (put_plain("git status"))
            fail_msg("decided under %s", policies[i]);
    }
    box_close(&box);
    write_policy("service: required\n");
    box_open(&box, "warder");
    assert_non_null(put_plain("git status"));
}

static void only_workers_put_events(void **state)
{
    static const char line[] = "{\"hook\":\"claude\",\"event\":\"{}\"}";
    const warder_caller nobody = {0}, *const who[] = {&box.viewer, &nobody, NULL};
    warder_case *item = NULL;

    (void)state;
    for (size_t i = 0; i < COUNT(who); i++)
        assert_int_equal(
            warder_service_hook(box.service, who[i], line, sizeof(line) - 1, NULL, &item, NULL),
            WARDER_FORBIDDEN);
    assert_int_equal(warder_service_hook(box.service, &box.worker, NULL, 0, NULL, &item, NULL),
                     WARDER_FAILED);
    /* No origin, or not a line at all. */
    assert_int_equal(
        warder_service_hook(box.service, &box.worker, line, sizeof(line) - 1, NULL, &item, NULL),
        WARDER_NOT_FOUND);
    assert_int_equal(warder_service_hook(box.service, &box.worker, line, 5, NULL, &item, NULL),
                     WARDER_NOT_FOUND);
    assert_null(item);
}

static void what_cannot_be_recorded_is_left(void **state)
{
    char path[160], away[160];

    (void)state;
    assert_non_null(put_plain("git status"));
    snprintf(path, sizeof(path), "%s/journal/00000000000000000001.jsonl", box.data);
    snprintf(away, sizeof(away), "%s/journal-away", box.data);
    assert_int_equal(rename(path, away), 0);
    box_write(path, "no record\n");

    struct line_making m = {
        .client = "claude", .event = event_with("default", "git status"), .shell = ""};
    warder_case *item = NULL;
    arena_init(&m.arena, (size_t)1 << 20);
    assert_true(arena_try(&m.arena, write_line, &m));
    assert_int_equal(
        warder_service_hook(box.service, &box.worker, m.out.s, m.out.len, NULL, &item, NULL),
        WARDER_DONE);
    arena_release(&m.arena);
    assert_int_not_equal(warder_service_commit(box.service, NULL), WARDER_OK);
    assert_string_equal(warder_case_json(item), "{\"hook\":null}");
    warder_case_free(item);
}

/* ---- the process ---- */

static char sockets[160];

static int make_place(void **state)
{
    static const char *const parts[] = {"/.local", "/.local/state", "/.local/state/warder"};

    (void)state;
    box_make(&box);
    for (size_t i = 0; i < COUNT(parts); i++) {
        snprintf(sockets, sizeof(sockets), "%s%s", box.home, parts[i]);
        assert_int_equal(mkdir(sockets, 0700), 0);
    }
    write_policy("service: off\n"); /* what is left to the process is not sent anywhere */
    return 0;
}

static int remove_place(void **state)
{
    (void)state;
    box_remove(&box);
    return 0;
}

struct heard {
    warder_status status;
    int code;
    char out[256], err[256], why[256];
};

static struct heard hook_with(warder_options o, const char *client, const char *event, size_t len)
{
    warder_reply *reply = NULL;
    warder_error err = {0};
    struct heard h = {0};

    o.struct_size = sizeof(o);
    o.home = box.home;
    h.status = warder_hook(&o, client, event, len, 300, &reply, &err);
    h.code = warder_reply_code(reply);
    snprintf(h.out, sizeof(h.out), "%s", warder_reply_out(reply));
    snprintf(h.err, sizeof(h.err), "%s", warder_reply_err(reply));
    snprintf(h.why, sizeof(h.why), "%s", err.message);
    warder_reply_free(reply);
    return h;
}

static struct heard hook(const char *client, const char *command)
{
    const char *event = event_with("default", command);

    return hook_with((warder_options){0}, client, event, strlen(event));
}

#define SAYS(out, err, code)                                                                       \
    "{\"hook\":{\"out\":\"" out "\",\"err\":\"" err "\",\"code\":" code "}}\n"

static void a_whole_answer_is_passed_on(void **state)
{
    static const struct {
        const char *answer, *out, *err;
        int code;
    } rows[] = {
        {SAYS("{\\\"a\\\":1}\\n", "", "0"), "{\"a\":1}\n", "", 0},
        {SAYS("", "no", "2"), "", "no", 2},
        {SAYS("", "", "0"), "", "", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fake f = {.answers = {rows[i].answer}, .count = 1};
        fake_start(&f, sockets);
        struct heard h = hook("claude", "rm -rf /");
        fake_stop(&f);
        assert_int_equal(h.status, WARDER_OK);
        assert_int_equal(f.lines, 1);
        assert_string_equal(h.out, rows[i].out);
        assert_string_equal(h.err, rows[i].err);
        assert_int_equal(h.code, rows[i].code);
    }
}

static void the_event_goes_as_it_came(void **state)
{
    struct fake f = {.answers = {SAYS("", "", "0")}, .count = 1};
    char here[4096];

    (void)state;
    setenv("CLAUDE_PROJECT_DIR", "/srv/project", 1);
    setenv("SHELL", "/bin/zsh", 1);
    fake_start(&f, sockets);
    hook("claude", "printf 'a b'");
    fake_stop(&f);
    unsetenv("CLAUDE_PROJECT_DIR");
    assert_non_null(getcwd(here, sizeof(here)));
    assert_member(f.heard[0], "hook", "claude");
    assert_member(f.heard[0], "cwd", here);
    assert_member(f.heard[0], "project", "/srv/project");
    assert_member(f.heard[0], "shell", "/bin/zsh");
    assert_member(f.heard[0], "event", event_with("default", "printf 'a b'"));
}

/* An incomplete or malformed answer is not consent; and after its first byte no other side
 * decides. */
static void whatever_is_no_answer_blocks(void **state)
{
    static const char *const answers[] = {
        "",
        NULL,
        "nonsense\n",
        "[]\n",
        "{\"hook\":{}}\n",
        "{\"hook\":true}\n",
        "{\"hook\":{\"out\":\"\",\"err\":\"\"}}\n",
        "{\"hook\":{\"out\":\"\",\"code\":0}}\n",
        "{\"hook\":{\"err\":\"\",\"code\":0}}\n",
        "{\"hook\":{\"out\":null,\"err\":\"\",\"code\":0}}\n",
        SAYS("", "", "1"),
        SAYS("", "", "-2"),
        SAYS("", "", "\\\"0\\\""),
        SAYS("", "", "0") SAYS("", "", "0"),
    };

    (void)state;
    for (size_t i = 0; i < COUNT(answers); i++) {
        struct fake f = {.answers = {answers[i]}, .count = 1};
        fake_start(&f, sockets);
        struct heard h = hook("claude", "echo hi");
        fake_stop(&f);
        assert_int_equal(f.lines, 1);
        assert_int_not_equal(h.status, WARDER_OK);
        assert_int_equal(h.code, 2);
        assert_true(h.why[0] != '\0');
    }
}

static void what_the_service_leaves_is_decided_here(void **state)
{
    /* The second is from a service that does not know events. */
    static const char *const answers[] = {
        "{\"hook\":null}\n",
        "{\"behavior\":\"deny\",\"layer\":\"valid\",\"reason\":\"no call\"}\n"};

    (void)state;
    for (size_t i = 0; i < COUNT(answers); i++) {
        struct fake f = {.answers = {answers[i]}, .count = 1};
        fake_start(&f, sockets);
        struct heard h = hook("claude", "echo hi");
        fake_stop(&f);
        assert_int_equal(f.lines, 1);
        assert_int_equal(h.status, WARDER_OK);
        assert_member(h.out, "hookSpecificOutput.permissionDecision", "allow");
    }
}

static void some_events_are_not_put(void **state)
{
    static char large[300 * 1024];
    const warder_rule rule = {WARDER_DENY, "Bash(echo:*)"};
    const warder_options by_hand[] = {
        {.mode = "plan"}, {.profile = "mink"}, {.rules = &rule, .rule_count = 1},
        {.headless = 1},  {.cwd = box.work},
    };
    const char *event = event_with("default", "echo hi");
    struct fake f = {.answers = {SAYS("", "", "0")}, .count = 1};

    (void)state;
    fake_start(&f, sockets);
    for (size_t i = 0; i < COUNT(by_hand); i++)
        assert_true(hook_with(by_hand[i], "claude", event, strlen(event)).out[0] != '\0');
    assert_true(hook("auto", "echo hi").out[0] != '\0');
    memset(large, 'a', sizeof(large) - 1);
    size_t front = (size_t)snprintf(large, sizeof(large), "%s", event) - 1;
    large[front] = ',';
    memcpy(large + front + 1, "\"x\":\"", 5);
    memcpy(large + sizeof(large) - 3, "\"}", 3);
    assert_true(hook_with((warder_options){0}, "claude", large, strlen(large)).out[0] != '\0');
    chmod(sockets, 0777); /* another user could listen there, and the record is not safe either */
    assert_int_not_equal(hook("claude", "echo hi").status, WARDER_OK);
    fake_stop(&f);
    assert_int_equal(f.lines, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(policy_decides_by_itself, open_warder, box_teardown),
        cmocka_unit_test_setup_teardown(everything_else_is_left, open_warder, box_teardown),
        cmocka_unit_test_setup_teardown(an_ask_is_left_to_the_process, open_warder, box_teardown),
        cmocka_unit_test_setup_teardown(what_another_shell_would_read_differently_is_left,
                                        open_warder, box_teardown),
        cmocka_unit_test_setup_teardown(what_a_call_changes_is_saved_by_the_process, open_warder,
                                        box_teardown),
        cmocka_unit_test_setup_teardown(an_allow_by_the_clients_mode_is_silent, open_warder,
                                        box_teardown),
        cmocka_unit_test_setup_teardown(policy_of_the_process_is_its_own, open_warder,
                                        box_teardown),
        cmocka_unit_test_setup_teardown(only_workers_put_events, open_warder, box_teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_recorded_is_left, open_warder, box_teardown),
        cmocka_unit_test_setup_teardown(a_whole_answer_is_passed_on, make_place, remove_place),
        cmocka_unit_test_setup_teardown(the_event_goes_as_it_came, make_place, remove_place),
        cmocka_unit_test_setup_teardown(whatever_is_no_answer_blocks, make_place, remove_place),
        cmocka_unit_test_setup_teardown(what_the_service_leaves_is_decided_here, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(some_events_are_not_put, make_place, remove_place),
    };

    unsetenv("XDG_RUNTIME_DIR");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    unsetenv("WARDER_CONFIG");
    unsetenv("CLAUDE_PROJECT_DIR");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
