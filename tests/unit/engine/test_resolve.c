/* Decisions until their end: sessions, hooks, the callback, and every possible failure. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/json.h"
#include "engine/engine.h"
#include "support/policy_tree.h"
#include "warder_admin.h"

#include <cmocka.h>

#define OURS "home/.config/warder/warder.yaml"

/* What the callback does. */
struct script {
    warder_answer answer;
    int fails, hangs;
    unsigned calls;
    char seen[4000];
};

static int scripted(void *context, const warder_question *q, warder_answer *answer)
{
    struct script *s = context;

    s->calls++;
    snprintf(s->seen, sizeof(s->seen), "%s|%s|%s|%s", q->tool, q->session, q->input, q->verdict);
    if (s->hangs) {
        struct pollfd fd = {.fd = q->cancel_fd, .events = POLLIN};
        poll(&fd, 1, -1);
    }
    size_t size = answer->struct_size;
    *answer = s->answer;
    answer->struct_size = size;
    return s->fails;
}

#define SAYS(b, ...)                                                                               \
    {                                                                                              \
        .answer = {.given = 1, .behavior = (b), ##__VA_ARGS__ }                                    \
    }
#define ALLOWS SAYS(WARDER_ALLOW)
#define DENIES SAYS(WARDER_DENY, .message = "not this", .interrupt = 1)

#define HOOK_WITHIN(seconds, event, command)                                                       \
    "hooks:\n  " event ":\n    - hooks:\n        - {command: sh, args: [-c, '" command             \
    "'], timeout: " seconds "}\n"
#define HOOK(event, command) HOOK_WITHIN("20", event, command)
#define PRE(json)            HOOK("PreToolUse", "cat >/dev/null; echo " json)
#define REQ(json)            HOOK("PermissionRequest", "cat >/dev/null; echo " json)
#define J(x)                 "\"{" x "}\""
#define K(k, v)              "\\\"" k "\\\":\\\"" v "\\\""

/* "curl http://h/" asks, "ls" is allowed, "rm -rf /" is denied. */
struct row {
    const char *why, *profile, *mode, *policy, *command;
    struct script script;
    bool has_callback, leave_ask, headless, auto_allow, record;
    uint32_t deadline;
    const char *want;  /* "allow layer: part of the reason" */
    const char *input; /* the updated one */
};

static const struct row rows[] = {
    {"a plain allow", .command = "ls", .want = "allow harmless"},
    {"a plain deny", .command = "rm -rf /", .want = "deny catastrophe"},
    {"no asker", .command = "curl http://h/", .want = "deny risk"},
    {"left to the caller", .command = "curl http://h/", .leave_ask = true, .want = "ask risk"},
    {"headless", .command = "curl http://h/", .headless = true, .want = "deny risk"},
    {"auto-allow", .command = "curl http://h/", .auto_allow = true,
     .want = "allow risk: DANGEROUS"},
    {"dontAsk", .mode = "dontAsk", .command = "curl http://h/", .script = ALLOWS,
     .has_callback = true, .want = "deny"},

    {"the callback allows", .command = "curl http://h/", .script = ALLOWS, .has_callback = true,
     .want = "allow callback: allowed by the application"},
    {"the callback denies", .command = "curl http://h/", .script = DENIES, .has_callback = true,
     .want = "deny callback: denied by the application"},
    {"the callback asks", .command = "curl http://h/", .script = SAYS(WARDER_ASK),
     .has_callback = true, .want = "deny callback: not be used: its behavior is neither"},
    {"the callback contradicts itself, and the caller asks", .command = "curl http://h/",
     .script = SAYS(WARDER_ASK), .has_callback = true, .leave_ask = true, .want = "ask risk"},
    {"the callback says nothing", .command = "curl http://h/", .has_callback = true,
     .want = "deny risk"},
    {"... and the caller asks", .command = "curl http://h/", .has_callback = true,
     .leave_ask = true, .want = "ask risk"},
    {"the callback fails", .command = "curl http://h/",
     .script = {.answer = {.given = 1, .behavior = WARDER_ALLOW}, .fails = 1}, .has_callback = true,
     .want = "deny callback: the application's answer could not be used: it failed"},
    {"the callback fails and says how", .command = "curl http://h/",
     .script = {.answer = {.given = 1, .behavior = WARDER_ALLOW, .message = "no paper"},
                .fails = -1},
     .has_callback = true, .want = "deny callback: it failed: no paper"},
    {"no such behaviour", .command = "curl http://h/", .script = SAYS((warder_behavior)7),
     .has_callback = true, .want = "deny callback: neither allow nor deny"},
    {"allow and interrupt", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .interrupt = 1), .has_callback = true,
     .want = "deny callback: allows the call and stops the agent"},
    {"remembered without a session", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .remember = 1), .has_callback = true,
     .want = "deny callback: has no session"},
    {"a deny to be remembered", .command = "curl http://h/",
     .script = SAYS(WARDER_DENY, .remember = 1), .has_callback = true,
     .want = "deny callback: only an allow"},
    {"no such answerer", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .by = (warder_by)3), .has_callback = true,
     .want = "deny callback: who decided"},
    {"an answerer without a name", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .who = ""), .has_callback = true,
     .want = "deny callback: the name of the one"},
    {"an allow in place of an answer", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .by = WARDER_BY_TIMEOUT), .has_callback = true,
     .want = "deny callback: no one answered in time"},
    {"a member of a later version", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .reserved = {0, 1}), .has_callback = true,
     .want = "deny callback: members that this version does not know"},
    {"the callback's own deadline", .command = "curl http://h/",
     .script = SAYS(WARDER_DENY, .by = WARDER_BY_TIMEOUT), .has_callback = true,
     .want = "deny ask: no answer came in time"},
    {"a person allows", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .by = WARDER_BY_PERSON, .who = "ada"), .has_callback = true,
     .want = "allow person: allowed by a person"},
    {"a person denies", .command = "curl http://h/",
     .script = SAYS(WARDER_DENY, .by = WARDER_BY_PERSON), .has_callback = true,
     .want = "deny person: denied by a person"},
    {"the callback hangs", .command = "curl http://h/",
     .script = {.hangs = 1, .answer = {.given = 1, .behavior = WARDER_ALLOW}}, .has_callback = true,
     .deadline = 30, .want = "deny ask: in time"},
    {"it is not asked about what is denied", .command = "rm -rf /", .script = ALLOWS,
     .has_callback = true, .want = "deny catastrophe"},
    {"an immune ask can be answered", .command = "eval \"$X\"", .script = ALLOWS,
     .has_callback = true, .want = "allow callback"},
    {"a new input", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{\"command\":\"curl http://other/\"}"),
     .has_callback = true, .want = "allow callback", .input = "curl http://other/"},
    {"a new input that needs no approval", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{\"command\":\"ls\"}"), .has_callback = true,
     .want = "allow harmless", .input = "ls"},
    {"a new input that is denied", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{\"command\":\"rm -rf /\"}"),
     .has_callback = true, .want = "deny catastrophe"},
    {"a new input of the wrong type", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .updated_input = "[]"), .has_callback = true,
     .want = "deny callback: not a JSON object"},
    {"a new input that is not JSON", .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{"), .has_callback = true,
     .want = "deny callback: not a JSON object"},

    {"a hook allows", .policy = PRE(J(K("decision", "approve"))), .command = "curl http://h/",
     .want = "allow hooks"},
    {"a hook denies", .policy = PRE(J(K("decision", "block") "," K("reason", "no"))),
     .command = "ls", .want = "deny hooks: no"},
    {"a hook asks", .policy = PRE(J(K("decision", "ask"))), .command = "ls", .leave_ask = true,
     .want = "ask hooks"},
    {"a hook cannot allow what is denied", .policy = PRE(J(K("decision", "approve"))),
     .command = "rm -rf /", .want = "deny catastrophe"},
    {"a hook cannot allow what was not understood", .policy = PRE(J(K("decision", "approve"))),
     .command = "eval \"$X\"", .want = "deny unreadable"},
    {"a hook rewrites",
     .policy =
         PRE(J("\\\"hookSpecificOutput\\\":{\\\"updatedInput\\\":{" K("command", "pwd") "}}")),
     .command = "curl http://h/", .want = "allow harmless", .input = "pwd"},
    {"a hook rewrites to what is denied",
     .policy =
         PRE(J("\\\"hookSpecificOutput\\\":{\\\"updatedInput\\\":{" K("command", "rm -rf /") "}}")),
     .command = "ls", .want = "deny catastrophe"},
    {"a hook rewrites what was answered",
     .policy = HOOK("PreToolUse", "grep -q other && echo "
                                  "\"{\\\"hookSpecificOutput\\\":{\\\"updatedInput\\\":{"
                                  "\\\"command\\\":\\\"ls\\\"}}}\"; exit 0"),
     .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{\"command\":\"curl http://other/\"}"),
     .has_callback = true, .want = "deny hooks: already been answered"},
    {"a hook denies a new input", .policy = HOOK("PreToolUse", "grep -q other && exit 2; exit 0"),
     .command = "curl http://h/",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{\"command\":\"curl http://other/\"}"),
     .has_callback = true, .want = "deny hooks"},
    {"a hook crashes", .policy = HOOK("PreToolUse", "kill -9 $$"), .command = "ls",
     .want = "deny hooks: signal 9"},
    {"a request hook allows", .policy = REQ(J(K("decision", "approve"))),
     .command = "curl http://h/", .want = "allow hook: a PermissionRequest hook"},
    {"a request hook denies", .policy = REQ(J(K("decision", "block"))), .command = "curl http://h/",
     .want = "deny hook: denied by"},
    {"a request hook is not asked without need", .policy = REQ(J(K("decision", "block"))),
     .command = "ls", .want = "allow harmless"},
    {"a request hook hangs, the callback answers",
     .policy = HOOK_WITHIN("1", "PermissionRequest", "sleep 1000"), .command = "curl http://h/",
     .script = ALLOWS, .has_callback = true, .want = "allow callback"},
    {"the callback hangs, a request hook answers", .policy = REQ(J(K("decision", "block"))),
     .command = "curl http://h/", .script = {.hangs = 1}, .has_callback = true,
     .want = "deny hook"},
    {"a request hook crashes", .policy = HOOK("PermissionRequest", "kill -9 $$"),
     .command = "curl http://h/", .leave_ask = true, .want = "ask risk"},
    {"a broken policy asks no hook", .policy = "deny: [\n", .command = "ls", .script = ALLOWS,
     .has_callback = true, .want = "deny policy"},

    {"waterfall: the callback comes before the mode", .profile = "waterfall", .mode = "plan",
     .command = "make x", .script = ALLOWS, .has_callback = true, .want = "deny"},
    {"waterfall: the callback allows", .profile = "waterfall", .command = "make x",
     .script = ALLOWS, .has_callback = true, .want = "allow callback"},
    {"waterfall: the callback denies", .profile = "waterfall", .command = "make x",
     .script = DENIES, .has_callback = true, .want = "deny callback: not this"},
    {"waterfall: nothing falls through", .profile = "waterfall", .command = "make x",
     .has_callback = true, .leave_ask = true, .want = "ask"},
    {"waterfall: the hook comes before the callback", .profile = "waterfall",
     .policy = REQ(J(K("decision", "block"))), .command = "make x", .script = ALLOWS,
     .has_callback = true, .want = "deny hook"},
    {"waterfall: continue false", .profile = "waterfall",
     .policy = REQ(J("\\\"continue\\\":false")), .command = "make x", .want = "deny hook"},
    {"waterfall: a new input", .profile = "waterfall", .command = "make x",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{\"command\":\"make y\"}"),
     .has_callback = true, .want = "allow callback", .input = "make y"},
    {"waterfall: a new input that a rule denies", .profile = "waterfall",
     .policy = "deny: ['Bash(rm *)']\n", .command = "make x",
     .script = SAYS(WARDER_ALLOW, .updated_input = "{\"command\":\"rm x\"}"), .has_callback = true,
     .want = "deny rules"},
    {"waterfall: a hook's deny holds in bypass, too", .profile = "waterfall",
     .mode = "bypassPermissions", .policy = PRE(J(K("decision", "block"))), .command = "ls",
     .want = "deny hooks"},
    {"waterfall: a hook's ask is answered by the callback", .profile = "waterfall",
     .policy = PRE(J(K("decision", "ask"))), .command = "make x", .script = ALLOWS,
     .has_callback = true, .want = "allow callback"},
    {"waterfall: a hook's ask is not passed over", .profile = "waterfall",
     .mode = "bypassPermissions", .policy = PRE(J(K("decision", "ask"))), .command = "ls",
     .leave_ask = true, .want = "ask hooks"},
    {"caliban: a hook's deny holds", .profile = "caliban",
     .policy = "allow: [Bash]\n" PRE(J(K("decision", "block"))), .command = "ls",
     .want = "deny hooks"},
    {"caliban: a hook's ask holds", .profile = "caliban",
     .policy = "allow: [Bash]\n" PRE(J(K("decision", "ask"))), .command = "ls", .leave_ask = true,
     .want = "ask hooks"},
    {"caliban: a hook allows nothing", .profile = "caliban",
     .policy = PRE(J(K("decision", "approve"))), .command = "make x", .leave_ask = true,
     .want = "ask"},
    {"guild: a failing hook asks", .profile = "guild", .policy = HOOK("PreToolUse", "exit 3"),
     .command = "ls", .leave_ask = true, .want = "ask hooks"},
    {"mini: a hook's deny holds in bypass", .profile = "mini", .mode = "bypassPermissions",
     .policy = PRE(J(K("decision", "block"))), .command = "ls", .want = "deny hooks"},
    {"mini: a hook's ask in dontAsk", .profile = "mini", .mode = "dontAsk",
     .policy = PRE(J(K("decision", "ask"))), .command = "ls", .want = "deny hooks"},
    {"mink: the hook overrides", .profile = "mink", .policy = PRE(J(K("decision", "block"))),
     .command = "ls", .want = "deny hook"},
};

