#include "machine/own.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/brief.h"

enum status own_make_directory(const char *path, struct error *err)
{
    char part[PATH_MAX];
    size_t len = strlen(path);

    if (len >= sizeof(part))
        return fail(err, STATUS_LIMIT, "the path is too long: %.100s...", path);
    if (len && (mkdir(path, S_IRWXU) == 0 || errno == EEXIST))
        return STATUS_OK; /* the usual case: it exists */
    for (size_t i = 1; len && i <= len; i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, S_IRWXU) < 0 && errno != EEXIST)
            return fail(err, STATUS_IO, "cannot create %s: %s", part, strerror(errno));
    }
    return STATUS_OK;
}

enum status own_open_directory_at(int parent, const char *name, int *out, struct error *err)
{
    struct stat st;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW), why = errno;

    *out = -1;
    if (fd < 0 && (why == ELOOP || why == ENOTDIR))
        return fail(err, STATUS_UNSAFE, "%s is not a directory (symbolic links are refused)", name);
    if (fd < 0) {
        (void)fail(err, STATUS_IO, "cannot open %s: %s", name, strerror(why));
        errno = why;
        return STATUS_IO;
    }
    if (fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & (S_IWGRP | S_IWOTH))) {
        close(fd);
        return fail(err, STATUS_UNSAFE,
                    "%s is not yours, or others can write to it; fix with: chmod 700", name);
    }
    *out = fd;
    return STATUS_OK;
}

enum status own_open_directory(const char *path, int *out, struct error *err)
{
    if ((*out = brief_directory(path)) >= 0)
        return STATUS_OK;
    enum status status = own_open_directory_at(AT_FDCWD, path, out, err);
    if (status == STATUS_OK)
        brief_keep_directory(path, *out);
    return status;
}

/* Tries to open first: usually it exists. */
enum status own_need_directory(const char *path, int *out, struct error *err)
{
    enum status status = own_open_directory(path, out, err);

    if (status != STATUS_IO || errno != ENOENT)
        return status;
    status = own_make_directory(path, err);
    return status == STATUS_OK ? own_open_directory(path, out, err) : status;
}

enum status own_need_directory_at(int parent, const char *name, int *out, struct error *err)
{
    enum status status = own_open_directory_at(parent, name, out, err);

    if (status != STATUS_IO || errno != ENOENT)
        return status;
    if (mkdirat(parent, name, S_IRWXU) < 0 && errno != EEXIST)
        return fail(err, STATUS_IO, "cannot create %s: %s", name, strerror(errno));
    return own_open_directory_at(parent, name, out, err);
}

enum status own_look_at_file(int fd, const char *name, struct stat *out, struct error *err)
{
    if (fstat(fd, out) < 0)
        return fail(err, STATUS_IO, "cannot stat %s: %s", name, strerror(errno));
    if (!S_ISREG(out->st_mode) || out->st_nlink != 1)
        return fail(err, STATUS_UNSAFE, "%s is not a regular file with a single link", name);
    if (out->st_uid != geteuid() || (out->st_mode & (S_IWGRP | S_IWOTH)))
        return fail(err, STATUS_UNSAFE,
                    "%s is not yours, or others can write to it; fix with: chmod 600", name);
    return STATUS_OK;
}

enum status own_check_file(int fd, const char *name, struct error *err)
{
    struct stat st;

    return own_look_at_file(fd, name, &st, err);
}

enum status own_write(int fd, const char *name, struct str bytes, struct error *err)
{
    while (bytes.len) {
        ssize_t n = write(fd, bytes.s, bytes.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(err, STATUS_IO, "cannot write %s: %s", name, strerror(errno));
        bytes = str_from_byte(bytes, (size_t)n);
    }
    return STATUS_OK;
}
