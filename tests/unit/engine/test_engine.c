/* The API around decide(): texts about a decision never change it, and the process's own directory
 * is used only if it matters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/engine.h"

#include <cmocka.h> /* last: it defines a macro fail */

#define STEPS 1000 /* of a trace: much more text than the room below */
#define ROOM  ((size_t)64 * 1024)

/* An allow with a trace of `steps` lines, and `room` bytes for its texts. */
static void make_allow(warder_decision *d, size_t steps, size_t room)
{
    static struct trace_step trace[STEPS];
    static warder_engine engine;

    for (size_t i = 0; i < STEPS; i++)
        trace[i] = (struct trace_step){.layer = &layers[LAYER_VALID]};
    *d = (warder_decision){.self = d, .engine = &engine, .profile = profile_find(STR("warder"))};
    d->verdict = (struct verdict){0};
    verdict_allow(&d->verdict, ALLOWED_BY_POLICY, "allow-rules", STR("said so"));
    d->verdict.trace.items = trace;
    d->verdict.trace.count = steps;
    d->verdict.walked = 1;
    arena_init(&d->arena, room);
}

static const char *explain_text(warder_decision *d)
{
    return warder_decision_explain_text(d, 0);
}

static const char *coloured_text(warder_decision *d)
{
    return warder_decision_explain_text(d, 1);
}

static const struct {
    const char *(*write)(warder_decision *);
    const char *allows, *denies; /* in the text */
} texts[] = {
    {warder_decision_json, "\"behavior\":\"allow\"", "\"behavior\":\"deny\""},
    {warder_decision_explain_json, "\"behavior\":\"allow\"", "\"behavior\":\"deny\""},
    {explain_text, "allow", "deny"},
    {coloured_text, "allow", "deny"},
};

static void what_fits_is_shown(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        warder_decision d;
        make_allow(&d, 1, ROOM);
        const char *text = texts[i].write(&d);
        assert_non_null(strstr(text, texts[i].allows));
        assert_ptr_equal(texts[i].write(&d), text);
        assert_int_equal(warder_decision_behavior(&d), WARDER_ALLOW);
        arena_release(&d.arena);
    }
}

/* Whoever asks for a text may have acted on the decision already: it stays what it is. */
static void what_does_not_fit_has_no_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        warder_decision d;
        make_allow(&d, 1, 0);
        assert_null(texts[i].write(&d));
        assert_null(texts[i].write(&d));
        assert_int_equal(warder_decision_behavior(&d), WARDER_ALLOW);
        assert_string_equal(warder_decision_layer(&d), "allow-rules");
        assert_string_equal(warder_decision_reason(&d), "said so");
        arena_release(&d.arena);
    }
}

static void one_text_that_does_not_fit_takes_no_other_away(void **state)
{
    warder_decision d;

    (void)state;
    make_allow(&d, STEPS, ROOM);
    assert_non_null(strstr(warder_decision_json(&d), "\"behavior\":\"allow\""));
    assert_null(warder_decision_explain_json(&d));
    assert_int_equal(warder_decision_behavior(&d), WARDER_ALLOW);
    assert_non_null(strstr(warder_decision_json(&d), "\"behavior\":\"allow\""));
    arena_release(&d.arena);
}

/* Nor do the suggestions, which are looked for when they are asked for; and the reason is then the
 * layer's own. */
static void suggestions_that_do_not_fit_are_none(void **state)
{
    static const char call[] = "{\"tool\":\"Bash\",\"input\":{\"command\":\"curl http://h/\"}}";
    static const warder_text text = {"p.yaml", NULL, "", 0};
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine = NULL;
    warder_decision *d = NULL;

    (void)state;
    options.home = options.cwd = "/nonexistent";
    options.texts = &text;
    assert_int_equal(warder_engine_new(&options, &engine, NULL), WARDER_OK);
    assert_int_equal(warder_check_argument(engine, "Bash", "ls", &d, NULL), WARDER_OK);
    for (int fails = 0; fails < 2; fails++) {
        assert_int_equal(warder_check_again(d, call, strlen(call), NULL), WARDER_OK);
        assert_true(d->verdict.unsuggested && d->verdict.vague);
        arena_fail_at(&d->arena, fails ? d->arena.allocations + 1 : 0);
        assert_int_equal(warder_decision_suggestion_count(d) > 0, !fails);
        assert_string_equal(warder_decision_reason(d),
                            fails ? "mode default, risk high" : "sends a request to h");
        assert_int_equal(warder_decision_behavior(d), WARDER_ASK);
    }
    warder_decision_free(d);
    warder_engine_free(engine);
}

