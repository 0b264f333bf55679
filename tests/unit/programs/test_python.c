/* The reader of inline Python: tokens and limits. What it accepts and refuses is in
 * tests/judges/python, with the real Python as judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "programs/python/python.h"
#include "support/inlinetext.h"

#include <cmocka.h> /* last: it defines a macro fail */

static const struct inline_reader reader = {"python3", "-c"};

static bool takes(const char *given)
{
    return inline_takes(&reader, str_from(given));
}

/* ---- tokens ---- */

static const struct {
    const char *text;
    bool taken;
} lines[] = {
    {"", true},
    {"# only a comment", true},
    {"print(1)\n", true},
    {"print(1);", true},
    {"open('x', 'r', -1, 'utf8')", true},
    {"open('x', 'r', -1, 'utf8', 'strict')", false},
    {"print(1);;", false},
    {"if 1:\n print(1)\n", true},
    {"if 1:\n print(1)\n  print(2)\n", false},
    {"if 1:\n  print(1)\n print(2)\n", false},
    {"if 1:\n\tprint(1)\n", false},
    {"if 1: print(1)\nelse: print(2)", true},
    {"if 1:\n", false},
    {" print(1)", false},
    {"\n\n   # x\nprint(1)", true},
    {"print(1,\n2)", true},
    {"print(1,\n\t2)", true},
    {"print(1\n", false},
    {"print(1))", false},
    {"print([1)]", false},
    {"x = 1 + \\\n2", true},
    {"x = 1 + \\ \n2", false},
    {"\\\nprint(1)", false},
    {"print(1)\r", false},
    {"print(1)\f", false},
    {"# a\rprint(1)", false},
    {"x = 'a\rb'", false},
    {"x = 'é'", true},
    {"x = 'é\\n'", false},
    {"x = f'é{1}'", false},
    {"é = 1", false},
    {"# é", true},
    {"x = 1 é", false},
    {"\xef\xbb\xbfprint(1)", false},
    {"x = 0777", false},
    {"x = 1_000", true},
    {"x = 1__0", false},
    {"x = 1_", false},
    {"x = 0xfF", true},
    {"x = 0x", false},
    {"x = 1e9 + 1.5e-3 + .5 + 2.", true},
    {"x = 1e", false},
    {"x = 1if 1 else 2", false},
    {"x = 'a", false},
    {"x = 'a\n'", false},
    {"x = '''a\n'''", true},
    {"x = '''a''", false},
    {"x = 'a\\'b'", true},
    {"x = r'a\\'", false},
    {"x = rb'a' Rb'b' BR'c'", true},
    {"x = bu'a'", false},
    {"x = ur'a'", false},
    {"x = bf'a'", false},
    {"x = t'a'", false},
    {"x = '\\x4'", false},
    {"x = '\\N{DASH}'", false},
    {"x = 'a' b'b'", false},
    {"x = f'{1}'", true},
    {"x = f'{1'", false},
    {"x = f'1}'", false},
    {"x = f'{}'", false},
    {"x = f'{{}}'", true},
    {"x = f'{1!r}{1!x}'", false},
    {"x = f'{1:>{2}}'", true},
    {"x = f'{1:{2:{3}}}'", false},
    {"x = f'{1:=5}'", true},
    {"x = f'{1 # a\n}'", false},
    {"x = f'{\"\\n\"}'", false},
    {"x = f'{lambda: 1}'", false},
    {"x = f'{1 if 1 else lambda: 1}'", false},
    {"x = f'\\{1}'", false},
    {"x = f'{\"a\"}'", true},
    {"x = $y", false},
    {"x = y?", false},
    {"x = 1 @ 2", false},
    {"x <> 1", false},
};

static void lines_of_python(void **state)
{
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++)
        if (takes(lines[i].text) != lines[i].taken) {
            print_error("%s%s\n", lines[i].taken ? "refused: " : "taken: ", lines[i].text);
            wrong++;
        }
    assert_int_equal(wrong, 0);
    assert_false(inline_takes(&reader, (struct str){"x = 1\0y", 7}));
}

/* ---- limits ---- */

static void a_text_is_only_so_long(void **state)
{
    (void)state;
    assert_int_equal(inline_edge(&reader, "#", "", "", (size_t)2 * PYTHON_TEXT_MAX),
                     PYTHON_TEXT_MAX);
}

static void brackets_are_only_so_deep(void **state)
{
    (void)state;
    assert_in_range(inline_edge(&reader, "(", "1", ")", 1000), PYTHON_DEPTH_MAX / 3,
                    PYTHON_DEPTH_MAX);
    assert_in_range(inline_edge(&reader, "[", "1", "]", 1000), PYTHON_DEPTH_MAX / 3,
                    PYTHON_DEPTH_MAX);
    assert_in_range(inline_edge(&reader, "print(", "1", ")", 1000), PYTHON_DEPTH_MAX / 3,
                    PYTHON_DEPTH_MAX);
    assert_in_range(inline_edge(&reader, "lambda: ", "1", "", 1000), PYTHON_DEPTH_MAX / 3,
                    PYTHON_DEPTH_MAX);
    assert_in_range(inline_edge(&reader, "1 if 1 else ", "1", "", 1000), PYTHON_DEPTH_MAX / 3,
                    PYTHON_DEPTH_MAX);
}

