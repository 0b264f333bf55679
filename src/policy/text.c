#include "policy/text.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

struct str text_without_mark(struct str text)
{
    return str_starts(text, STR(BYTE_ORDER_MARK)) ? str_from_byte(text, sizeof(BYTE_ORDER_MARK) - 1) : text;
}

bool text_is_scalar_value(uint32_t c)
{
    return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

/* One row per length: the first byte's mark and mask, and the smallest code point that may be written so long. A longer
 * spelling than needed is refused, as RFC 3629 says: otherwise '/' would have four spellings. */
static const struct {
    unsigned char mask, mark;
    uint32_t least;
} lengths[] = {{0x80, 0x00, 0x0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};

size_t text_decode(struct str s, uint32_t *c)
{
    const unsigned char *byte = (const unsigned char *)s.s;

    for (size_t more = 0; s.len > more && more < COUNT(lengths); more++) {
        if ((byte[0] & lengths[more].mask) != lengths[more].mark)
            continue;
        *c = byte[0] & (unsigned char)~lengths[more].mask;
        for (size_t i = 1; i <= more; i++) {
            if ((byte[i] & 0xC0) != 0x80)
                return 0;
            *c = *c << 6 | (byte[i] & 0x3F);
        }
        return *c >= lengths[more].least && text_is_scalar_value(*c) ? more + 1 : 0;
    }
    return 0;
}

size_t text_encode(uint32_t c, char out[4])
{
    size_t more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;

    for (size_t i = more; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)(lengths[more].mark | c);
    return more + 1;
}

static bool is_control(struct str rest, uint32_t c)
{
    if (c == '\r')
        return rest.len < 2 || rest.s[1] != '\n';
    return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
}

enum status text_check(struct str text, bool (*refused)(uint32_t c), struct error *err)
{
    uint32_t line = 1;
    size_t line_start = 0;

    if (text.len > POLICY_TEXT_MAX)
        return fail_at(err, STATUS_LIMIT, 1, 1, "the file is larger than %zu bytes", POLICY_TEXT_MAX);
    for (size_t at = 0, len; at < text.len; at += len) {
        struct str rest = str_from_byte(text, at);
        uint32_t c, column = (uint32_t)(at - line_start) + 1;

        len = text_decode(rest, &c);
        if (len == 0)
            return fail_at(err, STATUS_SYNTAX, line, column, "byte 0x%02X is not part of valid UTF-8",
                           (unsigned char)rest.s[0]);
        if (is_control(rest, c) || (refused && refused(c)))
            return fail_at(err, STATUS_SYNTAX, line, column, "the character U+%04X may not stand in this file", c);
        if (c == '\n') {
            line++;
            line_start = at + 1;
        }
    }
    return STATUS_OK;
}
