#include "machine/http.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/ascii.h"
#include "machine/clock.h"

#define READ_BYTES 65536

/* ---- addresses ---- */

static bool is_plain(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.s[i] <= ' ' || s.s[i] > '~')
            return false;
    return true;
}

static bool copy(char *to, size_t room, struct str from)
{
    if (from.len == 0 || from.len >= room)
        return false;
    memcpy(to, from.s, from.len);
    to[from.len] = '\0';
    return true;
}

static bool is_port(struct str s)
{
    unsigned long n = 0;

    for (size_t i = 0; i < s.len; i++) {
        if (!ascii_is_digit(s.s[i]))
            return false;
        n = n * 10 + (unsigned)(s.s[i] - '0');
        if (n > 65535)
            return false;
    }
    return n > 0;
}

/* Splits "[::1]:80" and "host:80". False if the brackets are wrong. */
static bool split_host(struct str authority, struct str *host, struct str *port)
{
    struct str rest;

    *port = STR("80");
    if (authority.len && authority.s[0] == '[') {
        if (!str_cut(str_from_byte(authority, 1), ']', host, &rest))
            return false;
        if (rest.len && rest.s[0] != ':')
            return false;
        if (rest.len)
            *port = str_from_byte(rest, 1);
        return true;
    }
    if (str_cut(authority, ':', host, &rest))
        *port = rest;
    return true;
}

enum status http_url_parse(struct str text, struct http_url *out, struct error *err)
{
    struct str rest, host, port, path;
    size_t slash;

    if (!str_starts(text, STR("http://")) || !is_plain(text))
        return fail(err, STATUS_SYNTAX, "not a URL of the form http://HOST:PORT/PATH");
    rest = str_from_byte(text, strlen("http://"));
    slash = str_index(rest, '/');
    path = slash == STR_NONE ? STR("/") : str_from_byte(rest, slash);
    rest = slash == STR_NONE ? rest : str_slice(rest, 0, slash);
    if (str_has(rest, '@'))
        return fail(err, STATUS_SYNTAX, "a URL must not contain a user name or password");
    if (str_has(text, '#') || str_has(rest, '?'))
        return fail(err, STATUS_SYNTAX, "not a URL of the form http://HOST:PORT/PATH");
    if (!split_host(rest, &host, &port) || !is_port(port) ||
        !copy(out->host, sizeof(out->host), host) || !copy(out->port, sizeof(out->port), port))
        return fail(err, STATUS_SYNTAX, "the URL has an invalid host or port");
    if (!copy(out->path, sizeof(out->path), path))
        return fail(err, STATUS_LIMIT, "the URL is too long");
    return STATUS_OK;
}

bool http_is_loopback(const struct http_url *url)
{
    struct str host = str_from(url->host);
    unsigned dots = 0;

    if (str_eq_nocase(host, STR("localhost")) || str_is(host, "::1"))
        return true;
    for (size_t i = 0; i < host.len; i++) {
        dots += host.s[i] == '.';
        if (host.s[i] != '.' && !ascii_is_digit(host.s[i]))
            return false;
    }
    return dots == 3 && str_starts(host, STR("127."));
}

void buf_url_word(struct buf *b, struct str word)
{
    for (size_t i = 0; i < word.len; i++) {
        unsigned char c = (unsigned char)word.s[i];
        if (ascii_is_alnum((char)c) || str_has(STR("-._~"), (char)c))
            buf_byte(b, (char)c);
        else
            buf_format(b, "%%%02X", c);
    }
}

/* ---- the connection ---- */

/* One request and its answer. */
struct exchange {
    const struct http_request *request;
    int fd;
    int64_t deadline;
    char *bytes; /* malloc'ed: everything read so far */
    size_t len, room;
    struct error *err;
};

static enum status wait_for(struct exchange *x, short what)
{
    for (;;) {
        struct pollfd p = {.fd = x->fd, .events = what};
        int64_t left = x->deadline - clock_ms();
        if (left <= 0)
            return fail(x->err, STATUS_IO, "no answer in time");
        int ready = poll(&p, 1, left > INT32_MAX ? INT32_MAX : (int)left);
        if (ready > 0)
            return STATUS_OK;
        if (ready < 0 && errno != EINTR)
            return fail(x->err, STATUS_IO, "cannot wait: %s", strerror(errno));
    }
}

