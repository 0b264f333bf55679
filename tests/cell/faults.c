/* faults.c - makes each system call of warder-cell fail once while it builds a cell.
 *
 *     faults CELL USER TIER [ERRORS]    ERRORS: how many kinds of error, of four
 *
 * Three processes build a cell: the keeper, the first process, and the one that becomes the
 * command. Each is traced, and its n-th call fails, for every n until the command runs. Either
 * nothing was run, and the exit code is 125, or the cell is as planned: then the command, which is
 * warder-cell's own list of probes, finds that every wall stands. Anything else is a fault. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <grp.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define COUNT(a)    (sizeof(a) / sizeof((a)[0]))
#define NOT_RUN     125
#define KILLED      137 /* when the command was about to begin */
#define RUN_SECONDS 20
#define CALLS_MAX   3000

enum process { KEEPER, FIRST, COMMAND, PROCESSES };

static const char *const process_names[] = {"keeper", "first process", "command"};
static const int errors[] = {EPERM, ENOSYS, ENOMEM, EINVAL};
static char place[64], program[PATH_MAX], port[16];
static const char *tier;

static _Noreturn void stop(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- the place ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at)
{
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void put(const char *name)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0 || write(fd, "as it was\n", 10) != 10)
        stop(name);
    close(fd);
}

static bool is_as_it_was(const char *name)
{
    char text[16] = "";
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text));

    if (fd >= 0)
        close(fd);
    return got == 10 && memcmp(text, "as it was\n", 10) == 0;
}

static void make_workspace(void)
{
    (void)nftw("work", remove_one, 8, FTW_DEPTH | FTW_PHYS);
    if (mkdir("work", 0700) != 0 || mkdir("work/kept", 0700) != 0)
        stop("work");
    put("work/kept/file");
}

static void make_place(void)
{
    struct sockaddr_un named = {.sun_family = AF_UNIX, .sun_path = "socket"};
    struct sockaddr_in host = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(host);
    int unix_server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int host_server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (mkdir("hidden", 0700) != 0)
        stop(place);
    put("hidden/secret");
    put("outside");
    if (bind(unix_server, (struct sockaddr *)&named, sizeof(named)) != 0 ||
        listen(unix_server, 64) != 0 ||
        bind(host_server, (struct sockaddr *)&host, sizeof(host)) != 0 ||
        listen(host_server, 64) != 0 ||
        getsockname(host_server, (struct sockaddr *)&host, &size) != 0)
        stop("servers");
    (void)snprintf(port, sizeof(port), "%u", ntohs(host.sin_port));
}

static int write_plan(void)
{
    int fd = memfd_create("plan", 0);

    if (fd < 0 ||
        dprintf(fd,
                "{\"version\":1,\"tier\":\"%s\",\"program\":\"%s\",\"words\":[\"warder-cell\","
                "\"--probe\",\"%s\",\"%d\",\"%s\",\"%s\"],\"directory\":\"%s/"
                "work\",\"write\":[\"%s/work\"],"
                "\"protect\":[\"%s/work/kept/file\"],\"refuse\":[\"refused\"],"
                "\"hide\":[\"%s/hidden\"],\"remove\":[\"*_TOKEN\"],\"set\":[\"A=b\"]}",
                tier, program, place, (int)getpid(), port, tier, place, place, place, place) < 0 ||
        lseek(fd, 0, SEEK_SET) != 0)
        stop("plan");
    return fd;
}

static void remove_place(void)
{
    (void)chdir("/");
    (void)nftw(place, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- one run ---- */

struct traced {
    pid_t pid;
    unsigned calls;
    bool inside; /* a call */
    bool ours;   /* it has not become warder-cell yet */
};

struct run {
    enum process where;
    unsigned number;
    int error;
    struct traced traced[PROCESSES];
    unsigned known;
    bool injected, failing; /* it was made to fail; the end of that call is awaited */
    pid_t ready;            /* the command, about to run */
    bool watched;           /* by the first process, which waits */
    bool first_gone;        /* the first process has ended */
    bool began;             /* the command runs */
    bool left;              /* nobody has ended it, and nobody watches over it */
    long call;              /* that failed */
    int code;
};

static struct traced *find(struct run *r, pid_t pid)
{
    for (unsigned i = 0; i < r->known; i++)
        if (r->traced[i].pid == pid)
            return &r->traced[i];
    if (r->known == PROCESSES)
        return NULL;
    r->traced[r->known].pid = pid;
    return &r->traced[r->known++];
}

static void fail_entry(struct run *r, pid_t pid)
{
    struct user_regs_struct regs;

    if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) != 0)
        return;
    r->call = (long)regs.orig_rax;
    regs.orig_rax = ~0ull; /* no call of this number */
    if (ptrace(PTRACE_SETREGS, pid, NULL, &regs) == 0)
        r->injected = r->failing = true;
}

