#include "cell/behalf.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <utime.h>

#include "base/auto.h"
#include "cell/filter.h"
#include "cell/meant.h"

#define NONE      (-1)
#define MODE_BITS (07777u & ~FILTER_MODE_BITS)

/* What is changed, and how the call gives times. */
enum what { MODE, OWNER, LENGTH, TIMES_PRECISE, TIMES, TIMES_SECONDS };

/* Where the arguments of a call are. */
static const struct change {
    int call;
    enum what what;
    int directory, path, value; /* path NONE: the descriptor is meant */
    int flags;                  /* NONE: links are followed */
    bool of_link;               /* ... or never */
} changes[] = {
    {SYS_fchmod, MODE, 0, NONE, 1, NONE, false},
    {SYS_fchmodat, MODE, 0, 1, 2, NONE, false},
    {KERNEL_SYS_FCHMODAT2, MODE, 0, 1, 2, 3, false},
    {SYS_fchown, OWNER, 0, NONE, 1, NONE, false},
    {SYS_fchownat, OWNER, 0, 1, 2, 4, false},
    {SYS_utimensat, TIMES_PRECISE, 0, 1, 2, 3, false},
    {SYS_truncate, LENGTH, NONE, 0, 1, NONE, false},
#ifdef SYS_chmod
    {SYS_chmod, MODE, NONE, 0, 1, NONE, false},
    {SYS_chown, OWNER, NONE, 0, 1, NONE, false},
    {SYS_lchown, OWNER, NONE, 0, 1, NONE, true},
    {SYS_utime, TIMES_SECONDS, NONE, 0, 1, NONE, false},
    {SYS_utimes, TIMES, NONE, 0, 1, NONE, false},
    {SYS_futimesat, TIMES, 0, 1, 2, NONE, false},
#endif
};

static const struct change *find(int number)
{
    for (size_t i = 0; i < COUNT(changes); i++)
        if (changes[i].call == number)
            return &changes[i];
    return NULL;
}

/* ---- times ---- */

/* *given is false for "now". */
static bool read_times(const struct answers *a, const struct seccomp_notif *call,
                       const struct change *c, struct timespec out[2], bool *given)
{
    const uint64_t at = call->data.args[c->value];
    struct timeval parts[2];
    long seconds[2];

    *given = at != 0;
    if (!*given)
        return true;
    if (c->what == TIMES_PRECISE)
        return answer_read(a, call, at, out, 2 * sizeof(*out));
    if (c->what == TIMES ? !answer_read(a, call, at, parts, sizeof(parts))
                         : !answer_read(a, call, at, seconds, sizeof(seconds)))
        return false;
    for (int i = 0; i < 2; i++)
        out[i] = c->what == TIMES
                     ? (struct timespec){parts[i].tv_sec, (long)parts[i].tv_usec * 1000}
                     : (struct timespec){seconds[i], 0};
    return true;
}

/* ---- the change, of what is held ---- */

static int set(const struct answers *a, const struct seccomp_notif *call, const struct change *c,
               int fd)
{
    const uint64_t value = call->data.args[c->value];
    struct timespec times[2];
    bool given = false;
    char link[64];
    int failed;

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    switch (c->what) {
    case MODE:
        failed = chmod(link, (mode_t)value & MODE_BITS);
        break;
    case OWNER:
        failed = fchownat(fd, "", (uid_t)value, (gid_t)call->data.args[c->value + 1],
                          (int)KERNEL_AT_EMPTY_PATH);
        break;
    case LENGTH:
        failed = truncate(link, (off_t)value);
        break;
    case TIMES_PRECISE:
    case TIMES:
    case TIMES_SECONDS:
    default:
        if (!read_times(a, call, c, times, &given))
            return -EFAULT;
        /* of a link itself, too, which the other way would follow */
        failed = (int)syscall(SYS_utimensat, fd, "", given ? times : NULL, KERNEL_AT_EMPTY_PATH);
        if (failed && errno == EINVAL) /* Linux before 5.8 */
            failed = utimensat(AT_FDCWD, link, given ? times : NULL, 0);
        break;
    }
    return failed ? -errno : 0;
}

/* fchmodat2() and utimensat() take a flag for an empty path, and utimensat() none at all. */
static bool is_by_descriptor(const struct seccomp_notif *call, const struct change *c)
{
    const uint64_t flags = c->flags == NONE ? 0 : call->data.args[c->flags];

    return c->path == NONE || (c->what >= TIMES_PRECISE && !call->data.args[c->path]) ||
           (flags & KERNEL_AT_EMPTY_PATH);
}

static int open_file(const struct answers *a, const struct seccomp_notif *call,
                     const struct change *c)
{
    const int directory = c->directory == NONE ? AT_FDCWD : (int)call->data.args[c->directory];
    const uint64_t flags = c->flags == NONE ? 0 : call->data.args[c->flags];
    const bool of_link = c->of_link || (flags & AT_SYMLINK_NOFOLLOW);
    char text[PATH_MAX] = "";

    if (c->path != NONE && call->data.args[c->path] && !answer_text(a, call, c->path, text)) {
        errno = EFAULT;
        return -1;
    }
    if (!text[0] && !is_by_descriptor(call, c)) {
        errno = ENOENT;
        return -1;
    }
    return meant_open(call, directory, text, of_link ? O_NOFOLLOW : 0);
}

int behalf_change(struct answers *a, const struct seccomp_notif *call)
{
    const struct change *c = find(call->data.nr);

    if (!c)
        return -ENOSYS;
    AUTO_CLOSE int fd = open_file(a, call, c);
    if (fd < 0)
        return -errno;
    return meant_is_writable(a, fd) ? set(a, call, c, fd) : -EACCES;
}

/* ---- terminals ---- */

int behalf_terminal(struct answers *a, const struct seccomp_notif *call)
{
    const unsigned flags =
        (unsigned)call->data.args[2] & (O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    AUTO_CLOSE int master = answer_take(call, (int)call->data.args[0]);

    if (master < 0)
        return -errno;
    /* not the terminal of this process, which has none to spare */
    AUTO_CLOSE int peer =
        (int)syscall(SYS_ioctl, master, KERNEL_TIOC_PEER, flags | O_NOCTTY | O_CLOEXEC);
    if (peer < 0)
        return -errno;
    return answer_give(a, call, peer, flags & O_CLOEXEC);
}
