/* Rules that change while the service runs: added, changed, removed, promoted; their owners and
 * scopes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/rules.h"
#include "support/servicebox.h"

#include <cmocka.h>

static char reply[65536];

/* The result of a request, in `reply`: the report, or the error. */
/* What was changed is in force afterwards. */
static warder_outcome keep(warder_outcome outcome, warder_report **out, const warder_error *err)
{
    warder_report *report = *out;

    box_commit(&box);
    snprintf(reply, sizeof(reply), "%s",
             outcome == WARDER_DONE ? warder_report_json(report) : err->message);
    assert_true(outcome == WARDER_DONE || (!report && err->message[0]));
    warder_report_free(report);
    return outcome;
}

static warder_outcome add(const char *json)
{
    warder_report *report = NULL;
    warder_error err = {0};

    return keep(
        warder_service_rule_add(box.service, &box.operator, json, strlen(json), &report, &err),
        &report, &err);
}

static warder_outcome change(const char *id, const char *json)
{
    warder_report *report = NULL;
    warder_error err = {0};

    return keep(warder_service_rule_change(box.service, &box.operator, id, json, strlen(json),
                                           &report, &err),
                &report, &err);
}

static warder_outcome drop(const char *id)
{
    warder_report *report = NULL;
    warder_error err = {0};

    return keep(warder_service_rule_remove(box.service, &box.operator, id, &report, &err), &report,
                &err);
}

static warder_outcome list(const char *scope)
{
    warder_report *report = NULL;
    warder_error err = {0};

    return keep(warder_service_rules(box.service, &box.viewer, scope, &report, &err), &report,
                &err);
}

static const char *decided(const char *command)
{
    const char *json = box_ask(&box, &box.worker, command, "");

    return box_member(json, "behavior")[1] == 's' ? "review" : box_member(json, "decision");
}

static void added_rules_hold_for_the_next_call(void **state)
{
    char id[64], path[160];
    struct stat st;

    (void)state;
    assert_string_equal(decided("terraform plan"), "review");
    assert_int_equal(
        add("{\"pattern\":\"terraform plan*\",\"type\":\"accept\",\"scope\":\"global\"}"),
        WARDER_DONE);
    snprintf(id, sizeof(id), "%s", box_member(reply, "rule.id"));
    assert_member(reply, "id", id);
    assert_member(reply, "pattern", "terraform plan*");
    assert_member(reply, "type", "allow"); /* the word of the request was the older one */
    assert_member(reply, "rule.created_by", "desk (op-token)");
    assert_member(reply, "rule.scope", "global");
    const char *json = box_ask(&box, &box.worker, "terraform plan -out x", "");
    assert_member(json, "decision", "auto-accept");
    assert_member(json, "matched_rule_id", id);

    assert_int_equal(change(id, "{\"type\":\"deny\",\"reason\":\"not here\"}"), WARDER_DONE);
    assert_member(reply, "rule.id", id); /* ids are stable */
    assert_member(reply, "rule.updated_by", "desk (op-token)");
    json = box_ask(&box, &box.worker, "terraform plan -out x", "");
    assert_member(json, "decision", "auto-deny");
    assert_member(json, "matched_rule_id", id);
    assert_true(strstr(json, "not here") != NULL);

    snprintf(path, sizeof(path), "%s/" STORED_NAME, box.data);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(drop(id), WARDER_DONE);
    assert_string_equal(decided("terraform plan -out y"), "review");
    assert_int_equal(drop(id), WARDER_NOT_FOUND);
    assert_int_equal(change(id, "{\"reason\":\"x\"}"), WARDER_NOT_FOUND);
    /* Author and action, with the previous state. */
    assert_int_equal(box_records(&box, "\"kind\":\"rule\",\"action\":\"added\""), 1);
    assert_int_equal(box_records(&box, "\"kind\":\"rule\",\"action\":\"changed\""), 1);
    assert_int_equal(box_records(&box, "\"kind\":\"rule\",\"action\":\"removed\""), 1);
    assert_int_equal(box_records(&box, "\"by\":\"desk (op-token)\",\"before\":{\"type\":\"allow\""),
                     1);
}

