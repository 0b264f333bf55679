/* What find finds below a directory, with a fake world: limits, and names that xargs or read would
 * change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "facts/matches.h"

#include <cmocka.h> /* last: it defines a macro fail */

struct disk {
    size_t files;    /* in /d, called f0, f1 ... */
    size_t depth;    /* directories in a row: /d/s/s/s */
    const char *odd; /* one more name */
    bool linked;     /* /d/s is a link */
};

static size_t depth_of(const char *path)
{
    size_t depth = 0;

    for (path += 2; *path; path += 2)
        depth++;
    return depth;
}

static bool is_chain(const char *path)
{
    return strncmp(path, "/d", 2) == 0 && strspn(path + 2, "/s") == strlen(path + 2);
}

static enum file_kind kind(void *context, const char *path)
{
    (void)context;
    return is_chain(path) ? FILE_DIRECTORY : FILE_REGULAR;
}

static bool resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    const struct disk *disk = context;

    snprintf(out, WORLD_PATH_MAX, "%s",
             disk->linked && strcmp(path, "/d/s") == 0 ? "/elsewhere" : path);
    return true;
}

static bool list(void *context, const char *directory, char *out, size_t size)
{
    const struct disk *disk = context;
    size_t used = 0, depth = depth_of(directory);

    for (size_t i = 0; depth == 0 && i < disk->files; i++)
        used += (size_t)snprintf(out + used, size - used, "f%zu", i) + 1;
    if (depth == 0 && disk->odd)
        used += (size_t)snprintf(out + used, size - used, "%s", disk->odd) + 1;
    if (depth < disk->depth)
        used += (size_t)snprintf(out + used, size - used, "s") + 1;
    out[used] = '\0';
    return true;
}

static bool finds(struct disk disk, const char *name, size_t *count)
{
    struct world world = {.context = &disk, .kind = kind, .resolve = resolve, .list = list};
    struct arena arena;
    struct facts f = {.arena = &arena, .world = &world};
    struct strs files = {0};

    arena_init(&arena, (size_t)64 << 20);

    bool found = matches_below(&f, STR("/d"), str_from(name), &files);
    *count = files.count;
    arena_release(&arena);
    return found;
}

static void every_name_that_fits(void **state)
{
    size_t count;

    (void)state;
    assert_true(finds((struct disk){.files = 12}, "f1*", &count));
    assert_int_equal(count, 1 + 3); /* /d itself, and f1, f10, f11 */
    assert_true(finds((struct disk){.files = 2, .odd = ".env", .depth = 3}, "*", &count));
    assert_int_equal(count, 1 + 3 + 3);
    assert_true(finds((struct disk){.depth = 3, .linked = true}, "*", &count));
    assert_int_equal(count, 1 + 1); /* the link, and nothing below it */
}

static void as_many_as_may_be(void **state)
{
    size_t count;

    (void)state;
    assert_true(finds((struct disk){.files = MATCHES_TREE_MAX}, "x", &count));
    assert_false(finds((struct disk){.files = MATCHES_TREE_MAX + 1}, "x", &count));
    assert_true(finds((struct disk){.depth = MATCHES_LISTINGS_MAX - 1}, "x", &count));
    assert_false(finds((struct disk){.depth = MATCHES_LISTINGS_MAX}, "x", &count));
}

static bool finds_tree(struct disk disk, const char *pattern, size_t *count)
{
    struct world world = {.context = &disk, .kind = kind, .resolve = resolve, .list = list};
    struct arena arena;
    struct facts f = {.arena = &arena, .world = &world};
    struct strs files = {0};

    arena_init(&arena, (size_t)64 << 20);

    bool found = matches_find(&f, str_from(pattern), &files);
    *count = files.count;
    arena_release(&arena);
    return found;
}

static void two_stars(void **state)
{
    size_t count;

    (void)state;
    assert_true(finds_tree((struct disk){.depth = 3}, "/d/**/f1", &count));
    assert_int_equal(count, 4);
    assert_true(finds_tree((struct disk){.depth = 3, .linked = true}, "/d/**/f1", &count));
    assert_int_equal(count, 2); /* the link, and nothing below it */
    assert_true(finds_tree((struct disk){.depth = MATCHES_LISTINGS_MAX - 1}, "/d/**/f1", &count));
    assert_false(finds_tree((struct disk){.depth = MATCHES_LISTINGS_MAX}, "/d/**/f1", &count));
    assert_true(finds_tree((struct disk){.files = MATCHES_MAX}, "/d/**/f1", &count));
    assert_false(finds_tree((struct disk){.files = MATCHES_MAX + 1}, "/d/**/f1", &count));
}

/* Patterns that a shell reads differently, or that do not say which kind of file they want. */
static void two_stars_that_say_too_little(void **state)
{
    static const char *const patterns[] = {
        "/d/**",       "/d/**/*",  "/d/**/*.g*", "/d/x**/a.go", "/d/**x/a.go",
        "/d/***/a.go", "/d/**/.*", "/d/**/*go",  "/d/**/*.",    "/d/**/a/**"};
    size_t count;

    (void)state;
    for (size_t i = 0; i < COUNT(patterns); i++)
        assert_false(finds_tree((struct disk){.depth = 1}, patterns[i], &count));
    assert_true(finds_tree((struct disk){.depth = 1}, "/d/**/*.go", &count));
}

static void names_that_others_read(void **state)
{
    static const char *const odd[] = {"a b",   "a\tb",  "a\nb", "a'b", "a\"b", "a\\b",
                                      "a\x01", "a\x7f", "a*",   "?a",  "[a"};
    size_t count;

    (void)state;
    for (size_t i = 0; i < COUNT(odd); i++)
        assert_false(finds((struct disk){.odd = odd[i]}, "*", &count));
    assert_true(finds((struct disk){.odd = "a-b_c.d+e=f"}, "*", &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_that_fits),
        cmocka_unit_test(as_many_as_may_be),
        cmocka_unit_test(two_stars),
        cmocka_unit_test(two_stars_that_say_too_little),
        cmocka_unit_test(names_that_others_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
