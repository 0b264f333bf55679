#include "programs/readers/inline.h"

#include "base/ascii.h"
#include "base/path.h"

void inline_add(struct reading *r, size_t word, struct str path, struct touch how, bool known)
{
    add_path(r, (struct piece){.word = word, .text = path, .known = known}, how.access, how.deep);
    if (r->out->paths.count)
        r->out->paths.items[r->out->paths.count - 1].names = how.names;
}

void inline_add_unknown(struct reading *r, size_t word, struct touch how)
{
    inline_add(r, word, WORD_UNKNOWN_STR, how, false);
}

void inline_add_text(struct reading *r, size_t word, struct str path, struct touch how)
{
    if (path.len && (path.s[0] == '~' || path.s[0] == '-'))
        path = path_join(r->arena, STR("."), path);
    if (path.len && !path_has_nul(path))
        inline_add(r, word, path, how, true);
    else
        inline_add_unknown(r, word, how);
}

int inline_hex(struct str digits)
{
    int value = 0;

    for (size_t i = 0; i < digits.len; i++) {
        char c = ascii_lower(digits.s[i]);
        if (!ascii_is_digit(c) && (c < 'a' || c > 'f'))
            return -1;
        value = value * 16 + (ascii_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return value;
}
