/* Whether a file could shadow a module, with a fake world: what is unknown asks. On real
 * directories: tests/cases/python.case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "facts/matches.h"
#include "facts/shadows.h"

#include <cmocka.h> /* last: it defines a macro fail */

struct disk {
    const char *name; /* the one name in every directory */
    bool hidden;      /* cannot be listed */
    size_t listings;
};

static enum file_kind kind(void *context, const char *path)
{
    (void)context;
    (void)path;
    return FILE_UNKNOWN;
}

static bool resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    (void)context;
    snprintf(out, WORLD_PATH_MAX, "%s", path);
    return true;
}

static bool list(void *context, const char *directory, char *out, size_t size)
{
    struct disk *disk = context;

    (void)directory;
    disk->listings++;
    snprintf(out, size, "%s", disk->name);
    out[strlen(out) + 1] = '\0';
    return !disk->hidden;
}

/* As many texts as there are directories, one in each. How many load only Python's own modules? */
static size_t count_own(struct disk *disk, struct rulebook book, size_t directories, bool lists)
{
    struct world world = {
        .context = disk, .kind = kind, .resolve = resolve, .list = lists ? list : NULL};
    struct arena arena;
    struct facts f = {.arena = &arena, .world = &world, .book = &book};
    struct shell_actions all = {0};
    size_t own = 0;

    arena_init(&arena, (size_t)256 << 20);
    for (size_t i = 0; i < directories; i++) {
        struct action a = {.program = true, .effects = EFFECT_MODULES};
        a.cwd = str_format(&arena, "/d%zu", i);
        LIST_PUSH(&arena, &a.subject.words, STR("python3"));
        LIST_PUSH(&arena, &f.actions, a);
        LIST_PUSH(&arena, &all, (struct shell_action){.kind = SHELL_COMMAND, .parent = -1});
    }
    shadows_find(&f, &all);
    for (size_t i = 0; i < f.actions.count; i++)
        own += !(f.actions.items[i].effects & EFFECT_MODULES);
    arena_release(&arena);
    return own;
}

static void unknown_directories_ask(void **state)
{
    struct disk plain = {.name = "a.txt"}, shadow = {.name = "json.py"},
                hidden = {.name = "a.txt", .hidden = true};
    struct disk package = {.name = "json"};

    (void)state;
    assert_int_equal(count_own(&plain, (struct rulebook){0}, 1, true), 1);
    assert_int_equal(count_own(&plain, (struct rulebook){0}, 1, false), 0);
    assert_int_equal(count_own(&shadow, (struct rulebook){0}, 1, true), 0);
    assert_int_equal(count_own(&hidden, (struct rulebook){0}, 1, true), 0);
    assert_int_equal(count_own(&package, (struct rulebook){0}, 1, true),
                     1); /* a directory without code in it */
    assert_int_equal(count_own(&plain, (struct rulebook){.inline_off = true}, 1, true), 0);
}

static void directories_are_limited(void **state)
{
    struct disk plain = {.name = "a.txt"};

    (void)state;
    assert_int_equal(count_own(&plain, (struct rulebook){0}, MATCHES_LISTINGS_MAX, true),
                     MATCHES_LISTINGS_MAX);
    assert_int_equal(count_own(&plain, (struct rulebook){0}, MATCHES_LISTINGS_MAX + 5, true),
                     MATCHES_LISTINGS_MAX);
    assert_int_equal(plain.listings, 2 * MATCHES_LISTINGS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_directories_ask),
        cmocka_unit_test(directories_are_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
