/* yaml.c - turns libyaml's events into values.
 *
 * libyaml uses malloc(), and arena_leave() jumps past cleanups. So everything from libyaml, which
 * is the parser and the current event, is owned by yaml_read(), outside the arena_try(). No jump
 * ever leaves a libyaml call half done, because libyaml does not use the arena. */
#include "document/yaml.h"

#include <stdarg.h>
#include <stdio.h>

#include <yaml.h>

#include "base/list.h"
#include "document/keys.h"
#include "document/text.h"
#include "document/yaml_scalar.h"

/* A position that only moves forward: marks come in order, so converting all of them takes one
 * pass. */
struct cursor {
    size_t at, line_start;
    size_t line, column; /* as libyaml counts: from 0, in characters */
};

struct reader {
    struct arena *arena;
    struct str text;
    yaml_parser_t parser;
    yaml_event_t event; /* YAML_NO_EVENT before the first and after an error */
    struct cursor cursor;
    size_t nodes;
    struct value result;
    struct error error; /* STATUS_OK until the first error */
};

static void read_node(struct reader *r, unsigned depth, struct value *out);

/* --- places and errors -------------------------------------------------- */

static void find_mark(struct reader *r, yaml_mark_t mark)
{
    struct cursor *c = &r->cursor;

    /* libyaml 0.2.5 never goes back, but does not promise it. */
    if (mark.line < c->line || (mark.line == c->line && mark.column < c->column))
        *c = (struct cursor){0};
    /* libyaml reports something missing at the end on a line after the text; we report the end. */
    while (c->at < r->text.len && (c->line < mark.line || c->column < mark.column)) {
        unsigned char byte = (unsigned char)r->text.s[c->at++];
        if (byte == '\n') {
            c->line++;
            c->column = 0;
            c->line_start = c->at;
        } else if ((byte & 0xC0) != 0x80) {
            c->column++;
        }
    }
    /* The loop stopped after the first byte of a character: skip the rest of it. */
    while (c->at < r->text.len && ((unsigned char)r->text.s[c->at] & 0xC0) == 0x80)
        c->at++;
}

static uint32_t line_of(const struct reader *r)
{
    return (uint32_t)r->cursor.line + 1;
}

static uint32_t column_of(const struct reader *r)
{
    return (uint32_t)(r->cursor.at - r->cursor.line_start) + 1;
}

static bool refused(const struct reader *r)
{
    return r->error.status != STATUS_OK;
}

/* Reports an error and produces no further events, so that every loop ends by itself. Only the
 * first error is kept. */
__attribute__((format(printf, 4, 5))) static void
refuse_at(struct reader *r, yaml_mark_t mark, enum status status, const char *format, ...)
{
    struct error *e = &r->error;
    va_list args;

    yaml_event_delete(&r->event);
    if (refused(r))
        return;
    find_mark(r, mark);
    *e = (struct error){.status = status, .line = line_of(r), .column = column_of(r)};
    va_start(args, format);
    vsnprintf(e->message, sizeof(e->message), format, args);
    va_end(args);
}

static void refuse(struct reader *r, const char *what)
{
    refuse_at(r, r->event.start_mark, STATUS_SYNTAX, "%s", what);
}

/* What people get wrong most, in words that help; the library speaks of tokens and streams. Between
 * the two texts is the line where it began; no second text: the line does not matter. */
static const struct mistake {
    const char *problem, *before, *after;
    bool at_start; /* the place is where it began: the library noticed it at the end */
} mistakes[] = {
    {"did not find expected ',' or ']'", "the list that begins on line ", " is not closed with ]"},
    {"did not find expected ',' or '}'", "the { on line ", " is not closed with }"},
    {"found unexpected end of stream", "the quote that opens on line ", " is not closed", true},
    {"could not find expected ':'", "expected a key, with a colon after it", NULL, true},
    {"did not find expected node content", "expected a value here", NULL},
    {"mapping values are not allowed in this context",
     "a colon and a space make a key, which is not allowed here: put quotes around text with a "
     "colon in it",
     NULL},
    {"did not find expected key", "expected a key here, indented like what begins on line ", ""},
    {"did not find expected '-' indicator",
     "expected a \"-\" here, indented like the list that begins on line ", ""},
    {"found unknown escape character",
     "unknown escape in double quotes: write \\\\ for a backslash, or use single quotes", NULL},
    {"found character that cannot start any token",
     "plain text cannot begin with this character: put quotes around it", NULL},
};
static const struct mistake tab = {NULL, "YAML cannot be indented with tabs: use spaces", NULL};

static const struct mistake *mistake_of(struct reader *r)
{
    const yaml_parser_t *p = &r->parser;

    for (size_t i = 0; p->problem && i < COUNT(mistakes); i++)
        if (strcmp(p->problem, mistakes[i].problem) == 0) {
            find_mark(r, p->problem_mark);
            bool at_tab = r->cursor.at < r->text.len && r->text.s[r->cursor.at] == '\t';
            return at_tab ? &tab : &mistakes[i];
        }
    return NULL;
}

