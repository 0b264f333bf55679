#include "proxy/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "proxy/hello.h"

#define IDLE_MS     (30 * 60 * 1000)
#define SEND_MS     60000
#define PIECE_BYTES 16384u

int64_t relay_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* All of it, to a socket that may be blocking or not. */
bool relay_send(int socket, struct str text)
{
    while (text.len) {
        struct pollfd event = {socket, POLLOUT, 0};
        if (poll(&event, 1, SEND_MS) != 1)
            return false;
        ssize_t n = send(socket, text.s, text.len, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (n > 0)
            text = str_from_byte(text, (size_t)n);
    }
    return true;
}

static bool is_connected(int fd, int milliseconds)
{
    struct pollfd event = {fd, POLLOUT, 0};
    int error = 0;
    socklen_t size = sizeof(error);

    return poll(&event, 1, milliseconds) == 1 &&
           getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 && error == 0;
}

int relay_connect(const struct sockaddr *address, socklen_t length, int milliseconds)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    if ((connect(fd, address, length) != 0 && errno != EINPROGRESS) ||
        !is_connected(fd, milliseconds)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* ---- the first message of the client ---- */

struct gate {
    const struct relay *relay;
    char held[2 * HELLO_MAX]; /* of the client, until it is known what it is */
    size_t len;
    bool open;
    char room[HELLO_MAX];
};

static bool names_it(const struct gate *g, struct str name)
{
    struct destination to;

    return destination_read(name, 1, false, &to) && strcmp(to.name, g->relay->name) == 0;
}

/* False: it must not go on. */
static bool look(struct gate *g)
{
    struct str name;

    switch (hello_read((struct str){g->held, g->len}, &name, g->room)) {
    case HELLO_OTHER:
    case HELLO_UNNAMED:
        g->open = true;
        return true;
    case HELLO_NAMED:
        g->open = names_it(g, name);
        return g->open;
    case HELLO_MORE:
        return g->len < sizeof(g->held);
    case HELLO_BAD:
        break;
    }
    return false;
}

static bool hold(struct gate *g, struct str text)
{
    if (text.len > sizeof(g->held) - g->len)
        return false;
    memcpy(g->held + g->len, text.s, text.len);
    g->len += text.len;
    return true;
}

/* What the client said goes on once it is known what it is. False: the relay ends. */
static bool pass(struct gate *g, struct relay *r, struct str text, bool *refused)
{
    if (!g->open) {
        *refused = !hold(g, text) || !look(g);
        if (*refused || !g->open)
            return !*refused;
        text = (struct str){g->held, g->len};
    }
    r->sent += text.len;
    return relay_send(r->server, text);
}

/* ---- both ways ---- */

/* What can be read now. -1: nothing yet; 0: it has ended, or failed. */
static ssize_t receive(int socket, char *piece)
{
    ssize_t n = recv(socket, piece, PIECE_BYTES, MSG_DONTWAIT);

    return n < 0 && errno != EAGAIN && errno != EINTR ? 0 : n;
}

struct ways {
    struct relay *relay;
    struct gate gate;
    bool refused, client_done, server_done;
    char piece[PIECE_BYTES];
};

/* False: nothing more is to be done. */
static bool from_client(struct ways *w)
{
    ssize_t n = receive(w->relay->client, w->piece);

    if (n > 0)
        return pass(&w->gate, w->relay, (struct str){w->piece, (size_t)n}, &w->refused);
    w->client_done = n == 0;
    return n < 0 || shutdown(w->relay->server, SHUT_WR) == 0;
}

static bool from_server(struct ways *w)
{
    ssize_t n = receive(w->relay->server, w->piece);

    if (n > 0) {
        w->relay->received += (size_t)n;
        return relay_send(w->relay->client, (struct str){w->piece, (size_t)n});
    }
    w->server_done = n == 0;
    return n < 0 || shutdown(w->relay->client, SHUT_WR) == 0;
}

static bool step(struct ways *w)
{
    struct pollfd events[] = {{w->client_done ? -1 : w->relay->client, POLLIN, 0},
                              {w->server_done ? -1 : w->relay->server, POLLIN, 0}};

    if (w->client_done && w->server_done)
        return false;
    if (poll(events, COUNT(events), IDLE_MS) < 1)
        return false;
    return (!events[0].revents || from_client(w)) && (!events[1].revents || from_server(w));
}

bool relay_run(struct relay *r)
{
    struct ways w = {.relay = r};

    w.gate.relay = r;
    w.gate.open = !r->tunnel || !r->name[0];
    if (r->first.len && !pass(&w.gate, r, r->first, &w.refused))
        return !w.refused;
    while (step(&w))
        ;
    return !w.refused;
}
