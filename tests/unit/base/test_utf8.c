/* Strict UTF-8, and the table of deceptive code points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

#include <cmocka.h>

static const struct {
    const char *why;
    struct str bytes;
    size_t len; /* 0: refused */
    uint32_t cp;
} decode_cases[] = {
    {"the end", {"", 0}, 0, 0},
    {"NUL is a code point", {"\0", 1}, 1, 0},
    {"the last of one byte", {"\x7f", 1}, 1, 0x7f},
    {"the first of two", {"\xc2\x80", 2}, 2, 0x80},
    {"the last of two", {"\xdf\xbf", 2}, 2, 0x7ff},
    {"the first of three", {"\xe0\xa0\x80", 3}, 3, 0x800},
    {"below the surrogates", {"\xed\x9f\xbf", 3}, 3, 0xd7ff},
    {"above the surrogates", {"\xee\x80\x80", 3}, 3, 0xe000},
    {"the last of three", {"\xef\xbf\xbf", 3}, 3, 0xffff},
    {"the first of four", {"\xf0\x90\x80\x80", 4}, 4, 0x10000},
    {"the last of all", {"\xf4\x8f\xbf\xbf", 4}, 4, 0x10ffff},
    {"a follower alone", {"\x80", 1}, 0, 0},
    {"the last follower alone", {"\xbf", 1}, 0, 0},
    {"overlong NUL", {"\xc0\x80", 2}, 0, 0},
    {"overlong slash", {"\xc0\xaf", 2}, 0, 0},
    {"overlong two bytes", {"\xc1\xbf", 2}, 0, 0},
    {"overlong three bytes", {"\xe0\x9f\xbf", 3}, 0, 0},
    {"overlong four bytes", {"\xf0\x8f\xbf\xbf", 4}, 0, 0},
    {"first surrogate", {"\xed\xa0\x80", 3}, 0, 0},
    {"last surrogate", {"\xed\xbf\xbf", 3}, 0, 0},
    {"one too large", {"\xf4\x90\x80\x80", 4}, 0, 0},
    {"lead byte f5", {"\xf5\x80\x80\x80", 4}, 0, 0},
    {"lead byte fe", {"\xfe", 1}, 0, 0},
    {"lead byte ff", {"\xff", 1}, 0, 0},
    {"two bytes cut", {"\xc2", 1}, 0, 0},
    {"three bytes cut", {"\xe2\x82", 2}, 0, 0},
    {"four bytes cut", {"\xf0\x9f\x98", 3}, 0, 0},
    {"ASCII where a follower should be", {"\xe2\x28\xa1", 3}, 0, 0},
    {"a lead where a follower should be", {"\xe2\x82\xc2", 3}, 0, 0},
};

static void decodes_strictly(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(decode_cases); i++) {
        uint32_t cp = 0;
        size_t len = utf8_next(decode_cases[i].bytes, 0, &cp);
        uint32_t want = decode_cases[i].len ? decode_cases[i].cp : UTF8_INVALID;
        if (len != decode_cases[i].len || cp != want)
            fail_msg("%s: %zu bytes, U+%04X", decode_cases[i].why, len, cp);
        if (decode_cases[i].bytes.len)
            assert_int_equal(utf8_valid(decode_cases[i].bytes), len > 0);
    }
}

/* The obvious definition: a text is valid when it is the encoding of code points. */
static void every_code_point_comes_back(void **state)
{
    char bytes[4];

    (void)state;
    for (uint32_t cp = 0; cp <= 0x110000; cp++) {
        bool scalar = cp < 0xd800 || (cp > 0xdfff && cp < 0x110000);
        uint32_t back;
        size_t len = utf8_encode(cp, bytes);
        if (utf8_next((struct str){bytes, len}, 0, &back) != len || back != (scalar ? cp : 0xfffd))
            fail_msg("U+%04X came back as U+%04X", cp, back);
    }
    assert_int_equal(utf8_encode(UINT32_MAX, bytes), 3);
}

