#include "cli/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define CHUNK ((size_t)64 * 1024)

void lines_init(struct lines *l, int fd, size_t max)
{
    *l = (struct lines){.fd = fd, .max = max};
}

void lines_release(struct lines *l)
{
    free(l->line);
    free(l->chunk);
    *l = (struct lines){.fd = -1};
}

/* Returns as soon as anything can be read: the caller may wait for the answer to a line before it
 * sends the next one. */
static enum lines_answer refill(struct lines *l)
{
    ssize_t got;

    if (!l->chunk && !(l->chunk = malloc(CHUNK)))
        return LINES_FAILED;
    do {
        got = read(l->fd, l->chunk, CHUNK);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return LINES_FAILED;
    l->at = 0;
    l->len = (size_t)got;
    return got > 0 ? LINES_LINE : LINES_END;
}

/* Appends to a line of `len` bytes what its limit leaves room for. Returns the new length, or
 * STR_NONE. */
static size_t keep(struct lines *l, size_t len, struct str part)
{
    size_t room = l->room ? l->room : CHUNK;

    if (part.len > l->max + 1 - len)
        part.len = l->max + 1 - len;
    while (room < len + part.len)
        room *= 2;
    if (room != l->room) {
        char *line = realloc(l->line, room);
        if (!line)
            return STR_NONE;
        l->line = line;
        l->room = room;
    }
    if (part.len)
        memcpy(l->line + len, part.s, part.len);
    return len + part.len;
}

enum lines_answer lines_next(struct lines *l, struct str *out)
{
    size_t len = 0;
    bool ended = false, began = false;

    while (!ended) {
        if (l->at == l->len) {
            enum lines_answer answer = refill(l);
            if (answer == LINES_END && began)
                break;
            if (answer != LINES_LINE)
                return answer;
        }
        struct str rest = {l->chunk + l->at, l->len - l->at}, part, after;
        began = true;
        ended = str_cut(rest, '\n', &part, &after);
        l->at += part.len + (ended ? 1 : 0);
        len = keep(l, len, part);
        if (len == STR_NONE)
            return LINES_FAILED;
    }
    *out = (struct str){l->line, len};
    return LINES_LINE;
}
