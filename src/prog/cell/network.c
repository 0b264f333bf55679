#include "cell/network.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/auto.h"
#include "cell/channel.h"
#include "cell/kernel.h"
#include "cell/landlock.h"
#include "proxy/serve.h"

#define BACKLOG 64

enum status network_hand_out(const struct plan *plan, int channel, struct error *err)
{
    const struct sockaddr_in at = {.sin_family = AF_INET,
                                   .sin_port = htons(PROXY_PORT),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    if (plan->host_count == 0)
        return STATUS_OK;
    AUTO_CLOSE int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (const void *)&at, sizeof(at)) != 0 || listen(fd, BACKLOG) != 0 ||
        !channel_send(channel, &(struct message){.kind = MESSAGE_PROXY}, fd))
        return fail(err, STATUS_IO, "cannot hand out the network: %s", strerror(errno));
    return STATUS_OK;
}

/* ---- the process outside ---- */

/* It reads what the cell says, so it has no more power than it needs: it can write no file. */
static bool confine(void)
{
    const struct rlimit no_core = {0, 0};
    const struct plan nothing = {0};
    struct error err;

    return setrlimit(RLIMIT_CORE, &no_core) == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && landlock_apply(&nothing, &err) == STATUS_OK;
}

/* Keeps `fd` alone, as a number that is returned. */
static int leave_others(int fd)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), kept = 3;

    for (int i = 0; i < 3; i++)
        if (null < 0 || dup2(null, i) < 0)
            return -1;
    if (fd != kept && dup3(fd, kept, O_CLOEXEC) != kept)
        return -1;
    return syscall(SYS_close_range, kept + 1, ~0u, 0) == 0 ? kept : -1;
}

static _Noreturn void work(const struct plan *plan, int notes)
{
    int listener = -1;

    notes = leave_others(notes);
    if (notes < 0 || !confine() || channel_receive(notes, &listener).kind != MESSAGE_PROXY ||
        listener < 0)
        _exit(1);
    proxy_run(&(struct proxy){.hosts = plan->hosts,
                              .host_count = plan->host_count,
                              .refused = plan->ranges,
                              .refused_count = plan->range_count,
                              .listener = listener,
                              .notes = notes});
}

enum status network_start(const struct plan *plan, int *notes, struct error *err)
{
    int ends[2];

    *notes = -1;
    if (plan->host_count == 0)
        return STATUS_OK;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return fail(err, STATUS_IO, "cannot start the network: %s", strerror(errno));
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        work(plan, ends[1]);
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return fail(err, STATUS_IO, "cannot start the network: %s", strerror(errno));
    }
    *notes = ends[0];
    return STATUS_OK;
}

bool network_give(int notes, int listener)
{
    return channel_send(notes, &(struct message){.kind = MESSAGE_PROXY}, listener);
}

/* ---- what it tells ---- */

static void take(struct report *report, const struct proxy_note *note)
{
    char text[REPORT_TEXT];

    if (note->verdict == PROXY_CONNECTED) {
        report_connection(report, note);
        return;
    }
    int n = note->to.name[0] ? snprintf(text, sizeof(text), "%s:%u (%s)", note->to.name,
                                        note->to.port, proxy_reason(note->verdict))
                             : snprintf(text, sizeof(text), "the proxy of the sandbox (%s)",
                                        proxy_reason(note->verdict));
    report_refusal(report, REFUSED_CONNECT, (struct str){text, n > 0 ? (size_t)n : 0});
}

bool network_hear(int notes, struct report *report)
{
    struct proxy_note note;
    ssize_t n;

    while ((n = recv(notes, &note, sizeof(note), MSG_DONTWAIT)) == (ssize_t)sizeof(note))
        if (note.verdict <= PROXY_CONNECTED)
            take(report, &note);
    return n < 0 && (errno == EAGAIN || errno == EINTR);
}
