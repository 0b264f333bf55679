/* report.c - finished answers for operators, as text and as JSON from one walk. */
#include "engine/report.h"

#define REPORT_MEMORY_MAX ((size_t)256 * 1024 * 1024)

struct report_draft {
    warder_report *report;
    void (*fill)(struct report *, const void *);
    const void *about;
    bool line;
};

static void make(void *arg)
{
    struct report_draft *m = arg;
    struct report r = {.arena = &m->report->arena,
                       .text = buf_in(&m->report->arena),
                       .json_text = buf_in(&m->report->arena)};

    r.json = m->line ? json_to(&r.json_text) : json_to_indented(&r.json_text);
    m->fill(&r, m->about);
    if (!m->line)
        buf_byte(&r.json_text, '\n');
    m->report->text = buf_str(&r.text);
    m->report->json = buf_str(&r.json_text);
    m->report->errors = r.errors;
    m->report->warnings = r.warnings;
}

static warder_status make_report(struct report_draft m, warder_report **out, warder_error *err)
{
    warder_report *report;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    report = calloc(1, sizeof(*report));
    m.report = report;
    if (!report)
        return give_no_memory(err);
    arena_init(&report->arena, REPORT_MEMORY_MAX);
    if (!arena_try(&report->arena, make, &m)) {
        warder_report_free(report);
        return give_no_memory(err);
    }
    *out = report;
    return WARDER_OK;
}

warder_status report_make(void (*fill)(struct report *, const void *), const void *about,
                          warder_report **out, warder_error *err)
{
    return make_report((struct report_draft){.fill = fill, .about = about}, out, err);
}

warder_status report_make_line(void (*fill)(struct report *, const void *), const void *about,
                               warder_report **out, warder_error *err)
{
    return make_report((struct report_draft){.fill = fill, .about = about, .line = true}, out, err);
}

warder_status policy_borrow(warder_engine *engine, struct held *out, warder_error *err)
{
    struct error inner = {0};

    *out = (struct held){0};
    if (!engine)
        return give_usage(err, "missing argument: engine");
    out->snapshot = snapshot_slot_take(&engine->slot);
    if (snapshot_project(out->snapshot, engine->project, &out->project, &inner) == STATUS_OK)
        return WARDER_OK;
    snapshot_drop(out->snapshot);
    return error_out(err, &inner);
}

warder_status report_held(warder_engine *engine, void (*fill)(struct report *, const void *),
                          warder_report **out, warder_error *err)
{
    struct held held;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    warder_status status = policy_borrow(engine, &held, err);
    if (status != WARDER_OK)
        return status;
    status = report_make(fill, &held, out, err);
    snapshot_drop(held.snapshot);
    return status;
}

void report_member(struct report *r, const char *key, struct str text)
{
    json_key(&r->json, key);
    if (text.len)
        json_text(&r->json, text);
    else
        json_null(&r->json);
}

void report_number(struct report *r, const char *key, int64_t n)
{
    json_key(&r->json, key);
    json_int(&r->json, n);
}

void report_show(struct report *r, struct str text)
{
    show_text(&r->text, text);
}

const char *warder_report_text(const warder_report *report)
{
    return report ? report->text.s : "";
}

const char *warder_report_json(const warder_report *report)
{
    return report ? report->json.s : "null";
}

size_t warder_report_errors(const warder_report *report)
{
    return report ? report->errors : 1; /* no report is no good news */
}

size_t warder_report_warnings(const warder_report *report)
{
    return report ? report->warnings : 0;
}

void warder_report_free(warder_report *report)
{
    if (!report)
        return;
    arena_release(&report->arena);
    free(report);
}

struct str rule_place(struct arena *a, const struct rule *r)
{
    if (r->file.len)
        return str_format(a, "%.*s:%u:%u", STR_ARG(r->file), r->line, r->column);
    return str_from(source_name(r->source));
}
