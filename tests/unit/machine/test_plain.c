/* Paths without links: the kernel's one answer must be that of a walk, part by part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/world.h"
#include "machine/disk.h"
#include "machine/plain.h"

#include <cmocka.h>

static char root[64];

/* root/real/inner/file, root/link -> real, root/real/inner/up -> .., root/real/inner/gone ->
 * nowhere */
static int make_tree(void **state)
{
    char path[128];

    (void)state;
    snprintf(root, sizeof(root), "/tmp/warder-plain-XXXXXX");
    if (!mkdtemp(root) || chdir(root) != 0)
        return -1;
    snprintf(path, sizeof(path), "%s/real/inner/file", root);
    return mkdir("real", 0700) == 0 && mkdir("real/inner", 0700) == 0 &&
                   symlink("real", "link") == 0 && symlink("..", "real/inner/up") == 0 &&
                   symlink("nowhere", "real/inner/gone") == 0 && fclose(fopen(path, "we")) == 0
               ? 0
               : -1;
}

static int remove_tree(void **state)
{
    static const char *const names[] = {"link", "real/inner/up", "real/inner/gone",
                                        "real/inner/file"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        (void)unlink(names[i]);
    return rmdir("real/inner") | rmdir("real") | chdir("/") | rmdir(root);
}

static const char *const parts[] = {"real", "inner", "file", "link", "up",
                                    "gone", "none",  ".",    "..",   ""};

#define PARTS (sizeof(parts) / sizeof(*parts))

/* Each path of up to four parts. */
static void each_path(void (*look)(const char *path))
{
    char path[256];

    for (size_t n = 0; n < PARTS * PARTS * PARTS * PARTS; n++) {
        snprintf(path, sizeof(path), "%s/%s/%s/%s/%s", root, parts[n % PARTS],
                 parts[n / PARTS % PARTS], parts[n / PARTS / PARTS % PARTS],
                 parts[n / PARTS / PARTS / PARTS]);
        for (size_t end = strlen(path); end > strlen(root); end--)
            if (path[end] == '/' || end == strlen(path)) {
                char cut[256];
                snprintf(cut, sizeof(cut), "%.*s", (int)end, path);
                look(cut);
            }
    }
}

static void as_realpath(const char *path)
{
    char expected[PATH_MAX], got[PATH_MAX];
    const bool there = realpath(path, expected) != NULL;

    assert_int_equal(plain_real_path(path, got), there);
    if (there)
        assert_string_equal(got, expected);
}

static void real_paths_are_those_of_realpath(void **state)
{
    (void)state;
    each_path(as_realpath);
    as_realpath("/");
    as_realpath("");
    as_realpath("real/inner");
}

static struct arena arena;
static struct disk disk;

/* What is looked up first decides which directory is known without a link. */
static void as_lstat(const char *path)
{
    char room[WORLD_PATH_MAX];
    struct stat st;
    size_t len = disk_plain(&disk, path, room);

    if (len) {
        snprintf(room, sizeof(room), "%.*s", (int)len, path);
        assert_int_equal(lstat(room, &st), 0);
        assert_true(S_ISDIR(st.st_mode));
        assert_non_null(realpath(room, room + sizeof(room) / 2));
        assert_string_equal(room, room + sizeof(room) / 2);
    }
    assert_int_equal(disk_look(&disk, path, strlen(path)), disk_ask(path));
}

static const char *first_path;

static void look_from_each(void *arg)
{
    char path[128], room[WORLD_PATH_MAX];

    (void)arg;
    disk_begin(&disk, &arena, NULL);
    snprintf(path, sizeof(path), "%s/%s", root, first_path);
    disk_plain(&disk, path, room);
    each_path(as_lstat);
}

static void directories_are_what_lstat_says(void **state)
{
    static const char *const first[] = {"real/inner/file", "link/inner/file", "real/inner/up/x",
                                        "real/inner/none/x", "real"};

    (void)state;
    for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
        arena_init(&arena, (size_t)64 << 20);
        first_path = first[i];
        assert_true(arena_try(&arena, look_from_each, NULL));
        arena_release(&arena);
    }
}

static void ask_once(void *arg)
{
    char path[128], room[WORLD_PATH_MAX];

    (void)arg;
    disk_begin(&disk, &arena, NULL);
    snprintf(path, sizeof(path), "%s/real/inner/file", root);
    size_t len = disk_plain(&disk, path, room);
    assert_int_equal(len, strlen(path) - strlen("/file"));
    path[len] = '\0';
    assert_int_equal(disk_look(&disk, path, len), DISK_DIRECTORY);
    assert_int_equal(disk.count, 0); /* without a look of its own */
    snprintf(path, sizeof(path), "%s/real/inner2", root);
    assert_int_equal(disk_plain(&disk, path, room), 0); /* beside it */
    assert_int_equal(disk_look(&disk, path, strlen(path)), DISK_ABSENT);
}

static void what_is_above_needs_no_look(void **state)
{
    (void)state;
    arena_init(&arena, (size_t)1 << 20);
    assert_true(arena_try(&arena, ask_once, NULL));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_paths_are_those_of_realpath),
        cmocka_unit_test(directories_are_what_lstat_says),
        cmocka_unit_test(what_is_above_needs_no_look),
    };

    return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
