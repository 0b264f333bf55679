/* Path rules: the same answers as git for the same pattern and path, and the intended
 * differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/gitignore.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

static void in_arena(void (*fn)(void *))
{
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

struct row {
    const char *pattern;
    unsigned flags;
    const char *path;
    bool want;
};

/* Each row was checked with git check-ignore (2.39); the path is a file, and the flag sets
 * core.ignorecase. */
static const struct row as_git_says[] = {
    {"foo", 0, "foo", true},
    {"foo", 0, "a/foo", true},
    {"foo", 0, "a/b/foo", true},
    {"foo", 0, "foobar", false},
    {"foo", 0, "foo/x", true},
    {"foo", 0, "a/foo/x/y", true},
    {"foo", 0, "Foo", false},
    {"foo/", 0, "foo/x", true},
    {"foo/", 0, "a/foo/x", true},
    {"foo/", 0, "foobar/x", false},
    {"/foo", 0, "foo", true},
    {"/foo", 0, "a/foo", false},
    {"/foo", 0, "foo/x", true},
    {"/foo/", 0, "foo/x", true},
    {"/foo/", 0, "a/foo/x", false},
    {"a/b", 0, "a/b", true},
    {"a/b", 0, "x/a/b", false},
    {"a/b", 0, "a/b/c", true},
    {"a/b", 0, "a/bc", false},
    {"a/b/", 0, "a/b/c", true},
    {"a/b/", 0, "x/a/b/c", false},
    {"*.o", 0, "x.o", true},
    {"*.o", 0, "a/x.o", true},
    {"*.o", 0, ".o", true},
    {"*.o", 0, "x.obj", false},
    {"*.o", 0, "x.o/y", true},
    {"*.o", 0, "dir.o/a/b", true},
    {"/*.o", 0, "x.o", true},
    {"/*.o", 0, "a/x.o", false},
    {"a/*.o", 0, "a/x.o", true},
    {"a/*.o", 0, "a/b/x.o", false},
    {"a/*", 0, "a/b", true},
    {"a/*", 0, "a", false},
    {"a/*", 0, "a/b/c", true},
    {"/*", 0, "a/b", true},
    {"*", 0, "a/b/c", true},
    {"*/foo", 0, "a/foo", true},
    {"*/foo", 0, "foo", false},
    {"*/foo", 0, "a/b/foo", false},
    {"*/foo", 0, "a/foo/c", true},
    {"**/foo", 0, "foo", true},
    {"**/foo", 0, "a/foo", true},
    {"**/foo", 0, "a/b/foo", true},
    {"**/foo", 0, "a/foo/b", true},
    {"**/foo", 0, "afoo", false},
    {"**/foo/bar", 0, "foo/bar", true},
    {"**/foo/bar", 0, "x/foo/bar", true},
    {"**/foo/bar", 0, "x/foo/y/bar", false},
    {"abc/**", 0, "abc", false},
    {"abc/**", 0, "abc/x", true},
    {"abc/**", 0, "abc/x/y", true},
    {"abc/**", 0, "x/abc/y", false},
    {"abc/**", 0, "abcd/x", false},
    {"/abc/**", 0, "abc/x", true},
    {"abc/**/", 0, "abc/x/y", true},
    {"a/**/b", 0, "a/b", true},
    {"a/**/b", 0, "a/x/b", true},
    {"a/**/b", 0, "a/x/y/b", true},
    {"a/**/b", 0, "a/x/y/b/z", true},
    {"a/**/b", 0, "ab", false},
    {"a/**/b", 0, "x/a/b", false},
    {"a/**/b", 0, "a/xb", false},
    {"**", 0, "a", true},
    {"**", 0, "a/b", true},
    {"/**", 0, "a/b", true},
    {"**/", 0, "a/b", true},
    {"**/*", 0, "a", true},
    {"**/*.c", 0, "x.c", true},
    {"**/*.c", 0, "a/b/x.c", true},
    {"a**b", 0, "axb", true},
    {"a**b", 0, "a/b", false},
    {"foo**", 0, "foobar", true},
    {"foo**", 0, "foo/x", true},
    {"foo**", 0, "a/foox", true},
    {"foo**/bar", 0, "foox/bar", true},
    {"***", 0, "a/b", true},
    {"a/***", 0, "a/b/c", true},
    {"a/**b", 0, "a/xb", true},
    {"a/**b", 0, "a/x/b", false},
    {"?oo", 0, "foo", true},
    {"?oo", 0, "oo", false},
    {"a?b", 0, "a/b", false},
    {"/a?b", 0, "axb", true},
    {"a[/]b", 0, "a/b", false},
    {"[ab]x", 0, "ax", true},
    {"[ab]x", 0, "cx", false},
    {"[!ab]x", 0, "cx", true},
    {"[!ab]x", 0, "ax", false},
    {"[^ab]x", 0, "cx", true},
    {"[a-c]", 0, "b", true},
    {"[a-c]", 0, "d", false},
    {"[]x]", 0, "]", true},
    {"[[:digit:]]", 0, "7", true},
    {"[[:digit:]]", 0, "x", false},
    {"x/[!a]", 0, "x/b", true},
    {"x[!a]y", 0, "x/y", false},
    {"\\!foo", 0, "!foo", true},
    {"\\#foo", 0, "#foo", true},
    {"\\*", 0, "*", true},
    {"\\*", 0, "a", false},
    {"foo\\*", 0, "foo*", true},
    {"foo\\*", 0, "foox", false},
    {"f\\oo", 0, "foo", true},
    {"{a,b}", 0, "a", false},
    {"{a,b}", 0, "{a,b}", true},
    {".env", 0, "a/.env", true},
    {".env", 0, ".env.local", false},
    {".env*", 0, ".env.local", true},
    {"*.env", 0, ".env", true},
    {"a b", 0, "a b", true},
    {"src/**/test/*.py", 0, "src/test/x.py", true},
    {"src/**/test/*.py", 0, "src/a/b/test/x.py", true},
    {"src/**/test/*.py", 0, "src/a/test/b/x.py", false},
    {"/.ssh/id_*", 0, ".ssh/id_rsa", true},
    {".ssh/", 0, "x/.ssh/id_rsa", true},
    {"node_modules", 0, "a/node_modules/b/c.js", true},
    {"a/*/c", 0, "a/b/c", true},
    {"a/*/c", 0, "a/c", false},
    {"a/*/c", 0, "a/b/b/c", false},
    {"a/*/c", 0, "a/b/c/d", true},
    {"**/a/**/b", 0, "a/b", true},
    {"**/a/**/b", 0, "x/a/y/z/b", true},
    {"**/a/**/b", 0, "x/b/y/a", false},
    {"a/**/**/b", 0, "a/b", true},
    {"a/**/*", 0, "a/b", true},
    {"a/**/*", 0, "a", false},
    {"/a/b/", 0, "a/b/c", true},
    {"b/", 0, "a/b/c/d", true},
    {"Foo", GLOB_NOCASE, "fOO", true},
    {"FOO", GLOB_NOCASE, "a/foo/b", true},
    {"/A/**", GLOB_NOCASE, "a/b", true},
    {"[a-c]x", GLOB_NOCASE, "BX", true},
    {"[!a-c]x", GLOB_NOCASE, "BX", false},
    {"*.KEY", GLOB_NOCASE, "a/x.key", true},
    {"*.KEY", GLOB_NOCASE, "a/x.keys", false},
};

