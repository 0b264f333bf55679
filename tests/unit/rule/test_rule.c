/* Rules: the case files, and properties that all rules must have.
 *
 * tests/cases/rules/NAME.case, one item per line:
 *
 *     # a comment
 *     dialect NAME           for the rules that follow
 *     rule TEXT              it must parse; the lines after it are about this rule
 *     base DIR               the project of its settings file; default /p
 *     is MATCHER             how its content is read: any, exact, prefix, starts, glob, substring,
 *                            field, path, domain or action
 *     both SUBJECT           allow, ask and deny rules match it
 *     none SUBJECT           none of them does
 *     deny SUBJECT           deny and ask do, allow does not
 *     allow SUBJECT          allow does, deny and ask do not
 *     refuse COLUMN TEXT     it must not parse, and the error has this column
 *
 * tests/support/subject_text.h describes how a subject is written. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/glob.h"
#include "base/list.h"
#include "rule/command.h"
#include "support/shared.h"
#include "support/subject_text.h"

#include <cmocka.h> /* last: it defines a macro fail(), which is our function */

static struct arena arena;

static const char *const matchers[] = {
    [MATCH_ANY] = "any",       [MATCH_EXACT] = "exact", [MATCH_PREFIX] = "prefix",
    [MATCH_STARTS] = "starts", [MATCH_GLOB] = "glob",   [MATCH_SUBSTRING] = "substring",
    [MATCH_FIELD] = "field",   [MATCH_PATH] = "path",   [MATCH_DOMAIN] = "domain",
    [MATCH_ACTION] = "action",
};

/* --- case files --- */

struct cases {
    const char *file;
    int line;
    enum dialect dialect;
    struct rule rule;
    bool has_rule;
    size_t ran, failed;
};

