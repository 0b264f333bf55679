#include "machine/age.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/world.h"
#include "machine/local.h"

/* statfs() would follow the link, so ask about the directory that contains it. */
static bool is_on_local(const char *path)
{
    char directory[WORLD_PATH_MAX];
    const char *slash = strrchr(path, '/');

    if (!slash || (size_t)(slash - path) >= sizeof(directory))
        return false;
    memcpy(directory, path, (size_t)(slash - path));
    directory[slash - path] = '\0';
    return local_keeps_times(slash == path ? "/" : directory);
}

bool age_is_old(const char *path, bool link, int64_t since)
{
    struct stat st;

    if (lstat(path, &st) != 0 || (link ? !S_ISLNK(st.st_mode) : !S_ISREG(st.st_mode)))
        return false;
    return (int64_t)st.st_ctim.tv_sec + AGE_MARGIN <= since &&
           (link ? is_on_local(path) : local_keeps_times(path));
}

int64_t age_now(void)
{
    struct timespec now = {0};

    (void)clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
