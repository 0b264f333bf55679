/* What git keeps, read without git: it is what git itself says, from loose objects and from packs,
 * with deltas of both kinds and each version of the index. What somebody has changed is never taken
 * for it. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "support/dice.h"
#include "undo/beneath.h"
#include "undo/git_index.h"
#include "undo/git_objects.h"

#include <cmocka.h>

#define FILES 60

static char top[64];

static void run(const char *command)
{
    char line[4096];

    (void)snprintf(line, sizeof(line),
                   "cd %s && GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 && export "
                   "GIT_CONFIG_GLOBAL GIT_CONFIG_NOSYSTEM && { %s; } >/dev/null 2>&1",
                   top, command);
    assert_int_equal(system(line), 0); /* NOLINT(cert-env33-c): the test's own words */
}

/* Files that git makes deltas of: each like the one before. */
static void write_files(void)
{
    char path[128];

    for (size_t i = 0; i < FILES; i++) {
        (void)snprintf(path, sizeof(path), "%s/%s", top, i % 3 ? "d" : "d/e");
        (void)mkdir(path, 0755);
        (void)snprintf(path, sizeof(path), "%s/%s/file%zu", top, i % 3 ? "d" : "d/e", i);
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        for (size_t n = 100 * i; n < 100 * i + 400; n++) {
            struct dice dice = {n};
            fprintf(f, "%zu %zx\n", n, dice_next(&dice) & 0xfffff);
        }
        fprintf(f, "%zu\n", i);
        for (size_t n = 0; i == FILES / 2 && n < 20000; n++) /* more than one copy of a delta */
            fprintf(f, "line %zu\n", n * n);
        fclose(f);
    }
}

static int begin(void **state)
{
    (void)state;
    (void)snprintf(top, sizeof(top), "/tmp/warder-objects-XXXXXX");
    assert_non_null(mkdtemp(top));
    run("git init -q --template= . && git config user.email a@b && git config user.name n && git "
        "config gc.auto 0");
    run("mkdir d");
    write_files();
    run("git add -A && git commit -qm one");
    return 0;
}

static int finish(void **state)
{
    char command[100];

    (void)state;
    (void)snprintf(command, sizeof(command), "rm -rf %s", top);
    return system(command); /* NOLINT(cert-env33-c): the test's own words */
}

static bool open_index(struct git_index *x, int *git)
{
    char path[100];

    (void)snprintf(path, sizeof(path), "%s/.git", top);
    *git = open(path, O_RDONLY | O_DIRECTORY);
    return git_index_read(x, *git, GIT_INDEX_NAME);
}

/* Every file of the index: its stat, and its content from the objects. */
static void all_are_read(void)
{
    struct git_index x;
    struct git_objects o;
    char path[200];
    int workspace = open(top, O_RDONLY | O_DIRECTORY), git;

    assert_true(open_index(&x, &git));
    assert_true(git_objects_open(&o, workspace));
    assert_int_equal(x.entries.count, FILES);
    for (size_t i = 0; i < x.entries.count; i++) {
        const struct git_entry *e = &x.entries.items[i];
        struct undo_state seen;
        struct git_content content;
        uint64_t size = 0;
        assert_ptr_equal(git_index_find(&x, e->path), e);
        assert_true(beneath_look(workspace, e->path, &seen));
        assert_true(git_entry_is(e, &seen));
        assert_true(git_object_size(&o, e->id, &size));
        assert_int_equal(size, seen.size);
        assert_true(git_object_read(&o, e->id, &content));
        (void)snprintf(path, sizeof(path), "%s/%.*s", top, STR_ARG(e->path));
        FILE *f = fopen(path, "r");
        char *bytes = malloc(size);
        assert_int_equal(fread(bytes, 1, size, f), size);
        assert_memory_equal(bytes, content.bytes, size);
        fclose(f);
        free(bytes);
        free(content.bytes);
    }
    git_objects_close(&o);
    git_index_release(&x);
    close(git);
    close(workspace);
}

