/* edit_yaml.c - YAML by lines: one more "- item", or a key at the end. edit_list.c handles lists in
 * brackets. */
#include "policy/edit_parts.h"

static bool is_flow(const struct edit_text *e, const struct value *v)
{
    size_t at = edit_offset_of(e, v);

    return at < e->text.len && (e->text.s[at] == '[' || e->text.s[at] == '{');
}

/* The last line on which something in `v` begins; it ends further down only if it is a text of
 * several lines. */
static uint32_t last_line(const struct value *v)
{
    uint32_t line = v->line;

    if (v->kind == VALUE_ARRAY && v->count)
        line = last_line(&v->items[v->count - 1]);
    if (v->kind == VALUE_OBJECT && v->count)
        line = last_line(&v->members[v->count - 1].value);
    return line;
}

/* After the last item if that is one line, else before the first one. */
static void add_item(const struct edit_text *e, const struct edit_item *item,
                     struct edit_tries *out)
{
    const struct value *first = &item->list->items[0],
                       *last = &item->list->items[item->list->count - 1];
    struct str dash = str_join(e->arena, edit_indent(e->text, edit_offset_of(e, first)), STR("- "));
    struct str line = str_join(e->arena, dash, edit_inline(e, item));
    struct str above = str_join(e->arena, line, e->newline);

    if (item->above) {
        LIST_PUSH(
            e->arena, out,
            (struct edit_try){edit_line_start(e->text, edit_offset_of(e, item->above)), above});
        return;
    }
    size_t end = edit_line_end(e->text, edit_offset(e, last_line(last), 1));
    LIST_PUSH(e->arena, out, (struct edit_try){end, str_join(e->arena, e->newline, line)});
    LIST_PUSH(e->arena, out,
              (struct edit_try){edit_line_start(e->text, edit_offset_of(e, first)), above});
}

static void add_key(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out)
{
    bool empty = e->document->count == 0;
    struct str indent =
        empty ? (struct str){"", 0} : edit_indent(e->text, edit_offset_of(e, e->document));
    struct buf b = buf_in(e->arena);

    buf_add(&b, indent);
    buf_add(&b, item->keys[0]);
    buf_byte(&b, ':');
    buf_add(&b, e->newline);
    buf_add(&b, indent);
    buf_add(&b, e->unit);
    buf_text(&b, "- ");
    buf_add(&b, edit_inline(e, item));
    buf_add(&b, e->newline);
    LIST_PUSH(e->arena, out, edit_at_end(e, buf_str(&b)));
}

void edit_yaml(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out)
{
    if (item->list && (item->list->count == 0 || is_flow(e, item->list)))
        edit_list(e, item, out);
    else if (item->list)
        add_item(e, item, out);
    else if (e->document->count && is_flow(e, e->document))
        edit_member(e, item, e->document, 0, out);
    else if (item->depth == 1)
        add_key(e, item, out);
}