/* All texts of three bytes, compared with the ranges of RFC 3629, section 4. */
static bool three_by_the_rfc(const unsigned char *b)
{
    if (b[0] < 0x80 || b[0] > 0xf4)
        return false;
    if (b[0] == 0xe0   ? b[1] < 0xa0 || b[1] > 0xbf
        : b[0] == 0xed ? b[1] < 0x80 || b[1] > 0x9f
                       : (b[1] & 0xc0) != 0x80)
        return false;
    return b[0] >= 0xe0 && b[0] <= 0xef && (b[2] & 0xc0) == 0x80;
}

static void three_bytes_agree_with_the_rfc(void **state)
{
    (void)state;
    for (uint32_t n = 0x800000; n < 0x1000000; n++) {
        unsigned char bytes[] = {(unsigned char)(n >> 16), (unsigned char)(n >> 8),
                                 (unsigned char)n};
        uint32_t cp;
        bool three = utf8_next((struct str){(const char *)bytes, 3}, 0, &cp) == 3;
        if (three != three_by_the_rfc(bytes))
            fail_msg("bytes %06x", n);
    }
}

static void invalid_byte_is_found_at_each_offset(void **state)
{
    char text[100];

    (void)state;
    assert_true(utf8_valid((struct str){NULL, 0}));
    for (size_t len = 1; len <= sizeof(text); len++) {
        memset(text, 'a', len);
        assert_true(utf8_valid((struct str){text, len}));
        for (size_t at = 0; at < len; at++) {
            text[at] = '\x80';
            assert_int_equal(utf8_invalid_at((struct str){text, len}), at);
            text[at] = 'a';
        }
    }
    assert_int_equal(utf8_invalid_at(STR("aaaaaaa\xc3\xa4\xe2\x82")), 9);
}

static void no_half_of_a_character_is_left(void **state)
{
    const struct str text = STR("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
    static const size_t whole[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};

    (void)state;
    for (size_t most = 0; most < COUNT(whole); most++)
        assert_int_equal(utf8_cut(text, most).len, whole[most]);
}

static void put(void *arg)
{
    struct buf b = buf_in(arg);

    utf8_put(&b, 'a');
    utf8_put(&b, 0x20ac);
    utf8_put(&b, 0xd800);
    utf8_put(&b, 0x1f600);
    assert_true(str_is(buf_str(&b), "a\xe2\x82\xac\xef\xbf\xbd\xf0\x9f\x98\x80"));
}

static void puts_into_a_buffer(void **state)
{
    struct arena arena;

    (void)state;
    arena_init(&arena, 1 << 16);
    assert_true(arena_try(&arena, put, &arena));
    arena_release(&arena);
}

static void table_is_sorted(void **state)
{
    size_t count;
    const struct utf8_range *ranges = utf8_suspicious_ranges(&count);

    (void)state;
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        assert_true(ranges[i].first <= ranges[i].last);
        assert_true(i == 0 || ranges[i - 1].last < ranges[i].first);
        assert_non_null(ranges[i].name);
    }
}

static const char *name_by_scan(uint32_t cp)
{
    size_t count;
    const struct utf8_range *ranges = utf8_suspicious_ranges(&count);

    for (size_t i = 0; i < count; i++)
        if (cp >= ranges[i].first && cp <= ranges[i].last)
            return ranges[i].name;
    return NULL;
}

static void search_agrees_with_a_scan(void **state)
{
    (void)state;
    for (uint32_t cp = 0; cp <= 0x110000; cp++)
        if (utf8_suspicious_name(cp) != name_by_scan(cp))
            fail_msg("U+%04X", cp);
    assert_string_equal(utf8_suspicious_name(UTF8_INVALID), "invalid UTF-8");
    assert_null(utf8_suspicious_name(UTF8_INVALID - 1));
}