static void fail_exit(struct run *r, pid_t pid)
{
    struct user_regs_struct regs;

    r->failing = false;
    if (ptrace(PTRACE_GETREGS, pid, NULL, &regs) != 0)
        return;
    regs.rax = (unsigned long long)(long long)-r->error;
    (void)ptrace(PTRACE_SETREGS, pid, NULL, &regs);
}

static bool is_waiting(pid_t pid)
{
    struct user_regs_struct regs;

    return ptrace(PTRACE_GETREGS, pid, NULL, &regs) == 0 && regs.orig_rax == SYS_poll;
}

static void at_call(struct run *r, struct traced *t)
{
    const enum process who = (enum process)(t - r->traced);

    t->inside = !t->inside;
    if (t->ours)
        return;
    if (t->inside) {
        t->calls++;
        if (who == r->where && t->calls == r->number && !r->began && !r->injected)
            fail_entry(r, t->pid);
        if (who == FIRST)
            r->watched = is_waiting(t->pid);
    } else if (r->failing && who == r->where) {
        fail_exit(r, t->pid);
    }
}

/* How the tracee goes on; -1: not at all. */
static int heed(struct run *r, pid_t pid, int status)
{
    struct traced *t = find(r, pid);
    const int event = status >> 16;

    if (event == PTRACE_EVENT_EXEC && t == &r->traced[KEEPER])
        t->ours = false;
    else if (event == PTRACE_EVENT_EXEC && t)
        r->ready = pid;
    if (event || !t)
        return 0;
    if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
        at_call(r, t);
        return 0;
    }
    return WSTOPSIG(status) == SIGSTOP ? 0 : WSTOPSIG(status);
}

/* The command runs when the first process watches over it. A cell that ends because a call failed
 * would else end a command that has already done some of its work, now and then. */
static void let_begin(struct run *r)
{
    if (!r->ready || r->began || !r->watched)
        return;
    r->began = true;
    (void)ptrace(PTRACE_CONT, r->ready, NULL, NULL);
}

/* Nobody is left who could let it begin: it was ended, and its end is awaited. */
static bool is_given_up(const struct run *r)
{
    return r->ready && !r->began && r->first_gone && r->code >= 0;
}

/* The next process that has stopped or ended; 0: none is left. A command that was given up and is
 * still there after a while was forgotten. */
static pid_t next_event(struct run *r, int *status)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    pid_t pid = 0;

    for (unsigned ms = 0; pid == 0 && is_given_up(r) && ms < RUN_SECONDS * 1000; ms++) {
        pid = waitpid(-1, status, __WALL | WNOHANG);
        if (pid == 0)
            (void)nanosleep(&pause, NULL);
    }
    if (pid == 0 && is_given_up(r)) {
        r->left = true;
        (void)kill(r->ready, SIGKILL);
    }
    return pid ? pid : waitpid(-1, status, __WALL);
}

static void follow(struct run *r, pid_t keeper)
{
    int status;
    pid_t pid;

    while ((pid = next_event(r, &status)) > 0) {
        if (WIFSTOPPED(status)) {
            int signal_number = heed(r, pid, status);
            /* once the command runs nothing fails any more */
            if (r->began || pid != r->ready)
                (void)ptrace(r->began ? PTRACE_CONT : PTRACE_SYSCALL, pid, NULL,
                             (void *)(intptr_t)signal_number);
        } else if (pid == keeper) {
            r->code = WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
        } else if (pid == r->traced[FIRST].pid) {
            r->watched = false;
            r->first_gone = true;
        } else if (pid == r->ready) {
            r->ready = 0;
        }
        let_begin(r);
    }
}

