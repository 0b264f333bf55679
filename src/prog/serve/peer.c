#include "serve/peer.h"
#include "serve/authzen.h"

#include <stdlib.h>
#include <unistd.h>

#include "serve/frame.h"
#include "serve/server.h"

#define READ_BYTES 16384  /* a whole TLS record: after a read nothing is left in the library */
#define AHEAD_MAX  65536u /* bytes of later requests that are read while one is answered */
#define LINGER_S   2.0
#define UNSENT_MAX ((size_t)65536) /* for a WebSocket: further events wait in the ring */
#define CONTINUE   "HTTP/1.1 100 Continue\r\n\r\n"

/* ---- life ---- */

static void on_io(struct ev_loop *loop, ev_io *io, int events);
static void on_deadline(struct ev_loop *loop, ev_timer *timer, int events);

/* Closes the connection if the phase that starts now takes longer; 0: no limit. */
static void set_deadline(struct peer *p, double seconds)
{
    p->timer.repeat = seconds;
    ev_timer_again(p->server->loop, &p->timer);
}

void peer_accepted(struct server *server, int fd)
{
    struct peer *p = calloc(1, sizeof *p);

    if (!p || !wire_open(&p->wire, fd, server->tls)) {
        if (!p)
            close(fd);
        free(p);
        return;
    }
    p->server = server;
    p->listener.peer = p;
    p->prev = server->peers.prev;
    p->next = &server->peers;
    server->peers.prev->next = p;
    server->peers.prev = p;
    server->connections++;
    server->peer_count++;
    ev_io_init(&p->io, on_io, fd, EV_READ);
    ev_timer_init(&p->timer, on_deadline, 0., 0.);
    p->io.data = p->timer.data = p;
    ev_io_start(server->loop, &p->io);
    set_deadline(p, REQUEST_TIMEOUT_S);
}

/* The request is over, or its client is gone. */
static void forget_request(struct peer *p)
{
    outbox_drop(&p->ticket);
    events_leave(&p->listener);
    job_abandon(p->job);
    authzen_free(p->authzen);
    bytes_release(&p->reply.text);
    p->authzen = NULL;
    p->request = (struct request){0};
    p->resume = NULL;
    p->job = NULL;
    p->woken = false;
    p->body_len = 0;
    p->allow = 0;
}

static void free_peer(struct peer *p)
{
    struct server *server = p->server;

    forget_request(p);
    ev_io_stop(server->loop, &p->io);
    ev_timer_stop(server->loop, &p->timer);
    wire_close(&p->wire);
    bytes_release(&p->in);
    bytes_release(&p->out);
    p->prev->next = p->next;
    p->next->prev = p->prev;
    free(p);
    server->connections--;
    server->peer_count--;
    server_may_end(server);
}

static void on_deadline(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    free_peer(timer->data);
}

/* ---- requests ---- */

void peer_wake(struct peer *p)
{
    p->woken = true;
    ev_feed_event(p->server->loop, &p->io, EV_CUSTOM);
}

void peer_send(struct peer *p)
{
    p->state = PEER_SENDING;
    set_deadline(p, REPLY_TIMEOUT_S);
    ev_feed_event(p->server->loop, &p->io, EV_CUSTOM);
}

static void refuse(struct peer *p, unsigned status, const char *detail)
{
    p->closing = true;
    peer_reply_problem(p, status, detail);
}

static void answer(struct peer *p, const struct query *query)
{
    p->state = PEER_ANSWERING;
    set_deadline(p, 0.);
    p->request.query = query;
    p->request.uncommitted = warder_service_uncommitted(p->server->service);
    p->request.route->handle(p, &p->request);
    p->request.query = NULL;
}

static void listen_to_events(struct peer *p)
{
    p->state = PEER_LISTENING;
    set_deadline(p, 0.);
    figures_count(&p->server->figures, p->request.route, 101);
    events_join(&p->server->events, &p->listener, 0.);
}

/* Refusing a request that has or may have a body ends the connection: the start of the next request
 * is not known. */
