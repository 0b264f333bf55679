/* The JSON writer: its output is always valid, has its commas, and reads back as the same value. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/json.h"
#include "base/str.h"

/* After base/error.h: it defines a macro fail(). */
#include <cmocka.h>

static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, 64 << 20);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

#define TEXT(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static const struct {
    struct str text;
    const char *want;
} string_cases[] = {
    {TEXT(""), "\"\""},
    {{NULL, 0}, "\"\""},
    {TEXT("plain"), "\"plain\""},
    {TEXT("\"\\/"), "\"\\\"\\\\/\""},
    {TEXT("\n\r\t\b\f"), "\"\\n\\r\\t\\u0008\\u000c\""},
    {TEXT("a\0b\x1f "), "\"a\\u0000b\\u001f \""},
    {TEXT("~\x7f\xc2\x80\xc2\x9f\xc2\xa0"), "\"~\\u007f\\u0080\\u009f\xc2\xa0\""},
    {TEXT("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa"),
     "\"\xe2\x80\xa7\\u2028\\u2029\xe2\x80\xaa\""},
    {TEXT("\xc3\xa4\xf0\x9f\x98\x80"), "\"\xc3\xa4\xf0\x9f\x98\x80\""},
    {TEXT("a\xff\xfe"
          "b"),
     "\"a\\ufffd\\ufffdb\""},
    {TEXT("\xe2\x82"), "\"\\ufffd\\ufffd\""},
    {TEXT("\xed\xa0\x80"), "\"\\ufffd\\ufffd\\ufffd\""},
    {TEXT("\xc0\xaf"), "\"\\ufffd\\ufffd\""},
};

static void write_strings(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(string_cases); i++) {
        struct buf b = buf_in(&arena);
        struct value back;
        json_string(&b, string_cases[i].text);
        assert_string_equal(buf_str(&b).s, string_cases[i].want);
        assert_int_equal(json_read(&arena, buf_str(&b), NULL, &back, NULL), STATUS_OK);
    }
}

static void strings_are_escaped(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, write_strings, NULL));
}

/* Every byte and every pair of bytes gives text that our own strict reader accepts. */
static void write_pairs(void *arg)
{
    (void)arg;
    for (unsigned n = 0; n < 0x10000; n++) {
        char bytes[] = {(char)(n >> 8), (char)n};
        struct buf b = buf_in(&arena);
        struct value back;
        struct error err;
        json_string(&b, (struct str){bytes, n < 0x100 ? 1 : 2});
        if (json_read(&arena, buf_str(&b), NULL, &back, &err))
            fail_msg("bytes %04x: %s", n, err.message);
        arena_reset(&arena);
    }
}

static void any_bytes_are_written_as_json(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, write_pairs, NULL));
}

/* The writer checks eight bytes at a time: a byte is written the same at every offset. */
static void write_places(void *arg)
{
    (void)arg;
    for (unsigned byte = 0; byte < 0x100; byte++)
        for (size_t at = 0; at <= 20; at++) {
            char text[] = "0123456789abcdefghij!";
            struct buf alone = buf_in(&arena), among = buf_in(&arena), want = buf_in(&arena);
            text[at] = (char)byte;
            json_string(&alone, (struct str){text + at, 1});
            json_string(&among, (struct str){text, 21});
            buf_byte(&want, '"');
            buf_add(&want, (struct str){text, at});
            buf_add(&want, str_slice(buf_str(&alone), 1, alone.len - 1));
            buf_add(&want, (struct str){text + at + 1, 20 - at});
            buf_byte(&want, '"');
            assert_string_equal(buf_str(&among).s, buf_str(&want).s);
            arena_reset(&arena);
        }
}

static void a_byte_is_written_the_same_in_each_place(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, write_places, NULL));
}

static void write_numbers(void *arg)
{
    static const int64_t numbers[] = {0,   1,          -1,        9,         10,           99,
                                      100, 1234567890, INT64_MAX, INT64_MIN, INT64_MIN + 1};

    (void)arg;
    for (size_t i = 0; i < COUNT(numbers); i++) {
        struct buf b = buf_in(&arena);
        buf_number(&b, numbers[i]);
        assert_string_equal(buf_str(&b).s, str_format(&arena, "%" PRId64, numbers[i]).s);
    }
    char room[STR_NUMBER_MAX];
    assert_true(str_is(str_number(UINT64_MAX, room), "18446744073709551615"));
}

static void numbers_are_written_in_decimal(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, write_numbers, NULL));
}

