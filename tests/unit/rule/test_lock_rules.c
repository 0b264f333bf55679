/* Rules as texts, alone and in books: how they are read, what they match, what is said of them, and
 * what books of them decide, is what tests/lock/rules.lock says. See support/lock.h. */
#include "programs/other_names.h"
#include "programs/programs.h"
#include "rule/index.h"
#include "rule/learn.h"
#include "rule/lint.h"
#include "rule/shipped.h"
#include "rule/suggest.h"
#include "support/case_texts.h"
#include "support/dice.h"
#include "support/lock.h"
#include "support/lock_scenes.h"
#include "support/lock_texts.h"
#include "support/shared.h"
#include "support/subject_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MEMORY      ((size_t)256 * 1024 * 1024)
#define SEED        20261120
#define BOOK_GROUPS 24
#define BOOKS       60 /* in a group */
#define BOOK_RULES  14
#define BOOK_CALLS  50
#define LINTED      40 /* rules at a time */
#define LESSONS     300

static struct {
    struct arena arena;
    struct lock_texts rules; /* as of a tool */
    struct lock_texts calls;
} all;

/* ---- what there is ---- */

static int by_bytes(const void *a, const void *b)
{
    return str_compare(*(const struct str *)a, *(const struct str *)b);
}

static void sort(struct strs *s)
{
    size_t kept = 0;

    qsort(s->items, s->count, sizeof(s->items[0]), by_bytes);
    for (size_t i = 0; i < s->count; i++)
        if (!kept || !str_eq(s->items[kept - 1], s->items[i]))
            s->items[kept++] = s->items[i];
    s->count = kept;
}

static void each_line(const char *path, void (*take)(struct str line))
{
    size_t len;
    char *whole = read_whole_file(source_path(path), &len);
    struct str rest = str_copy(&all.arena, (struct str){whole, len}), line;

    free(whole);
    while (rest.len) {
        str_cut(rest, '\n', &line, &rest);
        take(line);
    }
}

/* rule TEXT; both SUBJECT, deny SUBJECT, none SUBJECT */
static void take_rule(struct str line)
{
    struct str word, rest;

    str_cut(line, ' ', &word, &rest);
    if (str_is(word, "rule"))
        LIST_PUSH(&all.arena, &all.rules, lock_text_of(STR("rule"), rest));
}

static struct strs subjects;

static void take_subject(struct str line)
{
    struct str word, rest;

    str_cut(line, ' ', &word, &rest);
    if (str_is(word, "both") || str_is(word, "deny") || str_is(word, "none"))
        LIST_PUSH(&all.arena, &subjects, rest);
}

static void read_all(void *unused)
{
    static const char *const files[] = {
        "tests/cases/rules/action.case",         "tests/cases/rules/doublestar.case",
        "tests/cases/rules/first-argument.case", "tests/cases/rules/fnmatch.case",
        "tests/cases/rules/trailing.case",       "tests/cases/rules/warder-paths.case",
        "tests/cases/rules/warder.case"};
    static const struct shipped_list *const lists[] = {&shipped_guild, &shipped_warder,
                                                       &shipped_caliban};
    struct strs written = {0};
    struct lock_texts changed = {0};

    (void)unused;
    case_rules_read(&all.arena, &written);
    for (size_t i = 0; i < COUNT(files); i++) {
        each_line(files[i], take_rule);
        each_line(files[i], take_subject);
    }
    for (size_t i = 0; i < COUNT(lists); i++)
        for (size_t n = 0; n < lists[i]->count; n += 5)
            LIST_PUSH(&all.arena, &written, str_from(lists[i]->rules[n].text));
    for (size_t i = 0; i < written.count; i++)
        LIST_PUSH(&all.arena, &all.rules, lock_text_of(STR("rule"), written.items[i]));
    lock_texts_sort(&all.rules);
    sort(&subjects);
    for (size_t i = 0; i < all.rules.count; i++) {
        const struct lock_text *t = &all.rules.items[i];
        struct str text = lock_text_changed(&all.arena, t, &all.rules, 0);
        if (text.len)
            LIST_PUSH(&all.arena, &changed, lock_text_of(t->tool, text));
    }
    for (size_t i = 0; i < changed.count; i++)
        LIST_PUSH(&all.arena, &all.rules, changed.items[i]);
    lock_texts_sort(&all.rules);
    lock_texts_of_cases(&all.arena, &all.calls);
    lock_texts_of_tools(&all.arena, &all.calls);
}

