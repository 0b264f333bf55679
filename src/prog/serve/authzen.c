#include "serve/authzen.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "serve/authzen_call.h"
#include "serve/peer.h"
#include "serve/server.h"

#define AUTHZEN_MEMORY ((size_t)64 * 1024 * 1024) /* of one request and its answer */

/* When the evaluations of a request end early. */
enum semantic { EXECUTE_ALL = 0, DENY_ON_FIRST_DENY, PERMIT_ON_FIRST_PERMIT };

/* A request whose evaluations are judged one after the other. */
struct authzen {
    struct arena arena;
    struct str body;
    struct value request;
    const struct value *batch; /* NULL: the request is the one evaluation */
    enum semantic semantic;
    size_t next;
    struct buf out;      /* the decisions, with commas between them */
    bool failed;         /* no memory: nothing of it counts */
    bool over;           /* no further evaluation is judged */
    char *verdict;       /* of the evaluation before `next` */
    unsigned status;     /* of an evaluation that could not be judged; 0: it could */
    const char *message; /* why */
    char why[256];
};

void authzen_free(struct authzen *a)
{
    if (!a)
        return;
    arena_release(&a->arena);
    free(a->verdict);
    free(a);
}

static struct peer *peer_of(struct ticket *ticket)
{
    return (struct peer *)(void *)((char *)ticket - offsetof(struct peer, ticket));
}

/* ---- the answer ---- */

static void on_recorded(struct ticket *ticket, bool recorded, const char *json)
{
    struct peer *p = peer_of(ticket);
    struct authzen *a = p->authzen;

    (void)json;
    p->authzen = NULL;
    if (!recorded)
        peer_reply_problem(p, HTTP_UNAVAILABLE, "not judged: cannot record it");
    else
        peer_reply_text(p, HTTP_OK, TYPE_JSON, buf_str(&a->out).s);
    authzen_free(a);
}

static void end(void *arg)
{
    struct authzen *a = arg;

    if (a->batch)
        buf_text(&a->out, "]}");
    buf_byte(&a->out, '\0');
}

static void finish(struct peer *p)
{
    struct authzen *a = p->authzen;

    if (a->failed || !arena_try(&a->arena, end, a)) {
        peer_reply_problem(p, HTTP_INTERNAL, "out of memory");
        return;
    }
    p->ticket.ready = on_recorded;
    outbox_hold(&p->server->outbox, &p->ticket); /* a refusal may not be recorded yet */
}

static void add(void *arg)
{
    struct authzen *a = arg;
    bool allowed = false;

    buf_text(&a->out, a->next > 1 ? "," : a->batch ? "{\"evaluations\":[" : "");
    if (a->status)
        authzen_failure(&a->out, a->status, a->message);
    else
        allowed = authzen_decision(&a->out, a->verdict);
    a->over = a->batch == NULL || a->next >= a->batch->count ||
              (a->semantic == DENY_ON_FIRST_DENY && !allowed) ||
              (a->semantic == PERMIT_ON_FIRST_PERMIT && allowed);
}

/* ---- one evaluation ---- */

static void judge_next(struct peer *p);

static void add_decision(struct peer *p)
{
    struct authzen *a = p->authzen;
    const bool bad = a->status == HTTP_BAD_REQUEST;

    p->resume = NULL;
    a->failed |= !arena_try(&a->arena, add, a);
    free(a->verdict);
    a->verdict = NULL;
    a->status = 0;
    if (!a->batch && bad)
        peer_reply_problem(p, HTTP_BAD_REQUEST, a->message);
    else if (a->failed || a->over)
        finish(p);
    else
        judge_next(p);
}

/* Called while the service commits: what follows must wait. */
static void on_verdict(struct ticket *ticket, bool recorded, const char *json)
{
    struct peer *p = peer_of(ticket);

    (void)recorded; /* if recording failed, the verdict is a deny already */
    p->authzen->verdict = json ? strdup(json) : NULL;
    p->resume = add_decision;
    peer_wake(p);
}

struct next_call {
    struct authzen *authzen;
    struct str call;
};

static void make_call(void *arg)
{
    struct next_call *n = arg;
    struct authzen *a = n->authzen;
    const struct evaluation e = {.own = a->batch ? &a->batch->items[a->next] : &a->request,
                                 .defaults = a->batch ? &a->request : NULL,
                                 .waits = a->batch == NULL};

    a->next++;
    if (!authzen_call(&a->arena, &e, &n->call, &a->message))
        a->status = HTTP_BAD_REQUEST;
}

