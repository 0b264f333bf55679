/* What `warder doctor` makes of what it has found: each thing that is wrong is said, nothing else
 * is, and only a call that came since the settings are as they are shows that an agent asks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "connect/doctor.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct visit visit;
static struct patient *patient;

/* An agent that is registered for its user, as it should be, and was seen. */
static void be_well(const char *client, enum scope scope)
{
    memset(visit.patients, 0, sizeof(visit.patients));
    memset(visit.ignored, 0, sizeof(visit.ignored));
    visit.policy = visit.unread = (struct error){0};
    patient = &visit.patients[0];
    patient->client = client_find(str_from(client));
    assert_non_null(patient->client);
    for (size_t i = 0; i < SCOPE_COUNT; i++) {
        struct place *place = &patient->looks[i].place;
        place->registrar.client = patient->client;
        place->registrar.row = registration_of(patient->client);
        place->scope = (enum scope)i;
        memcpy(place->path, "/x/settings", sizeof("/x/settings"));
    }
    struct look *used = &patient->looks[scope];
    used->found = true;
    used->said = (struct registered){.events = 2, .wanted = 2};
    patient->used = used;
    patient->called.at = patient->changed_at = 1000;
    memcpy(patient->seen, "/usr/bin/x", sizeof("/usr/bin/x"));
    patient->trust = HOOK_TRUST_GIVEN;
    patient->canary = (struct canary){true, BEHAVIOR_DENY, BEHAVIOR_ALLOW, {0}};
}

static struct look *used(void)
{
    return &patient->looks[patient->used - patient->looks];
}

static void judge(void *arg)
{
    (void)arg;
    doctor_judge(&visit, patient);
}

static void judge_live(void *arg)
{
    (void)arg;
    doctor_judge_live(&visit, patient);
}

/* The only problem or remark has this in it; NULL: there is none. */
static void one(const struct strs *list, const char *wanted)
{
    for (size_t i = 0; i < list->count; i++)
        if (!wanted || list->count > 1 || !strstr(list->items[i].s, wanted))
            fail_msg("%s instead of %s", list->items[i].s, wanted ? wanted : "nothing");
    assert_int_equal(list->count, wanted ? 1 : 0);
}

static void says(const char *problem, const char *remark, enum patient_state state)
{
    assert_true(arena_try(&visit.arena, judge, NULL));
    one(&patient->problems, problem);
    one(&patient->remarks, remark);
    assert_int_equal(patient->state, state);
}

static void is_well(void)
{
    says(NULL, NULL, SEEN);
}

static void has(const char *problem)
{
    says(problem, NULL, NOT_PROTECTED);
}

static void remarks(const char *remark)
{
    says(NULL, remark, SEEN);
}

/* ---- its state ---- */

static void only_a_call_is_a_proof(void **state)
{
    (void)state;
    be_well("claude", SCOPE_USER);
    is_well();
    be_well("claude", SCOPE_USER);
    patient->called.at = 999;
    says(NULL, NULL, REGISTERED);
    be_well("claude", SCOPE_USER);
    patient->called.at = 0;
    patient->changed_at = 0;
    says(NULL, NULL, REGISTERED);
    be_well("claude", SCOPE_USER);
    patient->called.at = 1001;
    is_well();
}

static void an_agent_without_registration(void **state)
{
    (void)state;
    be_well("claude", SCOPE_USER);
    patient->used = NULL;
    memset(&patient->looks[SCOPE_USER].said, 0, sizeof(patient->looks[SCOPE_USER].said));
    has("not registered: run `warder install claude`");
    be_well("claude", SCOPE_USER);
    patient->used = NULL;
    memset(&patient->looks[SCOPE_USER].said, 0, sizeof(patient->looks[SCOPE_USER].said));
    patient->seen[0] = '\0';
    says(NULL, NULL, NOT_PROTECTED);
    be_well("claude", SCOPE_PROJECT);
    has("registered in the project only");
}

/* ---- its files ---- */

