#include "engine/examples.h"

#include "base/json.h"
#include "engine/pretend.h"
#include "machine/guard.h"
#include "programs/other_names.h"

#define MEMORY_MAX ((size_t)256 * 1024 * 1024)
#define EXAMPLE_TIME                                                                               \
    1 /* seconds since 1970: before all dates, so that no policy breaks by itself */

struct origins LIST_OF(const struct rule *);

struct judging {
    const struct examples_of *of;
    struct arena arena; /* of one example */
    struct arena books; /* of the rules of a file */
    struct rulebook book;
    struct str file;        /* whose rules are in it */
    struct origins origins; /* of each of its rules: the one in the whole book */
    size_t found;           /* where in the whole book the last example's rule was */
    const struct example *example;
    const struct rule *own; /* the rule of the example, in the whole book; NULL: it has none */
    struct verdict verdict;
    struct error err;
    example_visit *visit;
    void *context;
};

/* ---- the rules ---- */

static bool is_of(const struct rule *r, const struct example *e)
{
    return r->line == e->rule_line && r->column == e->rule_column && str_eq(r->file, e->file);
}

/* Examples are in the order of their rules: the next one's is near. */
static const struct rule *find_own(struct judging *j)
{
    const struct rules *all = &j->of->book->rules;

    for (size_t i = 0; j->example->kind != EXAMPLE_VERDICT && i < all->count; i++) {
        size_t at = (j->found + i) % all->count;
        if (is_of(&all->items[at], j->example)) {
            j->found = at;
            return &all->items[at];
        }
    }
    return NULL;
}

/* What other files say about tools and directories does not count. */
static void keep_entries(struct arena *a, struct tool_entries *entries, enum source source)
{
    struct tool_entries kept = {0};

    for (size_t i = 0; i < entries->count; i++)
        if (entries->items[i].source == source)
            LIST_PUSH(a, &kept, entries->items[i]);
    *entries = kept;
}

static enum source source_of(const struct rulebook *book, struct str file)
{
    for (size_t i = 0; i < book->files.count; i++)
        if (str_eq(book->files.items[i].path, file))
            return book->files.items[i].source;
    return SOURCE_USER;
}

static void take_settings(struct judging *j, enum source source)
{
    struct directories kept = {0};
    struct rulebook *b = &j->book;

    keep_entries(&j->books, &b->disabled, source);
    keep_entries(&j->books, &b->allowed, source);
    for (size_t i = 0; i < b->directories.count; i++)
        if (b->directories.items[i].source == source)
            LIST_PUSH(&j->books, &kept, b->directories.items[i]);
    b->directories = kept;
    if (!str_eq(b->mode.file, j->file))
        b->mode = (struct mode_setting){0};
    b->problems = (struct problems){0};
    b->managed_rules_only = false;
}

/* The rules of one file beside those of the profile. */
static void take_file(void *arg)
{
    struct judging *j = arg;
    const struct rules *all = &j->of->book->rules;

    j->book = *j->of->book;
    j->book.rules = (struct rules){0};
    j->origins = (struct origins){0};
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i].source == SOURCE_BUILTIN || str_eq(all->items[i].file, j->file)) {
            LIST_PUSH(&j->books, &j->book.rules, all->items[i]);
            LIST_PUSH(&j->books, &j->origins, &all->items[i]);
        }
    take_settings(j, source_of(j->of->book, j->file));
    rulebook_index(&j->books, &j->book, &program_name_lists);
}

/* ---- one call ---- */

static enum status make_call(struct judging *j, struct str cwd, struct call *out)
{
    const struct example *e = j->example;
    struct arena *a = &j->arena;
    struct value *input = ARENA_NEW(a, struct value);
    const struct call_defaults defaults = {
        .cwd = cwd, .project = j->of->project, .home = j->of->home, .mode = e->mode};

