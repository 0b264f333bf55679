/* toml.c - tables, keys and lists of a TOML document.
 *
 * A TOML file may return to a table and add to it, but not redefine it: a table has at most one
 * header, and a value in braces or brackets is complete. While the file is read, tables are nodes
 * that remember how they were created; at the end they become values. */
#include "document/toml.h"

#include "base/ascii.h"
#include "base/list.h"
#include "document/keys.h"
#include "document/text.h"
#include "document/toml_scan.h"

enum origin {
    WHOLE, /* a scalar, a list in brackets, a table in braces: nothing can be added */
    /* a table that exists only because of a longer header [a.b]: may get its own header or dotted
     * keys later */
    IMPLIED,
    HEADER, /* opened by [a] or as one element of [[a]]: must not be opened again */
    /* created by a dotted key: only keys of the same section add to it; headers only add tables
     * below it */
    DOTTED,
    /* a list of tables, [[a]]: each header adds one, and longer headers refer to the newest */
    TABLES,
};

struct node {
    enum origin origin;
    unsigned depth;
    struct str key;
    struct position key_place;
    struct value value; /* without its items and members, unless it is WHOLE */
    struct keys keys;   /* numbered as in `children` */
    struct children LIST_OF(struct node *) children;
};

struct reader {
    struct scan scan;
    size_t nodes;
    struct value result;
};

struct path {
    struct part {
        struct str key;
        struct position place;
    } parts[POLICY_DEPTH_MAX];
    size_t count;
};

static void read_value(struct reader *r, unsigned depth, struct value *out);

static void refuse(struct reader *r, struct position place, const char *what)
{
    scan_refuse(&r->scan, place, STATUS_SYNTAX, "%s", what);
}

static void refuse_here(struct reader *r, const char *what)
{
    refuse(r, scan_place(&r->scan), what);
}

/* --- limits --------------------------------------------------------------- */

static struct value count_value(struct reader *r, enum value_kind kind, struct position place)
{
    if (++r->nodes > POLICY_NODES_MAX)
        scan_refuse(&r->scan, place, STATUS_LIMIT, "the file has more than %zu values",
                    POLICY_NODES_MAX);
    return (struct value){.kind = kind, .line = place.line, .column = place.column};
}

static void check_depth(struct reader *r, unsigned depth, struct position place)
{
    if (depth > POLICY_DEPTH_MAX)
        scan_refuse(&r->scan, place, STATUS_LIMIT, "tables and lists are nested deeper than %d",
                    POLICY_DEPTH_MAX);
}

/* --- nodes ---------------------------------------------------------------- */

static struct node *new_node(struct reader *r, enum origin origin, struct value value,
                             unsigned depth)
{
    struct node *n = ARENA_NEW(r->scan.arena, struct node);

    *n = (struct node){.origin = origin, .value = value, .depth = depth};
    if (origin != WHOLE)
        check_depth(r, depth, (struct position){value.line, value.column});
    return n;
}

static struct node *find(const struct node *table, const struct part *part)
{
    size_t number = keys_find(&table->keys, part->key);

    return number < table->children.count ? table->children.items[number]
                                          : NULL; /* KEY_NONE is larger than any count */
}

static struct node *add(struct reader *r, struct node *table, const struct part *part,
                        enum origin origin, struct value value)
{
    struct node *n = new_node(r, origin, value, table->depth + 1);

    n->key = part->key;
    n->key_place = part->place;
    keys_add(r->scan.arena, &table->keys, part->key);
    LIST_PUSH(r->scan.arena, &table->children, n);
    return n;
}

static void refuse_again(struct reader *r, const struct part *part, const struct node *first,
                         const char *what)
{
    scan_refuse(&r->scan, part->place, STATUS_SYNTAX, "%s; see line %u", what,
                (unsigned)first->key_place.line);
}

static struct value finish(struct arena *a, const struct node *n)
{
    struct value v = n->value;

    if (n->origin == WHOLE)
        return v;
    v.count = n->children.count;
    if (n->origin == TABLES) {
        v.items = ARENA_ARRAY(a, struct value, v.count);
        for (size_t i = 0; i < v.count; i++)
            v.items[i] = finish(a, n->children.items[i]);
        return v;
    }
    v.members = ARENA_ARRAY(a, struct member, v.count);
    for (size_t i = 0; i < v.count; i++) {
        const struct node *child = n->children.items[i];
        v.members[i] = (struct member){child->key, child->key_place.line, child->key_place.column,
                                       finish(a, child)};
    }
    return v;
}

/* --- keys ----------------------------------------------------------------- */

static bool is_bare(char c)
{
    return ascii_is_name(c) || c == '-';
}

