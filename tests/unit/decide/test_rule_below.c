/* Rules and what lies below a directory: the limits of names, comparisons and matches, on a disk
 * whose directories have as many names as the test wants. */
#include "decide/rule_below.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "decide/decide.h"
#include "facts/trees.h"

#include <cmocka.h>

#define MEMORY ((size_t)256 * 1024 * 1024)

struct disk {
    size_t names, scans;
    const char *name; /* each with its number behind it */
    const char *link; /* leads to /far; NULL: there is none */
};

static enum file_kind disk_kind(void *context, const char *path)
{
    (void)context;
    return strcmp(path, "/p/src") == 0 ? FILE_DIRECTORY : FILE_ABSENT;
}

static bool disk_resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    const struct disk *d = context;

    snprintf(out, WORLD_PATH_MAX, "%s", d->link && strcmp(path, d->link) == 0 ? "/far" : path);
    return true;
}

static bool disk_scan(void *context, const char *directory, world_entry *each, void *to)
{
    struct disk *d = context;

    (void)directory;
    d->scans++;
    for (size_t i = 0; i < d->names; i++) {
        char name[64];
        snprintf(name, sizeof(name), "%s%zu", d->name, i);
        if (!each(to, name, ENTRY_OTHER))
            return false;
    }
    return true;
}

struct question {
    struct arena arena;
    struct disk disk;
    size_t rules;
    const char *rule, *ends, *command; /* the number of a rule is in the middle of it */
    enum behavior got;
};

static void add_rule(struct question *q, struct rulebook *book, struct str text,
                     enum behavior effect)
{
    struct rule r;

    assert_int_equal(rule_parse(&q->arena, text, DIALECT_WARDER, &r, NULL), STATUS_OK);
    r.effect = effect;
    LIST_PUSH(&q->arena, &book->rules, r);
}

static void judge(void *arg)
{
    struct question *q = arg;
    const struct call_defaults d = {.cwd = STR("/p"), .home = STR("/home/u"), .project = STR("/p")};
    const struct world world = {
        .context = &q->disk, .kind = disk_kind, .resolve = disk_resolve, .scan = disk_scan};
    struct rulebook book = {0};
    const struct decide_options o = {.profile = profile_find(STR("warder")),
                                     .book = &book,
                                     .world = &world,
                                     .home = STR("/home/u")};
    struct call call;
    struct verdict v;

    add_rule(q, &book, STR("Bash"), BEHAVIOR_ALLOW);
    for (size_t i = 0; i < q->rules; i++)
        add_rule(q, &book, str_format(&q->arena, "%s%zu%s", q->rule, i, q->ends), BEHAVIOR_DENY);
    call_make(&q->arena, STR("Bash"), str_from(q->command), &d, &call, NULL);
    decide(&q->arena, &o, &call, &v);
    q->got = v.behavior;
}

static enum behavior answer(struct question q, size_t *scans)
{
    arena_init(&q.arena, MEMORY);
    assert_true(arena_try(&q.arena, judge, &q));
    arena_release(&q.arena);
    if (scans)
        *scans = q.disk.scans;
    return q.got;
}

static enum behavior with_names(size_t names)
{
    return answer((struct question){.disk = {.names = names, .name = "n"},
                                    .rules = 1,
                                    .rule = "Read(**/secret",
                                    .ends = ")",
                                    .command = "grep -r x src"},
                  NULL);
}

static void more_names_than_the_limit_ask(void **unused)
{
    (void)unused;
    assert_int_equal(with_names(TREES_ENTRIES_MAX), BEHAVIOR_ALLOW);
    assert_int_equal(with_names(TREES_ENTRIES_MAX + 1), BEHAVIOR_ASK);
}

#define RULES 64

static enum behavior with_comparisons(size_t names)
{
    return answer((struct question){.disk = {.names = names, .name = "n"},
                                    .rules = RULES,
                                    .rule = "Read(**/secret",
                                    .ends = ")",
                                    .command = "grep -r x src"},
                  NULL);
}

static void more_comparisons_than_the_limit_ask(void **unused)
{
    (void)unused;
    assert_int_equal(with_comparisons(BELOW_COMPARED_MAX / RULES), BEHAVIOR_ALLOW);
    assert_int_equal(with_comparisons(BELOW_COMPARED_MAX / RULES + 1), BEHAVIOR_ASK);
}

/* All names match, and the words of the command leave them out. */
static enum behavior with_matches(size_t names)
{
    return answer((struct question){.disk = {.names = names, .name = "secret0."},
                                    .rules = 1,
                                    .rule = "Read(**/secret",
                                    .ends = "*)",
                                    .command = "grep -r --include='*.c' x src"},
                  NULL);
}

static void more_matches_than_the_limit_ask(void **unused)
{
    (void)unused;
    assert_int_equal(with_matches(BELOW_MATCHES_MAX), BEHAVIOR_ALLOW);
    assert_int_equal(with_matches(BELOW_MATCHES_MAX + 1), BEHAVIOR_ASK);
}

static enum behavior with_link(const char *link, size_t rules)
{
    return answer((struct question){.disk = {.link = link},
                                    .rules = rules,
                                    .rule = "Read(//p/l",
                                    .ends = "/**)",
                                    .command = "cat /far/x"},
                  NULL);
}

static void links_of_more_rules_than_the_limit_are_not_seen(void **unused)
{
    (void)unused;
    assert_int_equal(RULE_LINKS_MAX, 16);
    assert_int_equal(with_link("/p/l15", 16), BEHAVIOR_ASK);
    assert_int_equal(with_link("/p/l15", 300), BEHAVIOR_ASK);
    assert_int_equal(with_link("/p/l16", 17), BEHAVIOR_ALLOW);
}

static void a_directory_is_looked_at_once(void **unused)
{
    size_t scans;
    struct question q = {.disk = {.names = 10, .name = "n"},
                         .rules = 1,
                         .rule = "Read(**/secret",
                         .ends = ")",
                         .command = "grep -r x src; grep -r y src; grep -r z src"};

    (void)unused;
    assert_int_equal(answer(q, &scans), BEHAVIOR_ALLOW);
    assert_int_equal(scans, 1);
    q.rule = "Read(./secret"; /* about no name there */
    assert_int_equal(answer(q, &scans), BEHAVIOR_ALLOW);
    assert_int_equal(scans, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_names_than_the_limit_ask),
        cmocka_unit_test(more_comparisons_than_the_limit_ask),
        cmocka_unit_test(more_matches_than_the_limit_ask),
        cmocka_unit_test(links_of_more_rules_than_the_limit_are_not_seen),
        cmocka_unit_test(a_directory_is_looked_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
