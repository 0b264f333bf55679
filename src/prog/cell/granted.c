#include "cell/granted.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cell/kernel.h"

static bool is_same(const struct stat *socket, int name)
{
    struct stat st;

    return fstat(name, &st) == 0 && st.st_dev == socket->st_dev && st.st_ino == socket->st_ino;
}

int granted_open(const struct plan *plan, const char *path, int name)
{
    for (size_t i = 0; i < plan->sockets.count; i++) {
        struct stat st;
        int fd = kernel_openat2(AT_FDCWD, plan->sockets.items[i].s, O_PATH, RESOLVE_NO_SYMLINKS);
        if (fd >= 0 && fstat(fd, &st) == 0 && S_ISSOCK(st.st_mode) &&
            (strcmp(path, plan->sockets.items[i].s) == 0 || is_same(&st, name)))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}