struct fixture {
    struct tree tree;
    warder_engine *engine;
    const char *session;
};

static void open_engine(struct fixture *f, const struct row *r)
{
    warder_options o = WARDER_OPTIONS_INIT;
    warder_error err;

    o.profile = r->profile;
    o.mode = r->mode;
    o.home = f->tree.home;
    o.cwd = f->tree.project;
    o.headless = r->headless;
    o.auto_allow = r->auto_allow;
    o.record = r->record;
    if (warder_engine_new(&o, &f->engine, &err) != WARDER_OK)
        fail_msg("%s: %s", r->why, err.message);
}

static void open_fixture(struct fixture *f, const struct row *r)
{
    *f = (struct fixture){.session = ""};
    tree_make(&f->tree);
    tree_write(&f->tree, "project/x", "", 0);
    if (r->policy)
        tree_write(&f->tree, OURS, r->policy, 0);
    open_engine(f, r);
}

static void close_fixture(struct fixture *f)
{
    warder_engine_free(f->engine);
    tree_remove(&f->tree);
}

static warder_decision *check(struct fixture *f, const char *command)
{
    char call[1000];
    warder_decision *d;
    struct arena a;
    struct buf b;

    arena_init(&a, 1000000);
    b = buf_in(&a);
    json_string(&b, str_from(command));
    snprintf(call, sizeof(call), "{\"tool\": \"Bash\", \"input\": {\"command\": %s}%s%s%s}",
             buf_str(&b).s, f->session[0] ? ", \"session\": \"" : "", f->session,
             f->session[0] ? "\"" : "");
    arena_release(&a);
    assert_int_equal(warder_check_json(f->engine, call, strlen(call), &d, NULL), WARDER_OK);
    return d;
}

