/* glob_brace.c - expands the braces of a glob, {a,b{c,d}}, as text. */
#include "base/glob_parts.h"

enum brace_state brace_close(struct str text, size_t open, size_t *close)
{
    size_t depth = 0;

    for (size_t i = open; i < text.len; i++) {
        if (text.s[i] == '\\') {
            i++;
        } else if (text.s[i] == '{') {
            if (++depth > GLOB_MAX_NESTING)
                return BRACE_TOO_DEEP;
        } else if (text.s[i] == '}' && --depth == 0) {
            *close = i;
            return BRACE_FOUND;
        }
    }
    return BRACE_NONE;
}

/* Moves *i to the last byte of the class that starts there, if one does. False if it is not a class
 * we accept. */
static bool skip_class(struct str pattern, size_t *i)
{
    size_t end = *i + 1;
    enum class_state state = class_find(pattern, *i, &end);

    *i = end - 1;
    return state == CLASS_CLOSED || state == CLASS_UNCLOSED;
}

enum brace_state brace_find(struct str pattern, unsigned flags, size_t *open, size_t *close)
{
    size_t limit = class_limit(pattern, flags);

    for (size_t i = *open; i < pattern.len && (flags & GLOB_BRACES); i++) {
        if (pattern.s[i] == '\\') {
            i++;
        } else if (pattern.s[i] == '[' && i < limit) {
            if (!skip_class(pattern, &i))
                return BRACE_NONE;
        } else if (pattern.s[i] == '{') {
            enum brace_state state = brace_close(pattern, i, close);
            *open = i;
            if (state != BRACE_NONE)
                return state;
        }
    }
    return BRACE_NONE;
}

size_t brace_comma(struct str text, size_t from, size_t close)
{
    size_t depth = 0;

    for (size_t i = from; i < close; i++) {
        if (text.s[i] == '\\')
            i++;
        else if (text.s[i] == '{')
            depth++;
        else if (text.s[i] == '}')
            depth--;
        else if (text.s[i] == ',' && depth == 0)
            return i;
    }
    return close;
}

/* A pattern that may still contain groups, all at or after `from`. */
struct pending {
    struct str text;
    size_t from;
};

struct pendings LIST_OF(struct pending);

struct expansion {
    struct arena *arena;
    struct pendings todo;
    size_t written;
};

static struct str replace(struct arena *a, struct str text, size_t open, size_t close,
                          struct str with)
{
    struct buf b = buf_in(a);

    buf_add(&b, str_slice(text, 0, open));
    buf_add(&b, with);
    buf_add(&b, str_from_byte(text, close + 1));
    return buf_str(&b);
}

/* Pushes the pattern back once for each alternative of the group. False beyond the limits. */
static bool replace_group(struct expansion *x, struct str text, size_t open, size_t close)
{
    size_t from = open + 1, comma;

    do {
        comma = brace_comma(text, from, close);
        struct str with = str_slice(text, from, comma);
        x->written += text.len - (close + 1 - open) + with.len;
        if (x->written > GLOB_MAX_EXPANDED || x->todo.count >= GLOB_MAX_BRANCHES)
            return false;
        LIST_PUSH(x->arena, &x->todo,
                  (struct pending){replace(x->arena, text, open, close, with), open});
        from = comma + 1;
    } while (comma < close);
    return true;
}

/* Pops one pattern: it is finished, or goes back with its first group expanded. */
static enum status expand_one(struct expansion *x, unsigned flags, struct strs *out,
                              struct error *err)
{
    struct pending next = x->todo.items[--x->todo.count];
    size_t open = next.from, close;

    switch (brace_find(next.text, flags, &open, &close)) {
    case BRACE_NONE:
        LIST_PUSH(x->arena, out, next.text);
        return STATUS_OK;
    case BRACE_FOUND:
        if (replace_group(x, next.text, open, close) &&
            out->count + x->todo.count <= GLOB_MAX_BRANCHES)
            return STATUS_OK;
        return fail(err, STATUS_LIMIT, "the braces expand to more than %d patterns or %d bytes",
                    GLOB_MAX_BRANCHES, GLOB_MAX_EXPANDED);
    case BRACE_TOO_DEEP:
        break;
    }
    return fail(err, STATUS_LIMIT, "braces are nested deeper than %d", GLOB_MAX_NESTING);
}

enum status glob_brace_expand(struct arena *a, struct str pattern, unsigned flags, struct strs *out,
                              struct error *err)
{
    struct expansion x = {.arena = a};

    if (!(flags & GLOB_BRACES) || !str_has(pattern, '{')) {
        LIST_PUSH(a, out, pattern);
        return STATUS_OK;
    }
    LIST_PUSH(a, &x.todo, (struct pending){pattern, 0});
    while (x.todo.count) {
        enum status status = expand_one(&x, flags, out, err);
        if (status)
            return status;
    }
    return STATUS_OK;
}
