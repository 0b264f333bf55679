#include "cli/mcp_http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/ascii.h"
#include "cli/mcp_judge.h"
#include "cli/mcp_mirror.h"
#include "cli/mcp_tls.h"
#include "cli/output.h"
#include "machine/clock.h"
#include "machine/http.h"

#define CONNECTIONS_MAX 64                         /* at once; further ones are refused */
#define REQUEST_MS      20000                      /* for a request to arrive */
#define CONNECT_S       10                         /* for the server to accept a connection */
#define HEARD_MAX       ((size_t)16 * 1024 * 1024) /* bytes of an answer that are looked at */
/* Three texts: an IPv6 address is written in brackets. */
#define BRACKETED(host) strchr(host, ':') ? "[" : "", host, strchr(host, ':') ? "]" : ""
#define PIECE           ((size_t)16 * 1024)

static struct {
    struct http_url listen, server;
    bool tls;       /* to the server */
    const char *ca; /* NULL: the system's certificates alone */
    unsigned port;  /* that was bound */
    pthread_mutex_t count;
    size_t connections;
} http = {.count = PTHREAD_MUTEX_INITIALIZER};

/* One request and its answer. */
struct exchange {
    int client, server;
    struct mcp_tls tls;
    struct arena arena;
    char in[MCP_HEAD_MAX + 4]; /* the head of the request, then of the answer */
    size_t len;                /* bytes in it */
    struct mcp_head head;
    struct str body;
    bool answered;    /* something was sent to the client */
    struct buf heard; /* what the server said, as far as it is looked at */
    bool deaf;        /* it said more than is looked at */
};

/* ---- bytes ---- */

static bool wait_for(int fd, int64_t until)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int64_t left = until - clock_ms();

    return left > 0 && poll(&p, 1, (int)left) == 1;
}

static size_t head_end(const struct exchange *x)
{
    const char *end = memmem(x->in, x->len, "\r\n\r\n", 4);

    return end ? (size_t)(end - x->in) : 0;
}

/* The client's going is the cancellation of its request. */
static ssize_t read_server(struct exchange *x, char *to, size_t room)
{
    for (;;) {
        struct pollfd p[] = {{.fd = x->server, .events = POLLIN},
                             {.fd = x->client, .events = POLLRDHUP}};
        if (poll(p, 2, -1) < 0 && errno != EINTR)
            return -1;
        if (p[1].revents & (POLLRDHUP | POLLHUP | POLLERR))
            return -1;
        if (p[0].revents) {
            ssize_t n = read(x->server, to, room);
            return n == 0 && !mcp_tls_end(&x->tls, true) ? -1 : n;
        }
    }
}

/* until 0: of the server's answer, for which the client may wait as long as it likes. */
static ssize_t read_some(struct exchange *x, int64_t until)
{
    char *to = x->in + x->len;
    const size_t room = sizeof(x->in) - x->len;

    if (!room || (until && !wait_for(x->client, until)))
        return -1;
    return until ? read(x->client, to, room) : read_server(x, to, room);
}

/* Reads until the head is whole. What follows it is left at the start of `in`. */
static bool read_head(struct exchange *x, int64_t until)
{
    x->len = 0;
    while (!head_end(x)) {
        ssize_t n = read_some(x, until);
        if (n <= 0)
            return false;
        x->len += (size_t)n;
    }
    const size_t end = head_end(x);
    struct str text = str_copy(&x->arena, (struct str){x->in, end});
    x->len -= end + 4;
    memmove(x->in, x->in + end + 4, x->len);
    return mcp_head_read(text, &x->head);
}

