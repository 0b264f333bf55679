/* real_world compared with the kernel: a path resolves to the file that open() would reach or
 * create. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/age.h"
#include "machine/ignored.h"
#include "machine/world.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

#define LINKS_MAX 40 /* the kernel's limit */

/* "@/x" is x in the tree, and "@" the tree itself; anything else is unchanged. */
static void place(const struct tree *t, const char *path, char out[WORLD_PATH_MAX])
{
    snprintf(out, WORLD_PATH_MAX, "%s%s", path[0] == '@' ? t->root : "", path + (path[0] == '@'));
}

static void link_to(const struct tree *t, const char *path, const char *target)
{
    char from[WORLD_PATH_MAX], to[WORLD_PATH_MAX];

    place(t, path, from);
    place(t, target, to);
    assert_int_equal(symlink(to, from), 0);
}

static bool resolve(const char *path, char out[WORLD_PATH_MAX])
{
    return real_world.resolve(NULL, path, out);
}

/* The path of what the kernel opens, or creates (removed again here). False if it does neither. */
static bool kernel_opens(const char *path, char out[WORLD_PATH_MAX])
{
    char name[64];
    int fd = open(path, O_PATH | O_CLOEXEC);
    bool created = fd < 0 && errno == ENOENT;

    if (created)
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
    ssize_t n = readlink(name, out, WORLD_PATH_MAX - 1);
    close(fd);
    assert_true(n > 0);
    out[n] = '\0';
    if (created)
        assert_int_equal(unlink(out), 0);
    return true;
}

/* The tree is created in /tmp, which may itself be a link. */
static void make_tree(struct tree *t)
{
    char real[WORLD_PATH_MAX];

    tree_make(t);
    assert_non_null(realpath(t->root, real));
    assert_true(strlen(real) < sizeof(t->root));
    memcpy(t->root, real, strlen(real) + 1);
}

/* -- named cases ------------------------------------------------------------ */

static const struct {
    const char *path, *target;
} links[] = {
    {"@/to-file", "dir/file"},
    {"@/to-file-absolute", "@/dir/file"},
    {"@/to-dir", "dir"},
    {"@/to-dir-slash", "dir/"},
    {"@/to-sub", "dir/sub"},
    {"@/dir/sideways", "../other"},
    {"@/dots", "./dir/./sub/.."},
    {"@/to-root", "/"},
    {"@/chain1", "chain2"},
    {"@/chain2", "@/other/chain3"},
    {"@/other/chain3", "../dir/sub/../file"},
    {"@/dangling", "nowhere"},
    {"@/dangling-deep", "nowhere/deep/x"},
    {"@/dangling-absolute", "@/nowhere"},
    {"@/dangling-chain", "dangling"},
    {"@/self", "self"},
    {"@/loop-a", "loop-b"},
    {"@/loop-b", "@/loop-a"},
};

static const struct {
    const char *path, *want; /* NULL: not known */
} resolved[] = {
    {"/", "/"},
    {"//", "/"},
    {"/..", "/"},
    {"/../../.", "/"},
    {"@", "@"},
    {"@/", "@"},
    {"@/dir/file", "@/dir/file"},
    {"@//dir/.//file", "@/dir/file"},
    {"@/dir/sub/..", "@/dir"},
    {"@/dir/sub/../..", "@"},
    {"@/to-file", "@/dir/file"},
    {"@/to-file-absolute", "@/dir/file"},
    {"@/to-dir", "@/dir"},
    {"@/to-dir/", "@/dir"},
    {"@/to-dir-slash/file", "@/dir/file"},
    {"@/dots/file", "@/dir/file"},
    {"@/to-root", "/"},
    {"@/to-root/..", "/"},
    {"@/chain1", "@/dir/file"},
    /* ".." is the parent of the link's target, not of the link */
    {"@/to-dir/..", "@"},
    {"@/to-sub/..", "@/dir"},
    {"@/to-sub/../file", "@/dir/file"},
    {"@/to-dir/sideways/../dir", "@/dir"},
    {"@/dir/sideways/new", "@/other/new"},
    /* a name that does not exist is kept, below the resolved part that does */
    {"@/new", "@/new"},
    {"@/to-dir/new", "@/dir/new"},
    {"@/to-dir/new/newer", "@/dir/new/newer"},
    {"@/no/such/parents", "@/no/such/parents"},
    {"@/dir/file/below", "@/dir/file/below"},
    /* a file written through a link to nothing appears where the link leads */
    {"@/dangling", "@/nowhere"},
    {"@/dangling-absolute", "@/nowhere"},
    {"@/dangling-chain", "@/nowhere"},
    {"@/dangling-deep", "@/nowhere/deep/x"},
    {"@/dangling/below", "@/nowhere/below"},
    /* after a name that does not exist, links count again: it may exist by then */
    {"@/new/../to-file", "@/dir/file"},
    {"@/new/newer/../../to-dir/file", "@/dir/file"},
    {"@/dangling/../to-dir/new", "@/dir/new"},
    {"@/self", NULL},
    {"@/self/x", NULL},
    {"@/loop-a", NULL},
    {"@/to-dir/../loop-b/x", NULL},
    {"", NULL},
    {"relative", NULL},
    {"./@/dir", NULL},
};

