#include "cell/keeper.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/auto.h"
#include "cell/answer.h"
#include "cell/caches.h"
#include "cell/channel.h"
#include "cell/inside.h"
#include "cell/landlock.h"
#include "cell/left.h"
#include "cell/main.h"
#include "cell/network.h"
#include "cell/processes.h"
#include "cell/protect.h"
#include "cell/recorder.h"
#include "cell/session.h"
#include "cell/where.h"

#define OWN_NAMESPACES  (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS)
#define CELL_NAMESPACES (CLONE_NEWUSER | CLONE_NEWNET | OWN_NAMESPACES)

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

enum { NOTES_OUT, NOTES_PUBLISHED, NOTES };

struct keeper {
    const struct plan *plan;
    struct error *err;
    struct report report;
    struct tripwire *tripwire;
    struct answers answers;
    struct session session;
    struct protect *protect; /* without namespaces */
    int channel, signals;
    int notes[NOTES]; /* of the processes of the network */
    pid_t first;      /* the first process of the cell */
    int code;         /* of the command; -1: it runs */
    bool recording;   /* recorder_begin() was called */
    bool listened;    /* its calls are heard */
    bool empty, left; /* nothing of the command still runs; something does, and lives on */
};

/* The cell could not be built. */
static void give_up(struct keeper *k, enum status status, const char *why)
{
    fail(k->err, status, "%s", why);
    k->code = EXIT_NOT_CONTAINED;
}

static void give_up_at(struct keeper *k, const char *step)
{
    fail(k->err, STATUS_IO, "%s: %s", step, strerror(errno));
    k->code = EXIT_NOT_CONTAINED;
}

/* ---- making the cell ---- */

/* A directory that is open leads to all of the disk, whatever is mounted in the cell. */
static bool has_open_directory(void)
{
    struct stat st;

    for (int fd = 0; fd < 3; fd++)
        if (fstat(fd, &st) == 0 ? S_ISDIR(st.st_mode) : errno != EBADF)
            return true;
    return false;
}

