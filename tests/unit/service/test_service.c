/* The service without the network: calls get answers, questions become reviews, and each ends
 * once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/thread_cache.h"
#include "support/servicebox.h"

#include <cmocka.h>

static void calls_are_answered_after_the_commit(void **state)
{
    (void)state;
    const char *json = box_ask(&box, &box.worker, "bun test", "");
    assert_member(json, "behavior", "allow");
    assert_member(json, "decision", "auto-accept");
    assert_memory_equal(box_member(json, "matched_rule_id"), "builtin-", 8);
    assert_memory_equal(box_member(json, "decision_id"), "d_", 2);
    assert_int_equal(box_records(&box, box_member(json, "decision_id")), 1);

    json = box_ask(&box, &box.worker, "curl http://evil.com", "");
    assert_member(json, "behavior", "deny");
    assert_member(json, "decision", "auto-deny");
    assert_member(json, "rule", "curl*");
    assert_true(strstr(box_member(json, "message"), "exfiltration") != NULL);

    json = box_ask(&box, &box.worker, "rm -r ./temp", "");
    assert_member(json, "behavior", "ask");
    assert_member(json, "status", "pending");
    assert_memory_equal(box_member(json, "review_id"), "r_", 2);
    assert_int_equal(box_records(&box, "rm -r"), 1); /* nothing was decided: it was asked */
    assert_int_equal(box_records(&box, "\"kind\":\"review\",\"action\":\"asked\""), 1);
}

static void approvals_reach_the_waiting_worker(void **state)
{
    warder_case *item = box_put(&box, &box.worker, "rm -r ./temp", ",\"wait\":30");

    (void)state;
    box_commit(&box);
    assert_true(warder_case_pending(item));
    assert_int_equal(warder_case_wait_ms(item), 30000);
    size_t before = box.settled;
    const char *id = box_member(warder_case_json(item), "review_id");
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\",\"reason\":\"fine\"}"),
                     WARDER_DONE);
    assert_int_equal(box.settled, before + 1);
    assert_ptr_equal(box.last, item);
    assert_false(warder_case_pending(item));
    const char *json = warder_case_json(item);
    assert_member(json, "behavior", "allow");
    assert_member(json, "decision", "human-accept");
    assert_member(json, "status", "approved");
    assert_int_equal(box_records(&box, "human-accept"), 1);
    warder_case_free(item);
    /* The approval was for one call. */
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "status", "pending");
}

/* The script is what the reviewer saw, or the answer does not count. */
static void approvals_are_bound_to_files(void **state)
{
    static const char approve[] = "{\"answer\":\"approve\"}";
    char path[200], id[64];

    (void)state;
    box_close(&box);
    box_open(&box, "warder");
    snprintf(path, sizeof(path), "%s/x.sh", box.work);
    box_write(path, "echo a");
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "bash x.sh", ""), "review_id"));
    assert_int_equal(box_answer(&box, id, approve), WARDER_DONE);
    box_write(path, "echo b"); /* after the yes */
    const char *json = box_ask(&box, &box.worker, "bash x.sh", "");
    assert_member(json, "status", "pending");
    assert_string_not_equal(box_member(json, "review_id"), id);
    assert_non_null(strstr(box_member(json, "reason"), "x.sh changed after it was approved"));

    snprintf(id, sizeof(id), "%s", box_member(json, "review_id"));
    box_write(path, "echo c"); /* between the question and the yes */
    assert_int_equal(box_answer(&box, id, approve), WARDER_CONFLICT);
    json = box_ask(&box, &box.worker, "bash x.sh", "");
    assert_string_not_equal(box_member(json, "review_id"), id);
    snprintf(id, sizeof(id), "%s", box_member(json, "review_id"));
    assert_int_equal(box_answer(&box, id, approve), WARDER_DONE);
    assert_member(box_ask(&box, &box.worker, "bash x.sh", ""), "decision", "human-accept");
}

static void a_deny_is_a_deny_with_its_words(void **state)
{
    warder_case *item = box_put(&box, &box.worker, "rm -r ./temp", "");

    (void)state;
    box_commit(&box);
    const char *id = box_member(warder_case_json(item), "review_id");
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"deny\",\"reason\":\"use git clean\"}"),
                     WARDER_DONE);
    const char *json = warder_case_json(item);
    assert_member(json, "behavior", "deny");
    assert_member(json, "decision", "human-deny");
    assert_member(json, "status", "denied");
    assert_member(json, "message", "use git clean");
    assert_int_equal(box_records(&box, "\"answered_by\":\"desk (op-token)\""), 1);
    warder_case_free(item);
}

