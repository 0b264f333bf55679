/* The index compared with rule_matches() on all rules: whatever the rules and the subject are, it
 * must not miss a rule that matches. WARDER_SEED and WARDER_ROUNDS are as in test_properties.c. */
#include "rule/index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/word_lists.h"
#include "rule/command.h"

#define MEMORY ((size_t)64 * 1024 * 1024)
#define RULES  40
#define ROUNDS 6000

static uint64_t state;

static size_t below(size_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % n);
}

/* Few words, so that rules match often; short, long, with punctuation, in both cases and beyond
 * ASCII. */
static const char *const words[] = {"git",
                                    "push",
                                    "ls",
                                    "a",
                                    "origin",
                                    "branch-12345",
                                    "src",
                                    ".env",
                                    "x y",
                                    "~",
                                    "home",
                                    "EtC",
                                    "etc",
                                    "caf\u00e9",
                                    "e\u0301",
                                    "main.c",
                                    "rm",
                                    "-rf",
                                    "--all",
                                    "build",
                                    "id_rsa",
                                    "ssh",
                                    "b",
                                    "node_modules",
                                    "'git'",
                                    "\"ls\"",
                                    "/home/u",
                                    "example.com",
                                    "git.example.com",
                                    "~/src",
                                    "rm ~",
                                    "rm /home/u"};
static const char *const joins[] = {" ", "/", "", " ", "/", ".", "\t"};
static const char *const wild[] = {"*", "**", "?", "[a-g]", "{git,ls}", "\\*", "",
                                   "",  "",   "",  " *",    "/**",      ":*"};
static const char *const tools[] = {"Bash",   "Read",  "Edit", "WebFetch", "mcp__a__b",
                                    "mcp__a", "Other", "*",    "mcp__*"};

#define PICK(list) ((list)[below(COUNT(list))])

static struct str random_text(struct arena *a, size_t most, bool magic)
{
    struct buf b = buf_in(a);
    size_t n = 1 + below(most);

    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_text(&b, PICK(joins));
        if (magic && below(4) == 0)
            buf_text(&b, PICK(wild));
        buf_text(&b, PICK(words));
    }
    if (magic)
        buf_text(&b, PICK(wild));
    return buf_str(&b);
}

static struct str random_path(struct arena *a)
{
    static const char *const roots[] = {"/p/", "/home/u/", "/", "/etc/", "/P/"};
    struct buf b = buf_in(a);

    buf_text(&b, PICK(roots));
    for (size_t n = 1 + below(3), i = 0; i < n; i++) {
        if (i)
            buf_byte(&b, '/');
        buf_text(&b, PICK(words));
    }
    return buf_str(&b);
}

static bool random_rule(struct arena *a, enum dialect dialect, struct rule *r)
{
    static const char *const marks[] = {"", "command:", "domain:", "./", "~/", "//", "file_path:"};
    const char *tool = PICK(tools);
    struct str text = random_text(a, 3, below(4) != 0), all;
    size_t form = below(12);

    if (form == 8)
        all = str_from(tool);
    else if (form >= 9 || dialect == DIALECT_ACTION)
        all = text;
    else
        all = str_format(a, form == 7 ? "%s:%s%s" : "%s(%s%s)", tool, form == 7 ? "" : marks[form],
                         text.s);
    *r = (struct rule){0};
    if (rule_parse(a, all, dialect, r, NULL) != STATUS_OK)
        return false;
    r->effect = (enum behavior)below(3);
    r->base = STR("/p");
    return true;
}

static void add_path(struct arena *a, struct subject *s)
{
    struct subject_path p = {.written = random_path(a), .access = 1u << below(4)};

    p.resolved = below(4) ? p.written : random_path(a);
    if (below(12) == 0) {
        p.pattern = true;
        p.written = str_join(a, p.written, STR("*"));
    }
    LIST_PUSH(a, &s->paths, p);
}

static struct subject random_subject(struct arena *a)
{
    struct subject s = {
        .known_tool = below(2) != 0, .understood = below(4) != 0, .has_first = true};

