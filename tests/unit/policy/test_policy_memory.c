/* Running out of memory while a policy is read must not lose what the policy denies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "document/document.h"
#include "policy/schema.h"

#include <cmocka.h> /* last: it defines a macro fail */

static const char text[] =
    "mode: plan\ndeny: ['Bash(rm:*)', {rule: Bash, regex: '^a', flags: [-f], paths: [//etc]}]\n"
    "ask: [Agent]\nallow: ['Bash(ls *)', 'Read(~/x/**)']\ndisabledTools: [Task]\n"
    "rules: [{action: deny, rule: 'Read(**/.env)'}]\n";

struct attempt {
    struct arena arena;
    struct rulebook book;
    struct regexes regexes;
    bool read;
};

static void run(void *arg)
{
    static const unsigned char rank[SOURCE_COUNT];
    struct attempt *a = arg;
    struct value document;
    struct policy_reader r = {.arena = &a->arena,
                              .book = &a->book,
                              .regexes = &a->regexes,
                              .rank = rank,
                              .file = STR("policy"),
                              .source = SOURCE_USER,
                              .project = STR("/p"),
                              .home = STR("/h"),
                              .trusted = true};

    if (document_read(&a->arena, SYNTAX_YAML, STR(text), &document, NULL))
        return;
    schema_read(&r, FORMAT_WARDER, &document);
    a->read = true;
}

static size_t count_denies(const struct rulebook *b)
{
    size_t count = b->disabled.count;

    for (size_t i = 0; i < b->rules.count; i++)
        count += b->rules.items[i].effect != BEHAVIOR_ALLOW;
    return count;
}

static bool try_with(size_t fail_at, size_t *allocations)
{
    struct attempt a = {0};

    arena_init(&a.arena, 1 << 24);
    arena_fail_at(&a.arena, fail_at);
    bool whole = arena_try(&a.arena, run, &a) && a.read;
    if (whole && !rulebook_broken(&a.book))
        assert_int_equal(count_denies(&a.book), 5);
    *allocations = a.arena.allocations;
    regexes_release(&a.regexes);
    arena_release(&a.arena);
    return whole;
}

static void no_failed_allocation_loses_a_deny(void **state)
{
    size_t all, ignored, refused = 0;

    (void)state;
    assert_true(try_with(ARENA_COUNTS, &all));
    assert_true(all > 50);
    for (size_t n = 1; n <= all; n++)
        refused += !try_with(n, &ignored);
    assert_true(refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_failed_allocation_loses_a_deny),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
