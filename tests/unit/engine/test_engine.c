/* The API around decide(): a decision that cannot be shown denies, and the process's own directory
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
    *d = (warder_decision){.engine = &engine, .profile = profile_find(STR("warder"))};
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

static void what_does_not_fit_denies(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        warder_decision d;
        make_allow(&d, 1, 0);
        const char *text = texts[i].write(&d);
        assert_non_null(strstr(text, texts[i].denies));
        assert_null(strstr(text, texts[i].allows));
        assert_int_equal(warder_decision_behavior(&d), WARDER_DENY);
        assert_string_equal(warder_decision_layer(&d), "limit");
        assert_string_equal(warder_decision_reason(&d), "too large to be shown");
        arena_release(&d.arena);
    }
}

static void a_text_written_before_denies_too(void **state)
{
    warder_decision d;

    (void)state;
    make_allow(&d, STEPS, ROOM);
    assert_non_null(strstr(warder_decision_json(&d), "\"behavior\":\"allow\""));
    assert_non_null(strstr(warder_decision_explain_json(&d), "\"behavior\":\"deny\""));
    assert_int_equal(warder_decision_behavior(&d), WARDER_DENY);
    assert_non_null(strstr(warder_decision_json(&d), "\"behavior\":\"deny\""));
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
    for (size_t i = 0; i < COUNT(texts); i++)
        assert_non_null(strstr(texts[i].write(NULL), texts[i].denies));
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
        cmocka_unit_test(what_does_not_fit_denies),
        cmocka_unit_test(a_text_written_before_denies_too),
        cmocka_unit_test(an_allow_that_came_through_no_door_denies),
        cmocka_unit_test(no_decision_denies),
        cmocka_unit_test(the_own_directory_is_used_only_if_it_matters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
