#include "document/toml_scan.h"

#include <stdarg.h>
#include <stdio.h>

void scan_skip(struct scan *s, size_t count)
{
    for (; count > 0; count--) {
        if (s->text.s[s->at++] != '\n')
            continue;
        s->line++;
        s->line_start = s->at;
    }
}

bool scan_accept(struct scan *s, char c)
{
    if (scan_peek(s) != c)
        return false;
    scan_skip(s, 1);
    return true;
}

void scan_blanks(struct scan *s)
{
    while (scan_peek(s) == ' ' || scan_peek(s) == '\t')
        scan_skip(s, 1);
}

bool scan_at_newline(const struct scan *s)
{
    return scan_peek(s) == '\n' ||
           scan_peek(s) == '\r'; /* text_check() made sure that a line feed follows */
}

bool scan_newline(struct scan *s)
{
    if (!scan_at_newline(s))
        return false;
    scan_skip(s, scan_peek(s) == '\r' ? 2 : 1);
    return true;
}

void scan_refuse(struct scan *s, struct position place, enum status status, const char *format, ...)
{
    va_list args;

    if (!scan_refused(s)) {
        s->error = (struct error){.status = status, .line = place.line, .column = place.column};
        va_start(args, format);
        vsnprintf(s->error.message, sizeof(s->error.message), format, args);
        va_end(args);
    }
    s->at = s->text.len;
}
