/* test.c - the examples of policy files, judged one by one; which rules none of them is about. */
#include "engine/examples.h"
#include "engine/report.h"

struct tested {
    const struct example *example;
    bool passed;
    enum behavior behavior;
    struct str message;
};
struct tested_list LIST_OF(struct tested);

struct test_run {
    struct report *report;
    const struct held *held;
    bool coverage;
    struct tested_list results;
    bool *met; /* of each rule of the book: an example is about it */
    size_t failed;
};

static const struct rulebook *book_of(const struct test_run *t)
{
    return t->held->project->book;
}

/* ---- judging ---- */

static void meet(struct test_run *t, const struct rule *rule)
{
    const struct rules *rules = &book_of(t)->rules;

    if (rule >= rules->items && rule < rules->items + rules->count)
        t->met[rule - rules->items] = true;
}

static void take_result(void *context, const struct example_result *r)
{
    struct test_run *t = context;
    struct arena *a = t->report->arena;

    LIST_PUSH(a, &t->results,
              (struct tested){r->example, r->passed, r->behavior, str_copy(a, r->message)});
    t->failed += !r->passed;
    for (size_t i = 0; r->passed && i < r->said_count; i++)
        if (r->example->kind != EXAMPLE_NOT)
            meet(t, r->said[i]);
    if (r->passed && r->example->kind == EXAMPLE_MATCH && r->rule)
        meet(t, r->rule);
}

static bool is_of_example(const struct rulebook *book, const struct problem *p)
{
    for (size_t i = 0; i < book->examples.count; i++)
        if (book->examples.items[i].line == p->line &&
            book->examples.items[i].column == p->column &&
            str_eq(book->examples.items[i].file, p->file))
            return true;
    return false;
}

static bool judge(struct test_run *t)
{
    const struct rulebook *book = book_of(t);
    const struct policy_request *request = &t->held->snapshot->request;
    const struct examples_of of = {.book = book,
                                   .profile = t->held->snapshot->profile,
                                   .home = request->home,
                                   .project = str_from(t->held->project->project)};

    t->met = ARENA_ARRAY(t->report->arena, bool, book->rules.count + 1);
    return examples_judge(&of, take_result, t);
}

/* ---- the report ---- */

static const char *wanted_of(const struct example *e)
{
    return e->kind == EXAMPLE_VERDICT ? behavior_name(e->wanted)
           : e->kind == EXAMPLE_MATCH ? "match"
                                      : "not";
}

static void show_place(struct report *r, struct str file, uint32_t line, uint32_t column)
{
    report_show(r, file);
    if (line)
        buf_format(&r->text, ":%u:%u", line, column);
    buf_text(&r->text, file.len ? ": " : "");
}

static void show_test(struct report *r, const struct tested *t)
{
    const struct example *e = t->example;

    json_begin_object(&r->json);
    report_member(r, "file", e->file);
    report_number(r, "line", e->line);
    report_number(r, "column", e->column);
    report_member(r, "call", e->shown);
    report_member(r, "wanted", str_from(wanted_of(e)));
    report_member(r, "verdict", str_from(behavior_name(t->behavior)));
    json_key(&r->json, "passed");
    json_bool(&r->json, t->passed);
    report_member(r, "message", t->message);
    json_end_object(&r->json);
    if (t->passed)
        return;
    show_place(r, e->file, e->line, e->column);
    report_show(r, e->shown);
    buf_text(&r->text, ": ");
    report_show(r, t->message);
    buf_byte(&r->text, '\n');
}

/* What is wrong with the files beside their examples. */
static void show_problems(struct report *r, const struct rulebook *book)
{
    json_key(&r->json, "problems");
    json_begin_array(&r->json);
    for (size_t i = 0; i < book->problems.count; i++) {
        const struct problem *p = &book->problems.items[i];
        if (!p->fatal || is_of_example(book, p))
            continue;
        json_begin_object(&r->json);
        report_member(r, "file", p->file);
        report_number(r, "line", p->line);
        report_number(r, "column", p->column);
        report_member(r, "message", p->message);
        json_end_object(&r->json);
        show_place(r, p->file, p->line, p->column);
        buf_text(&r->text, "error: ");
        report_show(r, p->message);
        buf_byte(&r->text, '\n');
        r->errors++;
    }
    json_end_array(&r->json);
}

static void show_coverage(struct report *r, const struct test_run *t)
{
    const struct rules *rules = &book_of(t)->rules;
    size_t all = 0, met = 0;

    json_key(&r->json, "unmatched");
    json_begin_array(&r->json);
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->items[i];
        if (rule->source == SOURCE_BUILTIN)
            continue;
        all++;
        met += t->met[i];
        if (t->met[i])
            continue;
        json_begin_object(&r->json);
        report_member(r, "behavior", str_from(behavior_name(rule->effect)));
        report_member(r, "rule", rule->text);
        report_member(r, "place", rule_place(r->arena, rule));
        json_end_object(&r->json);
        report_show(r, rule_place(r->arena, rule));
        buf_format(&r->text, ": no test is about %s ", behavior_name(rule->effect));
        report_show(r, rule->text);
        buf_byte(&r->text, '\n');
    }
    json_end_array(&r->json);
    report_number(r, "rules", (int64_t)all);
    report_number(r, "matched", (int64_t)met);
    buf_format(&r->text, "%zu of %zu rules have a test\n", met, all);
}

