/* The rules that a verdict suggests do what they promise: they allow the call, and nothing that
 * needs other rules. Rows: tests/cases/suggest/verdict.case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "support/shared.h"
#include "warder.h"

#include <cmocka.h> /* last: it defines a macro fail */

#define ROWS_MAX  200
#define RULES_MAX 16

struct row {
    struct str expected; /* "ask", "none", "allow", "deny" */
    char *command;
    warder_behavior behavior; /* without any rule */
    char *rules[RULES_MAX];
    size_t count;
};

static struct row rows[ROWS_MAX];
static size_t row_count;
static char home[] = "/tmp/warder-advice-XXXXXX", project[sizeof(home) + 16],
            git[sizeof(project) + 16];

static warder_engine *engine_with(const struct row *row)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_rule rules[RULES_MAX];
    warder_engine *engine;
    warder_error err;

    options.home = home;
    options.cwd = project;
    for (size_t i = 0; row && i < row->count; i++)
        rules[i] = (warder_rule){WARDER_ALLOW, row->rules[i]};
    options.rules = rules;
    options.rule_count = row ? row->count : 0;
    if (warder_engine_new(&options, &engine, &err) != WARDER_OK)
        fail_msg("%s: %s", row ? row->command : "", err.message);
    return engine;
}

static warder_decision *decide(warder_engine *engine, const char *command)
{
    warder_decision *decision;

    assert_int_equal(warder_check_argument(engine, "Bash", command, &decision, NULL), WARDER_OK);
    return decision;
}

static warder_behavior verdict(warder_engine *engine, const char *command)
{
    warder_decision *decision = decide(engine, command);
    warder_behavior behavior = warder_decision_behavior(decision);

    warder_decision_free(decision);
    return behavior;
}

static void keep(struct row *row, const warder_decision *decision)
{
    row->behavior = warder_decision_behavior(decision);
    row->count = warder_decision_suggestion_count(decision);
    assert_in_range(row->count, 0, RULES_MAX);
    for (size_t i = 0; i < row->count; i++)
        row->rules[i] = strdup(warder_decision_suggestion(decision, i));
}

static int read_rows(void **state)
{
    size_t len;
    char *whole = read_whole_file(source_path("tests/cases/suggest/verdict.case"), &len);
    struct str rest = {whole, len}, line, command;

    (void)state;
    assert_non_null(mkdtemp(home));
    snprintf(project, sizeof(project), "%s/project", home);
    snprintf(git, sizeof(git), "%s/.git", project);
    assert_int_equal(mkdir(project, 0755) | mkdir(git, 0755), 0);
    for (bool more = true; more;) {
        struct row row = {0};
        more = str_cut(rest, '\n', &line, &rest);
        if (line.len == 0 || line.s[0] == '#')
            continue;
        str_cut(line, ' ', &row.expected, &command);
        row.command = strndup(command.s, command.len);
        assert_in_range(row_count, 0, ROWS_MAX - 1);
        rows[row_count++] = row;
    }
    warder_engine *engine = engine_with(NULL);
    for (size_t i = 0; i < row_count; i++) {
        warder_decision *decision = decide(engine, rows[i].command);
        keep(&rows[i], decision);
        warder_decision_free(decision);
        rows[i].expected.s = strndup(rows[i].expected.s, rows[i].expected.len);
    }
    warder_engine_free(engine);
    free(whole);
    return 0;
}

static int remove_all(void **state)
{
    (void)state;
    rmdir(git);
    rmdir(project);
    rmdir(home);
    for (size_t i = 0; i < row_count; i++) {
        free((char *)(uintptr_t)rows[i].expected.s);
        free(rows[i].command);
        for (size_t n = 0; n < rows[i].count; n++)
            free(rows[i].rules[n]);
    }
    return 0;
}

static void verdicts_without_rules(void **state)
{
    size_t asked = 0;

    (void)state;
    for (size_t i = 0; i < row_count; i++) {
        const struct row *row = &rows[i];
        bool none = str_is(row->expected, "none");
        asked += row->count > 0;
        if (!str_is(none ? STR("ask") : row->expected, warder_behavior_name(row->behavior)) ||
            (row->behavior == WARDER_ASK && none != (row->count == 0)))
            fail_msg("%.*s %s: %s, %zu rules", STR_ARG(row->expected), row->command,
                     warder_behavior_name(row->behavior), row->count);
    }
    assert_in_range(asked, 50, ROWS_MAX);
}

static bool has_rule(const struct row *row, const char *rule)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->rules[i], rule) == 0)
            return true;
    return false;
}

/* Row `given` brings every rule that row `other` needs. */
static bool brings(const struct row *given, const struct row *other)
{
    for (size_t i = 0; i < other->count; i++)
        if (!has_rule(given, other->rules[i]))
            return false;
    return other->count > 0;
}

static void suggested_rules_allow(void **state)
{
    (void)state;
    for (size_t i = 0; i < row_count; i++) {
        warder_engine *engine = engine_with(&rows[i]);
        if (rows[i].count && verdict(engine, rows[i].command) != WARDER_ALLOW)
            fail_msg("%s is not allowed with %s (%zu in all)", rows[i].command, rows[i].rules[0],
                     rows[i].count);
        warder_engine_free(engine);
    }
}

static void and_nothing_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < row_count; i++) {
        warder_engine *engine = engine_with(&rows[i]);
        for (size_t n = 0; rows[i].count && n < row_count; n++)
            if (n != i && !brings(&rows[i], &rows[n]) &&
                verdict(engine, rows[n].command) > rows[n].behavior)
                fail_msg("the rules of `%s` (%s ...) loosen `%s`", rows[i].command,
                         rows[i].rules[0], rows[n].command);
        warder_engine_free(engine);
    }
}

/* No rule is superfluous: with one less the call is not allowed. */
static void every_rule_is_needed(void **state)
{
    size_t several = 0;

    (void)state;
    for (size_t i = 0; i < row_count; i++) {
        struct row fewer = rows[i];
        several += fewer.count > 1;
        for (size_t n = 0; n < rows[i].count; n++) {
            memcpy(fewer.rules, rows[i].rules, sizeof(fewer.rules));
            fewer.rules[n] = fewer.rules[fewer.count - 1];
            struct row less = fewer;
            less.count--;
            warder_engine *engine = engine_with(&less);
            if (verdict(engine, rows[i].command) == WARDER_ALLOW)
                fail_msg("%s is allowed without %s", rows[i].command, rows[i].rules[n]);
            warder_engine_free(engine);
        }
    }
    assert_in_range(several, 3, ROWS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_without_rules),
        cmocka_unit_test(suggested_rules_allow),
        cmocka_unit_test(and_nothing_else),
        cmocka_unit_test(every_rule_is_needed),
    };

    return cmocka_run_group_tests(tests, read_rows, remove_all);
}