/* False if it cannot connect; errno says why. */
static bool connect_one(struct exchange *x, const struct addrinfo *address)
{
    int failed = 0;
    socklen_t size = sizeof(failed);

    x->fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (x->fd < 0)
        return false;
    if (connect(x->fd, address->ai_addr, address->ai_addrlen) == 0)
        return true;
    if (errno == EINPROGRESS && wait_for(x, POLLOUT) == STATUS_OK &&
        getsockopt(x->fd, SOL_SOCKET, SO_ERROR, &failed, &size) == 0 && failed == 0)
        return true;
    failed = failed ? failed : errno;
    close(x->fd);
    x->fd = -1;
    errno = failed;
    return false;
}

static enum status connect_to(struct exchange *x)
{
    const struct http_url *url = x->request->to;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    int failed = getaddrinfo(url->host, url->port, &hints, &found);

    if (failed)
        return fail(x->err, STATUS_IO, "%s: %s", url->host, gai_strerror(failed));
    for (const struct addrinfo *a = found; a && x->fd < 0; a = a->ai_next)
        if (!connect_one(x, a))
            failed = errno;
    freeaddrinfo(found);
    if (x->fd < 0)
        return fail(x->err, STATUS_IO, "cannot connect to %s port %s: %s", url->host, url->port,
                    strerror(failed));
    return STATUS_OK;
}

static enum status send_all(struct exchange *x, struct str bytes)
{
    enum status status;