static warder_decision *decide_row(struct fixture *f, const struct row *r, struct script *script)
{
    warder_asking asking = WARDER_ASKING_INIT;
    warder_error err;
    warder_decision *d = check(f, r->command);

    asking.can_use_tool = r->has_callback ? scripted : NULL;
    asking.context = script;
    asking.deadline_ms = r->deadline;
    asking.leave_ask = r->leave_ask;
    asking.client = "test";
    if (warder_resolve(f->engine, d, &asking, &err) != WARDER_OK)
        fail_msg("%s: %s", r->why, err.message);
    return d;
}

static bool reads_as(const warder_decision *d, const char *want)
{
    char text[1000];
    const char *colon = strchr(want, ':');
    size_t len = colon ? (size_t)(colon - want) : strlen(want);

    snprintf(text, sizeof(text), "%s %s", warder_behavior_name(warder_decision_behavior(d)),
             warder_decision_layer(d));
    return strncmp(text, want, len) == 0 && (!text[len] || strchr(" ", text[len])) &&
           (!colon || strstr(warder_decision_reason(d), colon + 2));
}

static void each_way_to_an_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        struct script script = rows[i].script;
        open_fixture(&f, &rows[i]);
        warder_decision *d = decide_row(&f, &rows[i], &script);
        if (!reads_as(d, rows[i].want))
            fail_msg("%s: %s, not %s", rows[i].why, warder_decision_json(d), rows[i].want);
        struct str input =
            d->verdict.updated_input ? value_text(d->verdict.updated_input, "command") : STR("");
        if (warder_decision_behavior(d) != WARDER_DENY &&
            !str_is(input, rows[i].input ? rows[i].input : ""))
            fail_msg("%s: the input is %.*s", rows[i].why, STR_ARG(input));
        warder_decision_free(d);
        close_fixture(&f);
    }
}

