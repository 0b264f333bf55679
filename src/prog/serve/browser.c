#include "serve/browser.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "serve/peer.h"
#include "serve/server.h"

#define ANSWER_MEMORY ((size_t)65536)
#define ID_FROM       4 /* a token is wds_ID_SECRET */
#define ID_LEN        16

const char *browser_cookie(const struct peer *p, char out[COOKIE_NAME_MAX])
{
    if (p->request.secure)
        snprintf(out, COOKIE_NAME_MAX, "__Host-warder");
    else
        snprintf(out, COOKIE_NAME_MAX, "warder_%u", p->server->listening.port);
    return out;
}

static void print_cookie(const struct peer *p, struct str value, char out[COOKIE_MAX])
{
    char name[COOKIE_NAME_MAX];

    snprintf(out, COOKIE_MAX, "%s=%.*s; Path=/; HttpOnly; SameSite=Strict%s%s",
             browser_cookie(p, name), STR_ARG(value), p->request.secure ? "; Secure" : "",
             value.len ? "" : "; Max-Age=0");
}

/* ---- in ---- */

struct signed_in {
    struct value report;
    struct str session;
};

/* All that the page may know of it: not the secret. */
static void write_signed_in(struct json_writer *w, const void *about)
{
    static const char *const told[] = {"id", "name", "role", "expires_at"};
    const struct value *v = about;

    json_begin_object(w);
    for (size_t i = 0; i < COUNT(told); i++)
        json_text_member(w, told[i], value_text(v, told[i]));
    json_end_object(w);
}

static void on_begun(struct peer *p, warder_outcome outcome, warder_report *report,
                     const warder_error *err)
{
    struct arena arena;
    struct value v;
    struct str json;
    char cookie[COOKIE_MAX];

    if (outcome != WARDER_DONE) {
        peer_reply_report(p, outcome, report, err);
        return;
    }
    arena_init(&arena, ANSWER_MEMORY);
    if (json_read(&arena, str_from(warder_report_json(report)), NULL, &v, NULL) == STATUS_OK &&
        json_try(&arena, write_signed_in, &v, &json)) {
        print_cookie(p, value_text(&v, "session"), cookie);
        peer_reply_cookie(p, json, cookie);
    } else {
        peer_reply_problem(p, HTTP_INTERNAL, "out of memory");
    }
    arena_release(&arena);
    warder_report_free(report);
}

static void start(struct peer *p, job_task task, struct str text, job_done done)
{
    p->job = job_do(&p->server->jobs, task, text, done, p);
    if (!p->job)
        peer_reply_problem(p, HTTP_UNAVAILABLE, "too many requests are waiting; try again later");
}

void api_login(struct peer *p, const struct request *r)
{
    start(p, warder_browser_begin, r->body, on_begun);
}

/* ---- out ---- */

static warder_status end_session(const char *data, const char *home, const char *id, size_t len,
                                 warder_report **out, warder_error *err)
{
    (void)len, (void)out;
    return warder_token_revoke(data, home, id, err);
}

static void on_left(struct peer *p, warder_outcome outcome, warder_report *report,
                    const warder_error *err)
{
    char cookie[COOKIE_MAX];

    (void)report;
    if (outcome == WARDER_FAILED) {
        peer_reply_report(p, outcome, NULL, err);
        return;
    }
    print_cookie(p, STR(""), cookie);
    peer_reply_cookie(p, STR("{}"), cookie); /* also if it had ended before */
}

void api_logout(struct peer *p, const struct request *r)
{
    if (!r->by_cookie) {
        peer_reply_problem(p, HTTP_BAD_REQUEST, "this is not a browser session");
        return;
    }
    start(p, end_session, (struct str){p->listener.token + ID_FROM, ID_LEN}, on_left);
    p->listener.token[0] = '\0'; /* or its end would refuse this very request */
}

/* ---- others ---- */

static warder_status list_sessions(const char *data, const char *home, const char *text, size_t len,
                                   warder_report **out, warder_error *err)
{
    (void)text, (void)len;
    return warder_browser_list(data, home, out, err);
}