    while (bytes.len) {
        ssize_t n = send(x->fd, bytes.s, bytes.len, MSG_NOSIGNAL);
        if (n >= 0) {
            bytes = str_from_byte(bytes, (size_t)n);
            continue;
        }
        if (errno != EAGAIN && errno != EINTR)
            return fail(x->err, STATUS_IO, "cannot send: %s", strerror(errno));
        if ((status = wait_for(x, POLLOUT)) != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* Reads more of the answer. *end: there is no more. */
static enum status read_more(struct exchange *x, bool *end)
{
    enum status status;
    ssize_t n;

    *end = false;
    if (x->room - x->len < READ_BYTES) {
        size_t room = x->room + (x->room > READ_BYTES ? x->room : READ_BYTES);
        char *grown = realloc(x->bytes, room + 1);
        if (!grown)
            return fail(x->err, STATUS_NOMEM, "out of memory");
        x->bytes = grown;
        x->room = room;
    }
    while ((n = recv(x->fd, x->bytes + x->len, x->room - x->len, 0)) < 0) {
        if (errno != EAGAIN && errno != EINTR)
            return fail(x->err, STATUS_IO, "the connection failed: %s", strerror(errno));
        if ((status = wait_for(x, POLLIN)) != STATUS_OK)
            return status;
    }
    *end = n == 0;
    x->len += (size_t)n;
    return STATUS_OK;
}

/* ---- the request ---- */

static enum status send_request(struct exchange *x)
{
    const struct http_request *r = x->request;
    struct str base = str_from(r->to->path);
    char head[HTTP_PATH_MAX * 2 + HTTP_HOST_MAX + HTTP_SECRET_MAX + 512];
    bool six = str_has(str_from(r->to->host), ':');

    if (base.len && base.s[base.len - 1] == '/' && r->path.len)
        base.len--;
    if (r->path.len > HTTP_PATH_MAX || r->token.len > HTTP_SECRET_MAX)
        return fail(x->err, STATUS_LIMIT, "the path or the token is too long");
    if (!is_plain(r->path) || !is_plain(r->token))
        return fail(x->err, STATUS_USAGE,
                    "a path or token must not contain blanks or control characters");
    int len = snprintf(head, sizeof(head),
                       "%s %.*s%.*s HTTP/1.1\r\nHost: %s%s%s:%s\r\nConnection: close\r\nAccept: "
                       "application/json\r\n"
                       "%s%.*s%s%sContent-Length: %zu\r\n\r\n",
                       r->method, STR_ARG(base), STR_ARG(r->path), six ? "[" : "", r->to->host,
                       six ? "]" : "", r->to->port, r->token.len ? "Authorization: Bearer " : "",
                       STR_ARG(r->token), r->token.len ? "\r\n" : "",
                       r->body.len ? "Content-Type: application/json\r\n" : "", r->body.len);
    if (len < 0 || (size_t)len >= sizeof(head))
        return fail(x->err, STATUS_LIMIT, "the request is too long");
    enum status status = send_all(x, (struct str){head, (size_t)len});
    return status == STATUS_OK ? send_all(x, r->body) : status;
}

/* ---- the answer ---- */

struct head {
    size_t len; /* including the empty line after it */
    unsigned status;
    bool has_length, chunked;
    size_t length;
};

static int hex_digit(char c)
{
    if (ascii_is_digit(c))
        return c - '0';
    c = ascii_lower(c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_number(struct str s, unsigned base, size_t max, size_t *out)
{
    size_t n = 0;

    if (s.len == 0 || s.len > 16)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        int digit = hex_digit(s.s[i]);
        if (digit < 0 || (unsigned)digit >= base)
            return false;
        n = n * base + (unsigned)digit;
    }
    *out = n;
    return n <= max;
}

static enum status read_header(struct exchange *x, struct str line, struct head *out)
{
    struct str name, value;
    size_t length;

    if (!str_cut(line, ':', &name, &value) || name.len == 0)
        return fail(x->err, STATUS_SYNTAX, "the answer has a malformed header");
    value = str_trim(value);
    if (str_eq_nocase(name, STR("transfer-encoding"))) {
        if (!str_eq_nocase(value, STR("chunked")) || out->chunked)
            return fail(x->err, STATUS_SYNTAX, "the answer has an unknown transfer encoding");
        out->chunked = true;
    } else if (str_eq_nocase(name, STR("content-length"))) {
        if (!read_number(value, 10, HTTP_BODY_MAX, &length))
            return fail(x->err, STATUS_LIMIT, "the answer's length is invalid or too large");
        if (out->has_length && out->length != length)
            return fail(x->err, STATUS_SYNTAX, "the answer has two different lengths");
        out->has_length = true;
        out->length = length;
    }
    return STATUS_OK;
}

/* An answer with a length in two ways can be read in two ways: refused. */
static enum status read_lines(struct exchange *x, struct str text, struct head *out)
{
    struct str line, rest;
    size_t status;

    str_cut(text, '\n', &line, &rest);
    if (line.len < 12 || !str_starts(line, STR("HTTP/1.")) || line.s[8] != ' ' ||
        !read_number(str_slice(line, 9, 12), 10, 599, &status) || status < 200)
        return fail(x->err, STATUS_SYNTAX, "the server does not speak HTTP/1.1");
    out->status = (unsigned)status;
    while (rest.len) {
        str_cut(rest, '\n', &line, &rest);
        if (line.len && line.s[line.len - 1] == '\r')
            line.len--;
        enum status failed = line.len ? read_header(x, line, out) : STATUS_OK;
        if (failed != STATUS_OK)
            return failed;
    }
    if (out->chunked && out->has_length)
        return fail(x->err, STATUS_SYNTAX, "the answer has both a length and chunks");
    return STATUS_OK;
}

static enum status read_head(struct exchange *x, struct head *out)
{
    enum status status;
    bool end = false;

    for (;;) {
        const char *at = x->len ? memmem(x->bytes, x->len, "\r\n\r\n", 4) : NULL;
        if (at) {
            *out = (struct head){.len = (size_t)(at - x->bytes) + 4};
            return read_lines(x, (struct str){x->bytes, out->len - 2}, out);
        }
        if (x->len > HTTP_HEAD_MAX)
            return fail(x->err, STATUS_LIMIT, "the answer's headers are too long");
        if (end)
            return fail(x->err, STATUS_IO, "the connection closed before an answer");
        if ((status = read_more(x, &end)) != STATUS_OK)
            return status;
    }
}

/* Reads until there are at least `want` bytes. */
static enum status need(struct exchange *x, size_t want)
{
    enum status status;
    bool end = false;

    while (x->len < want) {
        if ((status = read_more(x, &end)) != STATUS_OK)
            return status;
        if (end)
            return fail(x->err, STATUS_IO, "the connection closed in the middle of the answer");
    }
    return STATUS_OK;
}

/* Reads the chunk size at byte *at and moves *at past its line. */
static enum status read_size(struct exchange *x, size_t *at, size_t *size)
{
    enum status status;
    const char *end = NULL;

    while (!(end = x->len > *at ? memchr(x->bytes + *at, '\n', x->len - *at) : NULL)) {
        if (x->len - *at > 256)
            return fail(x->err, STATUS_SYNTAX, "a chunk of the answer has no size");
        if ((status = need(x, x->len + 1)) != STATUS_OK)
            return status;
    }
    struct str line = {x->bytes + *at, (size_t)(end - (x->bytes + *at))}, hex, extension;
    *at += line.len + 1;
    str_cut(line, ';', &hex, &extension);
    if (!read_number(str_trim(hex), 16, HTTP_BODY_MAX, size))
        return fail(x->err, STATUS_LIMIT,
                    "a chunk of the answer has an invalid size or is too large");
    return STATUS_OK;
}

/* Joins the chunks in place, from where the first size line was. */
static enum status join_chunks(struct exchange *x, size_t start, size_t *len)
{
    enum status status;
    size_t at = start, to = start, size = 1;

    while (size) {
        if ((status = read_size(x, &at, &size)) != STATUS_OK ||
            (size && (status = need(x, at + size + 2)) != STATUS_OK))
            return status;
        if (to - start + size > HTTP_BODY_MAX)
            return fail(x->err, STATUS_LIMIT, "the answer is too large");
        memmove(x->bytes + to, x->bytes + at, size);
        to += size;
        at += size + 2;
    }
    *len = to - start;
    return STATUS_OK;
}

static enum status read_to_end(struct exchange *x, size_t start, size_t *len)
{
    enum status status;
    bool end = false;

    while (!end) {
        if ((status = read_more(x, &end)) != STATUS_OK)
            return status;
        if (x->len - start > HTTP_BODY_MAX)
            return fail(x->err, STATUS_LIMIT, "the answer is too large");
    }
    *len = x->len - start;
    return STATUS_OK;
}

static enum status read_body(struct exchange *x, const struct head *h, size_t *len)
{
    enum status status;

    if (h->status == 204 || h->status == 304)
        return STATUS_OK;
    if (h->chunked)
        return join_chunks(x, h->len, len);
    if (!h->has_length)
        return read_to_end(x, h->len, len);
    if ((status = need(x, h->len + h->length)) != STATUS_OK)
        return status;
    *len = h->length;
    return STATUS_OK;
}

static enum status exchange(struct exchange *x, struct http_answer *out)
{
    struct head head = {0};
    size_t len = 0;
    enum status status;

    if ((status = connect_to(x)) != STATUS_OK || (status = send_request(x)) != STATUS_OK ||
        (status = read_head(x, &head)) != STATUS_OK ||
        (status = read_body(x, &head, &len)) != STATUS_OK)
        return status;
    memmove(x->bytes, x->bytes + head.len, len);
    x->bytes[len] = '\0';
    *out = (struct http_answer){.status = head.status, .body = x->bytes, .len = len};
    x->bytes = NULL;
    return STATUS_OK;
}

enum status http_ask(const struct http_request *request, struct http_answer *out, struct error *err)
{
    struct error ignored;
    struct exchange x = {.request = request, .fd = -1, .err = err ? err : &ignored};

    *out = (struct http_answer){0};
    x.deadline = clock_ms() + request->deadline_ms;
    enum status status = exchange(&x, out);
    if (x.fd >= 0)
        close(x.fd);
    free(x.bytes);
    return status;
}
