/* Refs of a repository, where git keeps them: in files of their own and packed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/list.h"
#include "machine/drivers.h"
#include "machine/refs.h"
#include "machine/world.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define ID "0123456789abcdef0123456789abcdef01234567"

static const char *place(const struct tree *t, const char *name)
{
    static char path[WORLD_PATH_MAX];

    snprintf(path, sizeof(path), "%s/%s", t->root, name);
    return path;
}

static void make_repository(struct tree *t)
{
    tree_make(t);
    tree_write(t, "r/.git/HEAD", "ref: refs/heads/main\n", 0644);
    tree_write(t, "r/.git/refs/heads/main", ID "\n", 0644);
    tree_write(t, "r/.git/refs/heads/dir/x", ID "\n", 0644);
    tree_write(t, "r/.git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n", 0644);
    tree_write(t, "r/.git/refs/heads/alias", "ref: refs/heads/main\n", 0644);
    tree_write(t, "r/.git/refs/heads/follows", "ref: refs/remotes/origin/main\n", 0644);
    tree_write(t, "r/.git/refs/remotes/odd/HEAD", "ref: FETCH_HEAD\n", 0644);
    tree_write(t, "r/.git/refs/remotes/loop/HEAD", "ref: refs/remotes/loop/HEAD\n", 0644);
    tree_write(t, "r/.git/packed-refs",
               "# pack-refs with: peeled\n" ID " refs/remotes/origin/main\n" ID
               " refs/tags/v1\n^" ID "\n",
               0644);
}

static void found(void **state)
{
    static const struct {
        const char *name;
        enum ref_state state;
    } cases[] = {
        {"refs/heads/main", REF_OLD},
        {"refs/heads/dir", REF_ABSENT},
        {"refs/heads/dir/x", REF_OLD},
        {"refs/heads/v1", REF_ABSENT},
        {"refs/tags/v1", REF_OLD},
        {"refs/tags/v", REF_ABSENT},
        {"refs/remotes/origin/main", REF_OLD},
        {"refs/remotes/origin/HEAD", REF_OLD},
        {"refs/remotes/*/main", REF_OLD},
        {"refs/remotes/*/other", REF_ABSENT},
        {"refs/heads/*/x", REF_OLD},
        {"refs/remotes/odd/HEAD", REF_UNKNOWN},
        {"refs/remotes/loop/HEAD", REF_UNKNOWN},
        {"refs/heads/alias", REF_OLD},
        {"refs/heads/follows", REF_UNKNOWN},
        {"FETCH_HEAD", REF_ABSENT},
        {"refs", REF_ABSENT},
    };
    struct tree t;

    (void)state;
    make_repository(&t);
    for (size_t i = 0; i < COUNT(cases); i++)
        if (refs_find(&real_world, place(&t, "r"), cases[i].name, 0) != cases[i].state)
            fail_msg("%s", cases[i].name);
    assert_int_equal(refs_find(&real_world, place(&t, "none"), "refs/heads/main", 0), REF_ABSENT);
    /* refs in tables are not read */
    tree_write(&t, "r/.git/reftable/tables.list", "", 0644);
    assert_int_equal(refs_find(&real_world, place(&t, "r"), "refs/heads/x", 0), REF_UNKNOWN);
    tree_remove(&t);
}

static void aged(void **state)
{
    struct tree t;
    int64_t now = time(NULL);

    (void)state;
    make_repository(&t);
    const char *r = place(&t, "r");
    assert_int_equal(refs_find(&real_world, r, "refs/heads/main", now - 60), REF_NEW);
    assert_int_equal(refs_find(&real_world, r, "refs/tags/v1", now - 60), REF_NEW);
    assert_int_equal(refs_find(&real_world, r, "refs/heads/none", now - 60), REF_ABSENT);
    tree_remove(&t);
}

static void logs(void **state)
{
    static const char line[] =
        "0000000000000000000000000000000000000000 " ID " A <a@example.com> 1 +0000\tabcdefabcdef\n";
    struct tree t;

    (void)state;
    make_repository(&t);
    tree_write(&t, "r/.git/logs/refs/heads/dir/x", line, 0644);
    tree_write(&t, "r/.git/logs/refs/stash",
               "1111111111111111111111111111111111111111 "
               "2222222222222222222222222222222222222222 A <a@example.com> 1 +0000\tx\n",
               0644);
    const char *r = place(&t, "r");
    assert_true(refs_logged(&real_world, r, STR("0123456")));
    assert_true(refs_logged(&real_world, r, STR(ID)));
    assert_false(refs_logged(&real_world, r, STR("012345"))); /* too short */
    assert_false(refs_logged(&real_world, r, STR("1234567")));
    assert_false(refs_logged(&real_world, r, STR("abcdefa"))); /* in the message */
    assert_false(refs_logged(&real_world, r, STR("2222222"))); /* no branch */
    tree_write(&t, "r/.git/logs/HEAD", line, 0644);
    assert_false(refs_logged(&real_world, place(&t, "none"), STR(ID)));
    tree_remove(&t);
}

static bool has_driver(const char *list, const char *end)
{
    for (; *list; list += strlen(list) + 1) {
        size_t len = strlen(list), n = strlen(end);
        if (len >= n && strcmp(list + len - n, end) == 0)
            return true;
    }
    return false;
}

static void drivers(void **state)
{
    char out[4096], home[WORLD_PATH_MAX];
    struct tree t;

    (void)state;
    make_repository(&t);
    tree_write(&t, "r/.git/config",
               "[core]\n\tbare = false\n\thooksPath = .husky/_\n[diff \"x\"]\n\ttextconv = sh "
               "\"tools/tc.sh\" -x\n[remote \"o\"]\n\turl = https://example.com/some/where\n",
               0644);
    tree_write(&t, "home/.gitconfig", "[core]\n\tfsmonitor = /opt/monitor\n", 0644);
    snprintf(home, sizeof(home), "%s/home", t.root);
    assert_true(drivers_find(&real_world, place(&t, "r"), home, out, sizeof(out)));
    assert_true(has_driver(out, "/r/.husky/_"));
    assert_true(has_driver(out, "/r/.husky"));
    assert_true(has_driver(out, "/r/tools/tc.sh"));
    assert_true(has_driver(out, "/opt/monitor"));
    assert_false(has_driver(out, "/where"));
    assert_false(drivers_find(&real_world, place(&t, "r"), home, out, 40));
    assert_true(drivers_find(&real_world, place(&t, "none"), home, out, sizeof(out)));
    assert_int_equal(out[0], '\0');
    tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found),
        cmocka_unit_test(aged),
        cmocka_unit_test(logs),
        cmocka_unit_test(drivers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