static void make_links(struct tree *t)
{
    make_tree(t);
    tree_write(t, "dir/file", "", 0);
    tree_write(t, "dir/sub/file", "", 0);
    tree_write(t, "other/file", "", 0);
    for (size_t i = 0; i < COUNT(links); i++)
        link_to(t, links[i].path, links[i].target);
}

static void named_cases(void **state)
{
    struct tree t;
    char path[WORLD_PATH_MAX], want[WORLD_PATH_MAX], got[WORLD_PATH_MAX], kernel[WORLD_PATH_MAX];

    (void)state;
    make_links(&t);
    for (size_t i = 0; i < COUNT(resolved); i++) {
        place(&t, resolved[i].path, path);
        bool known = resolve(path, got);
        if (known != (resolved[i].want != NULL))
            fail_msg("%s: %s", resolved[i].path, known ? got : "not known");
        if (!known)
            continue;
        place(&t, resolved[i].want, want);
        assert_string_equal(got, want);
        if (kernel_opens(path, kernel))
            assert_string_equal(got, kernel);
    }
    tree_remove(&t);
}

/* -- limits ------------------------------------------------------------------ */

static void as_many_links_as_the_kernel_follows(void **state)
{
    struct tree t;
    char name[64], target[64], got[WORLD_PATH_MAX];

    (void)state;
    make_tree(&t);
    tree_write(&t, "n0", "", 0);
    for (int i = 1; i <= LINKS_MAX + 1; i++) {
        snprintf(name, sizeof(name), "@/n%d", i);
        snprintf(target, sizeof(target), "n%d", i - 1);
        link_to(&t, name, target);
    }
    for (int i = LINKS_MAX; i <= LINKS_MAX + 1; i++) {
        snprintf(name, sizeof(name), "n%d", i);
        assert_int_equal(resolve(tree_path(&t, name), got), i == LINKS_MAX);
        assert_int_equal(access(tree_path(&t, name), F_OK) == 0, i == LINKS_MAX);
    }
    tree_remove(&t);
}

static void a_name_too_long_for_the_disk(void **state)
{
    struct tree t;
    char name[300] = "", got[WORLD_PATH_MAX];

    (void)state;
    make_tree(&t);
    memset(name, 'n', 256);
    assert_false(resolve(tree_path(&t, name), got));
    name[255] = '\0';
    assert_true(resolve(tree_path(&t, name), got));
    assert_string_equal(got, tree_path(&t, name));
    tree_remove(&t);
}

/* The tree, "/new" and "/nnnn" up to `len` bytes in all: it does not exist, so the disk cannot
 * refuse it. */
static void long_path(const struct tree *t, size_t len, char *out)
{
    size_t root = strlen(t->root);

    memset(out, 'n', len);
    memcpy(out, t->root, root);
    memcpy(out + root, "/new/", 5);
    out[len] = '\0';
}

static void a_path_too_long_for_us(void **state)
{
    struct tree t;
    char path[WORLD_PATH_MAX + 1], got[WORLD_PATH_MAX];

    (void)state;
    make_tree(&t);
    long_path(&t, WORLD_PATH_MAX - 1, path);
    assert_true(resolve(path, got));
    assert_string_equal(got, path);
    long_path(&t, WORLD_PATH_MAX, path);
    assert_false(resolve(path, got));
    tree_remove(&t);
}

