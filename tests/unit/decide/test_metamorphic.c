/* Respelling a command never makes its verdict milder: deny stays deny, ask does not become allow.
 * Commands come from our own case files, changes from support/respell.c. The seed is printed and
 * can be set with WARDER_SEED; WARDER_ROUNDS sets the number of cases. */
#include "decide/decide.h"
#include "rule/shipped.h"
#include "support/case_texts.h"
#include "support/dice.h"
#include "support/respell.h"
#include "support/shared.h"

#include "base/json.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MEMORY ((size_t)256 * 1024 * 1024)
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ROUNDS 10000
#else
#define ROUNDS 100000
#endif
#define CHANGES_MAX    3    /* applied one after the other */
#define PADDED_ONE_IN  2500 /* one case in so many is padded to a great length */
#define FAILURES_SHOWN 10

static struct dice dice;

/* ---- a world without a disk: what is in the project exists, programs are in /usr/bin ---- */

/* Otherwise every directory would be a repository without a work tree. */
static bool is_head_elsewhere(const char *path)
{
    return str_ends(str_from(path), STR("/HEAD")) && !strstr(path, "/.git/");
}

static enum file_kind kind_of(void *context, const char *path)
{
    (void)context;
    return strstr(path, "new") || is_head_elsewhere(path) ? FILE_ABSENT : FILE_REGULAR;
}

static bool resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    (void)context;
    return snprintf(out, WORLD_PATH_MAX, "%s", path) < WORLD_PATH_MAX;
}

static bool list(void *context, const char *directory, char *out, size_t size)
{
    (void)context;
    (void)directory;
    memcpy(out, "a.c\0b.c\0", size < 9 ? size : 9);
    return true;
}

/* Every file has the same text, which is no command. */
static bool text_of(void *context, const char *path, char *out, size_t size, size_t *len)
{
    (void)context;
    (void)path;
    *len = (size_t)snprintf(out, size, "one\n");
    return true;
}

static bool repository(void *context, const char *directory, char out[WORLD_PATH_MAX])
{
    (void)context;
    snprintf(out, WORLD_PATH_MAX, "/home/u/p/.git");
    return strncmp(directory, "/home/u/p", 9) == 0;
}

static bool program(void *context, struct str name, char out[WORLD_PATH_MAX])
{
    (void)context;
    return snprintf(out, WORLD_PATH_MAX, "/usr/bin/%.*s", STR_ARG(name)) < WORLD_PATH_MAX;
}

static const struct world world = {.kind = kind_of,
                                   .resolve = resolve,
                                   .list = list,
                                   .text = text_of,
                                   .repository = repository,
                                   .program = program};

/* ---- policies ---- */

static const struct {
    const char *mode;
    bool shipped;
    const char *rules[12]; /* the first letter is the effect */
} policies[] = {
    {"default", true, {0}},
    {"acceptEdits", true, {0}},
    {"plan", false, {0}},
    {"bypassPermissions", false, {0}},
    {"default",
     false,
     {"-Bash(touch *)", "-Bash(rm *)", "-Bash(curl:*)", "-Bash(git push *)", "-Read(~/.ssh/**)",
      "-Edit(/src/**)", "?Bash(make *)", "?Bash(git commit:*)", "-Read(//etc/**)"}},
    {"bypassPermissions",
     false,
     {"-Bash(rm:*)", "-Bash(ls *)", "?Bash(cat *)", "-Edit(*.c)", "-Bash(echo *)"}},
    {"default",
     false,
     {"+Bash(npm *)", "+Bash(git *)", "+Bash(echo *)", "+Bash(python3 *)", "+Bash(curl *)",
      "+Read(//etc/**)", "+Edit(/src/**)", "-Bash(git push *)"}},
};

static void add_rule(struct arena *a, struct rulebook *book, const char *text)
{
    static const char effects[] = "-?+"; /* in the order of enum behavior */
    struct rule r;

    assert_int_equal(rule_parse(a, str_from(text + 1), DIALECT_WARDER, &r, NULL), STATUS_OK);
    r.effect = (enum behavior)(strchr(effects, text[0]) - effects);
    r.source = SOURCE_USER;
    r.base = STR("/home/u/p");
    LIST_PUSH(a, &book->rules, r);
}

