/* The YAML reader: the values and places it reads, and what it refuses and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "document/text.h"
#include "document/yaml.h"
#include "support/reading.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static const struct {
    struct str text;
    const char *want;
} good[] = {
    {STR("deny:\n"
         "  - pattern: \"curl*\"\n"
         "    reason: \"Network request\"\n"),
     "{\"deny\":[{\"pattern\":\"curl*\",\"reason\":\"Network request\"}]}"},
    /* empty documents */
    {STR(""), "null"},
    {STR("\n# only a comment\n"), "null"},
    {STR("---\n"), "null"},
    {STR("\xEF\xBB\xBF"
         "a: 1"),
     "{\"a\":1}"},
    {STR("--- a\n...\n"), "\"a\""},
    /* plain scalars: the core schema */
    {STR("[~, null, Null, NULL, nULL, ]"), "[null,null,null,null,\"nULL\"]"},
    {STR("a:\nb: \n"), "{\"a\":null,\"b\":null}"},
    {STR("[true, True, TRUE, false, False, FALSE]"), "[true,true,true,false,false,false]"},
    {STR("[yes, no, on, off, y, n, Yes, NO, tRUE]"),
     "[\"yes\",\"no\",\"on\",\"off\",\"y\",\"n\",\"Yes\",\"NO\",\"tRUE\"]"},
    {STR("[0, -0, +7, 12, -3, 0o14, 0xC, 0xff, 014]"), "[0,0,7,12,-3,12,12,255,14]"},
    {STR("[9223372036854775807, -9223372036854775808]"),
     "[9223372036854775807,-9223372036854775808]"},
    {STR("[1_000, 0b1, -0xC, 0o8, 0x, 1:30, 2001-01-01, -, +]"),
     "[\"1_000\",\"0b1\",\"-0xC\",\"0o8\",\"0x\",\"1:30\",\"2001-01-01\",\"-\",\"+\"]"},
    {STR("[1.5, .5, 5., -1e3, +2E-2, .inf, -.Inf, +.INF, .nan, .NaN]"),
     "[f:1.5,f:.5,f:5.,f:-1e3,f:+2E-2,f:.inf,f:-.Inf,f:+.INF,f:.nan,f:.NaN]"},
    {STR("[., 1e, 1e+, 1.2.3, e5, .e5, -.nan, inf]"),
     "[\".\",\"1e\",\"1e+\",\"1.2.3\",\"e5\",\".e5\",\"-.nan\",\"inf\"]"},
    /* strings in quotes and blocks */
    {STR("['1', \"true\", '', \"a\\tb\\u00e9\", 'it''s']"),
     "[\"1\",\"true\",\"\",\"a\\tb\xC3\xA9\",\"it's\"]"},
    {STR("a: |\n  x\n   y\nb: >-\n  x\n  y\n"), "{\"a\":\"x\\n y\\n\",\"b\":\"x y\"}"},
    {STR("a: |\r\n  x\r\n  y\r\n"), "{\"a\":\"x\\ny\\n\"}"},
    {STR("a: x\n  y\n"), "{\"a\":\"x y\"}"},
    {STR("a: !!str 1\nb: !!str\n!!str 2: x"), "{\"a\":\"1\",\"b\":\"\",\"2\":\"x\"}"},
    {STR("a: \"x\\0y\""), "{\"a\":\"x\\u0000y\"}"},
    {STR("a: git push * # not a comment in 'x#y'"), "{\"a\":\"git push *\"}"},
    {STR("a: x#y"), "{\"a\":\"x#y\"}"},
    /* keys */
    {STR("1: a\n1.5: b\ntrue: c\n~: d\non: e\n\"\": f"),
     "{\"1\":\"a\",\"1.5\":\"b\",\"true\":\"c\",\"~\":\"d\",\"on\":\"e\",\"\":\"f\"}"},
    {STR("? a\n: 1\n? b\n"), "{\"a\":1,\"b\":null}"},
    {STR("'<<': 1"), "{\"<<\":1}"},
    /* lists and mappings */
    {STR("- a\n- - b\n  - {c: d, e: [1]}\n- f: 1\n  g: 2\n"),
     "[\"a\",[\"b\",{\"c\":\"d\",\"e\":[1]}],{\"f\":1,\"g\":2}]"},
    {STR("a: []\nb: {}\nc:\n- 1\n"), "{\"a\":[],\"b\":{},\"c\":[1]}"},
    {STR("{a: 1, b}"), "{\"a\":1,\"b\":null}"},
};