/* ---- in two steps ---- */

/* Prepares it, asks the script in place of a callback, and concludes. */
static warder_decision *decide_in_steps(struct fixture *f, const struct row *r,
                                        struct script *script, warder_status *concluded)
{
    warder_asking asking = WARDER_ASKING_INIT;
    warder_question question = WARDER_QUESTION_INIT;
    warder_answer answer = WARDER_ANSWER_INIT;
    warder_error err;
    warder_decision *d = check(f, r->command);

    asking.deadline_ms = r->deadline;
    asking.client = "test";
    *concluded = WARDER_OK;
    if (warder_prepare(f->engine, d, &asking, &err) != WARDER_OK)
        fail_msg("%s: %s", r->why, err.message);
    if (warder_decision_behavior(d) != WARDER_ASK) {
        assert_int_equal(warder_question_of(d, &question, NULL), WARDER_EUSAGE);
        assert_null(question.tool);
        return d;
    }
    assert_int_equal(warder_question_of(d, &question, NULL), WARDER_OK);
    assert_int_equal(question.cancel_fd, -1);
    if (r->has_callback)
        scripted(script, &question, &answer);
    *concluded = warder_conclude(f->engine, d, r->has_callback ? &answer : NULL, NULL);
    return d;
}

/* A callback that fails, hangs or leaves the question to others has no like among answers. */
static bool is_an_answer(const struct row *r)
{
    return !r->leave_ask && !r->script.fails && !r->script.hangs && !r->auto_allow && !r->headless;
}