static void the_first_answer_wins(void **state)
{
    const char *id = box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id");
    warder_report *report = NULL;
    warder_error err = {0};
    static const char approve[] = "{\"answer\":\"approve\"}", deny[] = "{\"answer\":\"deny\"}";

    (void)state;
    /* The second one arrives before the first was committed, the third after it. */
    assert_int_equal(warder_service_answer(box.service, &box.operator, id, deny, sizeof(deny) - 1,
                                           &report, &err),
                     WARDER_DONE);
    assert_member(warder_report_json(report), "status", "denied");
    assert_member(warder_report_json(report), "responded_by", "desk (op-token)");
    warder_report_free(report);
    assert_int_equal(box_answer(&box, id, approve), WARDER_CONFLICT);
    assert_int_equal(box_answer(&box, id, approve), WARDER_CONFLICT);
    assert_int_equal(box_answer(&box, "r_0", approve), WARDER_NOT_FOUND);
    assert_int_equal(box_records(&box, "human-deny"), 1);
    assert_int_equal(box_records(&box, "human-accept"), 0);
}

static void missing_roles_are_reported_first(void **state)
{
    static const char approve[] = "{\"answer\":\"approve\"}";
    const warder_caller nobody = {0}, *const who[] = {&box.worker, &box.viewer, &nobody, NULL};
    warder_report *report = NULL;
    warder_case *item = NULL;

    (void)state;
    for (size_t i = 0; i < COUNT(who); i++) { /* before it is looked up */
        const warder_caller *w = who[i];
        assert_int_equal(warder_service_answer(box.service, w, "r_0", approve, 20, &report, NULL),
                         WARDER_FORBIDDEN);
        assert_int_equal(warder_service_rule_add(box.service, w, "", 0, &report, NULL),
                         WARDER_FORBIDDEN);
        assert_int_equal(warder_service_rule_change(box.service, w, "x", "", 0, &report, NULL),
                         WARDER_FORBIDDEN);
        assert_int_equal(warder_service_rule_remove(box.service, w, "x", &report, NULL),
                         WARDER_FORBIDDEN);
        assert_int_equal(warder_service_update(box.service, w, "{}", 2, &report, NULL),
                         WARDER_FORBIDDEN);
    }
    for (size_t i = 1; i < COUNT(who); i++) {
        assert_int_equal(warder_service_check(box.service, who[i], "{}", 2, NULL, &item, NULL),
                         WARDER_FORBIDDEN);
        assert_null(item);
        assert_int_equal(warder_service_await(box.service, who[i], "r_0", NULL, &item, NULL),
                         WARDER_FORBIDDEN);
    }
    assert_int_equal(warder_service_rules(box.service, &box.worker, NULL, &report, NULL),
                     WARDER_FORBIDDEN);
    assert_int_equal(warder_service_rule_audit(box.service, &box.worker, "{}", 2, &report, NULL),
                     WARDER_FORBIDDEN);
    assert_int_equal(warder_service_events(box.service, &box.worker, 0, 0, &report, NULL),
                     WARDER_FORBIDDEN);
    assert_int_equal(warder_service_session(box.service, &box.worker, "s", &report, NULL),
                     WARDER_FORBIDDEN);
    assert_int_equal(warder_service_reviews(box.service, &nobody, NULL, NULL, 0, &report, NULL),
                     WARDER_FORBIDDEN);
    assert_int_equal(warder_service_dry_run(box.service, &nobody, "{}", 2, &report, NULL),
                     WARDER_FORBIDDEN);
    assert_null(report);
}

static void what_is_no_call_is_denied(void **state)
{
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{\"tool\":\"Bash\",\"tool\":\"Bash\"}",
        "{\"input\":{}}",
        "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"},\"unheard\":1}",
        "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"},\"wait\":-1}",
        "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"},\"wait\":\"5\"}",
    };
    warder_case *item;

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_int_equal(warder_service_check(box.service, &box.worker, texts[i], strlen(texts[i]),
                                              NULL, &item, NULL),
                         WARDER_DONE);
        box_commit(&box);
        assert_member(warder_case_json(item), "behavior", "deny");
        assert_member(warder_case_json(item), "decision", "auto-deny");
        warder_case_free(item);
    }
    assert_int_equal(box_records(&box, "auto-deny"), COUNT(texts));
}

