/* mounts_devices.c - a /dev with nothing in it that leads out of the cell, and the masks over what
 * is hidden: an empty file and an empty directory that no one may open. */
#include <errno.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "cell/kernel.h"
#include "cell/mounts.h"
#include "cell/network.h"

#define MASK_ATTRIBUTES (KERNEL_ATTR_RDONLY | KERNEL_ATTR_NOSUID)

static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};

static const struct {
    const char *name, *to;
} links[] = {
    {"fd", "/proc/self/fd"},       {"stdin", "/proc/self/fd/0"}, {"stdout", "/proc/self/fd/1"},
    {"stderr", "/proc/self/fd/2"}, {"ptmx", "pts/ptmx"},
};

static int make_file(int dir, const char *name, mode_t mode)
{
    AUTO_CLOSE int fd = openat(dir, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode);

    return fd < 0 ? -1 : 0;
}

static int lay_device(int dev, const char *name, int copy)
{
    if (copy < 0)
        return 0; /* this machine has no such device */
    if (make_file(dev, name, 0) != 0)
        return -1;
    AUTO_CLOSE int at = openat(dev, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    return at < 0 ? -1 : kernel_move_mount(copy, at);
}

static int fill_devices(int dev, const int copies[])
{
    for (size_t i = 0; i < COUNT(devices); i++)
        if (lay_device(dev, devices[i], copies[i]) != 0)
            return -1;
    for (size_t i = 0; i < COUNT(links); i++)
        if (symlinkat(links[i].to, dev, links[i].name) != 0)
            return -1;
    if (mkdirat(dev, "pts", 0755) != 0 || mkdirat(dev, "shm", 0755) != 0)
        return -1;
    /* With the mode of its own instance: terminals of others are not there. */
    if (mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
              "newinstance,ptmxmode=0666,mode=0620") != 0)
        return -1;
    return mount("shm", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777");
}

/* ---- what is hidden ---- */

static int mask(int empty_file, int empty_directory, const char *path)
{
    AUTO_CLOSE int at = kernel_openat2(AT_FDCWD, path, O_PATH, RESOLVE_NO_MAGICLINKS);
    struct stat st;

    if (at < 0)
        return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
    if (fstat(at, &st) != 0)
        return -1;
    AUTO_CLOSE int copy =
        mounts_copy(S_ISDIR(st.st_mode) ? empty_directory : empty_file, "", MASK_ATTRIBUTES);
    return copy < 0 ? -1 : kernel_move_mount(copy, at);
}

static enum status hide(int dev, const struct plan *plan, struct error *err)
{
    if (make_file(dev, ".file", 0) != 0 || mkdirat(dev, ".directory", 0) != 0)
        return fail(err, STATUS_IO, "cannot make a mask: %s", strerror(errno));
    AUTO_CLOSE int file = openat(dev, ".file", O_PATH | O_NOFOLLOW | O_CLOEXEC);
    AUTO_CLOSE int directory = openat(dev, ".directory", O_PATH | O_NOFOLLOW | O_CLOEXEC);
    for (size_t i = 0; i < plan->hide.count; i++)
        if (mask(file, directory, plan->hide.items[i].s) != 0)
            return fail(err, STATUS_IO, "cannot hide %s: %s", plan->hide.items[i].s,
                        strerror(errno));
    if (unlinkat(dev, ".file", 0) != 0 || unlinkat(dev, ".directory", AT_REMOVEDIR) != 0)
        return fail(err, STATUS_IO, "cannot remove a mask: %s", strerror(errno));
    return STATUS_OK;
}

/* ---- who is asked for names ---- */

static int lay_names(int dev)
{
    AUTO_CLOSE int at = kernel_openat2(AT_FDCWD, NETWORK_NAMES_FILE, O_PATH, RESOLVE_NO_MAGICLINKS);
    AUTO_CLOSE int fd = openat(dev, ".names", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);

    if (at < 0) /* without it the same is meant */
        return fd < 0 ? -1 : unlinkat(dev, ".names", 0);
    if (fd < 0 || write(fd, NETWORK_NAMES_TEXT, strlen(NETWORK_NAMES_TEXT)) !=
                      (ssize_t)strlen(NETWORK_NAMES_TEXT))
        return -1;
    AUTO_CLOSE int file = openat(dev, ".names", O_PATH | O_NOFOLLOW | O_CLOEXEC);
    AUTO_CLOSE int copy = file < 0 ? -1 : mounts_copy(file, "", MASK_ATTRIBUTES);
    if (copy < 0 || kernel_move_mount(copy, at) != 0)
        return -1;
    return unlinkat(dev, ".names", 0);
}

static enum status fill(const struct plan *plan, const int copies[], struct error *err)
{
    const struct kernel_mount_attr locked = {.set = KERNEL_ATTR_RDONLY};
    enum status status;

    if (mount("dev", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=0755,size=64k") != 0)
        return fail(err, STATUS_IO, "cannot mount /dev: %s", strerror(errno));
    AUTO_CLOSE int dev = open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dev < 0 || fill_devices(dev, copies) != 0)
        return fail(err, STATUS_IO, "cannot make /dev: %s", strerror(errno));
    status = hide(dev, plan, err);
    if (status == STATUS_OK && plan->host_count && lay_names(dev) != 0)
        status = fail(err, STATUS_IO, "cannot cover %s: %s", NETWORK_NAMES_FILE, strerror(errno));
    if (status == STATUS_OK && kernel_mount_setattr(AT_FDCWD, "/dev", 0, &locked) != 0)
        status = fail(err, STATUS_IO, "cannot make /dev read-only: %s", strerror(errno));
    return status;
}

enum status mounts_devices(const struct plan *plan, struct error *err)
{
    int copies[COUNT(devices)];

    AUTO_CLOSE int host = open("/dev", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (host < 0)
        return fail(err, STATUS_IO, "cannot open /dev: %s", strerror(errno));
    for (size_t i = 0; i < COUNT(devices); i++)
        copies[i] = mounts_copy(host, devices[i], 0);
    enum status status = fill(plan, copies, err);
    for (size_t i = 0; i < COUNT(devices); i++)
        if (copies[i] >= 0)
            close(copies[i]);
    return status;
}