/* Takes the report. Its JSON, with `before` in front and `after` behind. */
static void reply_around(struct peer *p, const char *before, warder_report *report, size_t from,
                         const char *after)
{
    struct bytes all = {0};
    const struct str json = str_trim(str_from(warder_report_json(report)));

    if (bytes_add(&all, str_from(before)) && bytes_add(&all, str_from_byte(json, from)) &&
        bytes_add(&all, str_from(after)) && bytes_add(&all, (struct str){"", 1}))
        peer_reply_text(p, HTTP_OK, TYPE_JSON, all.s);
    else
        peer_reply_problem(p, HTTP_INTERNAL, "out of memory");
    bytes_release(&all);
    warder_report_free(report);
}

/* The page must know which of them is its own. */
static void on_browsers(struct peer *p, warder_outcome outcome, warder_report *report,
                        const warder_error *err)
{
    char current[ID_LEN + 32] = "{";

    if (p->request.by_cookie)
        snprintf(current, sizeof current, "{\"current\":\"%.*s\",", ID_LEN,
                 p->listener.token + ID_FROM);
    if (outcome == WARDER_DONE)
        reply_around(p, current, report, 1, "");
    else
        peer_reply_report(p, outcome, report, err);
}

void api_browsers(struct peer *p, const struct request *r)
{
    (void)r;
    start(p, list_sessions, STR(""), on_browsers);
}

static void reply_ended(struct peer *p, warder_outcome outcome, const warder_error *err,
                        const char *unknown)
{
    if (outcome == WARDER_DONE)
        peer_reply_text(p, HTTP_OK, TYPE_JSON, "{}");
    else if (outcome == WARDER_INVALID)
        peer_reply_problem(p, HTTP_NOT_FOUND, unknown);
    else
        peer_reply_report(p, outcome, NULL, err);
}

static void on_ended(struct peer *p, warder_outcome outcome, warder_report *report,
                     const warder_error *err)
{
    (void)report;
    reply_ended(p, outcome, err, "no browser session has this id");
}

/* The id of a token is not accepted: only sessions are in the list. */
static warder_status end_listed(const char *data, const char *home, const char *id, size_t len,
                                warder_report **out, warder_error *err)
{
    warder_report *list = NULL;
    char quoted[SEGMENT_MAX + 16];
    warder_status status = warder_browser_list(data, home, &list, err);

    (void)out;
    snprintf(quoted, sizeof quoted, "{\"id\":\"%.*s\"", (int)len, id);
    const bool known = status == WARDER_OK && strstr(warder_report_json(list), quoted);
    warder_report_free(list);
    if (status != WARDER_OK)
        return status;
    return known ? warder_token_revoke(data, home, id, err) : WARDER_EUSAGE;
}

void api_browser_end(struct peer *p, const struct request *r)
{
    start(p, end_listed, str_from(r->id), on_ended);
}

/* ---- tokens ---- */

static warder_status list_tokens(const char *data, const char *home, const char *text, size_t len,
                                 warder_report **out, warder_error *err)
{
    (void)text, (void)len;
    return warder_token_list(data, home, out, err);
}

static void on_tokens(struct peer *p, warder_outcome outcome, warder_report *report,
                      const warder_error *err)
{
    if (outcome == WARDER_DONE)
        reply_around(p, "{\"tokens\":", report, 0, "}");
    else
        peer_reply_report(p, outcome, report, err);
}

void api_tokens(struct peer *p, const struct request *r)
{
    (void)r;
    start(p, list_tokens, STR(""), on_tokens);
}

static void on_token_revoked(struct peer *p, warder_outcome outcome, warder_report *report,
                             const warder_error *err)
{
    (void)report;
    reply_ended(p, outcome, err, "no token in force has this id");
}

/* Whoever revokes the token that this request came with still gets its answer. */
void api_token_revoke(struct peer *p, const struct request *r)
{
    start(p, end_session, str_from(r->id), on_token_revoked);
    if (strcmp(r->caller.id, r->id) == 0)
        p->listener.token[0] = '\0';
}

void api_me(struct peer *p, const struct request *r)
{
    warder_report *report = NULL;
    warder_error err = {0};
    warder_outcome outcome = warder_service_me(p->server->service, &r->caller, &report, &err);

    peer_reply_report(p, outcome, report, &err);
}