static unsigned failure_status(warder_outcome outcome)
{
    return outcome == WARDER_FORBIDDEN ? HTTP_FORBIDDEN
           : outcome == WARDER_FULL    ? HTTP_TOO_MANY
                                       : HTTP_INTERNAL;
}

static void judge_next(struct peer *p)
{
    struct authzen *a = p->authzen;
    struct next_call n = {.authzen = a};
    warder_error err = {0};

    a->failed |= !arena_try(&a->arena, make_call, &n);
    if (!a->failed && !a->status) {
        p->ticket.ready = on_verdict;
        warder_outcome outcome =
            outbox_check(&p->server->outbox, &p->ticket, &p->request.caller, n.call, &err);
        if (outcome == WARDER_DONE)
            return;
        a->status = failure_status(outcome);
        snprintf(a->why, sizeof a->why, "%s", err.message);
        a->message = a->why;
    }
    /* Not at once: a thousand of these would be a thousand calls deep. */
    p->resume = add_decision;
    peer_wake(p);
}

/* ---- a request ---- */

static bool read_semantic(const struct value *request, enum semantic *out)
{
    static const char *const names[] = {"execute_all", "deny_on_first_deny",
                                        "permit_on_first_permit"};
    const struct value *options = value_get(request, "options"),
                       *named = value_get(options, "evaluations_semantic");

    *out = EXECUTE_ALL;
    if (!named)
        return !options || options->kind == VALUE_OBJECT;
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_is(value_text(options, "evaluations_semantic"), names[i])) {
            *out = (enum semantic)i;
            return true;
        }
    return false;
}

static const char *read_batch(struct authzen *a)
{
    const struct value *list = value_get(&a->request, "evaluations");

    if (!read_semantic(&a->request, &a->semantic))
        return "evaluations_semantic must be execute_all, deny_on_first_deny or "
               "permit_on_first_permit";
    if (!list)
        return NULL;
    if (list->kind != VALUE_ARRAY || list->count > EVALUATIONS_MAX)
        return "evaluations must be a list of at most 100";
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].kind != VALUE_OBJECT)
            return "each evaluation must be an object";
    a->batch = list->count ? list : NULL;
    return NULL;
}

static void begin(void *arg)
{
    struct authzen *a = arg;
    struct error err = {0};

    a->out = buf_in(&a->arena);
    a->body = str_copy(&a->arena, a->body); /* the connection's buffer may move */
    if (json_read(&a->arena, a->body, NULL, &a->request, &err) != STATUS_OK)
        snprintf(a->why, sizeof a->why, "%u:%u: %.200s", err.line, err.column, err.message);
    else if (a->request.kind != VALUE_OBJECT)
        snprintf(a->why, sizeof a->why, "an evaluation must be an object");
}

static void evaluate(struct peer *p, const struct request *r, bool many)
{
    struct authzen *a = calloc(1, sizeof *a);
    const char *why = NULL;

    if (!a) {
        peer_reply_problem(p, HTTP_INTERNAL, "out of memory");
        return;
    }
    p->authzen = a; /* freed with the request */
    a->body = r->body;
    arena_init(&a->arena, AUTHZEN_MEMORY);
    if (!arena_try(&a->arena, begin, a)) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, "the request is too large to be read");
        return;
    }
    if (!a->why[0] && many)
        why = read_batch(a);
    if (a->why[0] || why) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, why ? why : a->why);
        return;
    }
    judge_next(p);
}

void api_evaluation(struct peer *p, const struct request *r)
{
    evaluate(p, r, false);
}

void api_evaluations(struct peer *p, const struct request *r)
{
    evaluate(p, r, true);
}

/* ---- where they are ---- */

/* By the name that the client used: it compares. */
void api_authzen_configuration(struct peer *p, const struct request *r)
{
    const char *scheme = p->server->filter.tls ? "https" : "http";
    char text[1024];

    snprintf(text, sizeof text,
             "{\"policy_decision_point\":\"%s://%s\","
             "\"access_evaluation_endpoint\":\"%s://%s/access/v1/evaluation\","
             "\"access_evaluations_endpoint\":\"%s://%s/access/v1/evaluations\"}",
             scheme, r->host, scheme, r->host, scheme, r->host);
    peer_reply_text(p, HTTP_OK, TYPE_JSON, text);
}
