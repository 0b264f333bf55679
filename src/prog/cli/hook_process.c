/* hook_process.c - the process around one event; see hook_process.h. */
#include "cli/hook_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/hook_environment.h"
#include "cli/output.h"
#include "machine/brief.h"

#define HOOK_TIMEOUT     10 /* seconds that the client gives us, unless --timeout says otherwise */
#define HOOK_TIMEOUT_MAX 3600
#define SIGNAL_STACK     ((size_t)64 * 1024)

/* ---- failures ---- */

void (*hook_lacks_instruction)(void);

static int failure_code = EXIT_BLOCKED;

void hook_say_nothing(void)
{
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);

    failure_code = 0;
    if (nothing < 0 || dup2(nothing, STDOUT_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0)
        _exit(failure_code);
}

/* Only what is safe in a signal handler: write and _exit. */
static void give_up(int number)
{
    static const char late[] = "warder: no verdict in time; the call is blocked\n";
    static const char broken[] =
        "warder: stopped by a signal before the verdict; the call is blocked\n";

    if (number == SIGILL && hook_lacks_instruction)
        hook_lacks_instruction();
    ssize_t done = number == SIGALRM ? write(STDERR_FILENO, late, sizeof(late) - 1)
                                     : write(STDERR_FILENO, broken, sizeof(broken) - 1);

    (void)done;
    _exit(failure_code);
}

/* On a stack of its own: the usual reason for SIGSEGV is that there is none left. */
static bool trap_signals(void)
{
    static const int deadly[] = {SIGSEGV, SIGBUS,  SIGILL,  SIGFPE,  SIGABRT,   SIGSYS,
                                 SIGTRAP, SIGALRM, SIGTERM, SIGINT,  SIGHUP,    SIGQUIT,
                                 SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF};
    static char stack[SIGNAL_STACK] __attribute__((aligned(1))); /* as in prog/hook/memory.c */
    struct sigaction action = {.sa_handler = give_up, .sa_flags = SA_ONSTACK};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
    sigset_t all;

    if (sigaltstack(&alternate, NULL) != 0 || sigfillset(&action.sa_mask) != 0)
        return false;
    for (size_t i = 0; i < COUNT(deadly); i++)
        if (sigaction(deadly[i], &action, NULL) != 0)
            return false;
    /* The client may have started us with some of them blocked. */
    return sigemptyset(&all) == 0 && sigprocmask(SIG_SETMASK, &all, NULL) == 0;
}

/* Ours must ring before the client's: when that one rings, the call runs. *ring: in how many
 * seconds. */
static bool set_alarm(const char *given, long *ring)
{
    char *end = NULL;
    long seconds = HOOK_TIMEOUT;

    if (given) {
        errno = 0;
        seconds = strtol(given, &end, 10);
        if (errno || end == given || *end || seconds < 1 || seconds > HOOK_TIMEOUT_MAX)
            return false;
    }
    /* A fifth of the time is left for the end: at least one second, where there are two. */
    *ring = seconds - (seconds + 4) / 5;
    if (*ring < 1)
        *ring = 1;
    alarm((unsigned)*ring);
    return true;
}

/* ---- the event and its answer ---- */

/* All of standard input; NULL with errno set. More than the limit is read as one byte more than it.
 */
static char *read_event(size_t *len)
{
    size_t room = (size_t)2 * 1024; /* most are smaller than that */
    char *text = malloc(room);

    *len = 0;
    while (text && *len <= JSON_MAX_BYTES) {
        ssize_t got = read(STDIN_FILENO, text + *len, room - *len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            break;
        if (got == 0)
            return text;
        *len += (size_t)got;
        if (*len == room) {
            char *more = realloc(text, room * 2);
            if (!more)
                break;
            text = more;
            room *= 2;
        }
    }
    if (text && *len > JSON_MAX_BYTES)
        return text;
    free(text);
    return NULL;
}

static int block(const char *why)
{
    complain("%s; the call is blocked", why);
    return EXIT_BLOCKED;
}

static int block_error(const warder_error *err)
{
    if (err->line)
        complain("line %u, column %u: %s; the call is blocked", err->line, err->column,
                 err->message);
    else
        complain("%s; the call is blocked",
                 err->message[0] ? err->message : "something failed, without saying what");
    return EXIT_BLOCKED;
}

void hook_seal(char out[HOOK_SEAL_BYTES + 1], int code, size_t len)
{
    snprintf(out, HOOK_SEAL_BYTES + 1, "\nwarder: answered %03u, %010u bytes\n",
             (unsigned)code & 255, (unsigned)(len & UINT32_MAX));
}

static bool write_seal(size_t len, int code)
{
    char seal[HOOK_SEAL_BYTES + 1];

    hook_seal(seal, code, len);
    return write_whole(STDOUT_FILENO, str_from(seal));
}

static int give_answer(const struct hook_process *e, const warder_reply *answer)
{
    const struct str out = str_from(warder_reply_out(answer));
    const char *line = warder_reply_err(answer);

    if (!write_whole(STDOUT_FILENO, out))
        return block("cannot write the answer");
    if (line[0]) {
        print_text(stderr, line, PRINT_LINE);
        fputc('\n', stderr);
    }
    if (e->sealed && !write_seal(out.len, warder_reply_code(answer)))
        return block("cannot write the end of the answer");
    return warder_reply_code(answer);
}

/* ---- the steps ---- */

bool hook_begin(const char *timeout, const char *home, struct hook_process *e)
{
    struct error err = {0};

    *e = (struct hook_process){0};
    brief_begin();
    if (!trap_signals())
        block("cannot catch signals");
    else if (!set_alarm(timeout, &e->ring))
        block("--timeout must be a number of seconds from 1 to 3600");
    else if (hook_environment(home, &err) == STATUS_USAGE)
        complain("%s: name it with --home in the registered command, as `warder install` does; the "
                 "call is blocked",
                 err.message);
    else if (err.status != STATUS_OK)
        block(err.message);
    else
        return true;
    return false;
}

bool hook_read(struct hook_process *e)
{
    e->text = read_event(&e->len);
    if (!e->text)
        block("cannot read the event");
    else if (e->len > JSON_MAX_BYTES)
        block("the event is too large");
    else
        return true;
    return false;
}

int hook_answer(const struct hook_process *e, hook_judge *judge, const char *client,
                const warder_options *options, warder_reply **reply)
{
    /* Hooks of our own that take too long are denied in words; the alarm is for everything else. */
    uint32_t deadline = (uint32_t)(e->ring * 1000 * 3 / 4);
    warder_error err = {0};

    *reply = NULL;
    if (judge(options, client ? client : "auto", e->text, e->len, deadline, reply, &err) !=
        WARDER_OK)
        return block_error(&err);
    return give_answer(e, *reply);
}

void hook_end(struct hook_process *e)
{
    free(e->text);
    e->text = NULL;
}