static void trees_are_only_so_deep(void **state)
{
    (void)state;
    assert_in_range(inline_edge(&reader, "", "'x'", ".real", 1000), PYTHON_TREE_MAX / 2,
                    PYTHON_TREE_MAX);
    assert_in_range(inline_edge(&reader, "", "'x'", "[0]", 1000), PYTHON_TREE_MAX / 2,
                    PYTHON_TREE_MAX);
    assert_true(inline_takes_repeated(&reader, "1 + ", "1", "", 10000)); /* long is not deep */
    assert_true(inline_takes_repeated(&reader, "- ", "1", "", 10000));
    assert_true(inline_takes_repeated(&reader, "not ", "1", "", 10000));
    assert_true(inline_takes_repeated(&reader, "print(1); ", "1", "", 5000));
}

static void blocks_are_only_so_deep(void **state)
{
    struct arena own;
    size_t deepest = 0;

    (void)state;
    arena_init(&own, (size_t)64 << 20);
    for (size_t n = 1; n < PYTHON_DEPTH_MAX + 10; n++) {
        struct buf b = buf_in(&own);
        for (size_t i = 0; i < n; i++)
            buf_format(&b, "%*sif 1:\n", (int)i, "");
        buf_format(&b, "%*spass\n", (int)n, "");
        if (inline_takes(&reader, buf_str(&b)))
            deepest = n;
    }
    arena_release(&own);
    assert_in_range(deepest, PYTHON_DEPTH_MAX / 3, PYTHON_DEPTH_MAX);
}

static void names_and_files_are_limited(void **state)
{
    (void)state;
    assert_true(inline_takes_numbered(&reader, "v", " = 1", PYTHON_NAMES_MAX));
    assert_false(inline_takes_numbered(&reader, "v", " = 1", PYTHON_NAMES_MAX + 1));
    assert_true(inline_takes_numbered(&reader, "open('v", "')", PYTHON_PATHS_MAX));
    assert_false(inline_takes_numbered(&reader, "open('v", "')", PYTHON_PATHS_MAX + 1));
}

/* Names that lead to names: in circles, in long chains, and to more and more of them. */
static void steps_are_limited(void **state)
{
    (void)state;
    assert_true(takes("x = 'a'\ny = x\nz = y\nopen(z)"));
    assert_false(takes("x = x\nopen(x)"));
    assert_false(takes("x = y\ny = x\nopen(x)"));
    assert_true(takes("for x in x: open(x)")); /* which are unknown */
    assert_false(takes(
        "for a in (b, b, b, b, b, b, b, b, b): open(a)\nfor b in (c, c, c, c, c, c, c, c, c): 1\n"
        "for c in (d, d, d, d, d, d, d, d, d): 1\nfor d in (0, 0, 0, 0, 0, 0, 0, 0, 0): 1\n"));
    assert_true(takes("for a in (b, b): open(a)\nfor b in (c, c): 1\nfor c in (0, 0): 1\n"));
    assert_in_range(inline_edge(&reader, "open(0);", "", "", (size_t)4 * PYTHON_STEPS_MAX),
                    PYTHON_STEPS_MAX, PYTHON_STEPS_MAX);
}

/* ---- modules ---- */

static void names_of_modules(void **state)
{
    static const char *const names[] = {
        "abc",  "json",       "JSON",      "zoneinfo",      "zlib",     "_json",
        "_x",   "__future__", "linecache", "yaml",          "re",       "os",
        "enum", "types",      "io",        "sitecustomize", "readline", "apport"};
    static const char *const others[] = {"",      "setup",    "conftest",    "test", "jso",
                                         "jsonn", "__init__", "__pycache__", "x"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++)
        if (!program_is_module_name(str_from(names[i])))
            fail_msg("%s is a module", names[i]);
    for (size_t i = 0; i < COUNT(others); i++)
        if (program_is_module_name(str_from(others[i])))
            fail_msg("%s is not a module", others[i]);
    assert_false(
        program_is_module_name(STR("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz")));
}

/* The texts with which Python judges the reader, where it is not installed. */
static void what_is_harmless_is_taken(void **state)
{
    (void)state;
    assert_int_equal(inline_wrong_in(&reader, "tests/judges/python/harmless.txt", true), 0);
    assert_int_equal(inline_wrong_in(&reader, "tests/judges/python/harmful.txt", false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_harmless_is_taken),
        cmocka_unit_test(lines_of_python),
        cmocka_unit_test(a_text_is_only_so_long),
        cmocka_unit_test(brackets_are_only_so_deep),
        cmocka_unit_test(trees_are_only_so_deep),
        cmocka_unit_test(blocks_are_only_so_deep),
        cmocka_unit_test(names_and_files_are_limited),
        cmocka_unit_test(steps_are_limited),
        cmocka_unit_test(names_of_modules),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
