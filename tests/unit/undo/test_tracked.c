/* Files that git has are not linked, and come back from its objects; where git would not give back
 * the same bytes, rights, attributes or names, they are linked as ever. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "support/undo_tree.h"
#include "undo/known.h"
#include "undo/tracked.h"
#include "undo/whole.h"

#include <cmocka.h>

static struct undo_tree t;
static char id[UNDO_ID_SIZE], own[UNDO_ID_SIZE];

static void run(const char *command)
{
    char line[4096];

    (void)snprintf(line, sizeof(line),
                   "cd %s && export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 && { %s; } "
                   ">/dev/null 2>&1",
                   t.work, command);
    assert_int_equal(system(line), 0); /* NOLINT(cert-env33-c): the test's own words */
}

/* Two commits, of which the second changes a and x, adds b and removes c; no file is young. */
static int begin(void **state)
{
    (void)state;
    undo_tree_make(&t, "/tmp");
    t.git = true;
    run("git init -q --template= -b main . && git config user.email a@b && git config user.name n");
    run("mkdir -p d/e && seq 100 > d/a && echo c > d/e/c && echo same > d/same && echo x > x && "
        "chmod 755 x && sleep 0.02 && git add -A && git commit -qm one && git tag one");
    run("seq 90 > d/a && echo b > d/b && echo y > x && rm -r d/e && sleep 0.02 && git add -A && "
        "git "
        "commit -qm two");
    return 0;
}

static int finish(void **state)
{
    (void)state;
    undo_tree_remove(&t);
    return 0;
}

/* How many files had a bit when it was saved, and the tree before. */
static size_t save(char **before)
{
    const struct undo_header header = {.whole = UNDO_WHOLE_TREE, .alone = true};
    struct undo_store s;
    struct undo_entry e;
    struct undo_log log;
    struct tracked_kept kept;
    struct arena a;
    size_t count = 0;

    arena_init(&a, UNDO_MEMORY_MAX);
    *before = undo_tree_show(&t);
    assert_int_equal(undo_store_open(&s, t.state, t.work, true, NULL), STATUS_OK);
    assert_int_equal(undo_entry_begin(&e, &s, &header, NULL, NULL), STATUS_OK);
    assert_int_equal(undo_save_whole(&e, UNDO_WHOLE_TREE, NULL), STATUS_OK);
    assert_int_equal(undo_log_read(&a, e.directory, &log, NULL), STATUS_OK);
    assert_int_equal(tracked_recall(&kept, e.directory, &log, NULL), STATUS_OK);
    for (size_t i = 0; i < kept.before.entries.count; i++)
        count += tracked_had(&kept, kept.before.entries.items[i].path);
    tracked_forget(&kept);
    memcpy(id, e.id, sizeof(id));
    undo_entry_close(&e);
    undo_store_close(&s);
    arena_release(&a);
    return count;
}

static void end(void)
{
    struct undo_store s;

    assert_int_equal(undo_store_open(&s, t.state, t.work, false, NULL), STATUS_OK);
    assert_int_equal(undo_close_open(&s, NULL), STATUS_OK);
    undo_store_close(&s);
}

static void comes_back(char *before)
{
    char *now;

    end();
    undo_tree_undo(&t, id, own);
    now = undo_tree_show(&t);
    assert_string_equal(before, now);
    free(now);
    free(before);
}

/* What `prepare` makes of the work tree: so many files need no link, and all come back. */
static void given_back(const char *prepare, size_t clean, const char *command)
{
    char *before;

    if (*prepare)
        run(prepare);
    assert_int_equal(save(&before), clean);
    run(command);
    comes_back(before);
}

#define RESET "git reset -q --hard one"

static void test_clean(void **state)
{
    (void)state;
    given_back("", 4, RESET);
}

static void test_packed(void **state)
{
    (void)state;
    given_back("git gc -q", 4, RESET " && git gc -q");
}

static void test_changed(void **state)
{
    (void)state;
    given_back("echo mine > x && rm d/b && echo new > new", 2, RESET " && git clean -qfdx");
}

/* As old and as long as what git has seen, but of another time of change. */
static void test_same_stat(void **state)
{
    (void)state;
    given_back("touch -r x ref && echo Z > x && touch -r ref x && rm ref", 3, RESET);
}

/* Files of one kind need the same rights, those of whichever is met first in its directory: d/b, or
 * both of the others. */
static void test_rights(void **state)
{
    char *before;

    (void)state;
    run("chmod 600 d/b && git update-index --refresh");
    assert_in_range(save(&before), 2, 3);
    run(RESET);
    comes_back(before);
}

static void test_names(void **state)
{
    (void)state;
    given_back("ln d/b hard && git add d/b", 3, RESET);
}