/* ---- a rule alone ---- */

struct job {
    struct arena arena;
    enum dialect dialect;
    size_t from;
    struct str what;
    struct buf result;
    enum behavior behavior;
    struct dice dice;
};

static void say_reading(struct buf *b, const char *name, const struct rule_reading *r)
{
    buf_format(b, " %s=%d%d<%.*s>", name, (int)r->matcher, r->tail, STR_ARG(r->pattern));
}

static void say_parts(struct job *job, const struct rule *r)
{
    const struct rule_reading plain = {r->matcher, r->tail, r->pattern};
    const struct rule_more *more = rule_more(r);
    struct buf *b = &job->result;

    buf_format(b, "<%.*s> <%.*s> %d%d%u", STR_ARG(r->tool), STR_ARG(r->content), r->colon,
               r->tool_wild, r->access);
    say_reading(b, "plain", &plain);
    if (more->has_unquoted)
        say_reading(b, "unquoted", &more->unquoted);
    buf_format(b, " field=<%.*s><%.*s><%.*s>", STR_ARG(more->field), STR_ARG(more->field_pattern),
               STR_ARG(more->letter));
    if (r->path)
        buf_format(b, " path=%d+%d %d%d<%.*s>", (int)r->path->anchor, r->path->up,
                   r->path->names_one, r->path->names_last, STR_ARG(r->path->pattern));
    buf_format(b, " printed=<%.*s>", STR_ARG(rule_print(&job->arena, r)));
}

static void read_rule(void *arg)
{
    struct job *job = arg;
    struct error err = {0};
    struct rule r;

    job->result = buf_in(&job->arena);
    if (rule_parse(&job->arena, job->what, job->dialect, &r, &err) != STATUS_OK)
        buf_format(&job->result, "%s at %u", err.message, err.column);
    else
        say_parts(job, &r);
}

/* Which of the subjects it matches, as deny and as allow rule, and as written. */
static void match_rule(void *arg)
{
    struct job *job = arg;
    struct arena *a = &job->arena;
    struct rule r;

    job->result = buf_in(a);
    if (rule_parse(a, job->what, job->dialect, &r, NULL) != STATUS_OK)
        return;
    r.base = STR("/p/sub");
    for (size_t i = job->from / 2 % 4; i < subjects.count; i += 4) {
        const struct subject s = subject_from_text(a, subjects.items[i]);
        unsigned answers = 0;
        for (int effect = BEHAVIOR_DENY; effect <= BEHAVIOR_ALLOW; effect += 2) {
            r.effect = (enum behavior)effect;
            answers = answers * 4 + (rule_matches(a, &r, &s, &subject_env) ? 2 : 0) +
                      (rule_matches_as_written(a, &r, &s, &subject_env) ? 1 : 0);
        }
        if (answers)
            buf_format(&job->result, "%u <%.*s>\n", answers, STR_ARG(subjects.items[i]));
    }
}

static void locked(struct job *job, void (*look)(void *), struct str what)
{
    job->what = what;
    job->behavior = LOCK_NO_VERDICT;
    assert_true(arena_try(&job->arena, look, job));
    lock_add(job->behavior, what, buf_str(&job->result));
    arena_reset(&job->arena);
}