static void the_same_call_joins_its_review(void **state)
{
    const char *first = box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id");
    static const char *const others[] = {",\"worker_id\":null", ",\"session\":\"s2\"",
                                         ",\"mode\":\"plan\""};

    (void)state;
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id", first);
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", ",\"tool_use_id\":\"x\",\"wait\":5"),
                  "review_id", first);
    assert_int_equal(box.service->pending, 1);
    /* Another command, another token, another session: another question. */
    assert_string_not_equal(
        box_member(box_ask(&box, &box.worker, "rm -r ./temp2", ""), "review_id"), first);
    assert_string_not_equal(box_member(box_ask(&box, &box.other, "rm -r ./temp", ""), "review_id"),
                            first);
    for (size_t i = 1; i < COUNT(others); i++)
        assert_string_not_equal(
            box_member(box_ask(&box, &box.worker, "rm -r ./temp", others[i]), "review_id"), first);
}

static void an_approval_is_for_one_of_two(void **state)
{
    int told[2] = {0};
    warder_case *items[2] = {box_put(&box, &box.worker, "rm -r ./temp", ""), NULL};

    (void)state;
    items[0]->user = &told[0];
    box_commit(&box);
    items[1] = box_put(&box, &box.worker, "rm -r ./temp", "");
    items[1]->user = &told[1];
    box_commit(&box);
    assert_int_equal(box.service->pending, 1);
    const char *id = box_member(warder_case_json(items[1]), "review_id");
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_DONE);
    assert_int_equal(told[0] + told[1], 1);
    assert_int_equal(told[1], 1); /* the newer one */
    assert_member(warder_case_json(items[1]), "behavior", "allow");
    /* The other one is asked about again. */
    assert_true(warder_case_pending(items[0]));
    assert_int_equal(box.service->pending, 1);
    assert_non_null(items[0]->review);
    assert_string_not_equal(items[0]->review->id, id);
    char second[REVIEW_ID_SIZE];
    snprintf(second, sizeof(second), "%s", items[0]->review->id);
    assert_int_equal(box_answer(&box, second, "{\"answer\":\"deny\"}"), WARDER_DONE);
    assert_int_equal(told[0], 1);
    assert_member(warder_case_json(items[0]), "decision", "human-deny");
    warder_case_free(items[0]);
    warder_case_free(items[1]);
}

static void an_answer_waits_for_its_worker_once(void **state)
{
    const char *id = box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id");

    (void)state;
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_DONE);
    assert_int_equal(box_records(&box, "\"delivery\":\"waiting\""), 1);
    /* Not for another caller, and not for another command. */
    assert_member(box_ask(&box, &box.other, "rm -r ./temp", ""), "status", "pending");
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp/", ""), "status", "pending");
    const char *json = box_ask(&box, &box.worker, "rm -r ./temp", "");
    assert_member(json, "behavior", "allow");
    assert_member(json, "decision", "human-accept");
    assert_member(json, "review_id", id);
    assert_member(json, "status", "approved");
    assert_int_equal(box_records(&box, "\"kind\":\"delivery\""), 1);
    assert_int_equal(box_records(&box, box_member(json, "decision_id")), 2);
    /* Replayed: it is a new question, and the old id is invalid. */
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "status", "pending");
    char more[80];
    snprintf(more, sizeof(more), ",\"review_id\":\"%s\"", id);
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", more), "behavior", "deny");
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp9", more), "behavior", "deny");
}

static void two_at_once_fetch_one_answer(void **state)
{
    const char *id = box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id");
    size_t allowed = 0;

    (void)state;
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_DONE);
    warder_case *items[] = {box_put(&box, &box.worker, "rm -r ./temp", ""),
                            box_put(&box, &box.worker, "rm -r ./temp", "")};
    box_commit(&box);
    for (size_t i = 0; i < COUNT(items); i++) {
        allowed += strcmp(box_member(warder_case_json(items[i]), "behavior"), "allow") == 0;
        warder_case_free(items[i]);
    }
    assert_int_equal(allowed, 1);
}

static void answers_are_not_kept_for_ever(void **state)
{
    const char *id = box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id");
    uint32_t next;

    (void)state;
    box_mono = 5000;
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_DONE);
    box_mono += SERVICE_KEPT_MS - 1;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(next, 1);
    assert_int_equal(box.service->reviews.count, 1);
    box_mono++;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(box.service->reviews.count, 0);
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "status", "pending");
}