static void texts_become_documents(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_reads(good[i].text, good[i].want, false);
}

static const struct {
    struct str text;
    const char *want;
} placed[] = {
    {STR(""), "null@1:1"},
    {STR("a: 1"), "{\"a\"@1:1:1@1:4}@1:1"},
    {STR("\xEF\xBB\xBF"
         "a: 1"),
     "{\"a\"@1:1:1@1:4}@1:1"},
    {STR("# \xC3\xA9\n- [\xC3\xA9, \xF0\x9F\x98\x80, x]\n-  'y'\n"),
     "[[\"\xC3\xA9\"@2:4,\"\xF0\x9F\x98\x80\"@2:8,\"x\"@2:14]@2:3,\"y\"@3:4]@2:1"},
    {STR("a:\r\n  - b: |\r\n      x\r\n    c: 2\r\n"),
     "{\"a\"@1:1:[{\"b\"@2:5:\"x\\n\"@2:8,\"c\"@4:5:2@4:8}@2:5]@2:3}@1:1"},
    {STR("a: !!str 1\n\n\"b\": {c: }"),
     "{\"a\"@1:1:\"1\"@1:4,\"b\"@3:1:{\"c\"@3:7:null@3:10}@3:6}@1:1"},
};

static void keys_and_values_know_their_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(placed); i++)
        assert_reads(placed[i].text, placed[i].want, true);
}