static void one_by_one(struct job *job, const char *name, void (*look)(void *), size_t each)
{
    char group[64];

    for (int d = 0; d < DIALECT_COUNT; d++) {
        job->dialect = (enum dialect)d;
        snprintf(group, sizeof(group), "%s/%s", name, dialect_name(job->dialect));
        if (!lock_begin(group))
            continue;
        for (size_t i = 0; i < all.rules.count; i++) {
            job->from = (size_t)(all.rules.items[i].hash / 16);
            if (job->from % each == (size_t)d % each)
                locked(job, look, all.rules.items[i].text);
        }
        lock_end();
    }
}

/* ---- some rules together ---- */

/* Of these rules those that can be read, with effects by chance. */
static void make_rules(struct job *job, size_t from, size_t count, bool random, struct rules *out)
{
    for (size_t i = 0; i < count; i++) {
        const struct lock_text *t = random ? lock_texts_near(&all.rules, dice_next(&job->dice))
                                           : &all.rules.items[(from + i) % all.rules.count];
        struct rule r;
        if (rule_parse(&job->arena, t->text, job->dialect, &r, NULL) != STATUS_OK)
            continue;
        r.effect = (enum behavior)dice_below(&job->dice, 3);
        r.source = dice_below(&job->dice, 3) ? SOURCE_USER : SOURCE_PROJECT;
        r.base = STR("/home/u/p");
        r.line = (uint32_t)i + 1;
        LIST_PUSH(&job->arena, out, r);
    }
}

static void lint(void *arg)
{
    struct job *job = arg;
    struct rules rules = {0};
    struct lint_findings found = {0};

    job->result = buf_in(&job->arena);
    make_rules(job, job->from, LINTED, false, &rules);
    rules_lint(&job->arena, &rules, program_danger, program_meant, &found);
    for (size_t i = 0; i < found.count; i++)
        buf_format(&job->result, "%s %zu <%.*s>: %.*s\n", found.items[i].name, found.items[i].rule,
                   STR_ARG(rules.items[found.items[i].rule].text), STR_ARG(found.items[i].message));
}

static void lint_all(struct job *job)
{
    char group[64];

    for (int d = 0; d < DIALECT_COUNT; d++) {
        job->dialect = (enum dialect)d;
        snprintf(group, sizeof(group), "lint/%s", dialect_name(job->dialect));
        if (!lock_begin(group))
            continue;
        job->dice.state = SEED + (uint64_t)d;
        for (job->from = 0; job->from < all.rules.count;
             job->from += (size_t)(d ? 3 * LINTED : LINTED))
            locked(job, lint, all.rules.items[job->from].text);
        lock_end();
    }
}

/* A call that one of the rules is about, or nearly: a word for each star, and perhaps a change. */
static struct lock_text call_for(struct job *job, const struct rules *rules)
{
    static const char *const words[] = {"a.txt", "src/x", "-f", "--force", "origin main", ".env"};
    const struct rule *r = &rules->items[dice_below(&job->dice, rules->count)];
    struct buf b = buf_in(&job->arena);

    for (size_t i = 0; i < r->content.len; i++)
        if (r->content.s[i] == '*' ||
            (r->content.s[i] == ':' && i + 1 < r->content.len && r->content.s[i + 1] == '*'))
            buf_text(&b,
                     r->content.s[i] == '*' ? words[dice_below(&job->dice, COUNT(words))] : " ");
        else
            buf_byte(&b, r->content.s[i]);
    const struct lock_text made =
        lock_text_of(r->tool_wild || !r->tool.len ? STR("Bash") : r->tool, buf_str(&b));
    if (dice_below(&job->dice, 2) || !made.text.len)
        return made;
    return lock_text_of(made.tool, lock_text_changed(&job->arena, &made, &all.calls, 0));
}

