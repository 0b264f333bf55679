/* Trust is given to a place and its content: any change ends it, and no one else can give it. Which
 * work trees are one place, git says in tests/system/trust.bats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "policy/load.h"
#include "policy/project.h"
#include "policy/trust.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail */

static enum trust check(const struct tree *t, const char *project)
{
    enum trust answer;
    struct error err = {0};

    if (trust_check(t->state, tree_path(t, project), &answer, &err))
        fail_msg("%s", err.message);
    return answer;
}

static void add(const struct tree *t, const char *project)
{
    struct error err = {0};

    if (trust_add(t->state, tree_path(t, project), &err))
        fail_msg("%s", err.message);
}

static void given_and_taken_back(void **state)
{
    struct tree t;
    struct trust_store store;

    (void)state;
    tree_make(&t);
    assert_int_equal(check(&t, "project"), TRUST_NO_FILES);
    assert_int_equal(trust_add(t.state, t.project, NULL), STATUS_USAGE);
    tree_write(&t, "project/.warder/warder.yaml", "allow: [A]\n", 0);
    tree_write(&t, "copy/.warder/warder.yaml", "allow: [A]\n", 0);
    tree_write(&t, "other/.warder/warder.yaml", "allow: [B]\n", 0);
    assert_int_equal(check(&t, "project"), TRUST_NO);
    add(&t, "project");
    add(&t, "project"); /* adding it again changes nothing */
    assert_int_equal(check(&t, "project"), TRUST_YES);
    assert_int_equal(check(&t, "copy"), TRUST_NO);
    assert_int_equal(check(&t, "other"), TRUST_NO);

    add(&t, "other");
    assert_int_equal(trust_load(t.state, &store, NULL), STATUS_OK);
    assert_int_equal(store.count, 2);
    assert_true(str_is(store.items[0].project, t.project));
    trust_release(&store);

    assert_int_equal(trust_remove(t.state, tree_path(&t, "copy"), NULL), STATUS_OK);
    assert_int_equal(check(&t, "project"), TRUST_YES);
    assert_int_equal(trust_remove(t.state, t.project, NULL), STATUS_OK);
    assert_int_equal(check(&t, "project"), TRUST_NO);
    assert_int_equal(check(&t, "other"), TRUST_YES);
    tree_remove(&t);
}

