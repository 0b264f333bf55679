#include "cell/processes.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "base/str.h"

#define DEPTH_MAX 4096 /* of a tree of processes */

/* ---- what the kernel tells of a process ---- */

struct state {
    pid_t parent, group;
};

static bool read_state(pid_t process, struct state *out)
{
    char path[64], text[512];

    (void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
    if (got <= 0)
        return false;
    text[got] = '\0';
    char *at = strrchr(text, ')'); /* the name before it may have any characters */
    if (!at || strlen(at) < strlen(") S 1"))
        return false;
    at += strlen(") S");
    out->parent = (pid_t)strtol(at, &at, 10);
    out->group = (pid_t)strtol(at, &at, 10);
    return true;
}

/* The last number of the line that begins so; -1: there is none. */
static pid_t number_in(pid_t thread, const char *name)
{
    char path[64], line[256];
    long number = -1;

    (void)snprintf(path, sizeof(path), "/proc/%d/status", (int)thread);
    FILE *status = fopen(path, "re");
    while (status && fgets(line, sizeof(line), status)) {
        const char *last = strrchr(line, '\t');
        if (last && strncmp(line, name, strlen(name)) == 0)
            number = strtol(last, NULL, 10);
    }
    if (status)
        (void)fclose(status);
    return (pid_t)number;
}

pid_t processes_of(pid_t thread)
{
    return number_in(thread, "Tgid:");
}

bool processes_inside(pid_t thread, pid_t *process, pid_t *own)
{
    *process = number_in(thread, "NStgid:");
    *own = number_in(thread, "NSpid:");
    return *process > 0 && *own > 0;
}

/* Calls `use` for every process that there is. */
static void for_each(void (*use)(pid_t process, void *about), void *about)
{
    DIR *all = opendir("/proc");
    struct dirent *entry;

    while (all && (entry = readdir(all)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            use((pid_t)strtol(entry->d_name, NULL, 10), about);
    if (all)
        (void)closedir(all);
}

/* ---- ending them ---- */

static void end_child(pid_t process, void *about)
{
    struct state st;

    (void)about;
    if (read_state(process, &st) && st.parent == getpid())
        (void)kill(process, SIGKILL);
}

void processes_end(void)
{
    pid_t gone = waitpid(-1, NULL, WNOHANG);

    while (gone >= 0 || errno == EINTR) {
        if (gone == 0) {
            for_each(end_child, NULL);
            gone = waitpid(-1, NULL, 0);
        } else {
            gone = waitpid(-1, NULL, WNOHANG);
        }
    }
}

/* ---- who is inside ---- */

static bool is_inside(pid_t first, pid_t process)
{
    struct state st;

    for (int depth = 0; depth < DEPTH_MAX && process > 1 && read_state(process, &st); depth++) {
        if (st.parent == first)
            return true;
        process = st.parent;
    }
    return false;
}

/* A process by a descriptor stays the same one; a number may be given to another. It is looked at
 * after it was opened, and is inside as long as it lives. */
static int open_inside(const struct answers *a, pid_t process)
{
    int fd = process > 0 ? (int)syscall(SYS_pidfd_open, process, 0) : -1;

    if (fd >= 0 && is_inside(a->first, process) &&
        syscall(SYS_pidfd_send_signal, fd, 0, NULL, 0) == 0)
        return fd;
    if (fd >= 0) {
        close(fd);
        errno = EPERM;
    }
    return -1;
}

/* ---- limits and priorities ---- */

/* Those of the caller: it is there as long as its call waits. */
int processes_set(struct answers *a, const struct seccomp_notif *call)
{
    const bool second = call->data.nr == SYS_setpriority || call->data.nr == SYS_ioprio_set;
    const pid_t process = (pid_t)call->data.args[second];

    (void)a;
    return process == (pid_t)call->pid || process == processes_of((pid_t)call->pid) ? ANSWER_GO_ON
                                                                                    : -EPERM;
}

/* ---- signals ---- */

static int send_to(const struct answers *a, pid_t process, int number)
{
    AUTO_CLOSE int fd = open_inside(a, process);

    if (fd < 0)
        return -errno;
    return syscall(SYS_pidfd_send_signal, fd, number, NULL, 0) == 0 ? 0 : -errno;
}

struct group {
    const struct answers *answers;
    pid_t number; /* -1: all */
    int signal_number, sent;
};

static void send_to_member(pid_t process, void *about)
{
    struct group *g = about;
    struct state st;

    if (read_state(process, &st) && (g->number == -1 || st.group == g->number) &&
        send_to(g->answers, process, g->signal_number) == 0)
        g->sent++;
}

static int send_to_group(const struct answers *a, pid_t number, int signal_number)
{
    struct group g = {.answers = a, .number = number, .signal_number = signal_number};

    for_each(send_to_member, &g);
    return g.sent ? 0 : -EPERM;
}

/* kill(): 0 is the caller's group, less than that another one. */
static int send_to_any(const struct answers *a, pid_t caller, pid_t to, int number)
{
    struct state st;

    if (to > 0)
        return send_to(a, to, number);
    if (to < 0)
        return send_to_group(a, to == -1 ? -1 : -to, number);
    return read_state(caller, &st) ? send_to_group(a, st.group, number) : -ESRCH;
}

int processes_signal(struct answers *a, const struct seccomp_notif *call)
{
    const pid_t caller = processes_of((pid_t)call->pid), to = (pid_t)call->data.args[0];

    if (caller <= 0)
        return -ESRCH;
    if (call->data.nr == SYS_tkill) { /* of its own threads alone, by a call that says so */
        if (syscall(SYS_tgkill, caller, to, (int)call->data.args[1]) == 0)
            return 0;
        return errno == ESRCH ? send_to(a, processes_of(to), (int)call->data.args[1]) : -errno;
    }
    if (to == caller)
        return ANSWER_GO_ON;
    const bool thread = call->data.nr == SYS_tgkill || call->data.nr == SYS_rt_tgsigqueueinfo;
    return send_to_any(a, caller, to, (int)call->data.args[thread ? 2 : 1]);
}
