/* The service without the network: calls become answers, questions become reviews, and each ends once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/servicebox.h"

#include <cmocka.h>

static struct servicebox box;

static int make(void **state)
{
    (void)state;
    box_make(&box);
    box_open(&box, NULL);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    box_remove(&box);
    return 0;
}

#define assert_member(json, path, want) assert_string_equal(box_member(json, path), want)

static void calls_are_answered_behind_the_commit(void **state)
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
    assert_int_equal(box_records(&box, "rm -r"), 0); /* nothing was decided */
}

static void approvals_reach_who_waits(void **state)
{
    warder_case *item = box_put(&box, &box.worker, "rm -r ./temp", ",\"wait\":30");

    (void)state;
    box_commit(&box);
    assert_true(warder_case_pending(item));
    assert_int_equal(warder_case_wait_ms(item), 30000);
    size_t before = box.settled;
    const char *id = box_member(warder_case_json(item), "review_id");
    assert_int_equal(box_answer(&box, id, "{\"answer\":\"approve\",\"reason\":\"fine\"}"), WARDER_DONE);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(calls_are_answered_behind_the_commit, make, unmake),
        cmocka_unit_test_setup_teardown(approvals_reach_who_waits, make, unmake),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
