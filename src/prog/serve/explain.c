#include "serve/explain.h"

#include "serve/peer.h"
#include "serve/server.h"
#include "warder_admin.h"

static void on_report(struct peer *p, warder_outcome outcome, warder_report *report,
                      const warder_error *err)
{
    peer_reply_report(p, outcome, report, err);
}

static void start(struct peer *p, job_task task, struct str body)
{
    p->job = job_do(&p->server->jobs, task, body, on_report, p);
    if (!p->job)
        peer_reply_problem(p, HTTP_UNAVAILABLE, "too many requests are waiting; try again later");
}

void api_explain(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_explain(p->server->service, &r->caller, r->body.s,
                                                    r->body.len, &report, &err);

    if (outcome == WARDER_NOT_FOUND)
        start(p, warder_explain_elsewhere, r->body);
    else
        peer_reply_report(p, outcome, report, &err);
}

void api_matrix(struct peer *p, const struct request *r)
{
    start(p, warder_explain_matrix, r->body);
}
