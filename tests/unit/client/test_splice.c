/* An entry is put into a file that a person wrote, and taken out again: everything else stays, byte
 * for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "client/splice.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define ITEM "{\"x\":1}"

/* In the list "Pre" of the object "hooks". */
static const struct {
    const char *before, *after;
} added[] = {
    {"{}", "{\n  \"hooks\": {\n    \"Pre\": [\n      " ITEM "\n    ]\n  }\n}"},
    {"{ }\n", "{\n  \"hooks\": {\n    \"Pre\": [\n      " ITEM "\n    ]\n  }\n}\n"},
    {"{\"a\": 1}", "{\"hooks\": {\n    \"Pre\": [\n      " ITEM "\n    ]\n  }, \"a\": 1}"},
    {"{\n    \"a\": 1\n}\n", "{\n    \"hooks\": {\n        \"Pre\": [\n            " ITEM
                             "\n        ]\n    },\n    \"a\": 1\n}\n"},
    {"{\n\t\"a\": 1\n}\n",
     "{\n\t\"hooks\": {\n\t\t\"Pre\": [\n\t\t\t" ITEM "\n\t\t]\n\t},\n\t\"a\": 1\n}\n"},
    {"{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"hooks\": {\r\n    \"Pre\": [\r\n      " ITEM
                                 "\r\n    ]\r\n  },\r\n  \"a\": 1\r\n}\r\n"},
    /* a unit of more than four blanks is none */
    {"{\n    \"a\": 1}", "{\n    \"hooks\": {\n        \"Pre\": [\n            " ITEM
                         "\n        ]\n    },\n    \"a\": 1}"},
    {"{\n     \"a\": 1}",
     "{\n  \"hooks\": {\n    \"Pre\": [\n      " ITEM "\n    ]\n  },\n     \"a\": 1}"},
    {"{\"hooks\": {}}", "{\"hooks\": {\n  \"Pre\": [\n      " ITEM "\n    ]\n}}"},
    {"{\"hooks\": {\"b\": []}}", "{\"hooks\": {\"Pre\": [\n      " ITEM "\n    ], \"b\": []}}"},
    {"{\n  \"hooks\": {\n    \"b\": []\n  }\n}",
     "{\n  \"hooks\": {\n    \"Pre\": [\n      " ITEM "\n    ],\n    \"b\": []\n  }\n}"},
    {"{\"hooks\": {\"Pre\": []}}", "{\"hooks\": {\"Pre\": [\n  " ITEM "\n]}}"},
    {"{\"hooks\": {\"Pre\": [ ]}}", "{\"hooks\": {\"Pre\": [\n  " ITEM "\n]}}"},
    {"{\"hooks\": {\"Pre\": [2]}}", "{\"hooks\": {\"Pre\": [" ITEM ", 2]}}"},
    {"{\"hooks\": {\"Pre\": [\n  2]}}", "{\"hooks\": {\"Pre\": [\n  " ITEM ",\n  2]}}"},
    /* comments, and what looks like one */
    {"// a {\n{ // b\n  \"hooks\": { \"Pre\": [ /* c */ 2 ] } }",
     "// a {\n{ // b\n  \"hooks\": { \"Pre\": [" ITEM ",  /* c */ 2 ] } }"},
    {"{\"hooks\": {\"Pre\": [ // c\n 2]}}", "{\"hooks\": {\"Pre\": [\n " ITEM ", // c\n 2]}}"},
    {"{\"hooks\": {\"Pre\": [/* c\n */2]}}", "{\"hooks\": {\"Pre\": [\n " ITEM ",/* c\n */2]}}"},
    {"{\"// x\": 1, \"hooks\": {\"Pre\": [2]}}",
     "{\"// x\": 1, \"hooks\": {\"Pre\": [" ITEM ", 2]}}"},
};

