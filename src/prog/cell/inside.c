#include "cell/inside.h"

#include <errno.h>
#include <linux/capability.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "cell/channel.h"
#include "cell/filter.h"
#include "cell/kernel.h"
#include "cell/landlock.h"
#include "cell/main.h"
#include "cell/mounts.h"
#include "cell/network.h"
#include "cell/processes.h"
#include "cell/servers.h"

#define CAPABILITIES_MAX 64
#define PROCESSES_MAX    4096

static _Noreturn void give_up(int channel, const struct error *err)
{
    struct message message = {.kind = MESSAGE_FAILED, .value = (int)err->status};

    memcpy(message.text, err->message, sizeof(message.text));
    (void)channel_send(channel, &message, -1);
    _exit(EXIT_NOT_CONTAINED);
}

/* ---- the namespaces ---- */

static enum status put_text(const char *path, const char *text, struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        return fail(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    return STATUS_OK;
}

/* The user and group of the caller and no others, under their own numbers. */
static enum status map_user(const struct inside *in, struct error *err)
{
    char users[64], groups[64];
    enum status status = put_text("/proc/self/setgroups", "deny", err);

    (void)snprintf(users, sizeof(users), "%u %u 1", in->user, in->user);
    (void)snprintf(groups, sizeof(groups), "%u %u 1", in->group, in->group);
    if (status == STATUS_OK)
        status = put_text("/proc/self/uid_map", users, err);
    return status == STATUS_OK ? put_text("/proc/self/gid_map", groups, err) : status;
}

static enum status start_loopback(struct error *err)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING};
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &loopback) != 0)
        return fail(err, STATUS_IO, "cannot start the loopback network: %s", strerror(errno));
    return STATUS_OK;
}

static enum status hand_out_servers(const struct inside *in, struct error *err)
{
    AUTO_CLOSE int servers = servers_open();

    if (servers < 0 ||
        !channel_send(in->channel, &(struct message){.kind = MESSAGE_SERVERS}, servers))
        return fail(err, STATUS_IO, "cannot ask for servers: %s", strerror(errno));
    return STATUS_OK;
}

static bool is_alone(const struct inside *in) /* without namespaces */
{
    return in->plan->tier == TIER_LANDLOCK;
}

static enum status build(const struct inside *in, struct error *err)
{
    enum status status = in->joined || is_alone(in) ? STATUS_OK : map_user(in, err);

    if (status == STATUS_OK && !is_alone(in))
        status = mounts_make(in->plan, err);
    /* The directory that was inherited is on the mount below, where all is read-only. */
    if (status == STATUS_OK && chdir(in->plan->directory) != 0)
        status =
            fail(err, STATUS_USAGE, "cannot go to %s: %s", in->plan->directory, strerror(errno));
    if (is_alone(in))
        return status;
    if (status == STATUS_OK && !in->joined)
        status = start_loopback(err);
    if (status == STATUS_OK)
        status = network_hand_out(in->plan, in->channel, err);
    return status == STATUS_OK ? hand_out_servers(in, err) : status;
}

/* ---- the command ---- */

enum status inside_drop_capabilities(enum tier tier, struct error *err)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct now[2] = {{0}}, none[2] = {{0}};

    if (syscall(SYS_capget, &header, now) != 0)
        return fail(err, STATUS_IO, "cannot look at capabilities: %s", strerror(errno));
    const bool can_drop = tier == TIER_NAMESPACES || (now[0].effective & (1u << CAP_SETPCAP));
    for (unsigned long i = 0; can_drop && i < CAPABILITIES_MAX; i++)
        if (prctl(PR_CAPBSET_DROP, i, 0, 0, 0) != 0 && errno != EINVAL)
            return fail(err, STATUS_IO, "cannot drop capability %lu: %s", i, strerror(errno));
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 ||
        syscall(SYS_capset, &header, none) != 0)
        return fail(err, STATUS_IO, "cannot drop capabilities: %s", strerror(errno));
    return STATUS_OK;
}

/* No core files: their handler is outside. And so many processes that a bomb of them ends; the
 * kernel counts those of the cell alone, and none of root. */
static enum status limit(struct error *err)
{
    const struct rlimit no_core = {0, 0};
    struct rlimit processes;

