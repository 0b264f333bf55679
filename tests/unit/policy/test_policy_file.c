/* Which files are refused: writable by others, owned by others, too large, not regular, links that
 * leave the project. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/file.h"
#include "policy/load.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail */

static const struct {
    const char *why;
    mode_t mode, directory;
    enum file_guard guard;
    enum status want;
} mode_cases[] = {
    {"ours alone", 0600, 0700, FILE_MANAGED, STATUS_OK},
    {"all users may read", 0644, 0755, FILE_PERSON, STATUS_OK},
    {"all users may write", 0646, 0755, FILE_PERSON, STATUS_UNSAFE},
    {"all users may write a managed file", 0602, 0755, FILE_MANAGED, STATUS_UNSAFE},
    {"all users may write a project file", 0646, 0755, FILE_PROJECT, STATUS_UNSAFE},
    {"the group may write a managed file", 0664, 0755, FILE_MANAGED, STATUS_UNSAFE},
    {"all users may replace it", 0644, 0777, FILE_PERSON, STATUS_UNSAFE},
    {"all users may replace a project file", 0644, 0777, FILE_PROJECT, STATUS_UNSAFE},
    {"a sticky directory like /tmp", 0644, 01777, FILE_PERSON, STATUS_OK},
};

static enum status read_in(const struct tree *t, const char *path, enum file_guard guard,
                           struct file_text *out, struct error *err)
{
    char whole[TREE_PATH_MAX];

    snprintf(whole, sizeof(whole), "%s/%s", t->root, path);
    return file_read(whole, guard, t->project, out, err);
}

/* Reads, checks the status, frees. */
static void expect(const struct tree *t, const char *path, enum file_guard guard, enum status want,
                   const char *why)
{
    struct file_text text;
    struct error err = {0};
    enum status status = read_in(t, path, guard, &text, &err);

    if (status != want)
        fail_msg("%s: status %d, not %d: %s", why, (int)status, (int)want, err.message);
    assert_int_equal(text.text != NULL, status == STATUS_OK && text.found);
    assert_int_equal(status != STATUS_OK, err.message[0] != '\0');
    free(text.text);
}

static void modes(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(mode_cases); i++) {
        struct tree t;
        tree_make(&t);
        tree_write(&t, "project/d/f", "x", mode_cases[i].mode);
        assert_int_equal(chmod(tree_path(&t, "project/d"), mode_cases[i].directory), 0);
        expect(&t, "project/d/f", mode_cases[i].guard, mode_cases[i].want, mode_cases[i].why);
        tree_remove(&t);
    }
}

static void group_counts_unless_it_is_private(void **state)
{
    struct tree t;
    struct stat st;

    (void)state;
    assert_false(file_group_is_private(0, 0));
    assert_false(file_group_is_private(1, 1));       /* daemon: a group of the system */
    assert_false(file_group_is_private(1000, 1001)); /* not the owner's */
    assert_false(file_group_is_private(
        65534, 65534)); /* the group of the user nobody has another name, and other members */
    tree_make(&t);
    tree_write(&t, "f", "x", 0664);
    assert_int_equal(stat(tree_path(&t, "f"), &st), 0);
    expect(&t, "f", FILE_PERSON,
           file_group_is_private(st.st_uid, st.st_gid) ? STATUS_OK : STATUS_UNSAFE, "0664");
    tree_remove(&t);
}

static void owner_must_be_us_or_root(void **state)
{
    struct tree t;

    (void)state;
    if (geteuid() != 0) {
        printf("SKIPPED: only root can give files away\n");
        return;
    }
    tree_make(&t);
    tree_write(&t, "project/f", "x", 0644);
    assert_int_equal(chown(tree_path(&t, "project/f"), 12345, 12345), 0);
    expect(&t, "project/f", FILE_PERSON, STATUS_UNSAFE, "another user's");
    expect(&t, "project/f", FILE_MANAGED, STATUS_UNSAFE, "another user's, managed");
    expect(&t, "project/f", FILE_PROJECT, STATUS_OK, "a project may be a colleague's");
    tree_remove(&t);
}

static void size_is_limited(void **state)
{
    struct tree t;
    struct file_text text;
    char *large = malloc(POLICY_TEXT_MAX + 1);

    (void)state;
    assert_non_null(large);
    memset(large, 'x', POLICY_TEXT_MAX + 1);
    tree_make(&t);
    tree_write_bytes(&t, "most", large, POLICY_TEXT_MAX, 0);
    assert_int_equal(read_in(&t, "most", FILE_PERSON, &text, NULL), STATUS_OK);
    assert_int_equal(text.len, POLICY_TEXT_MAX);
    assert_memory_equal(text.text, large, POLICY_TEXT_MAX);
    assert_int_equal(text.text[text.len], '\0');
    free(text.text);
    tree_write_bytes(&t, "more", large, POLICY_TEXT_MAX + 1, 0);
    expect(&t, "more", FILE_PERSON, STATUS_LIMIT, "one byte more");
    tree_write(&t, "none", "", 0);
    assert_int_equal(read_in(&t, "none", FILE_PERSON, &text, NULL), STATUS_OK);
    assert_true(text.found && text.text && text.len == 0);
    free(text.text);
    free(large);
    tree_remove(&t);
}

