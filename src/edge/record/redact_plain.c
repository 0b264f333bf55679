/* redact_plain.c - commands that need not be parsed as shell: the scan of the text alone finds
 * every secret.
 *
 * Nearly all commands are plain, and parsing takes most of the time. Words and arguments show more
 * than the text only by
 *
 *  - quoting, which joins bytes that are apart in the text. So next to a quote there must be a byte
 *    that no scan joins to anything, and there must be no backslash, dollar, backtick or control
 *    character, and no bracket inside a word (process substitutions, extended globs, arrays), where
 *    the parser may give up and take half a word;
 *
 *  - the name of a secret or of a header, after which other rules apply inside a word;
 *
 *  - a program or a word of the tables;
 *
 *  - a user in a URL, which ends at a different place in a word than in the text.
 *
 * Without all of these each word is a part of the text between two bytes that end every token, and
 * scanning it again finds the same. In doubt a text is not plain. */
#include "base/ascii.h"
#include "record/redact_parts.h"
#include "record/redact_rows.h"

/* tools/gen/make_redact_index.c writes it while Warder is built; a build without it takes each word
 * for a possible one. */
#if __has_include("redact_index.inc")
#include "redact_index.inc"

unsigned redact_roles(uint32_t hash)
{
    uint16_t slot = role_table[redact_slot(hash)], rest = (uint16_t)(slot & ~(unsigned)ROLES);

    return rest && rest != redact_rest(hash) ? 0 : slot & ROLES;
}

static bool may_end_key(char before, char last)
{
    return ascii_is_letter(before) && ascii_is_letter(last) &&
           letters_before[ascii_lower(last) - 'a'] >> (ascii_lower(before) - 'a') & 1;
}

#else

unsigned redact_roles(uint32_t hash)
{
    (void)hash;
    return ROLE_ALONE | ROLE_WITH | ROLE_WORD | ROLE_SETTER;
}

static bool may_end_key(char before, char last)
{
    return ascii_is_letter(before) && ascii_is_letter(last);
}

#endif

/* The ends of the text count as bytes that nothing is joined to. */
static bool stands_apart(struct str text, size_t at)
{
    return at == 0 || at + 1 == text.len || !redact_in_charset(CHARS_TOKEN, text.s[at - 1]) ||
           !redact_in_charset(CHARS_TOKEN, text.s[at + 1]);
}

/* May the byte here join, hide or change its neighbours? */
static bool is_opaque(struct str text, size_t at)
{
    char c = text.s[at];

    switch (c) {
    case '\\':
    case '$':
    case '`':
        return true;
    case '"':
    case '\'':
        return !stands_apart(text, at);
    case '(':
        return at > 0 && strchr("<>=?*+@!", text.s[at - 1]);
    case '[':
        return at > 0 && redact_in_charset(CHARS_WORD, text.s[at - 1]);
    default:
        return ascii_is_control(c) && c != '\t' && c != '\n';
    }
}

/* A letter followed by another of the same case does not end a word. */
static bool ends_word(char c, char next)
{
    return !(ascii_is_letter(next) && ascii_is_upper(c) == ascii_is_upper(next));
}

/* Reads the word that begins at *at. False if it is the name of a secret. */
static bool take_word(struct str text, size_t *at, unsigned *roles)
{
    size_t from = *at, to = from;
    uint32_t hash = REDACT_HASH;

    for (; to < text.len && redact_in_charset(CHARS_WORD, text.s[to]); to++) {
        hash = redact_hash(hash, text.s[to]);
        if (to > from && may_end_key(text.s[to - 1], text.s[to]) &&
            ends_word(text.s[to], to + 1 < text.len ? text.s[to + 1] : ' ') &&
            redact_ends_key(str_slice(text, from, to + 1)))
            return false;
    }
    if (to == text.len || text.s[to] != ':') /* https:// is not the program https */
        *roles |= redact_roles(hash);
    *at = to;
    return true;
}

bool redact_is_plain(struct str text)
{
    bool url = false, sign = false;
    unsigned roles = 0;

    if (text.len > REDACT_PLAIN_MAX)
        return false;
    for (size_t i = 0; i < text.len;) {
        char c = text.s[i];
        if (redact_in_charset(CHARS_WORD, c)) {
            if (!take_word(text, &i, &roles))
                return false;
            continue;
        }
        if (is_opaque(text, i))
            return false;
        url |= c == ':' && str_starts(str_from_byte(text, i), STR("://"));
        sign |= c == '@';
        i++;
    }
    return !(roles & ROLE_ALONE) && !((roles & ROLE_WITH) && (roles & ROLE_WORD)) && !(url && sign);
}