__attribute__((format(printf, 2, 3))) static void complain(struct cases *c, const char *format, ...)
{
    va_list args;

    c->failed++;
    fprintf(stderr, "%s:%d: ", c->file, c->line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static void set_dialect(struct cases *c, struct str name)
{
    for (int d = 0; d < DIALECT_COUNT; d++)
        if (str_is(name, dialect_name((enum dialect)d))) {
            c->dialect = (enum dialect)d;
            return;
        }
    complain(c, "no such dialect: %.*s", STR_ARG(name));
}

static void parse_case(struct cases *c, struct str text)
{
    struct error err = {0};

    c->has_rule = rule_parse(&arena, text, c->dialect, &c->rule, &err) == STATUS_OK;
    c->rule.base = STR("/p");
    if (!c->has_rule)
        complain(c, "column %u: %s: %.*s", err.column, err.message, STR_ARG(text));
    else if (!str_eq(rule_print(&arena, &c->rule), text))
        complain(c, "printed as %.*s", STR_ARG(rule_print(&arena, &c->rule)));
}

static void refuse_case(struct cases *c, struct str rest)
{
    struct error err = {0};
    struct rule r;
    struct str column, text;

    str_cut(rest, ' ', &column, &text);
    if (rule_parse(&arena, text, c->dialect, &r, &err) == STATUS_OK)
        complain(c, "was taken: %.*s", STR_ARG(text));
    else if (err.column != strtoul(column.s, NULL, 10))
        complain(c, "refused at column %u (%s): %.*s", err.column, err.message, STR_ARG(text));
}

static void match_case(struct cases *c, struct str line, bool allow, bool deny)
{
    struct subject s = subject_from_text(&arena, line);
    static const char *const names[] = {"deny", "ask", "allow"};

    for (int e = BEHAVIOR_DENY; e <= BEHAVIOR_ALLOW; e++) {
        c->rule.effect = (enum behavior)e;
        bool want = e == BEHAVIOR_ALLOW ? allow : deny;
        if (rule_matches(&arena, &c->rule, &s, &subject_env) != want)
            complain(c, "%s %.*s: %s %.*s", names[e], STR_ARG(c->rule.text),
                     want ? "misses" : "matches", STR_ARG(line));
    }
}

static void run_line(struct cases *c, struct str line)
{
    struct str verb, rest;

    str_cut(line, ' ', &verb, &rest);
    c->ran++;
    if (str_is(verb, "dialect"))
        set_dialect(c, rest);
    else if (str_is(verb, "rule"))
        parse_case(c, rest);
    else if (str_is(verb, "refuse"))
        refuse_case(c, rest);
    else if (!c->has_rule)
        complain(c, "no rule above");
    else if (str_is(verb, "base"))
        c->rule.base = rest;
    else if (str_is(verb, "is") && !str_is(rest, matchers[c->rule.matcher]))
        complain(c, "is %s", matchers[c->rule.matcher]);
    else if (str_is(verb, "is"))
        return;
    else if (str_is(verb, "both") || str_is(verb, "none") || str_is(verb, "deny") ||
             str_is(verb, "allow"))
        match_case(c, rest, str_is(verb, "both") || str_is(verb, "allow"),
                   str_is(verb, "both") || str_is(verb, "deny"));
    else
        complain(c, "no such line: %.*s", STR_ARG(line));
}

static void run_text(void *arg)
{
    struct cases *c = arg;
    size_t len;
    char *whole = read_whole_file(c->file, &len);
    struct str rest = {whole, len}, line;

    while (rest.len > 0) {
        if (!str_cut(rest, '\n', &line, &rest))
            rest = (struct str){0};
        c->line++;
        line = str_trim(line);
        if (line.len > 0 && line.s[0] != '#')
            run_line(c, line);
    }
    free(whole);
}

static void case_files(void **state)
{
    char directory[4096], path[4400];
    size_t ran = 0, failed = 0;

    (void)state;
    snprintf(directory, sizeof(directory), "%s", source_path("tests/cases/rules"));
    DIR *d = opendir(directory);
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        if (!strstr(e->d_name, ".case"))
            continue;
        snprintf(path, sizeof(path), "%s/%s", directory, e->d_name);
        struct cases c = {.file = path};
        arena_init(&arena, 1 << 26);
        assert_true(arena_try(&arena, run_text, &c));
        arena_release(&arena);
        ran += c.ran;
        failed += c.failed;
    }
    closedir(d);
    printf("%zu case lines, %zu failed\n", ran, failed);
    assert_true(ran > 400);
    assert_int_equal(failed, 0);
}

/* --- print, then parse --- */

static bool same_strs(struct str a, struct str b)
{
    return str_eq(a, b);
}

static bool same_path(const struct rule_path *a, const struct rule_path *b)
{
    if (!a || !b)
        return a == b;
    return same_strs(a->pattern, b->pattern) && a->anchor == b->anchor && a->up == b->up;
}

static bool same_rule(const struct rule *a, const struct rule *b)
{
    return a->dialect == b->dialect && a->matcher == b->matcher && same_strs(a->tool, b->tool) &&
           same_strs(a->content, b->content) &&
           same_strs(rule_more(a)->field, rule_more(b)->field) &&
           same_strs(a->pattern, b->pattern) && a->colon == b->colon && a->access == b->access &&
           same_path(a->path, b->path) && a->tool_wild == b->tool_wild && a->tail == b->tail &&
           rule_more(a)->has_unquoted == rule_more(b)->has_unquoted &&
           same_strs(rule_more(a)->unquoted.pattern, rule_more(b)->unquoted.pattern) &&
           same_strs(rule_more(a)->field_pattern, rule_more(b)->field_pattern);
}

/* True if the text parses. */
static bool round_trip(struct str text, enum dialect d)
{
    struct rule first, again;
    struct error err = {0};

    if (rule_parse(&arena, text, d, &first, &err)) {
        assert_true(err.message[0] != '\0');
        assert_in_range(err.column, 1, text.len + 1);
        return false;
    }
    struct str printed = rule_print(&arena, &first);
    if (rule_parse(&arena, printed, first.dialect, &again, &err) || !same_rule(&first, &again))
        fail_msg("%s: %.*s printed as %.*s is another rule", dialect_name(d), STR_ARG(text),
                 STR_ARG(printed));
    return true;
}

static uint64_t random_state;

static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* Random pieces of rules, so that most texts are almost valid. */
static struct str random_rule(void)
{
    static const char *const names[] = {"Bash",      "Read", "Edit", "WebFetch",  "mcp__a",
                                        "mcp__a__b", "*",    "Ed*",  "run_shell", "Skill"};
    static const char *const pieces[] = {
        "git",      " ",    "*",        ":*",         "npm run", "\\(",   "\\)",   "(",  ")",
        "\\",       "\\\\", "\\*",      "/",          "**",      "~/",    "../",   "//", ".",
        "domain:",  "a.b",  "command:", "x:",         "?",       "[a-z]", "{a,b}", "'",  "\"",
        "\xc3\xa9", "\t",   "\n",       "file_path:", "-rf",     "[",     "]",     "{",  "!"};
    struct buf b = buf_in(&arena);
    uint64_t shape = random_next() % 10;

    if (shape < 9)
        buf_text(&b, names[random_next() % COUNT(names)]);
    if (shape > 0)
        buf_byte(&b, shape == 1 ? ':' : '(');
    for (uint64_t n = random_next() % 8; n > 0; n--)
        buf_text(&b, pieces[random_next() % COUNT(pieces)]);
    if (shape > 1)
        buf_byte(&b, ')');
    return buf_str(&b);
}

#define ROUND_TRIPS 210000

static void random_round_trips(void *arg)
{
    size_t *taken = arg;

    for (int i = 0; i < 1000; i++)
        *taken += round_trip(random_rule(), (enum dialect)(random_next() % DIALECT_COUNT));
}

static void print_then_parse_gives_the_same_rule(void **state)
{
    const char *seed = getenv("WARDER_SEED");
    size_t taken = 0;

    (void)state;
    random_state = seed ? strtoull(seed, NULL, 10) : 20260115;
    printf("seed %llu\n", (unsigned long long)random_state);
    arena_init(&arena, 1 << 26);
    for (int i = 0; i < ROUND_TRIPS / 1000; i++) {
        assert_true(arena_try(&arena, random_round_trips, &taken));
        arena_reset(&arena);
    }
    arena_release(&arena);
    printf("%d texts, %zu rules\n", ROUND_TRIPS, taken);
    assert_true(taken > ROUND_TRIPS / 3);
}

/* --- limits and memory --- */

static void longest_rule(void *arg)
{
    struct buf b = buf_in(&arena);
    struct error err = {0};
    struct rule r;

    (void)arg;
    buf_text(&b, "Bash(");
    while (b.len < RULE_MAX_TEXT - 1)
        buf_byte(&b, 'x');
    buf_byte(&b, ')');
    assert_int_equal(rule_parse(&arena, buf_str(&b), DIALECT_WARDER, &r, &err), STATUS_OK);
    buf_byte(&b, ')');
    assert_int_equal(rule_parse(&arena, buf_str(&b), DIALECT_WARDER, &r, &err), STATUS_LIMIT);
    struct rule_path p;
    assert_int_equal(rule_path_parse(&arena, buf_str(&b), &p, &err), STATUS_LIMIT);
    assert_int_equal(rule_path_parse(&arena, (struct str){"a\0b", 3}, &p, &err), STATUS_SYNTAX);
    assert_int_equal(rule_path_parse(&arena, STR("~other/x"), &p, &err), STATUS_SYNTAX);
    assert_int_equal(rule_path_parse(&arena, STR("~other/x"), &p, NULL), STATUS_SYNTAX);
    assert_int_equal(rule_path_parse(&arena, STR("~/x"), &p, &err), STATUS_OK);
    assert_int_equal(p.anchor, ANCHOR_HOME);
    assert_int_equal(rule_parse(&arena, (struct str){"Ba\0sh", 5}, DIALECT_WARDER, &r, &err),
                     STATUS_SYNTAX);
    assert_int_equal(err.column, 3);
}

static void length_has_a_limit(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, longest_rule, NULL));
    arena_release(&arena);
}