static void time_that_runs_out_denies(void **state)
{
    uint32_t next;

    (void)state;
    box_mono = 1000;
    warder_case *item = box_put(&box, &box.worker, "rm -r ./temp", "");
    box_commit(&box);
    const char *id = box_member(warder_case_json(item), "review_id");
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(next, SERVICE_TICK_MS);
    box_mono += (int64_t)SERVICE_TIMEOUT_S * 1000 - 1;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(next, 1);
    assert_int_equal(warder_service_uncommitted(box.service), 0);
    box_mono++;
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"),
                     WARDER_CONFLICT); /* to the millisecond */
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(warder_service_uncommitted(box.service), 1);
    box_commit(&box);
    const char *json = warder_case_json(item);
    assert_member(json, "behavior", "deny");
    assert_member(json, "decision", "timeout-deny");
    assert_member(json, "status", "expired");
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_CONFLICT);
    assert_int_equal(box_records(&box, "timeout-deny"), 1);
    assert_int_equal(box.service->pending, 0);
    warder_case_free(item);
}

static void many_that_expire_do_not_hold_up_the_rest(void **state)
{
    uint32_t next;
    char command[64];

    (void)state;
    box_mono = 1000;
    for (size_t i = 0; i < SERVICE_EXPIRE_MAX + 10; i++) {
        snprintf(command, sizeof(command), "rm -r ./temp%zu", i);
        warder_case_free(box_put(&box, &box.worker, command, ""));
    }
    box_commit(&box);
    box_mono += (int64_t)SERVICE_TIMEOUT_S * 1000;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(warder_service_uncommitted(box.service), SERVICE_EXPIRE_MAX);
    assert_int_equal(next, 0);
    box_commit(&box);
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(warder_service_uncommitted(box.service), 10);
    box_commit(&box);
    assert_int_equal(box.service->pending, 0);
}

/* The next one is due in its own time, although the first is still in the queue until the commit,
 * and more than one tick takes come at once. */
static void each_expires_in_its_time(void **state)
{
    uint32_t next;

    (void)state;
    box_mono = 1000;
    for (int i = 0; i < 3; i++) {
        char command[64];
        snprintf(command, sizeof(command), "rm -r ./temp%d", i);
        warder_case_free(box_put(&box, &box.worker, command, ""));
        box_commit(&box);
        box_mono += 700;
    }
    box_mono = 1000 + (int64_t)SERVICE_TIMEOUT_S * 1000;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
        assert_int_equal(warder_service_uncommitted(box.service), 1);
        if (i < 2)
            assert_int_equal(next, 700);
        box_commit(&box);
        assert_int_equal(box_records(&box, "timeout-deny"), i + 1);
        box_mono += next;
    }
    assert_int_equal(box.service->pending, 0);
}

static void a_review_says_what_a_person_must_know(void **state)
{
    warder_report *report = NULL;

    (void)state;
    for (int i = 0; i < 7; i++) {
        char command[32];
        snprintf(command, sizeof(command), "ls d%d", i);
        assert_member(box_ask(&box, &box.worker, command, ""), "decision", "auto-accept");
    }
    box_ask(&box, &box.worker, "curl x", ""); /* did not run */
    const char *asked = box_ask(&box, &box.worker, "PGPASSWORD=hunter2y psql", "");
    const char *id = box_member(asked, "review_id");
    assert_int_equal(warder_service_review(box.service, &box.operator, id, &report, NULL),
                     WARDER_DONE);
    const char *json = warder_report_json(report);
    assert_null(strchr(json, '\n'));
    assert_member(json, "command", "PGPASSWORD=hunter2y psql");
    assert_member(json, "command_redacted", "PGPASSWORD=[REDACTED] psql");
    assert_member(json, "worker_id", "w1");
    assert_member(json, "task_id", "t1");
    assert_member(json, "project_id", "p1");
    assert_member(json, "context.task_description", "tidy up");
    assert_member(json, "context.worktree_path", box.work);
    assert_member(json, "context.recent_commands",
                  "[\"ls d6\",\"ls d5\",\"ls d4\",\"ls d3\",\"ls d2\"]");
    assert_member(json, "status", "pending");
    assert_member(json, "approvable", "true");
    assert_member(json, "suggested", ""); /* it would keep the password */
    warder_report_free(report);
    assert_int_equal(
        warder_service_review(box.service, &box.operator,
                              box_member(box_ask(&box, &box.worker, "psql -c x", ""), "review_id"),
                              &report, NULL),
        WARDER_DONE);
    assert_member(warder_report_json(report), "suggested", "[\"psql -c x\"]");
    warder_report_free(report);
    assert_int_equal(warder_service_review(box.service, &box.viewer, id, &report, NULL),
                     WARDER_DONE);
    assert_member(warder_report_json(report), "command", "PGPASSWORD=[REDACTED] psql");
    assert_null(strstr(warder_report_json(report), "hunter2"));
    warder_report_free(report);
    assert_int_equal(warder_service_review(box.service, &box.worker, id, &report, NULL),
                     WARDER_DONE);
    warder_report_free(report);
    assert_int_equal(warder_service_review(box.service, &box.other, id, &report, NULL),
                     WARDER_NOT_FOUND);
    assert_null(strstr(box.last_event, "hunter2"));
    assert_int_equal(box_records(&box, "hunter2"), 0);
}

