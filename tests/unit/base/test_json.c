/* The JSON reader: what it refuses and where, its limits at the edges, lines and columns, and
 * memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/str.h"

/* After base/error.h: it defines a macro fail(). */
#include <cmocka.h>

#define ARENA_LIMIT ((size_t)1 << 30)

static struct arena arena;
static struct value value;
static struct error err;

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, ARENA_LIMIT);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

/* Reads a copy of the exact size, so that AddressSanitizer sees the first byte read past the end.
 */
static enum status read_text(struct str text, const struct json_limits *limits)
{
    char *exact = malloc(text.len ? text.len : 1);

    assert_non_null(exact);
    memcpy(exact, text.s, text.len);
    memset(&err, 0, sizeof(err));
    memset(&value, 0xff, sizeof(value));
    enum status s = json_read(&arena, (struct str){exact, text.len}, limits, &value, &err);
    free(exact);
    if (s && (value.kind != VALUE_NULL || value.items || value.members || value.text.s))
        fail_msg("a value is left after an error");
    if (s && (err.status != s || err.line == 0 || err.column == 0 || err.message[0] == '\0'))
        fail_msg("an error without a place or a message");
    return s;
}

struct refusal {
    struct str text;
    uint32_t line, column;
    const char *says;
};

#define TEXT(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

