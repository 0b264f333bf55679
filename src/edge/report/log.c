/* log.c - the API of the record: lists and shows decisions. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"
#include "engine/report.h"
#include "machine/statedir.h"
#include "machine/turns.h"
#include "record/index.h"
#include "report/log.h"
#include "report/reversible.h"
#include "report/when.h"

#define EXPORT_PAGE     500
#define FOLLOW_WAIT_MS  1000
#define LINE_MEMORY_MAX ((size_t)64 * 1024 * 1024)

struct warder_log {
    char data[STATEDIR_MAX];
    struct index *index; /* NULL: there is no data directory yet, and so no record */
    bool kept_up;        /* in idle time, and only then: its queries write nothing */
    char *notice;
};

/* ---- opening ---- */

warder_status warder_log_open(const char *data, const char *home, warder_log **out,
                              warder_error *err)
{
    struct error inner = {0};
    enum status status = STATUS_OK;

    if (!out)
        return give_usage(err, "missing argument: log");
    *out = NULL;
    warder_log *log = calloc(1, sizeof(*log));
    if (!log)
        return give_no_memory(err);
    if (!data)
        status = statedir_find(home, log->data, &inner);
    else if (snprintf(log->data, sizeof(log->data), "%s", data) >= STATEDIR_MAX)
        status = fail(&inner, STATUS_LIMIT, "the data directory's name is too long");
    if (status == STATUS_OK && access(log->data, F_OK) == 0)
        status = index_open_sqlite(log->data, 0, &log->index, &log->notice, &inner);
    if (status != STATUS_OK) {
        warder_log_close(log);
        return error_out(err, &inner);
    }
    *out = log;
    return WARDER_OK;
}

void warder_log_close(warder_log *log)
{
    if (!log)
        return;
    index_close(log->index);
    free(log->notice);
    free(log);
}

const char *warder_log_notice(const warder_log *log)
{
    return log ? log->notice : NULL;
}

/* ---- filters ---- */

static enum status read_time(const char *given, const char *name, char out[STAMP_SIZE],
                             struct error *err)
{
    int64_t ms;

    if (!given)
        return STATUS_OK;
    if (!when_read(str_from(given), stamp_now(), &ms))
        return fail(err, STATUS_USAGE,
                    "%s: cannot read the time \"%.60s\"; write 2026-01-31, 2026-01-31T12:00:00Z, "
                    "24h, today, yesterday or \"2 hours ago\"",
                    name, given);
    stamp_print(ms, out);
    return STATUS_OK;
}

/* What a filter may say, and how the record names it: allow and deny are groups. */
static const struct {
    const char *given, *recorded;
} decisions[] = {
    {"allow", "*-accept"},
    {"deny", "*-deny"},
    {"ask", "ask"},
    {"left-to-client", "left-to-client"},
    {"auto-allow", "auto-accept"},
    {"auto-deny", "auto-deny"},
    {"human-allow", "human-accept"},
    {"human-deny", "human-deny"},
    {"timeout-deny", "timeout-deny"},
    {"auto-accept", "auto-accept"},
    {"human-accept", "human-accept"},
};

/* Without a text any decision is meant. False: there is none of this name. */
static bool read_decision(const char *given, struct str *out)
{
    *out = (struct str){0};
    for (size_t i = 0; given && i < COUNT(decisions); i++)
        if (strcmp(given, decisions[i].given) == 0)
            *out = str_from(decisions[i].recorded);
    return !given || out->len;
}

/* True also without a text. */
static bool read_number(const char *text, uint64_t *out)
{
    char *end = NULL;

    *out = 0;
    if (!text)
        return true;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && !*end && !errno && *out <= INT64_MAX;
}

static enum status read_filter(const warder_log_filter *given, struct index_filter *out,
                               struct error *err)
{
    warder_log_filter f = {0};
    enum status status;

