/* kernel.h - what the cell needs of Linux and the headers of Debian 12 do not declare, or declare
 * without a function. Numbers and layouts are those of the kernel's own interface, which never
 * changes them. */
#ifndef CELL_KERNEL_H
#define CELL_KERNEL_H

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h> /* for the names of the requests of seccomp.h */
#include <sys/syscall.h>
#include <unistd.h>

/* ---- mounts ---- */

#define KERNEL_OPEN_TREE_CLONE 1u
#define KERNEL_AT_RECURSIVE    0x8000u
#define KERNEL_AT_EMPTY_PATH   0x1000u
#define KERNEL_MOVE_FROM_FD    0x04u /* MOVE_MOUNT_F_EMPTY_PATH */
#define KERNEL_MOVE_TO_FD      0x40u /* MOVE_MOUNT_T_EMPTY_PATH */
#define KERNEL_ATTR_RDONLY     0x1u
#define KERNEL_ATTR_NOSUID     0x2u
#define KERNEL_RENAME_EXCHANGE 2u
#define KERNEL_RENAME_WHITEOUT 4u
#define KERNEL_STATX_MOUNT     0x1000u /* STATX_MNT_ID */

#define KERNEL_FS_FLAG   0u /* FSCONFIG_SET_FLAG */
#define KERNEL_FS_STRING 1u /* FSCONFIG_SET_STRING */
#define KERNEL_FS_CREATE 6u /* FSCONFIG_CMD_CREATE */

struct kernel_mount_attr {
    uint64_t set, clear, propagation, userns_fd;
};

static inline int kernel_open_tree(int dir, const char *path, unsigned flags)
{
    return (int)syscall(SYS_open_tree, dir, path, flags | O_CLOEXEC);
}
static inline int kernel_move_mount(int from, int to)
{
    return (int)syscall(SYS_move_mount, from, "", to, "", KERNEL_MOVE_FROM_FD | KERNEL_MOVE_TO_FD);
}
static inline int kernel_mount_setattr(int dir, const char *path, unsigned flags,
                                       const struct kernel_mount_attr *attr)
{
    return (int)syscall(SYS_mount_setattr, dir, path, flags, attr, sizeof(*attr));
}
static inline int kernel_fsopen(const char *kind)
{
    return (int)syscall(SYS_fsopen, kind, 1u); /* FSOPEN_CLOEXEC */
}
static inline int kernel_fsconfig(int fs, unsigned command, const char *key, const char *value)
{
    return (int)syscall(SYS_fsconfig, fs, command, key, value, 0);
}
static inline int kernel_fsmount(int fs, unsigned attributes)
{
    return (int)syscall(SYS_fsmount, fs, 1u, attributes); /* FSMOUNT_CLOEXEC */
}
/* The kernel does not follow ".." below a root while anybody, anywhere, renames or mounts something:
 * it says EAGAIN then. That is over in a moment, and a path must not be unknown because of it. */
#define KERNEL_OPEN_TRIES 10000
static inline int kernel_openat2(int dir, const char *path, uint64_t flags, uint64_t resolve)
{
    const struct open_how how = {.flags = flags | O_CLOEXEC, .resolve = resolve};
    int fd = -1;

    for (int i = 0; i < KERNEL_OPEN_TRIES; i++) {
        fd = (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
        if (fd >= 0 || errno != EAGAIN)
            break;
    }
    return fd;
}

/* ---- Landlock ---- */

#define KERNEL_LANDLOCK_TRUNCATE  (1ull << 14) /* from ABI 3 */
#define KERNEL_LANDLOCK_IOCTL_DEV (1ull << 15) /* from ABI 5 */
#define KERNEL_LANDLOCK_TCP       3ull         /* from ABI 4: bind and connect */
#define KERNEL_LANDLOCK_SCOPES    3ull         /* from ABI 6: abstract sockets, signals */

struct kernel_landlock_ruleset {
    uint64_t files, network, scoped;
};

/* ---- processes ---- */

#define KERNEL_PIDFD_SIGNAL_PROCESS_GROUP (1u << 2) /* of pidfd_send_signal(), from Linux 6.9 */

/* ---- seccomp ---- */

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1ul << 5)
#endif
/* Numbers that are the same on every architecture. */
#define KERNEL_SYS_FCHMODAT2      452
#define KERNEL_SYS_SETXATTRAT     463
#define KERNEL_SYS_REMOVEXATTRAT  466
#define KERNEL_SYS_OPEN_TREE_ATTR 467
#define KERNEL_SYS_FILE_SETATTR   469

#define KERNEL_TIOC_PEER 0x5441u /* TIOCGPTPEER */

/* musl's ioctl() takes an int, and the names of these requests do not fit. */
static inline int kernel_notification(int listener, unsigned long request, void *about)
{
    return (int)syscall(SYS_ioctl, listener, request, about);
}

#endif
