#include "lines.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *file;

void lines_open(const char *path)
{
    if (!path)
        return;
    if (path[0] == '-') {
        fprintf(stderr, "%s: there is no such option\n", path);
        exit(64);
    }
    file = fopen(path, "we");
    if (!file) {
        perror(path);
        exit(1);
    }
}

/* The name may be a command with quotes in it. */
static void put(const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void lines_add(const char *bench, const char *who, size_t n, const char *unit, struct measured m)
{
    if (!file)
        return;
    fprintf(file, "{\"bench\": \"%s\", \"who\": ", bench);
    put(who);
    fprintf(file,
            ", \"n\": %zu, \"unit\": \"%s\", \"median\": %.9g, \"low\": %.9g, \"high\": %.9g}\n", n,
            unit, m.median, m.low, m.high);
}

void lines_close(void)
{
    if (file && fclose(file) != 0) {
        perror("bench");
        exit(1);
    }
    file = NULL;
}