/* The end is the same as with a callback. */
static void each_way_in_two_steps(void **state)
{
    size_t asked = 0, refused = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        struct script script = rows[i].script;
        warder_status status;
        if (!is_an_answer(&rows[i]))
            continue;
        open_fixture(&f, &rows[i]);
        warder_decision *d = decide_in_steps(&f, &rows[i], &script, &status);
        if (!reads_as(d, rows[i].want))
            fail_msg("%s: %s, not %s", rows[i].why, warder_decision_json(d), rows[i].want);
        struct str input =
            d->verdict.updated_input ? value_text(d->verdict.updated_input, "command") : STR("");
        if (warder_decision_behavior(d) != WARDER_DENY &&
            !str_is(input, rows[i].input ? rows[i].input : ""))
            fail_msg("%s: the input is %.*s", rows[i].why, STR_ARG(input));
        bool unusable = strstr(warder_decision_reason(d), "could not be used") != NULL;
        assert_int_equal(status, unusable ? WARDER_EUSAGE : WARDER_OK);
        asked += script.calls;
        refused += unusable;
        warder_decision_free(d);
        close_fixture(&f);
    }
    assert_true(asked > 20 && refused > 8);
}

static void what_the_callback_sees(void **state)
{
    static const struct row row = {"sees", .command = "curl http://h/", .script = DENIES,
                                   .has_callback = true};
    struct fixture f;
    struct script script = row.script;

    (void)state;
    open_fixture(&f, &row);
    f.session = "s1";
    warder_decision *d = decide_row(&f, &row, &script);
    assert_int_equal(script.calls, 1);
    assert_non_null(
        strstr(script.seen, "Bash|s1|{\"command\":\"curl http://h/\"}|{\"behavior\":\"ask\""));
    assert_string_equal(warder_decision_message(d), "not this");
    assert_true(warder_decision_interrupt(d));
    assert_non_null(strstr(warder_decision_json(d), "\"behavior\":\"deny\""));
    warder_decision_free(d);
    close_fixture(&f);
}

/* ---- trust ---- */

static void hooks_of_an_untrusted_project_do_not_run(void **state)
{
    static const struct row row = {"trust", .command = "ls"};
    struct script none = {0};
    struct fixture f;

    (void)state;
    for (int trusted = 0; trusted < 2; trusted++) {
        open_fixture(&f, &row);
        tree_write(&f.tree, "project/.warder/warder.yaml", HOOK("PreToolUse", "touch ran"), 0);
        tree_write(&f.tree, "project/.claude/settings.json",
                   "{\"hooks\": {\"PreToolUse\": [{\"hooks\": [{\"command\": \"touch ran\"}]}]}}",
                   0);
        if (trusted)
            assert_int_equal(warder_trust_add(f.tree.home, f.tree.project, NULL), WARDER_OK);
        warder_engine_free(f.engine);
        open_engine(&f, &row);
        warder_decision *d = decide_row(&f, &row, &none);
        assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
        assert_int_equal(access(tree_path(&f.tree, "project/ran"), F_OK), trusted ? 0 : -1);
        warder_decision_free(d);
        close_fixture(&f);
    }
}

/* ---- sessions ---- */

static warder_behavior again(struct fixture *f, const struct row *r, struct script *script,
                             int *interrupt)
{
    /* Another process shares nothing with this engine: each call has its own. */
    warder_engine_free(f->engine);
    open_engine(f, r);
    warder_decision *d = decide_row(f, r, script);
    warder_behavior b = warder_decision_behavior(d);
    *interrupt = warder_decision_interrupt(d);
    warder_decision_free(d);
    return b;
}

static void approved_for_the_session(void **state)
{
    static const struct row row = {"grant", .command = "curl http://h/", .has_callback = true};
    struct script remembers = SAYS(WARDER_ALLOW, .remember = 1), once = ALLOWS, silent = {0};
    struct fixture f;
    int interrupt;

    (void)state;
    open_fixture(&f, &row);
    f.session = "s1";
    assert_int_equal(again(&f, &row, &once, &interrupt), WARDER_ALLOW);
    assert_int_equal(again(&f, &row, &silent, &interrupt), WARDER_DENY);
    assert_int_equal(again(&f, &row, &remembers, &interrupt), WARDER_ALLOW);
    assert_int_equal(again(&f, &row, &silent, &interrupt), WARDER_ALLOW);
    assert_int_equal(silent.calls, 1);
    f.session = "s2";
    assert_int_equal(again(&f, &row, &silent, &interrupt), WARDER_DENY);
    f.session = "";
    assert_int_equal(again(&f, &row, &remembers, &interrupt), WARDER_DENY); /* it could not be */
    assert_int_equal(again(&f, &row, &silent, &interrupt), WARDER_DENY);
    close_fixture(&f);
}