    *out = (struct index_filter){0};
    if (given && !copy_versioned(&f, sizeof(f), given, given->struct_size))
        return fail(err, STATUS_USAGE,
                    "the filter has no struct_size, or members that this version does not know");
    if (!read_decision(f.decision, &out->decision))
        return fail(err, STATUS_USAGE,
                    "unknown decision \"%.60s\"; write allow, deny, ask, auto-allow, auto-deny, "
                    "human-allow, human-deny or timeout-deny",
                    f.decision);
    if (f.limit > INDEX_LIMIT_MAX)
        return fail(err, STATUS_USAGE, "at most %d at once", INDEX_LIMIT_MAX);
    if ((status = read_time(f.since, "since", out->since, err)) != STATUS_OK ||
        (status = read_time(f.until, "until", out->until, err)) != STATUS_OK)
        return status;
    if (!read_number(f.cursor, &out->before) || (f.cursor && !out->before))
        return fail(err, STATUS_USAGE, "invalid cursor \"%.60s\"", f.cursor);
    if (!read_number(f.after, &out->after))
        return fail(err, STATUS_USAGE, "invalid number to continue after \"%.60s\"", f.after);
    if (f.after && f.cursor)
        return fail(err, STATUS_USAGE,
                    "a list goes back from a cursor or forward from a number, not both");
    out->oldest_first = f.after != NULL;
    out->project = str_from(f.project);
    out->worker = str_from(f.worker);
    out->session = str_from(f.session);
    out->tool = str_from(f.tool);
    out->rule = str_from(f.rule);
    out->text = str_from(f.text);
    out->limit = f.limit;
    return STATUS_OK;
}

/* ---- rows ---- */

/* Copies, because writing a report may leave through the arena's door, and the database must be
 * closed by then. */
struct rows {
    struct row {
        uint64_t n;
        char *line;
    } * items;
    size_t count, room;
    bool failed;
};

static bool take_row(const struct index_row *row, void *context)
{
    struct rows *rows = context;

    if (rows->count == rows->room) {
        size_t room = rows->room ? rows->room * 2 : 64;
        struct row *bigger = realloc(rows->items, room * sizeof(*bigger));
        if (!bigger)
            return !(rows->failed = true);
        rows->items = bigger;
        rows->room = room;
    }
    char *line = strndup(row->line.s, row->line.len);
    if (!line)
        return !(rows->failed = true);
    rows->items[rows->count++] = (struct row){row->n, line};
    return true;
}

static void rows_release(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        free(rows->items[i].line);
    free(rows->items);
    *rows = (struct rows){0};
}

static enum status sync_log(warder_log *log, struct error *err)
{
    struct index_progress progress;

    if (!log->index)
        return STATUS_OK;
    return log->kept_up ? index_follow(log->index, log->data, err)
                        : index_sync(log->index, log->data, false, 0, &progress, err);
}

static enum status find_rows(warder_log *log, const struct index_filter *f, index_visit take,
                             struct rows *out, struct error *err)
{
    enum status status = STATUS_OK;

    *out = (struct rows){0};
    if (log->index)
        status = log->index->kind->find(log->index, f, take, out, err);
    return status == STATUS_OK && out->failed ? fail(err, STATUS_NOMEM, "out of memory") : status;
}

/* ---- one decision ---- */

static bool is_of_chain(struct str key)
{
    static const char *const keys[] = {"n", "prev", "at", "kind", "hash", "clock", "id"};

    return STR_IN(key, keys);
}

/* Members that every decision has on the wire. */
static const char *const always[] = {"worker_id", "task_id", "project_id", "command"};

static bool is_always(struct str key)
{
    return STR_IN(key, always);
}

static void decision_json(struct json_writer *w, const struct value *v)
{
    json_begin_object(w);
    json_text_member(w, "id", value_text(v, "id"));
    json_text_member(w, "timestamp", value_text(v, "at"));
    for (size_t i = 0; i < COUNT(always); i++)
        json_text_member(w, always[i], value_text(v, always[i]));
    json_text_member(w, "command_redacted", value_text(v, "command"));
    for (size_t i = 0; i < v->count; i++) {
        const struct member *m = &v->members[i];
        if (is_of_chain(m->key) || is_always(m->key))
            continue;
        json_key_str(w, m->key);
        json_any(w, &m->value);
    }
    if (value_get(v, "n")) {
        json_key(w, "record");
        json_any(w, value_get(v, "n"));
    }
    json_end_object(w);
}

#define SHOWN_MAX 100 /* bytes of a command, or of a reason, on its line */

static void show_cut(struct buf *b, struct str text)
{
    struct str shown = utf8_cut(text, SHOWN_MAX);

    show_text(b, shown);
    if (shown.len < text.len)
        buf_text(b, "...");
}

