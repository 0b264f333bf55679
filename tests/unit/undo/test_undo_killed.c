/* kill -9 at any moment, while a call is saved, undone, or rolled back: the next run finishes or
 * takes back what was half done, and no file is lost.
 *
 * WARDER_CRASHES rounds (`make test-crash`), with the seeds from WARDER_SEED on. */
#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/undo_tree.h"

#include <cmocka.h>

#define ROUNDS  60
#define LONGEST 2500u /* microseconds until the kill; an undo here takes about a thousand */

static struct undo_tree tree;
static struct dice dice;
static size_t seed;

static size_t number(const char *name, size_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoul(text, NULL, 10) : otherwise;
}

static struct undo_store open_store(void)
{
    struct undo_store s;
    struct error err = {0};

    if (undo_store_open(&s, tree.state, tree.work, true, &err))
        fail_msg("seed %zu: %s", seed, err.message);
    return s;
}

static void recover(void)
{
    struct undo_store s = open_store();
    struct error err = {0};

    if (undo_recover(&s, NULL, &err) || undo_close_open(&s, &err))
        fail_msg("seed %zu: %s", seed, err.message);
    undo_store_close(&s);
}

/* Runs it in a child that is killed after a random time. */
static void run_killed(void (*what)(const char *id), const char *id)
{
    pid_t child = fork();

    if (child == 0) {
        what(id);
        _exit(0);
    }
    usleep((useconds_t)dice_below(&dice, LONGEST));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void run_call(const char *unused)
{
    char id[UNDO_ID_SIZE];

    (void)unused;
    undo_tree_call(&tree, &dice, 30, id);
}

static void run_undo(const char *id)
{
    char own[UNDO_ID_SIZE];

    undo_tree_undo(&tree, id, own);
}

static void run_recover(const char *unused)
{
    (void)unused;
    recover();
}

/* ---- directories that are moved away ---- */

struct top {
    char path[600];
    ino_t inode;
};
static struct top tops[64];
static size_t top_count;

static void find_tops(void)
{
    struct stat st;
    DIR *d = opendir(tree.work);

    top_count = 0;
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL && top_count < COUNT(tops);) {
        struct top *top = &tops[top_count];
        (void)snprintf(top->path, sizeof(top->path), "%s/%s", tree.work, e->d_name);
        if (e->d_name[0] == '.' || lstat(top->path, &st) < 0 || !S_ISDIR(st.st_mode))
            continue;
        top->inode = st.st_ino;
        top_count++;
    }
    closedir(d);
}

/* At its name, or at the end of the link there. */
static void assert_all_reached(const char *when)
{
    struct stat st;

    for (size_t i = 0; i < top_count; i++)
        if (stat(tops[i].path, &st) < 0 || st.st_ino != tops[i].inode)
            fail_msg("seed %zu, %s: %s is gone", seed, when, tops[i].path);
}

static void run_move_away(const char *unused)
{
    struct undo_store s = open_store();
    struct undo_entry e;

    (void)unused;
    if (undo_entry_begin(&e, &s, &(struct undo_header){.text = STR("rm -rf *")}, NULL, NULL))
        _exit(1);
    for (size_t i = 0; i < top_count; i++)
        (void)undo_save_at_once(&e, str_from(tops[i].path + strlen(tree.work) + 1), NULL);
    undo_entry_close(&e);
    undo_store_close(&s);
}

static void newest(char id[UNDO_ID_SIZE])
{
    struct undo_store s = open_store();
    struct undo_ids ids;
    struct arena a;

    arena_init(&a, 1 << 20);
    assert_int_equal(undo_store_list(&a, &s, &ids, NULL), STATUS_OK);
    id[0] = '\0';
    if (ids.count)
        memcpy(id, ids.items[ids.count - 1].s, UNDO_ID_SIZE);
    arena_release(&a);
    undo_store_close(&s);
}

static void assert_tree(const char *want, const char *when)
{
    char *now = undo_tree_show(&tree);

    if (strcmp(now, want) != 0)
        fail_msg("seed %zu, %s: the tree is\n%s\ninstead of\n%s", seed, when, now, want);
    free(now);
}

/* ---- the rounds ---- */

static void round_of_saving(void)
{
    char id[UNDO_ID_SIZE], own[UNDO_ID_SIZE], *before = undo_tree_show(&tree);

    run_killed(run_call, "");
    recover();
    newest(id);
    if (id[0])
        undo_tree_undo(&tree, id, own);
    assert_tree(before, "undo of a call that was killed");
    free(before);
}

static void round_of_undo(void)
{
    char id[UNDO_ID_SIZE], own[UNDO_ID_SIZE], *before = undo_tree_show(&tree);

    undo_tree_call(&tree, &dice, 30, id);
    char *after = undo_tree_show(&tree);
    run_killed(run_undo, id);
    for (size_t i = dice_below(&dice, 3); i > 0; i--)
        run_killed(run_recover, "");
    recover();
    char *now = undo_tree_show(&tree);
    if (strcmp(now, before) != 0) {
        assert_tree(after, "an undo that was taken back");
        undo_tree_undo(&tree, id, own);
        assert_tree(before, "undo after one that was killed");
    }
    free(now);
    free(after);
    free(before);
}

static void round_of_moving_away(void)
{
    char id[UNDO_ID_SIZE], own[UNDO_ID_SIZE], *before = undo_tree_show(&tree);

    find_tops();
    run_killed(run_move_away, "");
    assert_all_reached("moving away");
    for (size_t i = dice_below(&dice, 4); i > 0; i--) {
        run_killed(run_recover, "");
        assert_all_reached("moving back");
    }
    recover();
    assert_tree(before, "directories that were moved away");
    newest(id);
    if (id[0])
        undo_tree_undo(&tree, id, own);
    assert_tree(before, "undo of a call that never ran");
    free(before);
}

static void test_killed(void **state)
{
    static void (*const rounds_of[])(void) = {round_of_undo, round_of_saving, round_of_moving_away};
    const char *places[UNDO_TREE_PLACES];
    size_t count = undo_tree_places(places), rounds = number("WARDER_CRASHES", ROUNDS),
           first = number("WARDER_SEED", 1);

    (void)state;
    for (size_t p = 0; p < count; p++) {
        undo_tree_make(&tree, places[p]);
        for (seed = first; seed < first + rounds; seed++) {
            dice = (struct dice){seed * 0x9e3779b97f4a7c15u + 1};
            for (int i = 0; i < 8; i++)
                (void)dice_next(&dice);
            undo_tree_fill(&tree, &dice);
            rounds_of[seed % COUNT(rounds_of)]();
            undo_tree_clear(&tree);
        }
        undo_tree_remove(&tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_killed)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
