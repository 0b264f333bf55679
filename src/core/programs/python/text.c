/* text.c - Python's strings: their prefixes and escapes. */
#include "base/ascii.h"
#include "programs/python/python.h"

static bool take_prefix(struct literal *l, struct str prefix)
{
    bool plain = false;

    for (size_t i = 0; i < prefix.len; i++) {
        char c = ascii_lower(prefix.s[i]);
        bool again = (c == 'r' && l->raw) || (c == 'b' && l->bytes) || (c == 'f' && l->fields);
        if (again || !strchr("rbfu", c))
            return false;
        l->raw |= c == 'r';
        l->bytes |= c == 'b';
        l->fields |= c == 'f';
        plain |= c == 'u';
    }
    return !(l->bytes && l->fields) && !(plain && prefix.len > 1);
}

static bool is_hex(struct str s, size_t from, size_t count)
{
    for (size_t i = from; i < from + count; i++)
        if (i >= s.len || !strchr("0123456789abcdefABCDEF", s.s[i]))
            return false;
    return true;
}

/* An incomplete escape is a syntax error; the braces of \N{...} are not those of a field. */
static bool escapes_fit(const struct literal *l)
{
    struct str s = l->body;

    for (size_t i = 0; !l->raw && i + 1 < s.len; i++) {
        if (s.s[i] != '\\')
            continue;
        char c = s.s[++i];
        if ((c == 'x' && !is_hex(s, i + 1, 2)) || (!l->bytes && c == 'u' && !is_hex(s, i + 1, 4)) ||
            (!l->bytes && (c == 'U' || c == 'N')))
            return false;
    }
    return true;
}

bool python_literal(struct str written, struct literal *out)
{
    size_t quote = 0;

    *out = (struct literal){0};
    while (quote < written.len && written.s[quote] != '\'' && written.s[quote] != '"')
        quote++;
    struct str rest = str_from_byte(written, quote);
    out->triple = rest.len >= 6 && rest.s[1] == rest.s[0] && rest.s[2] == rest.s[0];
    size_t marks = out->triple ? 3 : 1;
    out->body = str_slice(rest, marks, rest.len - marks);
    return take_prefix(out, str_slice(written, 0, quote)) && escapes_fit(out);
}

/* One escape; `rest` starts after the backslash. Returns its length; 0 if it is not decoded. */
static size_t decode_escape(struct str rest, struct buf *out)
{
    static const char letters[] = "\\'\"nt", meant[] = "\\'\"\n\t";
    const char *at = rest.len ? strchr(letters, rest.s[0]) : NULL;

    if (at && *at) {
        buf_byte(out, meant[at - letters]);
        return 1;
    }
    if (rest.len && rest.s[0] == '\n')
        return 1;
    int value = rest.len >= 3 && rest.s[0] == 'x' ? inline_hex(str_slice(rest, 1, 3)) : -1;
    if (value < ' ' || value >= 0x7f)
        return 0;
    buf_byte(out, (char)value);
    return 3;
}

bool python_decode(struct arena *a, const struct literal *l, struct str *out)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < l->body.len; i++) {
        if (l->body.s[i] != '\\' || l->raw) {
            buf_byte(&b, l->body.s[i]);
            continue;
        }
        size_t taken = decode_escape(str_from_byte(l->body, i + 1), &b);
        if (taken == 0)
            return false;
        i += taken;
    }
    *out = buf_str(&b);
    return true;
}