/* What a book of rules decides about some calls. */
static void judge_by_book(void *arg)
{
    struct job *job = arg;
    struct rulebook book = {.programs = lock_scene_book(0)->programs};
    struct buf b = buf_in(&job->arena);

    job->dialect = DIALECT_WARDER;
    make_rules(job, 0, BOOK_RULES, true, &book.rules);
    rulebook_index(&job->arena, &book, &program_name_lists);
    for (size_t i = 0; i < BOOK_CALLS; i++) {
        const struct lock_text any = *lock_texts_near(&all.calls, dice_next(&job->dice)),
                               own = book.rules.count ? call_for(job, &book.rules) : any,
                               *t = i % 3 ? &own : &any;
        struct str result;
        enum behavior behavior = lock_scene_judge_by(&job->arena, dice_below(&job->dice, 4), &book,
                                                     t->tool, t->text, &result);
        buf_format(&b, "%.*s %.*s: %s\n%.*s\n", STR_ARG(t->tool), STR_ARG(t->text),
                   behavior_name(behavior), STR_ARG(result));
        lock_count(behavior);
    }
    job->result = b;
}

static void judge_all(struct job *job)
{
    char group[64];

    for (size_t i = 0; i < BOOK_GROUPS; i++) {
        snprintf(group, sizeof(group), "books/%zu", i + 1);
        if (!lock_begin(group))
            continue;
        job->dice.state = SEED + 100 + i;
        for (size_t n = 0; n < BOOKS; n++)
            locked(job, judge_by_book, STR("a book"));
        lock_end();
    }
}

/* ---- what is learned ---- */

static void random_calls(struct job *job, struct lesson *l, struct lesson_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct lesson_call *c = &calls[i];
        c->session = dice_below(&job->dice, l->session_count);
        c->counts = dice_below(&job->dice, 8) != 0;
        for (size_t n = dice_below(&job->dice, 4); n > 0; n--) {
            struct lesson_needs *to = dice_below(&job->dice, 12) ? &c->needs : &c->vetoes;
            struct lesson_need need = {.rule = dice_below(&job->dice, l->rule_count)};
            need.variant = dice_below(&job->dice, 4);
            LIST_PUSH(&job->arena, to, need);
        }
    }
}

static void learn(void *arg)
{
    struct job *job = arg;
    struct lesson l = {.arena = &job->arena,
                       .rule_count = 6,
                       .session_count = 4,
                       .sessions_least = 1 + dice_below(&job->dice, 3)};
    struct lesson_call calls[24] = {{0}};
    struct lesson_rule rules[6] = {{0}};
    const bool heard[] = {true, false, true, true};

    random_calls(job, &l, calls, COUNT(calls));
    for (size_t i = 0; i < COUNT(rules); i++)
        rules[i].variants = dice_below(&job->dice, 4);
    l.calls = calls;
    l.call_count = COUNT(calls);
    l.rules = rules;
    l.heard = dice_below(&job->dice, 2) ? heard : NULL;
    lesson_choose(&l);
    job->result = buf_in(&job->arena);
    for (size_t i = 0; i < COUNT(rules); i++)
        buf_format(&job->result, "%d%d %zu %zu %zu\n", rules[i].chosen, rules[i].vetoed,
                   rules[i].calls, rules[i].sessions, rules[i].seen);
    for (size_t i = 0; i < COUNT(calls); i++)
        buf_byte(&job->result, lesson_covers(&l, &calls[i]) ? '1' : '0');
}

static void learn_all(struct job *job)
{
    if (!lock_begin("learn"))
        return;
    job->dice.state = SEED;
    for (size_t i = 0; i < LESSONS; i++)
        locked(job, learn, STR("a lesson"));
    lock_end();
}

static void run(void)
{
    struct job job = {0};

    arena_init(&all.arena, MEMORY);
    arena_init(&job.arena, MEMORY);
    assert_true(arena_try(&all.arena, read_all, NULL));
    lock_scenes_open();
    one_by_one(&job, "read", read_rule, 1);
    one_by_one(&job, "match", match_rule, 2);
    lint_all(&job);
    judge_all(&job);
    learn_all(&job);
    arena_release(&job.arena);
    arena_release(&all.arena);
}

int main(int argc, char **argv)
{
    return lock_main(argc, argv, "rules", run);
}