static struct str repeated(const char *before, size_t count, const char *after)
{
    struct buf b = buf_in(&arena);

    buf_text(&b, before);
    for (size_t i = 0; i < count; i++)
        buf_byte(&b, 'a');
    buf_text(&b, after);
    return buf_str(&b);
}

static void costly_pattern(void *arg)
{
    struct error err = {0};
    struct rule r;
    struct str rule = repeated("Bash(*", 1500, "b)");
    struct subject s = subject_from_text(&arena, repeated("Bash ", 12000, ""));

    (void)arg;
    assert_int_equal(rule_parse(&arena, rule, DIALECT_WARDER, &r, &err), STATUS_OK);
    r.effect = BEHAVIOR_ALLOW;
    assert_false(rule_matches(&arena, &r, &s, &subject_env));
    r.effect = BEHAVIOR_DENY;
    assert_true(rule_matches(&arena, &r, &s, &subject_env));
}

/* A comparison that was given up is a match for deny and ask, and none for allow. */
static void a_comparison_that_is_given_up_denies(void **state)
{
    (void)state;
    arena_init(&arena, 16 << 20);
    assert_true(arena_try(&arena, costly_pattern, NULL));
    arena_release(&arena);
}

static const struct {
    enum dialect dialect;
    const char *rule, *program, *words; /* of the pattern; a wild one with ~ behind it */
} on_commands[] = {
    {DIALECT_WARDER, "Bash(git push)", "git", "git push"},
    {DIALECT_WARDER, "Bash(git push:*)", "git", "git push *~"},
    {DIALECT_WARDER, "Bash(git p*)", "git", "git p*~"},
    {DIALECT_WARDER, "Bash(g*t push)", "", "g*t~ push"},
    {DIALECT_WARDER, "Bash(gi? push*)", "", "gi? push*~"},
    {DIALECT_WARDER, "Bash(echo \\* *)", "echo", "echo * *~"},
    {DIALECT_TRAILING, "run_shell(git push)", "git", "git push"},
    {DIALECT_TRAILING, "run_shell(git push*)", "git", "git push*~"},
    {DIALECT_TRAILING, "run_shell(git*)", "", "git*~"},
};