static void twenty_denials_interrupt(void **state)
{
    static const struct row denied = {"20", .command = "rm -rf /"},
                            open = {"20", .command = "curl http://h/"};
    struct script none = {0};
    struct fixture f;
    int interrupt;

    (void)state;
    open_fixture(&f, &denied);
    f.session = "s1";
    for (int i = 1; i <= SESSION_DENIALS_IN_ALL; i++) {
        assert_int_equal(again(&f, &open, &none, &interrupt),
                         WARDER_DENY); /* no one could answer: not counted */
        assert_int_equal(again(&f, &denied, &none, &interrupt), WARDER_DENY);
        assert_int_equal(interrupt, i == SESSION_DENIALS_IN_ALL);
    }
    close_fixture(&f);
}

static void three_in_a_row_make_auto_ask(void **state)
{
    static const struct row row = {"auto", .mode = "auto", .command = "curl http://h/",
                                   .has_callback = true},
                            fine = {"auto", .mode = "auto", .command = "ls"};
    struct script allows = ALLOWS;
    struct fixture f;
    int interrupt;

    (void)state;
    open_fixture(&f, &row);
    f.session = "s1";
    for (int i = 0; i < 2; i++)
        assert_int_equal(again(&f, &row, &allows, &interrupt), WARDER_DENY);
    assert_int_equal(again(&f, &fine, &allows, &interrupt), WARDER_ALLOW); /* starts over */
    for (int i = 0; i < SESSION_DENIALS_IN_A_ROW; i++)
        assert_int_equal(again(&f, &row, &allows, &interrupt), WARDER_DENY);
    assert_int_equal(allows.calls, 0);
    assert_int_equal(again(&f, &row, &allows, &interrupt), WARDER_ALLOW);
    assert_int_equal(allows.calls, 1);
    close_fixture(&f);
}

/* Denials of another mode count; once auto has asked because of them it goes on, whether anyone
 * answered or not. */
static void auto_that_asked_once_goes_on(void **state)
{
    static const struct row denied = {"auto", .command = "rm -rf /"},
                            fine = {"auto", .command = "ls"},
                            row = {"auto", .mode = "auto", .command = "curl http://h/",
                                   .has_callback = true};
    struct script silent = {0}, allows = ALLOWS;
    struct fixture f;
    int interrupt;

    (void)state;
    open_fixture(&f, &row);
    f.session = "s1";
    for (int i = 0; i < SESSION_DENIALS_IN_A_ROW; i++)
        assert_int_equal(again(&f, &denied, &silent, &interrupt), WARDER_DENY);
    assert_int_equal(again(&f, &row, &silent, &interrupt), WARDER_DENY);
    assert_int_equal(silent.calls, 1);
    assert_int_equal(again(&f, &fine, &silent, &interrupt), WARDER_ALLOW); /* ends the row */
    assert_int_equal(again(&f, &row, &allows, &interrupt), WARDER_ALLOW);
    assert_int_equal(allows.calls, 1);
    close_fixture(&f);
}

/* The embedder's classifier: it may deny, and says nothing else that counts unless policy lets it.
 */
static void a_classifier_of_the_embedder(void **state)
{
    static const struct row row = {"classify", .command = "curl http://h/"};
    static const struct {
        warder_answer said;
        bool allows;
        warder_behavior want;
        const char *layer;
    } cases[] = {
        {{.given = 1, .behavior = WARDER_DENY}, false, WARDER_DENY, "classifier"},
        {{.given = 1, .behavior = WARDER_ASK}, true, WARDER_DENY, "ask"},
        {{.given = 1, .behavior = WARDER_ALLOW}, false, WARDER_DENY, "ask"},
        {{.given = 1, .behavior = WARDER_ALLOW, .updated_input = "{\"command\":\"ls\"}"},
         true,
         WARDER_DENY,
         "ask"},
        {{.given = -1}, true, WARDER_DENY, "ask"},
        {{.given = 1, .behavior = WARDER_ALLOW}, true, WARDER_ALLOW, "classifier"},
    };
    struct fixture f;

    (void)state;
    open_fixture(&f, &row);
    for (size_t i = 0; i < COUNT(cases); i++) {
        warder_asking asking = WARDER_ASKING_INIT;
        struct script script = {.answer = cases[i].said};
        tree_write(&f.tree, "home/.config/warder/warder.yaml",
                   cases[i].allows ? "classifierAllows: true\n" : "mode: default\n", 0);
        warder_engine_free(f.engine);
        open_engine(&f, &row);
        warder_decision *d = check(&f, row.command);
        asking.classify = scripted;
        asking.context = &script;
        asking.client = "test";
        assert_int_equal(warder_resolve(f.engine, d, &asking, NULL), WARDER_OK);
        assert_int_equal(script.calls, 1);
        assert_int_equal(warder_decision_behavior(d), cases[i].want);
        if (strcmp(cases[i].layer, "classifier") == 0)
            assert_string_equal(warder_decision_layer(d), "classifier");
        warder_decision_free(d);
    }
    close_fixture(&f);
}

