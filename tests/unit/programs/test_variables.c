/* The table of variables: its order, which the search needs, and one name of each kind. */
#include "programs/programs.h"
#include "programs/variables.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void rows_are_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; variable_at(i); i++)
        assert_true(strcmp(variable_at(i - 1), variable_at(i)) < 0);
    assert_null(variable_at(SIZE_MAX));
}

static void all_rows_that_fit_count(void **state)
{
    static const struct {
        const char *name;
        unsigned uses;
    } cases[] = {
        {"PATH", VARIABLE_STEERS | VARIABLE_NOTED},
        {"PYTHONPATH", VARIABLE_STEERS | VARIABLE_NOTED}, /* PYTHON* and its own row */
        {"PYTHONUTF8", VARIABLE_STEERS | VARIABLE_HARMLESS | VARIABLE_TRANSPARENT},
        {"LC_ALL", VARIABLE_TRANSPARENT | VARIABLE_TEXT},
        {"MY_PAGER", VARIABLE_STEERS | VARIABLE_COMMAND},
        {"https_proxy", VARIABLE_STEERS | VARIABLE_NOTED},
        {"ZDOTDIR", VARIABLE_STEERS | VARIABLE_NOTED},
        {"__PYVENV_LAUNCHER__", VARIABLE_STEERS},
        {"npm_config_x", VARIABLE_STEERS | VARIABLE_NOTED},
        {"FOO", 0},
        {"PATHS", 0},
        {"~", 0},
        {"\x7f", 0},
        {"", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(variable_uses(str_from(cases[i].name)), cases[i].uses);
}

/* What a variable is said to be the same as must be an option whose value is only data. */
static void options_are_data(void **state)
{
    size_t options = 0;

    (void)state;
    for (size_t i = 0; variable_at(i); i++) {
        const char *option = variable_option(str_from(variable_at(i)));
        struct shell_word words[3] = {{.known = true}, {.known = true}, {.known = true}};
        struct program_use use;
        struct arena a;
        assert_int_equal(option != NULL,
                         (variable_uses(str_from(variable_at(i))) & VARIABLE_AS_OPTION) != 0);
        if (!option)
            continue;
        arena_init(&a, 1 << 20);
        assert_true(str_cut(str_from(option), ' ', &words[0].text, &words[1].text));
        words[2].text = STR("x");
        program_explain(&a, words, COUNT(words), NULL, &use);
        assert_non_null(use.row);
        assert_int_equal(use.effects, 0);
        assert_int_equal(use.doubt, 0);
        assert_int_equal(use.paths.count + use.hosts.count + use.options.count, 0);
        arena_release(&a);
        options++;
    }
    assert_true(options > 10);
}

static void a_family_does_not_surely_steer(void **state)
{
    (void)state;
    assert_true(variable_surely_steers(STR("PATH")));
    assert_true(variable_surely_steers(STR("AWS_PAGER")));
    assert_true(variable_surely_steers(STR("GIT_DIR"))); /* noted */
    assert_false(variable_surely_steers(STR("AWS_PROFILE")));
    assert_false(variable_surely_steers(STR("FOO")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_data),
        cmocka_unit_test(a_family_does_not_surely_steer),
        cmocka_unit_test(rows_are_sorted),
        cmocka_unit_test(all_rows_that_fit_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
