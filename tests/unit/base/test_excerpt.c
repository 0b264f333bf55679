/* The line that a message is about, and the mark below it: one table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/excerpt.h"
#include "base/list.h"

#include <cmocka.h>

static struct arena arena;

static const struct {
    const char *text;
    uint32_t line, column;
    size_t len;
    const char *want;
} cases[] = {
    {"abc", 1, 1, 1, "  abc\n  ^\n"},
    {"abc", 1, 3, 1, "  abc\n    ^\n"},
    {"abc", 1, 9, 1, "  abc\n     ^\n"}, /* behind the end */
    {"abc", 7, 1, 1, "  abc\n     ^\n"},
    {"a\nbcd\ne", 2, 2, 2, "  bcd\n   ^~\n"},
    {"a\nbcd\ne", 2, 2, 99, "  bcd\n   ^~\n"}, /* no further than the line */
    {"a\n\ne", 2, 1, 1, "  \n  ^\n"},
    {"", 1, 1, 1, "  \n  ^\n"},
    {"\xc3\xa4x", 1, 3, 1, "  \xc3\xa4x\n   ^\n"}, /* two bytes, one column */
    {"a\tb", 1, 3, 1, "  a\\x09b\n       ^\n"},    /* an escape is as wide as it is */
    {"a\033[2Jb", 1, 1, 1, "  a\\x1b[2Jb\n  ^\n"},
};

static void show_all(void *unused)
{
    (void)unused;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str text = str_from(cases[i].text);
        struct excerpt e = excerpt_at(text, text_offset(text, cases[i].line, cases[i].column));
        struct buf b = buf_in(&arena);
        excerpt_show(&b, 2, &e, cases[i].len);
        if (!str_is(buf_str(&b), cases[i].want))
            fail_msg("%zu: \"%s\", not \"%s\"", i, buf_str(&b).s, cases[i].want);
    }
}

/* The mark is on the same byte of a line that is cut, and no character is cut in two. */
static void show_long(void *unused)
{
    static char text[3001];

    (void)unused;
    for (size_t i = 0; i < 3000; i += 2)
        memcpy(text + i, "\xc3\xa4", 2);
    for (size_t at = 0; at < 3000; at++) {
        struct excerpt e = excerpt_at(str_from(text), at);
        assert_true(e.line.len <= 122 && e.column <= e.line.len);
        assert_ptr_equal(e.line.s + e.column, text + at);
        assert_int_equal((unsigned char)e.line.s[0], 0xc3);
        assert_int_equal(e.line.len % 2, 0);
    }
}

static void in_arena(void (*fn)(void *))
{
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

static void the_mark_is_below_the_place(void **state)
{
    (void)state;
    in_arena(show_all);
}

static void a_long_line_is_cut_around_it(void **state)
{
    (void)state;
    in_arena(show_long);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mark_is_below_the_place),
        cmocka_unit_test(a_long_line_is_cut_around_it),
    };

    return cmocka_run_group_tests_name("excerpt", tests, NULL, NULL);
}
