/* The rule that is offered: from tests/cases/suggest/NAME.case, and for random commands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "programs/programs.h"
#include "rule/suggest.h"
#include "support/shared.h"
#include "support/subject_text.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

/* The offered text must parse as a rule and cover the subject. */
static void check_covers(struct str text, enum dialect d, const struct subject *s)
{
    struct rule r;

    assert_int_equal(rule_parse(&arena, text, d, &r, NULL), STATUS_OK);
    r.effect = BEHAVIOR_ALLOW;
    if (!rule_matches(&arena, &r, s, &subject_env))
        fail_msg("%.*s does not cover %.*s", STR_ARG(text), STR_ARG(s->first));
}

static void run_case(struct str line, enum dialect d, size_t *failed)
{
    static const struct str arrow = {" =>", 3};
    size_t at = line.len;

    while (at > 0 && !str_starts(str_from_byte(line, at), arrow))
        at--;
    struct subject s = subject_from_text(&arena, str_slice(line, 0, at));
    struct str want = str_trim(str_from_byte(line, at + arrow.len));
    struct str got = rule_suggest(&arena, &s, d, &subject_env, true, program_danger);
    if (!str_eq(got, want)) {
        fprintf(stderr, "%.*s: got %.*s\n", STR_ARG(line), STR_ARG(got));
        ++*failed;
    }
    if (got.len > 0)
        check_covers(got, d, &s);
}

static enum dialect dialect_from(struct str name)
{
    for (int d = 0; d < DIALECT_COUNT; d++)
        if (str_is(name, dialect_name((enum dialect)d)))
            return (enum dialect)d;
    fail_msg("no such dialect: %.*s", STR_ARG(name));
    return DIALECT_WARDER;
}

static void run_file(void *arg)
{
    size_t len;
    char *whole = read_whole_file(source_path("tests/cases/suggest/suggest.case"), &len);
    struct str rest = {whole, len}, line;
    enum dialect d = DIALECT_WARDER;

    while (rest.len > 0) {
        if (!str_cut(rest, '\n', &line, &rest))
            rest = (struct str){0};
        if (str_starts(line, STR("dialect ")))
            d = dialect_from(str_from_byte(line, 8));
        else if (line.len > 0 && line.s[0] != '#')
            run_case(line, d, arg);
    }
    free(whole);
}

static void case_file(void **state)
{
    size_t failed = 0;

    (void)state;
    arena_init(&arena, 1 << 24);
    assert_true(arena_try(&arena, run_file, &failed));
    arena_release(&arena);
    assert_int_equal(failed, 0);
}

static uint64_t random_state;

static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static struct str random_command(void)
{
    static const char *const pieces[] = {
        "git",   "status", "npm", "run", "build", "*", "?",  "[a]", "{a,b}", "(",  ")",        "\\",
        "\"x\"", "'",      ":*",  "a:b", "/",     "~", "..", "-rf", "rm",    "$x", "\xc3\xa9", "!"};
    struct buf b = buf_in(&arena);

    buf_text(&b, pieces[random_next() % 5]);
    for (uint64_t n = random_next() % 6; n > 0; n--) {
        if (random_next() % 3)
            buf_byte(&b, ' ');
        buf_text(&b, pieces[random_next() % COUNT(pieces)]);
    }
    return buf_str(&b);
}

static void offer_at_random(void *arg)
{
    size_t *offered = arg;

    for (int i = 0; i < 500; i++) {
        static const char *const tools[] = {"Bash", "Read", "Edit", "WebFetch", "Skill", "Grep"};
        struct str tool = str_from(tools[random_next() % COUNT(tools)]);
        struct str line = str_format(&arena, "%.*s %.*s", STR_ARG(tool), STR_ARG(random_command()));
        struct subject s = subject_from_text(&arena, line);
        enum dialect d = (enum dialect)(random_next() % DIALECT_COUNT);
        struct str text = rule_suggest(&arena, &s, d, &subject_env, true, program_danger);
        if (text.len == 0 && d == DIALECT_WARDER && s.shell)
            fail_msg("nothing is offered for %.*s", STR_ARG(line));
        if (text.len > 0) {
            check_covers(text, d, &s);
            ++*offered;
        }
    }
}

static void what_is_offered_covers_the_subject(void **state)
{
    const char *seed = getenv("WARDER_SEED");
    size_t offered = 0;

    (void)state;
    random_state = seed ? strtoull(seed, NULL, 10) : 20260116;
    printf("seed %llu\n", (unsigned long long)random_state);
    arena_init(&arena, 1 << 26);
    for (int i = 0; i < 40; i++) {
        assert_true(arena_try(&arena, offer_at_random, &offered));
        arena_reset(&arena);
    }
    arena_release(&arena);
    printf("20000 subjects, %zu offers\n", offered);
    assert_true(offered > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_file),
        cmocka_unit_test(what_is_offered_covers_the_subject),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
