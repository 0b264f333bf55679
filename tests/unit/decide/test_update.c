/* Updates of a running engine: as JSON, one by one and combined; and what they must not change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "decide/update.h"
#include "engine/engine.h"

#include <cmocka.h> /* last: it defines a macro fail */

/* ---- reading ---- */

static const struct {
    const char *json, *complains; /* NULL: it is read */
} readings[] = {
    {"{\"type\":\"addRules\",\"rules\":[\"Bash(ls)\"],\"behavior\":\"allow\"}", NULL},
    {"{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\",\"ruleContent\":\"ls\"}],"
     "\"behavior\":\"deny\","
     "\"destination\":\"localSettings\"}",
     NULL},
    {"{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\"}],\"behavior\":\"ask\","
     "\"destination\":\"runtime\"}",
     NULL},
    {"{\"type\":\"replaceRules\",\"rules\":[],\"behavior\":\"ask\"}", NULL},
    {"{\"type\":\"removeRules\",\"rules\":[\"Bash\"]}", NULL},
    {"{\"type\":\"removeRules\",\"rules\":[\"Bash\"],\"behavior\":\"allow\"}", NULL},
    {"{\"type\":\"setMode\",\"mode\":\"plan\"}", NULL},
    {"{\"type\":\"addDirectories\",\"directories\":[\"/a\"]}", NULL},
    {"[{\"type\":\"setMode\",\"mode\":\"plan\"},{\"type\":\"removeDirectories\",\"directories\":["
     "\"/a\"]}]",
     NULL},
    {"[]", NULL},
    {"7", "an update must be an object, not an integer"},
    {"[7]", "an update must be an object"},
    {"{}", "must have \"type\""},
    {"{\"type\":\"addRule\"}", "no type of update \"addRule\""},
    {"{\"type\":1}", "the type of an update must be a string"},
    {"{\"type\":\"addRules\",\"rules\":[\"Bash\"]}", "must have \"behavior\""},
    {"{\"type\":\"addRules\",\"behavior\":\"allow\"}", "must have \"rules\""},
    {"{\"type\":\"addRules\",\"rules\":\"Bash\",\"behavior\":\"allow\"}", "rules must be a list"},
    {"{\"type\":\"addRules\",\"rules\":[1],\"behavior\":\"allow\"}", "a rule must be a string"},
    {"{\"type\":\"addRules\",\"rules\":[\"\"],\"behavior\":\"allow\"}", "must not be empty"},
    {"{\"type\":\"addRules\",\"rules\":[\"Ba\\u0000sh\"],\"behavior\":\"allow\"}", "hold a NUL"},
    {"{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"A\",\"x\":1}],\"behavior\":\"allow\"}",
     "a rule has toolName"},
    {"{\"type\":\"addRules\",\"rules\":[{\"ruleContent\":\"x\"}],\"behavior\":\"allow\"}",
     "a rule has toolName"},
    {"{\"type\":\"addRules\",\"rules\":[],\"behavior\":\"perhaps\"}", "no behavior \"perhaps\""},
    {"{\"type\":\"addRules\",\"rules\":[],\"behavior\":\"allow\",\"destination\":\"moon\"}",
     "no destination \"moon\""},
    {"{\"type\":\"addRules\",\"rules\":[],\"behavior\":\"allow\",\"mode\":\"plan\"}",
     "must not have \"mode\""},
    {"{\"type\":\"setMode\"}", "must have \"mode\""},
    {"{\"type\":\"setMode\",\"mode\":\"fast\"}", "no mode \"fast\""},
    {"{\"type\":\"setMode\",\"mode\":\"plan\",\"behavior\":\"allow\"}",
     "must not have \"behavior\""},
    {"{\"type\":\"addDirectories\"}", "must have \"directories\""},
    {"{\"type\":\"addDirectories\",\"directories\":[7]}", "a directory must be a string"},
    {"{\"type\":\"setMode\",\"mode\":\"plan\",\"sudo\":true}", "has no \"sudo\""},
};

struct reading_job {
    struct arena arena;
    const char *json;
    struct updates updates;
    struct error err;
};

