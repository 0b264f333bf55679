/* guard.h - a fault in the analysis of a call ends that analysis, not the process.
 *
 * One call that makes the analysis crash must not end a service that judges the calls of many, nor
 * an application that has the library in it. guard_try() is arena_try() that also comes back after
 * SIGSEGV, SIGBUS, SIGFPE or SIGILL, and after the stack has run out. The caller then denies.
 *
 * The jump is safe for the reason that makes the door of an arena safe (arena.h): code that builds
 * in an arena owns nothing else. Where it asks the machine, it does own something (a descriptor,
 * the memory of the disk, a lock of malloc()), so there the guard is paused. The memory that the
 * analysis used is given up, not freed: what it was writing may have gone past its end.
 *
 * The process ends, as it would without a guard, when it cannot be trusted any more:
 * - SIGABRT is left alone. The C library raises it when it finds memory overwritten (a canary on
 *   the stack, the lists of malloc()); to go on from there would undo that protection.
 * - a fault inside malloc(), below guard_pause(), outside a guard_try() or while one is handled;
 * - after GUARD_FAULTS_MAX faults, or GUARD_MEMORY_MAX bytes given up: nobody shall try addresses
 *   without end against one process.
 *
 * Signals belong to the host. The handlers are installed once, when the first engine with a guard
 * is opened; what is not a fault below a guard_try() of this thread goes to the handler that was
 * there before, with its mask and flags. A handler that the host installs later stays. An engine
 * can be opened without (warder_options.no_fault_guard).
 *
 * Under a sanitizer there is no guard: it reports the fault, and the process ends. */
#ifndef MACHINE_GUARD_H
#define MACHINE_GUARD_H

#include "base/arena.h"

#define GUARD_FAULTS_MAX 1000u
#define GUARD_MEMORY_MAX ((size_t)512 * 1024 * 1024)
#define GUARD_STACK      ((size_t)64 * 1024) /* for the handler, per thread without its own */

/* The words by which every report of a fault can be found: tests fail where they see them. */
#define GUARD_MARK "internal fault"

enum guarded {
    GUARD_DONE = 0,
    GUARD_FULL,  /* the arena ran out, as when arena_try() returns false */
    GUARD_FAULT, /* and the arena is empty: what was in it may be read, and is never freed */
};

/* False: this build has none, or the system refuses. From any thread, any number of times. */
bool guard_install(void);

/* Calls fn(arg), which builds in the arena. A fault is reported on standard error. They nest. */
enum guarded guard_try(struct arena *a, void (*fn)(void *), void *arg);

/* Between these a fault ends the process. guard_resume() takes what guard_pause() returned. If the
 * arena runs out in between, the guard stays paused until its guard_try() returns. Inline: every
 * question to the disk is between them. */
struct guard_frame;
static inline struct guard_frame *guard_pause(void);
static inline void guard_resume(struct guard_frame *paused);

/* How many there were in this process. */
unsigned guard_faults(void);

#if defined(WARDER_NO_GUARD) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GUARD_ABSENT
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define GUARD_ABSENT
#endif
#endif

#ifdef GUARD_ABSENT

static inline struct guard_frame *guard_pause(void)
{
    return NULL;
}

static inline void guard_resume(struct guard_frame *paused)
{
    (void)paused;
}

#else

/* A handler may read this in a thread that never came here: initial-exec, because the first use of
 * other thread-local variables of a library that was opened at run time may call malloc(). */
#define GUARD_HANDLER_SEES _Thread_local __attribute__((tls_model("initial-exec")))

extern GUARD_HANDLER_SEES struct guard_frame *volatile guard_innermost;

static inline struct guard_frame *guard_pause(void)
{
    struct guard_frame *paused = guard_innermost;

    guard_innermost = NULL;
    return paused;
}

static inline void guard_resume(struct guard_frame *paused)
{
    guard_innermost = paused;
}

#endif

#endif
