/* What git tracks, by an index that the test writes. */
#include "facts/tracked.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY ((size_t)64 * 1024 * 1024)

struct disk {
    char index[4096];
    size_t len;
    bool absent, unreadable, linked; /* linked: .git is a file */
};

static enum file_kind disk_kind(void *context, const char *path)
{
    const struct disk *d = context;

    if (strcmp(path, "/p/.git") == 0)
        return d->linked ? FILE_REGULAR : FILE_DIRECTORY;
    return strcmp(path, "/p/.git/index") == 0 && !d->absent && !d->linked ? FILE_REGULAR
                                                                          : FILE_ABSENT;
}

static bool disk_text(void *context, const char *path, char *out, size_t size, size_t *len)
{
    const struct disk *d = context;

    (void)path;
    if (d->unreadable || d->len > size)
        return false;
    memcpy(out, d->index, d->len);
    *len = d->len;
    return true;
}

static void add_bytes(struct disk *d, const void *bytes, size_t len)
{
    memcpy(d->index + d->len, bytes, len);
    d->len += len;
}

static void begin(struct disk *d, char version)
{
    const char head[] = {'D', 'I', 'R', 'C', 0, 0, 0, version, 0, 0, 0, 1};

    *d = (struct disk){0};
    add_bytes(d, head, sizeof(head));
}

/* 60 bytes of times, sizes and an id, the length, the name, and its end. */
static void add_entry(struct disk *d, const char *name)
{
    const char fixed[60] = {1};
    const char flags[2] = {0, (char)strlen(name)};

    add_bytes(d, fixed, sizeof(fixed));
    add_bytes(d, flags, sizeof(flags));
    add_bytes(d, name, strlen(name) + 1);
}

static bool asks(struct disk *d, const char *path, bool directory)
{
    struct arena arena;
    struct decision_cache cache = {0};
    const struct world world = {.context = d, .kind = disk_kind, .text = disk_text};
    bool tracked;

    arena_init(&arena, MEMORY);
    const struct facts f = {.arena = &arena, .world = &world, .cache = &cache};
    tracked = tracked_in(&f, STR("/p"), str_from(path), directory);
    assert_int_equal(tracked_in(&f, STR("/p"), str_from(path), directory), tracked);
    arena_release(&arena);
    return tracked;
}

static void knows_names_and_directories(void **state)
{
    struct disk d;

    (void)state;
    begin(&d, 2);
    add_entry(&d, "src/main.c");
    add_entry(&d, "sub/deep/secret");
    assert_true(asks(&d, "/p/src/main.c", false));
    assert_true(asks(&d, "/p/sub/deep/secret", false));
    assert_false(asks(&d, "/p/sub/deep/secre", false));
    assert_false(asks(&d, "/p/sub/deep/secret2", false));
    assert_false(asks(&d, "/p/.env", false));
    assert_true(asks(&d, "/p/sub/deep", true));
    assert_false(asks(&d, "/p/sub/deep", false));
    assert_false(asks(&d, "/p/sub/other", true));
    begin(&d, 3);
    add_entry(&d, "a");
    assert_true(asks(&d, "/p/a", false));
    assert_false(asks(&d, "/p/b", false));
}

/* Where it cannot be said, everything is tracked. */
static void doubts_what_it_cannot_read(void **state)
{
    struct disk d;

    (void)state;
    begin(&d, 4);
    assert_true(asks(&d, "/p/x", false));
    begin(&d, 2);
    add_bytes(&d, "link\0\0\0\x14", 8);
    assert_true(asks(&d, "/p/x", false));
    begin(&d, 2);
    d.unreadable = true;
    assert_true(asks(&d, "/p/x", false));
    begin(&d, 2);
    d.linked = true;
    assert_true(asks(&d, "/p/x", false));
    d = (struct disk){.index = "JUNK", .len = 4};
    assert_true(asks(&d, "/p/x", false));
    begin(&d, 2);
    assert_true(asks(&d, "/elsewhere/x", false));
}

static void an_empty_repository_tracks_nothing(void **state)
{
    struct disk d = {.absent = true};

    (void)state;
    assert_false(asks(&d, "/p/x", false));
    begin(&d, 2);
    assert_false(asks(&d, "/p/x", false));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_names_and_directories),
        cmocka_unit_test(doubts_what_it_cannot_read),
        cmocka_unit_test(an_empty_repository_tracks_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
