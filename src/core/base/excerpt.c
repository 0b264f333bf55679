#include "base/excerpt.h"

#include "base/show.h"

#define COLUMNS_MAX 200 /* of a source line that is shown whole */
#define WINDOW      60  /* bytes that are shown before and after the place in a longer one */

size_t text_offset(struct str text, uint32_t line, uint32_t column)
{
    size_t at = 0;

    while (line > 1 && at < text.len)
        if (text.s[at++] == '\n')
            line--;
    at += column ? column - 1 : 0;
    return at < text.len ? at : text.len;
}

static size_t char_start(struct str text, size_t at)
{
    while (at > 0 && at < text.len && ((unsigned char)text.s[at] & 0xc0) == 0x80)
        at--;
    return at;
}

struct excerpt excerpt_at(struct str text, size_t at)
{
    size_t start, end;

    at = at < text.len ? at : text.len;
    for (start = at; start > 0 && text.s[start - 1] != '\n';)
        start--;
    for (end = at; end < text.len && text.s[end] != '\n';)
        end++;
    if (end - start > COLUMNS_MAX) {
        start = at - start > WINDOW ? char_start(text, at - WINDOW) : start;
        end = end - at > WINDOW ? char_start(text, at + WINDOW) : end;
    }
    return (struct excerpt){str_slice(text, start, end), at - start};
}

/* The width of `text` as it is shown. */
static size_t width(struct buf *b, struct str text)
{
    struct buf shown = buf_in(b->arena);
    size_t wide = 0;

    show_text(&shown, text);
    for (size_t i = 0; i < shown.len; i++)
        wide += ((unsigned char)shown.s[i] & 0xc0) != 0x80;
    return wide;
}

static void blanks(struct buf *b, size_t count)
{
    while (count-- > 0)
        buf_byte(b, ' ');
}

void excerpt_show(struct buf *b, size_t indent, const struct excerpt *e, size_t len)
{
    size_t end = len < e->line.len - e->column ? e->column + len : e->line.len;
    size_t wide = width(b, str_slice(e->line, e->column, end));

    blanks(b, indent);
    show_text(b, e->line);
    buf_byte(b, '\n');
    blanks(b, indent + width(b, str_slice(e->line, 0, e->column)));
    for (size_t i = 0; i < (wide ? wide : 1); i++)
        buf_byte(b, i ? '~' : '^');
    buf_byte(b, '\n');
}