static void lists_are_pages(void **state)
{
    warder_report *report = NULL;
    char command[32], next[32];

    (void)state;
    for (int i = 0; i < 5; i++) {
        snprintf(command, sizeof(command), "rm -r ./t%d", i);
        box_ask(&box, i < 4 ? &box.worker : &box.other, command, "");
    }
    assert_int_equal(
        warder_service_reviews(box.service, &box.operator, "pending", NULL, 3, &report, NULL),
        WARDER_DONE);
    assert_member(warder_report_json(report), "reviews.0.command", "rm -r ./t4");
    assert_member(warder_report_json(report), "reviews.2.command", "rm -r ./t2");
    assert_member(warder_report_json(report), "reviews.3", "");
    snprintf(next, sizeof(next), "%s", box_member(warder_report_json(report), "next"));
    warder_report_free(report);
    assert_int_equal(
        warder_service_reviews(box.service, &box.operator, NULL, next, 3, &report, NULL),
        WARDER_DONE);
    assert_member(warder_report_json(report), "reviews.1.command", "rm -r ./t0");
    assert_member(warder_report_json(report), "next", "null");
    warder_report_free(report);
    assert_int_equal(warder_service_reviews(box.service, &box.other, NULL, NULL, 0, &report, NULL),
                     WARDER_DONE);
    assert_member(warder_report_json(report), "reviews.0.command", "rm -r ./t4");
    assert_member(warder_report_json(report), "reviews.1", "");
    warder_report_free(report);
    assert_int_equal(
        warder_service_reviews(box.service, &box.operator, "approved", NULL, 0, &report, NULL),
        WARDER_DONE);
    assert_member(warder_report_json(report), "reviews", "[]");
    warder_report_free(report);
    assert_int_equal(warder_service_reviews(box.service, &box.operator, NULL, NULL,
                                            SERVICE_REVIEWS_MAX, &report, NULL),
                     WARDER_DONE);
    warder_report_free(report);
    static const struct {
        const char *status, *cursor;
        uint32_t limit;
    } bad[] = {{"open", NULL, 0},
               {NULL, "x", 0},
               {NULL, "-1", 0},
               {NULL, "0", 0},
               {NULL, NULL, SERVICE_REVIEWS_MAX + 1}};
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(warder_service_reviews(box.service, &box.operator, bad[i].status,
                                                bad[i].cursor, bad[i].limit, &report, NULL),
                         WARDER_INVALID);
}

static void a_review_can_be_awaited(void **state)
{
    char id[REVIEW_ID_SIZE];
    warder_case *item, *again;

    (void)state;
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id"));
    assert_int_equal(warder_service_await(box.service, &box.other, id, NULL, &item, NULL),
                     WARDER_NOT_FOUND);
    assert_int_equal(warder_service_await(box.service, &box.worker, "r_0", NULL, &item, NULL),
                     WARDER_NOT_FOUND);
    assert_int_equal(warder_service_await(box.service, &box.worker, id, NULL, &item, NULL),
                     WARDER_DONE);
    box_commit(&box);
    assert_true(warder_case_pending(item));
    assert_member(warder_case_json(item), "status", "pending");
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_DONE);
    assert_member(warder_case_json(item), "behavior", "allow");
    assert_member(warder_case_json(item), "status", "approved");
    warder_case_free(item);
    /* It was told already: the call is a new question, and awaiting the old one again gains
     * nothing. */
    assert_int_equal(warder_service_await(box.service, &box.worker, id, NULL, &again, NULL),
                     WARDER_DONE);
    box_commit(&box);
    assert_false(warder_case_pending(again));
    assert_member(warder_case_json(again), "status", "approved");
    assert_member(warder_case_json(again), "behavior", "deny");
    warder_case_free(again);
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "status", "pending");
}

