/* request.c - looks at the head of a request: was it meant for us, who asks, may they, and how long
 * is it?
 *
 * The order is the policy: what a browser could be made to send is refused
 * before anything is looked up, and nobody learns what exists without the role
 * to see it. */
#include "base/ascii.h"
#include "serve/frame.h"
#include "serve/say.h"
#include "serve/server.h"

/* Where does this request end? Whoever disagrees with us about that could smuggle a second one in.
 */
static unsigned check_framing(struct peer *p, const struct head *head, const char **detail)
{
    bool may_have_body = head->method == METHOD_POST || head->method == METHOD_PUT;
    struct str length = head->headers[HEADER_CONTENT_LENGTH];

    *detail = "the length of the body must be given, as a number";
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
    *detail = "a request of this method has no body";
    return p->body_len && !may_have_body ? HTTP_BAD_REQUEST : 0;
}

static unsigned check_gate(const struct request_filter *gate, const struct head *head,
                           const char **detail)
{
    struct str origin = head->headers[HEADER_ORIGIN], site = head->headers[HEADER_FETCH_SITE];

    *detail = "this server has another name; it is called by its address or as localhost";
    if (!filter_host(gate, head->headers[HEADER_HOST]))
        return HTTP_MISDIRECTED;
    *detail = "pages of other sites may not ask here";
    if (origin.s && !filter_origin(gate, origin))
        return HTTP_FORBIDDEN;
    return site.s && !filter_site(site) ? HTTP_FORBIDDEN : 0;
}

/* The token is left in the listener: whether it still counts is asked again as long as a WebSocket
 * is open. */
static bool read_token(struct peer *p, const struct head *head)
{
    struct str token = filter_bearer(head->headers[HEADER_AUTHORIZATION]);

    if (!head->headers[HEADER_AUTHORIZATION].s && head->headers[HEADER_UPGRADE].s)
        token = filter_protocol_token(head->headers[HEADER_SOCKET_PROTOCOL]);
    if (token.len == 0 || token.len >= TOKEN_MAX)
        return false;
    memcpy(p->listener.token, token.s, token.len);
    p->listener.token[token.len] = '\0';
    return true;
}

static unsigned check_caller(struct peer *p, const struct head *head, const char **detail)
{
    warder_error err = {0};
    warder_outcome outcome;

    *detail = "a token is needed: Authorization: Bearer TOKEN";
    if (!read_token(p, head))
        return HTTP_UNAUTHORIZED;
    outcome = warder_service_login(p->server->service, p->listener.token, &p->request.caller, &err);
    if (outcome == WARDER_DONE)
        return 0;
    *detail = "this token is not known, or was revoked";
    if (outcome != WARDER_FAILED)
        return HTTP_UNAUTHORIZED;
    serve_say("the tokens cannot be read: %s", err.message);
    *detail = "the tokens cannot be read";
    return HTTP_INTERNAL;
}

static unsigned check_route(struct peer *p, const struct match *m, const char **detail)
{
    unsigned role = 1u << p->request.caller.role;

    *detail = "there is nothing here";
    if (!m->methods)
        return HTTP_NOT_FOUND;
    *detail = "this is not for your role";
    if (!(m->roles & (role | FOR_ANYBODY)) ||
        (m->route && !(m->route->roles & (role | FOR_ANYBODY))))
        return HTTP_FORBIDDEN;
    *detail = "not with this method";
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

static bool is_among(const char *names, struct str name)
{
    struct str rest = str_from(names), word;

    while (rest.len) {
        str_cut(rest, ' ', &word, &rest);
        if (str_eq(word, name))
            return true;
    }
    return false;
}

/* A filter that was misspelled must not read as "no filter". */
static unsigned check_query(const struct peer *p, const struct head *head, struct query *q,
                            const char **detail)
{
    *detail = "a parameter that is not spelled right, or is too long";
    if (!head_query(head->query, q))
        return HTTP_BAD_REQUEST;
    *detail = "a parameter that is not known here, or stands twice";
    for (size_t i = 0; i < q->count; i++) {
        if (!is_among(p->request.route->query, q->items[i].name))
            return HTTP_BAD_REQUEST;
        for (size_t j = 0; j < i; j++)
            if (str_eq(q->items[i].name, q->items[j].name))
                return HTTP_BAD_REQUEST;
    }
    return 0;
}

unsigned request_check(struct peer *p, const struct head *head, struct query *query,
                       const char **detail)
{
    struct match match = route_find(head->method, head->path);
    unsigned status;

    p->request = (struct request){.body = STR("")};
    if ((status = check_framing(p, head, detail)) ||
        (status = check_gate(&p->server->filter, head, detail)))
        return status;
    /* What anybody may see is shown to who has no token; a token that does not count is said so all
     * the same. */
    if ((!(match.roles & FOR_ANYBODY) || read_token(p, head)) &&
        (status = check_caller(p, head, detail)))
        return status;
    if ((status = check_route(p, &match, detail)))
        return status;
    p->request.route = match.route;
    memcpy(p->request.id, match.id.s, match.id.len);
    if ((status = check_body(p, head, detail)))
        return status;
    return check_query(p, head, query, detail);
}

/* The one subprotocol that we speak, else the offer that carried the token: a browser wants one of
 * its offers back. */
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

    *detail = "there is no WebSocket here";
    if (!p->request.route->upgrades || !head_lists(head->headers[HEADER_UPGRADE], STR("websocket")))
        return HTTP_BAD_REQUEST;
    *detail = "this is no handshake of WebSocket, version 13";
    if (!head_lists(head->headers[HEADER_CONNECTION], STR("upgrade")) ||
        !str_is(head->headers[HEADER_SOCKET_VERSION], "13") ||
        !frame_accept(head->headers[HEADER_SOCKET_KEY], accept))
        return HTTP_BAD_REQUEST;
    *detail = "cursor is a number, types are review, decision, rules or policy, and there is "
              "nothing else to say here";
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
