/* The table of variables: its order, which the search needs, and one name of each kind. */
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
        {"MY_PAGER", VARIABLE_STEERS},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted),
        cmocka_unit_test(all_rows_that_fit_count),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
