/* The reader of inline JavaScript: tokens, the grammar where it must be exact, and limits. What it
 * accepts and refuses is in tests/judges/javascript, with the real node as judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "programs/javascript/javascript.h"
#include "support/inlinetext.h"

#include <cmocka.h> /* last: it defines a macro fail */

static const struct inline_reader reader = {"node", "-e"};

static bool takes(const char *given)
{
    return inline_takes(&reader, str_from(given));
}

/* ---- tokens and statements ---- */

static const struct {
    const char *text;
    bool taken;
} lines[] = {
    {"", false}, /* then node -p runs its standard input */
    {" ", true},
    {"-1", false},
    {" -1", true},
    {"// only a comment", true},
    {"/* only\na comment */", true},
    {"/* open", false},
    {";;;", true},
    {"1", true},
    {"1;2", true},
    {"1 2", false},
    {"1\n2", true},
    {"1 /*\n*/ 2", true},
    {"1 /**/ 2", false},
    {"let x = 1\n/2/1", true},
    {"let x = 1\n/2/g", false},
    {"let g = 1, x = 1\n/2/g", true},
    {"/2/g", true},
    {"/2/x", false},
    {"/[/]/", true},
    {"/[/", false},
    {"/a\n/", false},
    {"/a\\/b/", true},
    {"/a/\\u0067", false},
    {"if (1) /x/.test('x')", true},
    {"{} /x/g", true},
    {"({}) / 2", true},
    {"x => {} / 2", false},
    {"[1] / 2 / 3", true},
    {"'a'", true},
    {"'a", false},
    {"'a\n'", false},
    {"'a\\\nb'", true},
    {"'\\1'", false},
    {"'\\0'", true},
    {"'\\00'", false},
    {"'\\8'", false},
    {"'\\x4'", false},
    {"'\\u004'", false},
    {"'\\u{41}'", false},
    {"'\\d'", true},
    {"'é'", true},
    {"é", false},
    {"'\xe2\x80\xa8'", false},
    {"// \xe2\x80\xa8 eval(1)", false},
    {"'\xef\xbb\xbf'", false},
    {"'\xff'", false},
    {"1\r2", false},
    {"'\t'", true},
    {"`a`", true},
    {"`a", false},
    {"`a\nb`", true},
    {"`${1}`", true},
    {"`${1`", false},
    {"`${}`", false},
    {"`${1}${`${2}`}`", true},
    {"`${{a: 1}.a}`", true},
    {"`\\``", true},
    {"`\\1`", false},
    {"console.log`x`", false},
    {"1\n`x`", false},
    {"0777", false},
    {"08", false},
    {"0x", false},
    {"0xfF", true},
    {"0b1", false},
    {"1n", false},
    {"1_0", false},
    {"1e", false},
    {"1e9 + 1.5e-3 + .5 + 2.", true},
    {"1.x", false},
    {"1..x", true},
    {"3in[]", false},
    {"#x", false},
    {"@x", false},
    {"\\u0061", false},
    {"1 <!-- 2", false},
    {"1 --> 2", false},
    {"1 < !2", true},
    {"const x = 1", true},
    {"const x", false},
    {"let x", true},
    {"let x, y = 1, [z] = [], {w} = {}", true},
    {"let [z]", false},
    {"let let = 1", false},
    {"if (1) let x = 1", false},
    {"if (1) var x = 1", true},
    {"if (1) ; else 2", true},
    {"if (1) else 2", false},
    {"if (1) 1 else 2", false},
    {"if (1) 1; else 2", true},
    {"for (;;) break", true},
    {"for (1 in 2;;) break", false},
    {"for (let i = 0, j = 1; i < 2; i++, j--) continue", true},
    {"for (const x of [1]) x", true},
    {"for (const x of 1, 2) x", false},
    {"for (const x in 1, 2) x", true},
    {"for (const x = 1 of [1]) x", false},
    {"for (let of of []) 1", false},
    {"while (1) { break }", true},
    {"do 1; while (1)", true},
    {"do 1; while (1) 2", false},
    {"break", false},
    {"continue", false},
    {"switch (1) { case 1: break }", true},
    {"switch (1) { case 1: continue }", false},
    {"switch (1) { default: 1; default: 2 }", false},
    {"for (;;) { const f = () => { break } }", false},
    {"return", false},
    {"const f = () => { return }", true},
    {"const f = () => { return\n1 }", true},
    {"throw 1", true},
    {"throw\n1", false},
    {"try {} catch {}", true},
    {"try {}", false},
    {"try {} finally {}", true},
    {"try {} catch (e) {}", true},
    {"function f() {}", true},
    {"function () {}", false},
    {"(function () {})", true},
    {"function* f() {}", false},
    {"function f(a, a2 = 1, {b}, [c], ...d) {}", true},
    {"function f(...a, b) {}", false},
    {"const f = (a, b) => 1", true},
    {"const f = (a, b)\n=> 1", false},
    {"const f = (...a, b) => 1", false},
    {"const f = (a,) => 1", true},
    {"(a,)", false},
    {"()", false},
    {"const f = ((a)) => 1", false},
    {"const f = ([(a)]) => 1", false},
    {"const f = (a.b) => 1", false},
    {"const f = (1) => 1", false},
    {"1 + x => 1", false},
    {"1 || x => 1", false},
    {"x => 1 + 1", true},
    {"x => {}\n(1)", true},
    {"({a = 1})", false},
    {"const f = ({a = 1}) => a", true},
    {"if ({a = 1}) {}", false},
    {"let a, b; [a, b] = [b, a]", true},
    {"let a; ({a} = {})", true},
    {"let a; ([a]) = [1]", false},
    {"let a; (a) = 1", false},
    {"let a; a + 1 = 2", false},
    {"let a; a++ = 2", false},
    {"let a; a\n++\na", true},
    {"let a; ++a++", false},
    {"1++", false},
    {"-1 ** 2", false},
    {"(-1) ** 2", true},
    {"2 ** -1", true},
    {"1 ?? 2 || 3", false},
    {"1 || 2 ?? 3", false},
    {"1 && 2 ?? 3", false},
    {"1 ?? 2 && 3", false},
    {"(1 ?? 2) || 3", true},
    {"1 ? 2 : 3 ? 4 : 5", true},
    {"1 ?.5 : 2", true},
    {"[]?.length", true},
    {"[]?.[0]", true},
    {"[]?.()", false},
    {"let o = {}; o?.x = 1", false},
    {"let o = {}; o?.x.y++", false},
    {"new Date", true},
    {"new Date().getTime()", true},
    {"new Date.x", false},
    {"new (Date)", false},
    {"1 instanceof Date", true},
    {"1 instanceof Date\n(2)", false},
    {"1 < 2 > (3)", false},
    {"1 < 2 && 3 > 2", true},
    {"1 < 2 && 3 > (2)", false},
    {"3 > (2)", true},
    {"console.log(1 < 2, 3 > (4))", false},
    {"({a: 1, 'b': 2, 3: 4, [5]: 6, if: 7})", true},
    {"({a() {}})", false},
    {"({get a() {}})", false},
    {"({get: 1, set: 2, async: 3})", true},
    {"({async a() {}})", false},
    {"({if})", false},
    {"[1,,2,]", true},
    {"[...[1], ...'x']", true},
    {"(...[1])", false},
    {"console.log(...[1],)", true},
    {"console.log(,)", false},
    {"import fs from 'fs'", true},
    {"import fs from 'fs' 1", false},
    {"{ import fs from 'fs' }", false},
    {"import {existsSync as e,} from 'fs'; e('x')", true},
    {"import {nothing} from 'fs'", false},
    {"label: 1", false},
    {"'use strict'", true},
    {"-e", false},
};

