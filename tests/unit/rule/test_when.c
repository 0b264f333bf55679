/* Until when a rule counts, to the second: a second too late is a call that is let through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "rule/when.h"

#include <cmocka.h>

static const struct {
    const char *what;
    struct rule_when when;
    int64_t began, now;
    enum when_answer wanted;
} cases[] = {
    {"a second before the end", {.until = 1000}, 0, 999, WHEN_YES},
    {"the end itself", {.until = 1000}, 0, 1000, WHEN_NO},
    {"after the end", {.until = 1000}, 0, 1001, WHEN_NO},
    {"no clock", {.until = 1000}, 0, 0, WHEN_UNKNOWN},
    {"a young session", {.for_seconds = 60}, 1000, 1059, WHEN_YES},
    {"in the last second nobody knows", {.for_seconds = 60}, 1000, 1060, WHEN_UNKNOWN},
    {"an old session", {.for_seconds = 60}, 1000, 1061, WHEN_NO},
    {"one that begins later", {.for_seconds = 60}, 1000, 999, WHEN_UNKNOWN},
    {"one that began nobody knows when", {.for_seconds = 60}, 0, 1000, WHEN_UNKNOWN},
    {"young, and over", {.until = 1000, .for_seconds = 60}, 990, 1000, WHEN_NO},
};

static void to_the_second(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, 1 << 20);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rule_env env = {.now = cases[i].now, .began = cases[i].began};
        enum when_answer got = rule_when_holds(&arena, &cases[i].when, &env);
        if (got != cases[i].wanted)
            fail_msg("%s: %d", cases[i].what, (int)got);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(to_the_second)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