static void make_book(struct arena *a, struct rulebook *book, size_t policy)
{
    for (size_t i = 0; policies[policy].rules[i]; i++)
        add_rule(a, book, policies[policy].rules[i]);
    for (size_t i = 0; policies[policy].shipped && i < shipped_warder.count; i++) {
        struct rule r;
        assert_int_equal(
            rule_parse(a, str_from(shipped_warder.rules[i].text), shipped_warder.dialect, &r, NULL),
            STATUS_OK);
        r.effect = shipped_warder.rules[i].effect;
        r.source = SOURCE_BUILTIN;
        LIST_PUSH(a, &book->rules, r);
    }
}

/* ---- commands ---- */

struct commands {
    struct arena arena;
    struct strs texts;
};

static struct commands commands;

static void add_commands(void *unused)
{
    struct case_texts all = {0};

    (void)unused;
    case_texts_read(&commands.arena, &all);
    for (size_t i = 0; i < all.count; i++) {
        const struct case_text *t = &all.items[i];
        if (str_is(t->tool, "Bash") && t->text.len && (t->kind != CASE_CALL || t->text.s[0] != '{'))
            LIST_PUSH(&commands.arena, &commands.texts, t->text);
    }
}

static int read_commands(void **state)
{
    (void)state;
    arena_init(&commands.arena, MEMORY);
    assert_true(arena_try(&commands.arena, add_commands, NULL));
    printf("%zu commands\n", commands.texts.count);
    assert_true(commands.texts.count > 2000);
    return 0;
}

/* ---- the property ---- */

struct run {
    struct arena keep, scratch; /* `keep`: books and first verdicts; `scratch`: one case */
    struct rulebook books[COUNT(policies)];
    const struct strs *texts;
    unsigned char *before; /* behavior + 1 per policy and text; 0: not judged yet */
    size_t cases, failures;
    size_t of_kind[16];
};

static struct verdict judge(struct run *r, size_t policy, struct str text)
{
    const struct call_defaults d = {.cwd = STR("/home/u/p"),
                                    .home = STR("/home/u"),
                                    .project = STR("/home/u/p"),
                                    .mode = str_from(policies[policy].mode)};
    const struct decide_options o = {.profile = profile_find(STR("warder")),
                                     .book = &r->books[policy],
                                     .world = &world,
                                     .home = STR("/home/u"),
                                     .bypass_flag =
                                         strcmp(policies[policy].mode, "bypassPermissions") == 0};
    struct verdict v = {0};
    struct call call;

    if (call_make(&r->scratch, STR("Bash"), text, &d, &call, NULL) == STATUS_OK)
        decide(&r->scratch, &o, &call, &v);
    return v;
}

/* The mildest verdict that a change may have. A text that is too much work for its length is not
 * understood; a longer text has a larger budget and may turn out harmless. */
static enum behavior mildest(struct verdict v)
{
    bool beyond = v.facts && str_is(v.facts->why, "too much work to follow it all");

    return beyond ? BEHAVIOR_ALLOW : v.behavior;
}

static enum behavior first_verdict(struct run *r, size_t policy, size_t n)
{
    unsigned char *known = &r->before[policy * r->texts->count + n];

    if (!*known)
        *known = (unsigned char)(mildest(judge(r, policy, r->texts->items[n])) + 1);
    return (enum behavior)(*known - 1);
}

/* Applies a few changes one after the other; false if none fits. `what` collects their names. */
static bool change(struct run *r, struct str *text, struct buf *what)
{
    bool changed = false;

    for (size_t n = 1 + dice_below(&dice, CHANGES_MAX); n > 0; n--) {
        size_t kind = dice_below(&dice, respelling_count);
        if (!respellings[kind].change(&r->scratch, &dice, *text, text))
            continue;
        r->of_kind[kind]++;
        buf_format(what, "%s%s", changed ? ", " : "", respellings[kind].name);
        changed = true;
    }
    if (r->cases % PADDED_ONE_IN || !respell_padded(&r->scratch, &dice, *text, text))
        return changed;
    r->of_kind[respelling_count]++;
    buf_text(what, ", padded");
    return true;
}