    if (setrlimit(RLIMIT_CORE, &no_core) != 0 || getrlimit(RLIMIT_NPROC, &processes) != 0)
        return fail(err, STATUS_IO, "cannot set limits: %s", strerror(errno));
    if (processes.rlim_max > PROCESSES_MAX)
        processes = (struct rlimit){PROCESSES_MAX, PROCESSES_MAX};
    if (setrlimit(RLIMIT_NPROC, &processes) != 0)
        return fail(err, STATUS_IO, "cannot limit processes: %s", strerror(errno));
    return STATUS_OK;
}

static enum status confine(const struct inside *in, int *listener, struct error *err)
{
    enum status status = limit(err);

    if (status != STATUS_OK)
        return status;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return fail(err, STATUS_IO, "cannot forbid new privileges: %s", strerror(errno));
    status = inside_drop_capabilities(in->plan->tier, err);
    if (status == STATUS_OK)
        status = landlock_apply(in->plan, in->landlock, err);
    return status == STATUS_OK ? filter_apply(in->plan, in->landlock, listener, err) : status;
}

static bool restore_signals(void)
{
    sigset_t none;

    for (int signal_number = 1; signal_number < NSIG; signal_number++)
        if (signal_number != SIGKILL && signal_number != SIGSTOP && signal_number != SIGPIPE)
            (void)signal(signal_number, SIG_DFL);
    (void)sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL) == 0;
}

/* The keeper answers this call with EINVAL, and nobody else does: it hears, and it answers. */
static bool is_kept(void)
{
    return connect(-1, NULL, 0) != 0 && errno == EINVAL;
}

/* Every descriptor but the standard ones; the channel stays until the command has begun. */
static enum status close_others(int *channel, struct error *err)
{
    int kept = fcntl(*channel, F_DUPFD_CLOEXEC, 3);

    if (kept < 0 || (kept > 3 && syscall(SYS_close_range, 3, kept - 1, 0) != 0) ||
        syscall(SYS_close_range, kept + 1, ~0u, 0) != 0)
        return fail(err, STATUS_IO, "cannot close descriptors: %s", strerror(errno));
    *channel = kept;
    return STATUS_OK;
}

/* From confine() on nothing can be undone, and the keeper answers for what is called: the listener
 * must reach it before the first such call. */
static enum status prepare(const struct inside *in, int *channel, struct error *err)
{
    int listener = -1;
    enum status status;

    if (!restore_signals() || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0)
        return fail(err, STATUS_IO, "cannot start the command: %s", strerror(errno));
    status = confine(in, &listener, err);
    if (status != STATUS_OK)
        return status;
    if (!channel_send(*channel, &(struct message){.kind = MESSAGE_LISTENER}, listener))
        return fail(err, STATUS_IO, "cannot reach the keeper: %s", strerror(errno));
    close(listener); /* so that a keeper that is gone is noticed */
    if (!is_kept())
        return fail(err, STATUS_IO, "the keeper does not answer: %s", strerror(errno));
    return close_others(channel, err);
}

static _Noreturn void become(const struct inside *in)
{
    struct error err = {0};
    int channel = in->channel;

    if (prepare(in, &channel, &err) == STATUS_OK) {
        execve(in->plan->program, in->plan->words, in->environment);
        fail(&err, STATUS_USAGE, "cannot run %s: %s", in->plan->program, strerror(errno));
    }
    give_up(channel, &err);
}

/* ---- the first process ---- */

struct reaper {
    const struct inside *in;
    pid_t command;
    bool ended; /* and the keeper knows */
    bool kept;  /* the keeper wants the cell to end */
};

static int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Whoever reads what the command printed waits for the last writer to be gone. */
static void leave_streams(void)
{
    AUTO_CLOSE int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    for (int fd = 0; fd < 3; fd++)
        if (null < 0 || dup2(null, fd) < 0)
            close(fd);
}

/* What is left lives on, without the terminal, and no longer dies with the keeper. */
static void tell_end(struct reaper *r, int status)
{
    struct message message = {.kind = MESSAGE_ENDED, .value = code_of(status)};
    pid_t left;

    (void)prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    do
        left = waitpid(-1, NULL, WNOHANG);
    while (left > 0);
    if (left == 0)
        message.kind = MESSAGE_LEFT;
    r->ended = true;
    leave_streams();
    if (!channel_send(r->in->channel, &message, -1))
        _exit(EXIT_NOT_CONTAINED);
}

