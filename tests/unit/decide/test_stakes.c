/* What is at stake is said by what nobody cleared. Rows: tests/cases/stakes/stakes.case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "support/shared.h"
#include "warder.h"

#include <cmocka.h> /* last: it defines a macro fail */

#define MEMORY ((size_t)64 * 1024 * 1024)

static char home[] = "/tmp/warder-stakes-XXXXXX", project[sizeof(home) + 16],
            git[sizeof(project) + 16];

static int make_home(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(home));
    snprintf(project, sizeof(project), "%s/project", home);
    snprintf(git, sizeof(git), "%s/.git", project);
    return mkdir(project, 0755) | mkdir(git, 0755);
}

static int remove_home(void **state)
{
    (void)state;
    return rmdir(git) | rmdir(project) | rmdir(home);
}

/* "TOOL: {INPUT}", or a command. */
static warder_decision *check(warder_engine *engine, struct arena *a, const char *text)
{
    const char *input = strstr(text, ": {");
    warder_decision *d;

    if (!input) {
        assert_int_equal(warder_check_argument(engine, "Bash", text, &d, NULL), WARDER_OK);
        return d;
    }
    struct str call =
        str_format(a, "{\"tool\": \"%.*s\", \"input\": %s}", (int)(input - text), text, input + 2);
    assert_int_equal(warder_check_json(engine, call.s, call.len, &d, NULL), WARDER_OK);
    return d;
}

static void explain(warder_engine *engine, struct arena *a, const char *text, struct value *out)
{
    warder_decision *d = check(engine, a, text);

    struct str json = str_copy(a, str_from(warder_decision_explain_json(d)));
    assert_int_equal(json_read(a, json, NULL, out, NULL), STATUS_OK);
    warder_decision_free(d);
}

static void every_row(void **state)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine;
    struct arena a;
    struct value said = {0};
    size_t len, count = 0;
    char *whole = read_whole_file(source_path("tests/cases/stakes/stakes.case"), &len);
    struct str rest = {whole, len}, line, expected, text;

    (void)state;
    arena_init(&a, MEMORY);
    options.home = home;
    options.cwd = project;
    assert_int_equal(warder_engine_new(&options, &engine, NULL), WARDER_OK);
    for (bool more = true; more;) {
        more = str_cut(rest, '\n', &line, &rest);
        if (line.len == 0 || line.s[0] == '#')
            continue;
        str_cut(line, ' ', &expected, &text);
        if (str_is(expected, "=")) {
            if (!str_eq(value_text(&said, "headline"), text))
                fail_msg("%.*s\n is: %.*s", STR_ARG(line), STR_ARG(value_text(&said, "headline")));
            continue;
        }
        explain(engine, &a, str_copy(&a, text).s, &said);
        if (!str_eq(value_text(&said, "stakes"), expected))
            fail_msg("%.*s\n is: %.*s", STR_ARG(line), STR_ARG(value_text(&said, "stakes")));
        count++;
    }
    assert_in_range(count, 20, 1000);
    warder_engine_free(engine);
    arena_release(&a);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};

    return cmocka_run_group_tests(tests, make_home, remove_home);
}