static int open_signals(void)
{
    sigset_t set;

    (void)sigemptyset(&set);
    for (size_t i = 0; i < COUNT(forwarded); i++)
        (void)sigaddset(&set, forwarded[i]);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
        return -1;
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* In the namespaces of another cell of the session, and otherwise in its own. A process must go
 * there before it can make the others, and the keeper stays where it is. */
static pid_t clone_joined(const struct keeper *k)
{
    pid_t first = -1;
    int ends[2], status;

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t between = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (between == 0) {
        if (setns(k->session.user, CLONE_NEWUSER) != 0 || setns(k->session.net, CLONE_NEWNET) != 0)
            _exit(EXIT_NOT_CONTAINED);
        first = (pid_t)syscall(SYS_clone, OWN_NAMESPACES | CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (first == 0)
            return 0;
        _exit(write(ends[1], &first, sizeof(first)) == (ssize_t)sizeof(first) ? 0 : 1);
    }
    close(ends[1]);
    if (between < 0 || read(ends[0], &first, sizeof(first)) != (ssize_t)sizeof(first))
        first = -1;
    close(ends[0]);
    if (between > 0)
        (void)waitpid(between, &status, 0);
    return first;
}

static bool is_alone(const struct keeper *k) /* without namespaces */
{
    return k->plan->tier == TIER_LANDLOCK;
}

static pid_t clone_first(const struct keeper *k)
{
    if (k->session.joined)
        return clone_joined(k);
    return (pid_t)syscall(SYS_clone, (is_alone(k) ? 0 : CELL_NAMESPACES) | SIGCHLD, 0, 0, 0, 0);
}

static const char *start_first(struct keeper *k, char **environment)
{
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return "socketpair";
    struct inside in = {.plan = k->plan,
                        .environment = environment,
                        .channel = ends[1],
                        .joined = k->session.joined,
                        .landlock = k->answers.landlock,
                        .protect = k->protect,
                        .user = geteuid(),
                        .group = getegid()};
    k->channel = ends[0];
    k->first = clone_first(k);
    if (k->first == 0) {
        close(ends[0]);
        inside_run(&in);
    }
    const int why = errno;
    close(ends[1]);
    if (k->first >= 0)
        return NULL;
    errno = why;
    return is_alone(k) ? "it cannot be started" : "the kernel gives no namespaces";
}

static bool find_namespace(struct keeper *k)
{
    char path[64];
    struct stat st;

    if (is_alone(k)) {
        k->answers.first = k->first;
        k->answers.servers = servers_open();
        k->answers.root = where_root(getpid());
        return k->answers.root >= 0 && k->answers.servers >= 0;
    }

    (void)snprintf(path, sizeof(path), "/proc/%d/ns/user", k->first);
    if (stat(path, &st) != 0)
        return false;
    k->answers.users = st.st_ino;
    k->answers.root = where_root(k->first);
    return k->answers.root >= 0;
}

/* ---- while it runs ---- */

/* The terminal sends its signals to the command as well; only what somebody sent to the keeper
 * alone is handed on. */
static void forward(struct keeper *k)
{
    struct signalfd_siginfo info;

    while (read(k->signals, &info, sizeof(info)) == (ssize_t)sizeof(info))
        if (info.ssi_code <= 0)
            (void)channel_send(
                k->channel, &(struct message){.kind = MESSAGE_SIGNAL, .value = (int)info.ssi_signo},
                -1);
}

/* The one that was started ends, with the code that is known now; what is left of the cell needs
 * somebody to answer its calls. */
static void stay_behind(struct keeper *k)
{
    pid_t child = k->plan->background ? fork() : -1;

    k->left = child >= 0; /* otherwise it ends now */
    if (child != 0)
        return;
    (void)setsid();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = 0; fd < 3; fd++)
        if (null < 0 || dup2(null, fd) < 0)
            close(fd);
    session_inherit(&k->session);
    connect_abandon(&k->answers);
    k->report = (struct report){.lock = PTHREAD_MUTEX_INITIALIZER}; /* the rest was told */
    k->code = -1;
    k->left = false;
    k->first = 0;
}

/* The cell ends before the command did. Nothing was run as long as nothing was answered. */
static void lose(struct keeper *k, const char *why)
{
    if (atomic_load(&k->answers.answered))
        k->code = 128 + SIGKILL;
    else
        give_up(k, STATUS_IO, why);
}

static void end(struct keeper *k, const struct message *message)
{
    k->code = message->value;
    k->empty = message->kind == MESSAGE_ENDED;
    k->left = !k->empty && !is_alone(k);
    if (k->left)
        stay_behind(k);
}

static void heed(struct keeper *k)
{
    int fd;
    struct message message = channel_receive(k->channel, &fd);

    if (message.kind == MESSAGE_SERVERS && k->answers.servers < 0 && fd >= 0) {
        k->answers.servers = fd;
        return;
    }
    if (message.kind == MESSAGE_LISTENER && k->answers.listener < 0 && fd >= 0) {
        k->answers.listener = fd;
        k->listened = true;
        return;
    }
    const bool network = message.kind == MESSAGE_SOCKET || message.kind == MESSAGE_NETWORK;
    if (network && !network_give(k->notes[NOTES_OUT], &message, fd))
        give_up(k, STATUS_IO, "its network cannot be handed over");
    if (fd >= 0)
        close(fd);
    if (network)
        return;
    if (message.kind == MESSAGE_ENDED || message.kind == MESSAGE_LEFT)
        end(k, &message);
    else if (message.kind == MESSAGE_FAILED)
        give_up(k, (enum status)message.value, message.text);
    else if (message.kind == MESSAGE_LISTENER || message.kind == MESSAGE_SERVERS)
        give_up(k, STATUS_IO, "its calls cannot be heard");
    else
        lose(k, "its first process is gone");
}

static void watch(struct keeper *k)
{
    while (k->code < 0) {
        struct pollfd events[] = {{k->channel, POLLIN, 0},
                                  {k->answers.listener, POLLIN, 0},
                                  {k->signals, POLLIN, 0},
                                  {k->notes[NOTES_OUT], POLLIN, 0},
                                  {k->notes[NOTES_PUBLISHED], POLLIN, 0}};
        if (poll(events, COUNT(events), -1) < 0) {
            if (errno != EINTR)
                lose(k, "it cannot be waited for");
            continue;
        }
        if (events[1].revents & POLLIN) {
            answer_next(&k->answers);
        } else if (events[1].revents) { /* no process with the filter is left */
            close(k->answers.listener);
            k->answers.listener = -1;
        }
        if (atomic_load(&k->answers.broken))
            lose(k, "its calls cannot be answered");
        if (events[2].revents)
            forward(k);
        for (size_t i = 0; i < NOTES; i++)
            if (events[3 + i].revents && !network_hear(k->notes[i], &k->report)) {
                close(k->notes[i]); /* without it nothing more is reached */
                k->notes[i] = -1;
            }
        if (events[0].revents && k->code < 0)
            heed(k);
    }
}

/* From when on nobody listens, nobody in the cell can start another process. If the first one was
 * ended by somebody, the others are children of this one. */
static void end_alone(struct keeper *k)
{
    if (k->answers.listener >= 0)
        close(k->answers.listener);
    k->answers.listener = -1;
    if (k->first > 0) {
        if (k->channel >= 0)
            (void)channel_send(k->channel, &(struct message){.kind = MESSAGE_END}, -1);
        (void)waitpid(k->first, NULL, 0);
        processes_end();
    }
    protect_end(k->protect, &k->report);
    k->protect = NULL;
}

/* Without `background` the first process, and with it all of the cell, ends here. */
static void end_cell(struct keeper *k)
{
    if (is_alone(k)) {
        end_alone(k);
    } else if (k->first > 0) {
        (void)kill(k->first, SIGKILL);
        /* If the first process was the last one, no one needs to wait until the kernel has taken
         * the namespaces apart. */
        if (!k->empty)
            (void)waitpid(k->first, NULL, 0);
    }
    if (k->tripwire)
        tripwire_look(k->tripwire, &k->report);
}

static void finish(struct keeper *k)
{
    if (k->left) {
        recorder_leave(k->answers.recorder); /* to the process that stays */
    } else {
        end_cell(k);
        recorder_end(k->answers.recorder);
    }
    for (size_t i = 0; i < NOTES; i++) {
        if (k->notes[i] >= 0 && !k->left)
            network_end(k->notes[i], &k->report);
        else if (k->notes[i] >= 0)
            (void)network_hear(k->notes[i], &k->report);
    }
    if (!k->left)
        session_leave(&k->session);
    /* The one that stayed behind speaks only if there is something to tell. */
    if (k->first > 0 && k->answers.left[0])
        left_keep(k->plan->token, k->answers.left);
    if (k->listened && k->err->status == STATUS_OK && (k->first > 0 || k->report.count)) {
        report_print(&k->report, k->plan, k->code);
        report_write(&k->report, k->plan, k->code, k->left);
    }
    const int open[] = {
        k->channel,         k->signals,          k->answers.listener,      k->answers.root,
        k->answers.servers, k->notes[NOTES_OUT], k->notes[NOTES_PUBLISHED]};
    for (size_t i = 0; i < COUNT(open); i++)
        if (open[i] >= 0)
            close(open[i]);
    tripwire_free(k->tripwire);
    free(k->answers.own.numbers);
}

/* What has no place in a cell without namespaces. */
static enum status check_alone(const struct plan *plan, struct error *err)
{
    bool layered = false;

    for (size_t i = 0; i < plan->cache_count; i++)
        layered = layered || plan->caches[i].place;
    if (plan->host_count || plan->loopback_count || plan->publish_count || layered)
        return fail(err, STATUS_USAGE, "hosts, ports and layers of caches need namespaces");
    return STATUS_OK;
}

/* The keeper has no more rights than the command for which it does things. */
static enum status prepare_alone(struct keeper *k)
{
    enum status status = is_alone(k) ? check_alone(k->plan, k->err) : STATUS_OK;

    k->answers.landlock = landlock_version();
    if (!is_alone(k) || status != STATUS_OK)
        return status;
    if (k->answers.landlock < LANDLOCK_NEEDED)
        return fail(k->err, STATUS_IO, "the kernel has no Landlock that would do");
    if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        return fail(k->err, STATUS_IO, "cannot keep processes: %s", strerror(errno));
    status = inside_drop_capabilities(k->plan->tier, k->err);
    return status == STATUS_OK ? protect_begin(k->plan, &k->protect, k->err) : status;
}

/* Before the first process hides itself. */
static bool share_network(struct keeper *k)
{
    if (is_alone(k) || (!k->session.name && !k->plan->publish_count))
        return true;
    return session_register(&k->session, k->first, k->err) == STATUS_OK &&
           network_publish(k->plan, k->session.user, k->session.net, &k->notes[NOTES_PUBLISHED],
                           k->err) == STATUS_OK;
}

/* After the first process, which inherits nothing of it, and before that goes on. */
static bool begin_recording(struct keeper *k)
{
    k->answers.recorder = recorder_begin(k->plan, &k->report.unsaved);
    k->recording = true;
    if (!k->report.unsaved || !k->plan->undo.needed)
        return true;
    give_up(k, STATUS_LIMIT, "what it deletes cannot be saved"); /* the machine is as it was */
    return false;
}

static void start(struct keeper *k, char **environment)
{
    const char *failed = NULL;

    if (!k->tripwire)
        give_up(k, STATUS_NOMEM, "no memory");
    else if (has_open_directory())
        give_up(k, STATUS_USAGE, "a standard stream is a directory");
    else if ((k->signals = open_signals()) < 0)
        give_up(k, STATUS_IO, "signals");
    else if (prepare_alone(k) != STATUS_OK || caches_make(k->plan, k->err) != STATUS_OK ||
             network_start(k->plan, &k->notes[NOTES_OUT], k->err) != STATUS_OK ||
             (!is_alone(k) && session_enter(k->plan, &k->session, k->err) != STATUS_OK))
        k->code = EXIT_NOT_CONTAINED;
    else if ((failed = start_first(k, environment)))
        give_up_at(k, failed);
    else if (!share_network(k))
        k->code = EXIT_NOT_CONTAINED;
    else if (begin_recording(k) &&
             (!find_namespace(k) ||
              !channel_send(k->channel, &(struct message){.kind = MESSAGE_GO}, -1)))
        give_up(k, STATUS_IO, "its first process is gone");
    if (!k->recording) /* the entry ends with the call that did not run */
        k->answers.recorder = recorder_begin(k->plan, &k->report.unsaved);
}

int keeper_run(const struct plan *plan, char **environment, struct error *err)
{
    struct keeper k = {.plan = plan,
                       .err = err,
                       .report = {.lock = PTHREAD_MUTEX_INITIALIZER},
                       .channel = -1,
                       .signals = -1,
                       .notes = {-1, -1},
                       .session = SESSION_NONE,
                       .code = -1};

    k.tripwire = tripwire_new(plan);
    k.answers = (struct answers){.plan = plan,
                                 .report = &k.report,
                                 .tripwire = k.tripwire,
                                 .listener = -1,
                                 .root = -1,
                                 .servers = -1};
    start(&k, environment);
    watch(&k);
    finish(&k);
    return k.code;
}
