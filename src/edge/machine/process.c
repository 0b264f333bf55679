#include "machine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/clock.h"

#define READ_BYTES 65536
#define READS_MAX  16 /* per turn: a program that writes without end must not hide its deadline */

/* ---- starting ---- */

/* Moves `fd` above the standard streams, which the child gets one by one: ours must not have their
 * numbers. */
static int above_streams(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return moved;
}

/* A file, not a pipe: a program that does not read its input cannot block us or cause SIGPIPE. */
static int input_file(struct str text)
{
    int fd = above_streams(memfd_create("call", MFD_CLOEXEC));

    while (fd >= 0 && text.len) {
        ssize_t n = write(fd, text.s, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(fd);
            return -1;
        }
        text = str_from_byte(text, (size_t)n);
    }
    if (fd >= 0 && lseek(fd, 0, SEEK_SET) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

static bool open_pipe(int *reader, int *writer)
{
    int fds[2];

    if (pipe2(fds, O_CLOEXEC) != 0)
        return false;
    *reader = above_streams(fds[0]);
    *writer = above_streams(fds[1]);
    return *reader >= 0 && *writer >= 0 && fcntl(*reader, F_SETFL, O_NONBLOCK) == 0;
}

/* The program starts with default signal handling, whatever we ignore or block. It gets its own
 * session, so that it has no terminal to read keys from and one signal reaches all of it. */
static int fill_attributes(posix_spawnattr_t *attributes)
{
    sigset_t all, none;
    int failed;

    sigfillset(&all);
    sigemptyset(&none);
    if ((failed = posix_spawnattr_setsigdefault(attributes, &all)) ||
        (failed = posix_spawnattr_setsigmask(attributes, &none)))
        return failed;
    return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                                    POSIX_SPAWN_SETSID);
}

static int fill_actions(posix_spawn_file_actions_t *actions, const char *directory, int in, int out,
                        int err)
{
    int failed;

    if ((failed = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO)) ||
        (failed = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO)) ||
        (failed = posix_spawn_file_actions_adddup2(actions, err, STDERR_FILENO)) ||
        (failed = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1)))
        return failed;
    return posix_spawn_file_actions_addchdir_np(actions, directory);
}

static int spawn(struct process *p, const struct process_plan *plan, int in, int out, int err)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);

    if (failed)
        return failed;
    if ((failed = posix_spawnattr_init(&attributes))) {
        posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    if (!(failed = fill_attributes(&attributes)) &&
        !(failed = fill_actions(&actions, plan->directory, in, out, err)))
        failed = posix_spawnp(&p->pid, plan->argv[0], &actions, &attributes, plan->argv,
                              plan->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        p->pid = 0;
    return failed;
}

enum status process_start(struct process *p, const struct process_plan *plan, struct error *err)
{
    AUTO_CLOSE int in = -1;
    AUTO_CLOSE int out = -1;
    AUTO_CLOSE int errors = -1;

    *p = (struct process){.pidfd = -1, .out.fd = -1, .err.fd = -1, .deadline = plan->deadline};
    in = input_file(plan->input);
    if (in < 0 || !open_pipe(&p->out.fd, &out) || !open_pipe(&p->err.fd, &errors))
        return fail(err, STATUS_IO, "cannot prepare its input: %s", strerror(errno));
    int failed = spawn(p, plan, in, out, errors);
    if (failed)
        return fail(err, STATUS_IO, "cannot be started: %s", strerror(failed));
    p->pidfd = (int)syscall(SYS_pidfd_open, p->pid, 0); /* not every libc has a wrapper */
    if (p->pidfd < 0)
        return fail(err, STATUS_IO, "cannot be watched: %s", strerror(errno));
    return STATUS_OK;
}

/* ---- reading its output ---- */

static void close_output(struct output *o)
{
    if (o->fd >= 0)
        close(o->fd);
    o->fd = -1;
}

/* False if there is more than `most`. */
static bool keep(struct output *o, const char *bytes, size_t len, size_t most)
{
    bool fits = len <= most - o->len;
    size_t taken = fits ? len : most - o->len;

    if (o->len + taken > o->room) {
        size_t room = (o->len + taken) * 2;
        char *text = realloc(o->text, room);
        if (!text)
            return false;
        o->text = text;
        o->room = room;
    }
    if (taken)
        memcpy(o->text + o->len, bytes, taken);
    o->len += taken;
    return fits;
}

/* Reads what is available. False if it is more than `most`, which is not kept. */
static bool read_output(struct output *o, size_t most)
{
    char bytes[READ_BYTES];
    bool fits = true;

    for (int i = 0; o->fd >= 0 && i < READS_MAX; i++) {
        ssize_t n = read(o->fd, bytes, sizeof(bytes));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        if (n <= 0)
            close_output(o);
        else if (!keep(o, bytes, (size_t)n, most))
            fits = false;
    }
    return fits;
}

size_t process_wait(const struct process *p, struct pollfd *fds, size_t room, int64_t *wake)
{
    const int all[PROCESS_DESCRIPTORS] = {p->pidfd, p->out.fd, p->err.fd};
    int64_t next = p->kill_at ? p->kill_at : p->deadline;
    size_t count = 0;

    if (p->end != PROCESS_RUNNING)
        return 0;
    for (size_t i = 0; i < COUNT(all) && count < room; i++)
        if (all[i] >= 0)
            fds[count++] = (struct pollfd){.fd = all[i], .events = POLLIN};
    if (next < *wake)
        *wake = next;
    return count;
}

/* ---- ending ---- */

static void signal_group(const struct process *p, int number)
{
    if (p->pid > 0)
        (void)kill(-p->pid, number);
}

void process_terminate(struct process *p)
{
    if (p->pid && p->end == PROCESS_RUNNING && !p->kill_at) {
        signal_group(p, SIGTERM);
        p->kill_at = clock_ms() + PROCESS_MERCY_MS;
    }
}

static void give_up(struct process *p, enum process_end why)
{
    if (!p->cause)
        p->cause = why;
    process_terminate(p);
}

/* Kills what is left of the group before it reaps the leader: until then no other group can have
 * its number. False if it still runs. */
static bool reap(struct process *p, int more)
{
    siginfo_t info = {0};

    if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOWAIT | more) != 0) {
        if (errno == EINTR)
            return false;
        p->end = PROCESS_LOST;
        return true;
    }
    if (info.si_pid == 0)
        return false;
    signal_group(p, SIGKILL);
    (void)waitid(P_PID, (id_t)p->pid, &info, WEXITED);
    p->code = info.si_status;
    p->end = p->cause ? p->cause : info.si_code == CLD_EXITED ? PROCESS_EXITED : PROCESS_KILLED;
    return true;
}

