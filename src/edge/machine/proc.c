#include "machine/proc.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"

#define STARTED_AT 22 /* the place of a process's beginning in its stat */

size_t proc_read(pid_t pid, const char *what, char *out, size_t room)
{
    char path[64];
    size_t len = 0;
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, what);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && (n = read(fd, out + len, room - 1 - len)) > 0) /* a page at a time */
        len += (size_t)n;
    out[len] = '\0';
    return len;
}

/* Field `which` of "PID (name) S PPID ...", from the third on: the name may contain anything, so
 * the search begins at the end. */
static int64_t stat_field(pid_t pid, int which)
{
    char text[1024];
    const char *at = proc_read(pid, "stat", text, sizeof(text)) ? strrchr(text, ')') : NULL;

    for (int field = 2; at && field < which; field++) {
        at = strchr(at, ' ');
        at = at ? at + 1 : NULL;
    }
    return at ? strtoll(at, NULL, 10) : 0;
}

pid_t proc_parent(pid_t pid)
{
    return (pid_t)stat_field(pid, 4);
}

static bool runs(pid_t pid, const char *program)
{
    char path[64], file[PATH_MAX];

    snprintf(path, sizeof(path), "/proc/%ld/exe", (long)pid);
    ssize_t len = readlink(path, file, sizeof(file) - 1);
    file[len > 0 ? len : 0] = '\0';
    const char *slash = strrchr(file, '/');
    return slash && strcmp(slash + 1, program) == 0;
}

bool proc_find(pid_t pid, struct proc_id *out)
{
    *out = (struct proc_id){pid, pid > 1 ? stat_field(pid, STARTED_AT) : 0};
    return out->started > 0;
}

bool proc_starter(const char *between, struct proc_id *out)
{
    pid_t pid = getppid();

    if (pid > 1 && runs(pid, between))
        pid = proc_parent(pid);
    return proc_find(pid, out);
}
