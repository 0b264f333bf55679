#include "machine/brief.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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

void brief_end(void)
{
    begun = false;
    free(kept.path);
    free(kept.home);
    kept.path = kept.home = NULL;
}

int brief_look_from(const char *path)
{
    return kept.path && strcmp(kept.path, path) == 0 ? kept.directory : -1;
}

/* musl's fcntl() would set the flag a second time. */
static int again(int directory)
{
    return (int)syscall(SYS_fcntl, directory, F_DUPFD_CLOEXEC, 0);
}

int brief_directory(const char *path)
{
    const int directory = brief_look_from(path);

    return directory < 0 ? -1 : again(directory);
}

void brief_keep_directory(const char *path, int directory)
{
    if (!begun || kept.path)
        return;
    kept.directory = again(directory);
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