static void read_updates(void *arg)
{
    struct reading_job *job = arg;
    struct value v;

    if (json_read(&job->arena, str_from(job->json), NULL, &v, &job->err) == STATUS_OK)
        updates_read(&job->arena, &v, &job->updates, &job->err);
}

static void updates_are_read_strictly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(readings); i++) {
        struct reading_job job = {.json = readings[i].json};
        arena_init(&job.arena, 1 << 20);
        assert_true(arena_try(&job.arena, read_updates, &job));
        if (!readings[i].complains && job.err.status != STATUS_OK)
            fail_msg("%s: %s", readings[i].json, job.err.message);
        if (readings[i].complains &&
            (!strstr(job.err.message, readings[i].complains) || job.err.line == 0))
            fail_msg("%s: said \"%s\" at %u", readings[i].json, job.err.message, job.err.line);
        arena_release(&job.arena);
    }
}

/* ---- combined is the same as one by one ---- */

#define ROUNDS  300
#define LENGTH  12
#define UPDATES 40

static unsigned seed = 1;

static unsigned draw(unsigned n)
{
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) % n;
}

static struct update draw_update(struct arena *a)
{
    static const char *const rules[] = {"Bash(a)",  "Bash(b)",   "Bash",
                                        "Read(/x)", "Read(~/y)", "mcp__s"};
    static const char *const directories[] = {"/d", "/e/./f", "/g"};
    static const enum source places[] = {SOURCE_USER, SOURCE_SESSION, SOURCE_LOCAL};
    struct update u = {.kind = (enum update_kind)draw(6), .destination = places[draw(3)]};

    u.behavior = (enum behavior)draw(3);
    u.mode = (enum mode)draw(MODE_COUNT);
    for (unsigned n = draw(3); u.kind <= UPDATE_REMOVE_RULES && n > 0; n--)
        LIST_PUSH(a, &u.rules, str_from(rules[draw(COUNT(rules))]));
    for (unsigned n = draw(3); u.kind > UPDATE_SET_MODE && n > 0; n--)
        LIST_PUSH(a, &u.directories, str_from(directories[draw(COUNT(directories))]));
    return u;
}

static void push_rule(struct arena *a, struct rulebook *b, const char *text, enum behavior effect,
                      enum source source)
{
    struct rule r;

    assert_int_equal(rule_parse(a, str_from(text), DIALECT_WARDER, &r, NULL), STATUS_OK);
    r.effect = effect;
    r.source = source;
    LIST_PUSH(a, &b->rules, r);
}

static struct str print_book(struct arena *a, const struct rulebook *b)
{
    struct buf out = buf_in(a);

    for (size_t i = 0; i < b->rules.count; i++)
        buf_format(&out, "%s %s %.*s\n", source_name(b->rules.items[i].source),
                   behavior_name(b->rules.items[i].effect), STR_ARG(b->rules.items[i].text));
    for (size_t i = 0; i < b->directories.count; i++)
        buf_format(&out, "%.*s\n", STR_ARG(b->directories.items[i].path));
    return buf_str(&out);
}

static void compare_one_round(void *arg)
{
    struct arena *a = arg;
    const struct profile *profile = profile_find(STR("warder"));
    struct rulebook base = {0}, stepped, next, at_once;
    struct changes changes = {0}, more;
    struct session session = {0};

    push_rule(a, &base, "Bash(a)", BEHAVIOR_DENY, SOURCE_MANAGED);
    push_rule(a, &base, "Bash(a)", BEHAVIOR_ALLOW, SOURCE_USER);
    push_rule(a, &base, "Read(/x)", BEHAVIOR_ASK, SOURCE_USER);
    push_rule(a, &base, "Bash(b)", BEHAVIOR_ALLOW, SOURCE_BUILTIN);
    LIST_PUSH(a, &base.directories, (struct directory){STR("/d"), SOURCE_USER});
    LIST_PUSH(a, &base.directories, (struct directory){STR("/g"), SOURCE_MANAGED});
    stepped = base;
    for (unsigned n = draw(LENGTH); n > 0; n--) {
        struct update u = draw_update(a);
        assert_int_equal(update_apply(a, &stepped, profile, &u, &session, &next, NULL), STATUS_OK);
        stepped = next;
        assert_int_equal(changes_add(a, &changes, profile->dialect, &u, &more, NULL), STATUS_OK);
        changes = more;
    }
    changes_apply(a, &base, profile, &changes, (struct str){0}, &at_once);
    assert_string_equal(print_book(a, &stepped).s, print_book(a, &at_once).s);
}

