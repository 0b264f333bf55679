/* processor.c - whether this processor has instructions for SHA-256, found out by using them.
 *
 * cpuid traps into the hypervisor, if there is one, and takes as long as all
 * hashing that a hook does. Missing instructions trap as well, but only on old
 * processors. */
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

#include "base/sha256_parts.h"
#include "cli/hook_process.h"
#include "machine/guard.h"

static jmp_buf without;

/* Runs in a handler that blocks all signals: hook_begin() had unblocked them. */
static void go_on_without(void)
{
    sigset_t none;

    hook_lacks_instruction = NULL;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    longjmp(without, 1);
}

static bool try_it(void)
{
    static const uint8_t block[SHA256_BLOCK];
    uint32_t state[8] = {0};

    hook_lacks_instruction = go_on_without;
    if (setjmp(without))
        return false;
    sha256_blocks_x86(state, block, 1);
    hook_lacks_instruction = NULL;
    return true;
}

/* A missing instruction is no fault of the analysis. */
static bool try_unguarded(void)
{
    struct guard_frame *paused = guard_pause();
    bool there = try_it();

    guard_resume(paused);
    return there;
}

bool processor_has_sha256(void)
{
    static enum { UNKNOWN, MISSING, THERE } found;

    if (found == UNKNOWN)
        found = try_unguarded() ? THERE : MISSING;
    return found == THERE;
}
