/* text.c - JavaScript's strings: their escapes. */
#include "base/ascii.h"
#include "programs/javascript/javascript.h"

/* \xHH and \uHHHH; \u{...} is refused. 0 if it is incomplete. */
static size_t decode_number(struct str rest, struct buf *out, bool *known)
{
    size_t count = rest.s[0] == 'x' ? 2 : 4;
    int value = rest.len > count ? inline_hex(str_slice(rest, 1, 1 + count)) : -1;

    if (value < 0)
        return 0;
    if (value < ' ' || value >= 0x7f)
        *known = false;
    else
        buf_byte(out, (char)value);
    return 1 + count;
}

/* One escape; `rest` starts after the backslash. Returns its length; 0 if some mode rejects it. */
static size_t decode_escape(struct str rest, struct buf *out, bool *known)
{
    static const char letters[] = "\\'\"`$/nt", meant[] = "\\'\"`$/\n\t";
    const char *at = rest.len ? strchr(letters, rest.s[0]) : NULL;

    if (rest.len == 0)
        return 0;
    if (at && *at) {
        buf_byte(out, meant[at - letters]);
        return 1;
    }
    if (rest.s[0] == '\n')
        return 1;
    if (rest.s[0] == 'x' || rest.s[0] == 'u')
        return decode_number(rest, out, known);
    *known = false;
    bool nul = rest.s[0] == '0' && (rest.len == 1 || !ascii_is_digit(rest.s[1]));
    return ascii_is_digit(rest.s[0]) && !nul
               ? 0
               : 1; /* octal escapes, \8 and \9 are errors in strict mode */
}

bool js_decode(struct arena *a, struct str body, struct str *out, bool *bad)
{
    struct buf b = buf_in(a);
    bool known = true;

    for (size_t i = 0; i < body.len; i++) {
        if (body.s[i] != '\\') {
            buf_byte(&b, body.s[i]);
            continue;
        }
        size_t taken = decode_escape(str_from_byte(body, i + 1), &b, &known);
        if (taken == 0) {
            *bad = true;
            return false;
        }
        i += taken;
    }
    *out = buf_str(&b);
    return known;
}
