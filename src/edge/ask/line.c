#include "ask/line.h"

#include <string.h>

#include "ask/panel.h"
#include "base/utf8.h"

bool line_set(struct line *l, struct str text)
{
    l->len = l->cursor = 0;
    if (text.len > sizeof(l->text))
        return false;
    if (text.len)
        memcpy(l->text, text.s, text.len);
    l->len = l->cursor = text.len;
    return true;
}

struct str line_text(const struct line *l)
{
    return (struct str){l->text, l->len};
}

static size_t before(const struct line *l, size_t at)
{
    while (at > 0 && ((unsigned char)l->text[--at] & 0xc0) == 0x80)
        ;
    return at;
}

static size_t after(const struct line *l, size_t at)
{
    uint32_t cp;
    size_t len = utf8_next(line_text(l), at, &cp);

    return at < l->len ? at + (len ? len : 1) : at;
}

static size_t word_before(const struct line *l)
{
    size_t at = l->cursor;

    while (at > 0 && l->text[at - 1] == ' ')
        at--;
    while (at > 0 && l->text[at - 1] != ' ')
        at--;
    return at;
}

static bool erase(struct line *l, size_t from, size_t to)
{
    memmove(l->text + from, l->text + to, l->len - to);
    l->len -= to - from;
    l->cursor = from;
    return to > from;
}

static bool insert(struct line *l, struct str text)
{
    if (text.len > sizeof(l->text) - l->len)
        return false;
    memmove(l->text + l->cursor + text.len, l->text + l->cursor, l->len - l->cursor);
    memcpy(l->text + l->cursor, text.s, text.len);
    l->len += text.len;
    l->cursor += text.len;
    return true;
}

static bool move(struct line *l, size_t to)
{
    bool moves = l->cursor != to;

    l->cursor = to;
    return moves;
}

bool line_key(struct line *l, enum key key, struct str text)
{
    switch (key) {
    case KEY_TEXT:
        return insert(l, text);
    case KEY_BACKSPACE:
        return erase(l, before(l, l->cursor), l->cursor);
    case KEY_DELETE:
    case KEY_EOF:
        return erase(l, l->cursor, after(l, l->cursor));
    case KEY_KILL_LEFT:
        return erase(l, 0, l->cursor);
    case KEY_KILL_RIGHT:
        return erase(l, l->cursor, l->len);
    case KEY_KILL_WORD:
        return erase(l, word_before(l), l->cursor);
    case KEY_LEFT:
        return move(l, before(l, l->cursor));
    case KEY_RIGHT:
        return move(l, after(l, l->cursor));
    case KEY_HOME:
        return move(l, 0);
    case KEY_END:
        return move(l, l->len);
    case KEY_NONE:
    case KEY_ENTER:
    case KEY_TAB:
    case KEY_ESCAPE:
    case KEY_UP:
    case KEY_DOWN:
    case KEY_PAGE_UP:
    case KEY_PAGE_DOWN:
    case KEY_PASTE_BEGIN:
    case KEY_PASTE_END:
    case KEY_OTHER:
        break;
    }
    return false;
}

/* Goes back from the cursor by three quarters of the width, so that some text after it is visible,
 * too. */
static size_t window_start(struct arena *a, const struct line *l, size_t width, bool ascii,
                           size_t *column)
{
    struct buf ignored = buf_in(a);
    size_t at = l->cursor, used = 0, most = width - width / 4;

    while (at > 0) {
        size_t columns, previous = before(l, at);
        ignored.len = 0;
        panel_show_next(&ignored, str_from_byte(line_text(l), previous), ascii, &columns);
        if (used + columns > most)
            break;
        used += columns;
        at = previous;
    }
    *column = used;
    return at;
}

struct str line_show(struct arena *a, const struct line *l, size_t width, bool ascii,
                     size_t *column)
{
    size_t start = window_start(a, l, width, ascii, column), used = 0;
    struct str rest = str_from_byte(line_text(l), start);
    struct buf b = buf_in(a);

    while (rest.len) {
        size_t columns, before_it = b.len;
        size_t len = panel_show_next(&b, rest, ascii, &columns);
        if (used + columns > width) {
            b.len = before_it;
            break;
        }
        used += columns;
        rest = str_from_byte(rest, len);
    }
    return buf_str(&b);
}

struct str line_draw(struct arena *a, const struct line *l, const char *label, size_t width,
                     bool ascii)
{
    size_t front = strlen(label), column;
    size_t left = width > 2 * (front + 1) ? width - front - 1 : front + 1;
    struct str shown = line_show(a, l, left, ascii, &column);

    return str_format(a, "\r%s%.*s\033[K\r\033[%zuC", label, STR_ARG(shown), front + column);
}
