/* The TOML reader: the values and places it reads, and what it refuses and where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "document/text.h"
#include "document/toml.h"
#include "support/reading.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static const struct {
    struct str text;
    const char *want;
} good[] = {
    /* the document */
    {STR(""), "{}"},
    {STR("\n\r\n  # only a comment"), "{}"},
    {STR("\xEF\xBB\xBF"
         "a=1"),
     "{\"a\":1}"},
    {STR("a = 1 # why\nb=2\r\n"), "{\"a\":1,\"b\":2}"},
    {STR("# \xC3\xA9 \t"), "{}"},
    /* keys */
    {STR("bare_key-1 = 1\n1234 = 2"), "{\"bare_key-1\":1,\"1234\":2}"},
    {STR("\"a b\" = 1\n'c\\d' = 2\n\"\" = 3"), "{\"a b\":1,\"c\\\\d\":2,\"\":3}"},
    {STR("\"\\u00e9\" = 1"), "{\"\xC3\xA9\":1}"},
    {STR("a.b . \"c.d\" = 1\na.e = 2"), "{\"a\":{\"b\":{\"c.d\":1},\"e\":2}}"},
    {STR("3.14 = 1"), "{\"3\":{\"14\":1}}"},
    /* tables */
    {STR("[a]\nx=1\n[b]\nx=2"), "{\"a\":{\"x\":1},\"b\":{\"x\":2}}"},
    {STR("[ a . 'b' ]\nx=1"), "{\"a\":{\"b\":{\"x\":1}}}"},
    {STR("[a.b]\n[a]\nx=1"), "{\"a\":{\"b\":{},\"x\":1}}"},
    {STR("[a.b.c]\n[a]\nb.x=1"), "{\"a\":{\"b\":{\"c\":{},\"x\":1}}}"},
    {STR("[a]\nb.x=1\n[a.b.c]\ny=2"), "{\"a\":{\"b\":{\"x\":1,\"c\":{\"y\":2}}}}"},
    {STR("[[a]]\nx=1\n[[a]]\n[a.b]\ny=2\n[[a]]"), "{\"a\":[{\"x\":1},{\"b\":{\"y\":2}},{}]}"},
    {STR("[[a.b]]\n[[a.b]]\n[a]\nx=1"), "{\"a\":{\"b\":[{},{}],\"x\":1}}"},
    {STR("[[a]]\n[[a.b]]\nx=1\n[[a.b]]\n[[a]]\n[[a.b]]"),
     "{\"a\":[{\"b\":[{\"x\":1},{}]},{\"b\":[{}]}]}"},
    {STR("a={}\nb = { x = 1, y.z = [ 2 ] }"), "{\"a\":{},\"b\":{\"x\":1,\"y\":{\"z\":[2]}}}"},
    {STR("a={b='''\n'''}"), "{\"a\":{\"b\":\"\"}}"},
    /* lists */
    {STR("a=[]\nb=[[],[1]]"), "{\"a\":[],\"b\":[[],[1]]}"},
    {STR("a=[ # first\n 1 ,\n\n 'x' , # two\n {y=1},\n]"), "{\"a\":[1,\"x\",{\"y\":1}]}"},
    /* strings */
    {STR("a=\"\\b\\t\\n\\f\\r\\\"\\\\\\u0041\\U0001F600\""),
     "{\"a\":\"\\u0008\\t\\n\\u000c\\r\\\"\\\\A\xF0\x9F\x98\x80\"}"},
    {STR("a='\\n \"x\"\t'"), "{\"a\":\"\\\\n \\\"x\\\"\\t\"}"},
    {STR("a=\"\"\nb=''\nc=\"\"\"\"\"\"\nd=''''''"),
     "{\"a\":\"\",\"b\":\"\",\"c\":\"\",\"d\":\"\"}"},
    {STR("a=\"\"\"\nx\ny\"\"\""), "{\"a\":\"x\\ny\"}"},
    {STR("a=\"\"\"\r\nx\r\ny\"\"\""), "{\"a\":\"x\\ny\"}"},
    {STR("a='''\n\nx'y''z'''''"), "{\"a\":\"\\nx'y''z''\"}"},
    {STR("a=\"\"\"\"\"x\"\"\"\"\""), "{\"a\":\"\\\"\\\"x\\\"\\\"\"}"},
    {STR("a=\"\"\"x\\  \n\n\t y\\\r\n\"\"\""), "{\"a\":\"xy\"}"},
    {STR("a=\"\"\"\\\"\"\"\""), "{\"a\":\"\\\"\"}"},
    {STR("a=''''''''"), "{\"a\":\"''\"}"},
    {STR("a=\"x#y\" # z"), "{\"a\":\"x#y\"}"},
    {STR("a=\"\\u0000b\""), "{\"a\":\"\\u0000b\"}"},
    /* integers */
    {STR("a=[0,-0,+0,+99,-17,1_000,1_2_3]"), "{\"a\":[0,0,0,99,-17,1000,123]}"},
    {STR("a=[0xDEADbeef,0x00_ff,0o755,0b1101]"), "{\"a\":[3735928559,255,493,13]}"},
    {STR("a=[9223372036854775807,-9223372036854775808,0x7fffffffffffffff]"),
     "{\"a\":[9223372036854775807,-9223372036854775808,9223372036854775807]}"},
    /* floats */
    {STR("a=[1.0,-0.5,+3.14,5e+22,1E06,-2e-2,6.626e-34,9_1.0_1,0e00]"),
     "{\"a\":[f:1.0,f:-0.5,f:+3.14,f:5e+22,f:1E06,f:-2e-2,f:6.626e-34,f:91.01,f:0e00]}"},
    {STR("a=[inf,+inf,-inf,nan,+nan,-nan]"), "{\"a\":[f:inf,f:+inf,f:-inf,f:nan,f:+nan,f:-nan]}"},
    /* booleans and times */
    {STR("a=[true,false]"), "{\"a\":[true,false]}"},
    {STR("a=1979-05-27T07:32:00Z\nb=1979-05-27 07:32:00.999-07:00\nc=1979-05-27t00:00:00z"),
     "{\"a\":t:1979-05-27T07:32:00Z,\"b\":t:1979-05-27 "
     "07:32:00.999-07:00,\"c\":t:1979-05-27t00:00:00z}"},
    {STR("a=[1979-05-27T07:32:00.5,1979-05-27 ,07:32:00,23:59:60.25]"),
     "{\"a\":[t:1979-05-27T07:32:00.5,t:1979-05-27,t:07:32:00,t:23:59:60.25]}"},
    {STR("a=1979-05-27 # 7"), "{\"a\":t:1979-05-27}"},
    {STR("a=[2000-02-29,2024-02-29,1999-12-31]"),
     "{\"a\":[t:2000-02-29,t:2024-02-29,t:1999-12-31]}"},
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
    {STR("a=1"), "{\"a\"@1:1:1@1:3}@1:1"},
    {STR("\xEF\xBB\xBF"
         "a=1"),
     "{\"a\"@1:1:1@1:3}@1:1"},
    {STR("\n  '\xC3\xA9' = 'x'"), "{\"\xC3\xA9\"@2:3:\"x\"@2:10}@1:1"},
    {STR("a.b = [\r\n 1,\n\t{c=2}]"),
     "{\"a\"@1:1:{\"b\"@1:3:[1@2:2,{\"c\"@3:3:2@3:5}@3:2]@1:7}@1:1}@1:1"},
    {STR("[a.b]\n[a]\nc=1"), "{\"a\"@1:2:{\"b\"@1:4:{}@1:1,\"c\"@3:1:1@3:3}@2:1}@1:1"},
    {STR("[[a]]\n [[a]]\nb=1"), "{\"a\"@1:3:[{}@1:1,{\"b\"@3:1:1@3:3}@2:2]@1:1}@1:1"},
    {STR("a='''\n\n'''\nb=1"), "{\"a\"@1:1:\"\\n\"@1:3,\"b\"@4:1:1@4:3}@1:1"},
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
} bad[] = {
    /* characters */
    {STR("a=1\n# \x01"), 2, 3},
    {STR("a='\x7f'"), 1, 4},
    {STR("a=1\0"), 1, 4},
    {STR("a=1\rb=2"), 1, 4},
    {STR("a=1\r"), 1, 4},
    {STR("a='x\xC3'"), 1, 5},
    {STR("a='\xED\xA0\x80'"), 1, 4},     /* a surrogate */
    {STR("a='\xC0\xAF'"), 1, 4},         /* a slash in two bytes */
    {STR("a='\xF4\x90\x80\x80'"), 1, 4}, /* beyond U+10FFFF */
    {STR("a='\xE2\x82"), 1, 4},
    {STR("a=\xEF\xBB\xBF"
         "1"),
     1, 3},
    {STR("\xEF\xBB\xBF\xEF\xBB\xBF"), 1, 1},
    /* lines and keys */
    {STR("a"), 1, 2},
    {STR("a="), 1, 3},
    {STR("a=\n1"), 1, 3},
    {STR("=1"), 1, 1},
    {STR("a b=1"), 1, 3},
    {STR("\xC3\xA9=1"), 1, 1},
    {STR("a.=1"), 1, 3},
    {STR(".a=1"), 1, 1},
    {STR("a..b=1"), 1, 3},
    {STR("a\n=1"), 1, 2},
    {STR("a=1 b=2"), 1, 5},
    {STR("\"a=1"), 1, 1},
    {STR("\"\"\"a\"\"\"=1"), 1, 1},
    {STR("a==1"), 1, 3},
    {STR("}"), 1, 1},
    /* duplicate keys */
    {STR("a=1\na=2"), 2, 1},
    {STR("a=1\n\"a\"=2"), 2, 1},
    {STR("a=1\na.b=2"), 2, 1},
    {STR("a.b=1\na=2"), 2, 1},
    {STR("a.b=1\na.b.c=2"), 2, 3},
    {STR("a={b=1}\na.c=2"), 2, 1},
    {STR("a=[]\na.c=2"), 2, 1},
    {STR("a={b=1,b=2}"), 1, 8},
    {STR("a={b={c=1},b.d=2}"), 1, 12},
    {STR("a={b.c=1,b={}}"), 1, 10},
    /* tables */
    {STR("[]"), 1, 2},
    {STR("[a"), 1, 3},
    {STR("[a]]"), 1, 4},
    {STR("[[a]"), 1, 5},
    {STR("[[a] ]"), 1, 5},
    {STR("[ [a]]"), 1, 3},
    {STR("[a]b=1"), 1, 4},
    {STR("[a\n]"), 1, 3},
    {STR("[a.]"), 1, 4},
    {STR("[a]\n[a]"), 2, 2},
    {STR("[a.b]\n[a]\n[a]"), 3, 2},
    {STR("a=1\n[a]"), 2, 2},
    {STR("a=1\n[a.b]"), 2, 2},
    {STR("a={}\n[a.b]"), 2, 2},
    {STR("a=[{}]\n[a.b]"), 2, 2},
    {STR("a=[{}]\n[[a]]"), 2, 3},
    {STR("a=[]\n[[a]]"), 2, 3},
    {STR("[a]\n[[a]]"), 2, 3},
    {STR("[[a]]\n[a]"), 2, 2},
    {STR("[[a.b]]\n[[a]]"), 2, 3},
    {STR("[[a.b]]\n[a]\nb.c=1"), 3, 1},
    {STR("[a]\nb.c=1\n[a.b]"), 3, 4},
    {STR("a.b=1\n[a]"), 2, 2},
    {STR("[a.b]\n[a]\nb.c=1\n[a.b]"), 3, 1},
    {STR("[a.b.c]\n[a]\nb.c.d=1"), 3, 3},
    {STR("[a.b.c]\n[a]\nb.x=1\n[a.b]"), 4, 4},
    /* lists and braces */
    {STR("a=[1"), 1, 3},
    {STR("b=1\na=[[]\n#x"), 2, 3},
    {STR("b=1\na=[[],\n#x"), 3, 3},
    {STR("a=[1 2]"), 1, 6},
    {STR("a=[,]"), 1, 4},
    {STR("a=[1,,]"), 1, 6},
    {STR("a=[1}"), 1, 5},
    {STR("a={"), 1, 4},
    {STR("a={b=1"), 1, 7},
    {STR("a={b=1,}"), 1, 8},
    {STR("a={,}"), 1, 4},
    {STR("a={b=1 c=2}"), 1, 8},
    {STR("a={b=1\n}"), 1, 7},
    {STR("a={\nb=1}"), 1, 4},
    {STR("a={b=1,\nc=2}"), 1, 8},
    {STR("a={b=1 # x\n}"), 1, 8},
    {STR("a={b}"), 1, 5},
    /* strings */
    {STR("a=\"x"), 1, 3},
    {STR("a='x\n'"), 1, 3},
    {STR("a=\"x\ny\""), 1, 3},
    {STR("a=\"\"\"x\"\""), 1, 3},
    {STR("a='''x''"), 1, 3},
    {STR("a='''''''''"), 1, 11},
    {STR("a=\"\\x41\""), 1, 4},
    {STR("a=\"\\e\""), 1, 4},
    {STR("a=\"\\ \""), 1, 4},
    {STR("a=\"\\\nb\""), 1, 4},
    {STR("a=\"\"\"\\ x\"\"\""), 1, 6},
    {STR("a=\"\\u00g0\""), 1, 4},
    {STR("a=\"\\u041\""), 1, 4},
    {STR("a=\"\\uD800\""), 1, 4},
    {STR("a=\"\\U00110000\""), 1, 4},
    {STR("a=\"\\"), 1, 4},
    {STR("a=\"x\"y"), 1, 6},
    /* booleans and numbers */
    {STR("a=True"), 1, 3},
    {STR("a=truex"), 1, 3},
    {STR("a=tru"), 1, 3},
    {STR("a=null"), 1, 3},
    {STR("a=word"), 1, 3},
    {STR("a=01"), 1, 3},
    {STR("a=-01"), 1, 3},
    {STR("a=0_1"), 1, 3},
    {STR("a=00"), 1, 3},
    {STR("a=1__0"), 1, 3},
    {STR("a=_1"), 1, 3},
    {STR("a=1_"), 1, 3},
    {STR("a=+-1"), 1, 3},
    {STR("a=+"), 1, 3},
    {STR("a=+0x1"), 1, 3},
    {STR("a=0x"), 1, 3},
    {STR("a=0X1"), 1, 3},
    {STR("a=0x_1"), 1, 3},
    {STR("a=0x1_"), 1, 3},
    {STR("a=0xg"), 1, 3},
    {STR("a=0o8"), 1, 3},
    {STR("a=0b2"), 1, 3},
    {STR("a=9223372036854775808"), 1, 3},
    {STR("a=-9223372036854775809"), 1, 3},
    {STR("a=0x8000000000000000"), 1, 3},
    {STR("a=99999999999999999999999999"), 1, 3},
    {STR("a=1."), 1, 3},
    {STR("a=.5"), 1, 3},
    {STR("a=1.e5"), 1, 3},
    {STR("a=1e"), 1, 3},
    {STR("a=1e+"), 1, 3},
    {STR("a=1e5.0"), 1, 3},
    {STR("a=1_.0"), 1, 3},
    {STR("a=1._0"), 1, 3},
    {STR("a=1e_5"), 1, 3},
    {STR("a=00.5"), 1, 3},
    {STR("a=1.2.3"), 1, 3},
    {STR("a=Inf"), 1, 3},
    {STR("a=infinity"), 1, 3},
    /* times */
    {STR("a=2023-02-29"), 1, 3},
    {STR("a=1900-02-29"), 1, 3},
    {STR("a=2023-04-31"), 1, 3},
    {STR("a=2023-13-01"), 1, 3},
    {STR("a=2023-00-01"), 1, 3},
    {STR("a=2023-01-00"), 1, 3},
    {STR("a=2023-1-01"), 1, 3},
    {STR("a=23-01-01"), 1, 3},
    {STR("a=12023-01-01"), 1, 3},
    {STR("a=2023-01-01T"), 1, 3},
    {STR("a=2023-01-01T24:00:00"), 1, 3},
    {STR("a=2023-01-01T00:60:00"), 1, 3},
    {STR("a=2023-01-01T00:00:61"), 1, 3},
    {STR("a=2023-01-01T00:00"), 1, 3},
    {STR("a=2023-01-01T00:00:00."), 1, 3},
    {STR("a=2023-01-01T00:00:00+24:00"), 1, 3},
    {STR("a=2023-01-01T00:00:00+00:60"), 1, 3},
    {STR("a=2023-01-01T00:00:00+0000"), 1, 3},
    {STR("a=2023-01-01T00:00:00+00"), 1, 3},
    {STR("a=2023-01-01T00:00:00ZZ"), 1, 3},
    {STR("a=2023-01-01  00:00:00"), 1, 15},
    {STR("a=2023-01-01 0"), 1, 3},
    {STR("a=7:32:00"), 1, 3},
    {STR("a=07:32"), 1, 3},
    {STR("a=07:32:00Z"), 1, 3},
    {STR("a=2023-01-01x"), 1, 3},
};

