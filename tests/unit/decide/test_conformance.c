/* Runs every case file: the specs' statements (tests/conformance) and our own (tests/cases). */
#include "support/casefile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static void every_statement_of_the_specs_holds(void **state)
{
    struct case_counts counts = {0};

    (void)state;
    casefile_run_all("tests/conformance", &counts);
    assert_int_equal(counts.failed, 0);
}

static void every_case_of_ours_holds(void **state)
{
    struct case_counts counts = {0};

    (void)state;
    casefile_run_all("tests/cases", &counts);
    assert_int_equal(counts.failed, 0);
    assert_true(counts.cases > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_statement_of_the_specs_holds),
        cmocka_unit_test(every_case_of_ours_holds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
