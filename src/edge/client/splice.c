#include "client/splice.h"

#include "base/ascii.h"
#include "base/json.h"

enum status splice_read(struct arena *a, struct str text, struct value *out, struct error *err)
{
    const struct json_limits limits = {.comments = true, .commas = true};
    enum status status = json_read(a, text, &limits, out, err);

    if (status == STATUS_OK && out->kind != VALUE_OBJECT)
        return fail(err, STATUS_SYNTAX, "the file must hold an object, not %s",
                    value_kind_name(out->kind));
    return status;
}

/* ---- places ---- */

static size_t offset_of(struct str text, uint32_t line, uint32_t column)
{
    size_t at = 0;

    while (line > 1 && at < text.len)
        if (text.s[at++] == '\n')
            line--;
    return at + column - 1 < text.len ? at + column - 1 : text.len;
}

static size_t skip_string(struct str text, size_t at)
{
    for (at++; at < text.len && text.s[at] != '"'; at++)
        if (text.s[at] == '\\')
            at++;
    return at < text.len ? at + 1 : text.len;
}

/* Where the comment at `at` ends; `at` itself when there is none. */
static size_t skip_comment(struct str text, size_t at)
{
    bool block = at + 1 < text.len && text.s[at + 1] == '*';

    if (text.s[at] != '/')
        return at;
    for (at += 2; at < text.len; at++) {
        if (!block && text.s[at] == '\n')
            return at;
        if (block && text.s[at] == '/' && text.s[at - 1] == '*')
            return at + 1;
    }
    return text.len;
}

static size_t skip_room(struct str text, size_t at)
{
    while (at < text.len && ascii_is_space(text.s[at]))
        at++;
    return at;
}

/* Comments, too: to find the next token. A comment is never cut away. */
static size_t skip_blanks(struct str text, size_t at)
{
    size_t next = at;

    do {
        at = next;
        next = skip_room(text, next);
        if (next < text.len)
            next = skip_comment(text, next);
    } while (next != at);
    return at;
}

/* Where the value that begins at `at` ends. The text was read before, so brackets match. */
static size_t skip_value(struct str text, size_t at)
{
    size_t depth = 0;

    while (at < text.len) {
        char c = text.s[at];
        if (c == '"') {
            at = skip_string(text, at);
        } else if (c == '/') {
            at = skip_comment(text, at);
            continue;
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if ((c == '}' || c == ']') && depth) {
            depth--;
            at++;
        } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || ascii_is_space(c))) {
            return at;
        } else {
            at++;
            continue;
        }
        if (depth == 0)
            return at;
    }
    return at;
}

/* ---- putting in ---- */

static struct str indent_at(struct str text, size_t at)
{
    size_t start = at, end;

    while (start > 0 && text.s[start - 1] != '\n')
        start--;
    for (end = start; end < text.len && (text.s[end] == ' ' || text.s[end] == '\t');)
        end++;
    return str_slice(text, start, end);
}

#define UNIT_MAX 4 /* blanks; a line with more is deeper inside */

/* The file's own unit: the blanks before its first indented line. */
static struct str unit_of(struct str text)
{
    for (size_t i = 0; i + 1 < text.len; i++)
        if (text.s[i] == '\n' && (text.s[i + 1] == ' ' || text.s[i + 1] == '\t')) {
            struct str found = indent_at(text, i + 1);
            return found.len <= UNIT_MAX ? found : STR("  ");
        }
    return STR("  ");
}

static const char *newline_of(struct str text)
{
    return str_contains(text, STR("\r\n")) ? "\r\n" : "\n";
}

/* After the bracket at `open`, before what is inside. */
static struct str put_first(struct arena *a, struct str text, size_t open, bool empty,
                            struct str piece)
{
    struct str indent = indent_at(text, open), unit = unit_of(text);
    size_t next = skip_blanks(text, open + 1);
    bool inline_text = !empty && !memchr(text.s + open, '\n', next - open);
    struct buf b = buf_in(a);

    buf_add(&b, str_slice(text, 0, open + 1));
    if (inline_text) {
        buf_add(&b, piece);
        buf_text(&b, ", ");
        buf_add(&b, str_from_byte(text, open + 1));
        return buf_str(&b);
    }
    buf_format(&b, "%s%.*s%.*s%.*s", newline_of(text), STR_ARG(indent), STR_ARG(unit),
               STR_ARG(piece));
    if (!empty)
        buf_byte(&b, ',');
    else
        buf_format(&b, "%s%.*s", newline_of(text), STR_ARG(indent));
    buf_add(&b, str_from_byte(text, empty ? skip_room(text, open + 1) : open + 1));
    return buf_str(&b);
}