static void requests_are_read_strictly(void **state)
{
    static const char *const bad[] = {
        "",
        "[]",
        "{}",
        "{\"pattern\":\"x\",\"type\":\"accept\"}",
        "{\"pattern\":\"x\",\"scope\":\"global\"}",
        "{\"type\":\"accept\",\"scope\":\"global\"}",
        "{\"pattern\":\"\",\"type\":\"accept\",\"scope\":\"global\"}",
        "{\"pattern\":\"x\",\"type\":\"accept\",\"scope\":\"\"}",
        "{\"pattern\":\"x\",\"type\":\"maybe\",\"scope\":\"global\"}",
        "{\"pattern\":\"x\",\"type\":\"ask\",\"scope\":\"global\",\"cooldown\":1}",
        "{\"pattern\":\"x\",\"type\":\"ask\",\"scope\":\"global\",\"expires_at\":1}",
        "{\"pattern\":\"x\",\"type\":\"ask\",\"scope\":\"global\",\"expires_at\":"
        "\"2020-01-31T12:00:00Z\"}",
        "{\"pattern\":\"x\",\"type\":\"deny\",\"scope\":\"global\"}", /* no reason */
        "{\"pattern\":\"x\",\"type\":\"accept\",\"scope\":\"global\",\"id\":\"mine\"}",
        "{\"pattern\":5,\"type\":\"accept\",\"scope\":\"global\"}",
        "{\"pattern\":\"Bash(\",\"type\":\"accept\",\"scope\":\"global\"}",
        "{\"pattern\":\"[a\",\"type\":\"deny\",\"reason\":\"x\",\"scope\":\"global\",\"cooldown\":"
        "1}",
        "{\"pattern\":\"x\\u0000\",\"type\":\"accept\",\"scope\":\"global\"}",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        if (add(bad[i]) != WARDER_INVALID)
            fail_msg("%s: %s", bad[i], reply);
    assert_int_equal(list(NULL), WARDER_DONE);
    assert_null(strstr(reply, "\"source\":\"service\""));
    assert_int_equal(box_records(&box, "kind"), 0);
}

static void texts_have_limits(void **state)
{
    static char json[RULE_MAX_TEXT + 200];
    char reason[STORED_TEXT_MAX + 2];

    (void)state;
    memset(reason, 'r', sizeof(reason));
    for (size_t i = 0; i < 2; i++) {
        reason[STORED_TEXT_MAX + i] = '\0';
        snprintf(json, sizeof(json),
                 "{\"pattern\":\"x%zu\",\"type\":\"deny\",\"scope\":\"global\",\"reason\":\"%s\"}",
                 i, reason);
        reason[STORED_TEXT_MAX + i] = 'r';
        assert_int_equal(add(json), i ? WARDER_INVALID : WARDER_DONE);
    }
    for (size_t i = 0; i < 2; i++) {
        int len = snprintf(json, sizeof(json),
                           "{\"type\":\"accept\",\"scope\":\"global\",\"pattern\":\"echo ");
        memset(json + len, 'x', RULE_MAX_TEXT - 5 + i);
        snprintf(json + len + RULE_MAX_TEXT - 5 + i, 10, "\"}");
        assert_int_equal(add(json), i ? WARDER_INVALID : WARDER_DONE);
    }
}

static void there_is_a_number_of_rules_that_is_enough(void **state)
{
    char path[160];

    (void)state;
    snprintf(path, sizeof(path), "%s/" STORED_NAME, box.data);
    for (size_t have = STORED_RULES_MAX - 1; have <= STORED_RULES_MAX; have++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs("{\"version\":1,\"rules\":[", f);
        for (size_t i = 0; i < have; i++)
            fprintf(f,
                    "%s{\"id\":\"r%zu\",\"pattern\":\"echo "
                    "n%zu\",\"type\":\"accept\",\"scope\":\"global\"}",
                    i ? "," : "", i, i);
        fputs("]}", f);
        fclose(f);
        assert_int_equal(chmod(path, 0600), 0);
        assert_int_equal(warder_service_reload(box.service, NULL), WARDER_OK);
        assert_string_equal(decided("echo n1998"), "auto-accept");
        assert_int_equal(
            add("{\"pattern\":\"terraform plan\",\"type\":\"accept\",\"scope\":\"global\"}"),
            have < STORED_RULES_MAX ? WARDER_DONE : WARDER_FULL);
    }
}

static void a_scope_is_one_project(void **state)
{
    char json[300];

    (void)state;
    assert_int_equal(add("{\"pattern\":\"terraform plan\",\"type\":\"accept\",\"scope\":\"p1\"}"),
                     WARDER_DONE);
    assert_string_equal(decided("terraform plan"), "auto-accept"); /* of p1 */
    snprintf(json, sizeof(json),
             "{\"tool\":\"Bash\",\"input\":{\"command\":\"terraform plan\"},\"cwd\":\"%s\"}",
             box.work);
    static const struct {
        const char *more, *want;
    } calls[] = {
        {",\"project_id\":\"p2\"}", "ask"}, {"}", "ask"}, {",\"project_id\":\"p1\"}", "allow"}};
    for (size_t i = 0; i < COUNT(calls); i++) {
        char call[400];
        warder_report *report = NULL;
        snprintf(call, sizeof(call), "%.*s%s", (int)strlen(json) - 1, json, calls[i].more);
        assert_int_equal(
            warder_service_dry_run(box.service, &box.worker, call, strlen(call), &report, NULL),
            WARDER_DONE);
        assert_member(warder_report_json(report), "behavior", calls[i].want);
        warder_report_free(report);
    }
    /* Or one directory. */
    snprintf(json, sizeof(json),
             "{\"pattern\":\"terraform apply\",\"type\":\"accept\",\"scope\":\"%s\"}", box.work);
    assert_int_equal(add(json), WARDER_DONE);
    assert_string_equal(decided("terraform apply"), "auto-accept");
    snprintf(json, sizeof(json),
             "{\"pattern\":\"terraform destroy\",\"type\":\"accept\",\"scope\":\"%s/x\"}",
             box.work);
    assert_int_equal(add(json), WARDER_DONE);
    assert_string_equal(decided("terraform destroy"), "review");
    assert_int_equal(add("{\"pattern\":\"terraform "
                         "taint\",\"type\":\"deny\",\"reason\":\"x\",\"scope\":\"p2\"}"),
                     WARDER_DONE);
    assert_string_equal(decided("terraform taint"), "review");
    assert_int_equal(list("p1"), WARDER_DONE);
    assert_member(reply, "rules.0.pattern", "terraform plan");
    assert_member(reply, "rules.1", "");
    assert_int_equal(list("global"), WARDER_DONE);
    assert_member(reply, "rules.0.id", box_member(reply, "rules.0.id"));
    assert_null(strstr(reply, "terraform"));
    assert_non_null(strstr(reply, "\"pattern\":\"curl*\""));
}

static void an_accept_of_a_project_weakens_no_deny(void **state)
{
    (void)state;
    assert_int_equal(add("{\"pattern\":\"curl localhost*\",\"type\":\"accept\",\"scope\":\"p1\"}"),
                     WARDER_DONE);
    assert_string_equal(decided("curl localhost:80"), "auto-deny");
    assert_int_equal(add("{\"pattern\":\"make "
                         "deploy\",\"type\":\"deny\",\"reason\":\"x\",\"scope\":\"global\"}"),
                     WARDER_DONE);
    assert_int_equal(add("{\"pattern\":\"make deploy\",\"type\":\"accept\",\"scope\":\"p1\"}"),
                     WARDER_DONE);
    assert_non_null(strstr(reply, "warnings\":[\""));
    assert_string_equal(decided("make deploy"), "auto-deny");
}

static void others_rules_are_shown_and_not_changed(void **state)
{
    char id[64];
    warder_report *report = NULL;
    warder_error err = {0};

    (void)state;
    snprintf(id, sizeof(id), "%s",
             box_member(box_ask(&box, &box.worker, "curl x", ""), "matched_rule_id"));
    assert_int_equal(
        keep(warder_service_rule(box.service, &box.operator, id, &report, &err), &report, &err),
        WARDER_DONE);
    assert_member(reply, "pattern", "curl*");
    assert_member(reply, "type", "deny");
    assert_member(reply, "source", "builtin");
    assert_int_equal(change(id, "{\"type\":\"accept\"}"), WARDER_CONFLICT);
    assert_int_equal(drop(id), WARDER_CONFLICT);
    report = NULL;
    assert_int_equal(
        keep(warder_service_rule(box.service, &box.operator, "none", &report, &err), &report, &err),
        WARDER_NOT_FOUND);
}

/* ---- promotion ---- */

static warder_outcome promote(const char *id, const char *more)
{
    char json[400];
    warder_report *report = NULL;
    warder_error err = {0};

    snprintf(json, sizeof(json), "{\"answer\":\"promote\"%s}", more);
    warder_outcome outcome = keep(
        warder_service_answer(box.service, &box.operator, id, json, strlen(json), &report, &err),
        &report, &err);
    return outcome;
}

static const char *review_of(const char *command)
{
    return box_member(box_ask(&box, &box.worker, command, ""), "review_id");
}

static void a_promotion_is_a_rule_for_exactly_this(void **state)
{
    warder_case *item = box_put(&box, &box.worker, "rm -r ./temp", "");

    (void)state;
    box_commit(&box);
    assert_int_equal(promote(box_member(warder_case_json(item), "review_id"), ""), WARDER_DONE);
    assert_member(reply, "promoted.0.pattern", "rm -r ./temp");
    assert_member(reply, "rule.pattern", "rm -r ./temp");
    assert_member(reply, "promoted.0.scope", "p1");
    assert_member(reply, "promoted.0.active", "true");
    assert_member(warder_case_json(item), "decision", "human-accept");
    warder_case_free(item);
    const char *json = box_ask(&box, &box.worker, "rm -r ./temp", "");
    assert_member(json, "decision", "auto-accept");
    assert_member(json, "matched_rule_id", box_member(reply, "promoted.0.id"));
    assert_string_equal(decided("rm -r ./temp2"), "review");
    assert_string_equal(decided("rm -r ./temp ./x"), "review");
    assert_int_equal(box_records(&box, "\"action\":\"promoted\""), 1);
}

static void stars_in_a_command_stay_stars(void **state)
{
    (void)state;
    assert_int_equal(promote(review_of("terraform plan -target='a[*]'"), ""), WARDER_DONE);
    assert_string_equal(decided("terraform plan -target='a[*]'"), "auto-accept");
    assert_string_equal(decided("terraform plan -target='a[*]'"), "auto-accept");
    assert_string_equal(decided("terraform plan -target='a[x]'"), "review");
    assert_string_equal(decided("terraform plan -target=a"), "review");
}

static void each_part_of_a_line_gets_its_rule(void **state)
{
    (void)state;
    assert_int_equal(promote(review_of("terraform init && terraform plan | tee log; ls"), ""),
                     WARDER_DONE);
    assert_string_not_equal(box_member(reply, "promoted.1.pattern"), "");
    assert_string_equal(decided("terraform init && terraform plan | tee log; ls"), "auto-accept");
    assert_string_equal(decided("terraform init"), "auto-accept");
    assert_string_equal(decided("terraform apply"), "review");
}

static void a_promoted_rule_can_be_written(void **state)
{
    static const struct {
        const char *more;
        warder_outcome want;
    } cases[] = {
        {",\"rule\":\"*\"", WARDER_INVALID},      /* everything */
        {",\"rule\":\"Bash\"", WARDER_INVALID},   /* the same */
        {",\"rule\":\"ls*\"", WARDER_INVALID},    /* not this command */
        {",\"rule\":\"terra*\"", WARDER_INVALID}, /* also other programs */
        {",\"rule\":{\"pattern\":\"terraform plan\",\"type\":\"deny\",\"reason\":\"x\"}",
         WARDER_INVALID},
        {",\"rule\":{\"pattern\":\"terraform plan\",\"id\":\"x\"}", WARDER_INVALID},
        {",\"rule\":{\"pattern\":\"terraform plan\",\"scope\":\"p2\"}",
         WARDER_INVALID}, /* it would not help */
        {",\"rule\":{\"pattern\":\"terraform plan*\",\"scope\":\"global\"}", WARDER_DONE},
    };
    char id[REVIEW_ID_SIZE];

    (void)state;
    snprintf(id, sizeof(id), "%s", review_of("terraform plan"));
    for (size_t i = 0; i < COUNT(cases); i++)
        if (promote(id, cases[i].more) != cases[i].want)
            fail_msg("%s: %s", cases[i].more, reply);
    assert_member(reply, "promoted.0.scope", "global");
    assert_string_equal(decided("terraform plan -out y"), "auto-accept");
}

static void a_promotion_may_begin_later(void **state)
{
    uint32_t next;

    (void)state;
    box_wall = (int64_t)2000000000 * 1000;
    box_mono = 1000;
    assert_int_equal(promote(review_of("terraform plan"), ",\"cooldown\":60"), WARDER_DONE);
    assert_member(reply, "promoted.0.active", "false");
    assert_member(reply, "promoted.0.acts_from", "2033-05-18T03:34:20.000Z");
    assert_string_equal(decided("terraform plan"), "human-accept");
    assert_string_equal(decided("terraform plan"), "review");
    box_wall += 59999;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_int_equal(next, 1);
    assert_string_equal(decided("terraform plan"), "review");
    box_wall++;
    assert_int_equal(warder_service_tick(box.service, &next, NULL), WARDER_OK);
    assert_string_equal(decided("terraform plan"), "auto-accept");
}

static void secrets_become_no_rule(void **state)
{
    (void)state;
    assert_int_equal(promote(review_of("PGPASSWORD=hunter2y psql"), ""), WARDER_INVALID);
    assert_int_equal(promote(review_of("deploy --token=hunter2hunter2"), ""), WARDER_INVALID);
    assert_non_null(strstr(reply, "secret"));
    assert_int_equal(box_records(&box, "hunter2"), 0);
}

/* ---- without the service ---- */

static void the_rules_hold_without_the_service(void **state)
{
    char state_dir[160];
    warder_options o = WARDER_OPTIONS_INIT;
    warder_engine *engine = NULL;
    warder_decision *d = NULL;
    static const struct {
        const char *text;
        warder_behavior want;
    } texts[] = {
        {"{\"version\":1,\"rules\":[{\"id\":\"a\",\"pattern\":\"terraform "
         "*\",\"type\":\"deny\",\"reason\":\"x\","
         "\"scope\":\"global\"}]}",
         WARDER_DENY},
        {"{\"version\":1,\"rules\":[{\"id\":\"a\",\"pattern\":\"terraform "
         "*\",\"type\":\"accept\",\"scope\":\"global\"}]}",
         WARDER_ALLOW},
        {"{\"version\":1,\"rules\":[{\"id\":\"a\",\"pattern\":\"terraform "
         "*\",\"type\":\"allow\",\"scope\":\"global\"}]}",
         WARDER_ALLOW},
        {"{\"version\":1,\"rules\":[{\"id\":\"a\",\"pattern\":\"terraform "
         "*\",\"type\":\"accept\",\"scope\":\"global\","
         "\"acts_from\":99999999999}]}",
         WARDER_ASK},
        {"{\"version\":1,\"rules\":[]}", WARDER_ASK},
        {"{\"version\":2,\"rules\":[]}", WARDER_DENY}, /* what it would deny is not known */
        {"{\"version\":1,\"rules\":[{\"pattern\":\"x\"}]}", WARDER_DENY},
        {"{\"version\":1,\"rules\":[{\"id\":\"a\",\"pattern\":\"x\",\"type\":\"accept\",\"scope\":"
         "\"global\",\"q\":1}]"
         "}",
         WARDER_DENY},
        {"{", WARDER_DENY},
    };

    (void)state;
    box_close(&box);
    snprintf(state_dir, sizeof(state_dir), "%s/.local", box.home);
    assert_int_equal(mkdir(state_dir, 0700), 0);
    strcat(state_dir, "/state");
    assert_int_equal(mkdir(state_dir, 0700), 0);
    strcat(state_dir, "/warder");
    assert_int_equal(mkdir(state_dir, 0700), 0);
    strcat(state_dir, "/" STORED_NAME);
    o.home = box.home;
    o.cwd = box.work;
    o.profile = "guild";
    for (size_t i = 0; i < COUNT(texts); i++) {
        box_write(state_dir, texts[i].text);
        assert_int_equal(warder_engine_new(&o, &engine, NULL), WARDER_OK);
        assert_int_equal(warder_check_argument(engine, "Bash", "terraform plan", &d, NULL),
                         WARDER_OK);
        if (warder_decision_behavior(d) != texts[i].want)
            fail_msg("%s: %s", texts[i].text, warder_decision_reason(d));
        warder_decision_free(d);
        warder_engine_free(engine);
    }
    /* Other users could have written it. */
    box_write(state_dir, texts[1].text);
    assert_int_equal(chmod(state_dir, 0666), 0);
    assert_int_equal(warder_engine_new(&o, &engine, NULL), WARDER_OK);
    assert_int_equal(warder_check_argument(engine, "Bash", "terraform plan", &d, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);
    warder_engine_free(engine);
}

static void rules_survive_a_restart(void **state)
{
    (void)state;
    assert_int_equal(
        add("{\"pattern\":\"terraform plan\",\"type\":\"accept\",\"scope\":\"global\"}"),
        WARDER_DONE);
    box_close(&box);
    box_open(&box, NULL);
    assert_string_equal(decided("terraform plan"), "auto-accept");
    /* Also next to a policy that was named. */
    char path[160];
    snprintf(path, sizeof(path), "%s/named.yaml", box.root);
    box_write(path, "deny:\n  - pattern: 'npm *'\n    reason: x\n");
    box_close(&box);
    const char *policies[] = {path};
    box_open_with(&box, (warder_service_options){.policies = policies, .policy_count = 1});
    assert_string_equal(decided("terraform plan"), "auto-accept");
    assert_string_equal(decided("npm test"), "auto-deny");
}

/* ---- tokens with a policy ---- */

static void a_token_may_carry_a_policy(void **state)
{
    char path[160], token[128];
    warder_report *report = NULL;
    warder_caller who;

    (void)state;
    snprintf(path, sizeof(path), "%s/trusted.yaml", box.root);
    box_write(path, "accept:\n  - pattern: 'terraform *'\n  - pattern: 'curl *'\n"
                    "deny:\n  - pattern: 'npm *'\n    reason: not this worker\n");
    assert_int_equal(warder_token_create(box.data, NULL, "worker", "deployer", path, &report, NULL),
                     WARDER_OK);
    snprintf(token, sizeof(token), "%.*s", (int)strcspn(warder_report_text(report), "\n"),
             warder_report_text(report));
    warder_report_free(report);
    assert_int_equal(warder_service_login(box.service, token, &who, NULL), WARDER_DONE);
    assert_int_equal(who.role, WARDER_WORKER);
    assert_string_equal(who.name, "deployer");
    assert_member(box_ask(&box, &who, "terraform apply", ""), "decision", "auto-accept");
    assert_member(box_ask(&box, &box.worker, "terraform apply", ""), "status",
                  "pending"); /* not for other tokens */
    assert_member(box_ask(&box, &who, "curl http://evil.com", ""), "decision",
                  "auto-deny"); /* no way around deny */
    assert_member(box_ask(&box, &who, "npm test", ""), "decision", "auto-deny");
    assert_member(box_ask(&box, &box.worker, "npm test", ""), "decision", "auto-accept");
    assert_member(box_ask(&box, &who, "rm -r x", ""), "status", "pending");
    /* Two projects in one batch: a decision keeps the policy it was judged by. */
    char call[400];
    warder_case *items[2] = {box_put(&box, &who, "terraform plan", ""), NULL};
    snprintf(call, sizeof(call),
             "{\"tool\":\"Bash\",\"input\":{\"command\":\"terraform plan\"},\"cwd\":\"%s\"}",
             box.home);
    assert_int_equal(
        warder_service_check(box.service, &who, call, strlen(call), NULL, &items[1], NULL),
        WARDER_DONE);
    box_commit(&box);
    for (size_t i = 0; i < 2; i++) {
        assert_member(warder_case_json(items[i]), "rule", "terraform *");
        warder_case_free(items[i]);
    }
    /* A policy that cannot be read allows nothing. */
    box_write(path, "accept: [");
    assert_int_equal(warder_service_reload(box.service, NULL), WARDER_OK);
    assert_member(box_ask(&box, &who, "terraform apply", ""), "decision", "auto-deny");
    assert_member(box_ask(&box, &who, "ls", ""), "decision", "auto-deny");
    assert_member(box_ask(&box, &box.worker, "ls", ""), "decision", "auto-accept");
    assert_int_equal(warder_service_health(box.service, &report, NULL), WARDER_DONE);
    assert_member(warder_report_json(report), "status", "degraded");
    assert_member(warder_report_json(report), "problems.0.name", "token");
    warder_report_free(report);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(warder_service_reload(box.service, NULL), WARDER_OK);
    assert_member(box_ask(&box, &who, "ls", ""), "decision", "auto-deny");
    assert_int_equal(warder_token_revoke(box.data, NULL, who.id, NULL), WARDER_OK);
    assert_int_equal(warder_service_login(box.service, token, &who, NULL), WARDER_FORBIDDEN);
    assert_int_equal(who.role, WARDER_NOBODY);
    assert_int_equal(warder_service_login(box.service, "wdr_x", &who, NULL), WARDER_FORBIDDEN);
    assert_int_equal(warder_service_login(box.service, NULL, &who, NULL), WARDER_FORBIDDEN);
}

/* ---- audit ---- */

static warder_outcome audit(const char *json)
{
    warder_report *report = NULL;
    warder_error err = {0};

    return keep(
        warder_service_rule_audit(box.service, &box.operator, json, strlen(json), &report, &err),
        &report, &err);
}

static void an_audit_says_what_a_rule_means(void **state)
{
    (void)state;
    decided("terraform plan");
    decided("deploy --token=hunter2hunter2");
    decided("ls; cat x");
    decided("curl http://evil.com");
    assert_int_equal(audit("{\"pattern\":\"curl*\",\"type\":\"deny\",\"commands\":[\"cu\\\\rl "
                           "x\",\"ls && curl y\",\"ls\"]}"),
                     WARDER_DONE);
    assert_member(reply, "commands.0.matches", "true");
    assert_member(reply, "commands.1.matches", "true");
    assert_member(reply, "commands.1.covers", "false");
    assert_member(reply, "commands.2.matches", "false");
    assert_member(reply, "past.0.command", "curl http://evil.com");
    assert_member(reply, "past.0.decision", "auto-deny");
    assert_member(reply, "past.1", "");
    assert_member(reply, "past_redacted", "true");
    assert_member(reply, "past_looked_at", "2"); /* the others wait for a person */
    assert_int_equal(
        audit(
            "{\"pattern\":\"ls*\",\"type\":\"accept\",\"limit\":0,\"commands\":[\"ls; curl x\"]}"),
        WARDER_DONE);
    assert_member(reply, "commands.0.covers", "false");
    assert_member(reply, "past_looked_at", "0");
    assert_int_equal(add("{\"pattern\":\"make x\",\"type\":\"accept\",\"scope\":\"p9\"}"),
                     WARDER_DONE);
    char json[200];
    snprintf(json, sizeof(json), "{\"id\":\"%s\",\"commands\":[\"make x\",\"make y\"]}",
             box_member(reply, "rule.id"));
    assert_int_equal(audit(json), WARDER_DONE);
    assert_member(reply, "commands.0.covers", "true");
    assert_member(reply, "commands.1.matches", "false");
    static const struct {
        const char *json;
        warder_outcome want;
    } bad[] = {
        {"{}", WARDER_INVALID},
        {"{\"id\":\"none\"}", WARDER_NOT_FOUND},
        {"{\"pattern\":\"Bash(\"}", WARDER_INVALID},
        {"{\"pattern\":\"x\",\"type\":\"maybe\"}", WARDER_INVALID},
        {"{\"pattern\":\"x\",\"commands\":\"ls\"}", WARDER_INVALID},
        {"{\"pattern\":\"x\",\"commands\":[1]}", WARDER_INVALID},
        {"{\"pattern\":\"x\",\"limit\":2001}", WARDER_INVALID},
        {"{\"pattern\":\"x\",\"since\":\"soon\"}", WARDER_INVALID},
    };
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(audit(bad[i].json), bad[i].want);
}

/* What the audit says of a rule and a command, and what the engine decides with the rule in
 * force: one must not say more than the other. */
static void an_audit_judges_as_the_engine_does(void **state)
{
    static const struct {
        const char *policy, *command;
        bool matches;
    } rows[] = {
        {"deny: [{rule: Bash, flags: [--force], id: x}]", "mystery --force a", true},
        {"deny: [{rule: Bash, flags: [--force], id: x}]", "mystery a", false},
        {"deny: [{rule: Bash, paths: [//etc], id: x}]", "cat /etc", true},
        {"deny: [{rule: Bash, paths: [//etc], id: x}]", "cat /opt/a", false},
        {"deny: [{rule: Bash, regex: '^mystery [0-9]+$', id: x}]", "mystery 12", true},
        {"deny: [{rule: Bash, regex: '^mystery [0-9]+$', id: x}]", "mystery x", false},
        {"deny: [{effect: delete, id: x}]", "rm a.txt", true},
        {"deny: [{effect: delete, id: x}]", "find . -delete", true},
        {"deny: [{effect: delete, id: x}]", "cat a.txt", false},
        {"deny: [{rule: 'Bash(mystery:*)', id: x, when: {mode: [plan]}}]", "mystery a", false},
        {"deny: [{rule: 'Bash(mystery:*)', id: x, when: {mode: [default]}}]", "mystery a", true},
        {"deny: [{rule: 'Bash(mystery:*)', id: x, when: {until: 2020-01-31}}]", "mystery a", false},
        {"deny: [{rule: 'Bash(mystery:*)', id: x, unless: ['Bash(mystery a)']}]", "mystery a",
         false},
        {"deny: [{rule: 'Bash(mystery:*)', id: x, unless: ['Bash(mystery a)']}]", "mystery b",
         true},
        {"deny: [{rule: 'Bash(rm -rf:*)', id: x}]", "rm --recursive -f a", true},
        {"deny: [{rule: 'Bash(mystery:*)', id: x}]", "env mystery a", true},
        {"allow: [{rule: 'Bash(mystery:*)', id: x}]", "mystery a", true},
        {"allow: [{rule: 'Bash(cp:*)', id: x}]", "cp a /etc/passwd", false},
        {"allow: [{rule: 'Bash(mystery:*)', id: x, when: {mode: [plan]}}]", "mystery a", false},
    };
    char path[160], json[300];
    const char *policies[] = {path};

    (void)state;
    snprintf(path, sizeof(path), "%s/audited.yaml", box.root);
    for (size_t i = 0; i < COUNT(rows); i++) {
        box_close(&box);
        box_write(path, rows[i].policy);
        box_open_with(&box, (warder_service_options){
                                .profile = "warder", .policies = policies, .policy_count = 1});
        snprintf(json, sizeof(json), "{\"id\":\"x\",\"limit\":0,\"commands\":[\"%s\"]}",
                 rows[i].command);
        if (audit(json) != WARDER_DONE)
            fail_msg("%s: %s", rows[i].policy, reply);
        const bool denies = rows[i].policy[0] == 'd';
        const char *said = box_member(reply, denies ? "commands.0.matches" : "commands.0.covers");
        if (strcmp(said, rows[i].matches ? "true" : "false") != 0)
            fail_msg("%s, %s: %s", rows[i].policy, rows[i].command, reply);
        const char *decision = decided(rows[i].command);
        if ((strcmp(decision, denies ? "auto-deny" : "auto-accept") == 0) != rows[i].matches)
            fail_msg("%s, %s: the engine says %s", rows[i].policy, rows[i].command, decision);
    }
}

static void an_audit_takes_the_long_form(void **state)
{
    static const struct {
        const char *members, *command, *matches;
    } rows[] = {
        {"\"flags\":[\"--force\"]", "mystery --force", "true"},
        {"\"flags\":[\"--force\"]", "mystery", "false"},
        {"\"paths\":[\"//etc\"]", "mystery /etc", "true"},
        {"\"paths\":[\"//etc\"]", "mystery /opt", "false"},
        {"\"regex\":\"^mystery x$\"", "mystery x", "true"},
        {"\"regex\":\"^mystery x$\"", "mystery y", "false"},
    };
    char json[300];

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        snprintf(
            json, sizeof(json),
            "{\"pattern\":\"mystery*\",\"type\":\"deny\",%s,\"limit\":0,\"commands\":[\"%s\"]}",
            rows[i].members, rows[i].command);
        if (audit(json) != WARDER_DONE)
            fail_msg("%s", reply);
        if (strcmp(box_member(reply, "commands.0.matches"), rows[i].matches) != 0)
            fail_msg("%s: %s", json, reply);
    }
    assert_int_equal(audit("{\"pattern\":\"x\",\"flags\":\"-f\"}"), WARDER_INVALID);
    assert_int_equal(audit("{\"pattern\":\"x\",\"regex\":\"(\"}"), WARDER_INVALID);
}

/* ---- updates ---- */

/* What an update says once it is committed. */
static warder_outcome update(const char *json)
{
    warder_report *report = NULL;
    warder_case *held = NULL;

    assert_int_equal(
        warder_service_update(box.service, &box.operator, json, strlen(json), &report, NULL),
        WARDER_DONE);
    warder_report_free(report);
    assert_int_equal(warder_service_hold(box.service, NULL, &held), WARDER_OK);
    assert_int_equal(warder_case_outcome(held), WARDER_FAILED); /* not yet */
    box_commit(&box);
    warder_outcome outcome = warder_case_outcome(held);
    snprintf(reply, sizeof(reply), "%s", warder_case_json(held));
    warder_case_free(held);
    return outcome;
}

static void updates_are_recorded(void **state)
{
    (void)state;
    assert_int_equal(update("{\"type\":\"addRules\",\"rules\":[\"terraform plan\"],"
                            "\"behavior\":\"allow\"}"),
                     WARDER_DONE);
    assert_member(reply, "generation", "2");
    assert_string_equal(decided("terraform plan"), "auto-accept");
    assert_int_equal(update("{\"type\":\"nothing\"}"), WARDER_INVALID);
    assert_non_null(strstr(reply, "nothing"));
    assert_int_equal(box_records(&box, "\"kind\":\"update\""), 2);
    assert_int_equal(box_records(&box, "terraform plan"), 2);
}

/* The second is based on the first, before that is in force. */
static void changes_of_one_batch_follow_each_other(void **state)
{
    static const char *const patterns[] = {"terraform plan", "terraform show", "terraform fmt"};
    warder_report *report = NULL;
    char json[200];

    (void)state;
    for (size_t i = 0; i < COUNT(patterns); i++) {
        snprintf(json, sizeof(json),
                 "{\"pattern\":\"%s\",\"type\":\"accept\",\"scope\":\"global\"}", patterns[i]);
        assert_int_equal(
            warder_service_rule_add(box.service, &box.operator, json, strlen(json), &report, NULL),
            WARDER_DONE);
        warder_report_free(report);
        assert_int_equal(list("global"), WARDER_DONE);
    }
    for (size_t i = 0; i < COUNT(patterns); i++)
        assert_string_equal(decided(patterns[i]), "auto-accept");
    assert_int_equal(box_records(&box, "\"action\":\"added\""), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, box_setup, box_teardown)
        CASE(added_rules_hold_for_the_next_call),
        CASE(requests_are_read_strictly),
        CASE(texts_have_limits),
        CASE(there_is_a_number_of_rules_that_is_enough),
        CASE(a_scope_is_one_project),
        CASE(an_accept_of_a_project_weakens_no_deny),
        CASE(others_rules_are_shown_and_not_changed),
        CASE(a_promotion_is_a_rule_for_exactly_this),
        CASE(stars_in_a_command_stay_stars),
        CASE(each_part_of_a_line_gets_its_rule),
        CASE(a_promoted_rule_can_be_written),
        CASE(a_promotion_may_begin_later),
        CASE(secrets_become_no_rule),
        CASE(the_rules_hold_without_the_service),
        CASE(rules_survive_a_restart),
        CASE(a_token_may_carry_a_policy),
        CASE(an_audit_says_what_a_rule_means),
        CASE(an_audit_judges_as_the_engine_does),
        CASE(an_audit_takes_the_long_form),
        CASE(updates_are_recorded),
        CASE(changes_of_one_batch_follow_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
