/* clock.c - the time, by a system call: libc would search the page of code that the kernel maps
 * into every process, and touch two pages that nothing else needs. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): libc's own are reserved */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    return (int)syscall(SYS_clock_gettime, clock, now);
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
time_t time(time_t *out)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
