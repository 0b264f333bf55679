#include "serve/lines.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "serve/bytes.h"
#include "serve/server.h"

#define READ_LEAST ((size_t)1024)  /* bytes that a read has room for */
#define READ_MAX   ((size_t)65536) /* then other connections get their turn */
#define UNSENT_MAX                                                                                 \
    ((size_t)1 << 20) /* unsent bytes; the client is not read further until it takes some */
#define DENY_MEMORY ((size_t)65536)

/* The answer to one line. Answers leave in the order of the lines. */
struct line_answer {
    struct line_answer *next;
    struct line_client *client;
    struct ticket ticket;
    struct bytes text;
    bool done;
};

struct line_client {
    struct line_client *next, **self;
    struct server *server;
    ev_io io;
    ev_timer timer; /* bounds how long half a line, or an answer that is not read, may last */
    warder_caller caller;
    struct bytes in, out;
    size_t sent;
    struct line_answer *first, **last;
    size_t answers;
    bool ended; /* not read any more */
};

static void free_answer(struct line_answer *a)
{
    outbox_drop(&a->ticket);
    bytes_release(&a->text);
    free(a);
}

static void free_client(struct line_client *c)
{
    struct server *server = c->server;
    struct line_answer *next;

    for (struct line_answer *a = c->first; a; a = next) {
        next = a->next;
        free_answer(a);
    }
    ev_io_stop(server->loop, &c->io);
    ev_timer_stop(server->loop, &c->timer);
    close(c->io.fd);
    *c->self = c->next;
    if (c->next)
        c->next->self = c->self;
    bytes_release(&c->in);
    bytes_release(&c->out);
    free(c);
    server->connections--;
    server_may_end(server);
}

/* ---- answers ---- */

/* Moves the answers whose turn it is to the bytes to send. */
static bool collect(struct line_client *c)
{
    while (c->first && c->first->done) {
        struct line_answer *a = c->first;
        if (!bytes_add(&c->out, bytes_str(&a->text)))
            return false;
        c->first = a->next;
        if (!c->first)
            c->last = &c->first;
        c->answers--;
        free_answer(a);
    }
    return true;
}

