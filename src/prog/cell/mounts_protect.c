/* mounts_protect.c - what stays as it is inside a writable directory.
 *
 * A read-only mount on .git/config keeps the file, but not its name: .git could be moved away and
 * made anew. A mount point cannot be renamed or removed, so every directory on the way to a
 * protected place is laid over itself ("pinned"). */
#include <errno.h>
#include <limits.h>
#include <linux/stat.h>
#include <string.h>

#include "base/auto.h"
#include "base/path.h"
#include "cell/kernel.h"
#include "cell/mounts.h"

static int mount_of(int fd, uint64_t *out)
{
    struct statx st;

    if (syscall(SYS_statx, fd, "", KERNEL_AT_EMPTY_PATH, KERNEL_STATX_MOUNT, &st) != 0)
        return -1;
    if (!(st.stx_mask & KERNEL_STATX_MOUNT)) { /* Linux before 5.8 */
        errno = ENOSYS;
        return -1;
    }
    *out = st.stx_mnt_id;
    return 0;
}

static int open_below(int dir, const char *name)
{
    return kernel_openat2(dir, name, O_PATH | O_NOFOLLOW,
                          RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

/* Lays what `*at` refers to over itself, and opens it again through the new mount. */
static int cover(int dir, const char *name, unsigned attributes, int *at)
{
    AUTO_CLOSE int copy = mounts_copy(*at, "", attributes);

    if (copy < 0 || kernel_move_mount(copy, *at) != 0)
        return -1;
    close(*at);
    *at = open_below(dir, name);
    return *at < 0 ? -1 : 0;
}

/* Lays a directory over itself, unless it is a mount point already: twice would bury the first. */
static int pin(int dir, const char *name, int *at)
{
    uint64_t above, here;

    if (mount_of(dir, &above) != 0 || mount_of(*at, &here) != 0)
        return -1;
    return above == here ? cover(dir, name, 0, at) : 0;
}

/* One step of the way. *dir becomes what `name` is; the last step is read-only. */
static int step(int *dir, const char *name, bool last)
{
    int at = open_below(*dir, name);

    if (at < 0)
        return -1;
    int failed = last ? cover(*dir, name, KERNEL_ATTR_RDONLY | KERNEL_ATTR_NOSUID, &at)
                      : pin(*dir, name, &at);
    close(*dir);
    *dir = at;
    return failed;
}

static int protect_below(const char *root, struct str rest)
{
    int dir = kernel_openat2(AT_FDCWD, root, O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
    struct str part;
    int failed = dir < 0 ? -1 : 0;

    while (!failed && rest.len) {
        char name[NAME_MAX + 1];
        str_cut(rest, '/', &part, &rest);
        if (part.len > NAME_MAX) {
            errno = ENAMETOOLONG;
            failed = -1;
            break;
        }
        memcpy(name, part.s, part.len);
        name[part.len] = '\0';
        failed = step(&dir, name, rest.len == 0);
    }
    int why = errno;
    if (dir >= 0)
        close(dir);
    errno = why;
    return failed;
}

static const struct str *root_of(const struct plan *plan, struct str path, struct str *rest)
{
    const struct str *found = NULL;

    for (size_t i = 0; i < plan->write.count; i++)
        if (path_relative(plan->write.items[i], path, rest) &&
            (!found || plan->write.items[i].len < found->len))
            found = &plan->write.items[i];
    if (found)
        path_relative(*found, path, rest);
    return found;
}

/* It was there when the plan was made. What is gone could come back, and would not be protected. */
static bool is_changed(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

enum status mounts_protect(const struct plan *plan, struct error *err)
{
    for (size_t i = 0; i < plan->protect.count; i++) {
        struct str rest, path = plan->protect.items[i];
        const struct str *root = root_of(plan, path, &rest);
        if (!root)
            continue; /* it is read-only already */
        if (rest.len == 0)
            return fail(err, STATUS_USAGE, "%s is to be writable and protected", path.s);
        if (protect_below(root->s, rest) != 0)
            return fail(err, is_changed(errno) ? STATUS_USAGE : STATUS_IO, "cannot protect %s: %s",
                        path.s, strerror(errno));
    }
    return STATUS_OK;
}
