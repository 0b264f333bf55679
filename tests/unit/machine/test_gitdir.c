/* Which repositories git can read without running anything: their configuration and index, byte by
 * byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "machine/gitdir.h"
#include "machine/world.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static bool is_plain(const struct tree *t)
{
    char path[WORLD_PATH_MAX];

    snprintf(path, sizeof(path), "%s/r", t->root);
    return gitdir_is_plain(&real_world, path);
}

static void make_repository(struct tree *t, const char *config)
{
    tree_make(t);
    tree_write(t, "r/.git/HEAD", "ref: refs/heads/main\n", 0644);
    tree_write(t, "r/.git/config", config, 0644);
}

static void configurations(void **state)
{
    static const struct {
        const char *text;
        bool plain;
    } cases[] = {
        {"", true},
        {"# a comment\n\n[core]\n\tbare = false\n", true},
        {"[core]\n\tfileMode = true\n[user]\n\tname = a b\n", true},
        {"[remote \"origin\"]\n\turl = git@host:x.git\n\tfetch = +a:b\n", true},
        {"[branch \"x/y\"]\n\tanything = z\n", true},
        {"[core]\n\tfsmonitor = x\n", false},
        {"[core]\n\tFSMonitor = x\n", false},
        {"[core]\n\thooksPath = x\n", false},
        {"[core] fsmonitor = x]\n", false},
        {"[core]fsmonitor=x]\n", false},
        {"[core \"a\"]x=y\"]\n", false},
        {"[branch \"a\\\"]\nx=y\n", false},
        {"[diff \"x\"]\n\ttextconv = y\n", false},
        {"[filter \"x\"]\n\tclean = y\n", false},
        {"[alias]\n\ts = !x\n", false},
        {"[include]\n\tpath = x\n", false},
        {"[includeIf \"a\"]\n\tpath = x\n", false},
        {"[extensions]\n\tworktreeConfig = true\n", false},
        {"[submodule \"x\"]\n\turl = y\n", false},
        {"[credential]\n\thelper = x\n", false},
        {"[remote \"origin\"]\n\turl = ext::x\n", false},
        {"[remote \"origin\"]\n\turl = /srv/x\n", false},
        {"[remote \"origin\"]\n\tuploadpack = x\n", false},
        {"[branch \"x\"]\n\ty = a\\\n[core]\n\tfsmonitor = b\n", false},
        {"[core]\n\tbare = false", false}, /* no newline at the end */
        {"bare = false\n", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct tree t;
        make_repository(&t, cases[i].text);
        if (is_plain(&t) != cases[i].plain)
            fail_msg("%s", cases[i].text);
        tree_remove(&t);
    }
}

static void a_name_of_maximum_length(void **state)
{
    char config[2 * GITDIR_NAME_MAX], name[GITDIR_NAME_MAX + 1];
    struct tree t;

    (void)state;
    for (int len = GITDIR_NAME_MAX - 1; len <= GITDIR_NAME_MAX; len++) {
        memset(name, 'a', sizeof(name));
        name[len] = '\0';
        snprintf(config, sizeof(config), "[branch]\n%s=x\n", name);
        make_repository(&t, config);
        assert_int_equal(is_plain(&t), len < GITDIR_NAME_MAX);
        tree_remove(&t);
    }
}

static void put(unsigned char *at, uint32_t number)
{
    at[0] = (unsigned char)(number >> 24);
    at[1] = (unsigned char)(number >> 16);
    at[2] = (unsigned char)(number >> 8);
    at[3] = (unsigned char)number;
}

/* `count` entries named "f", the last one with this mode: 62 bytes, the name, and NULs up to a
 * multiple of eight. */
static void write_index(const struct tree *t, uint32_t version, uint32_t count, uint32_t claimed,
                        uint32_t mode)
{
    unsigned char head[12] = "DIRC", entry[64] = {0};
    char path[WORLD_PATH_MAX];

    snprintf(path, sizeof(path), "%s/r/.git/index", t->root);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    put(head + 4, version);
    put(head + 8, claimed);
    fwrite(head, 1, sizeof(head), file);
    for (uint32_t i = 0; i < count; i++) {
        put(entry + 24, i + 1 == count ? mode : 0100644);
        entry[62] = 'f';
        fwrite(entry, 1, sizeof(entry), file);
    }
    assert_int_equal(fclose(file), 0);
}

static void indexes(void **state)
{
    static const struct {
        uint32_t version, count, claimed, mode;
        bool plain;
    } cases[] = {
        {2, 3, 3, 0100644, true},
        {2, 3, 3, 0120000, true},  /* a link */
        {2, 3, 3, 0160000, false}, /* a submodule */
        {3, 1, 1, 0100644, true},
        {4, 1, 1, 0100644, false}, /* names are compressed in version 4 */
        {2, 1, 2, 0100644, false}, /* cut off */
        {2, GITDIR_ENTRIES_MAX, GITDIR_ENTRIES_MAX, 0100644, true},
        {2, GITDIR_ENTRIES_MAX + 1, GITDIR_ENTRIES_MAX + 1, 0100644, false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct tree t;
        make_repository(&t, "[core]\n\tbare = false\n");
        write_index(&t, cases[i].version, cases[i].count, cases[i].claimed, cases[i].mode);
        if (is_plain(&t) != cases[i].plain)
            fail_msg("case %zu", i);
        tree_remove(&t);
    }
}

static void hooks_and_other_settings(void **state)
{
    static const char *const files[] = {"r/.git/hooks/post-index-change",
                                        "r/.git/hooks/reference-transaction",
                                        "r/.git/config.worktree"};
    struct tree t;

    (void)state;
    for (size_t i = 0; i < COUNT(files); i++) {
        make_repository(&t, "");
        assert_true(is_plain(&t));
        tree_write(&t, files[i], "", 0755);
        assert_false(is_plain(&t));
        tree_remove(&t);
    }
}

static void no_repository(void **state)
{
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, "r/x", "", 0644);
    assert_false(is_plain(&t)); /* not a repository */
    tree_write(&t, "r/.git/HEAD", "", 0644);
    assert_false(is_plain(&t)); /* no configuration */
    tree_write(&t, "r/HEAD", "", 0644);
    tree_write(&t, "r/.git/config", "", 0644);
    assert_false(is_plain(&t)); /* perhaps a bare repository */
    tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations), cmocka_unit_test(a_name_of_maximum_length),
        cmocka_unit_test(indexes),        cmocka_unit_test(hooks_and_other_settings),
        cmocka_unit_test(no_repository),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
