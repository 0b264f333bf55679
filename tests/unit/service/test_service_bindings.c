/* A worker's token says which projects, workers and modes its calls may name, and the record says
 * whose call it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "record/chain.h"
#include "record/journal_read.h"
#include "support/servicebox.h"

#include <cmocka.h>

static warder_caller login(warder_token_options options)
{
    char token[128];
    warder_report *report = NULL;
    warder_caller who;
    warder_error err = {0};

    options.struct_size = sizeof(options);
    options.role = "worker";
    if (warder_token_make(box.data, NULL, &options, &report, &err) != WARDER_OK)
        fail_msg("%s", err.message);
    snprintf(token, sizeof(token), "%.*s", (int)strcspn(warder_report_text(report), "\n"),
             warder_report_text(report));
    warder_report_free(report);
    assert_int_equal(warder_service_login(box.service, token, &who, &err), WARDER_DONE);
    return who;
}

#define LIST(...) (const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__}))

static warder_caller bound_to(const char *const *projects, size_t count)
{
    return login((warder_token_options){.projects = projects, .project_count = count});
}

static warder_caller of_workers(const char *const *workers, size_t count)
{
    return login((warder_token_options){.workers = workers, .worker_count = count});
}

static void add_rule(const char *pattern, const char *type, const char *scope)
{
    char json[512];
    warder_report *report = NULL;
    warder_error err = {0};
    int len = snprintf(json, sizeof(json),
                       "{\"pattern\":\"%s\",\"type\":\"%s\",\"scope\":\"%s\",\"reason\":\"x\"}",
                       pattern, type, scope);

    if (warder_service_rule_add(box.service, &box.operator, json, (size_t)len, &report, &err) !=
        WARDER_DONE)
        fail_msg("%s", err.message);
    warder_report_free(report);
    box_commit(&box);
}

/* What a call with these members gets: a behavior, or "403". */
static const char *says(const warder_caller *who, const char *command, const char *members)
{
    static char text[16];
    char json[8192];
    warder_case *item = NULL;
    warder_error err = {0};
    int len = snprintf(json, sizeof(json),
                       "{\"tool\":\"Bash\",\"input\":{\"command\":\"%s\"},\"cwd\":\"%s\"%s}",
                       command, box.work, members);
    warder_outcome outcome =
        warder_service_check(box.service, who, json, (size_t)len, NULL, &item, &err);

    box_commit(&box);
    if (outcome == WARDER_FORBIDDEN) {
        assert_null(item);
        assert_non_null(strstr(err.message, "this token"));
        return "403";
    }
    assert_int_equal(outcome, WARDER_DONE);
    const char *found = strstr(warder_case_json(item), "\"behavior\":\"");
    assert_non_null(found);
    snprintf(text, sizeof(text), "%.*s", (int)strcspn(found + 12, "\""), found + 12);
    warder_case_free(item);
    return text;
}

#define PROJECT(name) ",\"project_id\":\"" name "\""
#define WORKER(name)  ",\"worker_id\":\"" name "\""
#define MODE(name)    ",\"mode\":\"" name "\""

static void a_worker_does_not_choose_the_project_whose_rules_it_wants(void **state)
{
    (void)state;
    add_rule("deploy-prod*", "accept", "team-a");
    const warder_caller a = bound_to(LIST("team-a")), b = bound_to(LIST("team-b"));
    const warder_caller both = bound_to(LIST("team-a", "team-b")), none = bound_to(NULL, 0);

    assert_string_equal(says(&a, "deploy-prod x", PROJECT("team-a")), "allow");
    assert_string_equal(says(&a, "deploy-prod x", ""), "allow"); /* it has no other */
    assert_string_equal(says(&a, "deploy-prod x", PROJECT("team-b")), "403");
    assert_string_equal(says(&b, "deploy-prod x", PROJECT("team-a")), "403");
    assert_string_equal(says(&b, "deploy-prod x", PROJECT("team-b")), "ask");
    assert_string_equal(says(&both, "deploy-prod x", PROJECT("team-a")), "allow");
    assert_string_equal(says(&both, "deploy-prod x", PROJECT("team-b")), "ask");
    assert_string_equal(says(&both, "deploy-prod x", ""), "403");
    assert_string_equal(says(&none, "deploy-prod x", PROJECT("team-a")), "ask");
    assert_string_equal(says(&none, "ls", PROJECT("team-a")), "allow"); /* it is usable */
}

static void deny_rules_count_for_whatever_is_claimed(void **state)
{
    (void)state;
    add_rule("ls*", "deny", "team-a");
    const warder_caller a = bound_to(LIST("team-a")), none = bound_to(NULL, 0);

    assert_string_equal(says(&a, "ls", ""), "deny"); /* leaving the name out does not evade it */
    assert_string_equal(says(&a, "ls", ",\"project_id\":{}"), "deny");
    assert_string_equal(says(&none, "ls", PROJECT("team-a")), "deny");
}

