#include "ask/keys.h"

#include <stdint.h>

#include "base/utf8.h"

#define SEQUENCE_MAX 16 /* bytes of an escape sequence; a longer one is not a key */

static const struct {
    const char *bytes; /* after ESC */
    enum key key;
} sequences[] = {
    {"[A", KEY_UP},           {"[B", KEY_DOWN}, {"[C", KEY_RIGHT},   {"[D", KEY_LEFT},
    {"[H", KEY_HOME},         {"[F", KEY_END},  {"[1~", KEY_HOME},   {"[4~", KEY_END},
    {"[7~", KEY_HOME},        {"[8~", KEY_END}, {"[3~", KEY_DELETE}, {"[5~", KEY_PAGE_UP},
    {"[6~", KEY_PAGE_DOWN},   {"OA", KEY_UP},   {"OB", KEY_DOWN},    {"OC", KEY_RIGHT},
    {"OD", KEY_LEFT},         {"OH", KEY_HOME}, {"OF", KEY_END},     {"[200~", KEY_PASTE_BEGIN},
    {"[201~", KEY_PASTE_END},
};

static const enum key controls[0x20] = {
    [0x01] = KEY_HOME,  [0x02] = KEY_LEFT,       [0x04] = KEY_EOF,       [0x05] = KEY_END,
    [0x06] = KEY_RIGHT, [0x07] = KEY_ESCAPE,     [0x08] = KEY_BACKSPACE, [0x09] = KEY_TAB,
    [0x0a] = KEY_ENTER, [0x0b] = KEY_KILL_RIGHT, [0x0d] = KEY_ENTER,     [0x0e] = KEY_DOWN,
    [0x10] = KEY_UP,    [0x15] = KEY_KILL_LEFT,  [0x17] = KEY_KILL_WORD,
};

/* The length of the sequence after ESC; 0 if it is incomplete. Parameters, then one final byte. */
static size_t sequence_length(struct str rest)
{
    size_t at = 1;

    if (rest.s[0] == 'O')
        return rest.len > 1 ? 2 : 0;
    while (at < rest.len && at < SEQUENCE_MAX && (unsigned char)rest.s[at] < 0x40)
        at++;
    return at < rest.len ? at + 1 : 0;
}

/* ESC by itself is a key, too, if nothing follows it in what was read. */
static enum key escape(struct str *bytes)
{
    struct str rest = str_from_byte(*bytes, 1);

    if (rest.len == 0 || (rest.s[0] != '[' && rest.s[0] != 'O')) {
        *bytes = rest;
        return KEY_ESCAPE;
    }
    size_t len = sequence_length(rest);
    if (len == 0)
        return KEY_NONE;
    *bytes = str_from_byte(rest, len);
    for (size_t i = 0; i < COUNT(sequences); i++)
        if (str_is(str_slice(rest, 0, len), sequences[i].bytes))
            return sequences[i].key;
    return KEY_OTHER;
}

/* A character whose last bytes have not arrived yet. */
static bool is_incomplete(struct str s)
{
    unsigned char lead = (unsigned char)s.s[0];
    size_t want = lead >= 0xf5 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 1;

    for (size_t i = 1; i < s.len && i < want; i++)
        if (((unsigned char)s.s[i] & 0xc0) != 0x80)
            return false;
    return s.len < want;
}

enum key key_next(struct str *bytes, struct str *text)
{
    uint32_t cp;

    *text = (struct str){"", 0};
    if (bytes->len == 0)
        return KEY_NONE;
    unsigned char c = (unsigned char)bytes->s[0];
    if (c == 0x1b)
        return escape(bytes);
    if (c < 0x20 || c == 0x7f) {
        *bytes = str_from_byte(*bytes, 1);
        return c == 0x7f ? KEY_BACKSPACE : controls[c] ? controls[c] : KEY_OTHER;
    }
    size_t len = utf8_next(*bytes, 0, &cp);
    if (len == 0 && is_incomplete(*bytes))
        return KEY_NONE;
    *text = str_slice(*bytes, 0, len);
    *bytes = str_from_byte(*bytes, len ? len : 1);
    return len && !utf8_suspicious_name(cp) ? KEY_TEXT : KEY_OTHER;
}
