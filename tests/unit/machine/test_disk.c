/* The cache of one decision: many names cost no more each than few, and each keeps its answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "machine/disk.h"

#include <cmocka.h>

#define NAMES 40000u

struct looking {
    struct disk disk;
    struct arena arena;
    char directory[64];
};

static enum disk_seen look(struct looking *l, unsigned i)
{
    char path[128];
    int len = snprintf(path, sizeof(path), "%s/%u", l->directory, i);

    return disk_look(&l->disk, path, (size_t)len);
}

static void look_at_many(void *arg)
{
    struct looking *l = arg;
    char path[128];

    disk_begin(&l->disk, &l->arena, NULL);
    for (unsigned i = 0; i < NAMES; i++)
        assert_int_equal(look(l, i), DISK_ABSENT);
    /* It is as it was first seen, whatever has happened since. */
    snprintf(path, sizeof(path), "%s/%u", l->directory, 7u);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    fclose(file);
    for (unsigned i = 0; i < NAMES; i++)
        assert_int_equal(look(l, i), DISK_ABSENT);
    assert_int_equal(look(l, NAMES), DISK_ABSENT);
    assert_int_equal(l->disk.count, NAMES + 1);
    assert_true(l->disk.room * 4 >= l->disk.count); /* short chains */
    disk_begin(&l->disk, &l->arena, NULL);
    assert_int_equal(look(l, 7), DISK_REGULAR);
    (void)unlink(path);
}

static void many_names_are_found_at_once(void **state)
{
    static struct looking l;

    (void)state;
    snprintf(l.directory, sizeof(l.directory), "/tmp/warder-disk-XXXXXX");
    assert_non_null(mkdtemp(l.directory));
    arena_init(&l.arena, (size_t)64 << 20);
    assert_true(arena_try(&l.arena, look_at_many, &l));
    arena_release(&l.arena);
    assert_int_equal(rmdir(l.directory), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_names_are_found_at_once)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
