/* Runs the recorded protocol cases of tests/events: an event of an agent in, what the hook prints
 * out.
 *
 *     == title            a new scene; the file's name is the client
 *     frame JSON          an event with $TOOL (a string) and $INPUT (JSON) in it
 *     allow|ask|deny RULE rules of the scene
 *     policy TEXT         one line of a policy file that is given with --policy
 *     env NAME=VALUE      for the rest of the scene
 *     given BEHAVIOR [by-mode] [interrupt]   the engine is not asked: this is the verdict, with
 *     given-input JSON    a changed input, and
 *     given-approval ID   an ID to approve it by, or
 *     given-rule ID       one to make a rule of
 *     auto no             the event cannot tell clients apart
 *     call TOOL JSON      fills the frame and runs it; or:
 *     event TEXT          the whole event
 *     out JSON | silent | err PART | blocked PART   the expected result
 *
 * $HOME and $PROJECT are the scene's, $ID is an ID that the engine chose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/list.h"
#include "client/client.h"
#include "support/policy_tree.h"
#include "support/shared.h"
#include "warder_admin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MEMORY ((size_t)64 * 1024 * 1024)

struct hand_rules LIST_OF(warder_rule);

struct scene {
    const char *file;
    struct str client;
    size_t line, cases, failed;
    struct arena *arena;
    struct tree tree;
    bool open, automatic, given, ran, checked;
    struct str frame, policy, environment;
    struct hand_rules rules;
    struct client_verdict verdict;
    /* of the last run */
    bool blocked;
    struct str out, err;
    int code;
};

static void complain(struct scene *s, const char *what, struct str got)
{
    s->failed++;
    print_message("%s:%zu: %s; it says: %.*s\n", s->file, s->line, what, (int)got.len,
                  got.len ? got.s : "");
}

static struct str replace(struct arena *a, struct str text, const char *name, struct str value)
{
    struct buf b = buf_in(a);
    size_t len = strlen(name);

    for (size_t i = 0; i < text.len;) {
        if (str_starts(str_from_byte(text, i), str_from(name))) {
            buf_add(&b, value);
            i += len;
        } else {
            buf_byte(&b, text.s[i++]);
        }
    }
    return buf_str(&b);
}

static struct str placed(const struct scene *s, struct str text)
{
    text = replace(s->arena, text, "$HOME", str_from(s->tree.home));
    return replace(s->arena, text, "$PROJECT", str_from(s->tree.project));
}

/* ---- running ---- */

static void run_pure(struct scene *s, const char *client, struct str event)
{
    struct value v;
    struct client_question q;
    struct client_answer answer;
    struct error err = {0};

    (void)client;
    if (json_read(s->arena, event, NULL, &v, &err) != STATUS_OK ||
        client_read(s->arena, client_find(s->client), &v, &q, &err) != STATUS_OK) {
        s->blocked = true;
        s->err = str_format(s->arena, "%s", err.message);
        return;
    }
    client_answer(s->arena, &q, &s->verdict, &answer);
    s->out = answer.out;
    s->err = answer.err;
    s->code = answer.code;
}

/* IDs are random; the cases write $ID. */
static struct str masked(struct arena *a, const char *text)
{
    static const char *const signs[] = {"warder approve ", "warder allow "};
    const char *at = NULL;
    size_t head = 0;

    for (size_t i = 0; i < COUNT(signs); i++) {
        const char *found = strstr(text, signs[i]);
        if (found && (!at || found < at)) {
            at = found;
            head = (size_t)(at - text) + strlen(signs[i]);
        }
    }
    if (!at)
        return str_copy(a, str_from(text));
    size_t id = strspn(text + head, "0123456789abcdefghijklmnopqrstuvwxyz");
    struct buf b = buf_in(a);
    buf_add(&b, (struct str){text, head});
    buf_text(&b, "$ID");
    buf_add(&b, masked(a, text + head + id));
    return buf_str(&b);
}

