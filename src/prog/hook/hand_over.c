#include "hook/hand_over.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/output.h"

#define PROGRAM     "warder" /* beside this one, whatever $PATH says */
#define ANSWER_ROOM ((size_t)16 * 1024)
#define ANSWER_MAX  ((size_t)64 * 1024 * 1024) /* bytes */

static struct {
    char **argv;
    const struct hook_process *event;
} prepared;

void hand_over_prepare(char **argv, const struct hook_process *event)
{
    prepared.argv = argv;
    prepared.event = event;
}

static _Noreturn void give_up(const char *why)
{
    complain("cannot run " PROGRAM ", which has to judge this: %s; the call is blocked", why);
    _exit(EXIT_BLOCKED);
}

static _Noreturn void reject(const char *what, int number)
{
    complain(PROGRAM ", which had to judge this, %s %d without a whole answer; the call is blocked",
             what, number);
    _exit(EXIT_BLOCKED);
}

/* ---- what is started ---- */

static void find_program(char out[PATH_MAX])
{
    ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 1);
    char *slash;

    if (len < 0)
        give_up(strerror(errno));
    out[len] = '\0';
    slash = strrchr(out, '/');
    if (!slash || (size_t)(slash + 1 - out) + sizeof(PROGRAM) > PATH_MAX)
        give_up("its path is too long");
    memcpy(slash + 1, PROGRAM, sizeof(PROGRAM));
}

/* The event again, from its beginning; -1: nothing of it was read. */
static int event_again(const struct hook_process *e)
{
    if (!e->text)
        return -1;
    int fd = memfd_create("event", MFD_CLOEXEC);
    if (fd < 0 || !write_whole(fd, (struct str){e->text, e->len}) || lseek(fd, 0, SEEK_SET) < 0)
        give_up(strerror(errno));
    return fd;
}

/* "warder hook --image --sealed", our own arguments, and the time that is left in place of
 * --timeout: the command line reader would refuse the option twice. */
static char **make_arguments(char left[16])
{
    static char name[] = PROGRAM, command[] = "hook", image[] = "--image", sealed[] = "--sealed",
                timeout[] = "--timeout";
    char *const first[] = {name, command, image, sealed};
    size_t count = 0, n = COUNT(first);

    while (prepared.argv[count])
        count++;
    char **out = calloc(count + COUNT(first) + 3, sizeof(*out));
    if (!out)
        give_up("out of memory");
    memcpy(out, first, sizeof(first));
    for (size_t i = 1; i < count; i++) {
        bool is_timeout = left[0] && strncmp(prepared.argv[i], timeout, sizeof(timeout) - 1) == 0;
        if (!is_timeout)
            out[n++] = prepared.argv[i];
        else if (!strchr(prepared.argv[i], '='))
            i++;
    }
    if (left[0]) {
        out[n++] = timeout;
        out[n++] = left;
    }
    return out;
}

/* How long our alarm still has, where that is not what the other program would assume. */
static void tell_time_left(char left[16])
{
    unsigned ring = alarm(0);

    alarm(ring ? ring : 1);
    left[0] = '\0';
    if (ring && (long)ring < prepared.event->ring)
        snprintf(left, 16, "%u", ring);
}

/* ---- starting it ---- */

struct other {
    char path[PATH_MAX], left[16];
    char **argv;
    pid_t parent, child;
    int event, answer, answer_end; /* descriptors; the end is the child's */
};

/* It dies with us: no one would read its answer. */
static _Noreturn void become(const struct other *o)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != o->parent)
        _exit(EXIT_BLOCKED);
    output_hand_over();
    if ((o->event >= 0 && dup2(o->event, STDIN_FILENO) < 0) ||
        dup2(o->answer_end, STDOUT_FILENO) < 0)
        give_up(strerror(errno));
    execve(o->path, o->argv, environ);
    give_up(strerror(errno));
}

static void start(struct other *o)
{
    int ends[2];

    find_program(o->path);
    tell_time_left(o->left);
    o->argv = make_arguments(o->left);
    o->event = event_again(prepared.event);
    o->parent = getpid();
    if (pipe2(ends, O_CLOEXEC) < 0)
        give_up(strerror(errno));
    o->answer = ends[0];
    o->answer_end = ends[1];
    o->child = fork();
    if (o->child < 0)
        give_up(strerror(errno));
    if (o->child == 0)
        become(o);
    close(o->answer_end);
}

/* ---- its answer ---- */

struct answer {
    char *text;
    size_t len, room;
};

/* False at the end. */
static bool read_some(struct answer *a, int fd)
{
    ssize_t got;

    if (a->len == a->room) {
        a->room = a->room ? 2 * a->room : ANSWER_ROOM;
        a->text = a->room <= ANSWER_MAX ? realloc(a->text, a->room) : NULL;
        if (!a->text)
            give_up("its answer is too large");
    }
    do
        got = read(fd, a->text + a->len, a->room - a->len);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        give_up(strerror(errno));
    a->len += (size_t)got;
    return got > 0;
}

/* Does the text end with the seal of everything before it? */
static bool is_sealed(const struct answer *a, int code)
{
    char seal[HOOK_SEAL_BYTES + 1];

    if (a->len < HOOK_SEAL_BYTES)
        return false;
    hook_seal(seal, code, a->len - HOOK_SEAL_BYTES);
    return memcmp(a->text + a->len - HOOK_SEAL_BYTES, seal, HOOK_SEAL_BYTES) == 0;
}

static _Noreturn void pass_on(const struct answer *a, int code)
{
    if (!write_whole(STDOUT_FILENO, (struct str){a->text, a->len - HOOK_SEAL_BYTES})) {
        complain("cannot write the answer; the call is blocked");
        code = EXIT_BLOCKED;
    }
    _exit(code);
}

/* After its answer the other program writes an image of the policy. Where that takes longer than
 * the client waits, the answer must not be lost. */
static void wait_for_end(struct other *o, struct answer *a, int code)
{
    struct pollfd end = {.fd = o->answer, .events = POLLIN};
    unsigned left = alarm(0);

    if (poll(&end, 1, left > INT_MAX / 1000 ? INT_MAX : (int)left * 1000) == 0)
        pass_on(a, code);
    alarm(left ? left : 1);
}

static void hear(struct other *o, struct answer *a)
{
    while (read_some(a, o->answer))
        if (is_sealed(a, EXIT_ALLOW))
            wait_for_end(o, a, EXIT_ALLOW);
        else if (is_sealed(a, EXIT_BLOCKED))
            wait_for_end(o, a, EXIT_BLOCKED);
}

static int end_of(const struct other *o)
{
    int status;
    pid_t ended;

    do
        ended = waitpid(o->child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended != o->child)
        give_up(strerror(errno));
    if (WIFSIGNALED(status))
        reject("was ended by signal", WTERMSIG(status));
    return WEXITSTATUS(status);
}

_Noreturn void hand_over(void)
{
    struct other o = {.event = -1};
    struct answer a = {0};

    start(&o);
    hear(&o, &a);
    int code = end_of(&o);
    if ((code == EXIT_ALLOW || code == EXIT_BLOCKED) && is_sealed(&a, code))
        pass_on(&a, code);
    if (code != EXIT_BLOCKED)
        reject("ended with code", code);
    _exit(EXIT_BLOCKED); /* it has said why */
}
