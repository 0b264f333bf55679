#include "serve/head.h"

#include "base/ascii.h"

size_t head_length(struct str bytes)
{
    const char *end = bytes.len ? memmem(bytes.s, bytes.len, "\r\n\r\n", 4) : NULL;

    return end ? (size_t)(end - bytes.s) + 4 : 0;
}

/* A name: a token of RFC 9110. */
static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && (s.s[i] == '\0' || !strchr("!#$%&'*+-.^_`|~", s.s[i])))
            return false;
    return s.len > 0;
}

/* No control characters: other software might end the value at one. */
static bool is_value(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (ascii_is_control(s.s[i]) && s.s[i] != '\t')
            return false;
    return true;
}

/* RFC 8615: the only name with a dot in front that means anything here. */
static bool is_well_known(struct str rest)
{
    return str_starts(rest, STR("/.well-known/"));
}

/* A path as in the table of routes, with nothing to decode or resolve first. */
static bool is_plain_path(struct str s)
{
    if (s.len == 0 || s.s[0] != '/')
        return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.s[i];
        bool after_slash = i > 0 && s.s[i - 1] == '/';
        if (!ascii_is_alnum(c) && (c == '\0' || !strchr("/-_.:@~", c)))
            return false;
        if (after_slash && (c == '/' || (c == '.' && !is_well_known(str_from_byte(s, i - 1)))))
            return false;
    }
    return true;
}

static enum method method_of(struct str name)
{
    for (enum method m = METHOD_GET; m <= METHOD_DELETE; m++)
        if (str_is(name, method_name(m)))
            return m;
    return METHOD_OTHER;
}

static unsigned read_line(struct str line, struct head *out, const char **detail)
{
    struct str method, target, version, rest;

    *detail = "not an HTTP/1.1 request";
    if (!str_cut(line, ' ', &method, &rest) || !str_cut(rest, ' ', &target, &version) ||
        !is_token(method))
        return HTTP_BAD_REQUEST;
    if (!str_is(version, "HTTP/1.1"))
        return str_starts(version, STR("HTTP/")) ? HTTP_VERSION : HTTP_BAD_REQUEST;
    str_cut(target, '?', &out->path, &out->query);
    *detail = "the path must be plain: no percent signs, dots or empty parts";
    if (!is_plain_path(out->path) || !is_value(target))
        return HTTP_BAD_REQUEST;
    out->bodiless = str_is(method, "HEAD");
    out->method = out->bodiless ? METHOD_GET : method_of(method);
    return 0;
}

static const struct str header_names[HEADER_COUNT] = {
    [HEADER_HOST] = {"host", 4},
    [HEADER_ORIGIN] = {"origin", 6},
    [HEADER_AUTHORIZATION] = {"authorization", 13},
    [HEADER_CONNECTION] = {"connection", 10},
    [HEADER_CONTENT_LENGTH] = {"content-length", 14},
    [HEADER_CONTENT_TYPE] = {"content-type", 12},
    [HEADER_COOKIE] = {"cookie", 6},
    [HEADER_EXPECT] = {"expect", 6},
    [HEADER_FETCH_MODE] = {"sec-fetch-mode", 14},
    [HEADER_FETCH_SITE] = {"sec-fetch-site", 14},
    [HEADER_IF_NONE_MATCH] = {"if-none-match", 13},
    [HEADER_TRANSFER_ENCODING] = {"transfer-encoding", 17},
    [HEADER_UPGRADE] = {"upgrade", 7},
    [HEADER_REQUEST_ID] = {"x-request-id", 12},
    [HEADER_SOCKET_KEY] = {"sec-websocket-key", 17},
    [HEADER_SOCKET_PROTOCOL] = {"sec-websocket-protocol", 22},
    [HEADER_SOCKET_VERSION] = {"sec-websocket-version", 21},
};

static bool keep(struct head *out, struct str name, struct str value)
{
    for (size_t i = 0; i < HEADER_COUNT; i++) {
        if (!str_eq_nocase(name, header_names[i]))
            continue;
        if (out->headers[i].s)
            return false;
        out->headers[i] = value;
    }
    return true;
}

static unsigned read_header(struct str line, struct head *out, const char **detail)
{
    struct str name, value;

    *detail = "malformed header";
    if (!str_cut(line, ':', &name, &value) || !is_token(name) || !is_value(value))
        return HTTP_BAD_REQUEST;
    *detail = "duplicate header";
    return keep(out, name, str_trim(value)) ? 0 : HTTP_BAD_REQUEST;
}

unsigned head_read(struct str bytes, struct head *out, const char **detail)
{
    unsigned status;
    size_t at = 0;

    *out = (struct head){0};
    bytes.len -= 2; /* the empty line */
    while (at < bytes.len) {
        const char *end = memmem(bytes.s + at, bytes.len - at, "\r\n", 2);
        struct str line = {bytes.s + at, (size_t)(end - bytes.s) - at};
        if ((status = at == 0 ? read_line(line, out, detail) : read_header(line, out, detail)))
            return status;
        at += line.len + 2;
    }
    return 0;
}

static int hex(char c)
{
    return c >= '0' && c <= '9'                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* One "name=value", decoded and NUL-terminated. */
static bool decode(struct str s, char *out, size_t room, size_t *len)
{
    *len = 0;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.s[i] == '+' ? ' ' : s.s[i];
        if (c == '%') {
            int high = i + 2 < s.len ? hex(s.s[i + 1]) : -1,
                low = i + 2 < s.len ? hex(s.s[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            c = (char)(high * 16 + low);
            i += 2;
        }
        if (ascii_is_control(c) || *len + 1 >= room)
            return false;
        out[(*len)++] = c;
    }
    out[*len] = '\0';
    return true;
}

bool head_query(struct str text, struct query *out)
{
    struct str word;
    bool more = text.s != NULL;

    out->count = 0;
    while (more) {
        struct parameter *item = &out->items[out->count];
        size_t len;
        more = str_cut(text, '&', &word, &text);
        if (out->count == QUERY_MAX || !decode(word, out->text[out->count], QUERY_VALUE_MAX, &len))
            return false;
        str_cut((struct str){out->text[out->count], len}, '=', &item->name, &item->value);
        if (item->value.s == NULL)
            item->value = STR("");
        out->count++;
    }
    return true;
}

bool head_lists(struct str list, struct str word)
{
    struct str item;
    bool more = list.s != NULL;

    while (more) {
        more = str_cut(list, ',', &item, &list);
        if (str_eq_nocase(str_trim(item), word))
            return true;
    }
    return false;
}