static void test_attributes(void **state)
{
    char path[400];

    (void)state;
    (void)snprintf(path, sizeof(path), "%s/d/b", t.work);
    if (setxattr(path, "user.mine", "1", 1, 0) < 0)
        skip();
    given_back("git update-index --refresh", 3, RESET);
}

/* Lines that end otherwise in the work tree: git would make other ones. */
static void test_lines(void **state)
{
    (void)state;
    given_back(
        "echo '* text=auto' > .gitattributes && printf 'a\\r\\nb\\r\\n' > d/b && sleep 0.02 && git "
        "add -A && git commit -qm three",
        4, RESET);
}

/* A filter that keeps the length. */
static void test_filter(void **state)
{
    (void)state;
    given_back("git config filter.f.clean 'tr a-z b-za' && echo 'd/* filter=f' > .gitattributes && "
               "sleep 0.02 && touch d/* && git add -A && git commit -qm three",
               0, RESET);
}

/* More files of attributes than anybody has time to read. */
static void test_many_attributes(void **state)
{
    char *before;

    (void)state;
    run("for i in $(seq 1001); do mkdir a$i && : > a$i/.gitattributes; done && sleep 0.02 && git "
        "add -A && git commit -qm three");
    assert_int_equal(save(&before), 0);
    free(before);
}

/* The index claims it, and no object has it. */
static void test_no_object(void **state)
{
    (void)state;
    given_back(
        "echo other > d/b && sleep 0.02 && git update-index --info-only d/b && git update-index "
        "--refresh; true",
        3, RESET);
}

static void test_another_index(void **state)
{
    (void)state;
    given_back("git update-index --split-index", 0, RESET);
}

static void test_young(void **state)
{
    (void)state;
    given_back("touch -d '+1 hour' d/b && git add d/b", 3, RESET);
}

/* ---- what the call before has found out ---- */

/* Of two calls, so many files are clean in the second one, and all come back. */
static void known_and_given_back(size_t first, const char *between, size_t clean)
{
    char *before;
    struct undo_store s;
    struct undo_known known;

    run("sleep 0.06");
    assert_int_equal(save(&before), first);
    free(before);
    end();
    assert_int_equal(undo_store_open(&s, t.state, t.work, false, NULL), STATUS_OK);
    assert_true(known_read(&s, &known));
    undo_store_close(&s);
    assert_string_equal(known.id, id);
    given_back(between, clean, RESET);
}

static void test_known(void **state)
{
    (void)state;
    known_and_given_back(4, "", 4);
}

static void test_known_changed(void **state)
{
    (void)state;
    known_and_given_back(4, "echo mine > x; ln d/b hard; git update-index --refresh; true", 2);
}

static size_t marked(const struct undo_known *known, uint8_t had, const char *change)
{
    uint8_t before = had, now = 0;
    struct tracked_kept kept = {.bits = &before};
    struct git_index index;
    char path[400];

    (void)snprintf(path, sizeof(path), "%s/.git", t.work);
    AUTO_CLOSE int git = open(path, O_RDONLY | O_DIRECTORY);
    assert_true(git_index_read(&kept.before, git, GIT_INDEX_NAME));
    run(change);
    assert_true(git_index_read(&index, git, GIT_INDEX_NAME));
    known_mark(known, &kept, &index, &now);
    git_index_release(&kept.before);
    git_index_release(&index);
    return (size_t)__builtin_popcount(now);
}

/* Of four files: those that had a bit, were not changed at about that time, and are the same. */
static void test_known_mark(void **state)
{
    const struct undo_known since = {.at = INT64_MAX}, until = {.at = 0};

    (void)state;
    assert_int_equal(marked(&since, 0xf, ":"), 4);
    assert_int_equal(marked(&since, 0x6, ":"), 2);
    assert_int_equal(marked(&until, 0xf, ":"), 0);
    assert_int_equal(marked(&since, 0xf, "echo mine > x; git add x"), 3);
    assert_int_equal(marked(&since, 0xf, "git rm -q --cached d/b"), 3);
}

/* That git has it is looked at each time, loose or packed. */
static void test_known_no_object(void **state)
{
    (void)state;
    known_and_given_back(4, "rm -f .git/objects/$(git rev-parse HEAD:d/b | sed 's|..|&/|')", 3);
}

static void test_known_packed(void **state)
{
    (void)state;
    known_and_given_back(4, "git gc -q", 4);
}

/* Another content of the same file, which the index has seen, is looked at as if for the first
 * time: no object has it. */
static void test_known_another_content(void **state)
{
    (void)state;
    known_and_given_back(4, "echo B > d/b && sleep 0.02 && git update-index --info-only d/b", 3);
}