static struct str read_key(struct reader *r)
{
    struct scan *s = &r->scan;
    size_t start = s->at;

    if (scan_peek(s) == '"' || scan_peek(s) == '\'')
        return toml_string(s, true);
    while (is_bare(scan_peek(s)))
        scan_skip(s, 1);
    if (s->at == start)
        refuse_here(r,
                    "expected a key; one with characters other than A-Z a-z 0-9 _ - needs quotes");
    return str_copy(s->arena, str_slice(s->text, start, s->at));
}

/* One key, or several separated by dots, and the blanks after it. Always has at least one part. */
static void read_path(struct reader *r, struct path *path)
{
    struct scan *s = &r->scan;

    path->count = 0;
    do {
        scan_blanks(s);
        struct position place = scan_place(s);
        if (path->count == POLICY_DEPTH_MAX) {
            check_depth(r, POLICY_DEPTH_MAX + 1, place);
            return;
        }
        path->parts[path->count++] = (struct part){read_key(r), place};
        scan_blanks(s);
    } while (scan_accept(s, '.'));
}

/* --- headers -------------------------------------------------------------- */

/* The table that contains the last part of a header. */
static struct node *header_parent(struct reader *r, struct node *root, const struct path *path)
{
    struct node *table = root;

    for (size_t i = 0; i + 1 < path->count; i++) {
        const struct part *part = &path->parts[i];
        struct node *n = find(table, part);

        if (!n)
            n = add(r, table, part, IMPLIED, count_value(r, VALUE_OBJECT, part->place));
        else if (n->origin == WHOLE)
            refuse_again(r, part, n, "no table can be added to this key, whose value is complete");
        table = n->origin == TABLES ? n->children.items[n->children.count - 1] : n;
    }
    return table;
}

static struct node *open_table(struct reader *r, struct node *parent, const struct part *part,
                               struct position place)
{
    struct node *n = find(parent, part);

    if (!n)
        return add(r, parent, part, HEADER, count_value(r, VALUE_OBJECT, place));
    if (n->origin != IMPLIED)
        refuse_again(r, part, n, "this key is already defined");
    n->origin = HEADER;
    n->value.line = place.line;
    n->value.column = place.column;
    return n;
}

static struct node *open_element(struct reader *r, struct node *parent, const struct part *part,
                                 struct position place)
{
    struct node *list = find(parent, part);

    if (!list)
        list = add(r, parent, part, TABLES, count_value(r, VALUE_ARRAY, place));
    else if (list->origin != TABLES)
        refuse_again(r, part, list, "this key is already defined, and not as a list of tables");

    struct node *element =
        new_node(r, HEADER, count_value(r, VALUE_OBJECT, place), list->depth + 1);
    LIST_PUSH(r->scan.arena, &list->children, element);
    return element;
}

/* [a.b] or [[a.b]]; returns the table that the lines after it fill. */
static struct node *read_header(struct reader *r, struct node *root)
{
    struct scan *s = &r->scan;
    struct position place = scan_place(s);
    struct path path;

    scan_skip(s, 1);
    bool is_element = scan_accept(s, '[');
    read_path(r, &path);
    if (!scan_accept(s, ']') || (is_element && !scan_accept(s, ']')))
        refuse_here(r, is_element ? "this header must end with ]]" : "this header must end with ]");
    if (scan_refused(s))
        return root;

    struct node *parent = header_parent(r, root, &path);
    const struct part *last = &path.parts[path.count - 1];
    if (scan_refused(s))
        return root;
    return is_element ? open_element(r, parent, last, place) : open_table(r, parent, last, place);
}

/* --- keys with values ----------------------------------------------------- */

/* The table that contains the last part of a dotted key. */
static struct node *dotted_parent(struct reader *r, struct node *table, const struct path *path)
{
    for (size_t i = 0; i + 1 < path->count; i++) {
        const struct part *part = &path->parts[i];
        struct node *n = find(table, part);

        if (!n)
            n = add(r, table, part, DOTTED, count_value(r, VALUE_OBJECT, part->place));
        else if (n->origin != IMPLIED && n->origin != DOTTED)
            refuse_again(r, part, n, "a dotted key cannot add to a complete value");
        if (n->origin == IMPLIED)
            n->origin = DOTTED;
        table = n;
    }
    return table;
}

