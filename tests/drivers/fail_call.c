/* fail_call.c - one system call of a program, or of a program that it starts, fails.
 *
 *     fail_call NUMBER ERROR SAID PROGRAM [ARG...]
 *
 * The call of this number does not happen: it returns ERROR. The first one is what our programs
 * begin with, a look at descriptor 0; before that only the loader was at work. Calls that cannot
 * fail are not counted. The file SAID gets how many calls there were, and the number that the
 * kernel has for the one that failed; 0: there were not that many. The exit code is that of the
 * program, 128 more for a signal; 77: this kernel cannot tell us of calls, 3: something is wrong
 * here. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(a)     (sizeof(a) / sizeof((a)[0]))
#define SENDER       250 /* the descriptor by which the listener leaves the child */
#define LONGEST_MS   30000
#define NOT_POSSIBLE 77

static const struct {
    const char *name;
    int error;
} errors[] = {{"EIO", EIO},       {"ENOMEM", ENOMEM}, {"EACCES", EACCES},
              {"ENOSPC", ENOSPC}, {"EINTR", EINTR},   {"EMFILE", EMFILE}};

/* What cannot fail, and close(): a descriptor that stays open is another mistake. */
static const int unheeded[] = {
    SYS_rt_sigaction,  SYS_rt_sigprocmask, SYS_rt_sigreturn,    SYS_sigaltstack,
    SYS_getpid,        SYS_getppid,        SYS_gettid,          SYS_getuid,
    SYS_geteuid,       SYS_getgid,         SYS_getegid,         SYS_futex,
    SYS_clock_gettime, SYS_sched_yield,    SYS_set_tid_address, SYS_set_robust_list,
    SYS_rseq,          SYS_munmap,         SYS_madvise,         SYS_brk,
    SYS_close,         SYS_exit,           SYS_exit_group};

static _Noreturn void stop(const char *what)
{
    perror(what);
    exit(errno == ENOSYS || errno == EBUSY ? NOT_POSSIBLE : 3);
}

/* ---- the child ---- */

#define LOAD(what)        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, what))
#define UNLESS(value, by) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (by))
#define RETURN(what)      BPF_STMT(BPF_RET | BPF_K, (what))

static int listen_to_own_calls(void)
{
    struct sock_filter filter[2 * COUNT(unheeded) + 8];
    unsigned short n = 0;

    filter[n++] = (struct sock_filter)LOAD(nr);
    for (size_t i = 0; i < COUNT(unheeded); i++) {
        filter[n++] = (struct sock_filter)UNLESS((unsigned)unheeded[i], 1);
        filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    }
    filter[n++] = (struct sock_filter)UNLESS(SYS_sendmsg, 3);
    filter[n++] = (struct sock_filter)LOAD(args[0]);
    filter[n++] = (struct sock_filter)UNLESS(SENDER, 1);
    filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
    filter[n++] = (struct sock_filter)RETURN(SECCOMP_RET_USER_NOTIF);

    const struct sock_fprog program = {n, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        stop("no_new_privs");
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
                        &program);
}

union passed {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof(int))];
};

static void message(struct msghdr *m, struct iovec *byte, union passed *passed)
{
    *m = (struct msghdr){
        .msg_iov = byte, .msg_iovlen = 1, .msg_control = passed, .msg_controllen = sizeof(*passed)};
}

static _Noreturn void begin(char **words)
{
    int listener = listen_to_own_calls();
    if (listener < 0)
        stop("seccomp");

    union passed passed = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)),
                                    .cmsg_level = SOL_SOCKET,
                                    .cmsg_type = SCM_RIGHTS}};
    char one = 0;
    struct iovec byte = {&one, 1};
    struct msghdr m;

    message(&m, &byte, &passed);
    memcpy(CMSG_DATA(&passed.head), &listener, sizeof(int));
    if (sendmsg(SENDER, &m, 0) != 1)
        _exit(3);
    close(listener);
    execv(words[0], words);
    _exit(127);
}

/* ---- the one that listens ---- */

static int receive_listener(int socket)
{
    union passed passed;
    char one;
    struct iovec byte = {&one, 1};
    struct msghdr m;
    int listener = -1;

    message(&m, &byte, &passed);
    if (recvmsg(socket, &m, MSG_CMSG_CLOEXEC) != 1 || m.msg_controllen < sizeof(passed))
        return -1; /* the child has said why, and ends */
    memcpy(&listener, CMSG_DATA(&passed.head), sizeof(int));
    return listener;
}

struct plan {
    unsigned long number;
    int error;
    const char *said;
    unsigned long seen;
    int failed; /* which call of the kernel */
};

static void say(const struct plan *p)
{
    FILE *f = fopen(p->said, "w");

    if (!f || fprintf(f, "%lu %d\n", p->seen, p->failed) < 0 || fclose(f) != 0)
        stop(p->said);
}

static bool is_first(const struct seccomp_data *call)
{
    return call->nr == SYS_fcntl && call->args[0] == 0 && call->args[1] == F_GETFD;
}

static void answer(struct plan *p, const struct seccomp_notif *asked,
                   struct seccomp_notif_resp *out)
{
    *out = (struct seccomp_notif_resp){.id = asked->id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    if (!p->seen && !is_first(&asked->data))
        return;
    if (++p->seen == p->number) {
        out->flags = 0;
        out->error = -p->error;
        p->failed = asked->data.nr;
    }
}

/* Until nobody is left who has the filter. */
static bool heed(int listener, struct plan *p)
{
    struct pollfd waits = {.fd = listener, .events = POLLIN};

    for (;;) {
        struct seccomp_notif asked = {0};
        struct seccomp_notif_resp given;
        if (poll(&waits, 1, LONGEST_MS) <= 0)
            return false;
        if (!(waits.revents & POLLIN))
            return true;
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
            continue; /* it was killed meanwhile */
        answer(p, &asked, &given);
        (void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &given);
    }
}

static int error_named(const char *name)
{
    for (size_t i = 0; i < COUNT(errors); i++)
        if (strcmp(errors[i].name, name) == 0)
            return errors[i].error;
    errno = EINVAL;
    stop(name);
}

int main(int argc, char **argv)
{
    int pair[2], status;

    if (argc < 5) {
        fprintf(stderr, "usage: fail_call NUMBER ERROR SAID PROGRAM [ARG...]\n");
        return 3;
    }
    struct plan p = {strtoul(argv[1], NULL, 10), error_named(argv[2]), argv[3], 0, 0};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        stop("socketpair");
    pid_t child = fork();
    if (child == 0) {
        if (dup3(pair[1], SENDER, O_CLOEXEC) != SENDER)
            stop("dup3");
        begin(argv + 4);
    }
    close(pair[1]);
    int listener = receive_listener(pair[0]);
    bool ended = listener < 0 || heed(listener, &p);
    if (!ended)
        kill(child, SIGKILL);
    if (waitpid(child, &status, 0) != child)
        stop("waitpid");
    if (!ended)
        fprintf(stderr, "fail_call: it hangs\n");
    say(&p);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
