#include "glob_twin.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* One element of a pattern, or one symbol of a text (then always '='). */
struct element {
    char kind; /* '=' itself, '?' one, '[' one of `members`, '*' a run */
    uint32_t symbol;
    struct str members; /* between the brackets */
};

struct elements {
    struct element e[TWIN_MAX + 2];
    int count;
};

/* -- symbols ---------------------------------------------------------------- */

static int encode(uint32_t symbol, char *out)
{
    if (symbol < 0x80) {
        out[0] = (char)symbol;
        return 1;
    }
    if (symbol < 0x800) {
        out[0] = (char)(0xC0 + symbol / 64);
        out[1] = (char)(0x80 + symbol % 64);
        return 2;
    }
    if (symbol < 0x10000) {
        out[0] = (char)(0xE0 + symbol / 4096);
        out[1] = (char)(0x80 + symbol / 64 % 64);
        out[2] = (char)(0x80 + symbol % 64);
        return 3;
    }
    out[0] = (char)(0xF0 + symbol / 262144);
    out[1] = (char)(0x80 + symbol / 4096 % 64);
    out[2] = (char)(0x80 + symbol / 64 % 64);
    out[3] = (char)(0x80 + symbol % 64);
    return 4;
}

/* Decodes by trial: for each length, does the code point encode to the same bytes? */
static uint32_t decode(struct str s, size_t *at)
{
    for (size_t len = 1; len <= 4 && *at + len <= s.len; len++) {
        static const uint32_t mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
        uint32_t symbol = (unsigned char)s.s[*at] & mask[len];
        char again[4];
        for (size_t i = 1; i < len; i++)
            symbol = symbol * 64 + ((unsigned char)s.s[*at + i] & 0x3F);
        if (symbol > 0x10FFFF || symbol / 2048 == 27)
            continue;
        if ((size_t)encode(symbol, again) == len && memcmp(again, s.s + *at, len) == 0) {
            *at += len;
            return symbol;
        }
    }
    return 0x80000000u + (unsigned char)s.s[(*at)++];
}

static uint32_t swap_case(uint32_t symbol)
{
    if (symbol >= 128)
        return symbol;
    return (uint32_t)(isupper((int)symbol) ? tolower((int)symbol) : toupper((int)symbol));
}

/* -- classes ---------------------------------------------------------------- */

static int isword(int c)
{
    return isalnum(c) || c == '_';
}

static const struct {
    const char *text;
    int (*has)(int);
} names[] = {
    {"[:alnum:]", isalnum}, {"[:alpha:]", isalpha}, {"[:blank:]", isblank},
    {"[:cntrl:]", iscntrl}, {"[:digit:]", isdigit}, {"[:graph:]", isgraph},
    {"[:lower:]", islower}, {"[:print:]", isprint}, {"[:punct:]", ispunct},
    {"[:space:]", isspace}, {"[:upper:]", isupper}, {"[:xdigit:]", isxdigit},
    {"[:word:]", isword},
};

static int name_at(struct str s)
{
    for (size_t i = 0; i < COUNT(names); i++)
        if (str_starts(s, str_from(names[i].text)))
            return (int)i;
    return -1;
}

static uint32_t member(struct str s, size_t *i)
{
    if (s.s[*i] == '\\')
        ++*i;
    return *i < s.len ? decode(s, i) : 0;
}

/* Reads a class name (returns its index) or a range (returns -1). */
static int read_item(struct str s, size_t *i, uint32_t *low, uint32_t *high)
{
    int name = name_at(str_from_byte(s, *i));

    if (name >= 0) {
        *i += strlen(names[name].text);
        return name;
    }
    *low = *high = member(s, i);
    if (*i + 1 < s.len && s.s[*i] == '-' && s.s[*i + 1] != ']') {
        ++*i;
        *high = member(s, i);
    }
    return -1;
}

/* Where the ']' of the class at `open` is; 0 when there is none. */
static size_t close_of(struct str s, size_t open)
{
    size_t i = open + 1;
    uint32_t low, high;

    if (i < s.len && (s.s[i] == '!' || s.s[i] == '^'))
        i++;
    for (bool first = true; i < s.len && (first || s.s[i] != ']'); first = false)
        read_item(s, &i, &low, &high);
    return i < s.len ? i : 0;
}

static bool class_has_symbol(struct str m, uint32_t symbol)
{
    for (size_t i = 0; i < m.len;) {
        uint32_t low, high;
        int name = read_item(m, &i, &low, &high);
        if (name >= 0 ? symbol < 128 && names[name].has((int)symbol)
                      : low <= symbol && symbol <= high)
            return true;
    }
    return false;
}

static bool class_matches(struct str m, unsigned flags, uint32_t symbol)
{
    bool negated = m.s[0] == '!' || m.s[0] == '^';

    m = str_from_byte(m, negated);
    bool in = class_has_symbol(m, symbol) ||
              ((flags & GLOB_NOCASE) && class_has_symbol(m, swap_case(symbol)));
    return in != negated;
}

/* -- reading ---------------------------------------------------------------- */