static void read_pair(struct reader *r, struct node *table)
{
    struct scan *s = &r->scan;
    struct path path;
    struct value value;

    read_path(r, &path);
    if (!scan_accept(s, '='))
        refuse_here(r, "expected = after the key");
    if (scan_refused(s))
        return;

    const struct part *last = &path.parts[path.count - 1];
    struct node *parent = dotted_parent(r, table, &path);
    const struct node *first = find(parent, last);
    if (first)
        refuse_again(r, last, first, "this key is already defined");
    scan_blanks(s);
    read_value(r, parent->depth + 1, &value);
    if (!scan_refused(s))
        add(r, parent, last, WHOLE, value);
}

/* --- values --------------------------------------------------------------- */

static void skip_comment(struct scan *s)
{
    if (scan_peek(s) != '#')
        return;
    while (scan_peek(s) != '\0' && !scan_at_newline(s))
        scan_skip(s, 1);
}

/* Blanks, comments and line ends, which are all allowed within a list. */
static void skip_gap(struct scan *s)
{
    do {
        scan_blanks(s);
        skip_comment(s);
    } while (scan_newline(s));
}

static void refuse_in_list(struct reader *r, struct position start)
{
    if (scan_peek(&r->scan) == '\0')
        refuse(r, start, "this list is not closed");
    else
        refuse_here(r, "expected a comma or ] in this list");
}

static void read_list(struct reader *r, unsigned depth, struct value *out)
{
    struct scan *s = &r->scan;
    struct position start = scan_place(s);
    struct items LIST_OF(struct value) items = {0};

    scan_skip(s, 1);
    check_depth(r, depth, start);
    skip_gap(s);
    while (!scan_refused(s) && !scan_accept(s, ']')) {
        struct value item;

        read_value(r, depth + 1, &item);
        LIST_PUSH(s->arena, &items, item);
        skip_gap(s);
        if (scan_accept(s, ','))
            skip_gap(s);
        else if (scan_peek(s) != ']')
            refuse_in_list(r, start);
    }
    out->items = items.items;
    out->count = items.count;
}

/* A table in braces. In TOML 1.0 it is on one line and has no comma after its last pair. */
static void read_braces(struct reader *r, unsigned depth, struct value *out)
{
    struct scan *s = &r->scan;
    struct node *table = new_node(r, HEADER, *out, depth);

    scan_skip(s, scan_refused(s) ? 0 : 1);
    scan_blanks(s);
    for (bool more = !scan_accept(s, '}'); more && !scan_refused(s);) {
        read_pair(r, table);
        scan_blanks(s);
        more = scan_accept(s, ',');
        if (!more && !scan_accept(s, '}'))
            refuse_here(r, "expected a comma or } on the same line in this table");
    }
    *out = finish(s->arena, table);
}

static void read_value(struct reader *r, unsigned depth, struct value *out)
{
    struct scan *s = &r->scan;

    *out = count_value(r, VALUE_STRING, scan_place(s));
    switch (scan_peek(s)) {
    case '"':
    case '\'':
        out->text = toml_string(s, false);
        break;
    case '[':
        out->kind = VALUE_ARRAY;
        read_list(r, depth, out);
        break;
    case '{':
        out->kind = VALUE_OBJECT;
        read_braces(r, depth, out);
        break;
    default:
        toml_scalar(s, out);
    }
}

/* --- the document --------------------------------------------------------- */

static void end_line(struct reader *r)
{
    struct scan *s = &r->scan;

    scan_blanks(s);
    skip_comment(s);
    if (!scan_newline(s) && scan_peek(s) != '\0')
        refuse_here(r, "expected only a comment on the rest of this line");
}

static void read_document(void *arg)
{
    struct reader *r = arg;
    struct scan *s = &r->scan;
    struct node *root = new_node(r, HEADER, count_value(r, VALUE_OBJECT, scan_place(s)), 1);
    struct node *table = root;

    while (scan_peek(s) != '\0') {
        scan_blanks(s);
        if (scan_peek(s) == '[')
            table = read_header(r, root);
        else if (scan_peek(s) != '#' && scan_peek(s) != '\0' && !scan_at_newline(s))
            read_pair(r, table);
        end_line(r);
    }
    if (!scan_refused(s))
        r->result = finish(s->arena, root);
}

enum status toml_read(struct arena *a, struct str text, struct value *out, struct error *err)
{
    struct reader r = {.scan = {.arena = a, .text = text_without_mark(text), .line = 1}};

    *out = (struct value){0};
    enum status status = text_check(r.scan.text, NULL, err);
    if (status != STATUS_OK)
        return status;
    if (!arena_try(a, read_document, &r))
        return fail_at(err, STATUS_NOMEM, r.scan.line, scan_place(&r.scan).column,
                       "out of memory from here on");
    if (scan_refused(&r.scan)) {
        if (err)
            *err = r.scan.error;
        return r.scan.error.status;
    }
    *out = r.result;
    return STATUS_OK;
}