static void directories_are_projects_too(void **state)
{
    char json[4300], elsewhere[4300];

    (void)state;
    add_rule("deploy-prod*", "accept", box.work);
    const warder_caller here = bound_to(LIST(box.work)), there = bound_to(LIST("/srv/other")),
                        id = bound_to(LIST("team-a"));

    snprintf(json, sizeof(json), ",\"project\":\"%s\"", box.work);
    snprintf(elsewhere, sizeof(elsewhere), ",\"project\":\"%s\"", box.home);
    assert_string_equal(says(&here, "deploy-prod x", json), "allow");
    assert_string_equal(says(&here, "deploy-prod x", elsewhere), "403");
    assert_string_equal(says(&there, "deploy-prod x", json), "403");
    assert_string_equal(says(&id, "deploy-prod x", json),
                        "ask"); /* the directory is only claimed */
    assert_string_equal(says(&here, "deploy-prod x", PROJECT("team-a")), "allow");
}

static void a_worker_is_who_its_token_says(void **state)
{
    (void)state;
    const warder_caller one = of_workers(LIST("w-1"));
    const warder_caller two = of_workers(LIST("w-1", "w-2"));

    assert_string_equal(says(&one, "ls", WORKER("w-1")), "allow");
    assert_string_equal(says(&one, "ls", ""), "allow");
    assert_string_equal(says(&one, "ls", WORKER("w-2")), "403");
    assert_string_equal(says(&two, "ls", WORKER("w-2")), "allow");
    assert_string_equal(says(&two, "ls", ""), "403");
}

static void a_token_names_its_modes(void **state)
{
    (void)state;
    box_close(&box);
    box_open_with(&box, (warder_service_options){.profile = "warder", .mode = "acceptEdits"});
    const warder_caller free = login((warder_token_options){0}),
                        strict = login((warder_token_options){.modes = "default,plan"}),
                        mild = login((warder_token_options){.modes = "bypassPermissions"});

    assert_string_equal(says(&free, "touch x", ""), "allow");
    assert_string_equal(says(&strict, "touch x", ""), "ask"); /* the first of them */
    assert_string_equal(says(&strict, "touch x", MODE("default")), "ask");
    assert_string_equal(says(&strict, "touch x", MODE("plan")), "deny");
    assert_string_equal(says(&strict, "touch x", MODE("acceptEdits")), "403");
    assert_string_equal(says(&strict, "touch /etc/x", MODE("bypassPermissions")), "403");
    assert_string_equal(says(&strict, "touch /etc/x", MODE("yolo")), "403");
    assert_string_equal(says(&strict, "ls", MODE("nothing")), "deny");
    /* No token goes beyond the service's own mode. */
    assert_string_equal(says(&mild, "touch /etc/x", MODE("bypassPermissions")), "ask");
    assert_string_equal(says(&mild, "touch /etc/x", ""), "ask");
}

/* Neither the rules nor the mode of a trusted project help a worker that only names it. */
static void a_claimed_project_makes_nothing_milder(void **state)
{
    char path[4400], json[4400];
    warder_error err = {0};

    (void)state;
    box_close(&box);
    box_open_with(&box, (warder_service_options){.profile = "warder"});
    snprintf(path, sizeof(path), "%s/.claude", box.work);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof(path), "%s/.claude/settings.json", box.work);
    box_write(path, "{\"permissions\":{\"allow\":[\"Bash(mystery *)\"],"
                    "\"deny\":[\"Bash(ls /srv)\"],\"defaultMode\":\"acceptEdits\"}}");
    if (warder_trust_add(box.home, box.work, &err) != WARDER_OK)
        fail_msg("%s", err.message);
    assert_int_equal(warder_service_reload(box.service, &err), WARDER_OK);
    snprintf(json, sizeof(json), ",\"project\":\"%s\"", box.work);
    const warder_caller here = bound_to(LIST(box.work)), none = bound_to(NULL, 0);

    assert_string_equal(says(&here, "mystery x", json), "allow");
    assert_string_equal(says(&here, "touch x", json), "allow"); /* its mode */
    assert_string_equal(says(&none, "mystery x", json), "ask");
    assert_string_equal(says(&none, "touch x", json), "ask");
    assert_string_equal(says(&none, "touch x", ""), "ask");    /* the directory is the project */
    assert_string_equal(says(&none, "ls /srv", json), "deny"); /* what it forbids counts */
}

static void bounds_hold_in_dry_runs_too(void **state)
{
    static const char call[] = "{\"tool\":\"Bash\",\"input\":{\"command\":\"ls\"},"
                               "\"project_id\":\"team-b\"}";
    warder_report *report = NULL;

    (void)state;
    const warder_caller a = bound_to(LIST("team-a"));
    assert_int_equal(warder_service_dry_run(box.service, &a, call, sizeof(call) - 1, &report, NULL),
                     WARDER_FORBIDDEN);
    assert_null(report);
}

