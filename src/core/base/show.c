#include "base/show.h"

#include "base/utf8.h"

size_t show_next(struct buf *b, struct str text)
{
    uint32_t cp;
    size_t len = utf8_next(text, 0, &cp);

    if (len == 0)
        buf_format(b, "\\x%02x", (unsigned char)text.s[0]);
    else if (cp == '\n')
        buf_text(b, "\\n");
    else if (cp < 0x20 || cp == 0x7f)
        buf_format(b, "\\x%02x", (unsigned)cp);
    else if (utf8_suspicious_name(cp))
        buf_format(b, "<U+%04X>", (unsigned)cp);
    else
        buf_add(b, str_slice(text, 0, len));
    return len ? len : 1;
}

void show_text(struct buf *b, struct str text)
{
    while (text.len)
        text = str_from_byte(text, show_next(b, text));
}
