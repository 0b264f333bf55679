/* edit_list.c - adds to lists in brackets: JSON, TOML's lists, YAML's flow style.
 *
 * A small scanner finds the closing bracket. It runs on text that its reader has accepted, so it
 * need not refuse anything; if it errs, the check of the result fails. */
#include "base/ascii.h"
#include "base/json.h"
#include "policy/edit_parts.h"

/* Offsets of the contents of a pair of brackets. */
struct brackets {
    size_t open, close;
    size_t first;    /* of the first item; `close` if there is none */
    size_t last_end; /* after the last item */
    size_t comma;    /* after the comma that follows the last item; 0: none */
};

/* ---- finding the closing bracket ---- */

static bool starts_at(struct str text, size_t at, const char *token)
{
    return str_starts(str_from_byte(text, at), str_from(token));
}

static size_t find_from(struct str text, size_t at, const char *token)
{
    while (at < text.len && !starts_at(text, at, token))
        at++;
    return at;
}

/* The offset after a string that ends with a single `quote`. */
static size_t skip_quoted(struct str text, size_t at, char quote, bool escapes)
{
    for (at++; at < text.len && text.s[at] != quote; at++)
        if (escapes && text.s[at] == '\\')
            at++;
    return at + 1;
}

/* Up to two quotes may come right before the three that end it. */
static size_t skip_triple(struct str text, size_t at, const char *quotes)
{
    bool escapes = quotes[0] == '"';

    for (at += 3; at < text.len && !starts_at(text, at, quotes); at++)
        if (escapes && text.s[at] == '\\')
            at++;
    at += 3;
    for (int more = 0; more < 2 && at < text.len && text.s[at] == quotes[0]; more++)
        at++;
    return at;
}

static size_t skip_string(const struct edit_text *e, size_t at)
{
    if (e->syntax == SYNTAX_TOML && starts_at(e->text, at, "\"\"\""))
        return skip_triple(e->text, at, "\"\"\"");
    if (e->syntax == SYNTAX_TOML && starts_at(e->text, at, "'''"))
        return skip_triple(e->text, at, "'''");
    return skip_quoted(e->text, at, e->text.s[at], e->text.s[at] == '"');
}

/* The offset after the comment at `at`; `at` itself if there is none. */
static size_t skip_comment(const struct edit_text *e, size_t at)
{
    if (e->syntax == SYNTAX_JSON) {
        if (starts_at(e->text, at, "/*"))
            return find_from(e->text, at, "*/") + 2;
        return starts_at(e->text, at, "//") ? edit_line_end(e->text, at) : at;
    }
    if (e->text.s[at] != '#' ||
        (e->syntax == SYNTAX_YAML && at > 0 && !ascii_is_space(e->text.s[at - 1])))
        return at;
    return edit_line_end(e->text, at);
}

static bool opens_string(const struct edit_text *e, size_t at, bool in_word)
{
    char c = e->text.s[at];

    return c == '"' ? !in_word : c == '\'' && e->syntax != SYNTAX_JSON && !in_word;
}

/* YAML's plain words may contain quotes and end at a comma, a bracket, or a colon before a blank.
 */
static bool in_yaml_word(const struct edit_text *e, size_t at, bool before)
{
    char c = e->text.s[at];

    if (e->syntax != SYNTAX_YAML || strchr(",[]{}", c))
        return false;
    if (c == ':' && at + 1 < e->text.len && ascii_is_space(e->text.s[at + 1]))
        return false;
    return before || !ascii_is_space(c);
}

static void note_item(struct brackets *b, size_t from, size_t to)
{
    if (b->first == 0)
        b->first = from;
    b->last_end = to;
    b->comma = 0;
}

static struct brackets find_brackets(const struct edit_text *e, size_t open)
{
    struct brackets b = {.open = open};
    size_t depth = 0;
    bool word = false;

    for (size_t at = open; at < e->text.len;) {
        char c = e->text.s[at];
        size_t next = ascii_is_space(c) ? at : skip_comment(e, at);
        if (next > at) {
            at = next;
            word = false;
            continue;
        }
        depth += c == '[' || c == '{';
        if ((c == ']' || c == '}') && --depth == 0) {
            b.close = at;
            break;
        }
        next = opens_string(e, at, word) ? skip_string(e, at) : at + 1;
        word = next == at + 1 && in_yaml_word(e, at, word);
        if (depth == 1 && c == ',')
            b.comma = next;
        else if (at > open && !ascii_is_space(c))
            note_item(&b, at, next);
        at = next;
    }
    if (b.first == 0)
        b.first = b.close;
    return b;
}

size_t edit_value_end(const struct edit_text *e, size_t at)
{
    char c = at < e->text.len ? e->text.s[at] : '\0';

    if (c == '[' || c == '{')
        return find_brackets(e, at).close + 1;
    if (c == '"' || c == '\'')
        return skip_string(e, at);
    return edit_line_end(e->text, at);
}

/* ---- how it is laid out ---- */

static bool has_break(const struct edit_text *e, size_t from, size_t to)
{
    return str_has(str_slice(e->text, from, to), '\n');
}

/* Each item on a line of its own? For empty brackets: as in the rest of the file, if that can be
 * seen. */
