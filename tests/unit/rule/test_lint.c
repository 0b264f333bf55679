/* What lint finds, from tests/cases/lint/NAME.case (which describe their format). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "programs/programs.h"
#include "rule/lint.h"
#include "support/shared.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

struct set {
    struct str name;
    enum dialect dialect;
    struct rules rules;
    struct lint_findings wanted;
    size_t sets, failed;
};

/* The one that the text ends with, if it does. */
static void set_dialect(struct set *s, struct str text)
{
    for (int d = 0; d < DIALECT_COUNT; d++)
        if (str_ends(text, str_from(dialect_name((enum dialect)d))))
            s->dialect = (enum dialect)d;
}

static void begin(struct set *s, struct str rest)
{
    size_t sets = s->sets + 1, failed = s->failed;

    *s = (struct set){.name = rest, .sets = sets, .failed = failed};
    set_dialect(s, rest);
}

static bool is_found(const struct lint_findings *list, const struct lint_finding *f)
{
    size_t here = 0;

    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].rule == f->rule && strcmp(list->items[i].name, f->name) == 0)
            here++;
    return here > 0;
}

static void check(struct set *s)
{
    struct lint_findings found = {0};

    rules_lint(&arena, &s->rules, program_danger, program_meant, &found);
    bool same = found.count == s->wanted.count;
    for (size_t i = 0; i < found.count; i++)
        same = same && is_found(&s->wanted, &found.items[i]);
    for (size_t i = 0; i < s->wanted.count; i++)
        same = same && is_found(&found, &s->wanted.items[i]);
    if (same)
        return;
    s->failed++;
    fprintf(stderr, "%.*s: %zu wanted, found:\n", STR_ARG(s->name), s->wanted.count);
    for (size_t i = 0; i < found.count; i++)
        fprintf(stderr, "    %zu %s: %.*s\n", found.items[i].rule + 1, found.items[i].name,
                STR_ARG(found.items[i].message));
}

static void add(struct set *s, struct str effect, struct str text)
{
    struct error err = {0};
    enum behavior behavior;
    struct rule r;

    if (rule_parse(&arena, text, s->dialect, &r, &err))
        fail_msg("%.*s: %s", STR_ARG(text), err.message);
    assert_true(behavior_parse(effect, &behavior));
    r.effect = behavior;
    r.base = STR("/home/p");
    LIST_PUSH(&arena, &s->rules, r);
}

/* What a rule knows that is not in its text, of the rule above: `scope NAME`. False: no such. */
static bool add_to_last(struct set *s, struct str verb, struct str rest)
{
    struct rule *r = s->rules.count ? &s->rules.items[s->rules.count - 1] : NULL;

    if (str_is(verb, "scope"))
        rule_add_more(&arena, r)->scope = rest;
    else if (str_is(verb, "session"))
        rule_add_more(&arena, r)->session = rest;
    else if (str_is(verb, "base"))
        r->base = rest;
    else
        return false;
    return true;
}

static void want(struct set *s, struct str rest)
{
    struct str number, name;
    const char *const *known = lint_names();

    str_cut(rest, ' ', &number, &name);
    while (*known && !str_is(name, *known))
        known++;
    assert_non_null(*known);
    struct lint_finding f = {*known, strtoul(number.s, NULL, 10) - 1, {0}};
    LIST_PUSH(&arena, &s->wanted, f);
}

static void run_line(struct set *s, struct str line)
{
    struct str verb, rest;

    str_cut(line, ' ', &verb, &rest);
    if (str_is(verb, "set")) {
        if (s->sets > 0)
            check(s);
        begin(s, rest);
    } else if (str_is(verb, "dialect")) {
        set_dialect(s, rest);
    } else if (str_is(verb, "finds")) {
        want(s, rest);
    } else if (!add_to_last(s, verb, rest)) {
        add(s, verb, rest);
    }
}

static void run_file(void *arg)
{
    struct set *s = arg;
    size_t len;
    char *whole = read_whole_file(source_path("tests/cases/lint/lint.case"), &len);
    struct str rest = {whole, len}, line;

    while (rest.len > 0) {
        if (!str_cut(rest, '\n', &line, &rest))
            rest = (struct str){0};
        /* A blank at the end belongs to the rule. */
        if (line.len > 0 && line.s[0] != '#')
            run_line(s, line);
    }
    check(s);
    free(whole);
}

static void case_file(void **state)
{
    struct set s = {0};

    (void)state;
    arena_init(&arena, 1 << 24);
    assert_true(arena_try(&arena, run_file, &s));
    arena_release(&arena);
    printf("%zu sets\n", s.sets);
    assert_true(s.sets > 30);
    assert_int_equal(s.failed, 0);
}

/* With flags, paths or a regular expression a rule is narrower than its text. */
static void lint_long_form(void *arg)
{
    struct lint_findings found = {0};
    struct set s = {0};

    (void)arg;
    add(&s, STR("deny"), STR("Bash(git push:*)"));
    add(&s, STR("allow"), STR("Bash(git push origin)"));
    LIST_PUSH(&arena, &rule_add_more(&arena, &s.rules.items[0])->flags, STR("--force"));
    rules_lint(&arena, &s.rules, program_danger, program_meant, &found);
    assert_int_equal(found.count, 0);
    s.rules.items[0].more->flags.count = 0;
    rules_lint(&arena, &s.rules, program_danger, program_meant, &found);
    assert_int_equal(found.count, 1);
}

static void a_long_form_is_narrower(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, lint_long_form, NULL));
    arena_release(&arena);
}

static void fill(void *arg)
{
    size_t count = *(size_t *)arg;
    struct lint_findings found = {0};
    struct rules rules = {0};
    struct rule r;

    for (size_t i = 0; i < count; i++) {
        assert_int_equal(
            rule_parse(&arena, str_format(&arena, "Bash(x%zu)", i), DIALECT_WARDER, &r, NULL),
            STATUS_OK);
        LIST_PUSH(&arena, &rules, r);
    }
    rules_lint(&arena, &rules, program_danger, program_meant, &found);
    assert_int_equal(found.count, count > LINT_MAX_COMPARED);
}

static void comparing_has_a_limit(void **state)
{
    (void)state;
    for (size_t count = LINT_MAX_COMPARED; count <= LINT_MAX_COMPARED + 1; count++) {
        arena_init(&arena, 1 << 26);
        assert_true(arena_try(&arena, fill, &count));
        arena_release(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_file),
        cmocka_unit_test(a_long_form_is_narrower),
        cmocka_unit_test(comparing_has_a_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
