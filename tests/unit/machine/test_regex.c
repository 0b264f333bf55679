/* Regular expressions of rules: what they match, and their limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "machine/regex.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static void regexes_match_within_limits(void **state)
{
    struct regexes set = {0};
    const void *code;
    static char text[40000];

    (void)state;
    assert_int_equal(regex_compile(&set, STR("^make (a|b)$"), &code, NULL), STATUS_OK);
    assert_int_equal(regex_match(code, STR("make a")), REGEX_YES);
    assert_int_equal(regex_match(code, STR("make ab")), REGEX_NO);
    assert_int_equal(regex_match(code, STR("make a\n")), REGEX_NO);
    assert_int_equal(regex_compile(&set, STR("^rm .*x"), &code, NULL), STATUS_OK);
    assert_int_equal(regex_match(code, STR("rm '\n\xff' x")), REGEX_YES);
    assert_int_equal(regex_compile(&set, STR("^(a+)+$"), &code, NULL), STATUS_OK);
    memset(text, 'a', sizeof(text));
    text[sizeof(text) - 1] = 'b';
    assert_int_equal(regex_match(code, (struct str){text, sizeof(text)}), REGEX_LIMIT);
    assert_int_equal(regex_match(NULL, STR("x")), REGEX_LIMIT);

    memset(text, 'x', sizeof(text));
    assert_int_equal(regex_compile(&set, (struct str){text, REGEX_PATTERN_MAX}, &code, NULL),
                     STATUS_OK);
    assert_int_equal(regex_compile(&set, (struct str){text, REGEX_PATTERN_MAX + 1}, &code, NULL),
                     STATUS_LIMIT);
    assert_int_equal(regex_compile(&set, STR("(*UTF)a"), &code, NULL), STATUS_SYNTAX);
    assert_null(code);
    regexes_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regexes_match_within_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