static bool send_text(int fd, struct str text)
{
    while (text.len) {
        ssize_t n = send(fd, text.s, text.len, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        text = str_from_byte(text, (size_t)n);
    }
    return true;
}

/* ---- answers of our own ---- */

static void answer(struct exchange *x, unsigned status, const char *title, struct str body)
{
    struct str text =
        str_format(&x->arena,
                   "HTTP/1.1 %u %s\r\ncontent-type: application/json\r\n"
                   "content-length: %zu\r\ncache-control: no-store\r\n%s"
                   "connection: close\r\n\r\n%.*s",
                   status, title, body.len, status == 405 ? "allow: POST\r\n" : "", STR_ARG(body));

    x->answered = true;
    (void)send_text(x->client, text);
}

static void refuse(struct exchange *x, unsigned status, const char *title, const char *why)
{
    answer(x, status, title, rpc_error(&x->arena, NULL, RPC_INVALID_REQUEST, why));
}

/* ---- the request ---- */

static bool is_own_host(struct str host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    char text[HTTP_HOST_MAX + 16];

    for (size_t i = 0; i <= COUNT(names); i++) {
        const char *name = i < COUNT(names) ? names[i] : http.listen.host;
        snprintf(text, sizeof(text), "%s:%u", name, http.port);
        if (str_eq_nocase(host, str_from(text)))
            return true;
    }
    return false;
}

/* A page of another site must not reach a server through us. */
static bool is_own_origin(struct str origin)
{
    return !origin.s ||
           (str_starts(origin, STR("http://")) && is_own_host(str_from_byte(origin, 7)));
}

static bool is_json(struct str type)
{
    struct str name, rest;

    str_cut(type, ';', &name, &rest);
    return str_eq_nocase(str_trim(name), STR("application/json"));
}

/* False: it was refused. */
static bool check_head(struct exchange *x, size_t *length)
{
    struct str method, target, version, rest;

    if (!str_cut(x->head.first, ' ', &method, &rest) || !str_cut(rest, ' ', &target, &version) ||
        !str_is(version, "HTTP/1.1"))
        refuse(x, 400, "Bad Request", "not an HTTP/1.1 request");
    else if (!is_own_host(mcp_head_get(&x->head, "host")))
        refuse(x, 421, "Misdirected Request", "unknown host name");
    else if (!is_own_origin(mcp_head_get(&x->head, "origin")))
        refuse(x, 403, "Forbidden", "requests from pages of other sites are refused");
    else if (!str_is(target, http.server.path))
        refuse(x, 404, "Not Found", "the MCP endpoint has another path");
    else if (!str_is(method, "POST"))
        refuse(x, 405, "Method Not Allowed", "an MCP endpoint takes POST");
    else if (mcp_head_get(&x->head, "transfer-encoding").s || mcp_head_get(&x->head, "expect").s ||
             !mcp_head_get(&x->head, "content-length").s)
        refuse(x, 411, "Length Required", "a request must have a Content-Length");
    else if (!mcp_head_length(&x->head, (size_t)JSON_MAX_BYTES, length))
        refuse(x, 413, "Content Too Large", "the body is too large");
    else if (!is_json(mcp_head_get(&x->head, "content-type")))
        refuse(x, 415, "Unsupported Media Type", "the body must be application/json");
    else
        return true;
    return false;
}

static bool read_body(struct exchange *x, size_t length, int64_t until)
{
    char *body = ARENA_ARRAY(&x->arena, char, length + 1);
    size_t have = x->len < length ? x->len : length;

    memcpy(body, x->in, have);
    while (have < length) {
        ssize_t n = wait_for(x->client, until) ? read(x->client, body + have, length - have) : 0;
        if (n <= 0)
            return false;
        have += (size_t)n;
    }
    x->body = (struct str){body, length};
    return true;
}

/* ---- the server ---- */

static int connect_plainly(void)
{
    const struct timeval patience = {.tv_sec = CONNECT_S};
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int fd = -1;

    if (getaddrinfo(http.server.host, http.server.port, &hints, &found) != 0)
        return -1;
    for (struct addrinfo *i = found; i && fd < 0; i = i->ai_next) {
        fd = socket(i->ai_family, i->ai_socktype | SOCK_CLOEXEC, 0);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
        if (connect(fd, i->ai_addr, i->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    return fd;
}

static int connect_to_server(struct exchange *x, struct error *err)
{
    if (http.tls)
        return mcp_tls_connect(&x->tls, http.server.host, http.server.port, http.ca, err);
    int fd = connect_plainly();
    if (fd < 0)
        fail(err, STATUS_IO, "cannot connect");
    return fd;
}

/* What the server may be told besides the message. */
static bool is_passed(struct str name)
{
    static const char *const names[] = {"accept",      "authorization", "user-agent",
                                        "traceparent", "tracestate",    "baggage"};

    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eq_nocase(name, str_from(names[i])))
            return true;
    return str_eq_nocase(str_slice(name, 0, 4), STR("mcp-"));
}

static bool ask_server(struct exchange *x, struct str message)
{
    struct buf b = buf_in(&x->arena);

    buf_format(&b, "POST %s HTTP/1.1\r\nHost: %s%s%s:%s\r\nContent-Type: application/json\r\n",
               http.server.path, BRACKETED(http.server.host), http.server.port);
    for (size_t i = 0; i < x->head.count; i++)
        if (is_passed(x->head.fields[i].name))
            buf_format(&b, "%.*s: %.*s\r\n", STR_ARG(x->head.fields[i].name),
                       STR_ARG(x->head.fields[i].value));
    buf_format(&b, "Content-Length: %zu\r\nConnection: close\r\n\r\n", message.len);
    buf_add(&b, message);
    return send_text(x->server, buf_str(&b));
}

/* ---- its answer ---- */

static void hear(struct exchange *x, struct str bytes)
{
    x->deaf |= x->heard.len + bytes.len > HEARD_MAX;
    if (!x->deaf)
        buf_add(&x->heard, bytes);
}

static bool pass_piece(struct exchange *x, struct str piece)
{
    char size[24];
    int len = snprintf(size, sizeof(size), "%zx\r\n", piece.len);

    if (!piece.len)
        return true;
    hear(x, piece);
    return send_text(x->client, (struct str){size, (size_t)len}) && send_text(x->client, piece) &&
           send_text(x->client, STR("\r\n"));
}

/* The next bytes of the answer as they were sent; first those that came with its head. */
static ssize_t next_bytes(struct exchange *x, char *to, size_t room)
{
    size_t n = x->len < room ? x->len : room;

    if (!x->len)
        return read_server(x, to, room);
    memcpy(to, x->in, n);
    x->len -= n;
    memmove(x->in, x->in + n, x->len);
    return (ssize_t)n;
}

static bool pass_some(struct exchange *x, size_t length, bool to_end)
{
    char piece[PIECE];

    while (to_end || length) {
        size_t room = to_end || length > sizeof(piece) ? sizeof(piece) : length;
        ssize_t n = next_bytes(x, piece, room);
        if (n <= 0)
            return n == 0 && to_end;
        if (!pass_piece(x, (struct str){piece, (size_t)n}))
            return false;
        length -= to_end ? 0 : (size_t)n;
    }
    return true;
}

/* A line of at most `room` bytes, without its CR LF. */
static bool read_line(struct exchange *x, char *line, size_t room)
{
    size_t len = 0;

    while (len < 2 || line[len - 2] != '\r' || line[len - 1] != '\n')
        if (len == room || next_bytes(x, line + len++, 1) != 1)
            return false;
    line[len - 2] = '\0';
    return true;
}

static bool read_size(struct exchange *x, size_t *out)
{
    char line[32], *end = NULL;

    if (!read_line(x, line, sizeof(line)) || !ascii_is_alnum(line[0]))
        return false;
    errno = 0;
    unsigned long long size = strtoull(line, &end, 16);
    *out = (size_t)size;
    return end != line && *end == '\0' && !errno && size < SIZE_MAX / 2;
}

static bool pass_chunks(struct exchange *x)
{
    char empty[2];
    size_t size;

    for (;;) {
        if (!read_size(x, &size))
            return false;
        if (!size)
            return true;
        if (!pass_some(x, size, false) || !read_line(x, empty, sizeof(empty)))
            return false;
    }
}

static bool pass_body(struct exchange *x)
{
    const struct str coding = mcp_head_get(&x->head, "transfer-encoding");
    size_t length = 0;

    if (coding.s)
        return str_eq_nocase(coding, STR("chunked")) &&
               !mcp_head_get(&x->head, "content-length").s && pass_chunks(x);
    if (!mcp_head_get(&x->head, "content-length").s)
        return pass_some(x, 0, true);
    return mcp_head_length(&x->head, SIZE_MAX / 16, &length) && pass_some(x, length, false);
}

static bool pass_head(struct exchange *x, unsigned status)
{
    static const char *const names[] = {"content-type", "mcp-session-id", "www-authenticate",
                                        "x-accel-buffering", "retry-after"};
    struct buf b = buf_in(&x->arena);

    buf_format(&b,
               "HTTP/1.1 %u Answer\r\ncache-control: no-store\r\nconnection: close\r\n"
               "transfer-encoding: chunked\r\n",
               status);
    for (size_t i = 0; i < COUNT(names); i++) {
        const struct str value = mcp_head_get(&x->head, names[i]);
        if (value.s)
            buf_format(&b, "%s: %.*s\r\n", names[i], STR_ARG(value));
    }
    buf_text(&b, "\r\n");
    x->answered = true;
    return send_text(x->client, buf_str(&b));
}

static bool read_status(struct str line, unsigned *out)
{
    if (line.len < 12 || !str_starts(line, STR("HTTP/1.")) || line.s[8] != ' ')
        return false;
    *out = 0;
    for (size_t i = 9; i < 12; i++) {
        if (!ascii_is_digit(line.s[i]))
            return false;
        *out = *out * 10 + (unsigned)(line.s[i] - '0');
    }
    return *out >= 200 && *out <= 599 && (line.len == 12 || line.s[12] == ' ');
}

/* ---- what it said ---- */

static void hear_message(struct arena *a, struct str text)
{
    struct rpc_message m;
    const char *why;
    int code;

    if (text.len && rpc_read(a, text, &m, &code, &why))
        mcp_hear(a, &m);
}

/* An answer is one message, or a stream of events with a message in the data of each. */
static void hear_all(struct exchange *x)
{
    struct str line, rest = buf_str(&x->heard);
    bool more = !x->deaf;

    if (more && is_json(mcp_head_get(&x->head, "content-type"))) {
        hear_message(&x->arena, rest);
        return;
    }
    while (more) {
        more = str_cut(rest, '\n', &line, &rest);
        if (str_starts(line, STR("data:")))
            hear_message(&x->arena, str_trim(str_from_byte(line, 5)));
    }
}

static void fail_to_answer(struct exchange *x, const char *why)
{
    struct str text =
        str_format(&x->arena, "the server did not answer%s%s", why ? ": " : "", why ? why : "");

    answer(x, 502, "Bad Gateway", rpc_error(&x->arena, NULL, RPC_INVALID_REQUEST, text.s));
}

static void forward(struct exchange *x, struct str message)
{
    struct error err = {0};
    unsigned status;

    x->server = connect_to_server(x, &err);
    if (x->server < 0) {
        complain("no connection to %s:%s: %s", http.server.host, http.server.port, err.message);
        fail_to_answer(x, err.message);
        return;
    }
    if (!ask_server(x, message) || !read_head(x, 0) || !read_status(x->head.first, &status)) {
        fail_to_answer(x, NULL);
        return;
    }
    x->heard = buf_in(&x->arena);
    /* The last chunk says that the answer is whole; without it the client knows that it is not. */
    if (pass_head(x, status) && pass_body(x) && send_text(x->client, STR("0\r\n\r\n")))
        hear_all(x);
}

/* ---- one message ---- */

static void answer_refused(struct exchange *x, const struct mcp_verdict *v)
{
    if (!v->code && v->text.len)
        answer(x, 200, "OK", v->text);
    else if (v->code == RPC_NO_METHOD)
        answer(x, 404, "Not Found", v->text);
    else
        answer(x, 400, "Bad Request", v->text);
}

static void judge_body(struct exchange *x)
{
    struct rpc_message m;
    const char *why;
    int code;

    if (!rpc_read(&x->arena, x->body, &m, &code, &why)) {
        answer(x, 400, "Bad Request", rpc_error(&x->arena, NULL, code, why));
        return;
    }
    if (!rpc_is_clear(&m, &why)) {
        refuse(x, 400, "Bad Request", why);
        return;
    }
    if ((why = mcp_mirror_fault(&x->arena, &x->head, &m))) {
        answer(x, 400, "Bad Request", rpc_error(&x->arena, m.id, RPC_HEADER_MISMATCH, why));
        return;
    }
    const struct mcp_verdict v = mcp_judge(&x->arena, &m);
    if (v.forward)
        forward(x, v.text);
    else
        answer_refused(x, &v);
}

static void serve(void *arg)
{
    struct exchange *x = arg;
    const int64_t until = clock_ms() + REQUEST_MS;
    size_t length;

    if (!read_head(x, until))
        refuse(x, 400, "Bad Request", "not an HTTP/1.1 request");
    else if (check_head(x, &length) && read_body(x, length, until))
        judge_body(x);
}

/* ---- connections ---- */

static size_t count_connections(size_t by)
{
    pthread_mutex_lock(&http.count);
    size_t now = http.connections += by;
    pthread_mutex_unlock(&http.count);
    return now;
}

/* Without memory the connection ends: nothing was forwarded that was not judged. */
static void *run_exchange(void *arg)
{
    struct exchange *x = arg;

    (void)arena_try(&x->arena, serve, x);
    if (x->server >= 0)
        close(x->server);
    (void)mcp_tls_end(&x->tls, false);
    (void)shutdown(x->client, SHUT_WR);
    close(x->client);
    arena_release(&x->arena);
    free(x);
    count_connections((size_t)-1);
    return NULL;
}

static void accept_one(int fd)
{
    struct exchange *x = count_connections(1) <= CONNECTIONS_MAX ? calloc(1, sizeof(*x)) : NULL;
    pthread_t thread;

    if (x) {
        x->client = fd;
        x->server = -1;
        arena_init(&x->arena, RPC_MEMORY_MAX);
        if (pthread_create(&thread, NULL, run_exchange, x) == 0) {
            pthread_detach(thread);
            return;
        }
        free(x);
    }
    count_connections((size_t)-1);
    close(fd);
}

static int listen_at(struct error *err)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found = NULL;
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } bound;
    socklen_t size = sizeof(bound);
    int yes = 1;

    memset(&bound, 0, sizeof(bound));
    if (getaddrinfo(http.listen.host, http.listen.port, &hints, &found) != 0) {
        fail(err, STATUS_IO, "unknown host");
        return -1;
    }
    int fd = socket(found->ai_family, found->ai_socktype | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) != 0 || listen(fd, 64) != 0 ||
        getsockname(fd, &bound.any, &size) != 0) {
        fail(err, STATUS_IO, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(found);
    if (fd >= 0)
        http.port =
            ntohs(bound.any.sa_family == AF_INET6 ? bound.six.sin6_port : bound.four.sin_port);
    return fd;
}

/* The port that https has where the URL names none. */
static void set_https_port(struct str url)
{
    struct str authority, path;

    str_cut(url, '/', &authority, &path);
    size_t end = str_last_index(authority, ']');
    struct str rest = end == STR_NONE ? authority : str_from_byte(authority, end);
    if (!str_has(rest, ':'))
        snprintf(http.server.port, sizeof(http.server.port), "443");
}

static enum status read_server_url(const char *url, struct error *err)
{
    static const struct str https = STR("https://");
    char text[sizeof(struct http_url) + 8];

    http.tls = str_starts(str_from(url), https);
    if (!http.tls)
        return http_url_parse(str_from(url), &http.server, err);
    if (snprintf(text, sizeof(text), "http://%s", url + https.len) >= (int)sizeof(text))
        return fail(err, STATUS_LIMIT, "the URL is too long");
    enum status status = http_url_parse(str_from(text), &http.server, err);
    if (status == STATUS_OK)
        set_https_port(str_from(url + https.len));
    return status;
}

static bool read_places(const char *place, const char *url, struct error *err)
{
    char text[HTTP_HOST_MAX + 32];
    const bool any = str_ends(str_from(place), STR(":0")); /* a free port, which no URL can name */

    snprintf(text, sizeof(text), "http://%.*s%s", (int)(strlen(place) - (any ? 1 : 0)), place,
             any ? "1" : "");
    if (http_url_parse(str_from(text), &http.listen, err) != STATUS_OK ||
        read_server_url(url, err) != STATUS_OK)
        return false;
    if (!http_is_loopback(&http.listen)) {
        fail(err, STATUS_USAGE, "--listen must be an address of this machine, such as 127.0.0.1:0");
        return false;
    }
    if (any)
        snprintf(http.listen.port, sizeof(http.listen.port), "0");
    return true;
}

int mcp_http_run(const char *place, const char *url, const char *ca)
{
    struct error err = {0};

    http.ca = ca;
    if (!read_places(place, url, &err)) {
        complain("%s", err.message);
        return EX_USAGE;
    }
    int fd = listen_at(&err);
    if (fd < 0) {
        complain("cannot listen at %s: %s", place, err.message);
        return EX_UNAVAILABLE;
    }
    signal(SIGPIPE, SIG_IGN);
    printf("listening on http://%s%s%s:%u%s\n", BRACKETED(http.listen.host), http.port,
           http.server.path);
    (void)fflush(stdout);
    for (;;) {
        int client = accept4(fd, NULL, NULL, SOCK_CLOEXEC);
        if (client >= 0)
            accept_one(client);
        else if (errno != EINTR && errno != ECONNABORTED)
            poll(NULL, 0, 100); /* too many descriptors: wait for some to be closed */
    }
}