/* A short path that becomes too long on the way: by the rest after a link, and by its target. */
static void a_link_that_makes_it_too_long(void **state)
{
    struct tree t;
    char target[WORLD_PATH_MAX], path[WORLD_PATH_MAX], got[WORLD_PATH_MAX];

    (void)state;
    make_tree(&t);
    memset(target, 'n', 2000);
    memcpy(target, "new/", 4);
    target[2000] = '\0';
    link_to(&t, "@/l", target);
    long_path(&t, 2000, path);
    memcpy(path + strlen(t.root), "/l/nn", 5);
    assert_true(resolve(path, got));
    long_path(&t, 3000, path);
    memcpy(path + strlen(t.root), "/l/nn", 5);
    assert_false(resolve(path, got));
    tree_remove(&t);
}

/* -- random trees, compared with the kernel ---------------------------------------- */

static uint32_t seed = 20240607;

static uint32_t roll(uint32_t n)
{
    seed = seed * 1664525 + 1013904223;
    return (seed >> 16) % n;
}

static void random_path(uint32_t parts, char *out, size_t room)
{
    static const char *const names[] = {"a", "b", "c", "d", "a", "b", "..", ".", ""};
    size_t len = 0;

    for (uint32_t i = 0; i < parts; i++)
        len += (size_t)snprintf(out + len, room - len, "%s%s", i ? "/" : "",
                                names[roll(COUNT(names) - (i == 0))]);
}

/* Directories, files and links with few names, so that paths hit them; what cannot be created is
 * skipped. */
static void random_tree(const struct tree *t)
{
    char path[1024], target[WORLD_PATH_MAX], below[256];

    for (int i = 0; i < 12; i++) {
        random_path(1 + roll(3), below, sizeof(below));
        if (strstr(below, ".."))
            continue;
        snprintf(path, sizeof(path), "%s/%s", t->root, below);
        if (roll(3) == 0) {
            mkdir(path, 0755);
            continue;
        }
        random_path(1 + roll(4), below, sizeof(below));
        snprintf(target, sizeof(target), "%s%s%s", roll(3) ? "" : t->root, roll(3) ? "" : "/",
                 below);
        if (target[0] != '/' || strncmp(target, t->root, strlen(t->root)) == 0)
            (void)!symlink(target, path);
    }
}

static bool is_in_tree(const struct tree *t, const char *path)
{
    return strncmp(path, t->root, strlen(t->root)) == 0 && path[strlen(t->root)] == '/';
}

static void random_trees(void **state)
{
    char below[256], path[1024], got[WORLD_PATH_MAX], kernel[WORLD_PATH_MAX];
    size_t compared = 0;

    (void)state;
    for (int i = 0; i < 200; i++) {
        struct tree t;
        make_tree(&t);
        random_tree(&t);
        for (int j = 0; j < 80; j++) {
            random_path(1 + roll(5), below, sizeof(below));
            snprintf(path, sizeof(path), "%s/%s", t.root, below);
            bool known = resolve(path, got);
            /* Create nothing outside the tree: skip paths that lead there. */
            if ((known && !is_in_tree(&t, got)) || !kernel_opens(path, kernel))
                continue;
            compared++;
            if (!known || strcmp(got, kernel) != 0)
                fail_msg("tree %d, %s: %s, and the kernel says %s", i, path,
                         known ? got : "not known", kernel);
        }
        tree_remove(&t);
    }
    assert_true(compared > 1000);
}

/* -- kinds and programs --------------------------------------------------------- */

static void kinds(void **state)
{
    static const struct {
        const char *path;
        enum file_kind want;
    } cases[] = {
        {"@/dir/file", FILE_REGULAR}, {"@/to-file", FILE_REGULAR},       {"@/dir", FILE_DIRECTORY},
        {"@/to-dir", FILE_DIRECTORY}, {"/dev/null", FILE_OTHER},         {"@/new", FILE_ABSENT},
        {"@/dangling", FILE_ABSENT},  {"@/dir/file/below", FILE_ABSENT}, {"@/self", FILE_UNKNOWN},
    };
    struct tree t;
    char path[WORLD_PATH_MAX];

    (void)state;
    make_links(&t);
    for (size_t i = 0; i < COUNT(cases); i++) {
        place(&t, cases[i].path, path);
        assert_int_equal(real_world.kind(NULL, path), cases[i].want);
    }
    tree_remove(&t);
}

