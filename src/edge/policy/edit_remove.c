/* edit_remove.c - takes one rule out of a text, and proves that nothing else changed. */
#include "policy/edit_parts.h"

struct cut {
    size_t from, to;   /* bytes of the text */
    struct str insert; /* in their place */
};
struct cuts LIST_OF(struct cut);

struct removal {
    struct edit_reader reader;
    struct str text;
    struct edit_place_of place;
    struct edit_reading old;
    struct str *result;
    struct error *err;
    enum status status;
};

/* ---- where it is ---- */

/* The list that has an item at this place, anywhere in the document, and which item it is. */
static const struct value *find_list(const struct value *v, struct edit_place_of place,
                                     size_t *item)
{
    const struct value *found = NULL;

    for (size_t i = 0; v->kind == VALUE_ARRAY && i < v->count; i++)
        if (v->items[i].line == place.line && v->items[i].column == place.column) {
            *item = i;
            return v;
        }
    for (size_t i = 0; !found && v->kind == VALUE_ARRAY && i < v->count; i++)
        found = find_list(&v->items[i], place, item);
    for (size_t i = 0; !found && v->kind == VALUE_OBJECT && i < v->count; i++)
        found = find_list(&v->members[i].value, place, item);
    return found;
}

/* ---- what to cut ---- */

static size_t skip_blanks(struct str text, size_t at)
{
    while (at < text.len && (text.s[at] == ' ' || text.s[at] == '\t'))
        at++;
    return at;
}

static size_t skip_space(struct str text, size_t at)
{
    while (at < text.len && strchr(" \t\r\n", text.s[at]))
        at++;
    return at;
}

static size_t before_space(struct str text, size_t at)
{
    while (at > 0 && strchr(" \t\r\n", text.s[at - 1]))
        at--;
    return at;
}

static size_t next_line(struct str text, size_t at)
{
    size_t end = edit_line_end(text, at);

    while (end < text.len && (text.s[end] == '\r' || text.s[end] == '\n'))
        if (text.s[end++] == '\n')
            break;
    return end;
}

/* In brackets: with the comma after it, or as the last one with the comma before it; whole lines
 * where it fills them. */
static void cut_in_brackets(const struct edit_text *e, size_t at, size_t end, struct cuts *out)
{
    struct str text = e->text;
    size_t after = skip_space(text, end);
    bool comma = after < text.len && text.s[after] == ',';
    size_t past = comma ? skip_blanks(text, after + 1) : end;

    if (comma && edit_first_on_line(text, at) && past == edit_line_end(text, past))
        LIST_PUSH(e->arena, out,
                  (struct cut){.from = edit_line_start(text, at), .to = next_line(text, past)});
    if (comma)
        LIST_PUSH(e->arena, out, (struct cut){.from = at, .to = past});
    size_t before = before_space(text, at);
    if (!comma && before > 0 && text.s[before - 1] == ',')
        LIST_PUSH(e->arena, out, (struct cut){.from = before - 1, .to = end});
    if (!comma && edit_first_on_line(text, at) && after > edit_line_end(text, end))
        LIST_PUSH(e->arena, out,
                  (struct cut){.from = edit_line_start(text, at), .to = next_line(text, end)});
    LIST_PUSH(e->arena, out, (struct cut){.from = at, .to = end});
}

/* Where a word without quotes ends. */
static size_t plain_end(struct str text, size_t at)
{
    return before_space(text, at + str_until(str_from_byte(text, at), ",]}\n"));
}

/* By lines, of YAML's "- item" and TOML's [[table]]: up to the next one on the same level, or as
 * many lines as it takes until the rest is what it was. */
#define LINES_MAX 64
static void cut_lines(const struct edit_text *e, const struct value *list, size_t item, size_t at,
                      struct cuts *out)
{
    size_t from = edit_line_start(e->text, at), to = next_line(e->text, at);