static void print_words(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(on_commands); i++) {
        struct buf b = buf_in(&arena);
        struct rule r;
        assert_int_equal(
            rule_parse(&arena, str_from(on_commands[i].rule), on_commands[i].dialect, &r, NULL),
            STATUS_OK);
        const struct rule_words words = rule_words(&arena, &r);
        for (size_t n = 0; n < words.count; n++)
            buf_format(&b, "%s%.*s%s", n ? " " : "", STR_ARG(words.items[n].text),
                       words.items[n].wild ? "~" : "");
        if (!str_is(buf_str(&b), on_commands[i].words) ||
            !str_is(rule_program(&r), on_commands[i].program))
            fail_msg("%s: %s, %.*s", on_commands[i].rule, buf_str(&b).s, STR_ARG(rule_program(&r)));
    }
}

static void words_of_rules_on_commands(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, print_words, NULL));
    arena_release(&arena);
}

static void no_memory_is_an_error(void **state)
{
    struct error err = {0};
    struct rule r;

    (void)state;
    for (size_t n = 1;; n++) {
        arena_init(&arena, 1 << 20);
        arena_fail_at(&arena, n);
        enum status s = rule_parse(&arena, STR("Bash(git * \"x\" *)"), DIALECT_WARDER, &r, &err);
        bool reached = arena.allocations >= n;
        arena_release(&arena);
        if (!reached) {
            assert_int_equal(s, STATUS_OK);
            assert_true(n > 5);
            return;
        }
        assert_int_equal(s, STATUS_NOMEM);
    }
}

/* --- the long form --- */

static enum regex_answer answer;

static enum regex_answer fake_regex(const void *code, struct str text)
{
    (void)code, (void)text;
    return answer;
}

static const struct {
    const char *why, *rule, *flag, *path, *subject;
    bool allow, deny;
} long_forms[] = {
    {"a flag that is there", "Bash(rm:*)", "-r", NULL, "Bash rm -r x", true, true},
    {"a flag that is not", "Bash(rm:*)", "-r", NULL, "Bash rm x", false, false},
    {"in a cluster, for deny", "Bash(rm:*)", "-r", NULL, "Bash rm -fr x", false, true},
    {"a cluster in two words, for deny", "Bash(rm:*)", "-rf", NULL, "Bash rm -f -r x", false, true},
    {"half a cluster", "Bash(rm:*)", "-rf", NULL, "Bash rm -f x", false, false},
    {"a long flag with a value, for deny", "Bash(git push:*)", "--force", NULL,
     "Bash git push --force=x", false, true},
    {"another long flag", "Bash(git push:*)", "--force", NULL, "Bash git push --forced", false,
     false},
    {"a letter of a long flag is no flag", "Bash(x:*)", "-f", NULL, "Bash x --force", false, false},
    {"the rule must match too", "Bash(rm:*)", "-r", NULL, "Bash cp -r x", false, false},
    {"a path that is touched", "Bash", NULL, "/src/**", "Bash cat ;; path=r:/p/src/x", true, true},
    {"a path that is not", "Bash", NULL, "/src/**", "Bash cat ;; path=r:/p/doc/x", false, false},
    {"one of two paths", "Bash", NULL, "/src/**", "Bash cat ;; path=r:/p/src/x ;; path=r:/p/doc/x",
     false, true},
    {"an uncertain path", "Bash", NULL, "/src/**", "Bash cat ;; path=r?:/p/src/x", false, true},
    {"a link out of it", "Bash", NULL, "/src/**", "Bash cat ;; path=r:/p/src/x ;; link=/etc/x",
     false, true},
    {"no path at all", "Bash", NULL, "/src/**", "Bash ls", false, false},
};