static const struct refusal refusals[] = {
    {TEXT(""), 1, 1, "empty"},
    {TEXT(" "), 1, 2, "expected a value, but the text ends"},
    {TEXT("\n\n  "), 3, 3, "but the text ends"},
    {TEXT("\xef\xbb\xbf{}"), 1, 1, "byte order mark"},
    {TEXT("\xff\xfe{\0}\0"), 1, 1, "not UTF-8"},
    {TEXT("{} x"), 1, 4, "nothing more after the value, found 'x'"},
    {TEXT("{}{}"), 1, 3, "nothing more"},
    {TEXT("1 2"), 1, 3, "nothing more"},
    {TEXT("{}\0"), 1, 3, "found byte 0x00"},
    {TEXT("\0"), 1, 1, "expected a value, found byte 0x00"},
    {TEXT("\f1"), 1, 1, "found byte 0x0c"},
    {TEXT("\xc2\xa0"
          "1"),
     1, 1, "expected a value"},
    {TEXT("nul"), 1, 1, "expected a value, found 'n'"},
    {TEXT("True"), 1, 1, "expected a value"},
    {TEXT("nullx"), 1, 5, "nothing more"},
    {TEXT("NaN"), 1, 1, "expected a value"},
    {TEXT("'a'"), 1, 1, "expected a value"},
    /* arrays */
    {TEXT("["), 1, 2, "but the text ends"},
    {TEXT("[1"), 1, 3, "',' or ']'"},
    {TEXT("[1 2]"), 1, 4, "',' or ']', found '2'"},
    {TEXT("[1,\n]"), 1, 3, "a comma is not allowed before ']'"},
    {TEXT("[,1]"), 1, 2, "expected a value, found ','"},
    {TEXT("[1,,2]"), 1, 4, "expected a value, found ','"},
    {TEXT("[1}"), 1, 3, "',' or ']'"},
    {TEXT("]"), 1, 1, "expected a value"},
    /* objects */
    {TEXT("{"), 1, 2, "a key in double quotes, but the text ends"},
    {TEXT("{a:1}"), 1, 2, "a key in double quotes, found 'a'"},
    {TEXT("{1:1}"), 1, 2, "a key in double quotes"},
    {TEXT("{\"a\" 1}"), 1, 6, "':' after the key, found '1'"},
    {TEXT("{\"a\"}"), 1, 5, "':' after the key"},
    {TEXT("{\"a\":}"), 1, 6, "expected a value, found '}'"},
    {TEXT("{\"a\":1,}"), 1, 7, "a comma is not allowed before '}'"},
    {TEXT("{\"a\":1 \"b\":2}"), 1, 8, "',' or '}'"},
    {TEXT("{\"a\":1]"), 1, 7, "',' or '}'"},
    {TEXT("{,}"), 1, 2, "a key in double quotes"},
    {TEXT("{\n  \"a\": [\n    tru\n  ]\n}"), 3, 5, "expected a value, found 't'"},
    {TEXT("{\r\n\"a\":\r\n?}"), 3, 1, "expected a value"},
    /* duplicate keys, in any spelling */
    {TEXT("{\"a\":1,\n \"a\":1}"), 2, 2,
     "duplicate key \"a\"; the first one is on line 1, column 2"},
    {TEXT("{\"a\":1,\"\\u0061\":2}"), 1, 8, "duplicate key \"a\""},
    {TEXT("{\"\\u00e4\":1,\"\xc3\xa4\":2}"), 1, 13, "duplicate key"},
    {TEXT("{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}"), 1, 19, "duplicate key"},
    {TEXT("{\"/\":1,\"\\/\":2}"), 1, 8, "duplicate key"},
    {TEXT("{\"\":1,\"\":2}"), 1, 7, "duplicate key \"\""},
    {TEXT("{\"a\\u0000b\":1,\"a\\u0000b\":2}"), 1, 15, "duplicate key \"a?b\""},
    {TEXT("{\"\\u001b[2K\\u202e\":1,\"\\u001b[2K\\u202e\":2}"), 1, 22, "duplicate key \"?[2K???\""},
    {TEXT("{\"a\":1,\"b\":2,\"c\":{\"d\":1,\"d\":2}}"), 1, 25, "duplicate key \"d\""},
    {TEXT("{\"b\":1,\"a\":1,\"a\":2,\"b\":2}"), 1, 14, "duplicate key \"a\""},
    {TEXT("{\"z\":1,\"y\":1,\"x\":1,\"w\":1,\"v\":1,\"u\":1,\"t\":1,\"s\":1,\"y\":1,\"z\":1,\"a\":"
          "1,\"a\":1}"),
     1, 50, "duplicate key \"y\"; the first one is on line 1, column 8"},
    {TEXT("{\"0123456789012345678901234567890123456789x\":1,"
          "\"0123456789012345678901234567890123456789x\":1}"),
     1, 48, "duplicate key \"0123456789012345678901234567890123456789...\""},
    /* strings */
    {TEXT("\""), 1, 1, "this string is not closed"},
    {TEXT("[\"a"), 1, 2, "this string is not closed"},
    {TEXT("\"\\\""), 1, 1, "this string is not closed"},
    {TEXT("\"\\"), 1, 1, "this string is not closed"},
    {TEXT("\"a\nb\""), 1, 3, "must end on the line"},
    {TEXT("\"a\\\nb\""), 1, 4, "must end on the line"},
    {TEXT("\"a\tb\""), 1, 3, "control character 0x09"},
    {TEXT("\"a\0b\""), 1, 3, "control character 0x00"},
    {TEXT("\"\x1f\""), 1, 2, "control character 0x1f"},
    {TEXT("\"ab\\x41\""), 1, 4, "a backslash must be followed by"},
    {TEXT("\"\\'\""), 1, 2, "a backslash must be followed by"},
    {TEXT("\"\\\xc3\xa4\""), 1, 2, "a backslash must be followed by"},
    {TEXT("\"\\U0041\""), 1, 2, "a backslash must be followed by"},
    {TEXT("\"\\u\""), 1, 2, "four hexadecimal digits"},
    {TEXT("\"\\u004\""), 1, 2, "four hexadecimal digits"},
    {TEXT("\"\\u004g\""), 1, 2, "four hexadecimal digits"},
    {TEXT("\"\\u+041\""), 1, 2, "four hexadecimal digits"},
    {TEXT("\"x\\ud800\""), 1, 3, "\\ud800 is half of a surrogate pair"},
    {TEXT("\"\\udbff\\u0041\""), 1, 2, "\\udbff is half"},
    {TEXT("\"\\udc00\""), 1, 2, "\\udc00 is half"},
    {TEXT("\"\\udfff\\ud800\""), 1, 2, "\\udfff is half"},
    {TEXT("\"\\ud800\\ud800\""), 1, 2, "\\ud800 is half"},
    {TEXT("\"\\ud800\\udbff\""), 1, 2, "\\ud800 is half"},
    {TEXT("\"\\ud800\\ue000\""), 1, 2, "\\ud800 is half"},
    {TEXT("\"\\udc00\\udc00\""), 1, 2, "\\udc00 is half"},
    {TEXT("\"\\ud800\\ndc00\""), 1, 2, "\\ud800 is half"},
    {TEXT("\"\\ud800udc00\""), 1, 2, "\\ud800 is half"},
    {TEXT("\"\\ud800\\\""), 1, 1, "not closed"},
    {TEXT("\"\\ud800\\u\""), 1, 8, "four hexadecimal digits"},
    {TEXT("\"\\ud800\\udc0\""), 1, 8, "four hexadecimal digits"},
    {TEXT("{\"\\ud800\":1}"), 1, 3, "\\ud800 is half"},
    {TEXT("[\"a\",\n\"b\xff\"]"), 2, 3, "byte 0xff is not UTF-8"},
    {TEXT("\"\xed\xa0\x80\""), 1, 2, "byte 0xed is not UTF-8"},
    {TEXT("\"\xc0\xaf\""), 1, 2, "byte 0xc0 is not UTF-8"},
    {TEXT("\"\xe2\x82\""), 1, 2, "byte 0xe2 is not UTF-8"},
    /* numbers */
    {TEXT("-"), 1, 2, "a digit must follow '-'"},
    {TEXT("-a"), 1, 2, "a digit must follow '-'"},
    {TEXT("-Infinity"), 1, 2, "a digit must follow '-'"},
    {TEXT("01"), 1, 1, "must not have leading zeros"},
    {TEXT("-00"), 1, 2, "must not have leading zeros"},
    {TEXT("+1"), 1, 1, "expected a value, found '+'"},
    {TEXT(".5"), 1, 1, "expected a value, found '.'"},
    {TEXT("[1.]"), 1, 4, "follow the decimal point"},
    {TEXT("1.e1"), 1, 3, "follow the decimal point"},
    {TEXT("1e"), 1, 3, "in the exponent"},
    {TEXT("1e+"), 1, 4, "in the exponent"},
    {TEXT("1E-x"), 1, 4, "in the exponent"},
    {TEXT("0x1f"), 1, 2, "nothing more"},
    {TEXT("1_000"), 1, 2, "nothing more"},
    /* comments are not JSON */
    {TEXT("// a\n1"), 1, 1, "found a comment"},
    {TEXT("[1 /* a */]"), 1, 4, "found a comment"},
    {TEXT("1 #"), 1, 3, "found '#'"},
};