static void a_kept_answer_can_be_awaited_once(void **state)
{
    char id[REVIEW_ID_SIZE];
    warder_case *item;
    static const char *const want[] = {"allow", "deny"};

    (void)state;
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id"));
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_DONE);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(warder_service_await(box.service, &box.worker, id, NULL, &item, NULL),
                         WARDER_DONE);
        box_commit(&box);
        assert_member(warder_case_json(item), "behavior", want[i]);
        assert_member(warder_case_json(item), "status", "approved");
        warder_case_free(item);
    }
}

static void what_is_denied_by_now_stays_denied(void **state)
{
    char id[REVIEW_ID_SIZE], path[160];
    warder_case *item = box_put(&box, &box.worker, "rm -r ./temp", "");

    (void)state;
    box_commit(&box);
    snprintf(id, sizeof(id), "%s", box_member(warder_case_json(item), "review_id"));
    snprintf(path, sizeof(path), "%s/.config", box.home);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/.config/warder", box.home);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/.config/warder/authorization.yaml", box.home);
    box_write(path, "deny:\n  - pattern: 'rm *'\n    reason: not today\n");
    assert_int_equal(warder_service_reload(box.service, NULL), WARDER_OK);
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\"}"), WARDER_CONFLICT);
    assert_member(warder_case_json(item), "behavior", "deny");
    assert_member(warder_case_json(item), "decision", "auto-deny");
    assert_member(warder_case_json(item), "status", "denied");
    assert_int_equal(box_records(&box, "human-accept"), 0);
    warder_case_free(item);
}

static void answers_are_read_strictly(void **state)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"answer\":\"yes\"}",
        "{\"answer\":\"approve\",\"unheard\":1}",
        "{\"answer\":\"approve\",\"rule\":\"ls\"}",
        "{\"answer\":\"approve\",\"cooldown\":5}",
        "{\"answer\":\"promote\",\"cooldown\":-1}",
        "{\"answer\":\"promote\",\"cooldown\":\"5\"}",
        "{\"answer\":\"promote\",\"cooldown\":604801}",
        "{\"answer\":\"promote\",\"rule\":5}",
        "{\"answer\":\"approve\"",
    };
    const char *id = box_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "review_id");
    warder_report *report = NULL;
    size_t big = SERVICE_BODY_MAX + 1;
    char *text = malloc(big);

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(box_answer(&box, id, bad[i]), WARDER_INVALID);
    assert_non_null(text);
    memset(text, ' ', big);
    memcpy(text, "{\"answer\":\"deny\"}", 17);
    assert_int_equal(
        warder_service_answer(box.service, &box.operator, id, text, big, &report, NULL),
        WARDER_INVALID);
    assert_int_equal(
        warder_service_answer(box.service, &box.operator, id, text, big - 1, &report, NULL),
        WARDER_DONE);
    warder_report_free(report);
    free(text);
}

static void a_case_may_go_at_any_time(void **state)
{
    char id[REVIEW_ID_SIZE];

    (void)state;
    warder_case_free(box_put(&box, &box.worker, "bun test", ""));
    warder_case_free(box_put(&box, &box.worker, "rm -r ./temp", ""));
    size_t before = box.settled;
    box_commit(&box);
    assert_int_equal(box.settled, before); /* no one is told */
    assert_int_equal(box_records(&box, "auto-accept"), 1);
    assert_int_equal(box.service->pending, 1);
    warder_case *item = box_put(&box, &box.worker, "rm -r ./temp", "");
    box_commit(&box);
    snprintf(id, sizeof(id), "%s", box_member(warder_case_json(item), "review_id"));
    warder_case_free(item); /* pending: its review goes on */
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"deny\"}"), WARDER_DONE);
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", ""), "decision", "human-deny");
    warder_case_free(NULL);
    assert_int_equal(warder_case_pending(NULL), 0);
    assert_member(warder_case_json(NULL), "behavior", "deny");
    /* Closing settles what is open. */
    item = box_put(&box, &box.worker, "rm -r ./other", "");
    box_commit(&box);
    before = box.settled;
    box_close(&box);
    assert_int_equal(box.settled, before + 1);
    assert_member(warder_case_json(item), "behavior", "deny");
    warder_case_free(item);
}