static struct str lines_of(struct arena *a, struct str text, size_t depth, const char *open,
                           struct str inner, const char *close)
{
    struct str unit = unit_of(text);
    struct buf b = buf_in(a);

    buf_format(&b, "%s%s", open, newline_of(text));
    for (size_t i = 0; i <= depth; i++)
        buf_add(&b, unit);
    buf_add(&b, inner);
    buf_text(&b, newline_of(text));
    for (size_t i = 0; i < depth; i++)
        buf_add(&b, unit);
    buf_text(&b, close);
    return buf_str(&b);
}

static enum status wants(const struct value *v, enum value_kind kind, const char *name,
                         struct error *err)
{
    if (v->kind == kind)
        return STATUS_OK;
    return fail_at(err, STATUS_SYNTAX, v->line, v->column, "\"%s\" must be %s, not %s", name,
                   value_kind_name(kind), value_kind_name(v->kind));
}

enum status splice_add(struct arena *a, struct str text, const char *object, struct str key,
                       struct str item, struct str *out, struct error *err)
{
    struct value document;
    enum status status = splice_read(a, text, &document, err);
    const struct value *holder = status ? NULL : value_get(&document, object);
    const struct member *m = holder ? value_member(holder, key) : NULL;
    struct buf named = buf_in(a);

    if (status || (holder && (status = wants(holder, VALUE_OBJECT, object, err))) ||
        (m && (status = wants(&m->value, VALUE_ARRAY, str_copy(a, key).s, err))))
        return status;
    if (m) {
        *out = put_first(a, text, offset_of(text, m->value.line, m->value.column),
                         m->value.count == 0, item);
        return STATUS_OK;
    }
    json_string(&named, key);
    buf_text(&named, ": ");
    buf_add(&named, lines_of(a, text, 2, "[", item, "]"));
    if (holder) {
        *out = put_first(a, text, offset_of(text, holder->line, holder->column), holder->count == 0,
                         buf_str(&named));
        return STATUS_OK;
    }
    struct str whole =
        str_format(a, "\"%s\": %s", object, lines_of(a, text, 1, "{", buf_str(&named), "}").s);
    *out = put_first(a, text, offset_of(text, document.line, document.column), document.count == 0,
                     whole);
    return STATUS_OK;
}

/* ---- taking out ---- */

/* Is the byte before `at` part of a line comment? Then the line's end has to stay. */
static bool ends_in_comment(struct str text, size_t at)
{
    size_t i = 0;

    while (i < at) {
        size_t next = text.s[i] == '"' ? skip_string(text, i) : skip_comment(text, i);
        if (next >= at && text.s[i] == '/')
            return true;
        i = next > i ? next : i + 1;
    }
    return false;
}

/* What begins at `start` (a key or an item) and ends at `end`, with the comma that belongs to it.
 */
static struct str cut_out(struct arena *a, struct str text, size_t start, size_t end)
{
    size_t comma = skip_blanks(text, end), before = start;

    if (comma < text.len && text.s[comma] == ',')
        return str_join(a, str_slice(text, 0, start),
                        str_from_byte(text, skip_room(text, comma + 1)));
    while (before > 0 && ascii_is_space(text.s[before - 1]))
        before--;
    if (ends_in_comment(text, before))
        return str_join(a, str_slice(text, 0, start), str_from_byte(text, skip_room(text, end)));
    if (before > 0 && text.s[before - 1] == ',')
        return str_join(a, str_slice(text, 0, before - 1), str_from_byte(text, end));
    return str_join(a, str_slice(text, 0, before), str_from_byte(text, skip_room(text, end)));
}

static struct str cut_member(struct arena *a, struct str text, const struct member *m)
{
    size_t value = offset_of(text, m->value.line, m->value.column);

    return cut_out(a, text, offset_of(text, m->line, m->column), skip_value(text, value));
}

enum status splice_remove(struct arena *a, struct str text, const char *object, struct str key,
                          size_t index, struct str *out, struct error *err)
{
    struct value document;
    enum status status = splice_read(a, text, &document, err);
    const struct member *holder = status ? NULL : value_member(&document, str_from(object));
    const struct member *list = holder ? value_member(&holder->value, key) : NULL;

    if (status)
        return status;
    if (!list || list->value.kind != VALUE_ARRAY || index >= list->value.count)
        return fail(err, STATUS_USAGE, "there is no such item");
    if (list->value.count > 1) {
        const struct value *item = &list->value.items[index];
        size_t start = offset_of(text, item->line, item->column);
        *out = cut_out(a, text, start, skip_value(text, start));
    } else {
        *out = cut_member(a, text, holder->value.count > 1 ? list : holder);
    }
    return STATUS_OK;
}
