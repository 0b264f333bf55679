/* user.c - who runs this, as the kernel said at the start: it is asked for with every file, and a
 * hook does not change.
 */
#include <errno.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

uid_t geteuid(void)
{
    int before = errno;

    errno = 0;
    unsigned long told = getauxval(AT_EUID); /* 0 is root, and also what was not told */
    uid_t user = errno ? (uid_t)syscall(SYS_geteuid) : (uid_t)told;
    errno = before;
    return user;
}
