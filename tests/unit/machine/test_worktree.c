/* A work tree belongs to the repository that names it, whatever its own files claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "machine/worktree.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static char root[64];

static int make_root(void **state)
{
    (void)state;
    memcpy(root, "/tmp/warder-worktree-XXXXXX", sizeof("/tmp/warder-worktree-XXXXXX"));
    return mkdtemp(root) && chdir(root) == 0 ? 0 : -1;
}

static int remove_root(void **state)
{
    char command[128];

    (void)state;
    snprintf(command, sizeof(command), "rm -rf %s", root);
    return chdir("/") == 0 ? system(command) : -1;
}

/* %R is the place of it all. */
static void put(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    for (const char *at = text; *at; at++)
        if (at[0] == '%' && at[1] == 'R' && at++)
            fputs(root, f);
        else
            fputc(*at, f);
    assert_int_equal(fclose(f), 0);
}

/* A repository with one linked work tree, as git makes them, but for what a case changes. */
struct claim {
    const char *dot_git, *common, *back;
    bool counts;
};

static const struct claim claims[] = {
    {"gitdir: %R/main/.git/worktrees/side\n", "../..\n", "%R/side/.git\n", true},
    {"gitdir: ../main/.git/worktrees/side\n", "%R/main/.git\n", "%R/side/.git\n", true},
    {"gitdir: %R/main/.git/worktrees/side\nmore\n", "../..\n", "%R/side/.git\n", true},
    /* the repository does not name it */
    {"gitdir: %R/main/.git/worktrees/side\n", "../..\n", "%R/other/.git\n", false},
    {"gitdir: %R/main/.git/worktrees/side\n", "../..\n", "%R/gone/.git\n", false},
    {"gitdir: %R/main/.git/worktrees/side\n", "../..\n", "%R/side/.git", false},
    {"gitdir: %R/main/.git/worktrees/side\n", "../..\n", "\n", false},
    {"gitdir: %R/main/.git/worktrees/side\n", "../..\n", "", false},
    /* its own part is not in that repository */
    {"gitdir: %R/elsewhere/worktrees/side\n", "%R/main/.git\n", "%R/side/.git\n", false},
    {"gitdir: %R/main/.git/modules/side\n", "%R/main/.git\n", "%R/side/.git\n", false},
    {"gitdir: %R/main/.git/worktrees/side/deeper\n", "%R/main/.git\n", "%R/side/.git\n", false},
    {"gitdir: %R/main/.git/worktrees\n", "%R/main/.git\n", "%R/side/.git\n", false},
    {"gitdir: %R/main/.git/worktrees/side\n", "gone\n", "%R/side/.git\n", false},
    {"gitdir: %R/main/.git/worktrees/side\n", "../..", "%R/side/.git\n", false},
    /* it is not a file as git writes it */
    {"gitdir %R/main/.git/worktrees/side\n", "../..\n", "%R/side/.git\n", false},
    {"gitdir: %R/main/.git/worktrees/side", "../..\n", "%R/side/.git\n", false},
    {"gitdir: %R/main/.git/worktrees/gone\n", "../..\n", "%R/side/.git\n", false},
    {"", "../..\n", "%R/side/.git\n", false},
};

static const char *const places[] = {"main/.git/worktrees/side", "elsewhere/worktrees/side",
                                     "main/.git/modules/side", "main/.git/worktrees/side/deeper",
                                     "main/.git/worktrees"};

static void make(const struct claim *c)
{
    char path[256];

    assert_int_equal(system("rm -rf main side other elsewhere && "
                            "mkdir -p main/.git/worktrees/side/deeper main/.git/modules/side "
                            "elsewhere/worktrees/side side/sub other && touch other/.git"),
                     0);
    put("side/.git", c->dot_git);
    for (size_t i = 0; i < COUNT(places); i++) {
        snprintf(path, sizeof(path), "%s/commondir", places[i]);
        put(path, c->common);
        snprintf(path, sizeof(path), "%s/gitdir", places[i]);
        put(path, c->back);
    }
}

static bool finds(const char *directory, struct worktree *w)
{
    char path[256];

    snprintf(path, sizeof(path), "%s/%s", root, directory);
    return worktree_find(path, w);
}

static void only_what_the_repository_names(void **state)
{
    struct worktree w;
    char wanted[128];

    (void)state;
    for (size_t i = 0; i < COUNT(claims); i++) {
        make(&claims[i]);
        if (finds("side/sub", &w) != claims[i].counts || finds("side", &w) != claims[i].counts)
            fail_msg("claim %zu", i);
        if (!claims[i].counts)
            continue;
        assert_true(w.linked);
        snprintf(wanted, sizeof(wanted), "%s/side", root);
        assert_string_equal(w.top, wanted);
        snprintf(wanted, sizeof(wanted), "%s/main/.git", root);
        assert_string_equal(w.common, wanted);
    }
}

static void a_file_of_another_kind_claims_nothing(void **state)
{
    struct worktree w;

    (void)state;
    make(&claims[0]);
    assert_int_equal(system("mv side/.git side/real && ln -s real side/.git"), 0);
    assert_false(finds("side", &w));
    assert_int_equal(system("rm side/.git && mkfifo side/.git"), 0);
    assert_false(finds("side", &w));
    make(&claims[0]);
    assert_int_equal(system("cd main/.git/worktrees/side && mv gitdir real && ln -s real gitdir"),
                     0);
    assert_false(finds("side", &w));
    make(&claims[0]);
    assert_int_equal(
        system("printf '%s\\0/x\\n' \"$PWD/side/.git\" >main/.git/worktrees/side/gitdir"), 0);
    assert_false(finds("side", &w));
}

static void the_main_one_is_its_own(void **state)
{
    struct worktree w;
    char wanted[128];

    (void)state;
    make(&claims[0]);
    assert_int_equal(mkdir("main/sub", 0700), 0);
    assert_true(finds("main/sub", &w));
    assert_false(w.linked);
    snprintf(wanted, sizeof(wanted), "%s/main/.git", root);
    assert_string_equal(w.common, wanted);
    assert_false(finds("elsewhere", &w)); /* nothing above it has a .git */
    assert_false(worktree_find("main", &w));
    assert_false(worktree_find("", &w));
    assert_false(worktree_find("/", &w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_the_repository_names),
        cmocka_unit_test(a_file_of_another_kind_claims_nothing),
        cmocka_unit_test(the_main_one_is_its_own),
    };

    return cmocka_run_group_tests(tests, make_root, remove_root);
}