static void programs(void **state)
{
    static const struct {
        const char *name, *want; /* NULL: there is none */
    } cases[] = {
        {"tool", "@/bin2/tool"},     /* in bin1 it is a directory */
        {"data", "@/bin2/data"},     /* in bin1 it is not executable */
        {"both", "@/bin1/both"},     /* the first hit */
        {"linked", "@/bin2/tool"},   /* the file, not the link */
        {"broken", "@/bin2/broken"}, /* in bin1 it is a dangling link */
        {"nothing", NULL},           {"", NULL},
    };
    struct tree t;
    char want[WORLD_PATH_MAX], got[WORLD_PATH_MAX], path[WORLD_PATH_MAX];

    (void)state;
    make_tree(&t);
    tree_write(&t, "bin1/tool/x", "", 0755);
    tree_write(&t, "bin1/data", "", 0644);
    tree_write(&t, "bin1/both", "", 0755);
    tree_write(&t, "bin2/tool", "", 0755);
    tree_write(&t, "bin2/data", "", 0755);
    tree_write(&t, "bin2/both", "", 0755);
    tree_write(&t, "bin2/broken", "", 0755);
    link_to(&t, "@/bin1/linked", "../bin2/tool");
    link_to(&t, "@/bin1/broken", "nowhere");
    snprintf(path, sizeof(path), "/nonexistent:%s/bin1:%s/bin2", t.root, t.root);
    setenv("PATH", path, 1);
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool found = real_world.program(NULL, str_from(cases[i].name), got);
        assert_int_equal(found, cases[i].want != NULL);
        place(&t, cases[i].want ? cases[i].want : "", want);
        if (found)
            assert_string_equal(got, want);
    }
    unsetenv("PATH");
    assert_false(real_world.program(NULL, STR("both"), got));
    tree_remove(&t);
}

static bool unchanged(const struct tree *t, const char *path, int64_t since)
{
    char real[WORLD_PATH_MAX];

    place(t, path, real);
    return real_world.unchanged(NULL, real, since);
}

static int64_t ctime_of(const char *path)
{
    struct stat st;

    assert_int_equal(lstat(path, &st), 0);
    return st.st_ctim.tv_sec;
}

/* system.scripts tests who may change it and how: ctime cannot be set, so such a test has to
 * wait. */
static void age(void **state)
{
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, "a", "x", 0);
    tree_write(&t, "d/b", "x", 0);
    link_to(&t, "@/link", "@/a");
    link_to(&t, "@/directory", "@/d");
    link_to(&t, "@/broken", "@/nothing");
    int64_t made = ctime_of(tree_path(&t, "broken"));
    assert_true(unchanged(&t, "@/a", ctime_of(tree_path(&t, "a")) + AGE_MARGIN));
    assert_false(unchanged(&t, "@/a", ctime_of(tree_path(&t, "a")) + AGE_MARGIN - 1));
    assert_true(unchanged(&t, "@/link", made + AGE_MARGIN));
    assert_true(unchanged(&t, "@/directory/b", made + AGE_MARGIN));
    assert_true(unchanged(&t, "@/directory/../a", made + AGE_MARGIN));
    assert_false(unchanged(&t, "@/a", 0));
    assert_false(unchanged(&t, "@/a", -1));
    assert_false(unchanged(&t, "@/broken", made + 100));
    assert_false(unchanged(&t, "@/nothing", made + 100));
    assert_false(unchanged(&t, "@/d", made + 100));
    assert_false(unchanged(&t, "/proc/self/status", made + 100000)); /* not a local disk */
    assert_false(unchanged(&t, "/dev/null", made + 100000));
    assert_false(unchanged(&t, "a", made + 100));
    tree_remove(&t);
}