static bool is_canary(const struct value *v)
{
    return str_is(value_text(v, "session_id"), CANARY_SESSION);
}

const char *decision_said(struct str decision)
{
    static const struct {
        const char *recorded, *said;
    } words[] = {
        {"auto-accept", "allowed"},
        {"human-accept", "allowed by you"},
        {"auto-deny", "denied"},
        {"human-deny", "denied by you"},
        {"ask", "asked"},
        {"timeout-deny", "no answer"},
        {"left-to-client", "left to it"},
    };

    for (size_t i = 0; i < COUNT(words); i++)
        if (str_is(decision, words[i].recorded))
            return words[i].said;
    return decision.s ? decision.s : "";
}

/* 2026-01-31 12:34:56  12ab34cd  denied          claude    Bash curl x  (deny rule Bash(curl *)) */
static void decision_text(struct buf *b, const struct value *v)
{
    struct str id = decision_brief(value_text(v, "id")), reason = value_text(v, "reason");
    const char *client = value_text(v, "client").s;

    when_print(b, value_text(v, "at"));
    buf_format(b, "  %.*s  %-14.14s  %-8.8s  ", STR_ARG(id),
               decision_said(value_text(v, "decision")),
               is_canary(v) ? "(doctor)"
               : client     ? client
                            : "");
    show_text(b, value_text(v, "tool"));
    buf_byte(b, ' ');
    show_cut(b, value_text(v, "command"));
    if (reason.len) {
        buf_text(b, "  (");
        show_cut(b, reason);
        buf_byte(b, ')');
    }
    buf_byte(b, '\n');
}

/* ---- list ---- */

struct listing {
    const struct rows *rows;
    size_t shown; /* one more row only shows that there are more */
    bool forward; /* it goes on after a number */
    uint64_t after;
};

static void list(struct report *r, const void *about)
{
    const struct listing *l = about;

    json_begin_object(&r->json);
    json_key(&r->json, "decisions");
    json_begin_array(&r->json);
    for (size_t i = 0; i < l->shown; i++) {
        struct value v;
        if (json_read(r->arena, str_from(l->rows->items[i].line), NULL, &v, NULL) != STATUS_OK)
            continue;
        decision_json(&r->json, &v);
        decision_text(&r->text, &v);
        turns_rest();
    }
    json_end_array(&r->json);
    json_key(&r->json, "next");
    if (l->forward) {
        uint64_t last = l->shown ? l->rows->items[l->shown - 1].n : l->after;
        json_text(&r->json, str_format(r->arena, "%" PRIu64, last));
    } else if (l->shown && l->shown < l->rows->count) {
        struct str next = str_format(r->arena, "%" PRIu64, l->rows->items[l->shown - 1].n);
        json_text(&r->json, next);
        buf_format(&r->text, "older ones: --cursor %s\n", next.s);
    } else {
        json_null(&r->json);
    }
    json_end_object(&r->json);
    if (!l->shown)
        buf_text(&r->text, "no decisions\n");
}

warder_status warder_log_list(warder_log *log, const warder_log_filter *filter, warder_report **out,
                              warder_error *err)
{
    struct index_filter f;
    struct error inner = {0};
    struct rows rows = {0};

    if (!log || !out)
        return give_usage(err, "missing argument: log or list");
    enum status status = read_filter(filter, &f, &inner);
    size_t limit = f.limit ? f.limit : INDEX_LIMIT_DEFAULT;
    f.limit = limit + 1;
    if (status == STATUS_OK)
        status = sync_log(log, &inner);
    if (status == STATUS_OK)
        status = find_rows(log, &f, take_row, &rows, &inner);
    const struct listing l = {&rows, rows.count < limit ? rows.count : limit, f.oldest_first,
                              f.after};
    warder_status result =
        status == STATUS_OK ? report_make(list, &l, out, err) : error_out(err, &inner);
    rows_release(&rows);
    return result;
}

/* ---- show ---- */

static void show_value(struct report *r, const struct value *v)
{
    struct buf b = buf_in(r->arena);

    if (v->kind == VALUE_STRING) {
        report_show(r, v->text);
        return;
    }
    json_value(&b, v);
    report_show(r, buf_str(&b));
}