/* False: no child is left. */
static bool reap(struct reaper *r)
{
    for (;;) {
        int status;
        pid_t child = waitpid(-1, &status, WNOHANG);
        if (child == 0)
            return true;
        if (child < 0)
            return errno == EINTR;
        if (child == r->command)
            tell_end(r, status);
    }
}

/* With the first process goes all of the cell; without namespaces one by one. What was protected is
 * mended by the keeper, unless that is gone. */
static _Noreturn void end(struct reaper *r, bool kept)
{
    if (is_alone(r->in)) {
        processes_end();
        if (!kept)
            protect_end(r->in->protect, NULL);
    }
    _exit(0);
}

/* False: the cell ends. */
static bool obey(struct reaper *r)
{
    int fd;
    struct message message = channel_receive(r->in->channel, &fd);

    if (fd >= 0)
        close(fd);
    if (message.kind == MESSAGE_SIGNAL && !r->ended)
        (void)kill(r->command, message.value);
    r->kept = message.kind == MESSAGE_END;
    return message.kind == MESSAGE_SIGNAL;
}

static _Noreturn void watch(struct reaper *r, int signals)
{
    struct signalfd_siginfo info;

    for (;;) {
        struct pollfd events[] = {{signals, POLLIN, 0}, {r->in->channel, POLLIN, 0}};
        if (poll(events, COUNT(events), -1) < 0 && errno != EINTR)
            end(r, false);
        if (events[0].revents && read(signals, &info, sizeof(info)) > 0 && !reap(r) &&
            !is_alone(r->in))
            _exit(0);
        if (events[1].revents && !obey(r))
            end(r, r->kept);
    }
}

/* The keeper may be gone before its death could be told: it says that it is there. */
static void wait_for_keeper(const struct inside *in)
{
    int fd;

    const bool ready = is_alone(in) ? prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
                                    : prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0;
    if (!ready || channel_receive(in->channel, &fd).kind != MESSAGE_GO)
        _exit(EXIT_NOT_CONTAINED);
}

/* A signal to the group of the keeper ends the keeper and the command; who mends what is protected
 * must not be in it. The command stays in its session, and waits until this one has left. */
static enum status leave_session(const struct inside *in, const int turn[2], struct error *err)
{
    if (!is_alone(in))
        return STATUS_OK;
    if (setsid() < 0 || write(turn[1], "", 1) != 1)
        return fail(err, STATUS_IO, "cannot leave the session: %s", strerror(errno));
    return STATUS_OK;
}

static void wait_for_turn(const struct inside *in, int turn[2])
{
    char byte;

    if (!is_alone(in))
        return;
    close(turn[1]);
    if (read(turn[0], &byte, 1) != 1)
        _exit(EXIT_NOT_CONTAINED);
}

_Noreturn void inside_run(const struct inside *in)
{
    struct reaper r = {.in = in};
    struct error err = {0};
    sigset_t children;
    int turn[2] = {-1, -1};

    wait_for_keeper(in);
    (void)sigemptyset(&children);
    (void)sigaddset(&children, SIGCHLD);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0 || sigprocmask(SIG_BLOCK, &children, NULL) != 0)
        fail(&err, STATUS_IO, "cannot wait for signals: %s", strerror(errno));
    else if (build(in, &err) == STATUS_OK && prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
        fail(&err, STATUS_IO, "cannot hide the first process: %s", strerror(errno));
    /* not fork(), which would ignore that signals cannot be blocked around it */
    if (err.status == STATUS_OK &&
        (pipe2(turn, O_CLOEXEC) != 0 ||
         (r.command = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) < 0))
        fail(&err, STATUS_IO, "cannot start the command: %s", strerror(errno));
    if (err.status == STATUS_OK && r.command == 0) {
        wait_for_turn(in, turn);
        become(in);
    }
    if (err.status == STATUS_OK)
        (void)leave_session(in, turn, &err);
    if (err.status != STATUS_OK)
        give_up(in->channel, &err);
    close(turn[0]);
    close(turn[1]);
    watch(&r, signals);
}
