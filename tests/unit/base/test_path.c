/* Lexical paths: one table for each function. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/block.h"
#include "base/path.h"

#include <cmocka.h>

static struct arena arena;

static void in_arena(void (*fn)(void *))
{
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

static void check(const char *what, struct str got, const char *want)
{
    if (!str_is(got, want))
        fail_msg("%s: \"%.*s\", not \"%s\"", what, STR_ARG(got), want);
}

static const struct {
    const char *path, *want;
} cleaned[] = {
    {"", "."},
    {".", "."},
    {"./", "."},
    {"/", "/"},
    {"//", "/"},
    {"///a//b///", "/a/b"},
    {"a", "a"},
    {"a/", "a"},
    {"./a", "a"},
    {"a/.", "a"},
    {"a/./b", "a/b"},
    {"a/..", "."},
    {"a/../b", "b"},
    {"a/b/../c", "a/c"},
    {"a/b/../../c", "c"},
    {"a/b/../../../c", "../c"},
    {"..", ".."},
    {"../", ".."},
    {"../..", "../.."},
    {"../a/..", ".."},
    {"../a/../..", "../.."},
    {"../../a/b/..", "../../a"},
    {"/..", "/"},
    {"/../../etc", "/etc"},
    {"/a/../../b", "/b"},
    {"/a/b/..", "/a"},
    {"/a/..", "/"},
    {"/./.", "/"},
    {"...", "..."},
    {"/a/.../b", "/a/.../b"},
    {"..a/b", "..a/b"},
    {".a/..b", ".a/..b"},
    {"a/..b", "a/..b"},
    {"~/../x", "x"},
};

static void run_clean(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(cleaned); i++) {
        struct str once = path_clean(&arena, str_from(cleaned[i].path));
        check(cleaned[i].path, once, cleaned[i].want);
        check("cleaned again", path_clean(&arena, once), cleaned[i].want);
        assert_int_equal(once.s[once.len], '\0');
    }
    check("no text at all", path_clean(&arena, (struct str){0}), ".");
}

static void clean(void **state)
{
    (void)state;
    in_arena(run_clean);
}

/* The obvious way: component by component. */
static bool is_clean_by_parts(struct str path)
{
    struct str rest = str_from_byte(path, 1), part;
    bool more = path.len > 1;

    while (more) {
        more = str_cut(rest, '/', &part, &rest);
        if (part.len == 0 || str_is(part, ".") || str_is(part, ".."))
            return false;
    }
    return true;
}

#define ODD_LEN 6

/* Every text of slashes, dots and letters, at every offset within a block. */
static void clean_at_every_offset(void **state)
{
    char path[80] = "/";

    (void)state;
    for (size_t front = 1; front < 36; front++) {
        for (unsigned n = 0; n < 729; n++) {
            unsigned rest = n;
            for (size_t i = 0; i < ODD_LEN; i++, rest /= 3)
                path[front + i] = "/.a"[rest % 3];
            for (size_t behind = 0; behind < 36; behind += 7) {
                memset(path + front + ODD_LEN, 'b', behind);
                struct str s = {path, front + ODD_LEN + behind};
                if (path_is_clean(s) != is_clean_by_parts(s))
                    fail_msg("%.*s", STR_ARG(s));
            }
        }
        path[front] = 'c';
    }
    assert_true(path_is_clean(STR("/")));
    assert_false(path_is_clean(STR("a/b")));
    assert_false(path_is_clean((struct str){0}));
}

static const struct {
    const char *base, *path, *want;
} joined[] = {
    {"/a", "b", "/a/b"},       {"/a/", "b", "/a/b"}, {"/", "b", "/b"}, {"/a", "/b", "/b"},
    {"a", "b/c", "a/b/c"},     {"", "b", "b"},       {"/a", "", "/a"}, {"/a/", "", "/a/"},
    {"/a", "../b", "/a/../b"}, {"", "", ""},
};

static void run_join(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(joined); i++) {
        struct str got = path_join(&arena, str_from(joined[i].base), str_from(joined[i].path));
        check(joined[i].path, got, joined[i].want);
        assert_int_equal(got.s[got.len], '\0');
    }
}

static void join(void **state)
{
    (void)state;
    in_arena(run_join);
}

/* NULL: not known. */
static const struct {
    const char *cwd, *home, *path, *want;
} absolutes[] = {
    {"/w", "/home/u", "a", "/w/a"},
    {"/w", "/home/u", "./a/../b", "/w/b"},
    {"/w/x", "/home/u", "../../../etc", "/etc"},
    {"/w", "/home/u", "", "/w"},
    {"/w", "/home/u", ".", "/w"},
    {"/w", "/home/u", "/etc/../x", "/x"},
    {"/w", "/home/u", "~", "/home/u"},
    {"/w", "/home/u", "~/", "/home/u"},
    {"/w", "/home/u", "~/.ssh", "/home/u/.ssh"},
    {"/w", "/home/u", "~//etc", "/home/u/etc"},
    {"/w", "/home/u", "~/../v", "/home/v"},
    {"/w", "/", "~/x", "/x"},
    {"/w", "/home/u", "a/~/b", "/w/a/~/b"},
    {"/w", "/home/u", "./~", "/w/~"},
    {"/w/.", "/home/u", "a", "/w/a"},
    {"", "/home/u", "~/a", "/home/u/a"},
    {"", "", "/a", "/a"},
    {"/w", "/home/u", "~root", NULL},
    {"/w", "/home/u", "~root/x", NULL},
    {"/w", "/home/u", "~+", NULL},
    {"/w", "/home/u", "~-/x", NULL},
    {"/w", "", "~", NULL},
    {"/w", "", "~/x", NULL},
    {"/w", "u", "~/x", NULL},
    {"", "/home/u", "a", NULL},
    {"w", "/home/u", "a", NULL},
    {"", "/home/u", "", NULL},
};

