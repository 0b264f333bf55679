/* show.c - small pieces of text that several outputs share. */
#include "base/utf8.h"
#include "lib/engine.h"

void show_text(struct buf *b, struct str text)
{
    for (size_t at = 0; at < text.len;) {
        uint32_t cp;
        size_t len = utf8_next(text, at, &cp);
        if (len == 0) {
            buf_format(b, "\\x%02x", (unsigned char)text.s[at++]);
            continue;
        }
        if (cp == '\n')
            buf_text(b, "\\n");
        else if (cp < 0x80 && (cp < 0x20 || cp == 0x7f))
            buf_format(b, "\\x%02x", (unsigned)cp);
        else if (utf8_suspicious_name(cp))
            buf_format(b, "<U+%04X>", (unsigned)cp);
        else
            buf_add(b, str_slice(text, at, at + len));
        at += len;
    }
}

struct str rule_place(struct arena *a, const struct rule *r)
{
    if (r->file.len)
        return str_format(a, "%.*s:%u:%u", STR_ARG(r->file), r->line, r->column);
    return str_from(source_name(r->source));
}