    s.shell = below(3) != 0;
    LIST_PUSH(a, &s.names, str_from(s.shell ? "Bash" : PICK(tools)));
    s.first = random_text(a, 5, false);
    if (s.shell) {
        LIST_PUSH(a, &s.declared, STR("command"));
        LIST_PUSH(a, &s.fields, (struct subject_field){STR("command"), s.first});
        LIST_PUSH(a, &s.forms_allow, random_text(a, 4, false));
        LIST_PUSH(a, &s.forms_deny, s.forms_allow.items[0]);
        LIST_PUSH(a, &s.forms_deny, random_text(a, 3, false));
    } else {
        s.has_first = below(4) != 0;
        LIST_PUSH(a, &s.declared, STR("file_path"));
        LIST_PUSH(a, &s.fields, (struct subject_field){STR("file_path"), random_path(a)});
        LIST_PUSH(a, &s.forms_allow, s.first);
    }
    if (below(3) == 0) { /* `git:*` may mean a field of that name */
        struct str name = str_from(PICK(words));
        LIST_PUSH(a, &s.fields, (struct subject_field){name, random_text(a, 2, false)});
        if (below(2))
            LIST_PUSH(a, &s.declared, name);
    }
    for (size_t n = below(3); n > 0; n--)
        add_path(a, &s);
    if (below(3) == 0)
        LIST_PUSH(a, &s.hosts, str_format(a, "%s.example.com", below(2) ? "git" : "Origin"));
    return s;
}

static bool is_found(const struct rule_places *found, uint32_t place)
{
    for (size_t i = 0; i < found->count; i++)
        if (found->items[i] == place)
            return true;
    return false;
}

static void complain(const struct rule *r, const struct subject *s)
{
    printf("seed in the first line; %s %s rule not found: %.*s\n", dialect_name(r->dialect),
           behavior_name(r->effect), STR_ARG(r->text));
    printf("  first: %.*s\n", STR_ARG(s->first));
    for (size_t i = 0; i < s->forms_deny.count; i++)
        printf("  form: %.*s\n", STR_ARG(s->forms_deny.items[i]));
    for (size_t i = 0; i < s->paths.count; i++)
        printf("  path: %.*s -> %.*s%s\n", STR_ARG(s->paths.items[i].written),
               STR_ARG(s->paths.items[i].resolved), s->paths.items[i].pattern ? " (pattern)" : "");
}

struct tally {
    size_t rules, matches, found;
    size_t programs, on_programs, unnamed, listed;
    size_t paths, forbidden, free;
};

/* With only these kinds of rules, the index does not read texts to their ends. */
static bool says_start(const struct rule *r)
{
    return !rule_more(r)->field.len && (r->matcher == MATCH_EXACT || r->matcher == MATCH_PREFIX ||
                                        r->matcher == MATCH_STARTS || r->matcher == MATCH_PATH);
}

static bool random_begun_rule(struct arena *a, struct rule *r)
{
    static const char *const begins[] = {"Read(/", "Read(", "Edit(~", "Read(."};
    static const char *const ends[] = {"", "", "/", "/**", "/*", "*", "/*.c", "/**/a"};

    if (below(2))
        return random_rule(a, (enum dialect)below(DIALECT_COUNT), r) && says_start(r);
    *r = (struct rule){.effect = BEHAVIOR_DENY, .base = STR("/p")};
    struct str text = str_format(a, "%s%s%s)", PICK(begins), random_path(a).s, PICK(ends));
    return rule_parse(a, text, DIALECT_WARDER, r, NULL) == STATUS_OK;
}

static void compare_places(const struct rule_places *by_index, const struct rule_places *by_looking,
                           struct str program)
{
    bool same = by_index->count == by_looking->count;

    for (size_t i = 0; same && i < by_looking->count; i++)
        same = by_index->items[i] == by_looking->items[i];
    if (!same)
        fail_msg("rules on the program '%.*s': %zu by the index, %zu by looking at all of them",
                 STR_ARG(program), by_index->count, by_looking->count);
}

/* Rules by the program that they name: the index against a look at every rule. */
static void compare_program(struct arena *a, const struct rules *rules, const struct rule_index *x,
                            struct str program, struct tally *t)
{
    const struct rulebook with = {.rules = *rules, .index = x}, without = {.rules = *rules};
    struct rule_places found = rulebook_on_program(a, &with, program);
    struct rule_places all = rulebook_on_program(a, &without, program);

    compare_places(&found, &all, program);
    assert_ptr_equal(rulebook_first_on_commands(&with), rulebook_first_on_commands(&without));
    if (program.len && all.count) /* what rulebook_may_name() rejects is not looked up at all */
        assert_true(rulebook_may_name(&with, program.s[0]));
    t->programs++;
    t->on_programs += all.count > 0;
    t->unnamed += program.len && !rulebook_may_name(&with, program.s[0]);
}

static void compare_programs(struct arena *a, const struct rules *rules, const struct rule_index *x,
                             struct tally *t)
{
    for (size_t i = 0; i < rules->count; i++)
        compare_program(a, rules, x, rule_program(&rules->items[i]), t);
    for (int i = 0; i < 4; i++)
        compare_program(a, rules, x, random_text(a, 1, below(4) == 0), t);
    compare_program(a, rules, x, STR(""), t);
}