/* The entry that it names is gone, or another one. */
static void test_known_forgotten(void **state)
{
    struct undo_store s;
    struct undo_known known;
    char *before;

    (void)state;
    run("sleep 0.06");
    assert_int_equal(save(&before), 4);
    free(before);
    end();
    assert_int_equal(undo_store_open(&s, t.state, t.work, false, NULL), STATUS_OK);
    assert_true(known_read(&s, &known));
    known.digest[0] ^= 1;
    known_write(&s, &known);
    undo_store_close(&s);
    given_back("", 4, RESET);
}

/* ---- what happens between the call and the undo ---- */

static size_t conflicts(struct undo_plan *plan, struct arena *a, enum status *status)
{
    const struct undo_wish wish = {0};
    struct undo_store s;

    arena_init(a, UNDO_MEMORY_MAX);
    assert_int_equal(undo_store_open(&s, t.state, t.work, false, NULL), STATUS_OK);
    *status = undo_look(a, &s, id, &wish, plan, NULL);
    undo_store_close(&s);
    return *status ? 0 : plan->conflicts.count;
}

static void in_the_way(const char *after, size_t count, bool hard)
{
    char *before;
    struct undo_plan plan;
    struct arena a;
    enum status status;
    size_t found = 0;

    assert_int_equal(save(&before), 4);
    run(RESET);
    end();
    run(after);
    (void)conflicts(&plan, &a, &status);
    assert_int_equal(status, STATUS_OK);
    for (size_t i = 0; i < plan.conflicts.count; i++)
        found += plan.conflicts.items[i].hard == hard;
    assert_int_equal(found, count);
    arena_release(&a);
    free(before);
}

static void test_changed_since(void **state)
{
    (void)state;
    in_the_way("echo mine > x && echo c > d/b", 2, false);
}

/* Nothing is given back that git does not have any more. */
static void test_pruned(void **state)
{
    (void)state;
    in_the_way(
        "git branch -q -f main one; rm -f .git/ORIG_HEAD; git reflog expire --expire=now --all; "
        "git gc -q --prune=now",
        3, true);
}

static void test_object_is_another(void **state)
{
    char *before;
    struct undo_store s;
    struct undo_plan plan;
    struct arena a;
    struct error err = {0};
    enum status status;

    (void)state;
    assert_int_equal(save(&before), 4);
    free(before);
    run("o=.git/objects/$(git rev-parse HEAD:x | sed 's|..|&/|') && p=.git/objects/$(printf 'z\\n' "
        "| git "
        "hash-object -w --stdin | sed 's|..|&/|') && " RESET " && chmod u+w $o && cat $p > $o");
    end();
    assert_int_equal(conflicts(&plan, &a, &status), 0); /* it is as long */
    before = undo_tree_show(&t);
    assert_int_equal(undo_store_open(&s, t.state, t.work, false, NULL), STATUS_OK);
    assert_int_not_equal(undo_apply(&s, &plan, &(struct undo_wish){0}, own, &err), STATUS_OK);
    assert_non_null(strstr(err.message, "x"));
    undo_store_close(&s);
    char *now = undo_tree_show(&t);
    assert_string_equal(before, now); /* it took back what it had done */
    free(now);
    free(before);
    arena_release(&a);
}

static void test_files_beside(void **state)
{
    static const char *const names[] = {"index", "tracked", "index-after"};

    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char *before, command[400];
        struct undo_plan plan;
        struct arena a;
        enum status status;
        run("git reset -q --hard main; git update-index --refresh");
        run("sleep 0.02; git add -A; touch d/same; git add -A");
        assert_true(save(&before) > 0);
        run(RESET);
        end();
        (void)snprintf(
            command, sizeof(command),
            "f=$(echo %s/undo/*/%s/%s) && printf '\\001' | dd of=$f bs=1 seek=1 conv=notrunc",
            t.state, id, names[i]);
        run(command);
        (void)conflicts(&plan, &a, &status);
        assert_int_equal(status, STATUS_UNSAFE);
        arena_release(&a);
        free(before);
        run("git reset -q --hard main@{1}");
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_clean),
        TEST(test_packed),
        TEST(test_changed),
        TEST(test_same_stat),
        TEST(test_rights),
        TEST(test_names),
        TEST(test_attributes),
        TEST(test_lines),
        TEST(test_filter),
        TEST(test_many_attributes),
        TEST(test_no_object),
        TEST(test_another_index),
        TEST(test_young),
        TEST(test_changed_since),
        TEST(test_pruned),
        TEST(test_object_is_another),
        TEST(test_files_beside),
        TEST(test_known),
        TEST(test_known_changed),
        TEST(test_known_mark),
        TEST(test_known_no_object),
        TEST(test_known_packed),
        TEST(test_known_another_content),
        TEST(test_known_forgotten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
