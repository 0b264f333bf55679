/* Times as a person says them, in a zone that has an hour twice and one that it leaves out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "report/when.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define HOUR ((int64_t)3600 * 1000)
#define DAY  (24 * HOUR)
#define NOW                                                                                        \
    ((int64_t)1774825200000) /* 2026-03-30 01:00 in Berlin, where the day before had 23 hours */

static const struct {
    const char *said;
    int64_t ms; /* -1: it is no time */
} times[] = {
    {"now", NOW},
    {"today", NOW - HOUR},
    {"yesterday", NOW - HOUR - 23 * HOUR},
    {"2026-03-30", NOW - HOUR},
    {"2026-03-29", NOW - 24 * HOUR},
    {"2026-03-28", NOW - 48 * HOUR},
    {"24h", NOW - DAY},
    {"2 hours ago", NOW - 2 * HOUR},
    {"2 hours", NOW - 2 * HOUR},
    {"1 hour ago", NOW - HOUR},
    {"15 minutes", NOW - HOUR / 4},
    {"30 seconds ago", NOW - 30000},
    {"3 days ago", NOW - 3 * DAY},
    {"1 week", NOW - 7 * DAY},
    {"123456789 seconds", NOW - (int64_t)123456789 * 1000},
    {"2026-03-29T23:00:00Z", NOW},
    {"1234567890 seconds", -1},
    {" hours", -1},
    {"x hours", -1},
    {"2 fortnights", -1},
    {"hours", -1},
    {"2 hour s", -1},
    {"", -1},
    {"tomorrow", -1},
    {"2026-13-01", -1},
    {"2026-03-3", -1},
    {"2026-03-30x", -1},
    {"noww", -1},
};

static void a_person_says_when(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(times); i++) {
        int64_t ms = -1;
        const bool read = when_read(str_from(times[i].said), NOW, &ms);
        if (read != (times[i].ms >= 0) || (read && ms != times[i].ms))
            fail_msg("%s: %d, %lld", times[i].said, read, (long long)(ms - NOW));
    }
}

static void print(void *arg)
{
    struct buf b = buf_in(arg);

    when_print(&b, STR("2026-03-29T23:00:00Z"));
    buf_byte(&b, ' ');
    when_print(&b, STR("2026-03-29T00:59:59.999Z"));
    buf_byte(&b, ' ');
    when_print(&b, STR("no stamp"));
    struct str said = buf_str(&b);
    if (!str_is(said, "2026-03-30 01:00:00 2026-03-29 01:59:59 no stamp"))
        fail_msg("%.*s", STR_ARG(said));
}

static void stamps_are_printed_in_the_local_zone(void **state)
{
    struct arena a;

    (void)state;
    arena_init(&a, 1 << 16);
    assert_true(arena_try(&a, print, &a));
    arena_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_says_when),
        cmocka_unit_test(stamps_are_printed_in_the_local_zone),
    };

    (void)setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