static void test_kinds(void **state)
{
    (void)state;
    all_are_read(); /* loose */
    run("git repack -qadf --depth=50 --window=50");
    run("test -z \"$(find .git/objects/[0-9a-f]* -type f)\"");
    run("git verify-pack -v .git/objects/pack/*.idx | grep 'chain length = [3-9]'");
    all_are_read();
    run("git -c repack.useDeltaBaseOffset=false repack -qadf --depth=50");
    all_are_read(); /* deltas of a name */
    run("git update-index --index-version 4");
    all_are_read();
    run("git update-index --index-version 2");
    all_are_read();
    run("git repack -qad && git -c pack.packSizeLimit=1m repack -qadf && git multi-pack-index "
        "write");
    all_are_read();
}

static void test_not_known(void **state)
{
    struct git_index x;
    int git = -1;

    (void)state;
    run("echo more > d/more && git add --intent-to-add d/more");
    assert_true(open_index(&x, &git));
    assert_false(git_index_find(&x, STR("d/more"))->plain);
    git_index_release(&x);
    close(git);
    run("git update-index --split-index && echo x >> d/file1 && git add d/file1");
    assert_false(open_index(&x, &git));
    git_index_release(&x);
    close(git);
    run("git update-index --no-split-index && rm -rf .git && git init -q --object-format=sha256 . "
        "&& git "
        "add d/file1");
    assert_false(open_index(&x, &git));
    git_index_release(&x);
    close(git);
}

/* Of every file that git has, one bit at a time: what is read is what was asked for, or nothing is.
 */
static void test_damaged(void **state)
{
    struct git_index x;
    struct dice dice = {3};
    char path[400], line[400], name[300] = "";
    int workspace = open(top, O_RDONLY | O_DIRECTORY), git;

    (void)state;
    run("git repack -qadf --depth=50");
    assert_true(open_index(&x, &git));
    (void)snprintf(line, sizeof(line),
                   "cd %s && ls .git/objects/pack/*.pack .git/objects/pack/*.idx", top);
    FILE *f = popen(line, "r"); /* NOLINT(cert-env33-c): the test's own words */
    while (fscanf(f, "%299s", name) == 1) {
        (void)snprintf(path, sizeof(path), "%s/%s", top, name);
        (void)chmod(path, 0600);
        for (size_t n = 0; n < 300; n++) {
            struct git_objects o;
            struct git_content content;
            char byte, other;
            int fd = open(path, O_RDWR);
            off_t at = (off_t)dice_below(&dice, n % 2 ? (size_t)lseek(fd, 0, SEEK_END) : 1100);
            assert_int_equal(pread(fd, &byte, 1, at), 1);
            other = (char)(byte ^ 1 << dice_below(&dice, 8));
            assert_int_equal(pwrite(fd, &other, 1, at), 1);
            (void)git_objects_open(&o, workspace);
            for (size_t i = 0; i < x.entries.count; i += 7)
                if (git_object_read(&o, x.entries.items[i].id, &content)) {
                    assert_true(content.len > 100); /* its name is its sum */
                    free(content.bytes);
                }
            git_objects_close(&o);
            assert_int_equal(pwrite(fd, &byte, 1, at), 1);
            close(fd);
        }
    }
    pclose(f);
    git_index_release(&x);
    close(git);
    close(workspace);
    all_are_read();
}

