/* glob_plain.c - matches simple patterns without compiling them: most rules are letters, a star and
 * perhaps a group of braces.
 *
 * Compiling such a pattern takes fifty times as long as matching it once. For everything else
 * (classes, '?', backslashes, paths, letters beyond ASCII, many stars) it gives up, and the caller
 * compiles the pattern. */
#include "base/ascii.h"
#include "base/glob_parts.h"

#define STEPS_MAX 16384
#define DEPTH_MAX 16

/* What must match after the alternative that is being tried: a stack of pattern rests. */
struct rest {
    struct str pattern;
    const struct rest *next;
};

struct plain {
    unsigned flags;
    unsigned steps, depth;
    bool unsure; /* gave up on some branch */
};

static bool match_rest(struct plain *m, struct str pattern, const struct rest *after,
                       struct str text);

static bool give_up(struct plain *m)
{
    m->unsure = true;
    return false;
}

static bool take_star(struct plain *m, struct str rest, const struct rest *after, struct str text)
{
    if (rest.len == 0 && !after)
        return true;
    for (size_t i = 0; i <= text.len && !m->unsure; i++)
        if (match_rest(m, rest, after, str_from_byte(text, i)))
            return true;
    return false;
}

static bool take_group(struct plain *m, struct str pattern, size_t close, const struct rest *after,
                       struct str text)
{
    const struct rest own = {str_from_byte(pattern, close + 1), after};
    /* An empty rest is dropped, so that take_star() sees a star at the end of the pattern. */
    const struct rest *next = own.pattern.len ? &own : after;
    size_t from = 1, comma;

    do {
        comma = brace_comma(pattern, from, close);
        if (match_rest(m, str_slice(pattern, from, comma), next, text))
            return true;
        from = comma + 1;
    } while (comma < close);
    return false;
}

/* Folding beyond ASCII is left to the compiled glob. */
static bool same_byte(struct plain *m, char pattern, char text)
{
    if (!(m->flags & GLOB_NOCASE))
        return pattern == text;
    if ((unsigned char)text >= 0x80)
        return give_up(m);
    return ascii_lower(pattern) == ascii_lower(text);
}

static bool needs_compiling(const struct plain *m, char c)
{
    return (unsigned char)c >= 0x80 || c == '\\' || (c == '[' && !(m->flags & GLOB_NO_CLASSES)) ||
           (c == '?' && !(m->flags & GLOB_NO_QUESTION));
}

static bool matches(struct plain *m, struct str pattern, const struct rest *after, struct str text)
{
    size_t close;

    for (;; m->steps++) {
        if (pattern.len == 0) {
            if (!after)
                return text.len == 0;
            pattern = after->pattern;
            after = after->next;
            continue;
        }
        char c = pattern.s[0];
        if (needs_compiling(m, c) || m->steps > STEPS_MAX)
            return give_up(m);
        if (c == '*')
            return take_star(m, str_from_byte(pattern, 1), after, text);
        if (c == '{' && (m->flags & GLOB_BRACES)) {
            enum brace_state state = brace_close(pattern, 0, &close);
            m->steps += (unsigned)pattern.len; /* brace_close() may have scanned all of it */
            if (state == BRACE_TOO_DEEP)
                return give_up(m);
            if (state == BRACE_FOUND)
                return take_group(m, pattern, close, after, text);
        }
        if (text.len == 0 || !same_byte(m, c, text.s[0]))
            return false;
        pattern = str_from_byte(pattern, 1);
        text = str_from_byte(text, 1);
    }
}

static bool match_rest(struct plain *m, struct str pattern, const struct rest *after,
                       struct str text)
{
    if (m->depth == DEPTH_MAX)
        return give_up(m);
    m->depth++;
    m->steps++;
    bool found = matches(m, pattern, after, text);
    m->depth--;
    return found;
}

bool glob_plain(struct str pattern, unsigned flags, struct str text, bool *sure)
{
    struct plain m = {.flags = flags, .unsure = (flags & (GLOB_PATH | GLOB_PREFIX)) != 0};
    bool found = !m.unsure && match_rest(&m, pattern, NULL, text);

    *sure = found || !m.unsure;
    return found;
}
