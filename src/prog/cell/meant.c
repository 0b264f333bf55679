#include "cell/meant.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/auto.h"
#include "base/path.h"

#define OWN_PROCESS "/proc/self/"
#define SHARED_ROOM "/dev/shm" /* that every cell can write */

static int open_base(const struct seccomp_notif *call, int directory, int flags)
{
    char link[64];

    if (directory == AT_FDCWD)
        (void)snprintf(link, sizeof(link), "/proc/%u/cwd", call->pid);
    else
        (void)snprintf(link, sizeof(link), "/proc/%u/fd/%d", call->pid, directory);
    return open(link, O_PATH | O_CLOEXEC | flags);
}

/* The caller's own entry in /proc is another one than ours. */
static int open_own(const struct seccomp_notif *call, const char *below, int flags)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof(path), "/proc/%u/%s", call->pid, below) >= (int)sizeof(path)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, O_PATH | O_CLOEXEC | flags);
}

int meant_open(const struct seccomp_notif *call, int directory, const char *text, int flags)
{
    if (!text[0])
        return open_base(call, directory, 0);
    if (strncmp(text, OWN_PROCESS, strlen(OWN_PROCESS)) == 0)
        return open_own(call, text + strlen(OWN_PROCESS), flags);
    const bool absolute = text[0] == '/';
    AUTO_CLOSE int base =
        absolute ? open_own(call, "root", O_DIRECTORY) : open_base(call, directory, O_DIRECTORY);
    return base < 0 ? -1
                    : kernel_openat2(base, text, (uint64_t)(O_PATH | flags),
                                     RESOLVE_NO_MAGICLINKS | (absolute ? RESOLVE_IN_ROOT : 0));
}

bool meant_path(int fd, char out[PATH_MAX])
{
    char link[64];

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, out, PATH_MAX - 1);
    if (len <= 0)
        return false;
    out[len] = '\0';
    return out[0] == '/';
}

bool meant_is_writable(const struct answers *a, int fd)
{
    char text[PATH_MAX];

    if (!meant_path(fd, text))
        return false;
    struct str path = str_from(text);
    if (plan_can_write(a->plan, path) || path_is_inside(path, STR(SHARED_ROOM)))
        return true;
    report_refusal(a->report, REFUSED_WRITE, path);
    return false;
}