static bool send_out(struct line_client *c)
{
    while (c->sent < c->out.len) {
        ssize_t n = send(c->io.fd, c->out.s + c->sent, c->out.len - c->sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK;
        c->sent += (size_t)n;
    }
    c->sent = c->out.len = 0;
    return true;
}

/* A single outstanding answer is sent at once, but errors are handled later: the service is in the
 * middle of something and must not be called. Several answers wait for each other until the end of
 * the round. */
static void answered(struct line_answer *a, const char *json)
{
    struct line_client *c = a->client;

    a->done = bytes_add(&a->text, str_from(json)) && bytes_add(&a->text, STR("\n"));
    if (!a->done)
        c->ended = true; /* out of memory there is no answer; the deadline ends the connection */
    else if (c->answers == 1 && collect(c))
        (void)send_out(c);
    ev_feed_event(c->server->loop, &c->io, EV_CUSTOM);
}

static void write_denial(struct json_writer *w, const void *why)
{
    json_begin_object(w);
    json_text_member(w, "behavior", STR("deny"));
    json_text_member(w, "reason", str_from(why));
    json_end_object(w);
}

static void deny(struct line_answer *a, const char *why)
{
    struct arena arena;
    struct str text;

    arena_init(&arena, DENY_MEMORY);
    if (!json_try(&arena, write_denial, why, &text))
        text = STR("{\"behavior\":\"deny\"}");
    answered(a, text.s);
    arena_release(&arena);
}

static void on_verdict(struct ticket *ticket, bool recorded, const char *json)
{
    struct line_answer *a =
        (struct line_answer *)(void *)((char *)ticket - offsetof(struct line_answer, ticket));

    (void)recorded; /* if recording failed, the verdict is a deny already */
    if (json)
        answered(a, json);
    else
        deny(a, "no verdict");
}

static struct line_answer *expect_answer(struct line_client *c)
{
    struct line_answer *a = calloc(1, sizeof *a);

    if (!a)
        return NULL;
    a->client = c;
    a->ticket.ready = on_verdict;
    *c->last = a;
    c->last = &a->next;
    c->answers++;
    return a;
}

/* ---- calls ---- */

static bool is_full(const struct line_client *c)
{
    return c->answers >= LINE_ANSWERS_MAX || c->out.len - c->sent > UNSENT_MAX;
}

static bool take_line(struct line_client *c, struct str line)
{
    warder_error err = {0};
    struct line_answer *a;

    if (str_trim(line).len == 0)
        return true;
    if (!(a = expect_answer(c)))
        return false;
    if (str_starts(line, STR(WARDER_HOOK_LINE))) {
        if (outbox_hook(&c->server->outbox, &a->ticket, &c->caller, line, &err) != WARDER_DONE)
            answered(a, WARDER_HOOK_LINE "null}"); /* nothing was decided */
        return true;
    }
    if (outbox_check(&c->server->outbox, &a->ticket, &c->caller, line, &err) != WARDER_DONE)
        deny(a, err.message[0] ? err.message : "cannot judge the call");
    return true;
}

/* Takes the complete lines that have arrived, as many as may be outstanding. */
static bool take_lines(struct line_client *c)
{
    size_t at = 0;
    bool taken = true;

    while (taken && !is_full(c)) {
        const char *end = c->in.len > at ? memchr(c->in.s + at, '\n', c->in.len - at) : NULL;
        if (!end && c->ended && c->in.len > at)
            end = c->in.s + c->in.len; /* the last line needs no line feed */
        if (!end)
            break;
        size_t len = (size_t)(end - c->in.s) - at;
        taken = take_line(c, (struct str){c->in.s + at, len});
        at += len + 1 < c->in.len - at ? len + 1 : c->in.len - at;
    }
    bytes_drop(&c->in, at);
    return taken;
}

/* A line longer than any call: the start of the next one cannot be found. */
static bool refuse_long(struct line_client *c)
{
    struct line_answer *a = expect_answer(c);

    c->ended = true;
    c->in.len = 0;
    if (!a)
        return false;
    deny(a, "the line is too long");
    return true;
}

static bool read_in(struct line_client *c)
{
    char *room = bytes_more(&c->in, READ_LEAST);
    size_t most = c->in.room - c->in.len < READ_MAX ? c->in.room - c->in.len : READ_MAX;
    ssize_t n = room ? read(c->io.fd, room, most) : 0;
    struct pollfd gone = {.fd = c->io.fd};

    if (!room)
        return false;
    if (n < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (n == 0) {
        c->ended = true;
        /* A client that closed both directions does not wait for answers; one that closed only its
         * own may. */
        return poll(&gone, 1, 0) == 0 || !(gone.revents & (POLLHUP | POLLERR));
    }
    c->in.len += (size_t)n;
    return true;
}

/* ---- the connection ---- */

static void set_deadline(struct line_client *c, bool unsent)
{
    bool needed = unsent || (c->in.len && !is_full(c));

    if (!needed) {
        ev_timer_stop(c->server->loop, &c->timer);
    } else if (!ev_is_active(&c->timer)) {
        c->timer.repeat = unsent ? REPLY_TIMEOUT_S : REQUEST_TIMEOUT_S;
        ev_timer_again(c->server->loop, &c->timer);
    }
}

static void watch(struct line_client *c)
{
    bool unsent = c->sent < c->out.len;
    int events = (unsent ? EV_WRITE : 0) | (c->ended || is_full(c) ? 0 : EV_READ);

    if (ev_is_active(&c->io) && (c->io.events & (EV_READ | EV_WRITE)) == events)
        return;
    ev_io_stop(c->server->loop, &c->io);
    ev_io_set(&c->io, c->io.fd, events);
    if (events)
        ev_io_start(c->server->loop, &c->io);
}

static bool serve(struct line_client *c, int events)
{
    if (events & EV_READ && !c->ended && !read_in(c))
        return false;
    if (!collect(c) || !take_lines(c))
        return false;
    if (c->in.len > CALL_BODY_MAX && !is_full(c) && !refuse_long(c))
        return false;
    if (!collect(c) || !send_out(c))
        return false;
    return !c->ended || c->answers || c->sent < c->out.len || c->in.len;
}

static void on_io(struct ev_loop *loop, ev_io *io, int events)
{
    struct line_client *c = io->data;

    (void)loop;
    if (!serve(c, events)) {
        free_client(c);
        return;
    }
    watch(c);
    set_deadline(c, c->sent < c->out.len);
}

static void on_deadline(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)loop, (void)events;
    free_client(timer->data);
}

/* Only our own user and root may connect. */
static bool is_ours(int fd, warder_caller *out)
{
    struct ucred who;
    socklen_t len = sizeof who;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0 ||
        (who.uid != geteuid() && who.uid != 0))
        return false;
    *out = (warder_caller){.role = WARDER_WORKER};
    snprintf(out->id, sizeof out->id, "uid:%u", (unsigned)who.uid);
    snprintf(out->name, sizeof out->name, "uid:%u", (unsigned)who.uid);
    return true;
}

void lines_accepted(struct server *server, int fd)
{
    warder_caller caller;
    struct line_client *c = is_ours(fd, &caller) ? calloc(1, sizeof *c) : NULL;

    if (!c) {
        close(fd);
        return;
    }
    c->server = server;
    c->caller = caller;
    c->last = &c->first;
    c->next = server->lines.first;
    c->self = &server->lines.first;
    if (c->next)
        c->next->self = &c->next;
    server->lines.first = c;
    server->connections++;
    ev_io_init(&c->io, on_io, fd, EV_READ);
    ev_timer_init(&c->timer, on_deadline, 0., 0.);
    c->io.data = c->timer.data = c;
    ev_io_start(server->loop, &c->io);
    ev_feed_event(server->loop, &c->io,
                  EV_READ); /* a new client has usually sent its first line already */
}

void lines_stop(struct server *server)
{
    struct line_client *next;

    for (struct line_client *c = server->lines.first; c; c = next) {
        next = c->next;
        c->ended = true;
        c->in.len = 0;
        on_io(server->loop, &c->io, EV_CUSTOM);
    }
}

void lines_close(struct server *server)
{
    struct line_client *next;

    for (struct line_client *c = server->lines.first; c; c = next) {
        next = c->next;
        free_client(c);
    }
}