static void store_is_ours_alone(void **state)
{
    struct tree t;
    struct stat st;
    enum trust answer;
    struct error err;

    (void)state;
    tree_make(&t);
    tree_write(&t, "project/.warder/warder.yaml", "allow: [A]\n", 0);
    add(&t, "project");
    assert_int_equal(stat(t.state, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    assert_int_equal(stat(tree_path(&t, "state/trust.json"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_int_equal(access(tree_path(&t, "state/trust.json.new"), F_OK), -1);

    assert_int_equal(chmod(tree_path(&t, "state/trust.json"), 0666), 0);
    assert_int_equal(trust_check(t.state, t.project, &answer, &err), STATUS_UNSAFE);
    assert_int_equal(answer, TRUST_NO);
    tree_write(&t, "state/trust.json", "{\"trusted\": 1}", 0600);
    assert_int_equal(trust_check(t.state, t.project, &answer, &err), STATUS_SYNTAX);
    assert_int_equal(answer, TRUST_NO);
    tree_write(&t, "state/trust.json", "{\"trusted\": [{\"digest\": \"\"}, {}, 3]}", 0600);
    assert_int_equal(trust_check(t.state, t.project, &answer, &err), STATUS_OK);
    assert_int_equal(answer, TRUST_NO);
    assert_int_equal(chmod(t.state, 0770), 0);
    assert_int_equal(trust_add(t.state, t.project, &err), STATUS_UNSAFE);
    assert_int_equal(chmod(t.state, 0777), 0);
    assert_int_equal(trust_add(t.state, t.project, &err), STATUS_UNSAFE);
    assert_int_equal(trust_add("", t.project, &err), STATUS_USAGE);
    tree_remove(&t);
}

/* Each changes something that trust depends on, or does not. */
static const struct {
    const char *path, *text;
    enum trust want;
} change_cases[] = {
    {"project/.warder/warder.yaml", "allow: [A, B]\n", TRUST_NO},
    {"project/.warder/warder.local.yaml", "", TRUST_NO},
    {"project/.warder/programs/more.yaml", "x", TRUST_NO},
    {"project/.warder/.hidden", "x", TRUST_NO},
    {"project/.claude/settings.json", "{}", TRUST_NO},
    {"project/.claude/settings.local.json", "{}", TRUST_NO},
    {"project/.caliban/permissions.toml", "", TRUST_NO},
    {"project/.claude/commands/x.md", "x", TRUST_YES},
    {"project/.claude/other.json", "{}", TRUST_YES},
    {"project/src/main.c", "x", TRUST_YES},
};

static void changes_end_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(change_cases); i++) {
        struct tree t;
        tree_make(&t);
        tree_write(&t, "project/.warder/warder.yaml", "allow: [A]\n", 0);
        add(&t, "project");
        tree_write(&t, change_cases[i].path, change_cases[i].text, 0);
        if (check(&t, "project") != change_cases[i].want)
            fail_msg("%s", change_cases[i].path);
        tree_remove(&t);
    }
}

/* Bytes cannot move between names and contents unnoticed. */
static void digests_differ(void **state)
{
    static const struct tree_file pairs[][2] = {
        {{"project/.warder/1", "a", 0}, {"project/.warder/2", "bc", 0}},
        {{"project/.warder/1", "ab", 0}, {"project/.warder/2", "c", 0}},
        {{"project/.warder/1", "abc", 0}, {"project/.warder/2", "", 0}},
        {{"project/.warder/1", "", 0}, {"project/.warder/2", "abc", 0}},
        {{"project/.warder/1", "a", 0}, {"project/.warder/3", "bc", 0}},
        {{"project/.warder/1a", "", 0}, {"project/.warder/2b", "c", 0}},
    };
    char digests[COUNT(pairs)][SHA256_HEX];

    (void)state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct tree t;
        struct project_files files;
        tree_make(&t);
        tree_write(&t, pairs[i][0].path, pairs[i][0].text, 0);
        tree_write(&t, pairs[i][1].path, pairs[i][1].text, 0);
        assert_int_equal(project_read(t.project, &files, NULL), STATUS_OK);
        memcpy(digests[i], files.digest, SHA256_HEX);
        assert_int_equal(strlen(digests[i]), SHA256_HEX - 1);
        project_release(&files);
        tree_remove(&t);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(digests[i], digests[j]);
    }
}

static void what_cannot_be_read_cannot_be_trusted(void **state)
{
    struct tree t;
    struct error err = {0};

    (void)state;
    tree_make(&t);
    tree_write(&t, "project/.warder/warder.yaml", "allow: [A]\n", 0);
    tree_link(&t, "project/.warder/away", "/etc/passwd");
    assert_int_equal(trust_add(t.state, t.project, &err), STATUS_UNSAFE);
    assert_non_null(strstr(err.message, ".warder/away"));
    assert_int_equal(check(&t, "project"), TRUST_NO);

    /* It has no hash; an empty hash in the store trusts nothing. */
    tree_write(&t, "state/trust.json", "{\"trusted\": [{\"digest\": \"\"}, {}]}", 0600);
    assert_int_equal(chmod(t.state, 0700), 0);
    assert_int_equal(check(&t, "project"), TRUST_NO);

    unlink(tree_path(&t, "project/.warder/away"));
    add(&t, "project");
    tree_link(&t, "project/.warder/away", "/etc/passwd");
    assert_int_equal(check(&t, "project"), TRUST_NO);
    /* Removed by its path, although it can no longer be hashed. */
    assert_int_equal(trust_remove(t.state, t.project, &err), STATUS_OK);
    unlink(tree_path(&t, "project/.warder/away"));
    assert_int_equal(check(&t, "project"), TRUST_NO);
    tree_remove(&t);
}

static void limits(void **state)
{
    struct tree t;
    struct project_files files;
    char path[128];
    struct policy *p;

    (void)state;
    tree_make(&t);
    for (unsigned i = 0; i < PROJECT_FILES_MAX; i++) {
        snprintf(path, sizeof(path), "project/.warder/%u", i);
        tree_write(&t, path, "", 0);
    }
    assert_int_equal(project_read(t.project, &files, NULL), STATUS_OK);
    assert_int_equal(files.count, PROJECT_FILES_MAX);
    project_release(&files);
    tree_write(&t, "project/.warder/more", "", 0);
    assert_int_equal(project_read(t.project, &files, NULL), STATUS_LIMIT);
    project_release(&files);

    /* An agent that fills the directory must not hide a deny rule in it. */
    struct policy_request r = tree_request(&t);
    assert_int_equal(policy_open(&r, &p, NULL), STATUS_OK);
    assert_non_null(rulebook_broken(&p->book));
    policy_free(p);
    tree_remove(&t);

    tree_make(&t);
    size_t len = (size_t)snprintf(path, sizeof(path), "project/.warder/");
    for (unsigned i = 0; i < PROJECT_DEPTH_MAX; i++)
        len += (size_t)snprintf(path + len, sizeof(path) - len, "d/");
    snprintf(path + len, sizeof(path) - len, "f");
    tree_write(&t, path, "", 0);
    assert_int_equal(project_read(t.project, &files, NULL), STATUS_OK);
    assert_int_equal(files.count, 1);
    project_release(&files);
    snprintf(path + len, sizeof(path) - len, "d/f");
    tree_write(&t, path, "", 0);
    assert_int_equal(project_read(t.project, &files, NULL), STATUS_LIMIT);
    project_release(&files);
    tree_remove(&t);
}

static void bytes_are_limited(void **state)
{
    struct tree t;
    struct project_files files;
    char path[64];
    char *text = calloc(1, POLICY_TEXT_MAX);

    (void)state;
    assert_non_null(text);
    tree_make(&t);
    for (unsigned i = 0; i < PROJECT_BYTES_MAX / POLICY_TEXT_MAX; i++) {
        snprintf(path, sizeof(path), "project/.warder/%u", i);
        tree_write_bytes(&t, path, text, POLICY_TEXT_MAX, 0);
    }
    assert_int_equal(project_read(t.project, &files, NULL), STATUS_OK);
    project_release(&files);
    tree_write(&t, "project/.warder/more", "x", 0);
    assert_int_equal(project_read(t.project, &files, NULL), STATUS_LIMIT);
    project_release(&files);
    free(text);
    tree_remove(&t);
}

static void entries_are_limited(void **state)
{
    struct tree t;
    struct trust_store store;
    static char text[TRUST_ENTRIES_MAX * 24 + 100];

    (void)state;
    tree_make(&t);
    tree_write(&t, "project/.warder/warder.yaml", "allow: [A]\n", 0);
    for (size_t extra = 0; extra < 2; extra++) {
        size_t len = (size_t)snprintf(text, sizeof(text), "{\"trusted\": [{}");
        for (size_t i = 1; i < TRUST_ENTRIES_MAX + extra; i++)
            len += (size_t)snprintf(text + len, sizeof(text) - len, ",{\"digest\":\"%zu\"}", i);
        snprintf(text + len, sizeof(text) - len, "]}");
        tree_write(&t, "state/trust.json", text, 0600);
        assert_int_equal(chmod(t.state, 0700), 0);
        assert_int_equal(trust_load(t.state, &store, NULL), extra ? STATUS_LIMIT : STATUS_OK);
        trust_release(&store);
        assert_int_equal(trust_add(t.state, t.project, NULL), STATUS_LIMIT);
    }
    tree_remove(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_and_taken_back),
        cmocka_unit_test(store_is_ours_alone),
        cmocka_unit_test(changes_end_it),
        cmocka_unit_test(digests_differ),
        cmocka_unit_test(what_cannot_be_read_cannot_be_trusted),
        cmocka_unit_test(limits),
        cmocka_unit_test(bytes_are_limited),
        cmocka_unit_test(entries_are_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