static void one_case(void *arg)
{
    struct run *r = arg;
    size_t n = dice_below(&dice, r->texts->count), policy = dice_below(&dice, COUNT(policies));
    struct str text = r->texts->items[n];
    struct buf what = buf_in(&r->scratch);

    if (!change(r, &text, &what))
        return;
    r->cases++;
    enum behavior before = first_verdict(r, policy, n);
    struct verdict after = judge(r, policy, text);
    if (after.behavior <= before || r->failures++ >= FAILURES_SHOWN)
        return;
    struct verdict first = judge(r, policy, r->texts->items[n]);
    printf("%.*s: %s (%s: %.*s) -> %s (%s, policy %zu)\n--- %.*s\n--- %.*s\n",
           STR_ARG(buf_str(&what)), behavior_name(before), first.layer, STR_ARG(first.reason),
           behavior_name(after.behavior), after.layer, policy, STR_ARG(r->texts->items[n]),
           STR_ARG(str_slice(text, 0, 400)));
}

static void make_books(void *arg)
{
    struct run *r = arg;

    for (size_t i = 0; i < COUNT(policies); i++)
        make_book(&r->keep, &r->books[i], i);
    r->before = arena_alloc(&r->keep, COUNT(policies), r->texts->count);
}

static void hold(const struct strs *texts, size_t rounds)
{
    struct run r = {.texts = texts};

    arena_init(&r.keep, MEMORY);
    arena_init(&r.scratch, MEMORY);
    assert_true(arena_try(&r.keep, make_books, &r));
    while (r.cases < rounds) {
        assert_true(arena_try(&r.scratch, one_case, &r));
        arena_reset(&r.scratch);
    }
    arena_release(&r.keep);
    arena_release(&r.scratch);
    printf("%zu cases, %zu of them milder\n", r.cases, r.failures);
    for (size_t i = 0; i <= respelling_count; i++) {
        printf("%8zu %s\n", r.of_kind[i],
               i < respelling_count ? respellings[i].name : "padded with no-ops");
        assert_true(r.of_kind[i] > 0);
    }
    assert_int_equal(r.failures, 0);
}

static size_t rounds(void)
{
    const char *set = getenv("WARDER_ROUNDS");

    return set ? strtoul(set, NULL, 10) : ROUNDS;
}

static void another_spelling_is_never_judged_milder(void **state)
{
    (void)state;
    hold(&commands.texts, rounds());
}

struct published {
    struct strs texts;
    const char *path;
};

static void read_published(void *arg)
{
    struct published *p = arg;
    size_t len;
    char *whole = read_whole_file(p->path, &len);
    struct str rest = str_copy(&commands.arena, (struct str){whole, len}), line;
    struct value v;

    free(whole);
    while (rest.len) {
        str_cut(rest, '\n', &line, &rest);
        if (line.len && json_read(&commands.arena, line, NULL, &v, NULL) == STATUS_OK)
            LIST_PUSH(&commands.arena, &p->texts, value_text(&v, "command"));
    }
}

static void another_spelling_of_a_published_bypass_neither(void **state)
{
    struct published p = {.path = shared_path("shell/bypass_cases.jsonl")};

    (void)state;
    if (!p.path)
        return;
    assert_true(arena_try(&commands.arena, read_published, &p));
    hold(&p.texts, rounds() / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_spelling_is_never_judged_milder),
        cmocka_unit_test(another_spelling_of_a_published_bypass_neither),
    };
    const char *seed = getenv("WARDER_SEED");

    mallopt(M_TRIM_THRESHOLD, (int)MEMORY); /* one arena is filled and emptied over and over */
    dice.state = seed ? strtoull(seed, NULL, 10) : 20261115;
    printf("seed %llu\n", (unsigned long long)dice.state);
    return cmocka_run_group_tests(tests, read_commands, NULL);
}