/* One of each kind. */
static void write_example(struct json_writer *w)
{
    json_begin_object(w);
    json_key(w, "empty");
    json_begin_object(w);
    json_end_object(w);
    json_key(w, "list");
    json_begin_array(w);
    json_text(w, STR("a\n"));
    json_int(w, INT64_MIN);
    json_begin_array(w);
    json_end_array(w);
    json_bool(w, true);
    json_end_array(w);
    json_key_str(w, STR("k\0\""));
    json_null(w);
    json_key(w, "last");
    json_bool(w, false);
    json_end_object(w);
}

static void write_both(void *arg)
{
    struct buf line = buf_in(&arena), lines = buf_in(&arena);
    struct json_writer one = json_to(&line), indented = json_to_indented(&lines);

    (void)arg;
    write_example(&one);
    write_example(&indented);
    assert_string_equal(buf_str(&line).s,
                        "{\"empty\":{},\"list\":[\"a\\n\",-9223372036854775808,[],true],"
                        "\"k\\u0000\\\"\":null,\"last\":false}");
    assert_string_equal(buf_str(&lines).s, "{\n"
                                           "  \"empty\": {},\n"
                                           "  \"list\": [\n"
                                           "    \"a\\n\",\n"
                                           "    -9223372036854775808,\n"
                                           "    [],\n"
                                           "    true\n"
                                           "  ],\n"
                                           "  \"k\\u0000\\\"\": null,\n"
                                           "  \"last\": false\n"
                                           "}");
}

static void commas_and_indents_place_themselves(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, write_both, NULL));
}

static const struct {
    enum value_kind kind;
    const char *text, *want;
} other_formats[] = {
    {VALUE_TIME, "1979-05-27T07:32:00Z", "\"1979-05-27T07:32:00Z\""},
    {VALUE_INTEGER, "12", "12"},
    {VALUE_INTEGER, "+12", "\"+12\""},
    {VALUE_INTEGER, "0x1f", "\"0x1f\""},
    {VALUE_INTEGER, "1_000", "\"1_000\""},
    {VALUE_INTEGER, "", "\"\""},
    {VALUE_FLOAT, "-1.5E+3", "-1.5E+3"},
    {VALUE_FLOAT, "inf", "\"inf\""},
    {VALUE_FLOAT, ".5", "\".5\""},
    {VALUE_FLOAT, "1.", "\"1.\""},
    {VALUE_FLOAT, "1,2", "\"1,2\""},
};

static void write_others(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(other_formats); i++) {
        struct buf b = buf_in(&arena);
        json_value(&b, &(struct value){.kind = other_formats[i].kind,
                                       .text = str_from(other_formats[i].text)});
        assert_string_equal(buf_str(&b).s, other_formats[i].want);
    }
}

static void what_json_cannot_spell_is_a_string(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, write_others, NULL));
}

/* Compact texts that must come back byte for byte; a blank first line and extra blanks must not
 * matter. */
static const char *const round_trips[] = {
    "null",
    "true",
    "[]",
    "{}",
    "-0",
    "1E400",
    "[[[]],{},\"\"]",
    "{\"b\":1,\"a\":{\"c\":[null,false,1.50,\"\\u0000\\u2028\xf0\x9f\x98\x80\"]},\"\":"
    "\"\\\\\\\"\"}",
    "{\"z\":1,\"y\":1,\"x\":1,\"w\":1,\"v\":1,\"u\":1,\"t\":1,\"s\":1,\"r\":1,\"q\":1}",
};

static void read_and_write(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(round_trips); i++) {
        struct buf line = buf_in(&arena), lines = buf_in(&arena), again = buf_in(&arena);
        struct json_writer indented = json_to_indented(&lines);
        struct value first, second;
        assert_int_equal(json_read(&arena, str_from(round_trips[i]), NULL, &first, NULL),
                         STATUS_OK);
        json_value(&line, &first);
        assert_string_equal(buf_str(&line).s, round_trips[i]);
        json_any(&indented, &first);
        assert_int_equal(json_read(&arena, buf_str(&lines), NULL, &second, NULL), STATUS_OK);
        json_value(&again, &second);
        assert_string_equal(buf_str(&again).s, round_trips[i]);
    }
}

static void what_is_read_is_written(void **state)
{
    (void)state;
    assert_true(arena_try(&arena, read_and_write, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(strings_are_escaped, set_up, tear_down),
        cmocka_unit_test_setup_teardown(any_bytes_are_written_as_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_byte_is_written_the_same_in_each_place, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(numbers_are_written_in_decimal, set_up, tear_down),
        cmocka_unit_test_setup_teardown(commas_and_indents_place_themselves, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_json_cannot_spell_is_a_string, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_read_is_written, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
