#include <inttypes.h>

#include "base/json.h"
#include "base/utf8.h"

/* JavaScript ends a line at U+2028, and terminals obey C1 controls as they obey ESC. */
static bool needs_escape(uint32_t cp)
{
    return cp < 0x20 || cp == '"' || cp == '\\' || (cp >= 0x7f && cp <= 0x9f) || cp == 0x2028 ||
           cp == 0x2029 || cp == UTF8_INVALID;
}

static void escape(struct buf *out, uint32_t cp)
{
    switch (cp) {
    case '"':
        buf_text(out, "\\\"");
        break;
    case '\\':
        buf_text(out, "\\\\");
        break;
    case '\n':
        buf_text(out, "\\n");
        break;
    case '\r':
        buf_text(out, "\\r");
        break;
    case '\t':
        buf_text(out, "\\t");
        break;
    case UTF8_INVALID:
        buf_text(out, "\\ufffd");
        break;
    default:
        buf_format(out, "\\u%04" PRIx32, cp);
    }
}

/* ASCII that needs no escape. */
static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* May any of the eight bytes need an escape: below 0x20, a quote, a backslash, or 0x7f and above? A
 * carry can cause false alarms, never misses: the caller then checks byte by byte. */
static bool any_special(uint64_t eight)
{
    const uint64_t ones = UINT64_MAX / 0xff, top = ones << 7;
    uint64_t quote = eight ^ ones * '"', slash = eight ^ ones * '\\';

    return ((eight | (eight + ones) | (eight - ones * 0x20) | (quote - ones) | (slash - ones)) &
            top) != 0;
}

static uint64_t load(const char *s, size_t len)
{
    uint64_t word = 0;

    memcpy(&word, s, len);
    return word;
}

/* Checks the last bytes, some of them a second time. False for a text of fewer than four: the
 * caller checks those byte by byte. */
static bool is_plain_end(struct str s)
{
    if (s.len >= 8)
        return !any_special(load(s.s + s.len - 8, 8));
    return s.len >= 4 && !any_special(load(s.s, 4) | load(s.s + s.len - 4, 4) << 32);
}

/* Most text needs no escape: skip eight bytes at a time. */
static size_t skip_plain(struct str s, size_t at)
{
    while (s.len - at >= 8 && !any_special(load(s.s + at, 8)))
        at += 8;
    if (s.len - at < 8 && is_plain_end(s))
        return s.len;
    while (at < s.len && is_plain(s.s[at]))
        at++;
    return at;
}

static void add_quoted(struct buf *out, struct str s)
{
    buf_need(out, s.len + 2);
    out->s[out->len++] = '"';
    if (s.len)
        memcpy(out->s + out->len, s.s, s.len);
    out->len += s.len;
    out->s[out->len++] = '"';
    out->s[out->len] = '\0';
}

void json_string(struct buf *out, struct str s)
{
    size_t plain = 0; /* start of the current run without escapes */
    size_t at = skip_plain(s, 0);
    uint32_t cp;

    if (at == s.len) {
        add_quoted(out, s);
        return;
    }
    buf_byte(out, '"');
    for (size_t len; at < s.len; at += len) {
        len = 1;
        if (is_plain(s.s[at]))
            continue;
        len = utf8_next(s, at, &cp);
        if (len == 0)
            len = 1;
        if (!needs_escape(cp))
            continue;
        buf_add(out, str_slice(s, plain, at));
        escape(out, cp);
        plain = at + len;
        len = skip_plain(s, plain) - at;
    }
    buf_add(out, str_from_byte(s, plain));
    buf_byte(out, '"');
}

static void new_line(struct json_writer *w)
{
    if (w->indent == 0)
        return;
    buf_byte(w->out, '\n');
    for (unsigned i = 0; i < w->depth * w->indent; i++)
        buf_byte(w->out, ' ');
}

/* Called before each key and each value. */
static void separate(struct json_writer *w)
{
    if (!w->keyed) {
        if (w->comma)
            buf_byte(w->out, ',');
        if (w->depth)
            new_line(w);
    }
    w->keyed = false;
    w->comma = true;
}

static void begin(struct json_writer *w, char bracket)
{
    separate(w);
    buf_byte(w->out, bracket);
    w->depth++;
    w->comma = false;
}

static void end(struct json_writer *w, char bracket)
{
    w->depth--;
    if (w->comma)
        new_line(w);
    buf_byte(w->out, bracket);
    w->comma = true;
}

void json_begin_object(struct json_writer *w)
{
    begin(w, '{');
}