static void parser_failed(struct reader *r)
{
    const yaml_parser_t *p = &r->parser;
    const struct mistake *m = mistake_of(r);
    yaml_mark_t at = m && m->at_start ? p->context_mark : p->problem_mark;

    if (p->error == YAML_MEMORY_ERROR)
        refuse_at(r, p->mark, STATUS_NOMEM, "out of memory from here on");
    else if (m && m->after)
        refuse_at(r, at, STATUS_SYNTAX, "%s%zu%s", m->before, p->context_mark.line + 1, m->after);
    else if (m)
        refuse_at(r, at, STATUS_SYNTAX, "%s", m->before);
    else
        refuse_at(r, at, STATUS_SYNTAX, "%s%s%s", p->context ? p->context : "",
                  p->context ? ", " : "", p->problem ? p->problem : "this is not YAML");
}

static void next(struct reader *r)
{
    yaml_event_delete(&r->event);
    if (!refused(r) && !yaml_parser_parse(&r->parser, &r->event))
        parser_failed(r);
}

/* --- what every node has -------------------------------------------------- */

static void get_properties(const yaml_event_t *e, const yaml_char_t **anchor,
                           const yaml_char_t **tag)
{
    *anchor = *tag = NULL;
    if (e->type == YAML_SCALAR_EVENT) {
        *anchor = e->data.scalar.anchor;
        *tag = e->data.scalar.tag;
    } else if (e->type == YAML_SEQUENCE_START_EVENT) {
        *anchor = e->data.sequence_start.anchor;
        *tag = e->data.sequence_start.tag;
    } else if (e->type == YAML_MAPPING_START_EVENT) {
        *anchor = e->data.mapping_start.anchor;
        *tag = e->data.mapping_start.tag;
    }
}

static bool is_string_tag(const yaml_char_t *tag)
{
    return tag && strcmp((const char *)tag, YAML_STR_TAG) == 0;
}

/* Finds the place of the node that starts here, and refuses properties that we do not support. */
static void begin_node(struct reader *r, uint32_t *line, uint32_t *column)
{
    const yaml_char_t *anchor, *tag;

    find_mark(r, r->event.start_mark);
    *line = line_of(r);
    *column = column_of(r);
    get_properties(&r->event, &anchor, &tag);
    if (r->event.type == YAML_ALIAS_EVENT)
        refuse(r, "aliases (*name) are not supported: repeat the value");
    else if (anchor)
        refuse(r, "anchors (&name) are not supported: repeat the value where it is needed");
    else if (tag && !(is_string_tag(tag) && r->event.type == YAML_SCALAR_EVENT))
        refuse(r, "tags other than !!str are not supported");
}

static void check_depth(struct reader *r, unsigned depth)
{
    if (depth > POLICY_DEPTH_MAX)
        refuse_at(r, r->event.start_mark, STATUS_LIMIT,
                  "lists and mappings are nested deeper than %d", POLICY_DEPTH_MAX);
}

/* --- scalars -------------------------------------------------------------- */

static struct str scalar_text(const yaml_event_t *e)
{
    return (struct str){(const char *)e->data.scalar.value, e->data.scalar.length};
}

static bool is_plain(const yaml_event_t *e)
{
    return e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !is_string_tag(e->data.scalar.tag);
}

static void read_scalar(struct reader *r, struct value *out)
{
    struct str text = scalar_text(&r->event);

    if (!is_plain(&r->event)) {
        out->kind = VALUE_STRING;
        out->text = str_copy(r->arena, text);
    } else if (!yaml_resolve(r->arena, text, out)) {
        refuse(r, "this integer does not fit in 64 bits; put it in quotes if it is text");
    }
}

/* --- lists and mappings --------------------------------------------------- */

struct mapping {
    struct keys keys; /* numbered as in `members` */
    struct members LIST_OF(struct member) members;
};

static void read_list(struct reader *r, unsigned depth, struct value *out)
{
    struct items LIST_OF(struct value) items = {0};

    check_depth(r, depth);
    for (next(r); !refused(r) && r->event.type != YAML_SEQUENCE_END_EVENT; next(r)) {
        struct value item;
        read_node(r, depth + 1, &item);
        LIST_PUSH(r->arena, &items, item);
    }
    out->kind = VALUE_ARRAY;
    out->items = items.items;
    out->count = items.count;
}

static void check_key(struct reader *r, const struct mapping *m, struct str key)
{
    size_t first = keys_find(&m->keys, key);

    if (is_plain(&r->event) && key.len == 0)
        refuse(r, "expected a key");
    else if (is_plain(&r->event) && str_is(key, "<<"))
        refuse(r, "merge keys (<<) are not supported: repeat the members");
    else if (first < m->members.count) /* KEY_NONE is larger than any count */
        refuse_at(r, r->event.start_mark, STATUS_SYNTAX,
                  "this key is already in the same mapping, on line %u",
                  (unsigned)m->members.items[first].line);
}