static void show(struct report *r, const void *about)
{
    const struct rows *rows = about;
    struct value v;

    if (json_read(r->arena, str_from(rows->items[0].line), NULL, &v, NULL) != STATUS_OK) {
        json_null(&r->json);
        return;
    }
    decision_json(&r->json, &v);
    for (size_t i = 0; i < v.count; i++) {
        struct str undo = str_is(v.members[i].key, "reversible") ? reversible_text(r->arena, &v)
                                                                 : (struct str){0};
        buf_format(&r->text, "%-20s  ", v.members[i].key.s);
        if (undo.len)
            report_show(r, undo);
        else
            show_value(r, &v.members[i].value);
        buf_byte(&r->text, '\n');
    }
}

static enum status find_id(warder_log *log, const char *id, struct rows *out, struct error *err)
{
    bool found = false;
    enum status status = STATUS_OK;

    if (log->index)
        status = log->index->kind->get(log->index, str_from(id), take_row, out, &found, err);
    if (status == STATUS_OK && !out->count)
        status = fail(err, STATUS_USAGE, "no record has the ID \"%.60s\"", id);
    if (status == STATUS_OK && out->count > 1)
        status = fail(err, STATUS_USAGE, "more than one id begins with \"%.60s\"", id);
    return status;
}

/* Is the row one of doctor's own calls? What cannot be read is not. */
struct canary_check {
    struct arena arena;
    struct str line;
    bool found;
};

static void check_canary(void *arg)
{
    struct canary_check *c = arg;
    struct value v;

    c->found = json_read(&c->arena, c->line, NULL, &v, NULL) == STATUS_OK && is_canary(&v);
}

/* Takes the first row that is somebody's, and ends the search. */
static bool take_first(const struct index_row *row, void *context)
{
    struct canary_check c = {.line = row->line};

    arena_init(&c.arena, LINE_MEMORY_MAX);
    (void)arena_try(&c.arena, check_canary, &c);
    arena_release(&c.arena);
    if (!c.found)
        (void)take_row(row, context);
    return c.found;
}

/* The newest that a person was asked about, or that was denied. */
static enum status find_last(warder_log *log, const char *project, struct rows *out,
                             struct error *err)
{
    static const char *const stopped[] = {"ask", "human-accept", "*-deny"};
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < COUNT(stopped); i++) {
        const struct index_filter f = {.decision = str_from(stopped[i]),
                                       .project = str_from(project),
                                       .limit = INDEX_LIMIT_MAX};
        struct rows rows = {0};
        status = find_rows(log, &f, take_first, &rows, err);
        if (rows.count && (!out->count || rows.items[0].n > out->items[0].n)) {
            const struct rows older = *out;
            *out = rows;
            rows = older;
        }
        rows_release(&rows);
    }
    if (status == STATUS_OK && !out->count)
        status = fail(err, STATUS_USAGE, "nothing was asked about or denied here; see: warder log");
    return status;
}

warder_status warder_log_find(warder_log *log, const char *id, const char *project,
                              warder_report **out, warder_error *err)
{
    struct error inner = {0};
    struct rows rows = {0};

    if (!log || !out)
        return give_usage(err, "missing argument: log or record");
    enum status status = sync_log(log, &inner);
    if (status == STATUS_OK)
        status = id ? find_id(log, id, &rows, &inner) : find_last(log, project, &rows, &inner);
    warder_status result =
        status == STATUS_OK ? report_make(show, &rows, out, err) : error_out(err, &inner);
    rows_release(&rows);
    return result;
}

warder_status warder_log_show(warder_log *log, const char *id, warder_report **out,
                              warder_error *err)
{
    return id ? warder_log_find(log, id, NULL, out, err)
              : give_usage(err, "missing argument: log or record");
}

/* ---- export ---- */

struct export
{
    struct arena arena;
    const char *line;
    struct str json, text;
};

static void write_line(void *arg)
{
    struct export *e = arg;
    struct buf json = buf_in(&e->arena), text = buf_in(&e->arena);
    struct json_writer w = json_to(&json);
    struct value v;

    e->json = e->text = (struct str){0};
    if (json_read(&e->arena, str_from(e->line), NULL, &v, NULL) != STATUS_OK)
        return;
    decision_json(&w, &v);
    decision_text(&text, &v);
    e->json = buf_str(&json);
    e->text = buf_str(&text);
}