static void begin(struct peer *p, size_t head_len)
{
    struct head head;
    struct query query;
    const char *detail = NULL;
    unsigned status = head_read(str_slice(bytes_str(&p->in), 0, head_len), &head, &detail);
    bool upgrade = !status && head.headers[HEADER_UPGRADE].s;

    p->closing = status || head_lists(head.headers[HEADER_CONNECTION], STR("close"));
    p->bodiless = !status && head.bodiless;
    if (!status)
        status = request_check(p, &head, &query, &detail);
    if (!status && upgrade)
        status = request_upgrade(p, &head, &query, &detail);
    if (status && (p->body_len || head.method != METHOD_GET))
        p->closing = true;
    bool goes_on = !status && head_lists(head.headers[HEADER_EXPECT], STR("100-continue"));
    bytes_drop(&p->in, head_len); /* the head points into these bytes */
    if (status) {
        peer_reply_problem(p, status, detail);
    } else if (upgrade) {
        listen_to_events(p);
    } else if (p->request.route->body_max) {
        p->state = PEER_BODY;
        set_deadline(p, REQUEST_TIMEOUT_S);
        if (goes_on && p->in.len < p->body_len)
            (void)bytes_add(&p->out, STR(CONTINUE));
    } else {
        answer(p, &query);
    }
}

static bool take_head(struct peer *p)
{
    size_t len = head_length(bytes_str(&p->in));

    if (len == 0 && p->in.len <= HEADERS_MAX)
        return false;
    if (len == 0 || len > HEADERS_MAX)
        refuse(p, HTTP_HEADERS_TOO_LARGE, "the headers are too large");
    else
        begin(p, len);
    return true;
}

static bool take_body(struct peer *p)
{
    if (p->in.len < p->body_len)
        return false;
    p->request.body = str_slice(bytes_str(&p->in), 0, p->body_len);
    answer(p, NULL);
    p->request.body = STR("");
    bytes_drop(&p->in, p->body_len);
    return true;
}

/* After an answer: the next request, or the end. */
static void go_on(struct peer *p)
{
    bool closing = p->closing || p->server->stopping;

    forget_request(p);
    p->state = PEER_HEAD;
    set_deadline(p, p->in.len ? REQUEST_TIMEOUT_S : KEEPALIVE_TIMEOUT_S);
    if (!closing)
        return;
    p->state = PEER_LINGERING;
    wire_end(&p->wire);
    set_deadline(p, LINGER_S);
}

/* ---- WebSocket ---- */

static void close_socket(struct peer *p, unsigned code, const char *why)
{
    events_leave(&p->listener);
    (void)frame_add_close(&p->out, code, why);
    p->state = PEER_CLOSING;
    set_deadline(p, REPLY_TIMEOUT_S);
}

static bool take_frame(struct peer *p)
{
    char payload[FRAME_CONTROL_MAX];
    size_t used = 0, len = 0;

    switch (frame_read(bytes_str(&p->in), &used, payload, &len)) {
    case FRAME_NONE:
        return false;
    case FRAME_PING:
        if (!frame_add(&p->out, FRAME_PONG, (struct str){payload, len}) ||
            p->out.len - p->sent > UNSENT_MAX)
            close_socket(p, CLOSE_POLICY, "too many pings");
        break;
    case FRAME_PONG:
        p->listener.silent = false;
        break;
    case FRAME_CLOSE:
        close_socket(p,
                     len >= 2 ? (unsigned)(unsigned char)payload[0] << 8 | (unsigned char)payload[1]
                              : 1000,
                     "");
        break;
    case FRAME_TEXT:
    case FRAME_UNWANTED:
        close_socket(p, CLOSE_UNWANTED, "this server expects no messages");
        break;
    case FRAME_BAD:
        close_socket(p, CLOSE_PROTOCOL, "not a frame");
        break;
    }
    bytes_drop(&p->in, used);
    return true;
}

static void tell_events(struct peer *p)
{
    const char *why = NULL;
    unsigned code = 0;

    if (p->out.len - p->sent < UNSENT_MAX)
        code = events_write(&p->listener, &p->out, UNSENT_MAX, &why);
    if (code)
        close_socket(p, code, why);
}

/* ---- the connection ---- */

/* False if the connection is over. */
static bool read_in(struct peer *p)
{
    char room[READ_BYTES];
    ssize_t n = wire_read(&p->wire, room, sizeof room);

    if (n == WIRE_LATER)
        return true;
    if (n < 0)
        return false;
    if (n == 0) {
        p->ended = true;
        /* A client that leaves while it waits for a person is dropped; an answer that is ready is
         * still sent. */
        return p->state == PEER_SENDING || p->state == PEER_CLOSING;
    }
    return p->state == PEER_LINGERING || bytes_add(&p->in, (struct str){room, (size_t)n});
}

static bool send_out(struct peer *p)
{
    while (p->sent < p->out.len) {
        ssize_t n = wire_write(&p->wire, p->out.s + p->sent, p->out.len - p->sent);
        if (n == WIRE_LATER)
            return true;
        if (n <= 0)
            return false;
        p->sent += (size_t)n;
    }
    p->sent = p->out.len = 0;
    return true;
}