bool process_turn(struct process *p, int64_t now)
{
    if (p->end != PROCESS_RUNNING)
        return true;
    /* first, so that everything it wrote before it ended can be read */
    bool ended = reap(p, WNOHANG);
    (void)read_output(&p->err, PROCESS_ERRORS_MAX);
    if (!read_output(&p->out, PROCESS_OUTPUT_MAX)) {
        close_output(&p->out);
        give_up(p, PROCESS_TOO_MUCH);
        if (ended)
            p->end = PROCESS_TOO_MUCH;
    }
    if (ended)
        return true;
    if (p->kill_at && now >= p->kill_at) {
        signal_group(p, SIGKILL);
        p->kill_at = now + PROCESS_MERCY_MS;
    } else if (now >= p->deadline) {
        give_up(p, PROCESS_TIMEOUT);
    }
    return false;
}

void process_finish(struct process *p)
{
    struct pollfd fds[PROCESS_DESCRIPTORS];
    int64_t wake = p->deadline;

    do {
        size_t count = process_wait(p, fds, PROCESS_DESCRIPTORS, &wake);
        int64_t left = wake - clock_ms();
        (void)poll(fds, (nfds_t)count, left < 0 ? 0 : left > 1000 ? 1000 : (int)left);
    } while (!process_turn(p, clock_ms()));
}

static void wait_until(const struct process *p, int64_t until)
{
    struct pollfd fd = {.fd = p->pidfd, .events = POLLIN};
    int64_t left;

    while (p->pidfd >= 0 && (left = until - clock_ms()) > 0)
        if (poll(&fd, 1, (int)left) >= 0 || errno != EINTR)
            return;
}

void process_release(struct process *p, int64_t mercy_until)
{
    if (p->pid && p->end == PROCESS_RUNNING) {
        process_terminate(p);
        wait_until(p, mercy_until);
        signal_group(p, SIGKILL);
        while (!reap(p, 0))
            ;
    }
    close_output(&p->out);
    close_output(&p->err);
    if (p->pidfd >= 0)
        close(p->pidfd);
    free(p->out.text);
    free(p->err.text);
    *p = (struct process){.pidfd = -1, .out.fd = -1, .err.fd = -1, .end = p->end};
}