struct test_request {
    struct held held;
    bool coverage;
};

static void show(struct report *r, const void *about)
{
    const struct test_request *request = about;
    struct test_run t = {.report = r, .held = &request->held, .coverage = request->coverage};

    if (!judge(&t))
        arena_leave(r->arena);
    json_begin_object(&r->json);
    json_key(&r->json, "tests");
    json_begin_array(&r->json);
    for (size_t i = 0; i < t.results.count; i++)
        show_test(r, &t.results.items[i]);
    json_end_array(&r->json);
    show_problems(r, book_of(&t));
    if (t.coverage)
        show_coverage(r, &t);
    report_number(r, "passed", (int64_t)(t.results.count - t.failed));
    report_number(r, "failed", (int64_t)t.failed);
    json_end_object(&r->json);
    r->warnings = t.failed;
    if (t.results.count)
        buf_format(&r->text, "%zu tests, %zu passed, %zu failed\n", t.results.count,
                   t.results.count - t.failed, t.failed);
    else
        buf_text(&r->text, "there are no tests: see `tests` in warder.conf(5)\n");
}

/* ---- JUnit ---- */

/* XML has no way to write control characters: they are shown as on a terminal. */
static void xml_text(struct report *r, struct str text)
{
    static const struct {
        char c;
        const char *entity;
    } rows[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}};
    struct buf safe = buf_in(r->arena);

    show_text(&safe, text);
    for (size_t i = 0; i < safe.len; i++) {
        const char *entity = NULL;
        for (size_t n = 0; n < COUNT(rows); n++)
            entity = safe.s[i] == rows[n].c ? rows[n].entity : entity;
        if (entity)
            buf_text(&r->text, entity);
        else
            buf_byte(&r->text, safe.s[i]);
    }
}

static void xml_test(struct report *r, const struct tested *t)
{
    const struct example *e = t->example;

    buf_text(&r->text, "    <testcase classname=\"");
    xml_text(r, e->file);
    buf_format(&r->text, "\" name=\"%s: ", wanted_of(e));
    xml_text(r, e->shown);
    buf_text(&r->text, "\" file=\"");
    xml_text(r, e->file);
    buf_format(&r->text, "\" line=\"%u\"", e->line);
    if (t->passed) {
        buf_text(&r->text, "/>\n");
        return;
    }
    buf_text(&r->text, ">\n      <failure message=\"");
    xml_text(r, t->message);
    buf_text(&r->text, "\"/>\n    </testcase>\n");
}

static void xml_problem(struct report *r, const struct problem *p)
{
    buf_text(&r->text, "    <testcase classname=\"");
    xml_text(r, p->file);
    buf_text(&r->text, "\" name=\"the policy can be read\">\n      <error message=\"");
    xml_text(r, p->message);
    buf_text(&r->text, "\"/>\n    </testcase>\n");
}

static void show_junit(struct report *r, const void *about)
{
    const struct test_request *request = about;
    struct test_run t = {.report = r, .held = &request->held};
    const struct rulebook *book = book_of(&t);
    struct problems others = {0};

    if (!judge(&t))
        arena_leave(r->arena);
    for (size_t i = 0; i < book->problems.count; i++)
        if (book->problems.items[i].fatal && !is_of_example(book, &book->problems.items[i]))
            LIST_PUSH(r->arena, &others, book->problems.items[i]);
    buf_format(&r->text,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
               "  <testsuite name=\"warder\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
               t.results.count + others.count, t.failed, others.count);
    for (size_t i = 0; i < others.count; i++)
        xml_problem(r, &others.items[i]);
    for (size_t i = 0; i < t.results.count; i++)
        xml_test(r, &t.results.items[i]);
    buf_text(&r->text, "  </testsuite>\n</testsuites>\n");
    json_null(&r->json);
}

/* ---- the API ---- */

static warder_status make(warder_engine *engine, struct test_request *request,
                          void (*fill)(struct report *, const void *), warder_report **out,
                          warder_error *err)
{
    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    warder_status status = policy_borrow(engine, &request->held, err);
    if (status != WARDER_OK)
        return status;
    status = report_make(fill, request, out, err);
    snapshot_drop(request->held.snapshot);
    return status;
}

warder_status warder_policy_test(warder_engine *engine, int coverage, warder_report **out,
                                 warder_error *err)
{
    struct test_request request = {.coverage = coverage != 0};

    return make(engine, &request, show, out, err);
}

warder_status warder_policy_junit(warder_engine *engine, warder_report **out, warder_error *err)
{
    struct test_request request = {0};

    return make(engine, &request, show_junit, out, err);
}