static const struct row ours[] = {
    /* The directory itself: without the disk it could be a file. */
    {"foo/", 0, "foo", true},
    {"foo/", 0, "foo/", true},
    {"foo/", 0, "a/foo", true},
    {"/foo/", 0, "a/foo", false},
    {"abc/**/", 0, "abc", false},
    {"abc/**", 0, "abc/", false},
    {"foo///", 0, "foo/x", true},
    /* "Other consecutive asterisks are considered regular asterisks", whatever git itself does. */
    {"foo**/bar", 0, "foo/x/bar", false},
    /* The rule's own directory. */
    {"**", 0, "", false},
    {"*", 0, "", false},
    {"foo", 0, "", false},
    /* Different from git. */
    {"?", 0, "\xc3\xa9", true},
    {"a[b", 0, "a[b", true},
    {"a[b", 0, "ab", false},
    {"#foo", 0, "#foo", true},
    {"foo ", 0, "foo ", true},
    {"foo ", 0, "foo", false},
    {"foo\\\\", 0, "foo\\", true},
};

static void run_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct gitignore *g;
        struct error err = {0};
        if (gitignore_compile(&arena, str_from(rows[i].pattern), rows[i].flags, &g, &err) !=
            STATUS_OK)
            fail_msg("\"%s\": %s", rows[i].pattern, err.message);
        if (gitignore_match_or(g, str_from(rows[i].path), false) != rows[i].want)
            fail_msg("\"%s\" on \"%s\" is not %d", rows[i].pattern, rows[i].path, rows[i].want);
    }
}

