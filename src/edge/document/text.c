#include "document/text.h"

#include "base/utf8.h"

#define BYTE_ORDER_MARK "\xEF\xBB\xBF"

struct str text_without_mark(struct str text)
{
    return str_starts(text, STR(BYTE_ORDER_MARK)) ? str_from_byte(text, sizeof(BYTE_ORDER_MARK) - 1)
                                                  : text;
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
        return fail_at(err, STATUS_LIMIT, 1, 1, "the file is larger than %zu bytes",
                       POLICY_TEXT_MAX);
    for (size_t at = 0, len; at < text.len; at += len) {
        struct str rest = str_from_byte(text, at);
        uint32_t c, column = (uint32_t)(at - line_start) + 1;

        len = utf8_next(text, at, &c);
        if (len == 0)
            return fail_at(err, STATUS_SYNTAX, line, column,
                           "byte 0x%02X is not part of valid UTF-8", (unsigned char)text.s[at]);
        if (is_control(rest, c) || (refused && refused(c)))
            return fail_at(err, STATUS_SYNTAX, line, column,
                           "the character U+%04X is not allowed in this file", c);
        if (c == '\n') {
            line++;
            line_start = at + 1;
        }
    }
    return STATUS_OK;
}