/* Takes one step; false if there is none to take. */
static bool step(struct peer *p)
{
    switch (p->state) {
    case PEER_HEAD:
        return p->in.len > 0 && take_head(p);
    case PEER_BODY:
        return take_body(p);
    case PEER_ANSWERING:
        if (!p->woken || !p->resume)
            return false;
        p->woken = false;
        p->resume(p);
        return true;
    case PEER_SENDING:
        if (p->out.len)
            return false;
        go_on(p);
        return true;
    case PEER_LISTENING:
        return take_frame(p);
    case PEER_CLOSING:
        if (p->out.len)
            return false;
        p->closing = true;
        go_on(p);
        return true;
    case PEER_LINGERING:
        return false;
    }
    return false;
}

/* Bounds what a client can make us buffer: beyond it we stop reading, and TCP slows the client. */
static size_t room_for(const struct peer *p)
{
    switch (p->state) {
    case PEER_HEAD:
        return HEADERS_MAX + 1;
    case PEER_BODY:
        return p->body_len + AHEAD_MAX;
    case PEER_ANSWERING:
    case PEER_SENDING:
    case PEER_LISTENING:
        return AHEAD_MAX;
    case PEER_CLOSING:
        return 0;
    case PEER_LINGERING:
        break;
    }
    return SIZE_MAX;
}

static void watch(struct peer *p)
{
    bool reads = !p->ended && p->in.len < room_for(p);
    int events =
        (reads ? EV_READ : 0) | (p->sent < p->out.len || p->wire.wants_write ? EV_WRITE : 0);

    if (ev_is_active(&p->io) && (p->io.events & (EV_READ | EV_WRITE)) == events)
        return;
    ev_io_stop(p->server->loop, &p->io);
    ev_io_set(&p->io, p->wire.fd, events);
    if (events)
        ev_io_start(p->server->loop, &p->io);
}

/* Sending may free room for the next step, and a step may have something to send: both alternate
 * until nothing moves. A client that closed its side still gets the answer that is being made or
 * sent. False if the connection is over. */
static bool serve(struct peer *p, int events)
{
    if (events & (EV_READ | EV_WRITE) && !p->ended && p->in.len < room_for(p) && !read_in(p))
        return false;
    do {
        if (p->state == PEER_LISTENING)
            tell_events(p);
        if (!send_out(p))
            return false;
    } while (step(p) ||
             (p->state == PEER_LISTENING && p->out.len == 0 && events_wait_for(&p->listener)));
    return !(p->ended && p->state != PEER_ANSWERING && p->state != PEER_SENDING &&
             p->state != PEER_CLOSING);
}

static void on_io(struct ev_loop *loop, ev_io *io, int events)
{
    struct peer *p = io->data;

    (void)loop;
    if (!serve(p, events)) {
        free_peer(p);
        return;
    }
    watch(p);
}

void peers_stop(struct server *server)
{
    struct peer *next;

    for (struct peer *p = server->peers.next; p != &server->peers; p = next) {
        next = p->next;
        if (p->state == PEER_LISTENING) {
            close_socket(p, CLOSE_GOING_AWAY, "the service is stopping");
            ev_feed_event(server->loop, &p->io, EV_CUSTOM);
        } else if (p->state == PEER_ANSWERING && p->resume) {
            peer_wake(p);
        } else if (p->state == PEER_HEAD && p->in.len == 0) {
            free_peer(p);
        }
    }
}

/* A request that waits, for a person or for events, is refused as a new one would be. */
static void end_revoked(struct peer *p)
{
    if (p->state == PEER_LISTENING) {
        p->listener.revoked = true;
        peer_wake(p);
        return;
    }
    outbox_drop(&p->ticket);
    events_leave(&p->listener);
    job_abandon(p->job);
    p->job = NULL;
    refuse(p, HTTP_UNAUTHORIZED, "unknown or revoked token");
}

void peers_check_tokens(struct server *server)
{
    const char *known = NULL;

    for (struct peer *p = server->peers.next; p != &server->peers; p = p->next)
        if ((p->state == PEER_LISTENING || p->state == PEER_ANSWERING) && p->listener.token[0] &&
            !events_token_holds(server, &p->listener, &known))
            end_revoked(p);
}

void peers_close(struct server *server)
{
    struct peer *next;

    for (struct peer *p = server->peers.next; p != &server->peers; p = next) {
        next = p->next;
        free_peer(p);
    }
}
