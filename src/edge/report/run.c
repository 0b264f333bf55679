/* run.c - one decision of the record and, if its call ran in the sandbox, what it tried there. */
#include <stdio.h>

#include "engine/report.h"
#include "machine/statedir.h"
#include "record/journal_read.h"
#include "warder_admin.h"

#define RUN_MEMORY ((size_t)16 * 1024 * 1024)
#define RUN_LINES_MAX                                                                              \
    200000u /* records after the decision in which the end of its cell is sought */

struct run_search {
    struct arena arena;
    struct value decision, end;
    struct str token; /* of the cell; empty: it ran in none */
    struct str line;
    uint64_t number;
    bool found;
};

static enum status read_decision(struct run_search *s, const char *json, struct error *err)
{
    const struct value *contained, *record;
    int64_t number = 0;
    enum status status = json_read(&s->arena, str_from(json), NULL, &s->decision, err);

    if (status != STATUS_OK)
        return status;
    contained = value_get(&s->decision, "contained");
    record = value_get(&s->decision, "record");
    if (contained)
        s->token = value_text(contained, "token");
    if (record && value_integer(record, &number) && number > 0)
        s->number = (uint64_t)number;
    return STATUS_OK;
}

static void look(void *arg)
{
    struct run_search *s = arg;
    struct str line = str_copy(&s->arena, s->line);

    s->found = json_read(&s->arena, line, NULL, &s->end, NULL) == STATUS_OK &&
               str_is(value_text(&s->end, "kind"), "cell-end") &&
               str_eq(value_text(&s->end, "token"), s->token);
}

static enum status find_end(struct run_search *s, const char *data, struct error *err)
{
    struct journal_reader r;
    struct journal_line line;
    bool got = true;
    enum status status = journal_reader_open(&r, data, s->number, err);

    if (status != STATUS_OK)
        return status;
    for (uint64_t i = 0; status == STATUS_OK && got && !s->found && i < RUN_LINES_MAX; i++) {
        status = journal_next(&r, false, &line, &got, err);
        s->line = line.text;
        if (status == STATUS_OK && got && str_contains(line.text, s->token) &&
            !arena_try(&s->arena, look, s))
            status = fail(err, STATUS_NOMEM, "no memory to read the record");
    }
    journal_reader_close(&r);
    return status;
}

static void write_end(struct json_writer *w, const struct value *end)
{
    static const char *const told[] = {"code", "refused", "more", "connections", "left"};

    json_begin_object(w);
    for (size_t i = 0; i < COUNT(told); i++) {
        const struct value *member = value_get(end, told[i]);
        if (!member)
            continue;
        json_key(w, told[i]);
        json_any(w, member);
    }
    json_end_object(w);
}

static void write_run(struct report *r, const void *about)
{
    const struct run_search *s = about;

    json_begin_object(&r->json);
    json_key(&r->json, "decision");
    json_any(&r->json, &s->decision);
    json_key(&r->json, "run");
    if (s->found)
        write_end(&r->json, &s->end);
    else
        json_null(&r->json);
    json_end_object(&r->json);
}

static warder_status find_decision(const char *data, const char *home, const char *id,
                                   warder_report **out, warder_error *err)
{
    warder_log *log = NULL;
    warder_status status = warder_log_open(data, home, &log, err);

    if (status == WARDER_OK)
        status = warder_log_find(log, id, NULL, out, err);
    warder_log_close(log);
    return status;
}

static enum status search(struct run_search *s, const char *data, const char *home,
                          const char *json, struct error *err)
{
    char found[STATEDIR_MAX];
    enum status status = read_decision(s, json, err);

    if (status != STATUS_OK || !s->token.len)
        return status;
    if (!data)
        status = statedir_find(home, found, err);
    return status == STATUS_OK ? find_end(s, data ? data : found, err) : status;
}

warder_status warder_log_run(const char *data, const char *home, const char *id, size_t len,
                             warder_report **out, warder_error *err)
{
    struct run_search s = {0};
    struct error inner = {0};
    warder_report *decision = NULL;
    char name[64];

    if (!id || !out || len >= sizeof(name))
        return give_usage(err, "missing argument: decision or report");
    *out = NULL;
    snprintf(name, sizeof(name), "%.*s", (int)len, id);
    warder_status status = find_decision(data, home, name, &decision, err);
    if (status != WARDER_OK)
        return status;
    arena_init(&s.arena, RUN_MEMORY);
    status = search(&s, data, home, warder_report_json(decision), &inner) == STATUS_OK
                 ? report_make_line(write_run, &s, out, err)
                 : error_out(err, &inner);
    arena_release(&s.arena);
    warder_report_free(decision);
    return status;
}
