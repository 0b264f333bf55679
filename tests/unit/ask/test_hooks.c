/* Hooks: a table of programs that behave well and badly, and the expected outcome of each. */
#include <ctype.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ask/hooks.h"
#include "base/json.h"
#include "machine/clock.h"
#include "machine/regex.h"
#include "support/policy_tree.h"

#include <cmocka.h>

#define INPUT    "{\"command\":\"make all\"}"
#define SAY(...) "cat >/dev/null; echo '" #__VA_ARGS__ "'"
#define PRE(...) SAY({"hookSpecificOutput" : {"hookEventName" : "PreToolUse", __VA_ARGS__}})
#define REQ(...)                                                                                   \
    SAY({                                                                                          \
        "hookSpecificOutput" : {"hookEventName" : "PermissionRequest", "decision" : {__VA_ARGS__}} \
    })

#define ALLOW  PRE("permissionDecision" : "allow", "permissionDecisionReason" : "good")
#define DENY   PRE("permissionDecision" : "deny", "permissionDecisionReason" : "bad")
#define ASK    PRE("permissionDecision" : "ask", "permissionDecisionReason" : "hm")
#define NEW(c) PRE("updatedInput" : {"command" : c})
#define YES(c) PRE("permissionDecision" : "allow", "updatedInput" : {"command" : c})
#define IF_OLD "grep -q 'make all' || exit 0; "

enum { PLAIN = 0, OBSERVES = 1, CONDITIONAL = 2, SHORT = 4 };

struct row {
    const char *why;
    const char *want; /* "deny stop [new input] reason", where the reason is one of its parts */
    struct {
        const char *command;
        unsigned flags;
    } hooks[4];
};