static void a_file_that_cannot_be_read(void **state)
{
    (void)state;
    be_well("claude", SCOPE_USER);
    (void)snprintf(patient->looks[SCOPE_PROJECT].error.message, 8, "bad");
    has("/x/settings: bad");
    be_well("claude", SCOPE_USER);
    patient->looks[SCOPE_PROJECT].error.line = 3;
    patient->looks[SCOPE_PROJECT].error.column = 4;
    (void)snprintf(patient->looks[SCOPE_PROJECT].error.message, 8, "bad");
    has("/x/settings:3:4: bad");
    /* nobody knows whether it is registered there */
    be_well("claude", SCOPE_USER);
    patient->used = NULL;
    memset(&patient->looks[SCOPE_USER].said, 0, sizeof(patient->looks[SCOPE_USER].said));
    (void)snprintf(patient->looks[SCOPE_USER].error.message, 8, "bad");
    has("/x/settings: bad");
}

static void a_registration_that_is_not_as_it_was(void **state)
{
    (void)state;
    be_well("claude", SCOPE_USER);
    used()->said.events = 1;
    has("names Warder for 1 of 2 events");
    be_well("claude", SCOPE_USER);
    used()->said.events = 3;
    is_well();
    be_well("claude", SCOPE_USER);
    used()->said.odd = STR("a condition");
    has("our entry has a condition, which is not what was registered");
    be_well("claude", SCOPE_USER);
    used()->said.narrow = true;
    has("a matcher leaves tools out");
    be_well("claude", SCOPE_USER);
    used()->said.dynamic = true;
    has("registers a program that needs libraries");
    be_well("claude", SCOPE_USER);
    used()->said.fails_open = true;
    has("a hook that fails lets the call run");
    be_well("claude", SCOPE_USER);
    used()->said.odd_env = STR("LD_PRELOAD");
    has("sets LD_PRELOAD, which changes how the hook is run");
    be_well("claude", SCOPE_USER);
    used()->said.ran_missing = 1;
    remarks("what you answer in");
    /* of a file without us, only what it does to the hook counts */
    be_well("claude", SCOPE_USER);
    patient->looks[SCOPE_PROJECT].said = (struct registered){.wanted = 2, .narrow = true};
    is_well();
    patient->looks[SCOPE_PROJECT].said.odd_env = STR("LD_PRELOAD");
    has("sets LD_PRELOAD");
}

static void a_hook_that_is_not_waited_for(void **state)
{
    const int64_t enough = REGISTER_TIMEOUT;

    (void)state;
    be_well("claude", SCOPE_USER);
    used()->said.timeout = enough;
    is_well();
    be_well("claude", SCOPE_USER);
    used()->said.timeout = enough - 1;
    has(" s for the hook, which needs");
    be_well("gemini", SCOPE_USER);
    used()->said.timeout = enough * 1000;
    is_well();
    be_well("gemini", SCOPE_USER);
    used()->said.timeout = enough * 1000 - 1;
    has(" ms for the hook, which needs");
}

static void a_hook_that_is_switched_off(void **state)
{
    (void)state;
    be_well("gemini", SCOPE_USER);
    used()->said.off = STR("hooks: false");
    has("/x/settings switches the hook off (hooks: false)");
    be_well("gemini", SCOPE_USER);
    used()->said.local_off = STR("hooks: false");
    used()->said.beside = "/y/beside";
    has("/y/beside switches the hook off (hooks: false)");
    /* what is registered for the whole machine stays on in Claude Code */
    be_well("claude", SCOPE_MANAGED);
    patient->looks[SCOPE_USER].said.off = STR("disableAllHooks");
    patient->looks[SCOPE_PROJECT].said.off = STR("disableAllHooks");
    is_well();
    be_well("claude", SCOPE_MANAGED);
    used()->said.off = STR("disableAllHooks");
    has("switches the hook off");
    be_well("gemini", SCOPE_MANAGED);
    patient->looks[SCOPE_USER].said.off = STR("hooks: false");
    has("switches the hook off");
    be_well("claude", SCOPE_USER);
    patient->looks[SCOPE_PROJECT].said.off = STR("disableAllHooks");
    has("which it cannot after: sudo warder install --managed claude");
    be_well("claude", SCOPE_USER);
    used()->said.off = STR("disableAllHooks");
    has("switches the hook off (disableAllHooks)");
}

/* ---- what it answered ---- */