static void run_git(void *arg)
{
    (void)arg;
    run_rows(as_git_says, COUNT(as_git_says));
}

static void matches_as_git(void **state)
{
    (void)state;
    in_arena(run_git);
}

static void run_ours(void *arg)
{
    (void)arg;
    run_rows(ours, COUNT(ours));
}

static void differs_as_described(void **state)
{
    (void)state;
    in_arena(run_ours);
}

/* The same rows below an absolute directory with wildcards in its name. */
static void run_below(void *arg)
{
    static const char *const bases[] = {"/", "/home/u", "/odd *[x]{a,b}"};

    (void)arg;
    for (size_t b = 0; b < COUNT(bases); b++) {
        for (size_t i = 0; i < COUNT(as_git_says); i++) {
            const struct row *row = &as_git_says[i];
            struct gitignore *g;
            struct str base = str_from(bases[b]), path = str_from(row->path);
            assert_int_equal(
                gitignore_compile_below(&arena, base, str_from(row->pattern), row->flags, &g, NULL),
                STATUS_OK);
            struct str whole =
                str_format(&arena, "%s%s%s", base.s, base.len > 1 ? "/" : "", path.s);
            if (gitignore_match_or(g, whole, false) != row->want)
                fail_msg("\"%s\" below %s on \"%s\"", row->pattern, base.s, whole.s);
            assert_false(gitignore_match_or(g, base, false));
            assert_false(
                gitignore_match_or(g, str_format(&arena, "/elsewhere%s", whole.s), false) &&
                base.len > 1);
        }
    }
}

static void rules_below_a_directory(void **state)
{
    (void)state;
    arena_init(&arena, 16 << 20);
    assert_true(arena_try(&arena, run_below, NULL));
    arena_release(&arena);
}

static void run_refused(void *arg)
{
    static const char *const refused[] = {"",       "/",     "//",   "!foo", "foo\\",      "foo\\/",
                                          "a//b",   "//a",   ".",    "./a",  "..",         "../a",
                                          "a/../b", "a/./b", "a/..", "/..",  "[[:nope:]]", "a/.//"};

    (void)arg;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct gitignore *g;
        struct error err = {0};
        if (gitignore_compile(&arena, str_from(refused[i]), 0, &g, &err) != STATUS_SYNTAX)
            fail_msg("\"%s\" was taken", refused[i]);
        assert_null(g);
        assert_string_not_equal(err.message, "");
    }
}

static void rules_that_never_match_are_refused(void **state)
{
    (void)state;
    in_arena(run_refused);
}

static void run_glob(void *arg)
{
    struct gitignore *g;
    struct glob *word;

    (void)arg;
    assert_int_equal(gitignore_compile_below(&arena, STR("/home/u"), STR(".ssh/"), 0, &g, NULL),
                     STATUS_OK);
    assert_int_equal(glob_compile(&arena, STR("/home/u/.s?h/id_*"), GLOB_PATH, &word, NULL),
                     STATUS_OK);
    assert_true(glob_intersects(gitignore_glob(g), word));
    assert_int_equal(glob_compile(&arena, STR("/home/u/.a?s/id_*"), GLOB_PATH, &word, NULL),
                     STATUS_OK);
    assert_false(glob_intersects(gitignore_glob(g), word));
}

static void a_rule_can_meet_a_shell_glob(void **state)
{
    (void)state;
    in_arena(run_glob);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_as_git),
        cmocka_unit_test(differs_as_described),
        cmocka_unit_test(rules_below_a_directory),
        cmocka_unit_test(rules_that_never_match_are_refused),
        cmocka_unit_test(a_rule_can_meet_a_shell_glob),
    };

    return cmocka_run_group_tests_name("gitignore", tests, NULL, NULL);
}
