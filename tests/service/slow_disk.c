/* slow_disk.c - loaded into the service (LD_PRELOAD): a disk that tests can hold up.
 *
 * Before a sync it waits SYNC_DELAY_MS milliseconds. Where SYNC_GATE names a FIFO that exists, it
 * also waits until a test has opened that for writing and closed it again. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void hold_up(void)
{
    const char *delay = getenv("SYNC_DELAY_MS"), *gate = getenv("SYNC_GATE");
    char byte;

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
    hold_up();
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
    hold_up();
    return (int)syscall(SYS_fdatasync, fd);
}