static void begin(int plan)
{
    char number[16];
    int null = open("/dev/null", O_RDWR);

    (void)snprintf(number, sizeof(number), "%d", plan);
    for (int fd = 0; fd < 3; fd++)
        (void)dup2(null, fd);
    (void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    (void)raise(SIGSTOP);
    alarm(RUN_SECONDS); /* a run that hangs ends, and with the keeper the cell */
    execl(program, "warder-cell", "--plan", number, (char *)NULL);
    _exit(3);
}

static void run_once(struct run *r)
{
    int status, plan = write_plan();

    make_workspace();
    pid_t keeper = fork();
    if (keeper == 0)
        begin(plan);
    close(plan);
    if (keeper < 0 || waitpid(keeper, &status, 0) != keeper || !WIFSTOPPED(status))
        stop("fork");
    (void)ptrace(PTRACE_SETOPTIONS, keeper, NULL,
                 (void *)(intptr_t)(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK |
                                    PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL));
    r->traced[KEEPER] = (struct traced){.pid = keeper, .ours = true};
    r->known = 1;
    r->code = -1;
    (void)ptrace(PTRACE_SYSCALL, keeper, NULL, NULL);
    follow(r, keeper);
}

/* ---- all of them ---- */

static bool did_run(void)
{
    return access("work/own", F_OK) == 0 || access("work/new", F_OK) == 0;
}

/* The C library cannot begin without its thread pointer: it ends the process. */
static bool is_start(const struct run *r)
{
    return r->where == KEEPER && r->number == 1 && r->call == SYS_arch_prctl;
}

static bool is_good(const struct run *r)
{
    if (r->left || !is_as_it_was("outside") || !is_as_it_was("work/kept/file") ||
        !is_as_it_was("hidden/secret") || access("work/refused", F_OK) == 0)
        return false;
    if (r->code == 0)
        return did_run();
    return !did_run() && (r->code == NOT_RUN || r->code == KILLED || is_start(r));
}

struct tally {
    unsigned calls, stopped, held, bad;
};

static void walk(enum process where, int error, struct tally *tally)
{
    for (unsigned n = 1; n < CALLS_MAX; n++) {
        struct run r = {.where = where, .number = n, .error = error};
        run_once(&r);
        if (!r.injected)
            return;
        tally->calls++;
        *(r.code == NOT_RUN ? &tally->stopped : &tally->held) += 1;
        if (is_good(&r))
            continue;
        tally->bad++;
        printf("FAIL as user %d: %s, call %u (number %ld) fails with %s: exit %d, %s\n",
               (int)getuid(), process_names[where], n, r.call, strerror(error), r.code,
               r.left      ? "the command was left behind"
               : did_run() ? "something ran"
                           : "nothing ran");
    }
}

/* As another user, who may not see the build directory. */
static void become(const char *user, const char *cell)
{
    const uid_t wanted = (uid_t)strtoul(user, NULL, 10), id = getuid() ? getuid() : wanted;
    char command[2 * PATH_MAX];

    if (getuid() && wanted) {
        printf("SKIPPED: only root can become another user\n");
        exit(77);
    }
    memcpy(place, "/var/tmp/warder-faults-XXXXXX", sizeof("/var/tmp/warder-faults-XXXXXX"));
    if (!mkdtemp(place) || chdir(place) != 0)
        stop(place);
    (void)snprintf(program, sizeof(program), "%s/warder-cell", place);
    (void)snprintf(command, sizeof(command), "cp '%s' '%s'", cell, program);
    if (system(command) != 0 || chown(place, id, (gid_t)-1) != 0)
        stop(cell);
    if (id != getuid() && (setgroups(0, NULL) != 0 || setgid(id) != 0 || setuid(id) != 0))
        stop(user);
}

int main(int argc, char **argv)
{
    struct tally tally = {0};
    struct run plain = {.number = 0};
    unsigned kinds = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;

    if (argc < 4 || kinds > COUNT(errors))
        stop("usage: faults CELL USER TIER [ERRORS]");
    tier = argv[3];
    become(argv[2], argv[1]);
    (void)setenv("WARDER_PROBE_TOKEN", "secret", 1);
    make_place();
    run_once(&plain);
    if (plain.code != 0) {
        printf("SKIPPED: no cell of %s can be built or traced here (exit %d)\n", tier, plain.code);
        remove_place();
        return 77;
    }
    for (unsigned e = 0; e < kinds; e++)
        for (enum process where = KEEPER; where < PROCESSES; where++)
            walk(where, errors[e], &tally);
    printf(
        "as user %d, %s: %u calls failed: nothing ran %u times, a whole cell %u times, less than "
        "that %u times\n",
        (int)getuid(), tier, tally.calls, tally.stopped, tally.held, tally.bad);
    remove_place();
    return tally.bad || tally.calls == 0;
}