void json_end_object(struct json_writer *w)
{
    end(w, '}');
}

void json_begin_array(struct json_writer *w)
{
    begin(w, '[');
}

void json_end_array(struct json_writer *w)
{
    end(w, ']');
}

/* The usual key, in one go: not empty, not indented, no escapes. */
static void plain_key(struct json_writer *w, struct str key)
{
    buf_need(w->out, key.len + 4);
    char *at = w->out->s + w->out->len;
    if (w->comma)
        *at++ = ',';
    *at++ = '"';
    memcpy(at, key.s, key.len);
    at += key.len;
    memcpy(at, "\":", 3);
    w->out->len = (size_t)(at + 2 - w->out->s);
    w->comma = w->keyed = true;
}

void json_key_str(struct json_writer *w, struct str key)
{
    if (key.len && !w->indent && skip_plain(key, 0) == key.len) {
        plain_key(w, key);
        return;
    }
    separate(w);
    json_string(w->out, key);
    buf_byte(w->out, ':');
    if (w->indent)
        buf_byte(w->out, ' ');
    w->keyed = true;
}

void json_key(struct json_writer *w, const char *key)
{
    json_key_str(w, str_from(key));
}

void json_text(struct json_writer *w, struct str s)
{
    separate(w);
    json_string(w->out, s);
}

void json_bool(struct json_writer *w, bool b)
{
    separate(w);
    buf_text(w->out, b ? "true" : "false");
}

void json_int(struct json_writer *w, int64_t n)
{
    separate(w);
    buf_number(w->out, n);
}

void json_null(struct json_writer *w)
{
    separate(w);
    buf_text(w->out, "null");
}

void json_raw(struct json_writer *w, struct str json)
{
    separate(w);
    buf_add(w->out, json);
}

static void number(struct json_writer *w, struct str text)
{
    if (!json_is_number(text)) {
        json_text(w, text);
        return;
    }
    separate(w);
    buf_add(w->out, text);
}

static void array(struct json_writer *w, const struct value *v)
{
    json_begin_array(w);
    for (size_t i = 0; i < v->count; i++)
        json_any(w, &v->items[i]);
    json_end_array(w);
}

static void object(struct json_writer *w, const struct value *v)
{
    json_begin_object(w);
    for (size_t i = 0; i < v->count; i++) {
        json_key_str(w, v->members[i].key);
        json_any(w, &v->members[i].value);
    }
    json_end_object(w);
}

void json_any(struct json_writer *w, const struct value *v)
{
    switch (v->kind) {
    case VALUE_NULL:
        json_null(w);
        break;
    case VALUE_BOOL:
        json_bool(w, v->boolean);
        break;
    case VALUE_INTEGER:
    case VALUE_FLOAT:
        number(w, v->text);
        break;
    case VALUE_TIME:
    case VALUE_STRING:
        json_text(w, v->text);
        break;
    case VALUE_ARRAY:
        array(w, v);
        break;
    case VALUE_OBJECT:
        object(w, v);
        break;
    }
}

void json_value(struct buf *out, const struct value *v)
{
    struct json_writer w = json_to(out);

    json_any(&w, v);
}

void json_text_member(struct json_writer *w, const char *key, struct str text)
{
    json_key(w, key);
    json_text(w, text);
}

void json_text_member_if(struct json_writer *w, const char *key, struct str text)
{
    if (text.len)
        json_text_member(w, key, text);
}

void json_strings(struct json_writer *w, const char *key, const struct strs *list)
{
    json_key(w, key);
    json_begin_array(w);
    for (size_t i = 0; i < list->count; i++)
        json_text(w, list->items[i]);
    json_end_array(w);
}

void json_true_member_if(struct json_writer *w, const char *key, bool value)
{
    if (!value)
        return;
    json_key(w, key);
    json_bool(w, true);
}

struct json_try {
    void (*write)(struct json_writer *w, const void *about);
    const void *about;
};

static void write_json(struct buf *out, const void *about)
{
    const struct json_try *t = about;
    struct json_writer w = json_to(out);

    t->write(&w, t->about);
}

bool json_try(struct arena *a, void (*write)(struct json_writer *w, const void *about),
              const void *about, struct str *out)
{
    return buf_try(a, write_json, &(struct json_try){write, about}, out);
}

static void write_any(struct json_writer *w, const void *about)
{
    json_any(w, about);
}

struct str json_try_value(struct arena *a, const struct value *v)
{
    struct str text;

    return json_try(a, write_any, v, &text) ? text : (struct str){0};
}