static void check_refusal(const struct refusal *want, const struct json_limits *limits)
{
    enum status s = read_text(want->text, limits);

    if (s != STATUS_SYNTAX || err.line != want->line || err.column != want->column ||
        !strstr(err.message, want->says))
        fail_msg("%.*s\nwanted %u:%u: %s\ngot    %u:%u: %s (%d)", STR_ARG(want->text), want->line,
                 want->column, want->says, err.line, err.column, err.message, (int)s);
}

static void refuses_with_a_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(refusals); i++)
        check_refusal(&refusals[i], NULL);
}

static void error_struct_is_optional(void **state)
{
    (void)state;
    assert_int_equal(json_read(&arena, STR("{"), NULL, &value, NULL), STATUS_SYNTAX);
    assert_int_equal(json_read(&arena, (struct str){NULL, 0}, NULL, &value, NULL), STATUS_SYNTAX);
    assert_int_equal(json_read(&arena, STR("{}"), NULL, &value, NULL), STATUS_OK);
}

static const struct {
    struct str text;
    enum value_kind kind;
    struct str means;
} scalars[] = {
    {TEXT("null"), VALUE_NULL, TEXT("")},
    {TEXT(" true "), VALUE_BOOL, TEXT("")},
    {TEXT("false\r\n"), VALUE_BOOL, TEXT("")},
    {TEXT("0"), VALUE_INTEGER, TEXT("0")},
    {TEXT("-0"), VALUE_INTEGER, TEXT("-0")},
    {TEXT("123456789012345678901234567890"), VALUE_INTEGER, TEXT("123456789012345678901234567890")},
    {TEXT("0.0"), VALUE_FLOAT, TEXT("0.0")},
    {TEXT("-1.50e+007"), VALUE_FLOAT, TEXT("-1.50e+007")},
    {TEXT("1E400"), VALUE_FLOAT, TEXT("1E400")},
    {TEXT("\"\""), VALUE_STRING, TEXT("")},
    {TEXT("\"a b\""), VALUE_STRING, TEXT("a b")},
    {TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), VALUE_STRING, TEXT("\"\\/\b\f\n\r\t")},
    {TEXT("\"a\\u0000b\""), VALUE_STRING, TEXT("a\0b")},
    {TEXT("\"\\u00E4\\u20aC\\uD7ff\\ue000\\uffff\""), VALUE_STRING,
     TEXT("\xc3\xa4\xe2\x82\xac\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf")},
    {TEXT("\"\\ud800\\udc00\\uDBFF\\uDFFF\""), VALUE_STRING,
     TEXT("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf")},
    {TEXT("\"\x7f\xc2\x80\xe2\x80\xa8\""), VALUE_STRING, TEXT("\x7f\xc2\x80\xe2\x80\xa8")},
    {TEXT("\"\\\\u0041 // \\\\\""), VALUE_STRING, TEXT("\\u0041 // \\")},
};

