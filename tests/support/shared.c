#include "support/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static const char *root(void)
{
    const char *set = getenv("WARDER_SOURCE");

    return set ? set : ".";
}

const char *shared_path(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof(path), "%s/../shared/%s", root(), name);
    if (access(path, R_OK) == 0)
        return path;
    printf("SKIPPED: ../shared/%s is not here\n", name);
    return NULL;
}

const char *source_path(const char *name)
{
    static char path[4096];

    snprintf(path, sizeof(path), "%s/%s", root(), name);
    return path;
}

char *read_whole_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");

    if (!f)
        fail_msg("cannot open %s", path);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, f) != (size_t)size)
        fail_msg("cannot read %s", path);
    fclose(f);
    text[size] = '\0';
    *len = (size_t)size;
    return text;
}
