/* reply.c - makes whole answers and puts them where the connection sends them from. */
#include <stdio.h>
#include <time.h>

#include "base/json.h"
#include "serve/console.h"
#include "serve/server.h"

#define PROBLEM_MEMORY ((size_t)65536)

static const struct {
    unsigned status;
    const char *title;
} titles[] = {
    {HTTP_OK, "OK"},
    {HTTP_CREATED, "Created"},
    {HTTP_NOT_MODIFIED, "Not Modified"},
    {HTTP_BAD_REQUEST, "Bad Request"},
    {HTTP_UNAUTHORIZED, "Unauthorized"},
    {HTTP_FORBIDDEN, "Forbidden"},
    {HTTP_NOT_FOUND, "Not Found"},
    {HTTP_METHOD_NOT_ALLOWED, "Method Not Allowed"},
    {HTTP_CONFLICT, "Conflict"},
    {HTTP_LENGTH_REQUIRED, "Length Required"},
    {HTTP_TOO_LARGE, "Content Too Large"},
    {HTTP_UNSUPPORTED_TYPE, "Unsupported Media Type"},
    {HTTP_MISDIRECTED, "Misdirected Request"},
    {HTTP_TOO_MANY, "Too Many Requests"},
    {HTTP_HEADERS_TOO_LARGE, "Request Header Fields Too Large"},
    {HTTP_INTERNAL, "Internal Server Error"},
    {HTTP_UNAVAILABLE, "Service Unavailable"},
    {HTTP_VERSION, "HTTP Version Not Supported"},
};

static const char *title_of(unsigned status)
{
    for (size_t i = 0; i < COUNT(titles); i++)
        if (titles[i].status == status)
            return titles[i].title;
    return "Error";
}

static const unsigned outcome_status[] = {
    [WARDER_FAILED] = HTTP_INTERNAL,     [WARDER_DONE] = HTTP_OK,
    [WARDER_INVALID] = HTTP_BAD_REQUEST, [WARDER_FORBIDDEN] = HTTP_FORBIDDEN,
    [WARDER_NOT_FOUND] = HTTP_NOT_FOUND, [WARDER_CONFLICT] = HTTP_CONFLICT,
    [WARDER_FULL] = HTTP_TOO_MANY,
};

static void print_methods(unsigned methods, char *out, size_t room)
{
    size_t len = 0;

    out[0] = '\0';
    for (enum method m = METHOD_GET; m <= METHOD_DELETE; m++)
        if (methods & 1u << m)
            len += (size_t)snprintf(out + len, room - len, "%s%s%s", len ? ", " : "",
                                    method_name(m), m == METHOD_GET ? ", HEAD" : "");
}