static const struct {
    struct str text;
    uint32_t line, column;
    const char *says; /* a part of the message */
} bad[] = {
    /* characters */
    {STR("a: \x01"), 1, 4, "U+0001"},
    {STR("a: \0"), 1, 4, "U+0000"},
    {STR("a: \x7f"), 1, 4, "U+007F"},
    {STR("a: 1\n\xC3\xA9\xFF"), 2, 3, "UTF-8"},
    {STR("\xFF\xFE"
         "a\0"),
     1, 1, "UTF-8"},
    {STR("# x\rdeny: []"), 1, 4, "U+000D"},
    {STR("# x\xC2\x85"
         "deny: []"),
     1, 4, "U+0085"},
    {STR("# x\xE2\x80\xA8"
         "deny: []"),
     1, 4, "U+2028"},
    {STR("# x\xE2\x80\xA9"
         "deny: []"),
     1, 4, "U+2029"},
    {STR("a: \xEF\xBB\xBF"), 1, 4, "U+FEFF"},
    {STR("a: \xEF\xBF\xBF"), 1, 4, "U+FFFF"},
    /* not supported */
    {STR("a: &x 1"), 1, 4, "anchors"},
    {STR("a: &x [1]"), 1, 4, "anchors"},
    {STR("a: &x {b: 1}"), 1, 4, "anchors"},
    {STR("&x a: 1"), 1, 1, "anchors"},
    {STR("&x\na: 1"), 1, 1, "anchors"},
    {STR("a: 1\nb: *x"), 2, 4, "aliases"},
    {STR("*x : 1"), 1, 1, "aliases"},
    {STR("- &a [x]\n- &b [*a, *a]\n- [*b, *b]"), 1, 3, "anchors"},
    {STR("\xC3\xA9: *x"), 1, 5, "aliases"},
    {STR("a: !!int 1"), 1, 4, "tags"},
    {STR("a: !local 1"), 1, 4, "tags"},
    {STR("a: ! 1"), 1, 4, "tags"},
    {STR("a: ! '1'"), 1, 4, "tags"},
    {STR("a: !!seq [1]"), 1, 4, "tags"},
    {STR("a: !!str [1]"), 1, 4, "tags"},
    {STR("a: ! [1]"), 1, 4, "tags"},
    {STR("a: !!map {b: 1}"), 1, 4, "tags"},
    {STR("a: !<tag:yaml.org,2002:binary> eA=="), 1, 4, "tags"},
    {STR("!!python/object:os.system a: 1"), 1, 1, "tags"},
    {STR("a: {<<: {b: 1}}"), 1, 5, "merge"},
    {STR("%YAML 1.1\n--- a"), 1, 1, "directives"},
    {STR("a: 1\n...\n%TAG ! x\n--- b"), 3, 1, "directives"},
    {STR("a: 1\n---\nb: 2"), 2, 1, "second document"},
    {STR("--- a\n--- b"), 2, 1, "second document"},
    {STR("a: 9223372036854775808"), 1, 4, "64 bits"},
    {STR("a: -9223372036854775809"), 1, 4, "64 bits"},
    {STR("a: 0x8000000000000000"), 1, 4, "64 bits"},
    /* keys */
    {STR("a: 1\nb: 2\na: 3"), 3, 1, "on line 1"},
    {STR("a: 1\n\"a\": 2"), 2, 1, "on line 1"},
    {STR("1: a\n'1': b"), 2, 1, "on line 1"},
    {STR("[{a: 1, a: 2}]"), 1, 9, "on line 1"},
    {STR("? [a]\n: 1"), 1, 3, "a key must be"},
    {STR("? {a: 1}\n: 1"), 1, 3, "a key must be"},
    {STR("{[a]: 1}"), 1, 2, "a key must be"},
    {STR("a: 1\n: 2"), 2, 1, "expected a key here, indented like what begins on line 1"},
    {STR("? \n: 2"), 1, 2, "expected a key"},
    {STR("{: 2}"), 1, 2, "expected a value here"},
    /* not YAML */
    {STR("a: b: c"), 1, 5, "a colon and a space make a key"},
    {STR("a: [1"), 1, 6, "is not closed"},
    {STR("a: [1}"), 1, 6, "is not closed"},
    {STR("a: 'x"), 1, 4, "the quote that opens on line 1 is not closed"},
    {STR("a: \"\\q\""), 1, 5, "escape"},
    {STR("a: 1\n b: 2"), 2, 3, "a colon and a space make a key"},
    {STR("a:\n\t- b"), 2, 1, "cannot be indented with tabs"},
    {STR("- a\nb: 1"), 2, 1, "expected a \"-\" here, indented like the list that begins on line 1"},
    {STR("a: @x"), 1, 4, "put quotes around it"},
    {STR("a: 1\n}"), 2, 1, "expected a key here"},
};

static void mistakes_are_refused_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(bad[i].text, bad[i].line, bad[i].column, bad[i].says);
}

/* --- limits --------------------------------------------------------------- */

static void size_has_a_limit(void **state)
{
    (void)state;
    assert_status("#", "x", POLICY_TEXT_MAX - 1, "", STATUS_OK);
    assert_status("#", "x", POLICY_TEXT_MAX, "", STATUS_LIMIT);
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    assert_status("", "- ", POLICY_DEPTH_MAX, "x", STATUS_OK);
    assert_status("", "- ", POLICY_DEPTH_MAX + 1, "x", STATUS_LIMIT);
    assert_status("", "[", POLICY_DEPTH_MAX, "", STATUS_SYNTAX); /* not too deep, only not closed */
    assert_status("", "[", POLICY_DEPTH_MAX + 1, "", STATUS_LIMIT);
    assert_status("", "{a: ", POLICY_DEPTH_MAX, "", STATUS_SYNTAX);
    assert_status("", "{a: ", POLICY_DEPTH_MAX + 1, "", STATUS_LIMIT);
}