static void only_workers_are_bound(void **state)
{
    warder_token_options options = WARDER_TOKEN_OPTIONS_INIT;
    warder_report *report = NULL;

    (void)state;
    options.role = "operator";
    options.modes = "default";
    assert_int_equal(warder_token_make(box.data, NULL, &options, &report, NULL), WARDER_EUSAGE);
    options.role = "worker";
    options.modes = "default,sometimes";
    assert_int_equal(warder_token_make(box.data, NULL, &options, &report, NULL), WARDER_EUSAGE);
    options.modes = NULL;
    options.projects = (const char *const[]){"two\nlines"};
    options.project_count = 1;
    assert_int_equal(warder_token_make(box.data, NULL, &options, &report, NULL), WARDER_EUSAGE);
    options.projects = (const char *const[]){"/srv/../etc"};
    assert_int_equal(warder_token_make(box.data, NULL, &options, &report, NULL), WARDER_EUSAGE);
    assert_null(report);
}

/* ---- the record ---- */

static struct str last_record(void)
{
    static char text[65536];
    struct journal_reader reader;
    struct journal_line line;
    bool got = true;

    assert_int_equal(journal_reader_open(&reader, box.data, 0, NULL), STATUS_OK);
    while (journal_next(&reader, false, &line, &got, NULL) == STATUS_OK && got)
        snprintf(text, sizeof(text), "%.*s", STR_ARG(line.text));
    journal_reader_close(&reader);
    return str_from(text);
}

static struct str recorded(const char *member)
{
    struct chain_link link;

    assert_int_equal(chain_read(last_record(), &link), 0);
    return chain_member(link.body, member);
}

static void the_record_says_whose_call_it_was(void **state)
{
    char before[64];

    (void)state;
    const warder_caller a = bound_to(LIST("team-a"));
    assert_string_equal(says(&a, "ls", ",\"context\":{\"task_description\":\"mend it\"}"), "allow");
    assert_true(str_is(recorded("token_id"), a.id));
    assert_true(str_is(recorded("project_id"), "team-a"));
    assert_true(str_is(recorded("task"), "mend it"));
    assert_int_equal(recorded("policy").len, 32);
    snprintf(before, sizeof(before), "%.*s", STR_ARG(recorded("policy")));
    assert_string_equal(says(&a, "ls -l", ""), "allow");
    assert_true(str_is(recorded("policy"), before));
    assert_string_equal(says(&a, "ls", PROJECT("team-b")), "403"); /* the attempt is recorded */
    assert_true(str_is(recorded("decision"), "auto-deny"));
    assert_true(str_is(recorded("layer"), "token"));
    add_rule("deploy-prod*", "accept", "team-a");
    assert_string_equal(says(&a, "ls", ""), "allow");
    assert_false(str_is(recorded("policy"), before));
}

static void the_record_has_the_peer_of_the_socket(void **state)
{
    const warder_caller peer = {WARDER_WORKER, "uid:1000", "uid:1000"};

    (void)state;
    assert_string_equal(says(&peer, "ls", ""), "allow");
    assert_non_null(strstr(last_record().s, "\"peer_uid\":1000,"));
    assert_null(strstr(last_record().s, "\"token_id\""));
}

static void the_record_has_the_reason_of_the_person(void **state)
{
    static const char answer[] = "{\"answer\":\"approve\",\"reason\":\"as agreed with ops\"}";
    warder_report *report = NULL;
    char id[64];

    (void)state;
    const warder_caller a = bound_to(LIST("p1")); /* as box_ask() says */
    const char *json = box_ask(&box, &a, "mystery", "");
    const char *found = strstr(json, "\"review_id\":\"");
    assert_non_null(found);
    snprintf(id, sizeof(id), "%.*s", (int)strcspn(found + 13, "\""), found + 13);
    assert_int_equal(warder_service_answer(box.service, &box.operator, id, answer,
                                           sizeof(answer) - 1, &report, NULL),
                     WARDER_DONE);
    warder_report_free(report);
    box_commit(&box);
    assert_true(str_is(recorded("decision"), "human-accept"));
    assert_true(str_is(recorded("token_id"), a.id));
    assert_true(str_is(recorded("answer_reason"), "as agreed with ops"));
    assert_int_equal(recorded("policy").len, 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, box_setup, box_teardown)
        CASE(a_worker_does_not_choose_the_project_whose_rules_it_wants),
        CASE(deny_rules_count_for_whatever_is_claimed),
        CASE(directories_are_projects_too),
        CASE(a_worker_is_who_its_token_says),
        CASE(a_token_names_its_modes),
        CASE(a_claimed_project_makes_nothing_milder),
        CASE(bounds_hold_in_dry_runs_too),
        CASE(only_workers_are_bound),
        CASE(the_record_says_whose_call_it_was),
        CASE(the_record_has_the_peer_of_the_socket),
        CASE(the_record_has_the_reason_of_the_person),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