    if (!e->input.len && e->argument.len)
        return call_make(a, e->tool, e->argument, &defaults, out, &j->err);
    enum status status = json_read(a, e->input.len ? e->input : STR("{}"), NULL, input, &j->err);
    return status ? status : call_from_input(a, e->tool, input, &defaults, out, &j->err);
}

static struct pretend disk_of(struct judging *j, struct str cwd)
{
    struct arena *a = &j->arena;
    struct pretend disk = pretend_disk(a, j->of->project, j->of->home);

    pretend_add(a, &disk, str_join(a, cwd, STR("/")), j->of->project, j->of->home);
    for (size_t i = 0; i < j->example->files.count; i++)
        pretend_add(a, &disk, j->example->files.items[i], cwd, j->of->home);
    return disk;
}

static struct str directory_of(struct judging *j)
{
    struct str cwd = j->of->project;

    if (j->example->cwd.len &&
        !path_expand(&j->arena, j->of->project, j->of->home, j->example->cwd, &cwd))
        return j->of->project;
    return path_cleaned(&j->arena, cwd);
}

static void judge_example(void *arg)
{
    struct judging *j = arg;
    struct arena *a = &j->arena;
    const struct str cwd = directory_of(j);
    struct pretend *disk = ARENA_NEW(a, struct pretend);
    struct world *world = ARENA_NEW(a, struct world);
    struct session *session = ARENA_NEW(a, struct session);
    struct call *call = ARENA_NEW(a, struct call);

    *disk = disk_of(j, cwd);
    *world = pretend_world(disk, regex_match);
    session->began = EXAMPLE_TIME;
    const struct decide_options options = {.profile = j->of->profile,
                                           .book = &j->book,
                                           .session = session,
                                           .world = world,
                                           .home = j->of->home,
                                           .words_later = true,
                                           .now = EXAMPLE_TIME};
    if (make_call(j, cwd, call) == STATUS_OK)
        decide(a, &options, call, &j->verdict);
    else
        decide_malformed(a, str_format(a, "%s", j->err.message), &j->verdict);
}

/* ---- the result ---- */

/* Of the whole book, as the caller knows it; NULL: the profile's. */
static const struct rule *in_book(const struct judging *j, const struct rule *r)
{
    if (r->source == SOURCE_BUILTIN)
        return NULL;
    return j->own ? j->own : j->origins.items[r - j->book.rules.items];
}

struct said_rules LIST_OF(const struct rule *);

/* Of an allow rule: it cleared something in a call that is allowed. Of the others: its own word. */
static bool decides(const struct judging *j)
{
    static const enum opinion opinions[] = {
        [BEHAVIOR_DENY] = SAY_DENY, [BEHAVIOR_ASK] = SAY_ASK, [BEHAVIOR_ALLOW] = SAY_ALLOW};
    const struct verdict *v = &j->verdict;

    if (j->own->effect == BEHAVIOR_ALLOW && verdict_behavior(v) != BEHAVIOR_ALLOW)
        return false;
    for (size_t i = 0; i < v->trace.count; i++)
        if (v->trace.items[i].said.rule && is_of(v->trace.items[i].said.rule, j->example) &&
            v->trace.items[i].said.opinion == opinions[j->own->effect])
            return true;
    return false;
}

static struct str wrong_verdict(struct judging *j)
{
    static const char *const are[] = {
        [BEHAVIOR_DENY] = "denied", [BEHAVIOR_ASK] = "asked about", [BEHAVIOR_ALLOW] = "allowed"};

    return str_format(&j->arena, "this test fails: it is %s, and should be %s: %.*s",
                      are[verdict_behavior(&j->verdict)], are[j->example->wanted],
                      STR_ARG(str_slice(j->verdict.reason, 0, 200)));
}

