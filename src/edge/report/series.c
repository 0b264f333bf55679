/* series.c - the log as a curve: how many decisions of each kind in each step of time, what people
 * were asked about most, and how long they took. */
#include <stdlib.h>

#include "base/json.h"
#include "engine/report.h"
#include "machine/stamp.h"

#define STEPS_MAX  2000
#define STEP_S     60
#define SINCE      "4h"
#define TOP        8
#define TIMES_MAX  100000
#define MEMORY_MAX ((size_t)64 * 1024 * 1024)

static const char *const kinds[] = {"auto-accept", "human-accept", "ask",
                                    "auto-deny",   "human-deny",   "timeout-deny"};

struct asked_program {
    struct str name;
    size_t asked, approved;
};
struct asked_programs LIST_OF(struct asked_program);

struct series {
    struct arena arena;  /* of the figures */
    struct arena record; /* of one record */
    const char *json;
    int64_t step, from; /* seconds */
    size_t steps, total, time_count;
    size_t *counts[COUNT(kinds)];
    int64_t *times; /* milliseconds */
    struct asked_programs programs;
    bool failed;
};

/* ---- counting ---- */

static size_t kind_of(struct str decision)
{
    size_t i = 0;

    while (i < COUNT(kinds) && !str_is(decision, kinds[i]))
        i++;
    return i;
}

static void count_asked(struct series *s, const struct value *v, struct str decision)
{
    struct str rest = value_text(v, "command"), name = {0};

    if (str_starts(decision, STR("auto-")))
        return;
    if (!str_is(value_text(v, "tool"), "Bash") || !str_next_word(&rest, &name))
        name = value_text(v, "tool");
    size_t i = 0;
    while (i < s->programs.count && !str_eq(s->programs.items[i].name, name))
        i++;
    if (i == s->programs.count)
        LIST_PUSH(&s->arena, &s->programs,
                  (struct asked_program){.name = str_copy(&s->arena, name)});
    s->programs.items[i].asked++;
    s->programs.items[i].approved += str_is(decision, "human-accept");
}

static void take(void *arg)
{
    struct series *s = arg;
    struct value v;
    int64_t at, took;

    if (json_read(&s->record, str_from(s->json), NULL, &v, NULL) != STATUS_OK ||
        !stamp_parse(value_text(&v, "timestamp"), &at))
        return;
    struct str decision = value_text(&v, "decision");
    const size_t kind = kind_of(decision), step = (size_t)((at / 1000 - s->from) / s->step);
    s->total++;
    if (kind < COUNT(kinds) && at / 1000 >= s->from && step < s->steps)
        s->counts[kind][step]++;
    count_asked(s, &v, decision);
    if (str_starts(decision, STR("human-")) && s->time_count < TIMES_MAX &&
        value_get(&v, "response_time_ms") &&
        value_integer(value_get(&v, "response_time_ms"), &took))
        s->times[s->time_count++] = took;
}

static void take_guarded(void *arg)
{
    struct series *s = arg;

    s->failed |= !arena_try(&s->record, take, s);
    arena_reset(&s->record);
}

static int visit(void *context, const char *json, const char *text)
{
    struct series *s = context;

    (void)text;
    s->json = json;
    if (json)
        s->failed |= !arena_try(&s->arena, take_guarded, s);
    return s->failed;
}

/* ---- showing ---- */

static int by_asked(const void *a, const void *b)
{
    const struct asked_program *x = a, *y = b;

    return x->asked < y->asked ? 1 : x->asked > y->asked ? -1 : str_compare(x->name, y->name);
}

static int by_time(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static void write_counts(struct report *r, const struct series *s)
{
    json_key(&r->json, "t");
    json_begin_array(&r->json);
    for (size_t i = 0; i < s->steps; i++)
        json_int(&r->json, s->from + (int64_t)i * s->step);
    json_end_array(&r->json);
    json_key(&r->json, "series");
    json_begin_object(&r->json);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        json_key(&r->json, kinds[k]);
        json_begin_array(&r->json);
        for (size_t i = 0; i < s->steps; i++)
            json_int(&r->json, (int64_t)s->counts[k][i]);
        json_end_array(&r->json);
    }
    json_end_object(&r->json);
}

