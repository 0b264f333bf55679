#include "facts/host.h"

#include "base/ascii.h"

/* Blocks of Unicode, by the first bytes of a character, in which no character folds to an ASCII
 * letter, a dot or nothing: Latin, Greek, Cyrillic and so on up to U+0FFF, U+1E00 for Vietnamese,
 * kana, hanzi, hangul. */
static bool is_plain_letter(unsigned char first, unsigned char second)
{
    if (first == 0xc5)
        return second != 0xbf; /* long s folds to s */
    if (first == 0xe1)
        return second < 0xb4 || (second > 0xb7 && second < 0xbe);
    if (first == 0xe3)
        return second > 0x80 && second < 0x88;
    return (first >= 0xc3 && first <= 0xc8) || (first >= 0xcd && first <= 0xe0) ||
           (first >= 0xe4 && first <= 0xed);
}

static bool is_digits(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.s[i]))
            return false;
    return s.len > 0;
}

/* A host whose last part is a number is an address: four decimal numbers, or another spelling. */
static bool is_odd_address(struct str host)
{
    struct str part, rest = host;
    size_t parts = 0;
    bool decimal = true;

    do {
        str_cut(rest, '.', &part, &rest);
        decimal &= is_digits(part) && part.len <= 3 && (part.len == 1 || part.s[0] != '0');
        parts++;
    } while (rest.len);
    return (is_digits(part) || str_starts(part, STR("0x"))) && !(decimal && parts == 4);
}

bool host_is_plain(struct str host)
{
    if (str_starts(host, STR("[")))
        return !str_has(host, '.') && !str_contains(host, STR("ffff:"));
    for (size_t i = 0; i < host.len; i++) {
        unsigned char c = (unsigned char)host.s[i];
        bool rest = c >= 0x80 && c < 0xc0; /* a continuation byte: its first byte was checked */
        if (c < 0x80
                ? !ascii_is_alnum(host.s[i]) && !strchr("-._", host.s[i])
                : !rest && !(i + 1 < host.len && is_plain_letter(c, (unsigned char)host.s[i + 1])))
            return false;
    }
    return !is_odd_address(host);
}

bool host_is_loopback(struct str host)
{
    return str_is(host, "localhost") || str_is(host, "127.0.0.1") || str_is(host, "[::1]");
}