static void takes_scalars(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(scalars); i++) {
        if (read_text(scalars[i].text, NULL))
            fail_msg("%.*s: %s", STR_ARG(scalars[i].text), err.message);
        assert_int_equal(value.kind, scalars[i].kind);
        assert_true(str_eq(value.text, scalars[i].means));
        if (value.text.s)
            assert_int_equal(value.text.s[value.text.len], '\0');
    }
    assert_int_equal(read_text(STR("true"), NULL), STATUS_OK);
    assert_true(value.boolean);
    assert_int_equal(read_text(STR("false"), NULL), STATUS_OK);
    assert_false(value.boolean);
}

static void assert_place(const struct value *v, uint32_t line, uint32_t column)
{
    assert_non_null(v);
    assert_int_equal(v->line, line);
    assert_int_equal(v->column, column);
}

static void values_know_their_place(void **state)
{
    (void)state;
    assert_int_equal(
        read_text(STR("\n {\"a\": [1, \"\xc3\xa4\", {}],\r\n\t\"b\":\n\nnull}\n"), NULL),
        STATUS_OK);
    assert_place(&value, 2, 2);
    assert_int_equal(value.count, 2);
    assert_int_equal(value.members[0].line, 2);
    assert_int_equal(value.members[0].column, 3);
    assert_int_equal(value.members[1].line, 3);
    assert_int_equal(value.members[1].column, 2);
    const struct value *a = value_get(&value, "a");
    assert_place(a, 2, 8);
    assert_int_equal(a->count, 3);
    assert_place(&a->items[0], 2, 9);
    assert_place(&a->items[1], 2, 12);
    assert_place(&a->items[2], 2, 18); /* columns count bytes */
    assert_int_equal(a->items[2].kind, VALUE_OBJECT);
    assert_place(value_get(&value, "b"), 5, 1);
}

static void nothing_points_into_the_text(void **state)
{
    char text[] = "{\"key\":[\"text\",17,\"\\u0041\"]}";

    (void)state;
    assert_int_equal(json_read(&arena, str_from(text), NULL, &value, NULL), STATUS_OK);
    memset(text, '#', sizeof(text));
    const struct value *items = value_get(&value, "key");
    assert_non_null(items);
    assert_string_equal(items->items[0].text.s, "text");
    assert_string_equal(items->items[1].text.s, "17");
    assert_string_equal(items->items[2].text.s, "A");
}

/* `n` times `part`, in memory that the next call frees. */
static struct str repeat(const char *before, const char *part, size_t n, const char *after)
{
    static char *text;
    size_t len = strlen(part), at = strlen(before);

    free(text);
    text = malloc(at + n * len + strlen(after) + 1);
    assert_non_null(text);
    memcpy(text, before, at);
    for (size_t i = 0; i < n; i++, at += len)
        memcpy(text + at, part, len);
    memcpy(text + at, after, strlen(after) + 1);
    return (struct str){text, at + strlen(after)};
}

static struct str nested(size_t depth, const char *open, const char *close)
{
    static char text[20000];
    struct buf b = {.arena = NULL, .s = text, .room = sizeof(text)};

    for (size_t i = 0; i < depth; i++)
        buf_text(&b, open);
    buf_text(&b, "1");
    for (size_t i = 0; i < depth; i++)
        buf_text(&b, close);
    return (struct str){b.s, b.len};
}

