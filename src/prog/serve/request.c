/* request.c - checks the head of a request: is it meant for us, which role has the caller, may it
 * do this, and how long is the body?
 *
 * The order is the policy: what a browser could be made to send is refused before anything is
 * looked up, and without the right role a caller does not learn what exists. */
#include "base/ascii.h"
#include "serve/browser.h"
#include "serve/frame.h"
#include "serve/say.h"
#include "serve/server.h"

/* Where does this request end? A proxy that disagrees with us could smuggle a second one in. */
static unsigned check_framing(struct peer *p, const struct head *head, const char **detail)
{
    bool may_have_body = head->method == METHOD_POST || head->method == METHOD_PUT;
    struct str length = head->headers[HEADER_CONTENT_LENGTH];

    *detail = "Content-Length is missing or not a number";
    if (head->headers[HEADER_TRANSFER_ENCODING].s || (may_have_body && !length.s))
        return HTTP_LENGTH_REQUIRED;
    p->body_len = 0;
    for (size_t i = 0; i < length.len; i++) {
        if (!ascii_is_digit(length.s[i]) || p->body_len > SIZE_MAX / 100)
            return HTTP_BAD_REQUEST;
        p->body_len = p->body_len * 10 + (size_t)(length.s[i] - '0');
    }
    if (length.s && length.len == 0)
        return HTTP_BAD_REQUEST;
    *detail = "this method takes no body";
    return p->body_len && !may_have_body ? HTTP_BAD_REQUEST : 0;
}

/* A link in a chat or a mail leads to the page: its files hold no data, and it is strict about its
 * cookie. */
static bool is_navigation(const struct match *m, const struct head *head)
{
    return m->route && m->route->page && head->method == METHOD_GET &&
           str_is(head->headers[HEADER_FETCH_MODE], "navigate");
}

static unsigned check_origin(const struct request_filter *filter, const struct match *m,
                             const struct head *head, const char **detail)
{
    struct str origin = head->headers[HEADER_ORIGIN], site = head->headers[HEADER_FETCH_SITE];

    *detail = "unknown host name: use the address, localhost or a name given with --host";
    if (!filter_host(filter, head->headers[HEADER_HOST]))
        return HTTP_MISDIRECTED;
    *detail = "requests from pages of other sites are refused";
    if (origin.s && !filter_origin(filter, origin))
        return HTTP_FORBIDDEN;
    return site.s && !filter_site(site) && !is_navigation(m, head) ? HTTP_FORBIDDEN : 0;
}

static struct str header_token(const struct head *head)
{
    if (!head->headers[HEADER_AUTHORIZATION].s && head->headers[HEADER_UPGRADE].s)
        return filter_protocol_token(head->headers[HEADER_SOCKET_PROTOCOL]);
    return filter_bearer(head->headers[HEADER_AUTHORIZATION]);
}

/* A browser sends our cookie with whatever makes it ask, so it counts only where a page of our own
 * asks: the browser says so, and other sites cannot send JSON. A WebSocket always has an Origin. */
static bool is_own_page(const struct head *head)
{
    const bool origin = head->headers[HEADER_ORIGIN].s; /* one of ours: check_origin() */

    if (head->headers[HEADER_UPGRADE].s)
        return origin;
    return (origin || str_is(head->headers[HEADER_FETCH_SITE], "same-origin")) &&
           (head->method == METHOD_GET || filter_is_json(head->headers[HEADER_CONTENT_TYPE]));
}

static struct str cookie_token(const struct peer *p, const struct head *head)
{
    char name[COOKIE_NAME_MAX];
    struct str token =
        filter_cookie(head->headers[HEADER_COOKIE], str_from(browser_cookie(p, name)));

    return str_starts(token, STR(WARDER_BROWSER_TOKEN)) ? token : STR("");
}