#define LISTS 70 /* more than there are bits in a word */

/* A name or none, of a rule or any, between two that no rule has. */
static struct word_lists random_lists(struct arena *a, const struct rules *rules)
{
    const char **lists = ARENA_ARRAY(a, const char *, LISTS);

    for (size_t i = 0; i < LISTS; i++) {
        struct str name =
            below(8) ? random_text(a, 1, false) : rule_program(&rules->items[below(rules->count)]);
        lists[i] = below(4) ? str_format(a, "no-rule-1 %.*s no-rule-2 ", STR_ARG(name)).s : "";
    }
    return (struct word_lists){lists, LISTS};
}

static bool names_one(struct arena *a, const struct rulebook *b, struct str list)
{
    struct str name;

    while (str_next_word(&list, &name))
        if (rulebook_on_program(a, b, name).count)
            return true;
    return false;
}

/* A list that was not there when the index was built may have any name. */
static void compare_lists(struct arena *a, const struct rules *rules, const struct rule_index *x,
                          const struct word_lists *lists, struct tally *t)
{
    const struct rulebook by_index = {.rules = *rules, .index = x}, by_looking = {.rules = *rules};
    bool any = rulebook_on_program(a, &by_looking, STR("no-rule-1")).count > 0;

    for (size_t i = 0; i < lists->count; i++) {
        bool named = any || names_one(a, &by_looking, str_from(lists->items[i]));
        if (rulebook_may_name_one(&by_index, i) != named)
            fail_msg("the index is wrong about \"%s\"", lists->items[i]);
        t->listed += named && !any;
    }
    assert_true(rulebook_may_name_one(&by_index, lists->count));
}

/* rule_index_may_forbid() against the rules themselves, on a subject that has only one path. */
static void compare_path(struct arena *a, const struct rules *rules, const struct rule_index *x,
                         const struct rule_env *env, struct tally *t)
{
    struct subject s = {.shell = true, .known_tool = true, .understood = true};
    struct subject_path p = {.written = random_path(a), .access = 1u << below(3)};

    p.resolved = p.written;
    LIST_PUSH(a, &s.names, STR("Bash"));
    LIST_PUSH(a, &s.paths, p);
    bool may = rule_index_may_forbid(x, p.written, env);
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *r = &rules->items[i];
        if (r->effect == BEHAVIOR_ALLOW || !rule_is_on_paths(r) || !rule_matches(a, r, &s, env))
            continue;
        t->forbidden++;
        if (!may) {
            complain(r, &s);
            fail();
        }
    }
    t->paths++;
    t->free += !may;
}

static void one_round(struct arena *a, struct tally *t)
{
    const struct rule_env env = {.cwd = STR("/p"), .home = STR("/home/u")};
    struct rules rules = {0};
    struct rule r;
    bool begun = below(4) == 0, mixed = below(2) == 0;
    size_t dialect = below(DIALECT_COUNT);

    while (rules.count < RULES)
        if (begun ? random_begun_rule(a, &r)
                  : random_rule(a, (enum dialect)(mixed ? below(DIALECT_COUNT) : dialect), &r))
            LIST_PUSH(a, &rules, r);
    const struct word_lists lists = random_lists(a, &rules);
    const struct rule_index *x = rule_index_build(a, &rules, &lists);
    compare_programs(a, &rules, x, t);
    compare_lists(a, &rules, x, &lists, t);
    for (int n = 0; n < 4; n++)
        compare_path(a, &rules, x, &env, t);
    for (int n = 0; n < 8; n++) {
        struct subject s = random_subject(a);
        const struct rule_search search = rule_search_begin(a, x, &s);
        struct rule_places found = rule_search_find(&search, &s, &env);
        t->rules += rules.count;
        t->found += found.count;
        for (uint32_t i = 0; i < rules.count; i++) {
            if (!rule_matches(a, &rules.items[i], &s, &env))
                continue;
            t->matches++;
            if (!is_found(&found, i)) {
                complain(&rules.items[i], &s);
                fail();
            }
        }
    }
}

struct job {
    struct arena *a;
    struct tally *tally;
};

static void run_round(void *arg)
{
    struct job *j = arg;

    one_round(j->a, j->tally);
}

static size_t from_environment(const char *name, size_t otherwise)
{
    const char *set = getenv(name);

    return set ? (size_t)strtoull(set, NULL, 10) : otherwise;
}