static bool is_tall(const struct edit_text *e, const struct brackets *b)
{
    if (b->first < b->close || has_break(e, b->open, b->close))
        return has_break(e, b->open, b->first);
    struct str whole = str_trim(e->text);
    bool lines = str_has(whole, '\n');
    bool all = whole.s == e->text.s + b->open && whole.len == b->close + 1 - b->open;
    return e->syntax == SYNTAX_JSON && (all || lines);
}

static struct str item_indent(const struct edit_text *e, const struct brackets *b)
{
    if (b->first < b->close)
        return edit_indent(e->text, b->first);
    return str_join(e->arena, edit_indent(e->text, b->close), e->unit);
}

static struct str text_of(const struct edit_text *e, struct str x, struct str y, struct str z)
{
    return str_join(e->arena, str_join(e->arena, x, y), z);
}

/* The separator of two items: a line break and the indentation, or a blank. */
static struct str gap_of(const struct edit_text *e, const struct brackets *b)
{
    return is_tall(e, b) ? str_join(e->arena, e->newline, item_indent(e, b)) : STR(" ");
}

/* The offset after a comment that follows on the same line and so belongs to what precedes it; `at`
 * if there is none. */
static size_t behind_remark(const struct edit_text *e, size_t at)
{
    size_t start = at;

    while (start < e->text.len && (e->text.s[start] == ' ' || e->text.s[start] == '\t'))
        start++;
    size_t end = start < e->text.len ? skip_comment(e, start) : start;
    return end > start ? end : at;
}

/* ---- inserting ---- */

static struct edit_try put_first(const struct edit_text *e, const struct brackets *b,
                                 struct str element)
{
    size_t at = behind_remark(e, b->open + 1);
    bool tall = is_tall(e, b);

    return (struct edit_try){
        at, text_of(e, tall ? gap_of(e, b) : STR(""), element, tall ? STR(",") : STR(", "))};
}

static struct edit_try put_alone(const struct edit_text *e, const struct brackets *b,
                                 struct str element)
{
    bool tall = is_tall(e, b), broken = has_break(e, b->open, b->close);
    struct str after =
        tall && !broken ? str_join(e->arena, e->newline, edit_indent(e->text, b->open)) : STR("");

    return (struct edit_try){b->open + 1,
                             text_of(e, tall ? gap_of(e, b) : STR(""), element, after)};
}

/* If a remark follows the last item, a comma and the new item after that item would take the remark
 * over. Then the new item becomes the first. */
static struct edit_try put_last(const struct edit_text *e, const struct brackets *b,
                                struct str element)
{
    struct str gap = gap_of(e, b);

    if (b->first == b->close)
        return put_alone(e, b, element);
    if (b->comma)
        return (struct edit_try){behind_remark(e, b->comma), text_of(e, gap, element, STR(","))};
    if (behind_remark(e, b->last_end) > b->last_end)
        return put_first(e, b, element);
    return (struct edit_try){b->last_end, text_of(e, STR(","), gap, element)};
}

void edit_list(const struct edit_text *e, const struct edit_item *item, struct edit_tries *out)
{
    struct brackets b = find_brackets(e, edit_offset_of(e, item->list));
    struct str element = edit_inline(e, item);

    if (!item->above) {
        LIST_PUSH(e->arena, out, put_last(e, &b, element));
        return;
    }
    struct str gap = gap_of(e, &b);
    LIST_PUSH(
        e->arena, out,
        (struct edit_try){edit_offset_of(e, item->above), text_of(e, element, STR(","), gap)});
}

/* {"permissions": {"allow": ["x"]}}, from the key at `depth` on. Not tall: on one line. */
static void write_nested(const struct edit_text *e, const struct edit_item *item, size_t depth,
                         struct str indent, bool tall, struct buf *b)
{
    struct str inner = tall ? str_join(e->arena, indent, e->unit) : (struct str){0};
    bool last = depth + 1 >= item->depth || depth + 1 == COUNT(item->keys);

    json_string(b, item->keys[depth]);
    buf_text(b, last ? ": [" : ": {");
    if (tall)
        buf_add(b, text_of(e, e->newline, inner, STR("")));
    if (last)
        buf_add(b, edit_inline(e, item));
    else
        write_nested(e, item, depth + 1, inner, tall, b);
    if (tall)
        buf_add(b, text_of(e, e->newline, indent, STR("")));
    buf_text(b, last ? "]" : "}");
}

void edit_member(const struct edit_text *e, const struct edit_item *item,
                 const struct value *object, size_t depth, struct edit_tries *out)
{
    struct brackets at = find_brackets(e, edit_offset_of(e, object));
    struct buf b = buf_in(e->arena);

    write_nested(e, item, depth, item_indent(e, &at), is_tall(e, &at), &b);
    LIST_PUSH(e->arena, out, put_last(e, &at, buf_str(&b)));
}

struct str edit_new_json(const struct edit_text *e, const struct edit_item *item)
{
    struct buf b = buf_in(e->arena);

    buf_add(&b, text_of(e, STR("{"), e->newline, e->unit));
    write_nested(e, item, 0, e->unit, true, &b);
    buf_add(&b, text_of(e, e->newline, STR("}"), e->newline));
    return buf_str(&b);
}