static void the_workspace_is_fixed(void **state)
{
    static const struct row row = {"workspace", .mode = "acceptEdits", .command = "ls"};
    struct script none = {0};
    struct fixture f;
    int interrupt;
    char call[2000];
    warder_decision *d;
    warder_asking asking = WARDER_ASKING_INIT;

    (void)state;
    asking.client = "test";
    open_fixture(&f, &row);
    f.session = "s1";
    assert_int_equal(again(&f, &row, &none, &interrupt), WARDER_ALLOW);
    tree_write(&f.tree, "other/x", "", 0);
    for (int i = 0; i < 2; i++) { /* the session's own, and another one */
        snprintf(call, sizeof(call),
                 "{\"tool\": \"Write\", \"input\": {\"file_path\": \"%s\", \"content\": \"\"}, "
                 "\"session\": \"s%d\", "
                 "\"project\": \"%s\"}",
                 tree_path(&f.tree, "other/x"), i + 1, tree_path(&f.tree, "other"));
        assert_int_equal(warder_check_json(f.engine, call, strlen(call), &d, NULL), WARDER_OK);
        assert_int_equal(warder_resolve(f.engine, d, &asking, NULL), WARDER_OK);
        if (warder_decision_behavior(d) != (i == 0 ? WARDER_DENY : WARDER_ALLOW))
            fail_msg("%d: %s", i, warder_decision_json(d));
        warder_decision_free(d);
    }
    close_fixture(&f);
}

static void mini_remembers_what_was_confirmed(void **state)
{
    static const struct row row = {"mini", .profile = "mini", .command = "rm -rf build",
                                   .has_callback = true};
    struct script allows = ALLOWS, none = {0};
    struct fixture f;
    int interrupt;

    (void)state;
    open_fixture(&f, &row);
    f.session = "s1";
    assert_int_equal(again(&f, &row, &allows, &interrupt), WARDER_ALLOW);
    assert_int_equal(again(&f, &row, &none, &interrupt), WARDER_ALLOW);
    close_fixture(&f);
}

/* ---- failures ---- */

static void a_session_that_cannot_be_kept(void **state)
{
    static const struct row row = {"session", .command = "ls"};
    static const struct {
        const char *why, *path, *text;
        mode_t mode;
    } cases[] = {
        {"a file where the directory should be", "home/.local/state/warder/sessions", "", 0600},
        {"a file where the state should be", "home/.local/state", "", 0600},
    };
    struct script none = {0};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fixture f;
        int interrupt;
        open_fixture(&f, &row);
        f.session = "s1";
        tree_write(&f.tree, cases[i].path, cases[i].text, cases[i].mode);
        if (again(&f, &row, &none, &interrupt) != WARDER_DENY)
            fail_msg("%s: allowed", cases[i].why);
        f.session = ""; /* a call without a session needs none */
        if (again(&f, &row, &none, &interrupt) != WARDER_ALLOW)
            fail_msg("%s: denied without a session", cases[i].why);
        close_fixture(&f);
    }
}

static void recorded_or_denied(void **state)
{
    static const struct {
        struct row row;
        const char *name;
    } cases[] = {
        {{"allowed", .command = "ls", .record = true}, "auto-accept"},
        {{"denied", .command = "rm -rf /", .record = true}, "auto-deny"},
        {{"answered", .command = "curl http://h/", .record = true, .script = ALLOWS,
          .has_callback = true},
         "auto-accept"},
        {{"late", .command = "curl http://h/", .record = true, .script = {.hangs = 1},
          .has_callback = true, .deadline = 20},
         "timeout-deny"},
        {{"left", .command = "curl http://h/", .record = true, .leave_ask = true}, "ask"},
    };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(cases); i++) {
        const struct row *row = &cases[i / 2].row;
        bool possible = i % 2 == 0;
        struct fixture f;
        struct script script = row->script;
        open_fixture(&f, row);
        if (!possible)
            tree_write(&f.tree, "home/.local/state/warder/journal", "", 0600);
        warder_decision *d = decide_row(&f, row, &script);
        if (possible) {
            assert_string_equal(warder_decision_name(d), cases[i / 2].name);
            assert_int_equal(warder_decision_id(d)[0], 'd');
        } else if (!reads_as(d, "deny record: could not be recorded")) {
            fail_msg("%s: %s", row->why, warder_decision_json(d));
        }
        warder_decision_free(d);
        close_fixture(&f);
    }
}