static void gathered_is_the_same_as_one_by_one(void **state)
{
    (void)state;
    for (int i = 0; i < ROUNDS; i++) {
        struct arena a;
        arena_init(&a, 1 << 24);
        assert_true(arena_try(&a, compare_one_round, &a));
        arena_release(&a);
    }
}

/* Adding and removing over and over does not grow. */
static void changes_do_not_pile_up(void **state)
{
    static const struct changes none;
    struct arena a[2];
    struct changes changes = none, more;

    (void)state;
    for (int i = 0; i < UPDATES; i++) {
        struct arena *in = &a[i % 2];
        struct str rule = i % 4 < 2 ? STR("Bash(x)") : STR("Bash(y)");
        struct update u = {.kind = i % 2 ? UPDATE_REMOVE_RULES : UPDATE_REPLACE_RULES,
                           .destination = SOURCE_SESSION};
        u.rules = (struct strs){&rule, 1, 1};
        arena_init(in, 1 << 16);
        assert_int_equal(changes_add(in, &changes, DIALECT_WARDER, &u, &more, NULL), STATUS_OK);
        if (i > 0)
            arena_release(&a[(i + 1) % 2]); /* nothing refers to the older ones */
        changes = more;
        assert_true(changes.added.count <= 1 && changes.taken.count == 1);
    }
    arena_release(&a[(UPDATES - 1) % 2]);
}

/* ---- through the public API ---- */

#define ALLOW_ALL                                                                                  \
    "{\"type\":\"addRules\",\"rules\":[\"Bash\"],\"behavior\":\"allow\",\"destination\":\"user\"}"

static warder_engine *open_text(const char *name, const char *text)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_text given = {.name = name, .text = text, .len = strlen(text)};
    warder_engine *engine;
    warder_error err;

    options.home = "/nonexistent/home";
    options.cwd = "/nonexistent/project";
    options.texts = &given;
    options.text_count = 1;
    if (warder_engine_new(&options, &engine, &err) != WARDER_OK)
        fail_msg("%s: %s", name, err.message);
    return engine;
}

static warder_behavior verdict_of(warder_engine *engine, const char *command)
{
    warder_decision *decision;

    assert_int_equal(warder_check_argument(engine, "Bash", command, &decision, NULL), WARDER_OK);
    warder_behavior behavior = warder_decision_behavior(decision);
    warder_decision_free(decision);
    return behavior;
}

static warder_status update(warder_engine *engine, const char *json, warder_error *err)
{
    return warder_engine_update(engine, json, strlen(json), err);
}

static void an_update_holds_from_the_next_check_on(void **state)
{
    warder_engine *engine = open_text("p.yaml", "deny: ['Bash(frob off)']\n");
    warder_decision *before;

    (void)state;
    assert_int_equal(warder_engine_generation(engine), 1);
    assert_int_equal(warder_check_argument(engine, "Bash", "frob on", &before, NULL), WARDER_OK);
    assert_int_equal(
        update(engine,
               "{\"type\":\"addRules\",\"rules\":[\"Bash(frob:*)\"],\"behavior\":\"allow\"}", NULL),
        WARDER_OK);
    assert_int_equal(warder_engine_generation(engine), 2);
    assert_int_equal(verdict_of(engine, "frob on"), WARDER_ALLOW);
    assert_int_equal(verdict_of(engine, "frob off"), WARDER_DENY);
    assert_int_equal(
        update(engine, "{\"type\":\"removeRules\",\"rules\":[\"Bash(frob:*)\"]}", NULL), WARDER_OK);
    assert_int_equal(verdict_of(engine, "frob on"), WARDER_ASK);
    assert_int_equal(update(engine, "{\"type\":\"setMode\",\"mode\":\"dontAsk\"}", NULL),
                     WARDER_OK);
    assert_int_equal(verdict_of(engine, "frob on"), WARDER_DENY);
    warder_engine_free(engine);

    /* A decision does not change, whatever follows it. */
    assert_int_equal(warder_decision_behavior(before), WARDER_ASK);
    assert_non_null(
        strstr(warder_decision_explain_text(before, 0), "profile  warder, mode default"));
    warder_decision_free(before);
}