static void run_engine(struct scene *s, const char *client, struct str event)
{
    warder_options options = WARDER_OPTIONS_INIT;
    const char *policy = tree_path(&s->tree, "home/given.yaml");
    warder_reply *answer = NULL;
    warder_error err = {0};

    options.home = s->tree.home;
    options.cwd = options.project = s->tree.project;
    options.rules = s->rules.items;
    options.rule_count = s->rules.count;
    if (s->policy.len) {
        tree_write_bytes(&s->tree, "home/given.yaml", s->policy.s, s->policy.len, 0);
        options.policies = &policy;
        options.policy_count = 1;
    }
    if (warder_hook(&options, client, event.s, event.len, 0, &answer, &err) != WARDER_OK) {
        s->blocked = true;
        s->err = str_format(s->arena, "%s", err.message);
        return;
    }
    s->out = masked(s->arena, warder_reply_out(answer));
    s->err = masked(s->arena, warder_reply_err(answer));
    s->code = warder_reply_code(answer);
    warder_reply_free(answer);
}

static void run_as(struct scene *s, const char *client, struct str event)
{
    s->blocked = false;
    s->out = s->err = (struct str){0};
    s->code = 0;
    if (s->given)
        run_pure(s, client, event);
    else
        run_engine(s, client, event);
}

static void run(struct scene *s, struct str event)
{
    event = placed(s, event);
    if (s->ran && !s->checked)
        complain(s, "nothing is expected of the call before this line", (struct str){0});
    if (s->automatic && !s->given) {
        run_as(s, "auto", event);
        struct str out = s->out, err = s->err;
        bool blocked = s->blocked;
        run_as(s, s->client.s, event);
        if (!s->blocked && (blocked || !str_eq(out, s->out) || !str_eq(err, s->err)))
            complain(s, "--client auto answers otherwise", blocked ? err : out);
    } else {
        run_as(s, s->client.s, event);
    }
    s->ran = true;
    s->checked = false;
    s->cases++;
}

static void call(struct scene *s, struct str rest)
{
    struct str tool, input;

    str_cut(rest, ' ', &tool, &input);
    run(s,
        replace(s->arena, replace(s->arena, s->frame, "$TOOL", tool), "$INPUT", str_trim(input)));
}

/* ---- expecting ---- */

static void expect_out(struct scene *s, struct str want)
{
    want = placed(s, want);
    if (s->blocked || s->code != 0 || !str_eq(str_trim(s->out), want) || s->err.len)
        complain(s, "another answer", s->blocked ? s->err : s->out);
}

static void expect_silence(struct scene *s, struct str rest)
{
    (void)rest;
    if (s->blocked || s->code != 0 || s->out.len || s->err.len)
        complain(s, "not silent", s->out.len ? s->out : s->err);
}

static void expect_err(struct scene *s, struct str want)
{
    if (s->blocked || s->code != CLIENT_BLOCKED || s->out.len ||
        !str_contains(s->err, placed(s, want)))
        complain(s, "not blocked with this line", s->err.len ? s->err : s->out);
}

static void expect_blocked(struct scene *s, struct str want)
{
    if (!s->blocked || !str_contains(s->err, placed(s, want)))
        complain(s, "not refused with this", s->err.len ? s->err : s->out);
}

/* ---- setting up ---- */

static void close_scene(struct scene *s)
{
    struct str name, value;

    if (s->ran && !s->checked)
        complain(s, "nothing is expected of the last call", (struct str){0});
    if (str_cut(s->environment, '=', &name, &value))
        unsetenv(str_copy(s->arena, name).s);
    if (s->open)
        tree_remove(&s->tree);
    s->open = s->ran = false;
    s->environment = (struct str){0};
}

static void open_scene(struct scene *s)
{
    struct scene fresh = {.file = s->file,
                          .client = s->client,
                          .line = s->line,
                          .cases = s->cases,
                          .failed = s->failed,
                          .arena = s->arena,
                          .frame = s->frame};

    close_scene(s);
    fresh.failed = s->failed;
    *s = fresh;
    tree_make(&s->tree);
    s->open = s->automatic = true;
}

static void set_environment(struct scene *s, struct str text)
{
    struct str name, value;

    s->environment = text;
    str_cut(text, '=', &name, &value);
    setenv(str_copy(s->arena, name).s, placed(s, value).s, 1);
}

