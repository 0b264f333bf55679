/* fuzz_rule.c - fuzzes src/core/rule: any text as a rule. The first byte chooses dialect and
 * effect, the rest is the rule.
 *
 * Properties: a rule prints as a text that parses to the same rule, an error has a place in the
 * text, and a rule covers itself. */
#include <stdint.h>
#include <stdlib.h>

#include "programs/programs.h"
#include "rule/lint.h"
#include "rule/suggest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct arena arena;

#define STRS(...)                                                                                  \
    {                                                                                              \
        (struct str[]){__VA_ARGS__}, sizeof((struct str[]){__VA_ARGS__}) / sizeof(struct str), 0   \
    }

/* A shell action and a file tool that have a bit of everything. */
static struct subject subjects[] = {
    {.names = STRS({"Bash", 4}),
     .shell = true,
     .known_tool = true,
     .declared = STRS({"command", 7}),
     .has_first = true,
     .first = {"cd /p && git -C . push 'a b'", 28},
     .forms_allow = STRS({"git -C . push a b", 17}),
     .forms_deny = STRS({"git push a b", 12}, {"push", 4}),
     .words = STRS({"git", 3}, {"push", 4}, {"-rf", 3}),
     .understood = true,
     .hosts = STRS({"a.example.com", 13})},
    {.names = STRS({"Edit", 4}, {"edit_file", 9}),
     .fields = {(struct subject_field[]){{{"file_path", 9}, {"src/a.c", 7}}}, 1, 0},
     .has_first = true,
     .first = {"src/a.c", 7},
     .forms_allow = STRS({"src/a.c", 7}),
     .forms_deny = STRS({"src/a.c", 7}),
     .understood = true},
};

static struct subject_path paths[] = {
    {{"/p/src/a.c", 10}, {"/home/u/.ssh/id", 15}, ACCESS_WRITE | ACCESS_READ, false, false},
    {{"/p/s*/[a-c].?", 13}, {0}, ACCESS_READ, true, false},
    {{"/etc", 4}, {"/etc", 4}, ACCESS_DELETE, false, true},
};

static void match_and_offer(const struct rule *r, enum dialect d)
{
    const struct rule_env env = {.cwd = {"/p", 2}, .home = {"/home/u", 7}};

    for (size_t i = 0; i < COUNT(subjects); i++) {
        subjects[i].paths.items = paths;
        subjects[i].paths.count = COUNT(paths);
        rule_matches(&arena, r, &subjects[i], &env);
        rule_suggest(&arena, &subjects[i], d, &env, i % 2 == 0, program_danger);
    }
}

static void check(const struct rule *r, enum dialect d)
{
    struct lint_findings found = {0};
    struct rule twice[2] = {*r};
    struct rules rules = {twice, 2, 0};

    if (rule_parse(&arena, rule_print(&arena, r), r->dialect, &twice[1], NULL) ||
        r->matcher != twice[1].matcher || !str_eq(r->pattern, twice[1].pattern) ||
        !str_eq(r->content, twice[1].content) || !str_eq(r->tool, twice[1].tool) ||
        !str_eq(rule_more(r)->field, rule_more(&twice[1])->field))
        abort();
    twice[1].effect = r->effect;
    twice[1].base = r->base;
    if (!rule_covers(&arena, &twice[0], &twice[1]))
        abort();
    rules_lint(&arena, &rules, program_danger, program_meant, &found);
    match_and_offer(r, d);
}

struct input {
    struct str text;
    uint8_t choice;
};

static void run(void *arg)
{
    const struct input *in = arg;
    enum dialect d = (enum dialect)(in->choice % DIALECT_COUNT);
    struct error err = {0};
    struct rule r;

    enum status s = rule_parse(&arena, in->text, d, &r, &err);
    if (s) {
        if (err.message[0] == '\0' ||
            (s == STATUS_SYNTAX && (err.column == 0 || err.column > in->text.len + 1)))
            abort();
        return;
    }
    r.effect = (enum behavior)(in->choice / DIALECT_COUNT % 3);
    r.base = STR("/p");
    check(&r, d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct input in = {{(const char *)data + 1, size - 1}, data[0]};
    arena_init(&arena, 1 << 26);
    arena_try(&arena, run, &in);
    arena_release(&arena);
    return 0;
}