/* As RFC 9110 wants it, in any locale; printed once a second. */
static const char *date_now(struct server *server)
{
    static const char days[][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char months[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t now = (time_t)ev_now(server->loop);
    struct tm t;

    if (now != server->dated && gmtime_r(&now, &t)) {
        snprintf(server->date, sizeof server->date, "%s, %02d %s %d %02d:%02d:%02d GMT",
                 days[t.tm_wday], t.tm_mday, months[t.tm_mon], t.tm_year + 1900, t.tm_hour,
                 t.tm_min, t.tm_sec);
        server->dated = now;
    }
    return server->date;
}

/* For the files of the console: they run only what came with them, are shown in no frame, and ask
 * nobody else for anything. */
static const char page_headers[] =
    "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'\r\n"
    "referrer-policy: no-referrer\r\n"
    "x-frame-options: DENY\r\n"
    "cross-origin-opener-policy: same-origin\r\n"
    "cross-origin-resource-policy: same-origin\r\n"
    "permissions-policy: accelerometer=(), camera=(), clipboard-read=(), display-capture=(), "
    "geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()\r\n";

static bool add_line(struct peer *p, const char *name, const char *value)
{
    return !value || !value[0] ||
           (bytes_add(&p->out, str_from(name)) && bytes_add(&p->out, STR(": ")) &&
            bytes_add(&p->out, str_from(value)) && bytes_add(&p->out, STR("\r\n")));
}

static bool add_own_lines(struct peer *p, const struct reply *r)
{
    return add_line(p, "cache-control", r->cache ? r->cache : "no-store") &&
           add_line(p, "etag", r->tag) && add_line(p, "set-cookie", r->cookie) &&
           (!r->page || bytes_add(&p->out, str_from(page_headers))) &&
           bytes_add(&p->out, STR("\r\n"));
}

static bool add_head(struct peer *p, const struct reply *r)
{
    char text[768], allow[64] = "";
    const char *tag = p->request.tag;
    int len;

    if (r->status == HTTP_METHOD_NOT_ALLOWED)
        print_methods(p->allow, allow, sizeof allow);
    len =
        snprintf(text, sizeof text,
                 "HTTP/1.1 %u %s\r\nserver: warder\r\ndate: %s\r\n"
                 "content-type: %s\r\ncontent-length: %zu\r\n"
                 "x-content-type-options: nosniff\r\n%s%s%s%s%s%s%s%s",
                 r->status, title_of(r->status), date_now(p->server), r->type, r->text.len,
                 r->status == HTTP_UNAUTHORIZED ? "www-authenticate: Bearer\r\n" : "",
                 r->status == HTTP_METHOD_NOT_ALLOWED ? "allow: " : "",
                 r->status == HTTP_METHOD_NOT_ALLOWED ? allow : "",
                 r->status == HTTP_METHOD_NOT_ALLOWED ? "\r\n" : "", tag[0] ? "x-request-id: " : "",
                 tag, tag[0] ? "\r\n" : "", p->closing ? "connection: close\r\n" : "");
    return len > 0 && (size_t)len < sizeof text &&
           bytes_add(&p->out, (struct str){text, (size_t)len}) && add_own_lines(p, r);
}

/* Out of memory, nothing is sent and the connection ends. */
static void leave(struct peer *p)
{
    figures_count(&p->server->figures, p->request.asked, p->reply.status);
    if (!add_head(p, &p->reply) ||
        (!p->bodiless && !bytes_add(&p->out, bytes_str(&p->reply.text)))) {
        p->out.len = p->sent;
        p->closing = true;
    }
    bytes_release(&p->reply.text);
    p->resume = NULL;
    peer_send(p);
}

static void set(struct peer *p, unsigned status, const char *type, struct str text)
{
    bytes_release(&p->reply.text);
    p->reply = (struct reply){.status = status, .type = type};
    if (!bytes_add(&p->reply.text, text))
        p->reply.status = HTTP_INTERNAL;
}

void peer_reply_text(struct peer *p, unsigned status, const char *type, const char *text)
{
    set(p, status, type, str_from(text));
    leave(p);
}

void peer_reply_file(struct peer *p, const struct console_file *file, bool known)
{
    set(p, known ? HTTP_NOT_MODIFIED : HTTP_OK, file->type,
        known ? STR("") : (struct str){(const char *)file->bytes, file->len});
    p->reply.page = true;
    p->reply.cache = file->immutable ? "public, max-age=31536000, immutable" : "no-cache";
    p->reply.tag = file->tag;
    leave(p);
}

void peer_reply_cookie(struct peer *p, struct str json, const char *cookie)
{
    set(p, HTTP_OK, TYPE_JSON, json);
    snprintf(p->reply.cookie, sizeof p->reply.cookie, "%s", cookie);
    leave(p);
}

struct problem {
    unsigned status;
    const char *detail;
    bool judged; /* it answers a call that was to be judged */
};

static void write_problem(struct json_writer *w, const void *about)
{
    const struct problem *p = about;

    json_begin_object(w);
    json_text_member(w, "type", STR("about:blank"));
    json_text_member(w, "title", str_from(title_of(p->status)));
    json_key(w, "status");
    json_int(w, p->status);
    if (p->detail)
        json_text_member(w, "detail", str_from(p->detail));
    if (p->judged) /* for a client that reads nothing else */
        json_text_member(w, "behavior", STR("deny"));
    json_end_object(w);
}

static void set_problem(struct peer *p, unsigned status, const char *detail)
{
    const struct problem problem = {status, detail, p->request.judges};
    struct arena arena;
    struct str text;

    arena_init(&arena, PROBLEM_MEMORY);
    if (!json_try(&arena, write_problem, &problem, &text))
        text = STR("{}");
    set(p, status, TYPE_PROBLEM, text);
    arena_release(&arena);
}

void peer_reply_problem(struct peer *p, unsigned status, const char *detail)
{
    set_problem(p, status, detail);
    leave(p);
}

static void set_report(struct peer *p, unsigned status, warder_outcome outcome,
                       warder_report *report, const warder_error *err)
{
    if (outcome == WARDER_DONE && report)
        set(p, status, TYPE_JSON, str_from(warder_report_json(report)));
    else
        set_problem(p, outcome_status[outcome == WARDER_DONE ? WARDER_FAILED : outcome],
                    err->message);
    warder_report_free(report);
}

void peer_reply_report(struct peer *p, warder_outcome outcome, warder_report *report,
                       const warder_error *err)
{
    set_report(p, HTTP_OK, outcome, report, err);
    leave(p);
}

static void on_recorded(struct ticket *ticket, bool recorded, const char *json)
{
    struct peer *p = (struct peer *)(void *)((char *)ticket - offsetof(struct peer, ticket));

    if (!recorded)
        set_problem(p,
                    ticket->outcome == WARDER_FAILED ? HTTP_UNAVAILABLE
                                                     : outcome_status[ticket->outcome],
                    json ? json : "not done: cannot record it");
    else if (json)
        set(p, p->reply.status, TYPE_JSON, str_from(json));
    leave(p);
}

void peer_reply_recorded(struct peer *p, unsigned status, warder_outcome outcome,
                         warder_report *report, const warder_error *err)
{
    set_report(p, status, outcome, report, err);
    if (warder_service_uncommitted(p->server->service) == p->request.uncommitted) {
        leave(p); /* nothing was staged */
        return;
    }
    p->ticket.ready = on_recorded;
    outbox_hold(&p->server->outbox, &p->ticket);
}