static void write_top(struct report *r, const struct series *s)
{
    json_key(&r->json, "top_asked");
    json_begin_array(&r->json);
    for (size_t i = 0; i < s->programs.count && i < TOP; i++) {
        json_begin_object(&r->json);
        json_text_member(&r->json, "program", s->programs.items[i].name);
        report_number(r, "asked", (int64_t)s->programs.items[i].asked);
        report_number(r, "approved", (int64_t)s->programs.items[i].approved);
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
}

/* In whole seconds, rounded up: nobody answers in none. */
static int64_t share_of_times(const struct series *s, size_t percent)
{
    return s->time_count ? (s->times[(s->time_count - 1) * percent / 100] + 999) / 1000 : 0;
}

static void write_series(struct report *r, const void *about)
{
    const struct series *s = about;

    json_begin_object(&r->json);
    report_number(r, "step", s->step);
    write_counts(r, s);
    write_top(r, s);
    json_key(&r->json, "response");
    json_begin_object(&r->json);
    report_number(r, "count", (int64_t)s->time_count);
    report_number(r, "p50", share_of_times(s, 50));
    report_number(r, "p95", share_of_times(s, 95));
    json_end_object(&r->json);
    report_number(r, "total", (int64_t)s->total);
    json_end_object(&r->json);
}

static enum status set_range(struct series *s, const warder_log_filter *f, uint32_t step_s,
                             struct error *err)
{
    const int64_t now = stamp_now();
    int64_t since, until = now;

    if (!stamp_parse_since(str_from(f->since ? f->since : SINCE), now, &since) ||
        (f->until && !stamp_parse_since(str_from(f->until), now, &until)))
        return fail(err, STATUS_USAGE, "since or until: cannot read the time");
    s->step = step_s ? step_s : STEP_S;
    s->from = since / 1000 / s->step * s->step;
    if (until < since || (until / 1000 - s->from) / s->step >= STEPS_MAX)
        return fail(err, STATUS_USAGE, "at most %d steps; take longer ones", STEPS_MAX);
    s->steps = (size_t)((until / 1000 - s->from) / s->step) + 1;
    return STATUS_OK;
}

static bool make_room(struct series *s)
{
    bool made = (s->times = calloc(TIMES_MAX, sizeof(*s->times))) != NULL;

    for (size_t k = 0; k < COUNT(kinds); k++)
        made = (s->counts[k] = calloc(s->steps, sizeof(size_t))) && made;
    return made;
}

static void release(struct series *s)
{
    for (size_t k = 0; k < COUNT(kinds); k++)
        free(s->counts[k]);
    free(s->times);
    arena_release(&s->arena);
    arena_release(&s->record);
}

warder_status warder_log_series(warder_log *log, const warder_log_filter *filter, uint32_t step_s,
                                warder_report **out, warder_error *err)
{
    struct series s = {0};
    struct error inner = {0};

    if (!log || !filter || !out)
        return give_usage(err, "missing argument: log, filter or report");
    *out = NULL;
    if (set_range(&s, filter, step_s, &inner) != STATUS_OK)
        return error_out(err, &inner);
    warder_log_filter all = *filter;
    all.limit = 0;
    all.since = filter->since ? filter->since : SINCE;
    arena_init(&s.arena, MEMORY_MAX);
    arena_init(&s.record, MEMORY_MAX);
    warder_status status =
        make_room(&s) ? warder_log_export(log, &all, 0, visit, &s, err) : give_no_memory(err);
    if (status == WARDER_OK && s.failed)
        status = give_no_memory(err);
    if (s.programs.count)
        qsort(s.programs.items, s.programs.count, sizeof(*s.programs.items), by_asked);
    if (s.time_count)
        qsort(s.times, s.time_count, sizeof(*s.times), by_time);
    if (status == WARDER_OK)
        status = report_make_line(write_series, &s, out, err);
    release(&s);
    return status;
}