/* False if the visitor wants no more, or there is no memory. */
static bool give_rows(struct export *e, const struct rows *rows, warder_log_visit visit,
                      void *context)
{
    for (size_t i = 0; i < rows->count; i++) {
        arena_reset(&e->arena);
        e->line = rows->items[i].line;
        if (!arena_try(&e->arena, write_line, e) ||
            (e->json.len && visit(context, e->json.s, e->text.s) != 0))
            return false;
        turns_rest();
    }
    return true;
}

/* Returns at the next write to the journal, or after a while: a new directory is not watched yet.
 */
static void wait_for_more(const warder_log *log)
{
    char path[STATEDIR_MAX + 16];
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

    snprintf(path, sizeof(path), "%s/journal", log->data);
    if (fd >= 0)
        (void)inotify_add_watch(fd, path, IN_MODIFY | IN_CREATE);
    struct pollfd p = {.fd = fd, .events = POLLIN};
    (void)poll(&p, 1, FOLLOW_WAIT_MS);
    if (fd >= 0)
        close(fd);
}

static enum status export_pages(warder_log *log, struct index_filter *f, int follow,
                                warder_log_visit visit, void *context, struct error *err)
{
    struct export e = {0};
    struct rows rows = {0};
    size_t left = f->limit && !follow ? f->limit : SIZE_MAX;
    bool more = true;
    enum status status = STATUS_OK;

    arena_init(&e.arena, LINE_MEMORY_MAX);
    f->oldest_first = true;
    while (status == STATUS_OK && more && left) {
        f->limit = left < EXPORT_PAGE ? left : EXPORT_PAGE;
        if ((status = sync_log(log, err)) == STATUS_OK &&
            (status = find_rows(log, f, take_row, &rows, err)) == STATUS_OK)
            more = give_rows(&e, &rows, visit, context);
        if (rows.count)
            f->after = rows.items[rows.count - 1].n;
        left -= rows.count;
        if (more && status == STATUS_OK && rows.count < f->limit) {
            more = follow && visit(context, NULL, NULL) == 0;
            if (more)
                wait_for_more(log);
        }
        rows_release(&rows);
    }
    arena_release(&e.arena);
    return status;
}

warder_status warder_log_export(warder_log *log, const warder_log_filter *filter, int follow,
                                warder_log_visit visit, void *context, warder_error *err)
{
    struct index_filter f;
    struct error inner = {0};

    if (!log || !visit)
        return give_usage(err, "missing argument: log or visit");
    enum status status = read_filter(filter, &f, &inner);
    if (status == STATUS_OK)
        status = export_pages(log, &f, follow, visit, context, &inner);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

/* ---- in idle time ---- */

warder_status warder_log_keep_up(warder_log *log, uint32_t most, int *more, warder_error *err)
{
    struct index_progress progress = {0};
    struct error inner = {0};

    if (!log || !more)
        return give_usage(err, "missing argument: log or more");
    log->kept_up = true;
    if (log->index &&
        index_sync(log->index, log->data, false, most, &progress, &inner) != STATUS_OK)
        return error_out(err, &inner);
    *more = progress.more;
    return WARDER_OK;
}

/* ---- rebuild ---- */

static void rebuilt(struct report *r, const void *about)
{
    const struct index_progress *p = about;

    json_begin_object(&r->json);
    report_number(r, "records", (int64_t)p->rows);
    report_number(r, "damaged", (int64_t)p->damaged);
    json_end_object(&r->json);
    buf_format(&r->text, "%" PRIu64 " records from the journal\n", p->rows);
    if (p->damaged)
        buf_format(&r->text, "%" PRIu64 " lines are not records; see: warder log verify\n",
                   p->damaged);
    r->warnings = p->damaged;
}

warder_status warder_log_rebuild(warder_log *log, warder_report **out, warder_error *err)
{
    struct index_progress progress = {0};
    struct error inner = {0};

    if (!log || !out)
        return give_usage(err, "missing argument: log or report");
    if (log->index && index_sync(log->index, log->data, true, 0, &progress, &inner) != STATUS_OK)
        return error_out(err, &inner);
    return report_make(rebuilt, &progress, out, err);
}
