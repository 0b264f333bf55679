/* What a process that lives for one event keeps open, against someone who swaps names meanwhile;
 * and the listing of a directory, which no size of it cuts off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/brief.h"
#include "machine/entries.h"
#include "machine/own.h"
#include "policy/state.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct tree tree;
static char state[WORLD_PATH_MAX], other[WORLD_PATH_MAX];

static void prepare(void)
{
    tree_make(&tree);
    tree_write(&tree, "state/mark", "first", 0600);
    tree_write(&tree, "state/below/x", "x", 0600);
    tree_write(&tree, "other/mark", "second", 0600);
    snprintf(state, sizeof(state), "%s/state", tree.root);
    snprintf(other, sizeof(other), "%s/other", tree.root);
}

/* Each test in a process of its own: being brief is for good. */
static void in_child(void (*test)(void))
{
    int status = 1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        test();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void need(bool is)
{
    if (!is)
        _exit(1);
}

static enum status open_state(int *out)
{
    return state_find(state, NULL, out, NULL);
}

static bool says(int directory, const char *text)
{
    AUTO_FREE char *read = NULL;
    size_t len = 0;

    return state_read(directory, "mark", 64, &read, &len, NULL) == STATUS_OK && read &&
           strcmp(read, text) == 0;
}

/* The name becomes a link to another directory, or that directory itself. */
static void swap_for(bool link)
{
    char gone[WORLD_PATH_MAX + 8];

    snprintf(gone, sizeof(gone), "%s.gone", state);
    need(rename(state, gone) == 0);
    need((link ? symlink(other, state) : rename(other, state)) == 0);
}

static void keeps(bool link)
{
    AUTO_CLOSE int one = -1;
    AUTO_CLOSE int two = -1;
    AUTO_CLOSE int three = -1;
    AUTO_CLOSE int below = -1;

    brief_begin();
    need(open_state(&one) == STATUS_OK && says(one, "first"));
    swap_for(link);
    need(state_find(state, "below", &below, NULL) == STATUS_OK && below >= 0);
    need(open_state(&two) == STATUS_OK && two != one && says(two, "first"));
    need(own_open_directory(state, &three, NULL) == STATUS_OK && says(three, "first"));
}

static void keeps_from_link(void)
{
    keeps(true);
}

static void keeps_from_directory(void)
{
    keeps(false);
}

static void looks_again(void)
{
    AUTO_CLOSE int one = -1;
    AUTO_CLOSE int two = -1;

    need(open_state(&one) == STATUS_OK && says(one, "first"));
    swap_for(false);
    need(open_state(&two) == STATUS_OK && says(two, "second"));
}

/* Where the directory is a link, the record must go on refusing it. */
static void keeps_no_link(void)
{
    AUTO_CLOSE int one = -1;
    int two = -1;

    brief_begin();
    swap_for(true);
    need(open_state(&one) == STATUS_OK && says(one, "second"));
    need(own_open_directory(state, &two, NULL) == STATUS_UNSAFE && two == -1);
}

/* What others can write is refused before anything is kept. */
static void keeps_nothing_unsafe(void)
{
    int one = -1;

    brief_begin();
    need(chmod(state, 0777) == 0);
    need(open_state(&one) == STATUS_UNSAFE);
    need(brief_directory(state) == -1);
    need(chmod(state, 0700) == 0);
}

/* Each caller closes its own. */
static void outlives_callers(void)
{
    brief_begin();
    for (int i = 0; i < 3; i++) {
        AUTO_CLOSE int below = -1;
        need(state_find(state, "below", &below, NULL) == STATUS_OK && below >= 0);
    }
    need(brief_directory(other) == -1);
}

static void directories(void **unused)
{
    static void (*const tests[])(void) = {keeps_from_link, keeps_from_directory, looks_again,
                                          keeps_no_link,   keeps_nothing_unsafe, outlives_callers};

    (void)unused;
    for (size_t i = 0; i < COUNT(tests); i++) {
        prepare();
        in_child(tests[i]);
        tree_remove(&tree);
    }
}

static void keeps_home(void)
{
    brief_keep_home("/nowhere");
    need(!brief_has_home("/nowhere"));
    brief_begin();
    brief_keep_home("/home/a");
    brief_keep_home("/home/b");
    need(brief_has_home("/home/a") && !brief_has_home("/home/b") && !brief_has_home("/home"));
}

static void homes(void **unused)
{
    (void)unused;
    in_child(keeps_home);
}

/* ---- listings ---- */

#define MANY 300 /* with long names: many times the buffer */

static void listings(void **unused)
{
    bool seen[MANY] = {false};
    struct entries all;
    const struct entry *e;
    char name[NAME_MAX + 1];
    size_t count = 0;

    (void)unused;
    prepare();
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "state/%0200d", i);
        tree_write(&tree, name, "", 0600);
    }
    AUTO_CLOSE int directory = -1;
    assert_int_equal(open_state(&directory), STATUS_OK);
    entries_of(&all, directory);
    while ((e = entries_next(&all))) {
        size_t len = strlen(e->name);
        count++;
        assert_int_equal(e->kind, strcmp(e->name, "below") == 0 ? DT_DIR : DT_REG);
        if (len == 200)
            seen[strtol(e->name, NULL, 10)] = true;
        assert_true(strcmp(e->name, ".") != 0 && strcmp(e->name, "..") != 0);
    }
    assert_false(all.failed);
    assert_int_equal(count, MANY + 2);
    for (int i = 0; i < MANY; i++)
        assert_true(seen[i]);
    entries_of(&all, -1);
    assert_null(entries_next(&all));
    assert_true(all.failed);
    tree_remove(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directories),
        cmocka_unit_test(homes),
        cmocka_unit_test(listings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