/* Item 0 of that list. */
static const struct {
    const char *before, *after;
} removed[] = {
    {"{\"hooks\": {\"Pre\": [1]}}", "{}"},
    {"{\"a\": 1, \"hooks\": {\"Pre\": [1]}}", "{\"a\": 1}"},
    {"{\"hooks\": {\"Pre\": [1]}, \"a\": 1}", "{\"a\": 1}"},
    {"{\"hooks\": {\"b\": 2, \"Pre\": [1]}}", "{\"hooks\": {\"b\": 2}}"},
    {"{\"hooks\": {\"Pre\": [1], \"b\": 2}}", "{\"hooks\": {\"b\": 2}}"},
    {"{\"hooks\": {\"Pre\": [1, 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [{\"a\": [1]}, 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [\"a,]\\\"}\", 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [1 , 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [true,2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [[], 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [{}, 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\n  \"hooks\": {\n    \"Pre\": [\n      1\n    ]\n  }\n}\n", "{}\n"},
    {"{\n  \"a\": 1,\n  \"hooks\": {\"Pre\": [1]}\n}\n", "{\n  \"a\": 1\n}\n"},
    {"{\n  \"hooks\": {\"Pre\": [1]},\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n"},
    {"{\"hooks\": {\"Pre\": [{\"a\": 1 /* ] } */}, 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [{\"a\": 1 // ] }\n}, 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{\"hooks\": {\"Pre\": [{\"/*\": 1}, 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    /* a comment stays, and so does the end of its line */
    {"{\"hooks\": {\"Pre\": [1 /* c */, 2]}}", "{\"hooks\": {\"Pre\": [2]}}"},
    {"{ // c\n  \"hooks\": {\"Pre\": [1]}\n}", "{ // c\n  }"},
    {"{\"a\": 1, // c\n  \"hooks\": {\"Pre\": [1]}\n}", "{\"a\": 1, // c\n  }"},
    {"{\"a\": \"// c\",\n  \"hooks\": {\"Pre\": [1]}\n}", "{\"a\": \"// c\"\n}"},
    {"{\"a\": 1 /* c */,\n  \"hooks\": {\"Pre\": [1]}\n}", "{\"a\": 1 /* c */\n}"},
};

static struct str result;

struct refused {
    const char *text;
    bool add, remove; /* which of them is refused */
};

static const struct refused refused[] = {
    {"[]", true, true},
    {"1", true, true},
    {"{", true, true},
    {"", true, true},
    {"{\"hooks\": []}", true, true},
    {"{\"hooks\": {\"Pre\": {}}}", true, true},
    {"{\"hooks\": {\"Pre\": 1}}", true, true},
    {"{}", false, true},
    {"{\"hooks\": {}}", false, true},
    {"{\"hooks\": {\"Pre\": []}}", false, true},
};

static enum status add(struct arena *a, const char *text)
{
    struct error err;

    return splice_add(a, str_from(text), "hooks", STR("Pre"), STR(ITEM), &result, &err);
}

static enum status take_out(struct arena *a, struct str text, size_t index)
{
    struct error err;

    return splice_remove(a, text, "hooks", STR("Pre"), index, &result, &err);
}

static void is_now(size_t i, const char *wanted)
{
    if (!str_is(result, wanted))
        fail_msg("case %zu: %.*s", i, STR_ARG(result));
}

static void add_all(void *arg)
{
    struct arena *a = arg;
    struct value v;

    for (size_t i = 0; i < COUNT(added); i++) {
        assert_int_equal(add(a, added[i].before), STATUS_OK);
        is_now(i, added[i].after);
        assert_int_equal(splice_read(a, result, &v, NULL), STATUS_OK);
        assert_int_equal(take_out(a, result, 0), STATUS_OK);
        assert_int_equal(splice_read(a, result, &v, NULL), STATUS_OK);
    }
}

static void remove_all(void *arg)
{
    struct arena *a = arg;
    struct value v;

    for (size_t i = 0; i < COUNT(removed); i++) {
        assert_int_equal(take_out(a, str_from(removed[i].before), 0), STATUS_OK);
        is_now(i, removed[i].after);
        assert_int_equal(splice_read(a, result, &v, NULL), STATUS_OK);
    }
    assert_int_equal(take_out(a, STR("{\"hooks\": {\"Pre\": [1, 2, 3]}}"), 2), STATUS_OK);
    is_now(0, "{\"hooks\": {\"Pre\": [1, 2]}}");
    assert_int_equal(take_out(a, STR("{\"hooks\": {\"Pre\": [1, 2, 3]}}"), 1), STATUS_OK);
    is_now(1, "{\"hooks\": {\"Pre\": [1, 3]}}");
    assert_int_not_equal(take_out(a, STR("{\"hooks\": {\"Pre\": [1, 2, 3]}}"), 3), STATUS_OK);
}

static void refuse_all(void *arg)
{
    struct arena *a = arg;

    for (size_t i = 0; i < COUNT(refused); i++)
        if ((add(a, refused[i].text) != STATUS_OK) != refused[i].add ||
            (take_out(a, str_from(refused[i].text), 0) != STATUS_OK) != refused[i].remove)
            fail_msg("case %zu: %s", i, refused[i].text);
}

static void in_an_arena(void (*work)(void *arena))
{
    struct arena a;

    arena_init(&a, 1 << 22);
    assert_true(arena_try(&a, work, &a));
    arena_release(&a);
}

static void an_item_is_put_in(void **state)
{
    (void)state;
    in_an_arena(add_all);
}

static void an_item_is_taken_out(void **state)
{
    (void)state;
    in_an_arena(remove_all);
}

static void what_has_no_place_for_it_is_refused(void **state)
{
    (void)state;
    in_an_arena(refuse_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_item_is_put_in),
        cmocka_unit_test(an_item_is_taken_out),
        cmocka_unit_test(what_has_no_place_for_it_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
