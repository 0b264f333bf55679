#include "serve/api.h"

#include <stdlib.h>

#include "serve/peer.h"
#include "serve/server.h"

static struct peer *peer_of(struct ticket *ticket)
{
    return (struct peer *)(void *)((char *)ticket - offsetof(struct peer, ticket));
}

/* ---- calls ---- */

static void on_verdict(struct ticket *ticket, bool recorded, const char *json)
{
    (void)recorded; /* if recording failed, the verdict is a deny already */
    if (json)
        peer_reply_text(peer_of(ticket), HTTP_OK, TYPE_JSON, json);
    else
        peer_reply_problem(peer_of(ticket), HTTP_INTERNAL, "no verdict");
}

void api_check(struct peer *p, const struct request *r)
{
    warder_error err = {0};
    warder_outcome outcome;

    p->ticket.ready = on_verdict;
    outcome = outbox_check(&p->server->outbox, &p->ticket, &r->caller, r->body, &err);
    if (outcome == WARDER_FORBIDDEN) /* what it claimed is in the record, too */
        peer_reply_recorded(p, HTTP_OK, outcome, NULL, &err);
    else if (outcome != WARDER_DONE)
        peer_reply_report(p, outcome, NULL, &err);
}

void api_dry_run(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_dry_run(p->server->service, &r->caller, r->body.s,
                                                    r->body.len, &report, &err);

    peer_reply_report(p, outcome, report, &err);
}

/* ---- reviews ---- */

void api_reviews(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    uint64_t limit = 0;
    warder_outcome outcome;

    if (!query_limit(r->query, REVIEWS_PAGE_MAX, &limit)) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, "limit must be a number from 1 to 1000");
        return;
    }
    outcome = warder_service_reviews(p->server->service, &r->caller, query_get(r->query, "status"),
                                     query_get(r->query, "cursor"), (uint32_t)limit, &report, &err);
    peer_reply_report(p, outcome, report, &err);
}

static void reply_review(struct peer *p)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome =
        warder_service_review(p->server->service, &p->request.caller, p->request.id, &report, &err);

    peer_reply_report(p, outcome, report, &err);
}

static void on_review_end(struct ticket *ticket, bool recorded, const char *json)
{
    (void)recorded, (void)json;
    peer_wake(peer_of(ticket));
}

void api_review(struct peer *p, const struct request *r)
{
    warder_error err = {0};
    uint64_t wait = 0;
    warder_outcome outcome;

    if (!query_number(r->query, "wait", UINT32_MAX, &wait)) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, "wait must be a number of seconds");
    } else if (wait == 0 || r->caller.role != WARDER_WORKER) {
        /* Who waits is given the answer: that must be the worker whose call it is. */
        reply_review(p);
    } else {
        p->resume = reply_review;
        p->ticket.ready = on_review_end;
        outcome =
            outbox_await(&p->server->outbox, &p->ticket, &r->caller, r->id, (uint32_t)wait, &err);
        if (outcome != WARDER_DONE)
            peer_reply_report(p, outcome, NULL, &err);
    }
}

void api_answer(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_answer(p->server->service, &r->caller, r->id, r->body.s,
                                                   r->body.len, &report, &err);

    peer_reply_recorded(p, HTTP_OK, outcome, report, &err);
}

/* The link says who answers: a token or a session beside it changes nothing. */
void api_link_look(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome =
        warder_service_link_look(p->server->service, r->body.s, r->body.len, &report, &err);

    peer_reply_report(p, outcome, report, &err);
}

void api_link_answer(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome =
        warder_service_link_answer(p->server->service, r->body.s, r->body.len, &report, &err);

    peer_reply_recorded(p, HTTP_OK, outcome, report, &err);
}

/* ---- rules and policy ---- */

void api_rule(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome =
        warder_service_rule(p->server->service, &r->caller, r->id, &report, &err);

    peer_reply_report(p, outcome, report, &err);
}

void api_rule_add(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_rule_add(p->server->service, &r->caller, r->body.s,
                                                     r->body.len, &report, &err);

    peer_reply_recorded(p, HTTP_CREATED, outcome, report, &err);
}

void api_rule_change(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_rule_change(p->server->service, &r->caller, r->id,
                                                        r->body.s, r->body.len, &report, &err);

    peer_reply_recorded(p, HTTP_OK, outcome, report, &err);
}

void api_rule_remove(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome =
        warder_service_rule_remove(p->server->service, &r->caller, r->id, &report, &err);

    peer_reply_recorded(p, HTTP_OK, outcome, report, &err);
}

static void on_report(struct peer *p, warder_outcome outcome, warder_report *report,
                      const warder_error *err)
{
    peer_reply_report(p, outcome, report, err);
}