static void nothing_is_missing(void **unused)
{
    struct arena a;
    struct tally tally = {0};
    struct job job = {&a, &tally};
    size_t rounds = from_environment("WARDER_ROUNDS", ROUNDS);

    (void)unused;
    state = from_environment("WARDER_SEED", 20) | 1;
    printf("seed %llu, %zu rounds\n", (unsigned long long)state, rounds);
    arena_init(&a, MEMORY);
    for (size_t i = 0; i < rounds; i++) {
        assert_true(arena_try(&a, run_round, &job));
        arena_reset(&a);
    }
    arena_release(&a);
    printf("%zu questions, %zu matches, %zu found\n", tally.rules, tally.matches, tally.found);
    assert_true(tally.matches > tally.rules / 200); /* otherwise the test proves nothing */
    assert_true(tally.found < tally.rules / 2);     /* otherwise the index saves nothing */
    printf("%zu programs, %zu with rules, %zu ruled out by their first byte\n", tally.programs,
           tally.on_programs, tally.unnamed);
    assert_true(tally.listed > 1000);
    assert_true(tally.on_programs > tally.programs / 10 && tally.unnamed > tally.programs / 200);
    printf("%zu paths, %zu times forbidden, %zu free at first sight\n", tally.paths,
           tally.forbidden, tally.free);
    assert_true(tally.forbidden > tally.paths / 100 && tally.free > tally.paths / 50);
}

/* So many names that two of them have the same hash. */
#define NAMES 200000

static void look_up_many_names(void *arg)
{
    struct arena *a = arg;
    struct rulebook b = {0};

    for (int i = 0; i < NAMES; i++) {
        struct rule r = {
            .effect = BEHAVIOR_DENY, .matcher = MATCH_EXACT, .pattern = str_format(a, "p%d", i)};
        LIST_PUSH(a, &b.rules, r);
    }
    b.index = rule_index_build(a, &b.rules, NULL);
    for (uint32_t i = 0; i < NAMES; i++) {
        struct rule_places found = rulebook_on_program(a, &b, b.rules.items[i].pattern);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.items[0], i);
    }
}

static void names_with_the_same_hash_are_told_apart(void **unused)
{
    struct arena a;

    (void)unused;
    arena_init(&a, (size_t)512 * 1024 * 1024);
    assert_true(arena_try(&a, look_up_many_names, &a));
    arena_release(&a);
}

#define MANY 1000
#define FEW  16

struct many {
    struct arena *a;
    const char *const *form; /* the text before and after a number */
    size_t found;
};

static void find_among_many(void *arg)
{
    struct many *m = arg;
    const struct rule_env env = {.cwd = STR("/p"), .home = STR("/home/u")};
    struct subject s = {
        .shell = true, .known_tool = true, .has_first = true, .first = STR("git status -s")};
    struct rules rules = {0};

    for (int i = 0; i < MANY; i++) {
        struct rule r = {0};
        struct str text = str_format(m->a, "%s%d%s", m->form[0], i, m->form[1]);
        assert_int_equal(rule_parse(m->a, text, DIALECT_WARDER, &r, NULL), STATUS_OK);
        LIST_PUSH(m->a, &rules, r);
    }
    LIST_PUSH(m->a, &s.names, STR("Bash"));
    LIST_PUSH(m->a, &s.declared, STR("command description"));
    LIST_PUSH(m->a, &s.fields, ((struct subject_field){STR("command"), s.first}));
    LIST_PUSH(m->a, &s.forms_allow, s.first);
    LIST_PUSH(m->a, &s.forms_deny, s.first);
    const struct rule_search search =
        rule_search_begin(m->a, rule_index_build(m->a, &rules, NULL), &s);
    m->found = rule_search_find(&search, &s, &env).count;
}

/* For each form that people write: rules unrelated to a command are not found. */
static void few_are_found_among_many(void **unused)
{
    static const char *const forms[][2] = {
        {"Bash(prog", ":*)"},        {"Bash(prog", " sub:*)"}, {"Bash(prog", " *)"},
        {"Bash(prog-", ")"},         {"Bash(x", "x:*)"},       {"Bash(a", ":b*)"},
        {"Bash(git push prog", ")"}, {"Read(/src/", "/**)"},   {"WebFetch(domain:h", ".com)"},
        {"mcp__a__t", ""},
    };

    (void)unused;
    for (size_t i = 0; i < COUNT(forms); i++) {
        struct arena a;
        struct many many = {.a = &a, .form = forms[i]};
        arena_init(&a, MEMORY);
        assert_true(arena_try(&a, find_among_many, &many));
        arena_release(&a);
        if (many.found > FEW)
            fail_msg("%sN%s: %zu of %d are found", forms[i][0], forms[i][1], many.found, MANY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_missing),
                                       cmocka_unit_test(few_are_found_among_many),
                                       cmocka_unit_test(names_with_the_same_hash_are_told_apart)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