static void a_failed_update_changes_nothing(void **state)
{
    static const char *const bad[] = {
        "[{\"type\":\"setMode\",\"mode\":\"bypassPermissions\"},{\"type\":\"setMode\",\"mode\":"
        "\"no\"}]",
        "[" ALLOW_ALL ",{\"type\":\"addRules\",\"rules\":[\"Bash(\"],\"behavior\":\"allow\"}]",
        "{\"type\":\"addRules\",\"rules\":[\"Bash\"],\"behavior\":\"allow\",\"destination\":"
        "\"managed\"}",
        "{\"type\":\"addRules\",\"rules\":[\"Bash\"],\"behavior\":\"allow\",\"destination\":"
        "\"builtin\"}",
        "{\"type\":\"addDirectories\",\"directories\":[\"relative\"]}",
        "{\"type\":\"addRules\",",
        "",
    };
    warder_engine *engine = open_text("p.json", "{}");

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        warder_error err = {0};
        assert_int_not_equal(update(engine, bad[i], &err), WARDER_OK);
        assert_int_not_equal(err.status, WARDER_OK);
        assert_int_equal(warder_engine_generation(engine), 1);
        assert_int_equal(verdict_of(engine, "frob on"), WARDER_ASK);
    }
    warder_engine_free(engine);
}

static char *many_updates(size_t count)
{
    char *text = malloc(count * 40 + 3), *at = text;

    *at++ = '[';
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%s{\"type\":\"setMode\",\"mode\":\"plan\"}", i ? "," : "");
    strcpy(at, "]");
    return text;
}

static char *many_rules(size_t count)
{
    char *text = malloc(count * 24 + 80), *at = text;

    at += sprintf(at, "{\"type\":\"addRules\",\"behavior\":\"ask\",\"rules\":[");
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%s\"Bash(x%zu)\"", i ? "," : "", i);
    strcpy(at, "]}");
    return text;
}

static void limits_hold(void **state)
{
    const struct {
        char *text;
        warder_status want;
    } cases[] = {
        {many_updates(256), WARDER_OK},
        {many_updates(257), WARDER_ELIMIT},
        {many_rules(CHANGES_MAX), WARDER_OK},
        {many_rules(CHANGES_MAX + 1), WARDER_ELIMIT},
    };
    warder_engine *engine = open_text("p.json", "{}");

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(update(engine, cases[i].text, NULL), cases[i].want);
        free(cases[i].text);
    }
    /* One more than all existing ones. */
    assert_int_equal(update(engine, ALLOW_ALL, NULL), WARDER_ELIMIT);
    warder_engine_free(engine);
}

/* Managed policy may say that only its own allow rules count. */
static void apply_to_managed_only(void *arg)
{
    struct arena *a = arg;
    const struct profile *profile = profile_find(STR("warder"));
    struct rulebook base = {.managed_rules_only = true}, out;
    struct str rule = STR("Bash(x)");
    struct update u = {
        .kind = UPDATE_ADD_RULES, .destination = SOURCE_SESSION, .rules = {&rule, 1, 1}};
    struct session session = {0};

    u.behavior = BEHAVIOR_ALLOW;
    assert_int_equal(update_apply(a, &base, profile, &u, &session, &out, NULL), STATUS_OK);
    assert_int_equal(out.rules.count, 0);
    u.behavior = BEHAVIOR_DENY;
    assert_int_equal(update_apply(a, &base, profile, &u, &session, &out, NULL), STATUS_OK);
    assert_int_equal(out.rules.count, 1);
}

static void managed_policy_keeps_its_word(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 20);
    assert_true(arena_try(&a, apply_to_managed_only, &a));
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_are_read_strictly),
        cmocka_unit_test(gathered_is_the_same_as_one_by_one),
        cmocka_unit_test(changes_do_not_pile_up),
        cmocka_unit_test(an_update_holds_from_the_next_check_on),
        cmocka_unit_test(a_failed_update_changes_nothing),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(managed_policy_keeps_its_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