static void in_child(struct fixture *f, const struct row *row, warder_behavior want)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        struct script none = {0};
        struct rlimit no_room = {0, 0};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &no_room);
        warder_decision *d = decide_row(f, row, &none);
        _exit(warder_decision_behavior(d) != want ||
              !strstr(warder_decision_reason(d), "session cannot be written"));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void a_full_disk(void **state)
{
    static const struct row row = {"full", .command = "ls"};
    struct fixture f;

    (void)state;
    open_fixture(&f, &row);
    f.session = "s1";
    in_child(&f, &row, WARDER_DENY);
    close_fixture(&f);
}

/* Each allocation of a decision that hook and callback would allow fails once: never an allow. */
static void memory_runs_out(void **state)
{
    static const struct row row = {"memory", .command = "curl http://h/", .has_callback = true};
    struct fixture f;
    size_t failed = 0;

    (void)state;
    open_fixture(&f, &row);
    f.session = "s1";
    for (size_t n = 1;; n++) {
        struct script script = SAYS(WARDER_ALLOW, .message = "fine",
                                    .updated_input = "{\"command\":\"curl http://x/\"}");
        warder_asking asking = WARDER_ASKING_INIT;
        warder_decision *d = check(&f, row.command);
        asking.can_use_tool = scripted;
        asking.context = &script;
        asking.client = "test";
        arena_fail_at(&d->arena, d->arena.allocations + n);
        assert_int_equal(warder_resolve(f.engine, d, &asking, NULL), WARDER_OK);
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
    close_fixture(&f);
}

static void used_wrongly(void **state)
{
    static const struct row row = {"wrong", .command = "ls"};
    struct fixture f, other;
    struct script none = {0};
    warder_asking bad = {0}, newer[2] = {WARDER_ASKING_INIT, {.struct_size = 1}};

    (void)state;
    open_fixture(&f, &row);
    open_fixture(&other, &row);
    assert_int_equal(warder_resolve(f.engine, NULL, NULL, NULL), WARDER_EUSAGE);

    warder_decision *d = check(&f, "ls");
    assert_int_equal(warder_resolve(f.engine, d, &bad, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);

    d = check(&f, "ls");
    newer[0].struct_size = sizeof(newer);
    assert_int_equal(warder_resolve(f.engine, d, newer, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);

    d = check(&f, "ls");
    assert_int_equal(warder_resolve(other.engine, d, NULL, NULL), WARDER_EUSAGE);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);

    d = decide_row(&f, &row, &none);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    assert_int_equal(warder_resolve(f.engine, d, NULL, NULL), WARDER_EUSAGE); /* once */
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    assert_non_null(strstr(warder_decision_json(d), "\"behavior\":\"deny\""));
    warder_decision_free(d);

    d = check(&f, "ls"); /* not asking at all is fine */
    assert_int_equal(warder_resolve(f.engine, d, NULL, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_ALLOW);
    warder_decision_free(d);

    assert_int_equal(warder_check_json(f.engine, "{", 1, &d, NULL), WARDER_OK);
    assert_int_equal(warder_resolve(f.engine, d, NULL, NULL), WARDER_OK);
    assert_int_equal(warder_decision_behavior(d), WARDER_DENY);
    warder_decision_free(d);
    close_fixture(&other);
    close_fixture(&f);
}

static void count_observed(void *context, const warder_decision *d)
{
    char *out = context;

    strncat(out, warder_behavior_name(warder_decision_behavior(d)), 10);
}

static void observers_see_the_end(void **state)
{
    static const struct row row = {"observe", .command = "ls"};
    static const char *const commands[] = {"ls", "rm -rf /", "curl http://h/"};
    warder_asking asking = WARDER_ASKING_INIT;
    char seen[100] = "";
    struct fixture f;

    (void)state;
    open_fixture(&f, &row);
    asking.observe = count_observed;
    asking.context = seen;
    for (size_t i = 0; i < COUNT(commands); i++) {
        warder_decision *d = check(&f, commands[i]);
        assert_int_equal(warder_resolve(f.engine, d, &asking, NULL), WARDER_OK);
        warder_decision_free(d);
    }
    assert_string_equal(seen, "allowdenydeny");
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_way_to_an_end),
        cmocka_unit_test(each_way_in_two_steps),
        cmocka_unit_test(what_the_callback_sees),
        cmocka_unit_test(hooks_of_an_untrusted_project_do_not_run),
        cmocka_unit_test(approved_for_the_session),
        cmocka_unit_test(twenty_denials_interrupt),
        cmocka_unit_test(three_in_a_row_make_auto_ask),
        cmocka_unit_test(auto_that_asked_once_goes_on),
        cmocka_unit_test(a_classifier_of_the_embedder),
        cmocka_unit_test(the_workspace_is_fixed),
        cmocka_unit_test(mini_remembers_what_was_confirmed),
        cmocka_unit_test(a_session_that_cannot_be_kept),
        cmocka_unit_test(recorded_or_denied),
        cmocka_unit_test(a_full_disk),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(used_wrongly),
        cmocka_unit_test(observers_see_the_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
