#include "proxy/request.h"

#include <arpa/inet.h>
#include <stdio.h>

#define SOCKS_VERSION 5
#define SOCKS_CONNECT 1
enum { SOCKS_FOUR = 1, SOCKS_NAME = 3, SOCKS_SIX = 4 };
#define PORT_HTTP 80

/* ---- HTTP ---- */

static bool is_token(struct str text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!strchr("!#$%&'*+-.^_`|~", text.s[i]) && !(text.s[i] >= '0' && text.s[i] <= '9') &&
            !(text.s[i] >= 'A' && text.s[i] <= 'Z') && !(text.s[i] >= 'a' && text.s[i] <= 'z'))
            return false;
    return text.len > 0;
}

/* Cuts the next line off; it ends in CR LF, and has neither inside, nor any other control. */
static bool next_line(struct str *rest, struct str *line)
{
    size_t end = str_index(*rest, '\r');

    if (end == STR_NONE || str_byte(*rest, end + 1) != '\n')
        return false;
    *line = str_slice(*rest, 0, end);
    *rest = str_from_byte(*rest, end + 2);
    for (size_t i = 0; i < line->len; i++)
        if ((unsigned char)line->s[i] < ' ' && line->s[i] != '\t')
            return false;
    return true;
}

static bool is_field(struct str line)
{
    struct str name, value;

    return str_cut(line, ':', &name, &value) && is_token(name);
}

static bool are_fields(struct str fields)
{
    struct str line;

    while (fields.len)
        if (!next_line(&fields, &line) || !is_field(line))
            return false;
    return true;
}

/* http://HOST[:PORT][/PATH]: no user, no fragment. */
static bool read_url(struct str url, struct http_request *out)
{
    if (url.len < 7 || !str_eq_nocase(str_slice(url, 0, 7), STR("http://")))
        return false;
    url = str_from_byte(url, 7);
    size_t end = str_until(url, "/?#");
    out->path = str_from_byte(url, end);
    return !str_has(url, '#') && destination_parse(str_slice(url, 0, end), PORT_HTTP, &out->to);
}

static bool read_first_line(struct str line, struct http_request *out)
{
    struct str target, version;

    if (!str_cut(line, ' ', &out->method, &target) || !str_cut(target, ' ', &target, &version) ||
        !is_token(out->method) || !(str_is(version, "HTTP/1.1") || str_is(version, "HTTP/1.0")))
        return false;
    out->tunnel = str_is(out->method, "CONNECT");
    return out->tunnel ? destination_parse(target, 0, &out->to) : read_url(target, out);
}

/* Where the head ends, or STR_NONE. */
static size_t find_end(struct str bytes)
{
    for (size_t i = 3; i < bytes.len; i++)
        if (memcmp(bytes.s + i - 3, "\r\n\r\n", 4) == 0)
            return i + 1;
    return STR_NONE;
}

enum reading http_read(struct str bytes, struct http_request *out)
{
    struct str looked = str_slice(bytes, 0, REQUEST_MAX), line;

    *out = (struct http_request){0};
    if (bytes.len && !is_token(str_slice(bytes, 0, 1)))
        return READ_BAD; /* another protocol, which may never send an empty line */
    out->head = find_end(looked);
    if (out->head == STR_NONE)
        return bytes.len < REQUEST_MAX ? READ_MORE : READ_BAD;
    struct str head = str_slice(bytes, 0, out->head - 2);
    if (!next_line(&head, &line) || !read_first_line(line, out) || !are_fields(head))
        return READ_BAD;
    out->fields = head;
    return READ_DONE;
}

struct printing {
    char *out;
    size_t len, room;
};

static void print(struct printing *p, struct str text)
{
    if (p->len + text.len <= p->room)
        memcpy(p->out + p->len, text.s, text.len);
    p->len += text.len;
}