static void depth_limit_is_exact(void **state)
{
    (void)state;
    assert_int_equal(read_text(nested(JSON_MAX_DEPTH, "[", "]"), NULL), STATUS_OK);
    assert_int_equal(read_text(nested(JSON_MAX_DEPTH + 1, "[", "]"), NULL), STATUS_LIMIT);
    assert_int_equal(err.column, JSON_MAX_DEPTH + 1);
    assert_non_null(strstr(err.message, "deeper than 128"));
    assert_int_equal(read_text(nested(JSON_MAX_DEPTH, "{\"a\":", "}"), NULL), STATUS_OK);
    assert_int_equal(read_text(nested(JSON_MAX_DEPTH + 1, "{\"a\":", "}"), NULL), STATUS_LIMIT);
    assert_int_equal(read_text(nested(3, "[", "]"), &(struct json_limits){.depth = 3}), STATUS_OK);
    assert_int_equal(read_text(nested(4, "[", "]"), &(struct json_limits){.depth = 3}),
                     STATUS_LIMIT);
    /* Siblings do not count as depth. */
    assert_int_equal(read_text(repeat("[", "[],", 1000, "[]]"), &(struct json_limits){.depth = 2}),
                     STATUS_OK);
    assert_int_equal(read_text(repeat("[", "{},", 1000, "[]]"), &(struct json_limits){.depth = 2}),
                     STATUS_OK);
}

static void no_caller_can_ask_for_more_depth_than_the_ceiling(void **state)
{
    const struct json_limits deep = {.depth = UINT32_MAX},
                             deeper = {.depth = JSON_DEPTH_CEILING + 1};

    (void)state;
    assert_int_equal(read_text(nested(JSON_DEPTH_CEILING, "{\"a\":", "}"), &deep), STATUS_OK);
    assert_int_equal(read_text(nested(JSON_DEPTH_CEILING + 1, "{\"a\":", "}"), &deep),
                     STATUS_LIMIT);
    assert_int_equal(read_text(nested(JSON_DEPTH_CEILING + 1, "[", "]"), &deeper), STATUS_LIMIT);
    assert_int_equal(read_text(repeat("", "[", 1000000, ""), &deep), STATUS_LIMIT);
    assert_int_equal(read_text(repeat("", "[", 1000000, ""), NULL), STATUS_LIMIT);
    assert_int_equal(read_text(repeat("", "{\"a\":", 1000000, ""), NULL), STATUS_LIMIT);
}

static void size_limit_is_exact(void **state)
{
    (void)state;
    assert_int_equal(read_text(STR("[1,2]"), &(struct json_limits){.bytes = 5}), STATUS_OK);
    assert_int_equal(read_text(STR("[1,2]"), &(struct json_limits){.bytes = 4}), STATUS_LIMIT);
    assert_non_null(strstr(err.message, "larger than 4 bytes"));
    struct str large = repeat("\"", "x", JSON_MAX_BYTES - 2, "\"");
    assert_int_equal(large.len, 10000000);
    assert_int_equal(read_text(large, NULL), STATUS_OK);
    assert_int_equal(value.text.len, JSON_MAX_BYTES - 2);
    assert_int_equal(read_text(repeat("\"", "x", JSON_MAX_BYTES - 1, "\""), NULL), STATUS_LIMIT);
}

static void value_limit_is_exact(void **state)
{
    const struct json_limits four = {.values = 4};

    (void)state;
    assert_int_equal(read_text(STR("[1,{\"a\":2}]"), &four), STATUS_OK);
    assert_int_equal(read_text(STR("[1,{\"a\":2},3]"), &four), STATUS_LIMIT);
    assert_int_equal(err.column, 12);
    assert_non_null(strstr(err.message, "more than 4 values"));
    assert_int_equal(read_text(repeat("[", "0,", JSON_MAX_VALUES - 2, "0]"), NULL), STATUS_OK);
    assert_int_equal(value.count, JSON_MAX_VALUES - 1);
    assert_int_equal(read_text(repeat("[", "0,", JSON_MAX_VALUES - 1, "0]"), NULL), STATUS_LIMIT);
}

/* Each is followed by a byte that would show an overrun. */
static void strings_of_every_length_keep_apart(void **state)
{
    (void)state;
    for (size_t len = 0; len<9000; len += len> 4000 && len < 4200 ? 1 : 37) {
        struct str text = repeat("[\"mark\",\"", "y", len, "\",\"\\u0041end\"]");
        assert_int_equal(read_text(text, NULL), STATUS_OK);
        assert_string_equal(value.items[0].text.s, "mark");
        assert_int_equal(value.items[1].text.len, len);
        assert_int_equal(strspn(value.items[1].text.s, "y"), len);
        assert_string_equal(value.items[2].text.s, "Aend");
        arena_reset(&arena);
    }
}