/* The edges of every range that must be listed, and their harmless neighbours. */
static const struct {
    uint32_t first, last;
    const char *name; /* NULL: nothing suspicious in the whole range */
} name_cases[] = {
    {0x00, 0x08, "control character"},
    {0x09, 0x0a, NULL},
    {0x0b, 0x1f, "control character"},
    {0x20, 0x7e, NULL},
    {0x7f, 0x9f, "control character"},
    {0xa0, 0xa0, "unusual space"},
    {0xa1, 0xac, NULL},
    {0xad, 0xad, "zero-width character"},
    {0xae, 0x34e, NULL},
    {0x34f, 0x34f, "zero-width character"},
    {0x61b, 0x61b, NULL},
    {0x61c, 0x61c, "bidirectional control"},
    {0x115f, 0x1160, "zero-width character"},
    {0x1680, 0x1680, "unusual space"},
    {0x17b4, 0x17b5, "zero-width character"},
    {0x180b, 0x180f, "zero-width character"},
    {0x1fff, 0x1fff, NULL},
    {0x2000, 0x200a, "unusual space"},
    {0x200b, 0x200d, "zero-width character"},
    {0x200e, 0x200f, "bidirectional control"},
    {0x2010, 0x2027, NULL},
    {0x2028, 0x2029, "line separator"},
    {0x202a, 0x202e, "bidirectional control"},
    {0x202f, 0x202f, "unusual space"},
    {0x2030, 0x205e, NULL},
    {0x205f, 0x205f, "unusual space"},
    {0x2060, 0x2064, "zero-width character"},
    {0x2066, 0x2069, "bidirectional control"},
    {0x2070, 0x2071, NULL},
    {0x3000, 0x3000, "unusual space"},
    {0x3001, 0x3163, NULL},
    {0x3164, 0x3164, "zero-width character"},
    {0xfe00, 0xfe0f, "variation selector"},
    {0xfeff, 0xfeff, "zero-width character"},
    {0xffa0, 0xffa0, "zero-width character"},
    {0xfff9, 0xfffb, "annotation control"},
    {0xfffd, 0xfffd, NULL},
    {0x1d173, 0x1d17a, "invisible character"},
    {0x1f600, 0x1f64f, NULL},
    {0xe0000, 0xe007f, "tag character"},
    {0xe0100, 0xe01ef, "variation selector"},
    {0xe1000, 0xe1000, NULL},
};

static void names_are_as_expected(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(name_cases); i++)
        for (uint32_t cp = name_cases[i].first; cp <= name_cases[i].last; cp++) {
            const char *got = utf8_suspicious_name(cp);
            if (!got != !name_cases[i].name || (got && strcmp(got, name_cases[i].name) != 0))
                fail_msg("U+%04X is %s", cp, got ? got : "harmless");
        }
}

static const struct {
    struct str text;
    bool found;
    size_t at;
    uint32_t cp;
} find_cases[] = {
    {{"", 0}, false, 0, 0},
    {{"git status\t-s\n", 14}, false, 0, 0},
    {{"gr\xc3\xbc\xc3\x9f"
      "e \xe4\xb8\xad\xf0\x9f\x98\x80",
      15},
     false,
     0,
     0},
    {{"\0", 1}, true, 0, 0},
    {{"ab\r\n", 4}, true, 2, '\r'},
    {{"\x1b[2K", 4}, true, 0, 0x1b},
    {{"rm\xc2\xa0-rf", 7}, true, 2, 0xa0},
    {{"a\xe2\x80\xae"
      "b\xe2\x80\x8b",
      8},
     true,
     1,
     0x202e},
    {{"\xc3\xa4\xf3\xa0\x81\x81", 6}, true, 2, 0xe0041},
    {{"ok\xff", 3}, true, 2, UTF8_INVALID},
    {{"ok\xe2\x80", 4}, true, 2, UTF8_INVALID},
};

static void finds_the_first(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(find_cases); i++) {
        size_t at = 0;
        uint32_t cp = 0;
        bool found = utf8_suspicious(find_cases[i].text, &at, &cp);
        if (found != find_cases[i].found ||
            (found && (at != find_cases[i].at || cp != find_cases[i].cp)))
            fail_msg("case %zu: %d at %zu, U+%04X", i, found, at, cp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decodes_strictly),
        cmocka_unit_test(every_code_point_comes_back),
        cmocka_unit_test(three_bytes_agree_with_the_rfc),
        cmocka_unit_test(invalid_byte_is_found_at_each_offset),
        cmocka_unit_test(no_half_of_a_character_is_left),
        cmocka_unit_test(puts_into_a_buffer),
        cmocka_unit_test(table_is_sorted),
        cmocka_unit_test(search_agrees_with_a_scan),
        cmocka_unit_test(names_are_as_expected),
        cmocka_unit_test(finds_the_first),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