static void read_member(struct reader *r, unsigned depth, struct mapping *m)
{
    struct member member = {0};

    begin_node(r, &member.line, &member.column);
    if (r->event.type == YAML_SCALAR_EVENT) {
        member.key = str_copy(r->arena, scalar_text(&r->event));
        check_key(r, m, member.key);
    } else {
        refuse(r, "a key must be a string, not a list or a mapping");
    }
    next(r);
    read_node(r, depth, &member.value);
    if (refused(r))
        return;
    keys_add(r->arena, &m->keys, member.key);
    LIST_PUSH(r->arena, &m->members, member);
}

static void read_mapping(struct reader *r, unsigned depth, struct value *out)
{
    struct mapping m = {0};

    check_depth(r, depth);
    for (next(r); !refused(r) && r->event.type != YAML_MAPPING_END_EVENT; next(r))
        read_member(r, depth + 1, &m);
    out->kind = VALUE_OBJECT;
    out->members = m.members.items;
    out->count = m.members.count;
}

/* Leaves the last event of the node as the current one. */
static void read_node(struct reader *r, unsigned depth, struct value *out)
{
    *out = (struct value){0};
    if (refused(r))
        return;
    begin_node(r, &out->line, &out->column);
    if (++r->nodes > POLICY_NODES_MAX)
        refuse_at(r, r->event.start_mark, STATUS_LIMIT, "the file has more than %zu values",
                  POLICY_NODES_MAX);
    switch (r->event.type) {
    case YAML_SCALAR_EVENT:
        read_scalar(r, out);
        break;
    case YAML_SEQUENCE_START_EVENT:
        read_list(r, depth, out);
        break;
    case YAML_MAPPING_START_EVENT:
        read_mapping(r, depth, out);
        break;
    case YAML_ALIAS_EVENT:
    case YAML_NO_EVENT:
    case YAML_STREAM_START_EVENT:
    case YAML_STREAM_END_EVENT:
    case YAML_DOCUMENT_START_EVENT:
    case YAML_DOCUMENT_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        refuse(r, "expected a value");
        break;
    }
}

/* --- the document --------------------------------------------------------- */

static void read_stream(void *arg)
{
    struct reader *r = arg;
    struct value document = {.line = 1, .column = 1};

    next(r); /* the start of the stream */
    next(r);
    if (r->event.type == YAML_DOCUMENT_START_EVENT) {
        next(r);
        read_node(r, 1, &document);
        next(r); /* the end of the document */
        next(r);
    }
    if (!refused(r) && r->event.type != YAML_STREAM_END_EVENT)
        refuse(r, "a second document starts here; the file must contain only one");
    if (!refused(r))
        r->result = document;
}

/* Characters that libyaml refuses, or takes for the end of a line where an editor does not. */
static bool is_refused_character(uint32_t c)
{
    return (c >= 0x80 && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE ||
           c == 0xFFFF;
}

/* Checked before libyaml reads them: it compares each %TAG with all earlier ones, so a megabyte of
 * them would take minutes. */
static enum status check_directives(struct str text, struct error *err)
{
    struct str line, rest = text;

    for (uint32_t number = 1; rest.len > 0; number++) {
        str_cut(rest, '\n', &line, &rest);
        if (str_starts(line, STR("%")))
            return fail_at(err, STATUS_SYNTAX, number, 1,
                           "a line must not start with %%: directives are not supported");
    }
    return STATUS_OK;
}

static enum status read_text(struct reader *r)
{
    if (!yaml_parser_initialize(&r->parser))
        return fail_at(&r->error, STATUS_NOMEM, 1, 1, "out of memory for reading YAML");
    yaml_parser_set_encoding(&r->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)r->text.s, r->text.len);
    if (!arena_try(r->arena, read_stream, r))
        refuse_at(r, r->parser.mark, STATUS_NOMEM, "out of memory from here on");
    yaml_event_delete(&r->event);
    yaml_parser_delete(&r->parser);
    return r->error.status;
}

enum status yaml_read(struct arena *a, struct str text, struct value *out, struct error *err)
{
    struct reader r = {.arena = a,
                       .text = text.len ? text_without_mark(text)
                                        : STR("")}; /* libyaml does not accept NULL */
    enum status status;

    *out = (struct value){0};
    if ((status = text_check(r.text, is_refused_character, err)) != STATUS_OK ||
        (status = check_directives(r.text, err)) != STATUS_OK)
        return status;
    status = read_text(&r);
    if (status == STATUS_OK)
        *out = r.result;
    else if (err)
        *err = r.error;
    return status;
}
