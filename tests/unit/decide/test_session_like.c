/* session_is_like(): a verdict is kept only if nothing that it counts has changed in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "decide/session.h"
#include "decide/session_builds.h"
#include "facts/session_builds_parts.h"

#include <cmocka.h>

static const struct str project = {"/home/user/project", 18};
static struct str granted = {"Bash rm a", 9};

static const struct session before = {
    .has_mode = true,
    .mode = MODE_ACCEPT_EDITS,
    .has_prior = true,
    .prior = MODE_DEFAULT,
    .auto_asks = true,
    .denials = 2,
    .denials_in_a_row = 1,
};

/* Each differs from `before` in one thing. */
static void a_difference_counts(void **state)
{
    struct session after[9];

    (void)state;
    for (size_t i = 0; i < COUNT(after); i++)
        after[i] = before;
    after[0].has_mode = false;
    after[1].mode = MODE_PLAN;
    after[2].has_prior = false;
    after[3].prior = MODE_PLAN;
    after[4].auto_asks = false;
    after[5].denials = 3;
    after[6].denials_in_a_row = 0;
    after[7].workspace = STR("/home/user/project/sub");
    after[8].grants.items = &granted;
    after[8].grants.count = 1;
    for (size_t i = 0; i < COUNT(after); i++) {
        assert_false(session_is_like(&before, &after[i], project));
        assert_false(session_is_like(&after[i], &before, project));
    }
}

static void the_same_is_like_itself(void **state)
{
    struct session same = before;

    (void)state;
    assert_true(session_is_like(&before, &same, project));
    same.workspace = project;
    assert_true(session_is_like(&before, &same, project));
    assert_true(session_is_like(&same, &before, project));
}

/* What was granted is not compared. */
static void grants_are_a_difference(void **state)
{
    struct session both = before;

    (void)state;
    both.grants.items = &granted;
    both.grants.count = 1;
    assert_false(session_is_like(&both, &both, project));
}

/* What the session built: each differs from `built` in one thing. */
static void a_change_of_a_program_counts(void **state)
{
    static const struct session_program built = {
        .path = {"/home/user/project/a", 20},
        .tree = {"/home/user/project/t", 20},
        .built = 5,
        .seen = {.changed = 1, .inode = 2, .device = 3},
    };
    struct session_program as_it_was = built, others[6];
    struct session one = {.programs = {.items = &as_it_was, .count = 1}}, other = one;

    (void)state;
    for (size_t i = 0; i < COUNT(others); i++)
        others[i] = built;
    others[0].path = STR("/home/user/project/b");
    others[1].tree = (struct str){0};
    others[2].built = 0;
    others[3].seen.changed = 4;
    others[4].seen.inode = 4;
    others[5].seen.device = 4;
    assert_true(session_builds_same(&one, &other));
    for (size_t i = 0; i < COUNT(others); i++) {
        other.programs.items = &others[i];
        assert_false(session_builds_same(&one, &other));
    }
    other.programs.count = 0;
    assert_false(session_builds_same(&one, &other));
}

/* A file that was replaced, or changed in its place, is another program. */
static void a_program_is_the_file_that_it_was(void **state)
{
    static const struct file_mark mark = {.device = 1, .inode = 2, .changed = 3};
    struct file_mark others[] = {mark, mark, mark, {0}};

    (void)state;
    others[0].device = 4;
    others[1].inode = 4;
    others[2].changed = 4;
    assert_true(session_build_is_same(&mark, &mark));
    for (size_t i = 0; i < COUNT(others); i++)
        assert_false(session_build_is_same(&mark, &others[i]));
    assert_false(session_build_is_same(&others[3], &others[3])); /* no mark */
}

/* A person approves a text once; the second time nothing is added. */
static void an_approval_counts_once(void **state)
{
    struct arena arena;
    struct session s = {0};
    struct strs keys = {&granted, 1, 1};

    (void)state;
    arena_init(&arena, 1 << 20);
    session_approve(&arena, &s, &keys, &(struct session_approval){.digest = STR("one")});
    session_approve(&arena, &s, &keys, &(struct session_approval){.digest = STR("one")});
    assert_int_equal(s.approvals.count, 1);
    assert_int_equal(s.grants.count, 1);
    assert_true(session_has_digest(&s, STR("one")));
    assert_false(session_has_digest(&s, STR("two")));
    assert_false(session_has_digest(&s, STR("")));
    session_approve(&arena, &s, NULL, &(struct session_approval){.digest = STR("")});
    assert_int_equal(s.approvals.count, 1); /* of nothing */
    for (size_t i = 0; i < 2 * SESSION_APPROVALS_MAX; i++)
        session_approve(&arena, &s, NULL,
                        &(struct session_approval){.digest = str_format(&arena, "%zu", i)});
    assert_int_equal(s.approvals.count, SESSION_APPROVALS_MAX);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_difference_counts),
        cmocka_unit_test(the_same_is_like_itself),
        cmocka_unit_test(grants_are_a_difference),
        cmocka_unit_test(an_approval_counts_once),
        cmocka_unit_test(a_change_of_a_program_counts),
        cmocka_unit_test(a_program_is_the_file_that_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
