/* Random programs of file operations, and of git, undone: the tree is what it was. So it is after
 * two programs and two undos, and redo gives back what undo took away.
 *
 * WARDER_UNDO_RUNS programs (`make test-undo RUNS=100000`), with the seeds from WARDER_SEED on, in
 * each of the directories WARDER_UNDO_PLACES. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/undo_tree.h"

#include <cmocka.h>

#define RUNS   60
#define ONE_IN 10 /* programs of which one is git's */

static size_t number(const char *name, size_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoul(text, NULL, 10) : otherwise;
}

static void same(const char *want, const char *got, size_t seed, const char *when)
{
    if (strcmp(want, got) == 0)
        return;
    while (*want && *want == *got) {
        want++;
        got++;
    }
    fail_msg("seed %zu, %s: the tree differs at\n%.300s\ninstead of\n%.300s", seed, when, got,
             want);
}

static void run_one(struct undo_tree *t, size_t seed)
{
    struct dice dice = {seed * 0x9e3779b97f4a7c15u + 1};
    char first[UNDO_ID_SIZE], second[UNDO_ID_SIZE], undo2[UNDO_ID_SIZE], undo1[UNDO_ID_SIZE],
        redo[UNDO_ID_SIZE], again[UNDO_ID_SIZE];

    for (int i = 0; i < 8; i++)
        (void)dice_next(&dice);
    undo_tree_fill(t, &dice);
    char *before = undo_tree_show(t);
    undo_tree_call(t, &dice, 1 + dice_below(&dice, 25), first);
    char *between = undo_tree_show(t);
    undo_tree_call(t, &dice, 1 + dice_below(&dice, 25), second);
    char *after = undo_tree_show(t);

    undo_tree_undo(t, second, undo2);
    char *now = undo_tree_show(t);
    same(between, now, seed, "undo of the second");
    free(now);
    if (undo2[0]) {
        undo_tree_undo(t, undo2, redo);
        now = undo_tree_show(t);
        same(after, now, seed, "redo");
        free(now);
        if (redo[0])
            undo_tree_undo(t, redo, again);
        now = undo_tree_show(t);
        same(between, now, seed, "undo of the redo");
        free(now);
    }
    undo_tree_undo(t, first, undo1);
    now = undo_tree_show(t);
    same(before, now, seed, "undo of the first");
    free(now);
    free(before);
    free(between);
    free(after);
}

/* What git does to a work tree and its refs, with changes before and after. */
static void run_git(struct undo_tree *t, size_t seed)
{
    struct dice dice = {seed * 0x9e3779b97f4a7c15u + 1};
    char first[UNDO_ID_SIZE], second[UNDO_ID_SIZE], own[UNDO_ID_SIZE], redo[UNDO_ID_SIZE];

    for (int i = 0; i < 8; i++)
        (void)dice_next(&dice);
    undo_tree_fill(t, &dice);
    undo_tree_repository(t, &dice);
    char *before = undo_tree_show(t);
    undo_tree_git(t, &dice, first);
    char *between = undo_tree_show(t);
    undo_tree_call(t, &dice, 1 + dice_below(&dice, 10), second);
    undo_tree_undo(t, second, own);
    char *now = undo_tree_show(t);
    same(between, now, seed, "undo of what came after git");
    free(now);
    undo_tree_undo(t, first, own);
    now = undo_tree_show(t);
    same(before, now, seed, "undo of git");
    free(now);
    if (own[0]) {
        undo_tree_undo(t, own, redo);
        now = undo_tree_show(t);
        same(between, now, seed, "redo of git");
        free(now);
    }
    free(before);
    free(between);
    t->git = false;
}

static void test_programs(void **state)
{
    const char *places[UNDO_TREE_PLACES];
    size_t count = undo_tree_places(places), runs = number("WARDER_UNDO_RUNS", RUNS),
           seed = number("WARDER_SEED", 1);

    (void)state;
    for (size_t p = 0; p < count; p++) {
        struct undo_tree t;
        undo_tree_make(&t, places[p]);
        for (size_t i = 0; i < runs; i++) {
            if ((seed + i) % ONE_IN == 0)
                run_git(&t, seed + i);
            else
                run_one(&t, seed + i);
            undo_tree_clear(&t);
        }
        undo_tree_remove(&t);
        print_message("%s: %zu programs, no difference\n", places[p], runs);
    }
}

static void test_trash_in_git(void **state)
{
    const char *places[UNDO_TREE_PLACES];
    struct undo_tree t;
    size_t seed = number("WARDER_SEED", 1);

    (void)state;
    if (undo_tree_places(places) < 2)
        skip();
    for (size_t i = 0; i < 20; i++) {
        undo_tree_make(&t, places[0]);
        bool apart = undo_tree_part(&t, places[1]);
        if (apart)
            run_one(&t, seed + i);
        undo_tree_remove(&t);
        if (!apart)
            skip();
    }
}

static void put(const struct undo_tree *t, const char *name, const char *text)
{
    char path[400];

    (void)snprintf(path, sizeof(path), "%s/%s", t->work, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void make_apart(const struct undo_tree *t, char id[UNDO_ID_SIZE])
{
    static const char *const made[] = {"a", "d/b", "n", "n/x"};
    char path[400];
    struct undo_store s;
    struct undo_entry e;

    assert_int_equal(undo_store_open(&s, t->state, t->work, true, NULL), STATUS_OK);
    assert_int_equal(undo_entry_begin(&e, &s, &(struct undo_header){0}, NULL, NULL), STATUS_OK);
    for (size_t i = 0; i < COUNT(made); i++)
        assert_int_equal(undo_save(&e, str_from(made[i]), UNDO_WRITTEN, NULL), STATUS_OK);
    put(t, "a", "other");
    (void)snprintf(path, sizeof(path), "%s/d/b", t->work);
    assert_int_equal(unlink(path), 0);
    (void)snprintf(path, sizeof(path), "%s/n", t->work);
    assert_int_equal(mkdir(path, 0750), 0);
    put(t, "n/x", "made");
    memcpy(id, e.id, sizeof(e.id));
    undo_entry_close(&e);
    assert_int_equal(undo_close_open(&s, NULL), STATUS_OK);
    undo_store_close(&s);
}

/* Nothing can be renamed or linked into a trash on another file system: there is no .git here. */
static void test_trash_apart(void **state)
{
    const char *places[UNDO_TREE_PLACES];
    char id[UNDO_ID_SIZE], own[UNDO_ID_SIZE], path[400];
    struct undo_tree t;

    (void)state;
    if (undo_tree_places(places) < 2)
        skip();
    undo_tree_make(&t, places[0]);
    if (!undo_tree_part(&t, places[1])) {
        undo_tree_remove(&t);
        skip();
    }
    (void)snprintf(path, sizeof(path), "%s/.git", t.work);
    assert_int_equal(rmdir(path), 0);
    (void)snprintf(path, sizeof(path), "%s/d", t.work);
    assert_int_equal(mkdir(path, 0700), 0);
    put(&t, "a", "one");
    put(&t, "d/b", "two");
    char *before = undo_tree_show(&t);
    make_apart(&t, id);
    char *after = undo_tree_show(&t);
    for (int i = 0; i < 4; i++) {
        undo_tree_undo(&t, id, own);
        char *now = undo_tree_show(&t);
        same(i % 2 ? after : before, now, 0, i % 2 ? "redo" : "undo");
        free(now);
        memcpy(id, own, sizeof(id));
    }
    free(before);
    free(after);
    undo_tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs),
                                       cmocka_unit_test(test_trash_in_git),
                                       cmocka_unit_test(test_trash_apart)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