static void run_long_forms(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < COUNT(long_forms); i++) {
        struct rule r;
        struct rule_path p;
        assert_int_equal(rule_parse(&arena, str_from(long_forms[i].rule), DIALECT_WARDER, &r, NULL),
                         STATUS_OK);
        r.base = STR("/p");
        if (long_forms[i].flag)
            LIST_PUSH(&arena, &rule_add_more(&arena, &r)->flags, str_from(long_forms[i].flag));
        if (long_forms[i].path) {
            assert_int_equal(rule_path_parse(&arena, str_from(long_forms[i].path), &p, NULL),
                             STATUS_OK);
            LIST_PUSH(&arena, &rule_add_more(&arena, &r)->paths, p);
        }
        struct subject s = subject_from_text(&arena, str_from(long_forms[i].subject));
        for (int e = 0; e < 3; e++) {
            r.effect = (enum behavior)e;
            bool want = e == BEHAVIOR_ALLOW ? long_forms[i].allow : long_forms[i].deny;
            if (rule_matches(&arena, &r, &s, &subject_env) != want)
                fail_msg("%s (%s)", long_forms[i].why, behavior_name(r.effect));
        }
    }
}

static void long_form_needs_all_its_parts(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, run_long_forms, NULL));
    arena_release(&arena);
}

static void run_regex(void *arg)
{
    const struct world world = {.regex = fake_regex};
    struct rule_env env = subject_env;
    struct subject s = subject_from_text(&arena, STR("Bash ls"));
    struct rule r;

    (void)arg;
    assert_int_equal(rule_parse(&arena, STR("Bash"), DIALECT_WARDER, &r, NULL), STATUS_OK);
    rule_add_more(&arena, &r)->regex = STR("x");
    r.more->regex_code = &world;
    env.world = &world;
    static const bool want[3][3] = {
        [BEHAVIOR_DENY] = {[REGEX_NO] = false, [REGEX_YES] = true, [REGEX_LIMIT] = true},
        [BEHAVIOR_ASK] = {[REGEX_NO] = false, [REGEX_YES] = true, [REGEX_LIMIT] = true},
        [BEHAVIOR_ALLOW] = {[REGEX_NO] = false, [REGEX_YES] = true, [REGEX_LIMIT] = false},
    };
    for (int e = 0; e < 3; e++) {
        r.effect = (enum behavior)e;
        for (int x = 0; x < 3; x++) {
            answer = (enum regex_answer)x;
            assert_int_equal(rule_matches(&arena, &r, &s, &env), want[e][x]);
        }
        assert_int_equal(rule_matches(&arena, &r, &s, &subject_env),
                         e != BEHAVIOR_ALLOW); /* no world to ask */
    }
}

static void regex_limit_counts_against_the_call(void **state)
{
    (void)state;
    arena_init(&arena, 1 << 20);
    assert_true(arena_try(&arena, run_regex, NULL));
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_files),
        cmocka_unit_test(print_then_parse_gives_the_same_rule),
        cmocka_unit_test(length_has_a_limit),
        cmocka_unit_test(a_comparison_that_is_given_up_denies),
        cmocka_unit_test(words_of_rules_on_commands),
        cmocka_unit_test(no_memory_is_an_error),
        cmocka_unit_test(long_form_needs_all_its_parts),
        cmocka_unit_test(regex_limit_counts_against_the_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
