/* review.c - the reviews as people and workers see them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/action_json.h"
#include "record/redact.h"
#include "service/rules.h"

#define LIST_MEMORY_MAX ((size_t)256 * 1024 * 1024)

/* ---- whole calls ---- */

struct asked {
    warder_engine *engine;
    struct arena *arena;
    const struct waiting *waiting;
    struct str whole;          /* its command, or its first argument; empty: not known any more */
    const struct value *input; /* of a tool that is no shell; NULL: none */
};

/* What the call that is kept in memory would do. */
static void find_whole(void *arg)
{
    struct asked *a = arg;
    const warder_engine *e = a->engine;
    const struct call_defaults defaults = {
        .cwd = e->cwd, .home = e->home, .mode = e->mode, .plan_file = e->plan_file};
    struct value v;
    struct call call;
    struct str field;

    if (json_read(a->arena, (struct str){a->waiting->call, a->waiting->call_len}, NULL, &v, NULL) !=
            STATUS_OK ||
        call_read(a->arena, &v, &defaults, &call, NULL) != STATUS_OK)
        return;
    if (call.kind == TOOL_SHELL && call_command(a->arena, &call, &a->whole))
        return;
    a->input = call.input;
    if (call_first(a->arena, &call, &field, &a->whole))
        return;
    struct buf b = buf_in(a->arena);
    json_value(&b, call.input);
    a->whole = buf_str(&b);
}

static const struct waiting *find_row(const warder_service *s, const struct review *r)
{
    char id[REVIEW_ID_SIZE];

    snprintf(id, sizeof(id), "%.*s", STR_ARG(r->id));
    return waiting_find(s, id);
}

static bool is_known(const warder_service *s, const struct review *r)
{
    const struct waiting *w = find_row(s, r);

    return w && w->call;
}

static struct asked whole_call(warder_service *s, struct arena *a, const struct review *r)
{
    struct asked asked = {.engine = s->engine, .arena = a, .waiting = find_row(s, r)};

    if (asked.waiting && asked.waiting->call)
        find_whole(&asked);
    return asked;
}

/* ---- lists ---- */

/* Rows are copied, because writing a report may leave by the arena's door. */
struct listing {
    warder_service *service;
    const warder_caller *caller;
    struct arena arena;
    struct review *rows;
    size_t count, limit, seen, bytes;
    uint64_t last;                   /* the row that the next page begins before */
    bool more;                       /* there is a next page */
    const struct promoted *promoted; /* the rules that an answer made; NULL: none */
    struct strs suggested;           /* the rules that a promotion would make */
    bool failed;
};

/* About what it takes in a list: one is made while others wait. */
static size_t listed_bytes(const struct review *r, const struct waiting *w)
{
    return r->command.len + (w ? w->call_len + w->explain_len : 0);
}

static bool take_row(const struct review *r, void *context)
{
    struct listing *l = context;
    const struct waiting *w = find_row(l->service, r);

    l->bytes += listed_bytes(r, w);
    l->more = l->seen == l->limit || (l->seen && l->bytes > SERVICE_LIST_BYTES);
    if (l->more)
        return false;
    l->seen++;
    l->last = r->row;
    if (w && w->state == WAITING_STAGED)
        return true; /* it is not announced yet */
    l->failed |= !review_copy(&l->arena, r, &l->rows[l->count++]);
    return !l->failed;
}

/* So that a person sees what a file would become. Never a part of it: who has not seen all of it
 * would approve what was left out. A list leaves out what is long, and the review itself has it. */
static void input_member(struct json_writer *w, const struct listing *l, const struct asked *asked)
{
    if (!asked->input)
        return;
    json_key(w, "input");
    if (l->limit && asked->waiting->call_len > SERVICE_LISTED_MAX)
        json_null(w);
    else if (l->caller->role == WARDER_OPERATOR)
        json_any(w, asked->input);
    else
        redact_json(w, asked->input, "", SIZE_MAX, NULL);
}