/* The reader works in blocks, and the last one reaches past the end of the text. */
static void a_special_byte_is_seen_at_every_offset(void **state)
{
    char text[64] = "\"";

    (void)state;
    for (size_t len = 1; len < sizeof(text) - 2; len++) {
        memset(text + 1, 'y', sizeof(text) - 1);
        assert_int_equal(read_text((struct str){text, len}, NULL), STATUS_SYNTAX);
        assert_non_null(strstr(err.message, "not closed"));
        text[len] = '\x1f';
        text[len + 1] = '"';
        assert_int_equal(read_text((struct str){text, len + 2}, NULL), STATUS_SYNTAX);
        assert_int_equal(err.column, len + 1);
        text[len] = '\\';
        assert_int_equal(read_text((struct str){text, len + 2}, NULL), STATUS_SYNTAX);
        text[len + 1] = 't';
        text[len + 2] = '"';
        assert_int_equal(read_text((struct str){text, len + 3}, NULL), STATUS_OK);
        assert_int_equal(value.text.len, len);
        assert_int_equal(strspn(value.text.s, "y"), len - 1);
        assert_string_equal(value.text.s + len - 1, "\t");
        arena_reset(&arena);
    }
}

static const size_t key_counts[] = {1, 2, 7, 8, 9, 10, 15, 16, 17, 31, 33, 100, 1000};

/* `n` different keys in no sorted order; if `again` is less than n, that key is repeated at the
 * end. */
static struct str many_keys(size_t n, size_t again)
{
    static char text[4 << 20];
    size_t at = (size_t)snprintf(text, sizeof(text), "{\"first\":0");

    for (size_t i = 0; i < n; i++)
        at +=
            (size_t)snprintf(text + at, sizeof(text) - at, ",\"k%zu\":%zu", i * 7919 % 1000003, i);
    if (again < n)
        at += (size_t)snprintf(text + at, sizeof(text) - at, ",\"\\u006b%zu\":0",
                               again * 7919 % 1000003);
    at += (size_t)snprintf(text + at, sizeof(text) - at, "}");
    return (struct str){text, at};
}

static void a_duplicate_is_found_at_every_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(key_counts); i++) {
        size_t n = key_counts[i];
        assert_int_equal(read_text(many_keys(n, n), NULL), STATUS_OK);
        assert_int_equal(value.count, n + 1);
        for (size_t again = 0; again < n; again += n / 16 + 1) {
            assert_int_equal(read_text(many_keys(n, again), NULL), STATUS_SYNTAX);
            assert_non_null(strstr(err.message, "duplicate key \"k"));
        }
        arena_reset(&arena);
    }
}

/* Measures processor time with a wide margin: comparing all pairs would take a hundred times the
 * limit. */
static void hundred_thousand_keys_are_fast(void **state)
{
    (void)state;
    clock_t start = clock();
    assert_int_equal(read_text(many_keys(100000, 100000), NULL), STATUS_OK);
    assert_int_equal(value.count, 100001);
    assert_int_equal(read_text(many_keys(100000, 50000), NULL), STATUS_SYNTAX);
    assert_int_equal(read_text(many_keys(100000, 0), NULL), STATUS_SYNTAX);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("100,000 keys three times: %.3f s\n", seconds);
    assert_true(seconds < 5);
}

static const struct {
    struct str text;
    const char *means;
} commented[] = {
    {TEXT("// a\n[1]// b"), "[1]"},
    {TEXT("//\n//\r\n1"), "1"},
    {TEXT("/**/[/* 1 */1/***/,/*\n*/]/*/ */"), "[1]"},
    {TEXT("{\"a\"/**/:/**/1,//x\n}"), "{\"a\":1}"},
    {TEXT("[\"// no\",\"/* no */\",]"), "[\"// no\",\"/* no */\"]"},
    {TEXT("{} // tab\tand \xc3\xa4"), "{}"},
    {TEXT("[[],{},]"), "[[],{}]"},
};