/* Keeps the token in the listener: it is checked again while a WebSocket is open. */
static bool keep_token(struct peer *p, struct str token)
{
    if (token.len == 0 || token.len >= TOKEN_MAX)
        return false;
    memcpy(p->listener.token, token.s, token.len);
    p->listener.token[token.len] = '\0';
    return true;
}

static unsigned check_caller(struct peer *p, struct str token, const char **detail)
{
    warder_error err = {0};
    warder_outcome outcome;

    *detail = "token missing: send Authorization: Bearer TOKEN";
    if (!keep_token(p, token))
        return HTTP_UNAUTHORIZED;
    outcome = warder_service_login(p->server->service, p->listener.token, &p->request.caller, &err);
    if (outcome == WARDER_DONE)
        return 0;
    *detail = "unknown or revoked token";
    if (outcome != WARDER_FAILED)
        return HTTP_UNAUTHORIZED;
    serve_say("cannot read the tokens: %s", err.message);
    *detail = "cannot read the tokens";
    return HTTP_INTERNAL;
}

/* A public route needs no token; but an invalid token is an error even there. (A cookie is none:
 * the browser sends it by itself.) */
static unsigned check_identity(struct peer *p, const struct head *head, bool public_,
                               const char **detail)
{
    struct str token = header_token(head), cookie = cookie_token(p, head);
    unsigned status = 0;

    *detail = "send a session or a token, not both";
    if (token.len && cookie.len)
        return HTTP_BAD_REQUEST;
    *detail = "the token of a browser session is only accepted as its cookie";
    if (str_starts(token, STR(WARDER_BROWSER_TOKEN)))
        return HTTP_UNAUTHORIZED;
    p->request.by_cookie = cookie.len && is_own_page(head);
    if (p->request.by_cookie) {
        status = check_caller(p, cookie, detail);
        if (!status || !public_)
            return status;
        p->request.caller = (warder_caller){0};
        return 0;
    }
    return public_ && !token.len ? 0 : check_caller(p, token, detail);
}

static unsigned check_route(struct peer *p, const struct match *m, const char **detail)
{
    unsigned role = 1u << p->request.caller.role;

    *detail = "not found";
    if (!m->methods)
        return HTTP_NOT_FOUND;
    *detail = "your role may not do this";
    if (!(m->roles & (role | FOR_ANYBODY)) ||
        (m->route && !(m->route->roles & (role | FOR_ANYBODY))))
        return HTTP_FORBIDDEN;
    *detail = "method not allowed here";
    p->allow = m->methods;
    return m->route ? 0 : HTTP_METHOD_NOT_ALLOWED;
}

static unsigned check_body(const struct peer *p, const struct head *head, const char **detail)
{
    const struct route *route = p->request.route;

    *detail = "the body is too large";
    if (p->body_len > route->body_max)
        return HTTP_TOO_LARGE;
    *detail = "the body must be application/json";
    if (route->body_max && !filter_is_json(head->headers[HEADER_CONTENT_TYPE]))
        return HTTP_UNSUPPORTED_TYPE;
    return 0;
}

/* A misspelled filter must not read as "no filter". */
static unsigned check_query(const struct peer *p, const struct head *head, struct query *q,
                            const char **detail)
{
    *detail = "malformed or too long parameter";
    if (!head_query(head->query, q))
        return HTTP_BAD_REQUEST;
    *detail = "unknown or duplicate parameter";
    for (size_t i = 0; i < q->count; i++) {
        if (!str_has_word(str_from(p->request.route->query), q->items[i].name))
            return HTTP_BAD_REQUEST;
        for (size_t j = 0; j < i; j++)
            if (str_eq(q->items[i].name, q->items[j].name))
                return HTTP_BAD_REQUEST;
    }
    return 0;
}

/* Visible ASCII only, or nothing: it goes into a header of the answer. */
static void keep_text(struct str text, char *out, size_t room)
{
    out[0] = '\0';
    if (!text.s || text.len >= room)
        return;
    for (size_t i = 0; i < text.len; i++)
        if (text.s[i] <= ' ' || text.s[i] > '~')
            return;
    memcpy(out, text.s, text.len);
    out[text.len] = '\0';
}