static void say_busy(struct peer *p)
{
    if (!p->job)
        peer_reply_problem(p, HTTP_UNAVAILABLE,
                           "too many log queries are waiting; try again later");
}

static void serve_later(struct peer *p, job_work work, struct str text)
{
    p->job = job_serve(&p->server->jobs, work, &p->request.caller, text, on_report, p);
    say_busy(p);
}

void api_rule_audit(struct peer *p, const struct request *r)
{
    serve_later(p, warder_service_rule_audit, r->body);
}

/* The text is the scope; empty: any. It ends in NUL. */
static warder_outcome list_rules(warder_service *service, const warder_caller *caller,
                                 const char *text, size_t len, warder_report **out,
                                 warder_error *err)
{
    return warder_service_rules_in_use(service, caller, len ? text : NULL, out, err);
}

void api_rules(struct peer *p, const struct request *r)
{
    const char *scope = query_get(r->query, "scope");

    serve_later(p, list_rules, str_from(scope ? scope : ""));
}

void api_update(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_update(p->server->service, &r->caller, r->body.s,
                                                   r->body.len, &report, &err);

    peer_reply_recorded(p, HTTP_OK, outcome, report, &err);
}

void api_session(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome =
        warder_service_session(p->server->service, &r->caller, r->id, &report, &err);

    peer_reply_report(p, outcome, report, &err);
}

void api_session_revoke(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome =
        warder_service_session_revoke(p->server->service, &r->caller, r->id, &report, &err);

    peer_reply_recorded(p, HTTP_OK, outcome, report, &err);
}

void api_sessions(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_sessions(p->server->service, &r->caller,
                                                     query_get(r->query, "since"), &report, &err);

    peer_reply_report(p, outcome, report, &err);
}

/* ---- log, events and figures ---- */

static void ask_log(struct peer *p, job_query query, const warder_log_filter *filter)
{
    p->job = job_ask(&p->server->jobs, query, filter, on_report, p);
    say_busy(p);
}

void api_decisions(struct peer *p, const struct request *r)
{
    warder_log_filter filter = WARDER_LOG_FILTER_INIT;
    uint64_t limit = 0;

    filter.decision = query_get(r->query, "decision");
    filter.project = query_get(r->query, "project");
    filter.worker = query_get(r->query, "worker");
    filter.session = query_get(r->query, "session");
    filter.tool = query_get(r->query, "tool");
    filter.rule = query_get(r->query, "rule");
    filter.since = query_get(r->query, "since");
    filter.until = query_get(r->query, "until");
    filter.text = query_get(r->query, "text");
    filter.cursor = query_get(r->query, "cursor");
    filter.after = query_get(r->query, "after");
    if (!query_limit(r->query, DECISIONS_PAGE_MAX, &limit)) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, "limit must be a number from 1 to 10000");
        return;
    }
    filter.limit = (uint32_t)limit;
    ask_log(p, warder_log_list, &filter);
}

static void on_decision(struct peer *p, warder_outcome outcome, warder_report *report,
                        const warder_error *err)
{
    if (outcome == WARDER_INVALID)
        peer_reply_problem(p, HTTP_NOT_FOUND, "no decision has this id");
    else
        peer_reply_report(p, outcome, report, err);
}

void api_decision(struct peer *p, const struct request *r)
{
    p->job = job_do(&p->server->jobs, warder_log_run, str_from(r->id), on_decision, p);
    if (!p->job)
        peer_reply_problem(p, HTTP_UNAVAILABLE,
                           "too many log queries are waiting; try again later");
}

/* The limit of the filter is how often a call must have been accepted. */
static warder_status propose(warder_log *log, const warder_log_filter *filter, warder_report **out,
                             warder_error *err)
{
    return warder_log_proposals(log, filter, filter->limit, out, err);
}

void api_proposals(struct peer *p, const struct request *r)
{
    warder_log_filter filter = WARDER_LOG_FILTER_INIT;
    uint64_t least = 0;

    filter.project = query_get(r->query, "project");
    filter.worker = query_get(r->query, "worker");
    filter.since = query_get(r->query, "since");
    filter.until = query_get(r->query, "until");
    if (!query_number(r->query, "least", UINT32_MAX, &least) ||
        (least == 0 && query_get(r->query, "least"))) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, "least must be a number, at least 1");
        return;
    }
    filter.limit = (uint32_t)least;
    ask_log(p, propose, &filter);
}

/* The limit of the filter is the seconds of a step. */
static warder_status draw(warder_log *log, const warder_log_filter *filter, warder_report **out,
                          warder_error *err)
{
    return warder_log_series(log, filter, filter->limit, out, err);
}