static const struct refusal commented_refusals[] = {
    {TEXT("// only"), 1, 8, "but the text ends"},
    {TEXT("[,]"), 1, 2, "expected a value"},
    {TEXT("{,}"), 1, 2, "a key in double quotes"},
    {TEXT("[1,,]"), 1, 4, "expected a value"},
    {TEXT("[1,\n /* a"), 2, 2, "this comment is not closed"},
    {TEXT("/*/"), 1, 1, "this comment is not closed"},
    {TEXT("1 /* a /* b */ */"), 1, 16, "nothing more"},
    {TEXT("1 / 2"), 1, 3, "found '/'"},
    {TEXT("[1 /* \n */ 2]"), 2, 5, "',' or ']'"},
    {TEXT("{// a\r\"deny\":1\n}"), 1, 6, "carriage return"},
    {TEXT("{/* a\r*/}"), 1, 6, "carriage return"},
    {TEXT("1 // a\xe2\x80\xa8 b"), 1, 7, "Unicode line separator"},
    {TEXT("1 // a\xe2\x80\xa9 b"), 1, 7, "Unicode line separator"},
    {TEXT("1 // \x1b[2K"), 1, 6, "control character 0x1b"},
    {TEXT("1 // \0"), 1, 6, "control character 0x00"},
    {TEXT("1 /* \x7f */"), 1, 6, "control character 0x7f"},
    {TEXT("1 // \xff"), 1, 6, "not UTF-8"},
    {TEXT("{\"a\":1,/* \"a\" */\"a\":2,}"), 1, 17, "duplicate key"},
};

static void write_value(void *arg)
{
    json_value(arg, &value);
}

static void comments_are_accepted_on_request(void **state)
{
    const struct json_limits jsonc = {.comments = true, .commas = true};

    (void)state;
    for (size_t i = 0; i < COUNT(commented); i++) {
        struct buf b = buf_in(&arena);
        if (read_text(commented[i].text, &jsonc))
            fail_msg("%.*s: %s", STR_ARG(commented[i].text), err.message);
        assert_true(arena_try(&arena, write_value, &b));
        assert_string_equal(b.s, commented[i].means);
        assert_int_equal(read_text(commented[i].text, NULL), STATUS_SYNTAX);
    }
    for (size_t i = 0; i < COUNT(commented_refusals); i++)
        check_refusal(&commented_refusals[i], &jsonc);
}

/* Uses every kind of allocation: stacks that grow, a long string, an object that is sorted. */
static struct str allocating_text(void)
{
    return repeat("{\"a\":[1,2,3,4,5,6,7,8,9],\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,"
                  "\"h\":1,\"i\":{},\"j\":\"\\n",
                  "z", 5000, "\"}");
}

static void each_failed_allocation_is_an_error(void **state)
{
    (void)state;
    struct str text = allocating_text();
    arena_fail_at(&arena, ARENA_COUNTS);
    assert_int_equal(read_text(text, NULL), STATUS_OK);
    size_t total = arena.allocations;
    assert_in_range(total, 8, 1000);
    for (size_t i = 1; i <= total; i++) {
        arena_reset(&arena);
        arena_fail_at(&arena, i);
        assert_int_equal(read_text(text, NULL), STATUS_NOMEM);
        assert_null(arena.door);
    }
    arena_reset(&arena);
    arena_fail_at(&arena, total + 1);
    assert_int_equal(read_text(text, NULL), STATUS_OK);
}

static void a_full_arena_is_an_error(void **state)
{
    struct arena small;

    (void)state;
    for (size_t limit = 0; limit < 40000; limit += 1000) {
        arena_init(&small, limit);
        memset(&err, 0, sizeof(err));
        enum status s = json_read(&small, repeat("[", "[0],", 5000, "0]"), NULL, &value, &err);
        assert_int_equal(s, STATUS_NOMEM);
        assert_int_equal(value.kind, VALUE_NULL);
        assert_true(err.line == 1 && err.column > 0);
        arena_release(&small);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refuses_with_a_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(error_struct_is_optional, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_scalars, set_up, tear_down),
        cmocka_unit_test_setup_teardown(values_know_their_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_points_into_the_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(depth_limit_is_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_caller_can_ask_for_more_depth_than_the_ceiling, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(size_limit_is_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(value_limit_is_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings_of_every_length_keep_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_special_byte_is_seen_at_every_offset, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_duplicate_is_found_at_every_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hundred_thousand_keys_are_fast, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comments_are_accepted_on_request, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_failed_allocation_is_an_error, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_arena_is_an_error, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
