#include "support/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/shared.h"

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool scene_wanted(const char *file, size_t line)
{
    static char *wanted;
    const char *list = getenv("WARDER_SCENES");
    char text[256];
    size_t len;

    if (!list)
        return true;
    if (!wanted)
        wanted = read_whole_file(list, &len);
    snprintf(text, sizeof(text), "%s:%zu\n", base_name(file), line);
    for (const char *at = wanted; (at = strstr(at, text)) != NULL; at++)
        if (at == wanted || at[-1] == '\n')
            return true;
    return false;
}

void scene_ended(const char *file, size_t line)
{
    const char *reached = getenv("WARDER_REACHED");
    FILE *f = reached ? fopen(reached, "r+b") : NULL;

    if (!f)
        return;
    printf("scene %s:%zu", base_name(file), line);
    for (int c, mutant = 0; (c = fgetc(f)) != EOF; mutant++)
        if (c) {
            printf(" %d", mutant);
            fseek(f, -1, SEEK_CUR);
            fputc(0, f);
            fflush(f);
        }
    printf("\n");
    fclose(f);
}