static void read_pattern(struct str s, unsigned flags, struct elements *out)
{
    for (size_t i = 0; i < s.len;) {
        struct element *e = &out->e[out->count++];
        size_t close = s.s[i] == '[' && !(flags & GLOB_NO_CLASSES) ? close_of(s, i) : 0;
        *e = (struct element){.kind = '='};
        if (s.s[i] == '*' || (s.s[i] == '?' && !(flags & GLOB_NO_QUESTION))) {
            e->kind = s.s[i++];
        } else if (close) {
            e->kind = '[';
            e->members = str_slice(s, i + 1, close);
            i = close + 1;
        } else {
            if (s.s[i] == '\\' && i + 1 < s.len)
                i++;
            e->symbol = decode(s, &i);
        }
    }
}

static void read_text(struct str s, struct elements *out)
{
    for (size_t i = 0; i < s.len;)
        out->e[out->count++] = (struct element){.kind = '=', .symbol = decode(s, &i)};
}

/* -- matching --------------------------------------------------------------- */

static bool is_slash(struct element e)
{
    return e.kind == '=' && e.symbol == '/';
}

static bool one_matches(const struct element *p, unsigned flags, uint32_t symbol)
{
    if (p->kind == '=')
        return p->symbol == symbol || ((flags & GLOB_NOCASE) && p->symbol == swap_case(symbol));
    return p->kind == '?' || class_matches(p->members, flags, symbol);
}

static bool run_matches(const struct element *p, int n, unsigned flags, const struct element *t,
                        int m)
{
    if (n == 0)
        return m == 0;
    if (p->kind != '*')
        return m > 0 && one_matches(p, flags, t->symbol) &&
               run_matches(p + 1, n - 1, flags, t + 1, m - 1);
    for (int take = 0; take <= m; take++)
        if (run_matches(p + 1, n - 1, flags, t + take, m - take))
            return true;
    return false;
}

/* The length of the first component. */
static int component(const struct element *e, int n)
{
    int len = 0;

    while (len < n && !is_slash(e[len]))
        len++;
    return len;
}

/* n or m is -1: no component is left, not even an empty one. */
static bool path_matches(const struct element *p, int n, unsigned flags, const struct element *t,
                         int m)
{
    if (n < 0)
        return m < 0;
    int first = component(p, n), rest = n - first - 1;
    if (first == 2 && p[0].kind == '*' && p[1].kind == '*') {
        for (;;) {
            if (path_matches(p + first + 1, rest, flags, t, m))
                return true;
            if (m < 0)
                return false;
            int skip = component(t, m) + 1;
            t += skip;
            m -= skip;
        }
    }
    if (m < 0)
        return false;
    int part = component(t, m);
    return run_matches(p, first, flags, t, part) &&
           path_matches(p + first + 1, rest, flags, t + part + 1, m - part - 1);
}

static bool whole_matches(const struct elements *p, unsigned flags, const struct elements *t, int m)
{
    return flags & GLOB_PATH ? path_matches(p->e, p->count, flags, t->e, m)
                             : run_matches(p->e, p->count, flags, t->e, m);
}

static bool flat_matches(struct str pattern, unsigned flags, struct str text)
{
    static _Thread_local struct elements p, t;

    p.count = t.count = 0;
    read_pattern(pattern, flags, &p);
    read_text(text, &t);
    if (!(flags & GLOB_PREFIX) || pattern.len == 0)
        return whole_matches(&p, flags, &t, t.count);
    while (p.count && is_slash(p.e[p.count - 1]))
        p.count--;
    for (int end = 0; end <= t.count; end++)
        if ((end == t.count || is_slash(t.e[end])) && whole_matches(&p, flags, &t, end))
            return true;
    return false;
}

/* -- braces ----------------------------------------------------------------- */

/* The next ',' (when asked for) or '}' of this group. */
static size_t find_end(struct str s, size_t i, bool comma)
{
    int depth = 0;

    for (; i < s.len; i++) {
        if (s.s[i] == '\\')
            i++;
        else if (depth == 0 && (s.s[i] == '}' || (comma && s.s[i] == ',')))
            return i;
        else if (s.s[i] == '{')
            depth++;
        else if (s.s[i] == '}')
            depth--;
    }
    return 0;
}

static size_t find_group(struct str s, unsigned flags)
{
    for (size_t i = 0; i < s.len; i++) {
        size_t close = s.s[i] == '[' && !(flags & GLOB_NO_CLASSES) ? close_of(s, i) : 0;
        if (s.s[i] == '\\')
            i++;
        else if (close)
            i = close;
        else if (s.s[i] == '{' && find_end(s, i + 1, false))
            return i;
    }
    return STR_NONE;
}

static bool any_matches(struct str pattern, unsigned flags, struct str text)
{
    size_t open = flags & GLOB_BRACES ? find_group(pattern, flags) : STR_NONE;

    if (open == STR_NONE)
        return flat_matches(pattern, flags, text);
    size_t close = find_end(pattern, open + 1, false);
    for (size_t from = open + 1, end; from <= close; from = end + 1) {
        char with[TWIN_MAX];
        end = find_end(pattern, from, true);
        size_t tail = pattern.len - close - 1;
        memcpy(with, pattern.s, open);
        memcpy(with + open, pattern.s + from, end - from);
        memcpy(with + open + end - from, pattern.s + close + 1, tail);
        if (any_matches((struct str){with, open + end - from + tail}, flags, text))
            return true;
    }
    return false;
}

bool twin_match(struct str pattern, unsigned flags, struct str text)
{
    return pattern.len <= TWIN_MAX && text.len <= TWIN_MAX && any_matches(pattern, flags, text);
}