static void mistakes_are_refused_where_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_refused(bad[i].text, bad[i].line, bad[i].column, "");
}

/* --- limits --------------------------------------------------------------- */

static void size_has_a_limit(void **state)
{
    (void)state;
    assert_status("#", "x", POLICY_TEXT_MAX - 1, "", STATUS_OK);
    assert_status("#", "x", POLICY_TEXT_MAX, "", STATUS_LIMIT);
}

/* The document itself is the first level. */
static void depth_has_a_limit(void **state)
{
    (void)state;
    assert_status("a=", "[", POLICY_DEPTH_MAX, "", STATUS_LIMIT);
    assert_status("a=", "[", POLICY_DEPTH_MAX - 1, "",
                  STATUS_SYNTAX); /* not too deep, only not closed */
    assert_status("a=", "{b=", POLICY_DEPTH_MAX - 1, "", STATUS_SYNTAX);
    assert_status("a=", "{b=", POLICY_DEPTH_MAX, "", STATUS_LIMIT);
    assert_status("[x", ".x", POLICY_DEPTH_MAX - 2, "]", STATUS_OK);
    assert_status("[x", ".x", POLICY_DEPTH_MAX - 1, "]", STATUS_LIMIT);
    assert_status("[[x", ".x", POLICY_DEPTH_MAX - 3, "]]", STATUS_OK);
    assert_status("[[x", ".x", POLICY_DEPTH_MAX - 2, "]]", STATUS_LIMIT);
    assert_status("x", ".x", POLICY_DEPTH_MAX - 1, "=1", STATUS_OK);
    assert_status("x", ".x", POLICY_DEPTH_MAX, "=1", STATUS_LIMIT);
    assert_status("x", ".x", POLICY_DEPTH_MAX - 2, "=[]", STATUS_OK);
    assert_status("x", ".x", POLICY_DEPTH_MAX - 1, "=[]", STATUS_LIMIT);
    assert_status("x", ".x", 400000, "=1", STATUS_LIMIT);
}

