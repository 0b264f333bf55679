/* edit_text.c - places in a text, and how its author lays out lines. */
#include "base/ascii.h"
#include "base/json.h"
#include "policy/edit_parts.h"

/* Done once: otherwise a file of many short lines would be scanned for each of its values. */
void edit_find_lines(struct edit_text *e)
{
    LIST_PUSH(e->arena, &e->lines, 0);
    for (size_t at = 0, newline;
         (newline = str_index(str_from_byte(e->text, at), '\n')) != STR_NONE;) {
        at += newline + 1;
        LIST_PUSH(e->arena, &e->lines, at);
    }
}

size_t edit_offset(const struct edit_text *e, uint32_t line, uint32_t column)
{
    if (line == 0 || column == 0 || line > e->lines.count)
        return e->text.len;
    size_t start = e->lines.items[line - 1];
    return column - 1 < e->text.len - start ? start + column - 1 : e->text.len;
}

size_t edit_line_start(struct str text, size_t at)
{
    size_t newline = str_last_index(str_slice(text, 0, at), '\n');

    return newline == STR_NONE ? 0 : newline + 1;
}

size_t edit_line_end(struct str text, size_t at)
{
    size_t newline = str_index(str_from_byte(text, at), '\n');

    if (newline == STR_NONE)
        return text.len;
    at += newline;
    return at > 0 && text.s[at - 1] == '\r' ? at - 1 : at;
}

struct str edit_indent(struct str text, size_t at)
{
    size_t start = edit_line_start(text, at), end = start;

    while (end < text.len && ascii_is_blank(text.s[end]))
        end++;
    return str_slice(text, start, end);
}

bool edit_first_on_line(struct str text, size_t at)
{
    return edit_line_start(text, at) + edit_indent(text, at).len >= at;
}

struct str edit_newline(struct str text)
{
    size_t at = str_index(text, '\n');

    return at != STR_NONE && at > 0 && text.s[at - 1] == '\r' ? STR("\r\n") : STR("\n");
}

/* A table in one line; what is inside is spelled as in JSON. */
static void write_toml(struct buf *b, const struct value *v)
{
    bool object = v->kind == VALUE_OBJECT;

    if (!object && v->kind != VALUE_ARRAY) {
        json_value(b, v);
        return;
    }
    buf_text(b, object ? "{ " : "[");
    for (size_t i = 0; i < v->count; i++) {
        buf_text(b, i ? ", " : "");
        if (object)
            buf_format(b, "%.*s = ", STR_ARG(v->members[i].key));
        write_toml(b, object ? &v->members[i].value : &v->items[i]);
    }
    buf_text(b, object ? " }" : "]");
}

/* JSON's spelling of a string is also one of TOML and of YAML. */
struct str edit_inline(const struct edit_text *e, const struct edit_item *item)
{
    struct buf b = buf_in(e->arena);

    if (item->entry) {
        (e->syntax == SYNTAX_TOML ? write_toml : json_value)(&b, item->entry);
        return buf_str(&b);
    }
    if (!item->row) {
        json_string(&b, item->text);
        return buf_str(&b);
    }
    bool toml = e->syntax == SYNTAX_TOML;
    buf_text(&b, toml ? "{ tool = " : "{\"tool\": ");
    json_string(&b, item->text);
    buf_text(&b, toml ? ", action = " : ", \"action\": ");
    json_string(&b, item->action);
    buf_text(&b, toml ? " }" : "}");
    return buf_str(&b);
}

struct edit_try edit_at_end(const struct edit_text *e, struct str lines)
{
    if (e->text.len == 0 || e->text.s[e->text.len - 1] == '\n')
        return (struct edit_try){e->text.len, lines};
    return (struct edit_try){
        e->text.len,
        str_join(e->arena, e->newline, str_slice(lines, 0, lines.len - e->newline.len))};
}
