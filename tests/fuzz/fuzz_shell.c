/* fuzz_shell.c - fuzzes src/core/shell, programs, facts and decide: a shell text from its bytes to
 * a verdict.
 *
 * Properties: an accepted text prints; no refused text is understood; the nesting of actions has no
 * cycle; what was not understood is not allowed; the same text gets the same verdict; one more deny
 * rule never makes a verdict looser. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "decide/decide.h"
#include "fakeworld.h"
#include "rule/parse.h"
#include "shell/shell.h"
#include "shell/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct job {
    struct arena *arena;
    struct str text;
};

/* ---- properties ---- */

static void check_shell(struct job *job)
{
    struct shell_context context = {
        .cwd = STR("/w"), .home = STR("/home/u"), .programs = &programs};
    struct shell_analysis analysis;
    struct tree tree;
    struct buf out = buf_in(job->arena);

    shell_parse(job->arena, job->text, &tree);
    shell_print(&out, tree.root);
    shell_analyse(job->arena, job->text, &context, &analysis);
    if (tree.why && analysis.understood)
        abort();
    for (size_t i = 0; i < analysis.actions.count; i++) {
        size_t steps = 0;
        for (int at = analysis.actions.items[i].parent; at >= 0;
             at = analysis.actions.items[at].parent)
            if (at >= (int)analysis.actions.count || ++steps > analysis.actions.count)
                abort();
        if (!analysis.actions.items[i].allow_forms.count)
            abort();
    }
}

static void add_rule(struct job *job, struct rulebook *book, enum behavior effect, const char *text)
{
    struct rule r;

    enum status status = rule_parse(job->arena, str_from(text), DIALECT_WARDER, &r, NULL);
    if (status != STATUS_OK && status != STATUS_NOMEM)
        abort();
    r.effect = effect;
    r.source = SOURCE_USER;
    LIST_PUSH(job->arena, &book->rules, r);
}

static void check_decision(struct job *job)
{
    const struct call_defaults d = {
        .cwd = STR("/w"), .home = STR("/home/u"), .project = STR("/w"), .mode = STR("acceptEdits")};
    struct rulebook book = {.programs = &programs}, narrow = book;
    struct decide_options options = {.profile = profile_find(STR("warder")),
                                     .book = &book,
                                     .world = &world,
                                     .home = STR("/home/u")};
    struct call call;
    struct verdict first, again, stricter;

    if (call_make(job->arena, STR("Bash"), job->text, &d, &call, NULL) != STATUS_OK)
        return;
    add_rule(job, &book, BEHAVIOR_ALLOW, "Bash(curl *)");
    add_rule(job, &book, BEHAVIOR_ALLOW, "Edit(//tmp/**)");
    add_rule(job, &book, BEHAVIOR_ASK, "Bash(cat:*)");
    narrow = book;
    narrow.rules = (struct rules){0};
    for (size_t i = 0; i < book.rules.count; i++)
        LIST_PUSH(job->arena, &narrow.rules, book.rules.items[i]);
    add_rule(job, &narrow, BEHAVIOR_DENY, "Bash(ls *)");
    add_rule(job, &narrow, BEHAVIOR_DENY, "Read(**/a.c)");
    decide(job->arena, &options, &call, &first);
    decide(job->arena, &options, &call, &again);
    options.book = &narrow;
    decide(job->arena, &options, &call, &stricter);
    if (job->arena->exhausted)
        return; /* each may have hit the memory limit at a different place */
    if (first.behavior == BEHAVIOR_ALLOW && !first.facts->understood)
        abort();
    if (first.behavior != again.behavior || !str_eq(first.reason, again.reason) ||
        stricter.behavior > first.behavior)
        abort();
}

static void run(void *arg)
{
    check_shell(arg);
    check_decision(arg);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;

    if (size > 4096)
        return 0;
    arena_init(&arena, (size_t)256 << 20);
    struct job job = {&arena, {(const char *)data, size}};
    arena_try(&arena, run, &job);
    arena_release(&arena);
    return 0;
}
