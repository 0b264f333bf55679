#include "support/lock_parts.h"

#include <stdlib.h>
#include <string.h>

#include "support/shared.h"

#define MIX 0x9e3779b97f4a7c15u

struct dice lock_dice(uint64_t hash, uint64_t time)
{
    return (struct dice){(hash ^ (time + 1) * MIX) | 1};
}

void lock_add_command(struct arena *a, struct lock_texts *out, struct str text)
{
    LIST_PUSH(a, out, lock_text_of(STR("Bash"), text));
}

static struct str unescaped(struct arena *a, struct str line)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < line.len; i++) {
        const char *next = line.s + i + 1;
        if (line.s[i] != '\\' || i + 1 == line.len) {
            buf_byte(&b, line.s[i]);
        } else if (*next == 'x') {
            const char digits[] = {next[1], next[2], '\0'};
            buf_byte(&b, (char)strtoul(digits, NULL, 16));
            i += 3;
        } else if (*next == '\\' || *next == 'n' || *next == 't') {
            buf_byte(&b, *next == 'n' ? '\n' : *next == 't' ? '\t' : '\\');
            i++;
        } else {
            buf_byte(&b, '\\');
        }
    }
    return buf_str(&b);
}

void lock_lines_read(struct arena *a, const char *path, struct strs *out)
{
    size_t len;
    char *whole = read_whole_file(source_path(path), &len);
    struct str rest = str_copy(a, (struct str){whole, len}), line;

    free(whole);
    while (rest.len) {
        str_cut(rest, '\n', &line, &rest);
        LIST_PUSH(a, out, unescaped(a, line));
    }
}

static struct {
    struct arena arena;
    struct strs list;
} pieces;

static void read_pieces(void *unused)
{
    (void)unused;
    lock_lines_read(&pieces.arena, "tests/lock/pieces.txt", &pieces.list);
}

const struct strs *lock_pieces(void)
{
    if (pieces.list.count)
        return &pieces.list;
    arena_init(&pieces.arena, 1 << 20);
    if (!arena_try(&pieces.arena, read_pieces, NULL))
        abort();
    return &pieces.list;
}

struct str lock_put(struct arena *a, struct str text, size_t at, size_t gone, struct str part)
{
    return str_format(a, "%.*s%.*s%.*s", STR_ARG(str_slice(text, 0, at)), STR_ARG(part),
                      STR_ARG(str_from_byte(text, at + gone)));
}

struct str lock_word(struct str text, struct dice *d)
{
    size_t from = dice_below(d, text.len + 1), to;

    while (from > 0 && text.s[from - 1] != ' ')
        from--;
    for (to = from; to < text.len && text.s[to] != ' '; to++)
        ;
    return str_slice(text, from, to);
}

static void add_quoted(struct buf *b, struct str text)
{
    buf_byte(b, '\'');
    for (size_t i = 0; i < text.len; i++)
        if (text.s[i] == '\'')
            buf_text(b, "'\\''");
        else
            buf_byte(b, text.s[i]);
    buf_byte(b, '\'');
}

struct str lock_quoted(struct arena *a, struct str text)
{
    struct buf b = buf_in(a);

    add_quoted(&b, text);
    return buf_str(&b);
}

struct str lock_filled(struct arena *a, struct str form, char mark, struct str part)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < form.len; i++)
        if (form.s[i] == mark)
            buf_add(&b, part);
        else
            buf_byte(&b, form.s[i]);
    return buf_str(&b);
}