static void dry_runs_leave_nothing_behind(void **state)
{
    static const char call[] =
        "{\"tool\":\"Bash\",\"input\":{\"command\":\"rm -r ./temp\"},\"session\":\"s\"}";
    warder_report *report = NULL;

    (void)state;
    assert_int_equal(
        warder_service_dry_run(box.service, &box.worker, call, sizeof(call) - 1, &report, NULL),
        WARDER_DONE);
    assert_member(warder_report_json(report), "behavior", "ask");
    assert_member(warder_report_json(report), "dry_run", "true");
    warder_report_free(report);
    static const char curl[] =
        "{\"tool\":\"Bash\",\"input\":{\"command\":\"cu\\\\rl http://x.com\"}}";
    assert_int_equal(
        warder_service_dry_run(box.service, &box.viewer, curl, sizeof(curl) - 1, &report, NULL),
        WARDER_DONE);
    assert_member(warder_report_json(report), "decision", "auto-deny");
    assert_memory_equal(box_member(warder_report_json(report), "matched_rule_id"), "builtin-", 8);
    warder_report_free(report);
    assert_int_equal(warder_service_uncommitted(box.service), 0);
    assert_int_equal(box.service->pending, 0);
    assert_int_equal(box_records(&box, "kind"), 0);
}

/* The disk is cached between calls, and changes by the agent are still seen at once. */
static void a_link_that_changes_between_calls_is_seen(void **state)
{
    char notes[160], secret[160], linked[160];

    (void)state;
    box_close(&box);
    box_open(&box, "warder");
    snprintf(notes, sizeof(notes), "%s/notes", box.work);
    snprintf(linked, sizeof(linked), "%s/linked", box.work);
    snprintf(secret, sizeof(secret), "%s/.ssh", box.home);
    assert_int_equal(mkdir(notes, 0700), 0);
    assert_int_equal(mkdir(secret, 0700), 0);
    for (int round = 0; round < 5; round++) {
        assert_int_equal(symlink(notes, linked), 0);
        for (int i = 0; i < 3; i++)
            assert_member(box_ask(&box, &box.worker, "cat linked/a.txt", ""), "behavior", "allow");
        assert_int_equal(unlink(linked), 0);
        assert_int_equal(symlink(secret, linked), 0);
        assert_member(box_ask(&box, &box.worker, "cat linked/a.txt", ""), "behavior", "ask");
        assert_int_equal(unlink(linked), 0);
    }
}

static int64_t later(void)
{
    return stamp_now() + 10 * SESSION_MEMORY_RESTED;
}

static void set_mode(struct arena *a, struct session *s, void *context)
{
    (void)a, (void)context;
    s->has_mode = true;
    s->mode = MODE_DONT_ASK;
}

/* Another process may write the file of a session that the service caches. */
static void a_session_that_others_change_is_read_again(void **state)
{
    static const char shared[] = ",\"session\":\"shared\"";
    char client[96];

    (void)state;
    box_close(&box);
    box_open(&box, "warder");
    struct thread_cache *cache = box.service->engine->cache;
    session_memory_free(cache->sessions);
    cache->sessions =
        session_memory_new(later); /* so that a file counts as unchanged as soon as it is written */
    for (int i = 0; i < 3; i++)
        assert_member(box_ask(&box, &box.worker, "rm -r ./temp", shared), "behavior", "ask");
    snprintf(client, sizeof(client), SERVICE_CLIENT " %s", box.worker.id);
    const struct session_id id = {box.service->engine->request.state_dir.s, str_from(client),
                                  STR("shared")};
    assert_int_equal(session_update(&id, set_mode, NULL, NULL, NULL), STATUS_OK);
    assert_member(box_ask(&box, &box.worker, "rm -r ./temp", shared), "behavior", "deny");
}

/* Answers do not wait until they are noted in the database. */
static void answers_leave_before_they_are_noted(void **state)
{
    warder_case *items[] = {box_put(&box, &box.worker, "bun test", ""),
                            box_put(&box, &box.worker, "bun test 2", "")};

    (void)state;
    box_commit(&box);
    assert_int_equal(box.settled, 2);
    assert_int_equal(box.events, 2);
    assert_int_equal(box.told_before, 2);
    for (size_t i = 0; i < COUNT(items); i++)
        warder_case_free(items[i]);
}