static void number_of_values_has_a_limit(void **state)
{
    (void)state;
    assert_status("a=[", "1,", POLICY_NODES_MAX - 2, "]",
                  STATUS_OK); /* the document and the list count too */
    assert_status("a=[", "1,", POLICY_NODES_MAX - 1, "]", STATUS_LIMIT);
    assert_status("", "[[a]]\n", POLICY_TEXT_MAX / 6, "", STATUS_OK);
}

static void many_keys_take_no_time(void **state)
{
    size_t room = POLICY_TEXT_MAX, used = 0;
    char *text = malloc(room + 1);

    (void)state;
    assert_non_null(text);
    for (unsigned i = 0; used + 16 < room; i++)
        used += (size_t)snprintf(text + used, 16, "k%06u=1\n", i);
    assert_int_equal(read_bytes((struct str){text, used}), STATUS_OK);
    assert_true(document.count > 100000);
    arena_release(&arena);

    memcpy(text + used, "k000000=1", 9);
    assert_int_equal(read_bytes((struct str){text, used + 9}), STATUS_SYNTAX);
    assert_int_equal(error.column, 1);
    arena_release(&arena);
    free(text);
}

/* --- memory --------------------------------------------------------------- */

static const struct str whole =
    STR("a.b = [1, 'x', {c = 2.5}]\n"
        "d = \"\"\"some \\u0041 text that is longer than one small buffer\"\"\"\n"
        "[e.f]\ng = 1979-05-27\n[[h]]\ni = true\n[[h]]\nj = 0xff\n");

static void no_allocation_that_fails_yields_a_value(void **state)
{
    (void)state;
    assert_no_value_without_memory(whole, 20);
}

static void errors_are_optional(void **state)
{
    (void)state;
    arena_init(&arena, ARENA_MAX);
    assert_int_equal(toml_read(&arena, STR("a"), &document, NULL), STATUS_SYNTAX);
    assert_int_equal(toml_read(&arena, STR("\x01"), &document, NULL), STATUS_SYNTAX);
    assert_int_equal(toml_read(&arena, (struct str){0}, &document, NULL), STATUS_OK);
    arena_fail_at(&arena, arena.allocations + 1);
    assert_int_equal(toml_read(&arena, STR("a=1"), &document, NULL), STATUS_NOMEM);
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
        cmocka_unit_test(many_keys_take_no_time),
        cmocka_unit_test(no_allocation_that_fails_yields_a_value),
        cmocka_unit_test(errors_are_optional),
    };

    reader = toml_read;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