static void write_review(struct report *r, const struct listing *l, const struct review *row)
{
    bool sees_all = l->caller->role == WARDER_OPERATOR;
    const struct asked asked = whole_call(l->service, r->arena, row);

    json_begin_object(&r->json);
    review_members(&r->json, row, sees_all ? asked.whole : (struct str){0});
    if (row->status == REVIEW_PENDING) {
        if (l->caller->role != WARDER_WORKER) {
            input_member(&r->json, l, &asked);
            explain_members(&r->json, asked.waiting, sees_all ? (struct str){0} : asked.whole);
        }
        json_key(&r->json, "approvable");
        json_bool(&r->json, is_known(l->service, row));
    }
    if (l->suggested.count)
        json_strings(&r->json, "suggested", &l->suggested);
    if (l->promoted && l->promoted->all.len) {
        json_key(&r->json, "rule");
        json_raw(&r->json, l->promoted->first);
        json_key(&r->json, "promoted");
        json_raw(&r->json, l->promoted->all);
    }
    json_end_object(&r->json);
    buf_format(&r->text, "%.*s  %-8s  ", STR_ARG(row->id), review_status_name(row->status));
    report_show(r, row->command);
    buf_byte(&r->text, '\n');
}

static void write_list(struct report *r, const void *about)
{
    const struct listing *l = about;

    json_begin_object(&r->json);
    json_key(&r->json, "reviews");
    json_begin_array(&r->json);
    for (size_t i = 0; i < l->count; i++)
        write_review(r, l, &l->rows[i]);
    json_end_array(&r->json);
    json_key(&r->json, "next");
    if (l->more)
        json_text(&r->json, str_format(r->arena, "%" PRIu64, l->last));
    else
        json_null(&r->json);
    report_number(r, "pending", (int64_t)l->service->pending);
    json_end_object(&r->json);
}

static warder_outcome read_filter(const char *status, const char *cursor, uint32_t limit,
                                  struct review_filter *f, warder_error *err)
{
    char *end = NULL;

    if (limit > SERVICE_REVIEWS_MAX)
        return outcome_say(err, WARDER_INVALID, "at most %u reviews at once", SERVICE_REVIEWS_MAX);
    f->limit = (limit ? limit : SERVICE_REVIEWS_DEFAULT) +
               (size_t)1; /* one more row shows that there are more */
    f->by_status = status != NULL;
    if (status && !review_status_parse(str_from(status), &f->status))
        return outcome_say(err, WARDER_INVALID,
                           "a review can be pending, approved, denied or expired, not \"%.40s\"",
                           status);
    f->before = cursor ? strtoull(cursor, &end, 10) : 0;
    if (cursor && (!f->before || *end || cursor[0] == '-'))
        return outcome_say(err, WARDER_INVALID, "invalid cursor \"%.40s\"", cursor);
    return WARDER_DONE;
}

static warder_outcome list_rows(struct listing *l, const struct review_filter *f,
                                warder_report **out, warder_error *err)
{
    warder_service *s = l->service;
    struct error inner = {0};

    l->limit = f->limit - 1;
    l->rows = calloc(SERVICE_REVIEWS_MAX + 1, sizeof(*l->rows));
    if (!l->rows)
        return outcome_say(err, WARDER_FAILED, "out of memory");
    if (!store_readable(s, &inner) ||
        store_read(s, reviews_visit(&s->db, f, take_row, l, &inner), &inner) != STATUS_OK)
        return outcome_failed(err, &inner);
    if (l->failed)
        return outcome_say(err, WARDER_FAILED, "out of memory");
    return report_make_line(write_list, l, out, err) == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
}

warder_outcome warder_service_reviews(warder_service *s, const warder_caller *caller,
                                      const char *status, const char *cursor, uint32_t limit,
                                      warder_report **out, warder_error *err)
{
    struct listing l = {.service = s, .caller = caller};
    struct review_filter f = {0};

    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or list");
    *out = NULL;
    if (!caller || caller->role == WARDER_NOBODY)
        return outcome_forbidden(err, "callers with a token");
    warder_outcome outcome = read_filter(status, cursor, limit, &f, err);
    if (outcome != WARDER_DONE)
        return outcome;
    if (caller->role == WARDER_WORKER)
        f.token_id = str_from(caller->id);
    arena_init(&l.arena, LIST_MEMORY_MAX);
    outcome = list_rows(&l, &f, out, err);
    arena_release(&l.arena);
    free(l.rows);
    return outcome;
}

/* ---- one ---- */

static void write_one(struct report *r, const void *about)
{
    const struct listing *l = about;

    write_review(r, l, &l->rows[0]);
}