static bool compiled(const struct tree *t, const char *path, struct file_mark *out)
{
    char real[WORLD_PATH_MAX];

    place(t, path, real);
    return real_world.compiled(NULL, real, out);
}

#define OBJECT "\177ELF and more"

static void compiled_programs(void **state)
{
    struct tree t;
    struct file_mark mark, again;
    struct stat st;

    (void)state;
    tree_make(&t);
    tree_write(&t, "a", OBJECT, 0755);
    tree_write(&t, "d/b", OBJECT, 0755);
    tree_write(&t, "short", "\177EL", 0755);
    tree_write(&t, "script", "#!/bin/sh\n", 0755);
    tree_write(&t, "empty", "", 0755);
    tree_write(&t, "data", OBJECT, 0644);
    link_to(&t, "@/link", "@/a");
    link_to(&t, "@/directory", "@/d");
    assert_int_equal(mkfifo(tree_path(&t, "pipe"), 0755), 0);
    assert_true(compiled(&t, "@/a", &mark));
    assert_int_equal(stat(tree_path(&t, "a"), &st), 0);
    assert_true(mark.inode == (int64_t)st.st_ino && mark.changed / 1000000000 == st.st_ctim.tv_sec);
    assert_true(compiled(&t, "@/d/b", &again));
    assert_true(again.inode != mark.inode);
    static const char *const others[] = {
        "@/short",   "@/script", "@/empty", "@/data", "@/link",    "@/pipe",        "@/directory/b",
        "@/nothing", "@/d/../a", "@/d",     "a",      "/dev/null", "/proc/self/exe"};
    for (size_t i = 0; i < COUNT(others); i++)
        assert_false(compiled(&t, others[i], &mark));
    if (geteuid() == 0) {
        assert_int_equal(chown(tree_path(&t, "a"), 12345, (gid_t)-1), 0);
        assert_false(compiled(&t, "@/a", &mark));
    }
    tree_remove(&t);
}

static bool ignored(const struct tree *t, const char *path)
{
    char real[WORLD_PATH_MAX];

    place(t, path, real);
    return real_world.ignored(NULL, real);
}

/* As `git check-ignore` says it; what is doubtful counts as not ignored. */
static void ignored_files(void **state)
{
    static const char *const yes[] = {"@/r/a.xml", "@/r/d/a.xml",    "@/r/out/x",
                                      "@/r/x.tmp", "@/r/d/only.log", "@/r/d/e/deep.txt"};
    static const char *const no[] = {"@/r/keep.xml", "@/r/d/out/x",  "@/r/a.c",      "@/r/#x",
                                     "@/r/only.log", "@/r/d/back.o", "@/outside.xml"};
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, "r/.git/info/exclude", "*.tmp\n", 0644);
    tree_write(&t, "r/.gitignore", "# a comment\n#x\n*.xml\r\n!keep.xml\n/out/  \n\n*.o", 0644);
    tree_write(&t, "r/d/.gitignore", "only.log\ne/\n!back.o\n", 0644);
    for (size_t i = 0; i < COUNT(yes); i++)
        assert_true(ignored(&t, yes[i]));
    for (size_t i = 0; i < COUNT(no); i++)
        assert_false(ignored(&t, no[i]));
    char *large = calloc(1, IGNORED_BYTES_MAX + 2);
    assert_non_null(large);
    memset(large, '\n', IGNORED_BYTES_MAX);
    memcpy(large, "*.xml", 5);
    tree_write(&t, "r/.gitignore", large, 0644);
    assert_true(ignored(&t, "@/r/a.xml"));
    large[IGNORED_BYTES_MAX] = '\n';
    tree_write(&t, "r/.gitignore", large, 0644);
    assert_false(ignored(&t, "@/r/a.xml"));
    free(large);
    tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_cases),
        cmocka_unit_test(as_many_links_as_the_kernel_follows),
        cmocka_unit_test(a_name_too_long_for_the_disk),
        cmocka_unit_test(a_path_too_long_for_us),
        cmocka_unit_test(a_link_that_makes_it_too_long),
        cmocka_unit_test(random_trees),
        cmocka_unit_test(kinds),
        cmocka_unit_test(programs),
        cmocka_unit_test(age),
        cmocka_unit_test(compiled_programs),
        cmocka_unit_test(ignored_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
