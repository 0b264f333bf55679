#include "machine/guard.h"

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/str.h"

#ifdef GUARD_ABSENT

bool guard_install(void)
{
    return false;
}

enum guarded guard_try(struct arena *a, void (*fn)(void *), void *arg)
{
    return arena_try(a, fn, arg) ? GUARD_DONE : GUARD_FULL;
}

unsigned guard_faults(void)
{
    return 0;
}

#else

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct guard_frame {
    sigjmp_buf back;
    struct guard_frame *outer;
    const struct arena *arena;
    int signal;
};

GUARD_HANDLER_SEES struct guard_frame *volatile guard_innermost;
static GUARD_HANDLER_SEES bool has_stack;

static const struct {
    int number;
    const char *name;
} faults[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}};

static struct sigaction before[COUNT(faults)]; /* not changed once its handler is ours */
static atomic_bool installed;
static atomic_uint fault_count;
static atomic_size_t given_up;

unsigned guard_faults(void)
{
    return atomic_load(&fault_count);
}

/* ---- the handler: only what is safe in one ---- */

static size_t index_of(int number)
{
    size_t i = 0;

    while (i + 1 < COUNT(faults) && faults[i].number != number)
        i++;
    return i;
}

/* The kernel's own action, when the handler returns: a fault happens again where it was, which is
 * what a core dump should show; a signal that was sent is sent again. */
static void die(int number, const siginfo_t *info)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};

    sigaction(number, &plain, NULL);
    if (info->si_code <= 0)
        (void)syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

/* To the host's handler, as the kernel would have called it. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const struct sigaction *host = &before[index_of(number)];
    sigset_t own;

    if (!(host->sa_flags & SA_SIGINFO) && host->sa_handler == SIG_IGN && info->si_code <= 0)
        return;
    if (!(host->sa_flags & SA_SIGINFO) &&
        (host->sa_handler == SIG_DFL || host->sa_handler == SIG_IGN)) {
        die(number, info);
        return;
    }
    sigemptyset(&own);
    sigaddset(&own, number);
    pthread_sigmask(SIG_BLOCK, &host->sa_mask, NULL);
    if (host->sa_flags & SA_NODEFER)
        pthread_sigmask(SIG_UNBLOCK, &own, NULL);
    if (host->sa_flags & SA_SIGINFO)
        host->sa_sigaction(number, info, context);
    else
        host->sa_handler(number);
}

static bool may_go_on(const struct arena *a)
{
    size_t used = a->used < a->limit ? a->used : a->limit; /* it may have been overwritten */

    return atomic_fetch_add(&fault_count, 1) < GUARD_FAULTS_MAX &&
           atomic_fetch_add(&given_up, used) + used <= GUARD_MEMORY_MAX;
}

/* si_code: a signal that another process sent is no fault. */
static void on_fault(int number, siginfo_t *info, void *context)
{
    struct guard_frame *frame = guard_innermost;
    const ucontext_t *interrupted = context;

    if (!frame || info->si_code <= 0 || frame->arena->taking || !may_go_on(frame->arena)) {
        int error = errno;
        pass_on(number, info, context);
        errno = error;
        return;
    }
    guard_innermost = NULL;
    frame->signal = number;
    pthread_sigmask(SIG_SETMASK, &interrupted->uc_sigmask, NULL);
    siglongjmp(frame->back, 1);
}

/* ---- installing ---- */

static pthread_key_t stack_key; /* its value: the stack of a thread that got one here */

static void stack_free(void *stack)
{
    stack_t now;

    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack) {
        now = (stack_t){.ss_flags = SS_DISABLE};
        sigaltstack(&now, NULL);
    }
    munmap(stack, GUARD_STACK);
}

/* Where the stack has run out, the handler needs another one. Without one, all other faults are
 * still handled. */
static void give_stack(void)
{
    stack_t stack;

    has_stack = true;
    if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE))
        return; /* the host's will do */
    stack = (stack_t){.ss_size = GUARD_STACK};
    stack.ss_sp =
        mmap(NULL, GUARD_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack.ss_sp == MAP_FAILED)
        return;
    if (pthread_setspecific(stack_key, stack.ss_sp) != 0 || sigaltstack(&stack, NULL) != 0) {
        (void)pthread_setspecific(stack_key, NULL);
        munmap(stack.ss_sp, GUARD_STACK);
    }
}

static void install(void)
{
    struct sigaction ours = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

    if (pthread_key_create(&stack_key, stack_free) != 0)
        return;
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < COUNT(faults); i++)
        sigaddset(&ours.sa_mask, faults[i].number);
    for (size_t i = 0; i < COUNT(faults); i++)
        if (sigaction(faults[i].number, NULL, &before[i]) != 0 ||
            sigaction(faults[i].number, &ours, NULL) != 0)
            return;
    atomic_store(&installed, true);
}

bool guard_install(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, install);
    return atomic_load(&installed);
}

/* ---- guarding ---- */

static __attribute__((cold, noinline)) void report(int number)
{
    char line[160];
    int len = snprintf(line, sizeof(line),
                       "warder: " GUARD_MARK " (%s) in the analysis of a call, which is denied; "
                       "please report it\n",
                       faults[index_of(number)].name);
    ssize_t done = len > 0 ? write(STDERR_FILENO, line, (size_t)len) : 0;

    (void)done; /* whom else could we tell? */
}

enum guarded guard_try(struct arena *a, void (*fn)(void *), void *arg)
{
    struct guard_frame frame;
    jmp_buf *const door = a->door;

    if (!has_stack && atomic_load_explicit(&installed, memory_order_relaxed))
        give_stack();
    frame.outer = guard_innermost;
    frame.arena = a;
    if (sigsetjmp(frame.back, 0)) {
        guard_innermost = frame.outer;
        arena_give_up(a, door);
        report(frame.signal);
        return GUARD_FAULT;
    }
    guard_innermost = &frame;
    bool done = arena_try(a, fn, arg);
    guard_innermost = frame.outer;
    return done ? GUARD_DONE : GUARD_FULL;
}

#endif
