/* mounts_proc.c - a /proc that shows the cell's own processes.
 *
 * Root's files in it belong to root without any capability, so what changes the machine is
 * read-only, and what tells of it is hidden. */
#include <errno.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "cell/kernel.h"
#include "cell/mounts.h"

static const char *const locked[] = {"sys",  "sysrq-trigger", "irq",    "bus",    "fs",
                                     "acpi", "scsi",          "asound", "driver", "mtrr"};
static const char *const masked[] = {"kcore",       "keys", "key-users",     "timer_list",
                                     "sched_debug", "kmsg", "latency_stats", "vmallocinfo"};

/* With /dev/null over a file that is masked: reading it gives nothing. */
static int lock(int proc, const char *name, bool empty)
{
    AUTO_CLOSE int at = openat(proc, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

    if (at < 0)
        return errno == ENOENT ? 0 : -1;
    AUTO_CLOSE int null = empty ? open("/dev/null", O_PATH | O_CLOEXEC) : -1;
    AUTO_CLOSE int copy = mounts_copy(empty ? null : at, "", KERNEL_ATTR_RDONLY);
    return copy < 0 ? -1 : kernel_move_mount(copy, at);
}

enum status mounts_proc(struct error *err)
{
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
        return fail(err, STATUS_IO, "cannot mount /proc: %s", strerror(errno));
    AUTO_CLOSE int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0)
        return fail(err, STATUS_IO, "cannot open /proc: %s", strerror(errno));
    for (size_t i = 0; i < COUNT(locked); i++)
        if (lock(proc, locked[i], false) != 0)
            return fail(err, STATUS_IO, "cannot lock /proc/%s: %s", locked[i], strerror(errno));
    for (size_t i = 0; i < COUNT(masked); i++)
        if (lock(proc, masked[i], true) != 0)
            return fail(err, STATUS_IO, "cannot hide /proc/%s: %s", masked[i], strerror(errno));
    return STATUS_OK;
}