static void run_absolute(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(absolutes); i++) {
        struct str got;
        bool known = path_absolute(&arena, str_from(absolutes[i].cwd), str_from(absolutes[i].home),
                                   str_from(absolutes[i].path), &got);
        if (known != (absolutes[i].want != NULL))
            fail_msg("\"%s\": known is %d", absolutes[i].path, known);
        check(absolutes[i].path, got, known ? absolutes[i].want : "");
    }
}

static void absolute(void **state)
{
    (void)state;
    in_arena(run_absolute);
}

/* NULL: not inside. */
static const struct {
    const char *dir, *path, *want;
} relatives[] = {
    {"/a/b", "/a/b", ""},
    {"/a/b", "/a/b/c", "c"},
    {"/a/b", "/a/b/c/d", "c/d"},
    {"/", "/", ""},
    {"/", "/etc", "etc"},
    {".", ".", ""},
    {".", "a/b", "a/b"},
    {"a", "a/b", "b"},
    {"..", "../a", "a"},
    {"../..", "../../a", "a"},
    {".", "..a", "..a"},
    {"/a/b", "/a/bc", NULL},
    {"/a/b", "/a", NULL},
    {"/a/b", "/", NULL},
    {"/a/b", "/x/a/b", NULL},
    {"/a/b", "a/b", NULL},
    {"a", "/a", NULL},
    {".", "/a", NULL},
    {"/", "a", NULL},
    {".", "..", NULL},
    {".", "../a", NULL},
    {"..", "../..", NULL},
    {"..", "../../a", NULL},
    {"a", "ab", NULL},
    {"a", "A/b", NULL},
    {"", "a", NULL},
    {"/a", "", NULL},
    {"", "", NULL},
};

static void inside_and_relative(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(relatives); i++) {
        struct str dir = str_from(relatives[i].dir), path = str_from(relatives[i].path), got;
        bool inside = path_relative(dir, path, &got);
        if (inside != (relatives[i].want != NULL) || path_is_inside(path, dir) != inside)
            fail_msg("\"%s\" in \"%s\": inside is %d", relatives[i].path, relatives[i].dir, inside);
        check(relatives[i].path, got, inside ? relatives[i].want : "");
    }
}

static const struct {
    const char *path, *dir, *base;
    size_t depth;
} parts[] = {
    {"/a/b/c", "/a/b", "c", 3}, {"/a", "/", "a", 1},   {"/", "/", "/", 0},
    {"///", "/", "/", 0},       {"a", ".", "a", 1},    {"a/b", "a", "b", 2},
    {"a/b/", "a", "b", 2},      {"a//b", "a", "b", 2}, {"//a", "/", "a", 1},
    {"", ".", "", 0},           {".", ".", ".", 0},    {"..", ".", "..", 1},
    {"./a/.", "./a", ".", 1},   {"/a//", "/", "a", 1}, {"../x", "..", "x", 2},
};

static void dir_base_and_depth(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct str path = str_from(parts[i].path);
        check("base", path_base(path), parts[i].base);
        check("dir", path_dir(path), parts[i].dir);
        if (path_depth(path) != parts[i].depth)
            fail_msg("\"%s\" has depth %zu", parts[i].path, path_depth(path));
    }
}

static void run_bytes(void *arg)
{
    struct str odd = STR("/tmp/x\0/../etc");

    (void)arg;
    assert_true(path_has_nul(odd));
    assert_false(path_has_nul(STR("/tmp")));
    assert_true(str_eq(path_clean(&arena, odd), STR("/tmp/etc")));
    assert_true(str_eq(path_clean(&arena, STR("a/\0/b")), STR("a/\0/b")));
    assert_true(path_is_absolute(STR("/a")));
    assert_false(path_is_absolute(STR("a/")));
    assert_false(path_is_absolute((struct str){0}));
}

static void any_byte_is_part_of_a_name(void **state)
{
    (void)state;
    in_arena(run_bytes);
}

/* Slashes at any two places of texts of all lengths, compared with str_cut(). */
static void parts_are_between_slashes(void **state)
{
    char text[200];

    (void)state;
    for (size_t len = 0; len < sizeof(text); len++)
        for (size_t first = 0; first <= len; first += 1 + len / 20)
            for (size_t second = first; second <= len; second += 1 + len / 20) {
                memset(text, 'a', sizeof(text));
                text[first % sizeof(text)] = text[second % sizeof(text)] = '/';
                struct str rest = {text, len}, want, got;
                struct parts between = parts_of(rest);
                for (bool more = true; more;) {
                    more = str_cut(rest, '/', &want, &rest);
                    assert_true(parts_next(&between, &got));
                    assert_ptr_equal(got.s, want.s);
                    assert_int_equal(got.len, want.len);
                }
                assert_false(parts_next(&between, &got));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean),
        cmocka_unit_test(clean_at_every_offset),
        cmocka_unit_test(join),
        cmocka_unit_test(absolute),
        cmocka_unit_test(inside_and_relative),
        cmocka_unit_test(dir_base_and_depth),
        cmocka_unit_test(any_byte_is_part_of_a_name),
        cmocka_unit_test(parts_are_between_slashes),
    };

    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