    if (list->count == 1 && e->syntax == SYNTAX_YAML) /* a key alone would have no list any more */
        LIST_PUSH(
            e->arena, out,
            (struct cut){before_space(e->text, from), edit_line_end(e->text, at), STR(" []")});
    for (size_t i = 0; i < LINES_MAX && from < to; i++) {
        LIST_PUSH(e->arena, out, (struct cut){.from = from, .to = to});
        if (to == e->text.len)
            break;
        to = next_line(e->text, to);
    }
    if (item + 1 < list->count) {
        size_t next = edit_line_start(e->text, edit_offset_of(e, &list->items[item + 1]));
        LIST_PUSH(e->arena, out, (struct cut){.from = from, .to = next});
    }
}

static bool is_by_lines(const struct edit_text *e, const struct value *list)
{
    size_t at = edit_offset_of(e, list);

    return e->syntax != SYNTAX_JSON && at < e->text.len && e->text.s[at] != '[' &&
           e->text.s[at] != '{';
}

static bool is_table(const struct edit_text *e, size_t at)
{
    return e->syntax == SYNTAX_TOML && edit_first_on_line(e->text, at) &&
           str_starts(str_from_byte(e->text, at), STR("[["));
}

/* ---- the proof ---- */

static bool lacks_only(const struct removal *r, const struct edit_reading *new)
{
    const struct rules *before = &r->old.book.rules, *after = &new->book.rules;
    size_t at = 0, extra = 0;

    if (after->count + 1 != before->count ||
        !edit_has_grown(&new->document, &r->old.document, &extra) || extra != 1)
        return false;
    while (
        at < after->count && edit_reads_alike(&before->items[at], &after->items[at]) &&
        !(before->items[at].line == r->place.line && before->items[at].column == r->place.column))
        at++;
    for (size_t i = at; i < after->count; i++)
        if (!edit_reads_alike(&before->items[i + 1], &after->items[i]))
            return false;
    return before->items[at].line == r->place.line && before->items[at].column == r->place.column;
}

static bool try_cut(struct removal *r, const struct cut *c)
{
    size_t mark = r->text.len - text_without_mark(r->text).len;
    struct edit_reading new;
    struct buf b = buf_in(r->reader.arena);

    buf_add(&b, str_slice(r->text, 0, c->from + mark));
    buf_add(&b, c->insert);
    buf_add(&b, str_from_byte(r->text, c->to + mark));
    *r->result = buf_str(&b);
    return edit_read(&r->reader, *r->result, &new, NULL) == STATUS_OK && lacks_only(r, &new);
}

/* ---- all of it ---- */

static void run(void *arg)
{
    struct removal *r = arg;
    struct cuts cuts = {0};
    size_t item = 0;

    if ((r->status = edit_read(&r->reader, r->text, &r->old, r->err)))
        return;
    const struct value *list = find_list(&r->old.document, r->place, &item);
    if (list) {
        struct edit_text e = edit_text_of(&r->reader, r->text, &r->old.document);
        size_t at = edit_offset(&e, r->place.line, r->place.column);
        if (is_by_lines(&e, list) || is_table(&e, at))
            cut_lines(&e, list, item, at, &cuts);
        else
            cut_in_brackets(&e, at, edit_value_end(&e, at), &cuts);
        if (e.syntax == SYNTAX_YAML && !is_by_lines(&e, list))
            cut_in_brackets(&e, at, plain_end(e.text, at), &cuts);
    }
    for (size_t i = 0; i < cuts.count; i++)
        if (try_cut(r, &cuts.items[i]))
            return;
    *r->result = (struct str){0};
    r->status = fail_at(r->err, STATUS_SYNTAX, r->place.line, r->place.column,
                        "this rule cannot be removed without touching the rest; remove it by hand");
}

enum status edit_remove(struct arena *a, struct str path, struct str text, enum format format,
                        enum dialect dialect, struct edit_place_of place, struct str *result,
                        struct error *err)
{
    struct removal r = {.reader = {.arena = a, .path = path, .format = format, .dialect = dialect},
                        .text = text,
                        .place = place,
                        .result = result,
                        .err = err};

    *result = (struct str){0};
    if (!arena_try(a, run, &r) || a->exhausted)
        r.status = fail(err, STATUS_NOMEM, "no memory to edit %.*s", STR_ARG(path));
    regexes_release(&r.reader.regexes);
    return r.status;
}