static void number_of_values_has_a_limit(void **state)
{
    (void)state;
    assert_status("[", "1,", POLICY_NODES_MAX - 1, "]", STATUS_OK); /* the list counts too */
    assert_status("[", "1,", POLICY_NODES_MAX, "]", STATUS_LIMIT);
}

/* Each of these is near the size limit and hits code in libyaml or ours that could take quadratic
 * time. The slowest takes a sixth of a second; the bound leaves room for sanitizers and busy
 * machines. */
static void hostile_texts_take_no_time(void **state)
{
    static const char *const parts[] = {
        "[",    "{",    "- ",    "? ",           "-\n",   "?\n",   ": ",           "a: ",
        "[a, ", "{a, ", "'",     "\"",           "\n",    " ",     "\t",           "#\n",
        "&a ",  "*a ",  "!a ",   "!<",           "|\n",   ">\n",   "%TAG !a! b\n", "x",
        "x ",   "x\n",  "[]",    "[],",          "---\n", "...\n", "\\",           "\xC3\xA9",
        "{}",   "''",   "- a\n", "- {a: [b]}\n", ",",     "]",     "[\n",          "x: [",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        char *text = repeat("", parts[i], POLICY_TEXT_MAX / strlen(parts[i]), "");
        clock_t start = clock();
        read_bytes(str_from(text));
        double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (seconds > 10)
            fail_msg("%.1f s for many \"%s\"", seconds, parts[i]);
        arena_release(&arena);
        free(text);
    }
}

static void many_keys_take_no_time(void **state)
{
    size_t room = POLICY_TEXT_MAX, used = 0;
    char *text = malloc(room + 1);

    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; used + 16 < room; i++)
        used += (size_t)snprintf(text + used, 16, "k%06u: 1\n", i);
    assert_int_equal(read_bytes((struct str){text, used}), STATUS_OK);
    assert_true(document.count > 90000);
    arena_release(&arena);

    memcpy(text + used, "k000000: 1", 10);
    assert_int_equal(read_bytes((struct str){text, used + 10}), STATUS_SYNTAX);
    assert_int_equal(error.column, 1);
    arena_release(&arena);
    free(text);
}

/* --- memory --------------------------------------------------------------- */

static const struct str whole = STR("deny:\n"
                                    "  - pattern: \"curl*\"\n"
                                    "    reason: \"Network request\"\n"
                                    "  - [1, 2.5, ~, true, !!str x]\n"
                                    "accept: |\n"
                                    "  some text\n"
                                    "empty: {}\n");

static void no_allocation_that_fails_yields_a_value(void **state)
{
    (void)state;
    assert_no_value_without_memory(whole, 10);
}

static void errors_are_optional(void **state)
{
    (void)state;
    arena_init(&arena, ARENA_MAX);
    assert_int_equal(yaml_read(&arena, STR("a: b: c"), &document, NULL), STATUS_SYNTAX);
    assert_int_equal(yaml_read(&arena, STR("\x01"), &document, NULL), STATUS_SYNTAX);
    assert_int_equal(yaml_read(&arena, STR("%"), &document, NULL), STATUS_SYNTAX);
    assert_int_equal(yaml_read(&arena, (struct str){0}, &document, NULL), STATUS_OK);
    assert_int_equal(document.kind, VALUE_NULL);
    arena_fail_at(&arena, arena.allocations + 1);
    assert_int_equal(yaml_read(&arena, STR("a: 1"), &document, NULL), STATUS_NOMEM);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_documents),
        cmocka_unit_test(keys_and_values_know_their_place),
        cmocka_unit_test(mistakes_are_refused_where_they_are),
        cmocka_unit_test(size_has_a_limit),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(number_of_values_has_a_limit),
        cmocka_unit_test(hostile_texts_take_no_time),
        cmocka_unit_test(many_keys_take_no_time),
        cmocka_unit_test(no_allocation_that_fails_yields_a_value),
        cmocka_unit_test(errors_are_optional),
    };

    reader = yaml_read;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
