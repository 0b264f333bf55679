#include "serve/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/show.h"

#define LINE_ROOM 1024 /* bytes of one; longer ones are cut */

static void write_line(struct buf *out, const void *line)
{
    buf_text(out, "warder serve: ");
    show_text(out, str_from(line));
    buf_byte(out, '\n');
}

void serve_say(const char *format, ...)
{
    struct arena arena;
    struct str text;
    char line[LINE_ROOM];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    arena_init(&arena, (size_t)64 * LINE_ROOM);
    if (buf_try(&arena, write_line, line, &text))
        fputs(text.s, stderr);
    arena_release(&arena);
}