/* An input that cannot be written must not look like the call's own. */
static void an_input_that_does_not_fit_denies_at_once(void **state)
{
    static const struct value input = {.kind = VALUE_OBJECT};
    warder_decision d;

    (void)state;
    make_allow(&d, 1, ROOM);
    d.verdict.updated_input = &input;
    decision_write_input(&d);
    assert_string_equal(warder_decision_updated_input(&d), "{}");
    assert_int_equal(warder_decision_behavior(&d), WARDER_ALLOW);
    arena_release(&d.arena);
    make_allow(&d, 1, 0);
    d.verdict.updated_input = &input;
    decision_write_input(&d);
    assert_int_equal(warder_decision_behavior(&d), WARDER_DENY);
    assert_null(warder_decision_updated_input(&d));
    arena_release(&d.arena);
}

static void an_allow_that_came_through_no_door_denies(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        warder_decision d;
        make_allow(&d, 1, ROOM);
        d.verdict.allowed_by = ALLOWED_BY_NOBODY;
        assert_non_null(strstr(texts[i].write(&d), texts[i].denies));
        assert_int_equal(warder_decision_behavior(&d), WARDER_DENY);
        arena_release(&d.arena);
    }
}

static void no_decision_denies(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        assert_non_null(strstr(texts[i].write(NULL), texts[i].denies));
        assert_non_null(strstr(texts[i].write(NULL), "there is no decision"));
    }
    assert_string_equal(warder_decision_reason(NULL), "there is no decision");
    assert_int_equal(warder_decision_behavior(NULL), WARDER_DENY);
}

static warder_status open_in(const char *cwd, char *message, size_t room)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine;
    warder_error err = {0};

    options.home = "/nonexistent/home";
    options.cwd = cwd;
    warder_status status = warder_engine_new(&options, &engine, &err);
    snprintf(message, room, "%s", err.message);
    warder_engine_free(engine);
    return status;
}

/* The process is in a directory that was removed. */
static void the_own_directory_is_used_only_if_it_matters(void **state)
{
    static const struct {
        const char *cwd;
        warder_status want;
    } cases[] = {
        {"/nonexistent", WARDER_OK},
        {"~", WARDER_OK},
        {"~/below", WARDER_OK},
        {NULL, WARDER_EIO},
        {"", WARDER_EIO},
        {"relative", WARDER_EIO},
        {".", WARDER_EIO},
        {"~somebody", WARDER_EUSAGE},
    };
    char gone[] = "/tmp/warder-engine-XXXXXX", before[4096], message[256];

    (void)state;
    assert_non_null(getcwd(before, sizeof(before)));
    assert_non_null(mkdtemp(gone));
    assert_int_equal(chdir(gone), 0);
    assert_int_equal(rmdir(gone), 0);
    for (size_t i = 0; i < COUNT(cases); i++)
        if (open_in(cases[i].cwd, message, sizeof(message)) != cases[i].want)
            fail_msg("cwd %s: %s", cases[i].cwd ? cases[i].cwd : "not given", message);
    assert_int_equal(chdir(before), 0);
    assert_int_equal(open_in("relative", message, sizeof(message)), WARDER_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_shown),
        cmocka_unit_test(what_does_not_fit_has_no_text),
        cmocka_unit_test(one_text_that_does_not_fit_takes_no_other_away),
        cmocka_unit_test(suggestions_that_do_not_fit_are_none),
        cmocka_unit_test(an_input_that_does_not_fit_denies_at_once),
        cmocka_unit_test(an_allow_that_came_through_no_door_denies),
        cmocka_unit_test(no_decision_denies),
        cmocka_unit_test(the_own_directory_is_used_only_if_it_matters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