static struct str wrong_match(struct judging *j)
{
    return str_format(&j->arena,
                      j->example->kind == EXAMPLE_MATCH
                          ? "this example fails: the rule %.*s does not decide it: %.*s"
                          : "this example fails: the rule %.*s decides it, and should not: %.*s",
                      STR_ARG(str_slice(j->own->text, 0, 100)),
                      STR_ARG(str_slice(j->verdict.reason, 0, 200)));
}

static void give_result(void *arg)
{
    struct judging *j = arg;
    const struct verdict *v = &j->verdict;
    struct said_rules said = {0};
    struct example_result r = {
        .example = j->example, .behavior = verdict_behavior(v), .rule = j->own};

    r.passed = j->example->kind == EXAMPLE_VERDICT
                   ? r.behavior == j->example->wanted
                   : decides(j) == (j->example->kind == EXAMPLE_MATCH);
    decide_word(j->of->profile, &j->verdict);
    if (!r.passed)
        r.message = j->example->kind == EXAMPLE_VERDICT ? wrong_verdict(j) : wrong_match(j);
    for (size_t i = 0; i < v->trace.count; i++) {
        const struct rule *rule =
            v->trace.items[i].said.rule ? in_book(j, v->trace.items[i].said.rule) : NULL;
        if (rule)
            LIST_PUSH(&j->arena, &said, rule);
    }
    r.said = said.items;
    r.said_count = said.count;
    j->visit(j->context, &r);
}

/* The rules of the example's file. */
static bool choose_book(struct judging *j)
{
    if (str_eq(j->file, j->example->file))
        return true;
    arena_reset(&j->books);
    j->file = j->example->file;
    return arena_try(&j->books, take_file, j);
}

/* By the book, or by the one rule that it belongs to. */
static bool judge_one(struct judging *j)
{
    struct rule alone;
    struct rulebook whole;

    arena_reset(&j->arena);
    j->verdict = (struct verdict){0};
    j->err = (struct error){0};
    j->own = find_own(j);
    if (!choose_book(j))
        return false;
    if (j->example->kind != EXAMPLE_VERDICT && !j->own)
        return true; /* its rule does not count here: another project's, or left out */
    whole = j->book;
    if (j->own) {
        alone = *j->own;
        j->book.rules = (struct rules){&alone, 1, 1};
        j->book.index = NULL;
    }
    enum guarded end = guard_try(&j->arena, judge_example, j);
    if (end == GUARD_FAULT)
        decide_malformed(&j->arena, STR("the analysis of this call crashed"), &j->verdict);
    bool done = end != GUARD_FULL && arena_try(&j->arena, give_result, j);
    j->book = whole;
    return done;
}

bool examples_judge(const struct examples_of *of, example_visit *visit, void *context)
{
    struct judging j = {.of = of, .visit = visit, .context = context};
    bool done = true;

    arena_init(&j.arena, MEMORY_MAX);
    arena_init(&j.books, MEMORY_MAX);
    for (size_t i = 0; done && i < of->book->examples.count; i++) {
        j.example = &of->book->examples.items[i];
        done = judge_one(&j);
    }
    arena_release(&j.arena);
    arena_release(&j.books);
    return done;
}

/* ---- at load ---- */

static void add_problem(void *context, const struct example_result *r)
{
    struct policy *policy = context;
    struct problem p = {.fatal = true,
                        .file = r->example->file,
                        .line = r->example->line,
                        .column = r->example->column,
                        .source = r->example->source};

    if (r->passed)
        return;
    p.message = str_copy(&policy->arena, r->message);
    LIST_PUSH(&policy->arena, &policy->book.problems, p);
}

void examples_prove(struct policy *policy, const struct policy_request *request)
{
    const struct examples_of of = {.book = &policy->book,
                                   .profile = request->model,
                                   .home = request->home,
                                   .project = request->project};
    struct problem p = {.fatal = true, .message = STR("no memory to judge the examples")};

    if (!examples_judge(&of, add_problem, policy))
        LIST_PUSH(&policy->arena, &policy->book.problems, p);
}