unsigned request_check(struct peer *p, const struct head *head, struct query *query,
                       const char **detail)
{
    struct match match = route_find(head->method, head->path);
    unsigned status;

    p->request = (struct request){.body = STR(""), .asked = match.route, .judges = match.judges};
    p->listener.token[0] = '\0';
    if ((status = check_framing(p, head, detail)) ||
        (status = check_origin(&p->server->filter, &match, head, detail)))
        return status;
    p->request.secure = filter_is_secure(&p->server->filter, head->headers[HEADER_HOST]);
    keep_text(head->headers[HEADER_IF_NONE_MATCH], p->request.known, sizeof p->request.known);
    keep_text(head->headers[HEADER_HOST], p->request.host, sizeof p->request.host);
    keep_text(head->headers[HEADER_REQUEST_ID], p->request.tag, sizeof p->request.tag);
    if ((status = check_identity(p, head, match.roles & FOR_ANYBODY, detail)))
        return status;
    if ((status = check_route(p, &match, detail)))
        return status;
    p->request.route = match.route;
    memcpy(p->request.id, match.id.s, match.id.len);
    if ((status = check_body(p, head, detail)))
        return status;
    return check_query(p, head, query, detail);
}

/* Our own subprotocol if offered, else the offer with the token: a browser requires one of its
 * offers in the answer. */
static struct str choose_protocol(struct str offered, char *room, size_t size)
{
    if (!offered.s || head_lists(offered, STR("warder")))
        return offered.s ? STR("warder") : STR("");
    struct str token = filter_protocol_token(offered);
    int len = token.len ? snprintf(room, size, "bearer.%.*s", STR_ARG(token)) : 0;
    return (struct str){room, len > 0 && (size_t)len < size ? (size_t)len : 0};
}

static bool greet(struct peer *p, const char *accept, struct str protocol)
{
    char text[512];
    int len =
        snprintf(text, sizeof text,
                 "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
                 "sec-websocket-accept: %s\r\n%s%.*s%s\r\n",
                 accept, protocol.len ? "sec-websocket-protocol: " : "", STR_ARG(protocol),
                 protocol.len ? "\r\n" : "");

    return len > 0 && (size_t)len < sizeof text &&
           bytes_add(&p->out, (struct str){text, (size_t)len});
}

unsigned request_upgrade(struct peer *p, const struct head *head, const struct query *query,
                         const char **detail)
{
    struct listener *l = &p->listener;
    const char *types = query_get(query, "types");
    char accept[FRAME_ACCEPT_MAX], protocol[TOKEN_MAX + 8];

    *detail = "no WebSocket here";
    if (p->bodiless || !p->request.route->upgrades ||
        !head_lists(head->headers[HEADER_UPGRADE], STR("websocket")))
        return HTTP_BAD_REQUEST;
    *detail = "not a WebSocket handshake, version 13";
    if (!head_lists(head->headers[HEADER_CONNECTION], STR("upgrade")) ||
        !str_is(head->headers[HEADER_SOCKET_VERSION], "13") ||
        !frame_accept(head->headers[HEADER_SOCKET_KEY], accept))
        return HTTP_BAD_REQUEST;
    *detail = "cursor must be a number; types: review, decision, rules, policy; "
              "no other parameters";
    l->cursor = p->server->events.cursor;
    l->wants = EVENTS_DEFAULT;
    l->polls = false;
    if (!query_number(query, "cursor", UINT64_MAX, &l->cursor) || query_get(query, "wait") ||
        query_get(query, "limit") || (types && !events_kinds(str_from(types), &l->wants)))
        return HTTP_BAD_REQUEST;
    *detail = "out of memory";
    return greet(p, accept,
                 choose_protocol(head->headers[HEADER_SOCKET_PROTOCOL], protocol, sizeof protocol))
               ? 0
               : HTTP_INTERNAL;
}
