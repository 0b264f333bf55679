/* why.c - `warder why`: one decision of the record in plain words, and what would be said now. */
#include "report/judge.h"
#include "report/log.h"
#include "report/reversible.h"
#include "report/when.h"

#include "engine/report.h"

#define MEMORY_MAX ((size_t)64 * 1024 * 1024)

struct why {
    struct arena arena;
    struct str line;
    struct recorded record;
    struct value value;
    bool read;
    const struct judged *now; /* NULL: it cannot be judged again */
};

static void read_line(void *arg)
{
    struct why *w = arg;

    w->line = str_copy(&w->arena, w->line);
    w->read = recorded_read(&w->arena, w->line, &w->record) &&
              json_read(&w->arena, w->line, NULL, &w->value, NULL) == STATUS_OK;
}

static void line(struct report *r, const char *label, const char *key, struct str text)
{
    report_member(r, key, text);
    if (!text.len)
        return;
    buf_format(&r->text, "%-8s  ", label);
    report_show(r, text);
    buf_byte(&r->text, '\n');
}

static void show_then(struct report *r, const struct why *w)
{
    const struct recorded *d = &w->record;
    struct buf at = buf_in(r->arena);

    when_print(&at, d->at);
    line(r, "id", "id", d->id);
    line(r, "when", "at", buf_str(&at));
    line(r, "agent", "client", d->client);
    line(r, "tool", "tool", d->tool);
    line(r, "call", "command", d->shown);
    line(r, "in", "cwd", d->cwd);
    line(r, "mode", "mode", value_text(&w->value, "mode"));
    line(r, "decided", "decision", str_from(decision_said(value_text(&w->value, "decision"))));
    line(r, "because", "reason", value_text(&w->value, "reason"));
    line(r, "rule", "rule", value_text(&w->value, "rule"));
    line(r, "undo", "reversible", reversible_text(r->arena, &w->value));
}

static void show_now(struct report *r, const struct why *w)
{
    const struct judged *now = w->now;

    json_key(&r->json, "now");
    json_begin_object(&r->json);
    buf_text(&r->text, "\nby the present policy\n");
    line(r, "verdict", "behavior", str_from(behavior_name(now->behavior)));
    line(r, "because", "reason", now->reason);
    line(r, "rule", "rule", now->rule);
    line(r, "at", "place", now->place);
    json_end_object(&r->json);
    struct str brief = decision_brief(w->record.id);
    if (now->behavior == BEHAVIOR_ASK && brief.len)
        buf_format(&r->text, "\nalways allow it: warder allow %.*s\n", STR_ARG(brief));
    else if (now->behavior == BEHAVIOR_ALLOW && brief.len)
        buf_format(&r->text, "\nalways deny it: warder deny %.*s\n", STR_ARG(brief));
}

static void show(struct report *r, const void *about)
{
    const struct why *w = about;

    json_begin_object(&r->json);
    show_then(r, w);
    report_member(r, "lacks", str_from(w->record.lacks));
    if (w->now)
        show_now(r, w);
    else
        buf_format(&r->text, "\nit cannot be judged again: %s\n", w->record.lacks);
    json_end_object(&r->json);
}

static warder_status tell(warder_engine *engine, struct why *w, warder_report **out,
                          warder_error *err)
{
    struct judge *judge = NULL;
    warder_status status = WARDER_OK;

    if (!arena_try(&w->arena, read_line, w))
        return give_no_memory(err);
    if (!w->read)
        return give_usage(err, "this is not the record of a decision");
    if (!w->record.lacks)
        status = judge_new(engine, &judge, err);
    if (status == WARDER_OK && judge)
        status = judge_recorded(judge, &w->record, &w->now, err);
    if (status == WARDER_OK)
        status = report_make(show, w, out, err);
    judge_free(judge);
    return status;
}

warder_status warder_why(warder_engine *engine, const char *record, size_t len, warder_report **out,
                         warder_error *err)
{
    struct why w = {.line = {record, len}};

    if (!engine || !record || !out)
        return give_usage(err, "missing argument: engine, record or report");
    *out = NULL;
    arena_init(&w.arena, MEMORY_MAX);
    warder_status status = tell(engine, &w, out, err);
    arena_release(&w.arena);
    return status;
}