static void canaries(void **state)
{
    (void)state;
    be_well("claude", SCOPE_USER);
    patient->canary.bad = BEHAVIOR_ASK;
    is_well();
    be_well("claude", SCOPE_USER);
    patient->canary.bad = BEHAVIOR_ALLOW;
    has("the canary `rm -rf /` was not stopped: nothing was answered");
    be_well("claude", SCOPE_USER);
    patient->canary.bad = BEHAVIOR_ALLOW;
    patient->canary.said = STR("oops");
    has("the canary `rm -rf /` was not stopped: oops");
    be_well("claude", SCOPE_USER);
    patient->canary.good = BEHAVIOR_DENY;
    remarks("the canary `echo warder-canary` is not allowed");
    be_well("claude", SCOPE_USER);
    patient->canary.good = BEHAVIOR_ASK;
    patient->canary.said = STR("why");
    remarks("is not allowed: why");
    be_well("claude", SCOPE_USER);
    patient->canary = (struct canary){false, BEHAVIOR_ALLOW, BEHAVIOR_DENY, {0}};
    is_well();
}

/* ---- what is around it ---- */

static void trust_of_the_client(void **state)
{
    static const struct {
        enum hook_trust trust;
        const char *problem;
    } cases[] = {{HOOK_TRUST_UNUSED, NULL},
                 {HOOK_TRUST_GIVEN, NULL},
                 {HOOK_TRUST_OUTDATED, "trusts an earlier form of the hook"},
                 {HOOK_TRUST_OFF, "the hook is switched off in"},
                 {HOOK_TRUST_MISSING, "has not trusted the hook yet"}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        be_well("claude", SCOPE_USER);
        patient->trust = cases[i].trust;
        says(cases[i].problem, NULL, cases[i].problem ? NOT_PROTECTED : SEEN);
    }
}

static void variables_of_this_process(void **state)
{
    static const char *const ours[] = {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "WARDER_CONFIG"};

    (void)state;
    for (size_t i = 0; i < COUNT(ours); i++) {
        assert_int_equal(setenv(ours[i], "/x", 1), 0);
        be_well("claude", SCOPE_USER);
        remarks(ours[i]);
        be_well("claude", SCOPE_USER);
        patient->used = NULL;
        patient->seen[0] = '\0';
        memset(&patient->looks[SCOPE_USER].said, 0, sizeof(patient->looks[SCOPE_USER].said));
        says(NULL, NULL, NOT_PROTECTED);
        assert_int_equal(unsetenv(ours[i]), 0);
    }
    assert_int_equal(setenv("CLAUDE_CODE_SAFE_MODE", "1", 1), 0);
    be_well("claude", SCOPE_USER);
    has("CLAUDE_CODE_SAFE_MODE is set here: started with it, ");
    be_well("claude", SCOPE_MANAGED);
    is_well();
    be_well("gemini", SCOPE_USER);
    is_well();
    for (const char *const *off = (const char *const[]){"", "0", "false", "No", "OFF", NULL}; *off;
         off++) {
        assert_int_equal(setenv("CLAUDE_CODE_SAFE_MODE", *off, 1), 0);
        be_well("claude", SCOPE_USER);
        is_well();
    }
    assert_int_equal(unsetenv("CLAUDE_CODE_SAFE_MODE"), 0);
}

static void a_rival_file(void **state)
{
    (void)state;
    be_well("claude", SCOPE_USER);
    memcpy(used()->place.rival, "/nonexistent", sizeof("/nonexistent"));
    is_well();
    be_well("claude", SCOPE_USER);
    memcpy(used()->place.rival, "/etc/passwd", sizeof("/etc/passwd"));
    has("/etc/passwd exists, so /x/settings is ignored");
}

static void what_the_visit_found(void **state)
{
    struct other_hook other = {STR("f"), STR("e"), STR("m"), STR("r")};

    (void)state;
    be_well("claude", SCOPE_USER);
    (void)snprintf(visit.policy.message, 8, "bad");
    has("every call is denied, because the policy cannot be read: bad");
    be_well("claude", SCOPE_USER);
    (void)snprintf(visit.unread.message, 8, "bad");
    remarks("the record cannot be searched for its calls: bad");
    be_well("claude", SCOPE_USER);
    visit.ignored[patient->client - clients] = true;
    remarks("it was answered with a sandbox once and ran its own command");
    be_well("claude", SCOPE_USER);
    visit.ignored[patient->client - clients + 1] = true;
    is_well();
    be_well("claude", SCOPE_USER);
    patient->others.items = &other;
    patient->others.count = 1;
    remarks("other hooks run before the same tools");
}

