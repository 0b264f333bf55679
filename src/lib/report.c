/* report.c - finished answers for operators, as text and as JSON from one walk. */
#include "lib/report.h"

#define REPORT_MEMORY_MAX ((size_t)256 * 1024 * 1024)

struct making {
    warder_report *report;
    void (*fill)(struct report *, const void *);
    const void *about;
};

static void make(void *arg)
{
    struct making *m = arg;
    struct report r = {
        .arena = &m->report->arena, .text = buf_in(&m->report->arena), .json_text = buf_in(&m->report->arena)};

    r.json = json_to_indented(&r.json_text);
    m->fill(&r, m->about);
    buf_byte(&r.json_text, '\n');
    m->report->text = buf_str(&r.text);
    m->report->json = buf_str(&r.json_text);
    m->report->errors = r.errors;
    m->report->warnings = r.warnings;
}

warder_status report_make(void (*fill)(struct report *, const void *), const void *about, warder_report **out,
                          warder_error *err)
{
    warder_report *report = calloc(1, sizeof(*report));
    struct making m = {report, fill, about};

    *out = NULL;
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
    return report->text.s;
}

const char *warder_report_json(const warder_report *report)
{
    return report->json.s;
}

size_t warder_report_errors(const warder_report *report)
{
    return report->errors;
}

size_t warder_report_warnings(const warder_report *report)
{
    return report->warnings;
}

void warder_report_free(warder_report *report)
{
    if (!report)
        return;
    arena_release(&report->arena);
    free(report);
}
