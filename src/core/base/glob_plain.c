/* glob_plain.c - most patterns of rules are letters, a star and perhaps a group: held against a
 * text as they are.
 *
 * To compile such a pattern takes fifty times as long as to look at the text
 * once. What this does not do (classes, '?', backslashes, paths, letters beyond
 * ASCII, many stars) it says so, and the pattern is compiled. */
#include "base/ascii.h"
#include "base/glob_parts.h"

#define STEPS_MAX 16384
#define DEPTH_MAX 16

/* What is to be matched behind the alternative that is being looked at. */
struct behind {
    struct str pattern;
    const struct behind *next;
};

struct plain {
    unsigned flags;
    unsigned steps, depth;
    bool unsure; /* a branch was not looked at to its end */
};

static bool goes_on(struct plain *m, struct str pattern, const struct behind *behind,
                    struct str text);

static bool give_up(struct plain *m)
{
    m->unsure = true;
    return false;
}

static bool take_star(struct plain *m, struct str rest, const struct behind *behind,
                      struct str text)
{
    if (rest.len == 0 && !behind)
        return true;
    for (size_t i = 0; i <= text.len && !m->unsure; i++)
        if (goes_on(m, rest, behind, str_from_byte(text, i)))
            return true;
    return false;
}

static bool take_group(struct plain *m, struct str pattern, size_t close,
                       const struct behind *behind, struct str text)
{
    const struct behind rest = {str_from_byte(pattern, close + 1), behind};
    const struct behind *next =
        rest.pattern.len ? &rest : behind; /* so that a star at the end is seen to be there */
    size_t from = 1, comma;

    do {
        comma = brace_comma(pattern, from, close);
        if (goes_on(m, str_slice(pattern, from, comma), next, text))
            return true;
        from = comma + 1;
    } while (comma < close);
    return false;
}

/* Letters that have another case beyond ASCII are not compared here. */
static bool same(struct plain *m, char pattern, char text)
{
    if (!(m->flags & GLOB_NOCASE))
        return pattern == text;
    if ((unsigned char)text >= 0x80)
        return give_up(m);
    return ascii_lower(pattern) == ascii_lower(text);
}

static bool is_beyond(const struct plain *m, char c)
{
    return (unsigned char)c >= 0x80 || c == '\\' || (c == '[' && !(m->flags & GLOB_NO_CLASSES)) ||
           (c == '?' && !(m->flags & GLOB_NO_QUESTION));
}

static bool matches(struct plain *m, struct str pattern, const struct behind *behind,
                    struct str text)
{
    size_t close;

    for (;; m->steps++) {
        if (pattern.len == 0) {
            if (!behind)
                return text.len == 0;
            pattern = behind->pattern;
            behind = behind->next;
            continue;
        }
        char c = pattern.s[0];
        if (is_beyond(m, c) || m->steps > STEPS_MAX)
            return give_up(m);
        if (c == '*')
            return take_star(m, str_from_byte(pattern, 1), behind, text);
        if (c == '{' && (m->flags & GLOB_BRACES)) {
            enum brace_state state = brace_close(pattern, 0, &close);
            m->steps += (unsigned)pattern.len; /* it may have been looked at to its end */
            if (state == BRACE_TOO_DEEP)
                return give_up(m);
            if (state == BRACE_FOUND)
                return take_group(m, pattern, close, behind, text);
        }
        if (text.len == 0 || !same(m, c, text.s[0]))
            return false;
        pattern = str_from_byte(pattern, 1);
        text = str_from_byte(text, 1);
    }
}

static bool goes_on(struct plain *m, struct str pattern, const struct behind *behind,
                    struct str text)
{
    if (m->depth == DEPTH_MAX)
        return give_up(m);
    m->depth++;
    m->steps++;
    bool found = matches(m, pattern, behind, text);
    m->depth--;
    return found;
}

bool glob_plain(struct str pattern, unsigned flags, struct str text, bool *sure)
{
    struct plain m = {.flags = flags, .unsure = (flags & (GLOB_PATH | GLOB_PREFIX)) != 0};
    bool found = !m.unsure && goes_on(&m, pattern, NULL, text);

    *sure = found || !m.unsure;
    return found;
}
