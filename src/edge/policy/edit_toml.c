/* edit_toml.c - TOML by lines: key = value before the first header, and [[lists of tables]]. */
#include "base/json.h"
#include "policy/edit_parts.h"

/* Opened by [[key]] and not by key = [ ... ]: only a header begins its line. */
static bool is_header(const struct edit_text *e, const struct value *v)
{
    return edit_first_on_line(e->text, edit_offset_of(e, v));
}

/* The header and the pairs of one element, and the empty line that sets it apart. */
static struct str section(const struct edit_text *e, const struct edit_item *item,
                          struct str header)
{
    struct buf b = buf_in(e->arena);

    buf_add(&b, header);
    buf_add(&b, e->newline);
    buf_text(&b, item->row ? "tool = " : "rule = ");
    json_string(&b, item->text);
    buf_add(&b, e->newline);
    if (item->row) {
        buf_text(&b, "action = ");
        json_string(&b, item->action);
        buf_add(&b, e->newline);
    }
    return buf_str(&b);
}

/* As the author spells it: [[permissions . rules]]. */
static struct str header_of(const struct edit_text *e, const struct value *element)
{
    size_t at = edit_offset_of(e, element), end = at;

    while (end < e->text.len && !str_starts(str_from_byte(e->text, end), STR("]]")))
        end++;
    return str_slice(e->text, at, end + 2);
}

/* Comments right above a header belong to it. */
static size_t above_remarks(const struct edit_text *e, size_t line)
{
    while (line > 0) {
        size_t before = edit_line_start(e->text, line - 1);
        size_t at = before + edit_indent(e->text, before).len;
        if (e->text.s[at] != '#')
            break;
        line = before;
    }
    return line;
}

static void add_section(const struct edit_text *e, const struct edit_item *item, struct str header,
                        struct edit_tries *out)
{
    struct str lines = section(e, item, header);

    if (item->above) {
        size_t line = edit_line_start(e->text, edit_offset_of(e, item->above));
        lines = str_join(e->arena, lines, e->newline);
        LIST_PUSH(e->arena, out, (struct edit_try){above_remarks(e, line), lines});
        return;
    }
    if (e->text.len > 0)
        lines = str_join(e->arena, e->newline, lines);
    LIST_PUSH(e->arena, out, edit_at_end(e, lines));
}

/* The last value that is written as key = value before all headers; NULL if there is none. */
static const struct value *last_pair(const struct edit_text *e)
{
    const struct value *last = NULL;

    for (size_t i = 0; i < e->document->count; i++) {
        const struct member *m = &e->document->members[i];
        if (edit_first_on_line(e->text, edit_offset(e, m->line, m->column)))
            last = &m->value;
    }
    while (last && last->kind == VALUE_OBJECT && last->count &&
           e->text.s[edit_offset_of(e, last)] != '{')
        last = &last->members[last->count - 1].value; /* a dotted key */
    return last;
}

static void add_pair(const struct edit_text *e, const struct edit_item *item,
                     struct edit_tries *out)
{
    const struct value *last = last_pair(e);
    struct str pair = str_format(e->arena, "%.*s = [%.*s]", STR_ARG(item->keys[0]),
                                 STR_ARG(edit_inline(e, item)));
    struct str line = str_join(e->arena, pair, e->newline);

    if (last) {
        size_t end = edit_line_end(e->text, edit_value_end(e, edit_offset_of(e, last)));
        LIST_PUSH(e->arena, out, (struct edit_try){end, str_join(e->arena, e->newline, pair)});
    }
    if (e->document->count == 0)
        LIST_PUSH(e->arena, out, edit_at_end(e, line));
    LIST_PUSH(e->arena, out, (struct edit_try){0, str_join(e->arena, line, e->newline)});
}

void edit_toml(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out)
{
    if (item->list && !is_header(e, item->list))
        edit_list(e, item, out);
    else if (item->list)
        add_section(e, item, header_of(e, item->above ? item->above : &item->list->items[0]), out);
    else if (item->row)
        add_section(e, item, str_format(e->arena, "[[%.*s]]", STR_ARG(item->keys[0])), out);
    else if (item->depth == 1)
        add_pair(e, item, out);
}
