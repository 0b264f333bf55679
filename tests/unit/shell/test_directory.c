/* Where a shell may be after `cd`, and after branches in which there was one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "shell/directory.h"

#include <cmocka.h>

static struct shell_directory in(const char *path)
{
    return (struct shell_directory){.here = place_at(str_from(path))};
}

static void check(const struct shell_directory *d, const char *here, const char *other)
{
    assert_true(str_is(place_text(d->here), here));
    assert_true(str_is(place_text(d->other), other));
}

#define ANYWHERE WORD_UNKNOWN_TEXT

static void a_cd_may_fail(void **state)
{
    struct shell_directory d = in("/a");

    (void)state;
    directory_enter(&d, place_at(STR("/b")));
    check(&d, "/b", "/a");
    directory_enter(&d, place_at(STR("/c")));
    check(&d, "/c", ANYWHERE); /* it was in one of two */
    d = in("/a");
    directory_enter(&d, place_at(STR("/b")));
    directory_enter(&d, place_at(STR("/a")));
    check(&d, "/a", "/b"); /* it was there, or went to /b and cannot come back */
    d = in("/a");
    directory_enter(&d, place_at(STR("/a")));
    check(&d, "/a", "");
    d = in("");
    directory_enter(&d, place_at(STR("/b")));
    check(&d, "/b", ANYWHERE);
}

static void success_leaves_one_place(void **state)
{
    struct shell_directory start = in("/a"), d = start;

    (void)state;
    directory_enter(&d, place_at(STR("/b")));
    directory_succeed(&d, &start);
    check(&d, "/b", "");
    assert_true(str_is(directory_sure_path(&d), "/b"));
    directory_forget_move(&d, &start);
    check(&d, ANYWHERE, "");
    assert_true(directory_sure_path(&d).len == 0);
}

static void mktemp_may_fail(void **state)
{
    struct shell_directory d = in("/a");

    (void)state;
    directory_enter_fresh(&d, place_at(STR("/tmp/" WORD_UNKNOWN_TEXT)));
    check(&d, "/tmp/" WORD_UNKNOWN_TEXT, "/a");
    assert_true(str_is(d.if_mktemp_failed.path, "/a"));
    directory_succeed(&d, &(struct shell_directory){.here = d.here});
    struct shell_directory seen = directory_of_command(&d);
    check(&seen, "/tmp/" WORD_UNKNOWN_TEXT, "/a"); /* cd "" succeeds and stays */
    assert_true(directory_sure_path(&d).len == 0);
    directory_after_fresh(&d, false);
    assert_true(d.if_mktemp_failed.kind == PLACE_ANYWHERE);
    directory_after_fresh(&d, true);
    assert_true(d.if_mktemp_failed.kind == PLACE_NONE);
}

static void a_command_may_see_one_of_three(void **state)
{
    struct shell_directory d = in("/a");

    (void)state;
    d.other = place_at(STR("/b"));
    d.if_mktemp_failed = place_at(STR("/c"));
    d = directory_of_command(&d);
    check(&d, ANYWHERE, "/a");
    assert_true(d.should_be_other);
    directory_settle(&d); /* it is where it should be */
    check(&d, "/a", ANYWHERE);
    assert_false(d.should_be_other);
    directory_settle(&d);
    check(&d, "/a", ANYWHERE);
}

static void a_command_is_anywhere_if_it_may_be(void **state)
{
    struct shell_directory d = in("/a"), seen;

    (void)state;
    directory_enter(&d, place_at(STR("/b")));
    seen = directory_of_command(&d);
    check(&seen, "/b", "/a");
    assert_false(seen.should_be_other);
    directory_enter(&d, place_at(STR("/c")));
    check(&d, "/c", ANYWHERE);
    seen = directory_of_command(&d);
    check(&seen, ANYWHERE, "/c");
    directory_enter(&d, PLACE_IS_ANYWHERE); /* cd "$x" */
    seen = directory_of_command(&d);
    check(&seen, ANYWHERE, ANYWHERE);
    assert_false(seen.should_be_other);
}

static void branches_join(void **state)
{
    struct shell_directory d = in("/a"), branch = in("/a");

    (void)state;
    branch.other = place_at(STR("/b"));
    directory_join(&d, &branch);
    check(&d, "/a", "/b");
    branch.other = place_at(STR("/c"));
    directory_join(&d, &branch);
    check(&d, "/a", ANYWHERE);
    branch = in("/d");
    directory_join(&d, &branch);
    check(&d, ANYWHERE, "");
}

static void a_place_is_added_once(void **state)
{
    struct shell_directory d = in("/a"), same = in("/a"), more = in("/b"), most = in("/c");

    (void)state;
    directory_add(&d, &same);
    check(&d, "/a", "");
    directory_add(&d, &more);
    directory_add(&d, &more);
    check(&d, "/a", "/b");
    directory_add(&d, &most);
    check(&d, "/a", ANYWHERE);
}

static void merged_is_what_both_say(void **state)
{
    struct shell_directory d = in("/a"), other = in("/a");

    (void)state;
    directory_merge(&d, &other);
    check(&d, "/a", "");
    other.other = place_at(STR("/b"));
    other.skipped = true;
    directory_merge(&d, &other);
    check(&d, ANYWHERE, "");
    assert_true(d.skipped);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cd_may_fail),
        cmocka_unit_test(success_leaves_one_place),
        cmocka_unit_test(mktemp_may_fail),
        cmocka_unit_test(a_command_may_see_one_of_three),
        cmocka_unit_test(a_command_is_anywhere_if_it_may_be),
        cmocka_unit_test(branches_join),
        cmocka_unit_test(a_place_is_added_once),
        cmocka_unit_test(merged_is_what_both_say),
    };

    return cmocka_run_group_tests_name("directory", tests, NULL, NULL);
}