static void a_note_of_its_own(void **state)
{
    (void)state;
    for (size_t i = 0; clients[i].name; i++) {
        const struct registration *row = registration_of(&clients[i]);
        if (!row || !row->note)
            continue;
        be_well(clients[i].name, SCOPE_USER);
        is_well(); /* it is about trust, which is known here */
        be_well(clients[i].name, SCOPE_USER);
        patient->trust = HOOK_TRUST_UNUSED;
        remarks(row->note);
    }
}

/* ---- what came of starting it ---- */

static void it_was_started(void **state)
{
    static const struct {
        enum live_end end;
        const char *said, *remark;
        size_t count;
        enum patient_state state;
    } ends[] = {{LIVE_UNUSED, "x", NULL, 0, REGISTERED},
                {LIVE_ASKED, "x", NULL, 0, SEEN},
                {LIVE_SILENT, "x", "it ended without asking Warder", 2, REGISTERED},
                {LIVE_FAILED, "x", "it failed before it asked Warder", 2, REGISTERED},
                {LIVE_TIMEOUT, "x", "it did not ask Warder within 7 s", 2, REGISTERED},
                {LIVE_UNABLE, "", "it could not be started", 1, REGISTERED}};

    (void)state;
    visit.order.live_seconds = 7;
    for (size_t i = 0; i < COUNT(ends); i++) {
        be_well("claude", SCOPE_USER);
        patient->called.at = 0;
        patient->live = (struct live){.end = ends[i].end, .said = str_from(ends[i].said)};
        assert_true(arena_try(&visit.arena, judge_live, NULL));
        assert_int_equal(patient->state, ends[i].state);
        assert_int_equal(patient->called.at != 0, ends[i].end == LIVE_ASKED);
        assert_int_equal(patient->remarks.count, ends[i].count);
        if (ends[i].count)
            assert_non_null(strstr(patient->remarks.items[0].s, ends[i].remark));
        if (ends[i].count > 1)
            assert_string_equal(patient->remarks.items[1].s, "its last line: x");
    }
}

static void it_was_answered_with_a_sandbox(void **state)
{
    static const struct {
        enum live_cell cell;
        const char *remark;
    } cells[] = {{LIVE_CELL_UNUSED, NULL},
                 {LIVE_CELL_RAN, NULL},
                 {LIVE_CELL_NONE, "policy uses the sandbox, and its call was not to run in one"},
                 {LIVE_CELL_IGNORED, "it was answered with a sandbox, and did not run that"}};

    (void)state;
    for (size_t i = 0; i < COUNT(cells); i++) {
        be_well("claude", SCOPE_USER);
        patient->live = (struct live){.end = LIVE_ASKED, .cell = cells[i].cell};
        assert_true(arena_try(&visit.arena, judge_live, NULL));
        one(&patient->remarks, cells[i].remark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_call_is_a_proof),
        cmocka_unit_test(an_agent_without_registration),
        cmocka_unit_test(a_file_that_cannot_be_read),
        cmocka_unit_test(a_registration_that_is_not_as_it_was),
        cmocka_unit_test(a_hook_that_is_not_waited_for),
        cmocka_unit_test(a_hook_that_is_switched_off),
        cmocka_unit_test(canaries),
        cmocka_unit_test(trust_of_the_client),
        cmocka_unit_test(variables_of_this_process),
        cmocka_unit_test(a_rival_file),
        cmocka_unit_test(what_the_visit_found),
        cmocka_unit_test(a_note_of_its_own),
        cmocka_unit_test(it_was_started),
        cmocka_unit_test(it_was_answered_with_a_sandbox),
    };

    (void)unsetenv("XDG_CONFIG_HOME");
    (void)unsetenv("XDG_STATE_HOME");
    (void)unsetenv("WARDER_CONFIG");
    arena_init(&visit.arena, 1 << 24);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_release(&visit.arena);
    return failed;
}
