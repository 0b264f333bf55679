/* The shipped lists: every rule parses, and tests/cases/shipped/accept.case says what they match.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "programs/programs.h"
#include "rule/lint.h"
#include "rule/shipped.h"
#include "support/shared.h"
#include "support/subject_text.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

static const struct shipped_list *const lists[] = {&shipped_guild, &shipped_warder,
                                                   &shipped_caliban};

static struct rules parse_list(const struct shipped_list *list)
{
    struct rules rules = {0};

    for (size_t i = 0; i < list->count; i++) {
        struct error err = {0};
        struct rule r;
        if (rule_parse(&arena, str_from(list->rules[i].text), list->dialect, &r, &err))
            fail_msg("%s: %s: %s", list->name, list->rules[i].text, err.message);
        r.effect = list->rules[i].effect;
        r.source = SOURCE_BUILTIN;
        LIST_PUSH(&arena, &rules, r);
    }
    return rules;
}

static void parse_all(void *arg)
{
    (void)arg;
    for (size_t l = 0; l < COUNT(lists); l++) {
        struct lint_findings found = {0};
        struct rules rules = parse_list(lists[l]);
        rules_lint(&arena, &rules, program_danger, program_meant, &found);
        for (size_t i = 0; i < lists[l]->count; i++) {
            assert_int_equal(lists[l]->rules[i].reason != NULL,
                             rules.items[i].effect == BEHAVIOR_DENY);
            assert_true(!lists[l]->rules[i].runner || rules.items[i].effect == BEHAVIOR_ALLOW);
        }
        for (size_t i = 0; i < found.count; i++)
            assert_string_not_equal(found.items[i].name, "duplicate");
    }
    assert_int_equal(shipped_guild.count, 19 + 38);
    for (size_t i = 0; i < shipped_warder.count; i++)
        assert_int_equal(shipped_warder.rules[i].effect, BEHAVIOR_ALLOW);
    assert_int_equal(shipped_caliban.rules[shipped_caliban.count - 1].effect, BEHAVIOR_ASK);
    assert_string_equal(shipped_caliban.rules[shipped_caliban.count - 1].text, "*");
}

static void every_rule_parses(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 24);
    assert_true(arena_try(&arena, parse_all, NULL));
    arena_release(&arena);
}

/* Deny rules first, then the first rule that allows. */
static const char *verdict(const struct shipped_list *list, const struct rules *rules,
                           const struct subject *s)
{
    for (int e = BEHAVIOR_DENY; e <= BEHAVIOR_ALLOW; e++)
        for (size_t i = 0; i < rules->count; i++)
            if (rules->items[i].effect == (enum behavior)e &&
                rule_matches(&arena, &rules->items[i], s, &subject_env))
                return list->rules[i].runner ? "runner" : behavior_name((enum behavior)e);
    return "none";
}

static void run_cases(void *arg)
{
    size_t len, *failed = arg;
    char *whole = read_whole_file(source_path("tests/cases/shipped/accept.case"), &len);
    struct str rest = {whole, len}, line, verb, command;
    const struct shipped_list *list = NULL;
    struct rules rules = {0};

    while (rest.len > 0) {
        if (!str_cut(rest, '\n', &line, &rest))
            rest = (struct str){0};
        if (line.len == 0 || line.s[0] == '#')
            continue;
        str_cut(line, ' ', &verb, &command);
        if (str_is(verb, "list")) {
            list = str_is(command, "guild") ? &shipped_guild : &shipped_warder;
            rules = parse_list(list);
            continue;
        }
        struct subject s = subject_from_text(&arena, str_join(&arena, STR("Bash "), command));
        if (!str_is(verb, verdict(list, &rules, &s))) {
            fprintf(stderr, "%s: %.*s: %s\n", list->name, STR_ARG(line), verdict(list, &rules, &s));
            ++*failed;
        }
    }
    free(whole);
}

static void case_file(void **state)
{
    size_t failed = 0;

    (void)state;
    arena_init(&arena, 1 << 25);
    assert_true(arena_try(&arena, run_cases, &failed));
    arena_release(&arena);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_parses),
        cmocka_unit_test(case_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