void api_stats(struct peer *p, const struct request *r)
{
    warder_log_filter filter = WARDER_LOG_FILTER_INIT;
    uint64_t step = 0;

    filter.since = query_get(r->query, "since");
    filter.until = query_get(r->query, "until");
    if (!query_number(r->query, "step", UINT32_MAX, &step) ||
        (step == 0 && query_get(r->query, "step"))) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, "step must be a number of seconds, at least 1");
        return;
    }
    filter.limit = (uint32_t)step;
    ask_log(p, draw, &filter);
}

static warder_outcome read_events(struct peer *p, warder_report **report, warder_error *err)
{
    char types[EVENTS_TYPES_MAX];

    return warder_service_events_of(p->server->service, &p->request.caller,
                                    events_names(p->listener.wants, types), p->listener.cursor,
                                    p->listener.limit, report, err);
}

static void reply_events(struct peer *p)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = read_events(p, &report, &err);

    peer_reply_report(p, outcome, report, &err);
}

/* Nothing has happened since that it wants, and nothing was missed. */
static bool is_up_to_date(struct peer *p)
{
    static const char empty[] = "{\"events\":[],";
    warder_report *report = NULL;
    warder_error err = {0};
    bool none = read_events(p, &report, &err) == WARDER_DONE &&
                strncmp(warder_report_json(report), empty, sizeof empty - 1) == 0 &&
                strstr(warder_report_json(report), "\"missed\":false");

    warder_report_free(report);
    return none;
}

void api_events(struct peer *p, const struct request *r)
{
    const char *types = query_get(r->query, "types");
    uint64_t cursor = 0, wait = 0, limit = EVENTS_PAGE_MAX;
    struct listener *l = &p->listener;

    l->wants = EVENTS_DEFAULT;
    if (!query_number(r->query, "cursor", UINT64_MAX, &cursor) ||
        !query_number(r->query, "wait", UINT32_MAX, &wait) ||
        !query_limit(r->query, EVENTS_PAGE_MAX, &limit) ||
        (types && !events_kinds(str_from(types), &l->wants))) {
        peer_reply_problem(
            p, HTTP_BAD_REQUEST,
            "cursor and wait must be numbers, limit one from 1 to 200; types: review, decision, "
            "rules, policy");
        return;
    }
    l->cursor = cursor;
    l->limit = (uint32_t)limit;
    if (wait && is_up_to_date(p)) {
        p->resume = reply_events;
        l->polls = true;
        events_join(&p->server->events, l, wait < WAIT_MAX_S ? (double)wait : WAIT_MAX_S);
    } else {
        reply_events(p);
    }
}

#define NOTICES_MAX 1024 /* bytes for the figures of the notices */

static void reply_metrics(struct peer *p, const char *text)
{
    struct bytes all = {0};
    char notices[NOTICES_MAX];

    notify_metrics(&p->server->notify, notices, sizeof notices);
    if (bytes_add(&all, str_from(text)) && bytes_add(&all, str_from(notices)) &&
        figures_write(p->server, &all) && bytes_add(&all, (struct str){"", 1}))
        peer_reply_text(p, HTTP_OK, "text/plain; version=0.0.4; charset=utf-8", all.s);
    else
        peer_reply_problem(p, HTTP_INTERNAL, "out of memory");
    bytes_release(&all);
}

void api_metrics(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_metrics(p->server->service, &report, &err);

    (void)r;
    if (outcome == WARDER_DONE)
        reply_metrics(p, warder_report_text(report));
    else
        peer_reply_report(p, outcome, NULL, &err);
    warder_report_free(report);
}

/* Health is public; the reason of a failure needs a role that may see the policy. */
void api_health(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_health(p->server->service, &report, &err);
    bool well = outcome == WARDER_DONE && warder_report_errors(report) == 0;
    unsigned status = well ? HTTP_OK : HTTP_UNAVAILABLE;

    if (outcome != WARDER_DONE)
        peer_reply_problem(p, status, err.message);
    else if (r->caller.role == WARDER_VIEWER || r->caller.role == WARDER_OPERATOR)
        peer_reply_text(p, status, TYPE_JSON, warder_report_json(report));
    else
        peer_reply_text(p, status, TYPE_JSON,
                        well ? "{\"status\":\"ok\"}" : "{\"status\":\"degraded\"}");
    warder_report_free(report);
}

void api_root(struct peer *p, const struct request *r)
{
    (void)r;
    peer_reply_text(p, HTTP_OK, TYPE_TEXT,
                    "warder serve: the API is under /v1/; see warder-serve(1).\n");
}
