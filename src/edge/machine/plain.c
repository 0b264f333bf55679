#include "machine/plain.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/openat2.h"

size_t plain_directory(const char *path, size_t *count)
{
    size_t len = 0, at = 0;

    *count = 0;
    while (path[at] == '/') {
        const char *name = path + at + 1;
        size_t name_len = (size_t)(strchrnul(name, '/') - name);
        if (name_len == 0 ||
            (name[0] == '.' && (name_len == 1 || (name_len == 2 && name[1] == '.'))))
            return 0;
        len = at;
        at += 1 + name_len;
        *count += path[at] == '/';
    }
    return len;
}

/* Without O_NOFOLLOW: with O_PATH that would open a link at the end. */
static bool can_open(const char *path, unsigned flags)
{
    int fd = openat2_resolved(AT_FDCWD, path, O_PATH | flags, RESOLVE_NO_SYMLINKS);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool plain_is(const char *path)
{
    return can_open(path, 0);
}

bool plain_is_directory(const char *path)
{
    return can_open(path, O_DIRECTORY);
}

bool plain_real_path(const char *path, char out[PATH_MAX])
{
    size_t count, len = strlen(path);

    if (len >= PATH_MAX || !plain_directory(path, &count) || !plain_is(path))
        return realpath(path, out) != NULL;
    memcpy(out, path, len + 1);
    return true;
}
