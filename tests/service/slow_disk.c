/* slow_disk.c - loaded into the service (LD_PRELOAD): a disk that tests can hold up.
 *
 * Before a sync it waits SYNC_DELAY_MS milliseconds. Where SYNC_GATE names a FIFO that exists, it
 * also waits until a test has opened that for writing and closed it again. With SYNC_OF only syncs
 * of files are held up whose path contains that text. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool is_meant(int fd)
{
    const char *part = getenv("SYNC_OF");
    char link[64], path[4096];

    if (!part)
        return true;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t len = readlink(link, path, sizeof path - 1);
    path[len > 0 ? len : 0] = '\0';
    return strstr(path, part);
}

static void hold_up(int synced)
{
    const char *delay = getenv("SYNC_DELAY_MS"), *gate = getenv("SYNC_GATE");
    char byte;

    if (!is_meant(synced))
        return;
    if (delay) {
        long ms = strtol(delay, NULL, 10);
        const struct timespec pause = {ms / 1000, ms % 1000 * 1000000};
        nanosleep(&pause, NULL);
    }
    int fd = gate ? open(gate, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    while (read(fd, &byte, 1) > 0)
        ;
    close(fd);
}

int fsync(int fd)
{
    hold_up(fd);
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    hold_up(fd);
    return (int)syscall(SYS_fdatasync, fd);
}