/* clang-format off */
static const struct row before[] = {
    {"no hook", "none", {{0}}},
    {"allow", "allow good", {{ALLOW}}},
    {"deny", "deny bad", {{DENY}}},
    {"ask", "ask hm", {{ASK}}},
    {"defer is ask", "ask", {{PRE("permissionDecision": "defer")}}},
    {"without hookEventName", "deny bad",
     {{SAY({"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "bad"}})}}},
    {"at the top", "deny bad", {{SAY({"permissionDecision": "deny", "permissionDecisionReason": "bad"})}}},
    {"the older decision", "deny no", {{SAY({"decision": "block", "reason": "no"})}}},
    {"the older approval", "allow yes", {{SAY({"decision": "approve", "reason": "yes"})}}},
    {"two decisions in one", "deny old",
     {{SAY({"decision": "block", "reason": "old", "hookSpecificOutput": {"permissionDecision": "allow"}})}}},
    {"continue false", "deny stop enough", {{SAY({"continue": false, "stopReason": "enough"})}}},
    {"continue false and deny", "deny stop bad",
     {{SAY({"continue": false, "decision": "deny", "reason": "bad"})}}},
    {"continue false and allow", "allow", {{SAY({"continue": false, "decision": "allow"})}}},
    {"continue true", "none", {{SAY({"continue": true})}}},
    {"an empty object", "none", {{SAY({})}}},
    {"nulls", "none", {{SAY({"decision": null, "continue": null, "hookSpecificOutput": null})}}},

    {"nothing", "none", {{"exit 0"}}},
    {"chatter", "none", {{"echo all is well"}}},
    {"exit 2", "deny not today", {{"echo not today >&2; exit 2"}}},
    {"exit 2 beats what it printed", "deny not today", {{ALLOW "; echo not today >&2; exit 2"}}},
    {"exit 2 without a word", "deny refused it without a reason", {{"exit 2"}}},
    {"exit 1", "ask failed with exit code 1: oh", {{"echo oh >&2; exit 1"}}},
    {"exit 1 with an allow", "ask failed with exit code 1", {{ALLOW "; exit 1"}}},
    {"exit 125", "ask failed with exit code 125", {{"exit 125"}}},
    {"no such program", "deny could not be run", {{"/no/such/program"}}},
    {"a crash", "deny was killed by signal 11", {{"kill -SEGV $$"}}},
    {"a crash after an allow", "deny was killed by signal 9", {{ALLOW "; kill -KILL $$"}}},

    {"garbage", "deny starts like JSON but is not", {{"echo '{\"decision\": \"allow\"'"}}},
    {"two objects", "deny starts like JSON but is not", {{"echo '{}{}'"}}},
    {"a key twice", "deny starts like JSON but is not", {{SAY({"decision": "deny", "decision": "allow"})}}},
    {"an answer after other text", "deny after other text", {{"echo debug; " DENY}}},
    {"no such decision", "deny an unknown decision", {{PRE("permissionDecision": "maybe")}}},
    {"a decision that is a number", "deny an unknown decision", {{PRE("permissionDecision": 1)}}},
    {"a reason of the wrong type", "deny other than a string", {{PRE("permissionDecision": "allow", "permissionDecisionReason": 1)}}},
    {"continue of the wrong type", "deny other than true or false", {{SAY({"continue": "false"})}}},
    {"another event", "deny a different event",
     {{SAY({"hookSpecificOutput": {"hookEventName": "PostToolUse", "permissionDecision": "allow"}})}}},
    {"hookSpecificOutput of the wrong type", "deny not an object", {{SAY({"hookSpecificOutput": "allow"})}}},
    {"an input of the wrong type", "deny not an object", {{PRE("permissionDecision": "allow", "updatedInput": "rm")}}},
    {"bytes", "none", {{"printf '\\000\\001\\377'"}}},

    {"hangs", "deny did not answer in time", {{"sleep 100", SHORT}}},
    {"hangs and ignores SIGTERM", "deny did not answer in time",
     {{"trap '' TERM; while :; do sleep 100; done", SHORT}, {ALLOW}}},
    {"100 MB of output", "deny wrote more than 10000000 bytes", {{"head -c 100000000 /dev/zero"}}},
    {"no end of output", "deny wrote more than 10000000 bytes", {{"yes"}}},
    {"100 MB of complaints", "allow good", {{"head -c 100000000 /dev/zero >&2; " ALLOW}}},
    {"as much output as may be", "none", {{"head -c 10000000 /dev/zero"}}},
    {"one byte more", "deny wrote more than", {{"head -c 10000001 /dev/zero"}}},
    {"closes its input", "allow good", {{"exec <&-; echo '{\"decision\":\"allow\",\"reason\":\"good\"}'"}}},
    {"closes its output", "none", {{"exec >&- 2>&-; sleep 0.05"}}},
    {"leaves children behind", "allow good", {{"sleep 1000 & echo $! >>pids; " ALLOW}}},
    {"... that ignore SIGTERM and write", "allow good",
     {{"(trap '' TERM; exec sleep 1000) & echo $! >>pids; " ALLOW}}},

    {"deny beats allow", "deny bad", {{ALLOW}, {DENY}}},
    {"deny beats ask", "deny bad", {{ASK}, {DENY}, {ALLOW}}},
    {"ask beats allow", "ask hm", {{ALLOW}, {ASK}}},
    {"one stops, one allows", "deny stop", {{ALLOW}, {SAY({"continue": false})}}},
    {"one fails, one allows", "ask failed", {{ALLOW}, {"exit 7"}}},
    {"one has no opinion", "allow good", {{"true"}, {ALLOW}}},

    {"an observer has no word", "allow good", {{DENY, OBSERVES}, {ALLOW}}},
    {"... and its failure does not count", "allow good", {{"kill -SEGV $$", OBSERVES}, {ALLOW}}},
    {"... and alone it decides nothing", "none", {{ALLOW, OBSERVES}}},
    {"a hook with a condition cannot allow", "none", {{ALLOW, CONDITIONAL}}},
    {"... but deny", "deny bad", {{DENY, CONDITIONAL}}},

    {"rewrites", "none [make]", {{NEW("make")}}},
    {"rewrites and allows", "allow [make]", {{YES("make")}}},
    {"rewrites to the same", "allow", {{YES("make all")}}},
    {"allows, rewrites, then has no opinion", "allow [make]", {{IF_OLD YES("make")}}},
    {"rewrites what another allowed", "none [make]", {{IF_OLD ALLOW}, {NEW("make")}}},
    {"rewrites what another allows again", "allow good [make]", {{ALLOW}, {NEW("make")}}},
    {"all see the new input", "deny rm", {{YES("rm -rf x")}, {"grep -q 'rm -rf' && echo rm >&2 && exit 2; exit 0"}}},
    {"ask and rewrite", "ask [make]", {{PRE("permissionDecision": "ask", "updatedInput": {"command": "make"})}}},
    {"deny and rewrite", "deny bad",
     {{PRE("permissionDecision": "deny", "permissionDecisionReason": "bad", "updatedInput": {"command": "x"})}}},
    {"two rewrite to the same", "none [make]", {{NEW("make")}, {NEW("make") " # another"}}},
    {"two rewrite differently", "deny rewrote the input differently", {{NEW("make")}, {NEW("make -k")}}},
    {"rewrites without end", "deny kept rewriting",
     {{"printf '{\"hookSpecificOutput\":{\"updatedInput\":{\"command\":\"%s\"}}}' \"$(date +%N)$$\""}}},
};

static const struct row asked[] = {
    {"allow", "allow", {{REQ("behavior": "allow")}}},
    {"deny", "deny no", {{REQ("behavior": "deny", "message": "no")}}},
    {"deny and interrupt", "deny stop no", {{SAY({"decision": {"behavior": "deny", "message": "no", "interrupt": true}})}}},
    {"a new input", "allow [make]", {{REQ("behavior": "allow", "updatedInput": {"command": "make"})}}},
    {"the older shape", "allow", {{SAY({"decision": "approve"})}}},
    {"continue false", "deny stop", {{SAY({"continue": false})}}},
    {"exit 2", "deny no", {{"echo no >&2; exit 2"}}},
    {"nothing", "gone", {{"true"}}},
    {"ask", "gone", {{SAY({"decision": "ask"})}}},
    {"fails", "gone", {{"exit 1"}}},
    {"crashes", "gone", {{"kill -9 $$"}}},
    {"garbage", "gone", {{"echo '{'"}}},
    {"hangs", "gone", {{"sleep 100", SHORT}}},
    {"a decision without behavior", "gone", {{REQ("message": "x")}}},
    {"one allows, one fails", "gone", {{REQ("behavior": "allow")}, {"exit 1"}}},
    {"one allows, one denies", "deny", {{REQ("behavior": "allow")}, {REQ("behavior": "deny")}}},
    {"one denies, one fails", "deny", {{REQ("behavior": "deny")}, {"exit 1"}}},
};
/* clang-format on */

static const struct world world = {.regex = regex_match};

struct fixture {
    struct tree tree;
    struct arena arena;
    struct rulebook book;
    struct hook hooks[HOOKS_MAX + 1];
    struct call call;
    struct verdict verdict;
    struct value input;
    struct hook_question question;
};

static void open_fixture(struct fixture *f, enum hook_event event)
{
    *f = (struct fixture){0};
    tree_make(&f->tree);
    tree_write(&f->tree, "project/x", "", 0);
    arena_init(&f->arena, (size_t)256 * 1024 * 1024);
    assert_int_equal(json_read(&f->arena, STR(INPUT), NULL, &f->input, NULL), STATUS_OK);
    f->call = (struct call){.tool = STR("Bash"),
                            .row = tool_find(STR("Bash")),
                            .kind = TOOL_SHELL,
                            .input = &f->input,
                            .session = STR("s1"),
                            .tool_use_id = STR("t1"),
                            .cwd = str_from(f->tree.home),
                            .project = str_from(f->tree.project)};
    f->book.hooks.items = f->hooks;
    f->question = (struct hook_question){.event = event,
                                         .call = &f->call,
                                         .book = &f->book,
                                         .verdict = &f->verdict,
                                         .world = &world};
}

static void close_fixture(struct fixture *f)
{
    arena_release(&f->arena);
    tree_remove(&f->tree);
}

static void add_hook(struct fixture *f, const char *command, unsigned flags)
{
    f->hooks[f->book.hooks.count++] = (struct hook){.event = f->question.event,
                                                    .command = str_from(command),
                                                    .timeout_seconds = flags & SHORT ? 1 : 60,
                                                    .observes = flags & OBSERVES,
                                                    .conditional = flags & CONDITIONAL,
                                                    .file = STR("h.json"),
                                                    .line = 1};
}

static void add_hooks(struct fixture *f, const struct row *r)
{
    for (size_t i = 0; i < COUNT(r->hooks) && r->hooks[i].command; i++)
        add_hook(f, r->hooks[i].command, r->hooks[i].flags);
}

static const char *show(struct fixture *f, const struct answer *a)
{
    static char text[20000];
    const char *command = a->updated_input ? value_text(a->updated_input, "command").s : NULL;

    (void)f;
    snprintf(text, sizeof(text), "%s%s%s%s%s %.*s",
             a->decided ? behavior_name(a->behavior) : "none", a->stop ? " stop" : "",
             command ? " [" : "", command ? command : "", command ? "]" : "", STR_ARG(a->reason));
    return text;
}

/* Each word of `want` must appear, in this order. */
static bool reads_as(const char *got, const char *want)
{
    size_t first = strcspn(want, " ");

    if (strncmp(got, want, first) != 0 || (got[first] && got[first] != ' '))
        return false;
    if (!strstr(want, "stop") != !strstr(got, " stop") || !strchr(want, '[') != !strchr(got, '['))
        return false;
    for (const char *at = want; *at;) {
        char word[200];
        size_t len = strcspn(at, " ");
        snprintf(word, sizeof(word), "%.*s", (int)len, at);
        if (!strstr(got, word))
            return false;
        at += len + strspn(at + len, " ");
    }
    return true;
}

/* No process that a hook left may still run. */
static void nothing_is_left(struct fixture *f, const char *why)
{
    FILE *pids = fopen(tree_path(&f->tree, "project/pids"), "r");
    char line[64], path[64], stat[512];

    while (pids && fgets(line, sizeof(line), pids)) {
        snprintf(path, sizeof(path), "/proc/%ld/stat", strtol(line, NULL, 10));
        for (int tries = 0;;
             tries++) { /* SIGKILL was sent: it dies soon, or is a zombie of another parent */
            FILE *file = fopen(path, "r");
            bool dead = !file || !fgets(stat, sizeof(stat), file) || strstr(stat, ") Z") ||
                        strstr(stat, ") X");
            if (file)
                fclose(file);
            if (dead)
                break;
            if (tries == 2000)
                fail_msg("%s: process %s still runs", why, line);
            usleep(1000);
        }
    }
    if (pids)
        fclose(pids);
}

static void before_the_verdict(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(before); i++) {
        struct fixture f;
        struct answer a;
        open_fixture(&f, HOOK_PRE_TOOL_USE);
        add_hooks(&f, &before[i]);
        hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
        if (!reads_as(show(&f, &a), before[i].want))
            fail_msg("%s: %s, not %s", before[i].why, show(&f, &a), before[i].want);
        assert_int_equal(a.given, before[i].hooks[0].command != NULL);
        nothing_is_left(&f, before[i].why);
        close_fixture(&f);
    }
}

static void when_asked(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(asked); i++) {
        struct fixture f;
        struct hook_panel panel;
        struct race race;
        const struct asker asker = {&hook_asker, &panel, 0};
        const struct race_options options = {.deadline = clock_ms() + 60000, .cancel_fd = -1};
        open_fixture(&f, HOOK_PERMISSION_REQUEST);
        add_hooks(&f, &asked[i]);
        hooks_prepare(&f.arena, &f.question, &panel);
        race_run(&asker, 1, &options, &race);
        struct answer a = {.decided = true,
                           .behavior = race.reply.behavior,
                           .stop = race.reply.interrupt,
                           .reason = race.reply.message,
                           .updated_input = race.reply.updated_input};
        if (race.end == RACE_NOBODY ? strcmp(asked[i].want, "gone") != 0
                                    : !reads_as(show(&f, &a), asked[i].want))
            fail_msg("%s: %s, not %s (end %d)", asked[i].why, show(&f, &a), asked[i].want,
                     (int)race.end);
        close_fixture(&f);
    }
}

static void long_reasons_are_cut(void **state)
{
    struct fixture f;
    struct answer a;

    (void)state;
    for (size_t more = 0; more < 2; more++) {
        char command[200];
        open_fixture(&f, HOOK_PRE_TOOL_USE);
        snprintf(command, sizeof(command),
                 "printf '{\"decision\":\"block\",\"reason\":\"'; head -c %zu /dev/zero | tr '\\0' "
                 "x; printf '\"}'",
                 HOOK_TEXT_MAX + more);
        add_hook(&f, command, 0);
        hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
        assert_int_equal(a.behavior, BEHAVIOR_DENY);
        assert_int_equal(a.reason.len, HOOK_TEXT_MAX);
        close_fixture(&f);
    }
}

/* ---- what hooks get ---- */

static void given_as_clients_give_it(void **state)
{
    struct fixture f;
    struct answer a;
    char want[2000], got[2000] = "";

    (void)state;
    open_fixture(&f, HOOK_PRE_TOOL_USE);
    add_hook(&f,
             "cat >got; pwd >>got; echo $CLAUDE_PROJECT_DIR $CLAUDE_CODE_SESSION_ID "
             "$WARDER_HOOK_DEPTH >>got",
             0);
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
    snprintf(want, sizeof(want),
             "{\"session_id\":\"s1\",\"transcript_path\":\"\",\"cwd\":\"%s\",\"permission_mode\":"
             "\"default\","
             "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":" INPUT
             ",\"tool_use_id\":\"t1\"}\n%s\n%s s1 1\n",
             f.tree.home, f.tree.project, f.tree.project);
    FILE *file = fopen(tree_path(&f.tree, "project/got"), "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof(got) - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(got, want);
    close_fixture(&f);
}

static void asked_with_suggestions(void **state)
{
    struct fixture f;
    struct hook_panel panel;
    struct str rules[] = {STR("Bash(make all)"), STR("WebFetch")};

    (void)state;
    open_fixture(&f, HOOK_PERMISSION_REQUEST);
    add_hook(&f, "true", 0);
    f.verdict.suggestions = (struct strs){rules, 2, 2};
    hooks_prepare(&f.arena, &f.question, &panel);
    assert_non_null(strstr(panel.input.s, "\"hook_event_name\":\"PermissionRequest\""));
    assert_null(strstr(panel.input.s, "tool_use_id"));
    assert_non_null(strstr(
        panel.input.s,
        "\"permission_suggestions\":[{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\","
        "\"ruleContent\":\"make all\"},{\"toolName\":\"WebFetch\"}],\"behavior\":\"allow\","
        "\"destination\":\"localSettings\"}]"));
    close_fixture(&f);
}

static void run_without_a_shell(void **state)
{
    struct fixture f;
    struct answer a;
    struct str args[] = {STR("-c"), STR("echo \"$1\" >&2; exit 2"), STR("x"), STR("a b; *")};

    (void)state;
    open_fixture(&f, HOOK_PRE_TOOL_USE);
    add_hook(&f, "sh", 0);
    f.hooks[0].args = (struct strs){args, 4, 4};
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
    assert_true(str_is(a.reason, "a b; *"));
    f.hooks[0].command = STR("/no/such/program");
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
    assert_int_equal(a.behavior, BEHAVIOR_DENY);
    assert_non_null(strstr(a.reason.s, "cannot be started"));
    f.call.project = STR("/no/such/directory");
    f.hooks[0].command = STR("sh");
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
    assert_true(a.decided && a.behavior == BEHAVIOR_DENY);
    close_fixture(&f);
}

/* Signals that we ignore or block are reset for a hook. */
static void starts_as_every_program_starts(void **state)
{
    struct fixture f;
    struct answer a;
    sigset_t all, before_test;

    (void)state;
    open_fixture(&f, HOOK_PRE_TOOL_USE);
    /* libc reserves two numbers, 32 and 33, and ignores them in what it starts. */
    add_hook(&f,
             "grep -E '^Sig(Blk|Ign):' /proc/self/status | grep -vP "
             "'\\t(0000000000000000|0000000180000000)$' >&2 && exit 2;"
             " exit 0",
             0);
    sigfillset(&all);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_SETMASK, &all, &before_test);
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
    sigprocmask(SIG_SETMASK, &before_test, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (a.decided)
        fail_msg("%.*s", STR_ARG(a.reason));
    close_fixture(&f);
}

/* ---- which hooks are asked ---- */

static const struct {
    const char *matcher, *tool;
    bool want;
} matchers[] = {
    {"", "Bash", true},
    {"*", "Bash", true},
    {"Bash", "Bash", true},
    {"Bash", "BashOutput", false},
    {"bash", "Bash", false},
    {"Bash", "run_shell_command", true}, /* the same tool, under another client's name */
    {"run_shell_command", "run_shell_command", true},
    {"run_shell_command", "Bash", false},
    {"Edit|Bash", "Bash", true},
    {"Edit, Bash", "Bash", true},
    {"Edit|Write", "Bash", false},
    {"Ed.t", "Edit", true},
    {"dit$", "NotebookEdit", true},
    {"^dit", "Edit", false},
    {"mcp__github__.*", "mcp__github__push", true},
    {"mcp__github", "mcp__github__push", false},
    {"^(?!Bash).*", "Read", true},
};

static void matched(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(matchers); i++) {
        struct hook hook = {.matcher = str_from(matchers[i].matcher)};
        struct call call = {.tool = str_from(matchers[i].tool),
                            .row = tool_find(str_from(matchers[i].tool))};
        struct regexes set = {0};
        if (strpbrk(matchers[i].matcher, ".^$(") &&
            regex_compile(&set, hook.matcher, &hook.regex, NULL) != STATUS_OK)
            fail_msg("%s does not compile", matchers[i].matcher);
        if (hook_matches(&world, &hook, &call) != matchers[i].want)
            fail_msg("%s on %s is %d", matchers[i].matcher, matchers[i].tool, !matchers[i].want);
        regexes_release(&set);
    }
}

static void of_their_source(void **state)
{
    static const struct {
        const char *why;
        struct hook hook;
        bool own_only, off, asked;
    } rows[] = {
        {"ours", {.source = SOURCE_USER}, true, true, true},
        {"a client's", {.source = SOURCE_USER, .foreign = true}, false, false, true},
        {"a client's, which the client runs",
         {.source = SOURCE_USER, .foreign = true},
         true,
         false,
         false},
        {"a client's, switched off", {.source = SOURCE_USER, .foreign = true}, false, true, false},
        {"a managed one cannot be switched off",
         {.source = SOURCE_MANAGED, .foreign = true},
         false,
         true,
         true},
        {"of another event", {.event = HOOK_PERMISSION_REQUEST}, false, false, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        struct hook_panel panel;
        open_fixture(&f, HOOK_PRE_TOOL_USE);
        f.hooks[f.book.hooks.count++] = rows[i].hook;
        f.hooks[0].command = STR("true");
        f.book.client_hooks_off = rows[i].off;
        f.question.own_only = rows[i].own_only;
        hooks_prepare(&f.arena, &f.question, &panel);
        if (panel.count != rows[i].asked)
            fail_msg("%s: %zu are asked", rows[i].why, panel.count);
        close_fixture(&f);
    }
}

static void the_same_once_and_not_too_many(void **state)
{
    struct fixture f;
    struct hook_panel panel;
    struct answer a;
    char commands[HOOKS_MAX + 1][16];

    (void)state;
    open_fixture(&f, HOOK_PRE_TOOL_USE);
    add_hook(&f, "true", 0);
    add_hook(&f, "true", 0);
    hooks_prepare(&f.arena, &f.question, &panel);
    assert_int_equal(panel.count, 1);
    f.book.hooks.count = 0;
    for (size_t i = 0; i <= HOOKS_MAX; i++) {
        snprintf(commands[i], sizeof(commands[i]), "exit 0; %zu", i);
        add_hook(&f, commands[i], 0);
    }
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
    assert_true(a.decided && a.behavior == BEHAVIOR_DENY);
    f.book.hooks.count = HOOKS_MAX;
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
    assert_false(a.decided);
    close_fixture(&f);
}

static void not_without_end(void **state)
{
    static const struct {
        const char *depth;
        bool deny;
    } rows[] = {{"0", false}, {"2", false}, {"3", true}, {"12", true}, {"x", true}, {"", false}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct fixture f;
        struct answer a;
        open_fixture(&f, HOOK_PRE_TOOL_USE);
        add_hook(&f, "true", 0);
        setenv("WARDER_HOOK_DEPTH", rows[i].depth, 1);
        hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
        unsetenv("WARDER_HOOK_DEPTH");
        if (a.decided != rows[i].deny)
            fail_msg("depth \"%s\"", rows[i].depth);
        close_fixture(&f);
    }
}

/* ---- failures on our side ---- */

static void the_deadline_and_a_cancel(void **state)
{
    struct fixture f;
    struct answer a;
    int fds[2];

    (void)state;
    open_fixture(&f, HOOK_PRE_TOOL_USE);
    add_hook(&f, "echo $$ >>pids; sleep 1000", 0);
    hooks_consult(&f.arena, &f.question, clock_ms() + 50, -1, &a);
    assert_true(a.decided && a.behavior == BEHAVIOR_DENY);
    assert_int_equal(pipe(fds), 0);
    close(fds[1]);
    hooks_consult(&f.arena, &f.question, clock_ms() + 60000, fds[0], &a);
    assert_true(a.decided && a.behavior == BEHAVIOR_DENY);
    close(fds[0]);
    nothing_is_left(&f, "cancel");
    close_fixture(&f);
}

/* A hook that allows, while each allocation fails once: never an allow without an answer, never a
 * child left running. */
static void memory_runs_out(void **state)
{
    size_t denied = 0;

    (void)state;
    for (size_t n = 1;; n += 3) {
        struct fixture f;
        struct answer a;
        open_fixture(&f, HOOK_PRE_TOOL_USE);
        add_hook(&f, "echo '{\"decision\":\"allow\"}'", 0);
        arena_fail_at(&f.arena, f.arena.allocations + n);
        hooks_consult(&f.arena, &f.question, clock_ms() + 60000, -1, &a);
        bool failed = f.arena.allocations >= f.arena.fail_at;
        close_fixture(&f);
        if (!failed)
            break;
        assert_true(a.decided && a.behavior == BEHAVIOR_DENY);
        denied++;
    }
    assert_true(denied > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_the_verdict),
        cmocka_unit_test(when_asked),
        cmocka_unit_test(long_reasons_are_cut),
        cmocka_unit_test(given_as_clients_give_it),
        cmocka_unit_test(asked_with_suggestions),
        cmocka_unit_test(run_without_a_shell),
        cmocka_unit_test(starts_as_every_program_starts),
        cmocka_unit_test(matched),
        cmocka_unit_test(of_their_source),
        cmocka_unit_test(the_same_once_and_not_too_many),
        cmocka_unit_test(not_without_end),
        cmocka_unit_test(the_deadline_and_a_cancel),
        cmocka_unit_test(memory_runs_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
