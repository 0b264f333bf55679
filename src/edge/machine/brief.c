#include "machine/brief.h"

#include <fcntl.h>
#include <string.h>

static bool begun;
static struct {
    char *path; /* of the directory; NULL: none is kept */
    int directory;
    char *home; /* likewise */
} kept;

void brief_begin(void)
{
    begun = true;
}

bool brief_is(void)
{
    return begun;
}

int brief_directory(const char *path)
{
    if (!kept.path || strcmp(kept.path, path) != 0)
        return -1;
    return fcntl(kept.directory, F_DUPFD_CLOEXEC, 0);
}

void brief_keep_directory(const char *path, int directory)
{
    if (!begun || kept.path)
        return;
    kept.directory = fcntl(directory, F_DUPFD_CLOEXEC, 0);
    kept.path = kept.directory >= 0 ? strdup(path) : NULL;
}

bool brief_has_home(const char *home)
{
    return kept.home && strcmp(kept.home, home) == 0;
}

void brief_keep_home(const char *home)
{
    if (begun && !kept.home)
        kept.home = strdup(home);
}
