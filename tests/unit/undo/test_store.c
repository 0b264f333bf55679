/* The list of a store's entries: it is read once while the lock is held, and says what is there. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "undo/store.h"

#include <cmocka.h>

static char state_dir[128], project[128];

static int make_places(void **state)
{
    char root[64] = "/tmp/warder-store-XXXXXX";

    (void)state;
    if (!mkdtemp(root))
        return -1;
    snprintf(state_dir, sizeof(state_dir), "%s/state", root);
    snprintf(project, sizeof(project), "%s/project", root);
    return mkdir(project, 0700);
}

static int remove_places(void **state)
{
    char *slash = strrchr(project, '/');

    (void)state;
    *slash = '\0';
    return undo_remove_all(AT_FDCWD, project) ? 0 : -1;
}

static struct undo_ids listed(struct arena *a, const struct undo_store *s)
{
    struct undo_ids ids;

    assert_int_equal(undo_store_list(a, s, &ids, NULL), STATUS_OK);
    return ids;
}

static void make_entry(const struct undo_store *s, char id[UNDO_ID_SIZE])
{
    int directory = -1;

    assert_int_equal(undo_id_new(s, id, NULL), STATUS_OK);
    assert_int_equal(undo_entry_directory(s, id, true, &directory, NULL), STATUS_OK);
    close(directory);
}

static void check_list(unsigned lock_ms)
{
    struct undo_store s;
    struct arena a;
    char first[UNDO_ID_SIZE], second[UNDO_ID_SIZE];
    const struct undo_keep newest = {.calls = 1};
    size_t removed;

    arena_init(&a, (size_t)1 << 20);
    assert_int_equal(undo_store_open_within(&s, state_dir, project, true, lock_ms, NULL),
                     STATUS_OK);
    assert_int_equal(listed(&a, &s).count, 0);
    make_entry(&s, first);
    assert_int_equal(listed(&a, &s).count, 1);
    make_entry(&s, second);
    assert_true(strcmp(first, second) < 0);
    const struct undo_ids both = listed(&a, &s);
    assert_int_equal(both.count, 2);
    assert_true(str_is(both.items[0], first) && str_is(both.items[1], second));

    assert_int_equal(undo_prune(&s, &newest, strtoll(second, NULL, 10), &removed, NULL), STATUS_OK);
    assert_int_equal(removed, 1);
    const struct undo_ids left = listed(&a, &s);
    assert_int_equal(left.count, 1);
    assert_true(str_is(left.items[0], second));
    assert_int_equal(undo_entry_remove(&s, second, NULL), STATUS_OK);
    assert_int_equal(listed(&a, &s).count, 0);
    undo_store_close(&s);
    arena_release(&a);
}

static void a_locked_store_knows_its_entries(void **state)
{
    (void)state;
    check_list(1000);
}

static void one_without_the_lock_looks_each_time(void **state)
{
    (void)state;
    check_list(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_locked_store_knows_its_entries),
                                       cmocka_unit_test(one_without_the_lock_looks_each_time)};

    return cmocka_run_group_tests(tests, make_places, remove_places);
}