static void lines_of_javascript(void **state)
{
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++)
        if (takes(lines[i].text) != lines[i].taken) {
            print_error("%s%s\n", lines[i].taken ? "refused: " : "taken: ", lines[i].text);
            wrong++;
        }
    assert_int_equal(wrong, 0);
    assert_false(inline_takes(&reader, (struct str){"1\0 2", 4}));
}

/* ---- limits ---- */

static void a_text_is_only_so_long(void **state)
{
    (void)state;
    assert_int_equal(inline_edge(&reader, " ", "", "", (size_t)2 * JS_TEXT_MAX), JS_TEXT_MAX);
}

static void brackets_are_only_so_deep(void **state)
{
    static const char *const pairs[][3] = {
        {"(", "1", ")"},
        {"[", "1", "]"},
        {"console.log(", "1", ")"},
        {"x => ", "1", ""},
        {"1 ? 2 : ", "1", ""},
        {"`${", "1", "}`"},
        {"({a: ", "1", "})"},
        {"{", "1", "}"},
        {"if (1) ", "1", ""},
        {"if (1) 1; else ", "1", ""},
        {"() => {", "1", "}"},
        {"[][", "1", "]"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++)
        assert_in_range(inline_edge(&reader, pairs[i][0], pairs[i][1], pairs[i][2], 1000),
                        JS_DEPTH_MAX / 5, JS_DEPTH_MAX);
}

static void trees_are_only_so_deep(void **state)
{
    (void)state;
    assert_in_range(inline_edge(&reader, "", "'x'", ".x", 1000), JS_TREE_MAX / 2, JS_TREE_MAX);
    assert_in_range(inline_edge(&reader, "", "'x'", "[0]", 1000), JS_TREE_MAX / 2, JS_TREE_MAX);
    assert_in_range(inline_edge(&reader, "", "'x'", ".trim()", 1000), JS_TREE_MAX / 4, JS_TREE_MAX);
    assert_true(inline_takes_repeated(&reader, "1 + ", "1", "", 10000)); /* long is not deep */
    assert_true(inline_takes_repeated(&reader, "~", "1", "", 10000));
    assert_true(inline_takes_repeated(&reader, "!", "1", "", 10000));
    assert_true(inline_takes_repeated(&reader, "1 || ", "1", "", 10000));
    assert_true(inline_takes_repeated(&reader, "1, ", "1", "", 10000));
    assert_true(inline_takes_repeated(&reader, "console.log(1); ", "1", "", 3500));
}

static void names_and_files_are_limited(void **state)
{
    (void)state;
    assert_true(inline_takes_numbered(&reader, "let v", " = 1", JS_NAMES_MAX));
    assert_false(inline_takes_numbered(&reader, "let v", " = 1", JS_NAMES_MAX + 1));
    assert_true(inline_takes_numbered(&reader, "fs.readFileSync('v", "')", JS_PATHS_MAX));
    assert_false(inline_takes_numbered(&reader, "fs.readFileSync('v", "')", JS_PATHS_MAX + 1));
}

/* Names that lead to names: in circles, in long chains, and to more and more of them. */
static void steps_are_limited(void **state)
{
    (void)state;
    assert_true(takes("const x = 'a', y = x, z = y; fs.readFileSync(z)"));
    assert_false(takes("const x = x; fs.readFileSync(x)"));
    assert_false(takes("const x = y, y = x; fs.readFileSync(x)"));
    assert_true(takes("for (const x of x) fs.readFileSync(x)")); /* which are unknown */
    assert_in_range(inline_edge(&reader, "fs.readFileSync(0);", "", "", (size_t)4 * JS_STEPS_MAX),
                    JS_STEPS_MAX, JS_STEPS_MAX);
}

/* let v0 = o[k], then each name gets the value of the next one: one more pass for each. */
static bool settles_after(size_t n)
{
    struct arena own;
    struct buf b;

    arena_init(&own, (size_t)64 << 20);
    b = buf_in(&own);
    buf_text(&b, "let o = {}, k = 'x';");
    for (size_t i = 0; i < n; i++)
        buf_format(&b, "let v%zu = v%zu;", i, i + 1);
    buf_format(&b, "let v%zu = o[k]", n);
    bool is = inline_takes(&reader, buf_str(&b));
    arena_release(&own);
    return is;
}

static void names_are_only_followed_so_far(void **state)
{
    (void)state;
    assert_true(settles_after(JS_ROUNDS_MAX - 2));
    assert_false(settles_after(JS_ROUNDS_MAX));
}

/* The texts with which node judges the reader, where it is not installed. */
static void what_is_harmless_is_taken(void **state)
{
    (void)state;
    assert_int_equal(inline_wrong_in(&reader, "tests/judges/javascript/harmless.txt", true), 0);
    assert_int_equal(inline_wrong_in(&reader, "tests/judges/javascript/harmful.txt", false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_harmless_is_taken),
        cmocka_unit_test(lines_of_javascript),
        cmocka_unit_test(a_text_is_only_so_long),
        cmocka_unit_test(brackets_are_only_so_deep),
        cmocka_unit_test(trees_are_only_so_deep),
        cmocka_unit_test(names_and_files_are_limited),
        cmocka_unit_test(steps_are_limited),
        cmocka_unit_test(names_are_only_followed_so_far),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
