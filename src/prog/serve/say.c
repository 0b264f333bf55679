#include "serve/say.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/show.h"

#define LINE_ROOM 1024 /* bytes of one; longer ones are cut */

struct line_copy {
    struct arena arena;
    const char *line;
};

static void print(void *arg)
{
    struct line_copy *s = arg;
    struct buf out = buf_in(&s->arena);

    buf_text(&out, "warder serve: ");
    show_text(&out, str_from(s->line));
    buf_byte(&out, '\n');
    fputs(buf_str(&out).s, stderr);
}

void serve_say(const char *format, ...)
{
    struct line_copy s;
    char line[LINE_ROOM];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    s.line = line;
    arena_init(&s.arena, (size_t)64 * LINE_ROOM);
    (void)arena_try(&s.arena, print, &s);
    arena_release(&s.arena);
}