/* The memory of finished decisions is reused, even of a batch larger than what is kept. */
static void batches_of_any_size_are_answered(void **state)
{
    enum { MOST = 3 * THREAD_CACHE_RESTING_MAX };
    warder_case *items[MOST];
    char command[32];

    (void)state;
    for (size_t size = 1; size <= MOST; size = 2 * size + 1) {
        for (size_t i = 0; i < size; i++) {
            snprintf(command, sizeof(command), i % 2 ? "curl http://x%zu.com" : "bun test %zu", i);
            items[i] = box_put(&box, &box.worker, command, "");
        }
        box_commit(&box);
        for (size_t i = 0; i < size; i++) {
            assert_member(warder_case_json(items[i]), "behavior", i % 2 ? "deny" : "allow");
            warder_case_free(items[i]);
        }
        assert_in_range(box.service->engine->cache->count, 1, THREAD_CACHE_RESTING_MAX);
    }
}

/* ---- large calls ---- */

static const char *judged_with(size_t words, const char *first, const char *each)
{
    static char text[8192];
    const size_t room = words * 16 + 512;
    char *json = malloc(room);
    warder_report *report = NULL;

    assert_non_null(json);
    size_t len = (size_t)snprintf(json, room,
                                  "{\"tool\":\"Bash\",\"cwd\":\"%s\",\"input\":{\"command\":\"%s",
                                  box.work, first);
    for (size_t i = 0; i < words; i++)
        len += (size_t)snprintf(json + len, room - len, "%s%zu", each, i);
    len += (size_t)snprintf(json + len, room - len, "\"}}");
    assert_int_equal(warder_service_dry_run(box.service, &box.worker, json, len, &report, NULL),
                     WARDER_DONE);
    snprintf(text, sizeof(text), "%s", warder_report_json(report));
    warder_report_free(report);
    free(json);
    return text;
}

/* One call must not hold up the others for long. */
static void a_call_names_a_limited_number_of_paths(void **state)
{
    static const char each[] = " f";

    (void)state;
    assert_member(judged_with(4096, "cat", each), "behavior", "allow");
    assert_member(judged_with(4097, "cat", each), "behavior", "deny");
    assert_non_null(strstr(judged_with(4097, "cat", each), "more than 4096 paths"));
    assert_member(judged_with(4096, "mystery", " /opt/"), "behavior", "ask");
    assert_member(judged_with(4097, "mystery", " /opt/"), "behavior", "deny");
    assert_member(judged_with(60000, "cat", each), "behavior", "deny");
    assert_member(judged_with(60000, "ls", " >"), "behavior", "deny");
}

/* Each word of a program that is not known may begin a command. */
static void the_search_for_other_spellings_ends(void **state)
{
    static const char each[] = " w";

    (void)state;
    assert_null(strstr(judged_with(200, "mystery", each), "too many words"));
    assert_non_null(strstr(judged_with(2000, "mystery", each), "too many words"));
    assert_member(judged_with(2000, "mystery", each), "immune", "true");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, box_setup, box_teardown)
        CASE(calls_are_answered_after_the_commit),
        CASE(approvals_reach_the_waiting_worker),
        CASE(approvals_are_bound_to_files),
        CASE(a_deny_is_a_deny_with_its_words),
        CASE(the_first_answer_wins),
        CASE(missing_roles_are_reported_first),
        CASE(what_is_no_call_is_denied),
        CASE(the_same_call_joins_its_review),
        CASE(an_approval_is_for_one_of_two),
        CASE(an_answer_waits_for_its_worker_once),
        CASE(two_at_once_fetch_one_answer),
        CASE(answers_are_not_kept_for_ever),
        CASE(time_that_runs_out_denies),
        CASE(many_that_expire_do_not_hold_up_the_rest),
        CASE(each_expires_in_its_time),
        CASE(a_review_says_what_a_person_must_know),
        CASE(lists_are_pages),
        CASE(a_review_can_be_awaited),
        CASE(a_kept_answer_can_be_awaited_once),
        CASE(what_is_denied_by_now_stays_denied),
        CASE(answers_are_read_strictly),
        CASE(a_case_may_go_at_any_time),
        CASE(dry_runs_leave_nothing_behind),
        CASE(a_link_that_changes_between_calls_is_seen),
        CASE(a_session_that_others_change_is_read_again),
        CASE(answers_leave_before_they_are_noted),
        CASE(batches_of_any_size_are_answered),
        CASE(a_call_names_a_limited_number_of_paths),
        CASE(the_search_for_other_spellings_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
