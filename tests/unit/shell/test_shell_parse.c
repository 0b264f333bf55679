/* The shell parser: refusals and limits. Agreement with bash is tests/tools/shell-diff.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "shell/tree.h"
#include "support/shared.h"
#include "support/shell_serve.h"

static struct arena arena;

static struct str repeated(const char *head, const char *unit, size_t count, const char *tail)
{
    struct buf b = buf_in(&arena);

    buf_text(&b, head);
    for (size_t i = 0; i < count; i++)
        buf_text(&b, unit);
    buf_text(&b, tail);
    return buf_str(&b);
}

static const char *why_not(struct str text, size_t *at)
{
    struct tree tree;

    shell_parse(&arena, text, &tree);
    if (at)
        *at = tree.why_at;
    return tree.why;
}

static const struct {
    const char *text;
    size_t at;
    const char *why;
} refusals[] = {
    {"echo 'a", 5, "a single quote is not closed"},
    {"echo \"a", 5, "a double quote is not closed"},
    {"a `b", 2, "a backtick is not closed"},
    {"a $(b", 4, "a substitution is not closed"},
    {"a <<E\nb\\", 6, "a here-document is not closed"},
    {"a $(b <<E\nc)", 10, "a here-document is not closed"},
    {"a | | b", 4, "a command is missing here"},
    {"if a; then b", 12, "an if is not closed"},
    {"(a", 2, "a ( is not closed"},
    {"a )", 2, "a token that does not belong here"},
    {"((a `b`); c)", 7, "an arithmetic command that does not end in ))"},
    {"a \"$((a); `b`)\"", 8, "an arithmetic expansion that does not end in ))"},
    {"a $((b) # )\n)", 7, "an arithmetic expansion that does not end in ))"},
    {"a \"\\", 3, "a backslash at the end of the text"},
    {"${ x;}", 2, "a parameter expansion that is not read here"},
    {"\"${x:-$'$(rm y)'}\"", 6, "a parameter expansion that is not read here"},
    {"\"${x#$'$(rm y)'}\"", 5, "a parameter expansion that is not read here"},
    {"$(( '$(rm y)' ))", 4, "an arithmetic expression that is not read here"},
    {"[[ a =~ (${x:-)}) ]]", 9, "an expansion in a pattern whose end bash may see elsewhere"},
    {"[[ a =~ ($(case b in c) d;; esac)) ]]", 9,
     "an expansion in a pattern whose end bash may see elsewhere"},
    {"\"${x:-'$(rm y)'}\"", 6, "a single quote inside a quoted parameter expansion"},
    {"a[x y]", 1, "a subscript that is not read here"},
    {"declare a[x y]=b", 11, "a subscript that is not read here"},
    {"a['$(rm y)']=b", 2, "a subscript that is not read here"},
    {"a[$'x']=b", 2, "a subscript that is not read here"},
    {"a[<(rm y)]=b", 2, "a subscript that is not read here"},
    {"a >&-b", 4, "a dash in the target of a duplication"},
};

static void check_refusals(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        size_t at;
        const char *why = why_not(str_from(refusals[i].text), &at);
        if (!why || strcmp(why, refusals[i].why) != 0 || at != refusals[i].at)
            fail_msg("%s: refused at %zu: %s", refusals[i].text, at, why ? why : "not refused");
    }
    assert_non_null(why_not((struct str){"((1))", 4}, NULL)); /* what follows is not read */
}

/* What was read before a refusal stays in the tree, even half a word: deny rules match it. */
static void check_partial(void *arg)
{
    struct tree tree;
    struct buf out = buf_in(&arena);

    (void)arg;
    shell_parse(&arena, STR("a; rm -rf / \"$(touch p) \\"), &tree);
    assert_non_null(tree.why);
    shell_print(&out, tree.root);
    assert_non_null(strstr(buf_str(&out).s, "command run rm -rf /"));
    assert_non_null(strstr(buf_str(&out).s, "command run touch p"));
}

static void check_limits(void *arg)
{
    (void)arg;
    assert_null(why_not(repeated("", "a", SHELL_TEXT_MAX, ""), NULL));
    assert_string_equal(why_not(repeated("", "a", SHELL_TEXT_MAX + 1, ""), NULL),
                        "the text is too long");

    static const char deep[] = "the text is nested too deeply";
    /* A parenthesis takes two levels, the command and the compound; an expansion takes one. */
    assert_string_equal(why_not(repeated("", "( ", SHELL_DEPTH_MAX / 2, "a"), NULL), deep);
    assert_string_not_equal(why_not(repeated("", "( ", SHELL_DEPTH_MAX / 2 - 1, "a"), NULL), deep);
    assert_string_equal(why_not(repeated("", "$(", SHELL_DEPTH_MAX + 1, ""), NULL), deep);
    assert_string_not_equal(why_not(repeated("", "$(", SHELL_DEPTH_MAX, ""), NULL), deep);
    assert_string_equal(why_not(repeated("", "${x:-", SHELL_DEPTH_MAX + 1, ""), NULL), deep);
    assert_string_not_equal(why_not(repeated("", "${x:-", SHELL_DEPTH_MAX, ""), NULL), deep);

    /* A command of one letter is three nodes: command, word, part; and there is the list. */
    assert_null(why_not(repeated("", "a;", (SHELL_NODES_MAX - 1) / 3, ""), NULL));
    assert_string_equal(why_not(repeated("", "a;", SHELL_NODES_MAX / 3 + 1, ""), NULL),
                        "the text has too many parts");
}

static double seconds(struct str text)
{
    struct timespec from, to;
    struct tree tree;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
    shell_parse(&arena, text, &tree);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* Texts that make a careless reader quadratic. The bound is loose, for slow machines and
 * sanitizers: quadratic would take minutes. */
static void check_time(void *arg)
{
    static const char *const units[] = {
        "\\\n", "\"",    "'",   "$(",         "`",   "{",   "((",  "<<E ", "a=(", "a[",  "${x:-",
        "\\a",  "<<E\n", "[[ ", "case x in ", "#\n", "$((", "a$b", "f()",  "=",   "E\n", "\\`"};

    (void)arg;
    for (size_t i = 0; i < COUNT(units); i++) {
        size_t count = SHELL_TEXT_MAX / strlen(units[i]);
        assert_true(seconds(repeated("", units[i], count, "")) < 5);
        assert_true(seconds(repeated("a <<E\n", units[i], count - 4, "")) < 5);
        assert_true(seconds(repeated("a \"", units[i], count - 4, "")) < 5);
    }
}

static void under_arena(void (*fn)(void *))
{
    arena_init(&arena, (size_t)2048 << 20);
    assert_true(arena_try(&arena, fn, NULL));
    arena_release(&arena);
}

static void refusals_have_a_place_and_a_sentence(void **state)
{
    (void)state;
    under_arena(check_refusals);
}

static void what_was_read_before_a_refusal_stays(void **state)
{
    (void)state;
    under_arena(check_partial);
}

static void limits_are_refused(void **state)
{
    (void)state;
    under_arena(check_limits);
}

static void hostile_texts_take_linear_time(void **state)
{
    (void)state;
    under_arena(check_time);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals_have_a_place_and_a_sentence),
        cmocka_unit_test(what_was_read_before_a_refusal_stays),
        cmocka_unit_test(limits_are_refused),
        cmocka_unit_test(hostile_texts_take_linear_time),
    };

    if (argc > 1 && strcmp(argv[1], "--tree") == 0)
        return serve_texts(answer_tree);
    if (argc > 1 && strcmp(argv[1], "--actions") == 0)
        return serve_texts(answer_actions);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
