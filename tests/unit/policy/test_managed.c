/* Whether there is managed policy: every place that is read as such, and what is not one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "policy/load.h"
#include "policy/managed.h"
#include "support/policy_tree.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static const struct {
    const char *path;
    bool there;
} cases[] = {
    {"etc/warder/warder.yaml", true},
    {"etc/warder/warder.yml", true},
    {"etc/warder/warder.toml", true},
    {"etc/warder/warder.json", true},
    {"etc/warder/authorization.yaml", true},
    {"etc/warder/authorization.toml", true},
    {"etc/claude-code/managed-settings.json", true},
    {"etc/claude-code/managed-settings.d/10.json", true},
    {"etc/warder/warder", false},
    {"etc/warder/warder.yaml.bak", false},
    {"etc/warder/warder.local.yaml", false},
    {"etc/claude-code/settings.json", false},
    {"etc/warder.yaml", false},
    {"etc/other/warder.yaml", false},
};

static void places(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct tree t;
        tree_make(&t);
        assert_false(managed_is_there(t.root));
        tree_write(&t, cases[i].path, "{}", 0644);
        if (managed_is_there(t.root) != cases[i].there)
            fail_msg("%s", cases[i].path);
        tree_remove(&t);
    }
}

/* The reader of policies has the last word on what managed policy is: it must not know a place that
 * is missed here. */
static void the_reader_agrees(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct policy *policy = NULL;
        struct error err = {0};
        struct tree t;
        tree_make(&t);
        tree_write(&t, cases[i].path, "{}", 0644);
        struct policy_request request = tree_request(&t);
        request.root = str_from(t.root);
        assert_int_equal(policy_open(&request, &policy, &err), STATUS_OK);
        if (rulebook_is_managed(&policy->book) != cases[i].there)
            fail_msg("%s", cases[i].path);
        policy_free(policy);
        tree_remove(&t);
    }
}

/* What cannot be looked at counts: a link that leads nowhere, a path that is too long. */
static void doubts(void **state)
{
    static char deep[5000];
    struct tree t;

    (void)state;
    tree_make(&t);
    tree_write(&t, "etc/warder/x", "", 0644);
    assert_false(managed_is_there(t.root));
    tree_link(&t, "etc/warder/warder.yaml", "/nonexistent");
    assert_true(managed_is_there(t.root));
    tree_remove(&t);
    memset(deep, 'x', sizeof(deep) - 1);
    assert_true(managed_is_there(deep));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places),
        cmocka_unit_test(the_reader_agrees),
        cmocka_unit_test(doubts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