/* As the next commit will write it. */
static void overlay(struct review *row, const struct review *ended)
{
    row->status = ended->status;
    row->responded_at = ended->responded_at;
    row->responded_by = ended->responded_by;
    row->message = ended->message;
    row->rule = ended->rule;
}

warder_outcome service_show_review(warder_service *s, const warder_caller *caller, const char *id,
                                   const struct review *ended, const struct promoted *promoted,
                                   warder_report **out, warder_error *err)
{
    struct review row;
    struct listing l = {
        .service = s, .caller = caller, .rows = &row, .count = 1, .promoted = promoted};
    struct error inner = {0};
    bool found = false;
    warder_outcome outcome = WARDER_DONE;

    arena_init(&l.arena, LIST_MEMORY_MAX);
    if (store_review(s, &l.arena, id, &row, &found, &inner) != STATUS_OK)
        outcome = outcome_failed(err, &inner);
    else if (!found || (caller->role == WARDER_WORKER && !str_is(row.token_id, caller->id)))
        outcome = outcome_say(err, WARDER_NOT_FOUND, "no review has the ID \"%.40s\"", id);
    else {
        if (ended)
            overlay(&row, ended);
        if (row.status == REVIEW_PENDING && caller->role == WARDER_OPERATOR)
            rules_suggest(s, find_row(s, &row), &l.arena, &l.suggested);
        outcome =
            report_make_line(write_one, &l, out, err) == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
    }
    arena_release(&l.arena);
    return outcome;
}

warder_outcome warder_service_review(warder_service *s, const warder_caller *caller, const char *id,
                                     warder_report **out, warder_error *err)
{
    if (!s || !out || !id)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, id or review");
    *out = NULL;
    if (!caller || caller->role == WARDER_NOBODY)
        return outcome_forbidden(err, "callers with a token");
    return service_show_review(s, caller, id, NULL, NULL, out, err);
}

/* ---- waiting for one ---- */

/* A review that has ended and whose worker has the answer. */
static warder_outcome tell_again(warder_service *s, const warder_caller *caller, const char *id,
                                 struct staged *staged, warder_error *err)
{
    struct review row;
    bool found;
    struct error inner = {0};
    struct waiting was = {0};

    if (store_review(s, &staged->arena, id, &row, &found, &inner) != STATUS_OK)
        return outcome_failed(err, &inner);
    if (!found || !str_is(row.token_id, caller->id))
        return outcome_say(err, WARDER_NOT_FOUND, "no review has the ID \"%.40s\"", id);
    was.status = row.status;
    snprintf(was.id, sizeof(was.id), "%s", id);
    snprintf(was.decision_id, sizeof(was.decision_id), "%.*s", STR_ARG(row.decision_id));
    (void)stamp_parse(row.requested_at, &was.requested_at);
    (void)stamp_parse(row.expires_at, &was.expires_at);
    staged->item->json = json_ended(&was, true);
    return WARDER_DONE;
}

static warder_outcome wait_for(warder_service *s, const warder_caller *caller, const char *id,
                               struct staged *staged, warder_error *err)
{
    struct waiting *w = waiting_find(s, id);

    if (!w || strcmp(w->token_id, caller->id) != 0 || w->state == WAITING_FETCHED ||
        w->state == WAITING_STAGED)
        return tell_again(s, caller, id, staged, err);
    if (w->state == WAITING_OVER) {
        service_fetch(staged, w);
        return WARDER_DONE;
    }
    staged->kind = STAGED_JOINED;
    staged->review = w;
    case_attach(w, staged->item);
    return WARDER_DONE;
}

warder_outcome warder_service_await(warder_service *s, const warder_caller *caller, const char *id,
                                    void *user, warder_case **out, warder_error *err)
{
    if (!s || !out || !id)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, id or case");
    *out = NULL;
    if (!caller_is(caller, WARDER_WORKER) && !caller_is(caller, WARDER_OPERATOR))
        return outcome_forbidden(err, "workers");
    warder_case *item = case_new(s, user);
    struct staged *staged = item ? service_stage(s, STAGED_TOLD) : NULL;
    if (!staged) {
        free(item);
        return outcome_say(err, WARDER_FAILED, "out of memory");
    }
    item->awaits = true;
    case_stage(item, staged);
    warder_outcome outcome = wait_for(s, caller, id, staged, err);
    if (outcome == WARDER_DONE)
        *out = item;
    else
        item->gone = true; /* the next commit frees it */
    return outcome;
}