/* What is between the client and us, and what we say ourselves. */
static bool is_ours(struct str line)
{
    static const char *const names[] = {"host", "connection", "keep-alive", "upgrade", "te"};
    struct str name = str_slice(line, 0, str_index(line, ':'));

    if (name.len >= 6 && str_eq_nocase(str_slice(name, 0, 6), STR("proxy-")))
        return true;
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_eq_nocase(name, str_from(names[i])))
            return true;
    return false;
}

static void print_host(struct printing *p, const struct destination *to)
{
    char text[DESTINATION_NAME_MAX + 16];
    const bool six = strchr(to->name, ':');
    int n = snprintf(text, sizeof(text), to->port == PORT_HTTP ? "%s%s%s" : "%s%s%s:%u",
                     six ? "[" : "", to->name, six ? "]" : "", to->port);

    print(p, (struct str){text, n > 0 ? (size_t)n : 0});
}

size_t http_print(const struct http_request *request, char *out, size_t room)
{
    struct printing p = {.out = out, .room = room};
    struct str fields = request->fields, line;

    print(&p, request->method);
    print(&p, request->path.len && request->path.s[0] == '/' ? STR(" ") : STR(" /"));
    print(&p, request->path);
    print(&p, STR(" HTTP/1.1\r\nHost: "));
    print_host(&p, &request->to);
    print(&p, STR("\r\nConnection: close\r\n"));
    while (fields.len && next_line(&fields, &line)) {
        if (is_ours(line))
            continue;
        print(&p, line);
        print(&p, STR("\r\n"));
    }
    print(&p, STR("\r\n"));
    return p.len <= room ? p.len : 0;
}

/* ---- SOCKS 5, RFC 1928 ---- */

enum reading socks_read_methods(struct str bytes, size_t *used, bool *without_login)
{
    const int version = str_byte(bytes, 0), count = str_byte(bytes, 1);

    if (version >= 0 && version != SOCKS_VERSION)
        return READ_BAD;
    if (count < 0 || bytes.len < (size_t)count + 2)
        return READ_MORE;
    *used = (size_t)count + 2;
    *without_login = str_has(str_slice(bytes, 2, *used), '\0');
    return READ_DONE;
}

/* How long the host is, and where it begins. False: there is no such kind. */
static bool socks_host(struct str bytes, size_t *at, size_t *len)
{
    *at = 4;
    switch (str_byte(bytes, 3)) {
    case SOCKS_FOUR:
        *len = 4;
        return true;
    case SOCKS_SIX:
        *len = 16;
        return true;
    case SOCKS_NAME:
        *at = 5;
        *len = str_byte(bytes, 4) < 0 ? 0 : (size_t)str_byte(bytes, 4);
        return true;
    default:
        return false;
    }
}

static bool socks_destination(struct str host, int kind, uint32_t port, struct destination *out)
{
    char text[INET6_ADDRSTRLEN];

    if (kind != SOCKS_NAME) {
        if (!inet_ntop(kind == SOCKS_FOUR ? AF_INET : AF_INET6, host.s, text, sizeof(text)))
            return false;
        host = str_from(text);
    }
    return destination_read(host, port, false, out);
}

enum reading socks_read_request(struct str bytes, size_t *used, struct destination *out)
{
    size_t at, len;

    if (bytes.len < 5)
        return READ_MORE;
    if (bytes.s[0] != SOCKS_VERSION || bytes.s[1] != SOCKS_CONNECT || bytes.s[2] != 0 ||
        !socks_host(bytes, &at, &len))
        return READ_BAD;
    *used = at + len + 2;
    if (bytes.len < *used)
        return READ_MORE;
    const uint32_t port =
        (uint32_t)str_byte(bytes, at + len) << 8 | (uint32_t)str_byte(bytes, at + len + 1);
    return socks_destination(str_slice(bytes, at, at + len), bytes.s[3], port, out) ? READ_DONE
                                                                                    : READ_BAD;
}