static void links(void **state)
{
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, "dotfiles/f", "x", 0);
    tree_link(&t, "home/f", "@/dotfiles/f");
    expect(&t, "home/f", FILE_PERSON, STATUS_OK, "dotfiles are often links");
    tree_write(&t, "dotfiles/f", "x", 0666);
    expect(&t, "home/f", FILE_PERSON, STATUS_UNSAFE, "what the link leads to counts");

    tree_write(&t, "project/real", "x", 0);
    tree_link(&t, "project/inner", "real");
    expect(&t, "project/inner", FILE_PROJECT, STATUS_OK, "a link inside the project");
    tree_write(&t, "outer", "x", 0);
    tree_link(&t, "project/outer", "../outer");
    expect(&t, "project/outer", FILE_PROJECT, STATUS_UNSAFE, "a link out of the project");
    tree_write(&t, "project-twin/f", "x", 0);
    tree_link(&t, "project/twin", "../project-twin/f");
    expect(&t, "project/twin", FILE_PROJECT, STATUS_UNSAFE,
           "a name that only begins like the project's");
    tree_link(&t, "project/away", "@/home");
    expect(&t, "project/away/f", FILE_PROJECT, STATUS_UNSAFE, "a directory that is a link out");
    tree_link(&t, "project/nothing", "nowhere");
    expect(&t, "project/nothing", FILE_PROJECT, STATUS_IO, "a link to nothing");
    tree_link(&t, "project/loop", "loop");
    expect(&t, "project/loop", FILE_PROJECT, STATUS_IO, "a link to itself");
    tree_remove(&t);
}

static void what_is_no_file(void **state)
{
    struct tree t;
    struct file_text text;

    (void)state;
    tree_make(&t);
    assert_int_equal(read_in(&t, "missing", FILE_PERSON, &text, NULL), STATUS_OK);
    assert_false(text.found);
    assert_int_equal(read_in(&t, "no/such/place", FILE_PERSON, &text, NULL), STATUS_OK);
    assert_false(text.found);
    expect(&t, "home", FILE_PERSON, STATUS_UNSAFE, "a directory");
    assert_int_equal(mkfifo(tree_path(&t, "pipe"), 0600), 0);
    expect(&t, "pipe", FILE_PERSON, STATUS_UNSAFE, "a pipe, without waiting for its writer");
    /* The kernel reports a size of zero and then returns more: like a file that grows while it is
     * read. */
    if (access("/proc/version", R_OK) == 0)
        assert_int_equal(file_read("/proc/version", FILE_PERSON, NULL, &text, NULL), STATUS_IO);
    if (geteuid() != 0) {
        tree_write(&t, "secret", "x", 0200);
        expect(&t, "secret", FILE_PERSON, STATUS_IO, "a file we may not read");
    }
    tree_remove(&t);
}

/* A file that cannot be read makes the whole policy deny. */
static void refused_files_break_the_book(void **state)
{
    struct tree t;
    struct policy *p;

    (void)state;
    tree_make(&t);
    tree_write(&t, "home/.claude/settings.json", "{}", 0666);
    struct policy_request r = tree_request(&t);
    assert_int_equal(policy_open(&r, &p, NULL), STATUS_OK);
    const struct problem *broken = rulebook_broken(&p->book);
    assert_non_null(broken);
    assert_true(str_contains(broken->message, STR("others can write")));
    policy_free(p);

    tree_write(&t, "home/.claude/settings.json", "{}", 0600);
    tree_link(&t, "project/.claude/settings.json", "/etc/passwd");
    assert_int_equal(policy_open(&r, &p, NULL), STATUS_OK);
    broken = rulebook_broken(&p->book);
    assert_non_null(broken);
    assert_true(str_contains(broken->message, STR("leaves the project")));
    policy_free(p);
    tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes),
        cmocka_unit_test(group_counts_unless_it_is_private),
        cmocka_unit_test(owner_must_be_us_or_root),
        cmocka_unit_test(size_is_limited),
        cmocka_unit_test(links),
        cmocka_unit_test(what_is_no_file),
        cmocka_unit_test(refused_files_break_the_book),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