static void set_given(struct scene *s, struct str text)
{
    struct str word;

    str_cut(text, ' ', &word, &text);
    s->given = true;
    s->verdict = (struct client_verdict){.message = STR("why"),
                                         .by_mode = str_contains(text, STR("by-mode")),
                                         .interrupt = str_contains(text, STR("interrupt"))};
    if (!behavior_parse(word, &s->verdict.behavior))
        complain(s, "no such behaviour", word);
}

static void set_input(struct scene *s, struct str text)
{
    struct value *v = ARENA_NEW(s->arena, struct value);
    struct error err = {0};

    if (json_read(s->arena, text, NULL, v, &err) != STATUS_OK)
        complain(s, "no JSON", text);
    s->verdict.updated_input = v;
}

static bool setting(struct scene *s, struct str word, struct str rest)
{
    enum behavior behavior;

    if (str_is(word, "frame"))
        s->frame = rest;
    else if (behavior_parse(word, &behavior))
        LIST_PUSH(s->arena, &s->rules, (warder_rule){(warder_behavior)behavior, rest.s});
    else if (str_is(word, "policy"))
        s->policy = str_format(s->arena, "%.*s%.*s\n", STR_ARG(s->policy), STR_ARG(rest));
    else if (str_is(word, "env"))
        set_environment(s, rest);
    else if (str_is(word, "auto"))
        s->automatic = str_is(rest, "yes");
    else if (str_is(word, "given"))
        set_given(s, rest);
    else if (str_is(word, "given-input"))
        set_input(s, rest);
    else if (str_is(word, "given-approval"))
        s->verdict.approval = rest;
    else if (str_is(word, "given-rule"))
        s->verdict.for_rule = rest;
    else
        return false;
    return true;
}

static void one_line(struct scene *s, struct str line)
{
    static const struct {
        const char *word;
        void (*expect)(struct scene *, struct str);
    } expectations[] = {{"out", expect_out},
                        {"silent", expect_silence},
                        {"err", expect_err},
                        {"blocked", expect_blocked}};
    struct str word, rest;

    line = str_copy(s->arena, str_trim(line));
    if (line.len == 0 || line.s[0] == '#')
        return;
    if (!str_cut(line, ' ', &word, &rest))
        rest = (struct str){"", 0};
    rest = str_copy(s->arena, str_trim(rest));
    if (str_is(word, "==")) {
        open_scene(s);
        return;
    }
    for (size_t i = 0; i < COUNT(expectations); i++)
        if (str_is(word, expectations[i].word)) {
            expectations[i].expect(s, rest);
            s->checked = true;
            return;
        }
    if (str_is(word, "call"))
        call(s, rest);
    else if (str_is(word, "event"))
        run(s, rest);
    else if (!setting(s, word, rest))
        complain(s, "no such line", line);
}

struct work {
    struct scene scene;
    struct str text;
};

static void run_lines(void *arg)
{
    struct work *w = arg;
    struct str line;

    while (w->text.len) {
        w->scene.line++;
        if (!str_cut(w->text, '\n', &line, &w->text))
            w->text = (struct str){0};
        one_line(&w->scene, line);
    }
    close_scene(&w->scene);
}

static size_t run_file(const char *path, const char *client, size_t *failed)
{
    struct arena arena;
    size_t len;
    char *text = read_whole_file(path, &len);
    struct work w = {.scene = {.file = path, .client = str_from(client), .arena = &arena},
                     .text = {text, len}};

    arena_init(&arena, MEMORY);
    assert_true(arena_try(&arena, run_lines, &w));
    arena_release(&arena);
    free(text);
    *failed += w.scene.failed;
    return w.scene.cases;
}

/* Every client has its file, and every file its client. */
static void every_recorded_case_holds(void **state)
{
    size_t failed = 0;

    (void)state;
    for (const struct client *c = clients; c->name; c++) {
        char name[64];
        snprintf(name, sizeof(name), "tests/events/%s.case", c->name);
        const char *path = source_path(name);
        size_t cases = run_file(path, c->name, &failed);
        if (cases < 8)
            print_message("%s: only %zu cases\n", path, cases);
        assert_true(cases >= 8);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_recorded_case_holds),
    };

    setenv("SHELL", "/bin/bash", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