/* An index that was cut off or changed is read as something, or refused; never beyond its end. */
static void test_damaged_index(void **state)
{
    struct git_index x;
    struct dice dice = {4};
    char path[100], *text = NULL;
    int git = -1;

    (void)state;
    for (int version = 2; version <= 4; version += 2) {
        char command[60];
        (void)snprintf(command, sizeof(command), "git update-index --index-version %d", version);
        run(command);
        assert_true(open_index(&x, &git));
        const size_t len = x.text.len;
        text = malloc(len);
        memcpy(text, x.text.s, len);
        git_index_release(&x);
        (void)snprintf(path, sizeof(path), "%s/changed", top);
        int where = open(top, O_RDONLY | O_DIRECTORY);
        for (size_t n = 0; n < 2000; n++) {
            const size_t bit = dice_below(&dice, len * 8),
                         keep = n % 3 ? len : dice_below(&dice, len);
            text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
            FILE *f = fopen(path, "w");
            assert_int_equal(fwrite(text, 1, keep, f), keep);
            fclose(f);
            (void)git_index_read(&x, where, "changed");
            for (size_t i = 0; i < x.entries.count; i++)
                assert_true(x.entries.items[i].path.len > 0);
            git_index_release(&x);
            text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
        }
        free(text);
        close(where);
        close(git);
    }
}

/* How many of the objects that the index names can be read. */
static size_t count_read(size_t *packs)
{
    struct git_index x;
    struct git_objects o;
    struct git_content content;
    uint64_t size;
    int workspace = open(top, O_RDONLY | O_DIRECTORY), git;
    size_t count = 0;

    assert_true(open_index(&x, &git));
    assert_true(git_objects_open(&o, workspace));
    for (size_t i = 0; i < x.entries.count; i++) {
        const bool sized = git_object_size(&o, x.entries.items[i].id, &size);
        const bool read = git_object_read(&o, x.entries.items[i].id, &content);
        assert_int_equal(sized, read);
        free(content.bytes);
        count += read;
    }
    if (packs)
        *packs = o.count;
    git_objects_close(&o);
    git_index_release(&x);
    close(git);
    close(workspace);
    return count;
}

/* Objects that are FIFOs wait for nobody, and no link leads out of the repository. */
static void test_hostile_kinds(void **state)
{
    (void)state;
    assert_int_equal(count_read(NULL), FILES);
    run("mv .git/objects .git/elsewhere && cp -a .git/elsewhere .git/objects && cd .git/objects && "
        "for d in [0-9a-f][0-9a-f]; do rm -r $d && ln -s ../elsewhere/$d $d; done");
    assert_int_equal(count_read(NULL), 0);
    run("cd .git/objects && for d in [0-9a-f][0-9a-f]; do rm $d && mkdir $d && for f in "
        "../elsewhere/$d/*; do "
        "ln -s ../../elsewhere/$d/${f##*/} $d/; done; done");
    assert_int_equal(count_read(NULL), 0);
    run("cd .git/objects && for f in [0-9a-f][0-9a-f]/*; do rm $f && mkfifo $f; done");
    assert_int_equal(count_read(NULL), 0);
    run("rm -rf .git/objects && mkdir .git/objects && ln -s ../elsewhere/pack .git/objects/pack && "
        "cd .git/elsewhere && git --git-dir=.. repack -qad 2>/dev/null; true");
    assert_int_equal(count_read(NULL), 0);
}

/* Packs whose indexes are large and empty: what is read of all of them has a limit. */
static void test_hostile_indexes(void **state)
{
    size_t packs = 0;

    (void)state;
    run("cd .git/objects/pack && for i in 1 2 3 4; do printf '\\377tOc\\0\\0\\0\\2' > $i.idx && "
        "truncate -s 50M $i.idx && : > $i.pack; done");
    assert_int_equal(count_read(&packs), FILES); /* they are loose */
    assert_int_equal(packs, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kinds, begin, finish),
        cmocka_unit_test_setup_teardown(test_not_known, begin, finish),
        cmocka_unit_test_setup_teardown(test_damaged, begin, finish),
        cmocka_unit_test_setup_teardown(test_damaged_index, begin, finish),
        cmocka_unit_test_setup_teardown(test_hostile_kinds, begin, finish),
        cmocka_unit_test_setup_teardown(test_hostile_indexes, begin, finish),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
