/* glob_class.c - the bracket classes of a glob: [a-z], [!x], [[:alpha:]]. */
#include <string.h>

#include "base/glob_parts.h"

#define NAME_ROOM 32 /* longer than any class or collating element name in use */

/* ASCII only, whatever the locale: pairs of the first and last byte of a range. */
static const struct {
    const char *name;
    struct str pairs;
} names[] = {
    {"alnum", {"09AZaz", 6}},   {"alpha", {"AZaz", 4}},
    {"blank", {"\t\t  ", 4}},   {"cntrl", {"\0\x1f\x7f\x7f", 4}},
    {"digit", {"09", 2}},       {"graph", {"!~", 2}},
    {"lower", {"az", 2}},       {"print", {" ~", 2}},
    {"punct", {"!/:@[`{~", 8}}, {"space", {"\t\r  ", 4}},
    {"upper", {"AZ", 2}},       {"word", {"09AZ__az", 8}},
    {"xdigit", {"09AFaf", 6}},
};

enum item {
    ITEM_END, /* the ']' */
    ITEM_RANGE,
    ITEM_NAME,
    ITEM_FOREIGN, /* an unknown name, [=x=] or [.x.] */
    ITEM_UNCLOSED,
};

struct reader {
    struct str text;
    size_t at;
    bool first;         /* a ']' here is a member */
    struct range range; /* of the last ITEM_RANGE */
    struct str pairs;   /* of the last ITEM_NAME */
};

static bool is_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)((s.s[i] | 0x20) - 'a') > 'z' - 'a')
            return false;
    return s.len > 0;
}

/* The length of the name between [: and :], [= and =] or [. and .] at `at`; 0 if there is none. */
static size_t name_length(struct str text, size_t at)
{
    struct str rest = str_slice(text, at, at + NAME_ROOM + 4);

    if (rest.len < 5 || rest.s[0] != '[' || !strchr(":=.", rest.s[1]) || !rest.s[1])
        return 0;
    for (size_t i = 3; i + 1 < rest.len; i++)
        if (rest.s[i] == rest.s[1] && rest.s[i + 1] == ']')
            return rest.s[1] != ':' || is_name(str_slice(rest, 2, i)) ? i - 2 : 0;
    return 0;
}

static enum item read_name(struct reader *r, size_t length)
{
    struct str name = str_slice(r->text, r->at + 2, r->at + 2 + length);
    bool is_class = r->text.s[r->at + 1] == ':';

    r->at += length + 4;
    for (size_t i = 0; is_class && i < COUNT(names); i++) {
        if (str_is(name, names[i].name)) {
            r->pairs = names[i].pairs;
            return ITEM_NAME;
        }
    }
    return ITEM_FOREIGN;
}

static bool read_member(struct reader *r, uint32_t *symbol)
{
    if (r->at < r->text.len && r->text.s[r->at] == '\\')
        r->at++;
    if (r->at >= r->text.len)
        return false;
    *symbol = symbol_read(r->text, &r->at);
    return true;
}

static bool begins_range(const struct reader *r)
{
    return r->at + 1 < r->text.len && r->text.s[r->at] == '-' && r->text.s[r->at + 1] != ']';
}

static enum item read_range(struct reader *r)
{
    if (!read_member(r, &r->range.low))
        return ITEM_UNCLOSED;
    r->range.high = r->range.low;
    if (!begins_range(r))
        return ITEM_RANGE;
    r->at++;
    size_t length = name_length(r->text, r->at);
    if (length) { /* shells disagree about a range that ends in a class */
        r->at += length + 4;
        return ITEM_FOREIGN;
    }
    return read_member(r, &r->range.high) ? ITEM_RANGE : ITEM_UNCLOSED;
}

static enum item next_item(struct reader *r)
{
    bool first = r->first;

    r->first = false;
    if (r->at >= r->text.len)
        return ITEM_UNCLOSED;
    if (r->text.s[r->at] == ']' && !first) {
        r->at++;
        return ITEM_END;
    }
    size_t length = name_length(r->text, r->at);
    return length ? read_name(r, length) : read_range(r);
}

static bool is_negated(struct str pattern, size_t at)
{
    return at + 1 < pattern.len && (pattern.s[at + 1] == '!' || pattern.s[at + 1] == '^');
}

static struct reader start(struct str pattern, size_t at)
{
    return (struct reader){.text = pattern, .at = at + 1 + is_negated(pattern, at), .first = true};
}

/* A pattern may have an unclosed '[' at every byte. Without the limit each would be scanned to the
 * end of the pattern: quadratic time. */
enum class_state class_find(struct str pattern, size_t at, size_t *end)
{
    struct reader r = start(pattern, at);

    if (!str_has(str_from_byte(pattern, r.at), ']'))
        return CLASS_UNCLOSED;
    for (size_t count = 0; count <= GLOB_MAX_CLASS; count++) {
        switch (next_item(&r)) {
        case ITEM_END:
            *end = r.at;
            return CLASS_CLOSED;
        case ITEM_UNCLOSED:
            return CLASS_UNCLOSED;
        case ITEM_FOREIGN:
            return CLASS_FOREIGN;
        case ITEM_RANGE:
        case ITEM_NAME:
            break;
        }
    }
    return str_has(str_from_byte(pattern, r.at), ']') ? CLASS_TOO_LONG : CLASS_UNCLOSED;
}

static void add_pairs(struct arena *a, struct glob_class *c, struct str pairs)
{
    for (size_t i = 0; i + 1 < pairs.len; i += 2)
        LIST_PUSH(a, c, (struct range){(unsigned char)pairs.s[i], (unsigned char)pairs.s[i + 1]});
}

/* Reads up to the ']' that class_find() found. */
static void read_items(struct arena *a, struct reader *r, struct glob_class *c)
{
    for (enum item item; (item = next_item(r)) != ITEM_END;) {
        if (item == ITEM_NAME)
            add_pairs(a, c, r->pairs);
        else
            LIST_PUSH(a, c, r->range);
    }
}

enum status class_read(struct arena *a, struct str pattern, size_t *at, struct glob_class **out,
                       struct error *err)
{
    struct reader r = start(pattern, *at);
    size_t end;

    *out = NULL;
    switch (class_find(pattern, *at, &end)) {
    case CLASS_UNCLOSED:
        return STATUS_OK;
    case CLASS_TOO_LONG:
        return fail(err, STATUS_LIMIT, "the class has more than %d members", GLOB_MAX_CLASS);
    case CLASS_FOREIGN:
        return fail(err, STATUS_SYNTAX, "unknown class at byte %zu of the pattern", *at + 1);
    case CLASS_CLOSED:
        break;
    }
    *out = ARENA_NEW(a, struct glob_class);
    (*out)->negated = is_negated(pattern, *at);
    read_items(a, &r, *out);
    *at = end;
    return STATUS_OK;
}
