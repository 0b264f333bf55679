/* inject.c - faults on demand, for programs of the tests alone: the linker puts these functions in
 * the place of shell_analyse() and redact_command() (--wrap). A command that contains one of the
 * words below has that fault while it is analysed; every other one is analysed as ever.
 *
 * Nothing of this is in what is installed: tests/tools/faults.sh looks. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/redact.h"
#include "shell/shell.h"

void __real_shell_analyse(struct arena *a, struct str text, const struct shell_context *c,
                          struct shell_analysis *out);
void __wrap_shell_analyse(struct arena *a, struct str text, const struct shell_context *c,
                          struct shell_analysis *out);
struct str __real_redact_command(struct arena *a, struct str command, struct strs *found);
struct str __wrap_redact_command(struct arena *a, struct str command, struct strs *found);

static volatile int zero;
static int *volatile nowhere;

static void segv(struct arena *a)
{
    (void)a;
    *nowhere = 1;
}

/* NOLINTNEXTLINE(misc-no-recursion): that is the fault */
static __attribute__((noinline)) int deeper(volatile char *above)
{
    volatile char room[1024];

    room[0] = above[0];
    return zero ? 0 : deeper(room) + room[0];
}

static void stack(struct arena *a)
{
    volatile char first = (char)a->used;

    zero = deeper(&first) * 0;
}

static void fpe(struct arena *a)
{
    (void)a;
    zero = 100 / zero; /* of 1 the compiler would make a comparison */
}

static void ill(struct arena *a)
{
    (void)a;
    __builtin_trap();
}

/* Beyond the end of a file that is mapped. */
static void bus(struct arena *a)
{
    FILE *f = tmpfile();
    volatile char *page = f ? mmap(NULL, 4096, PROT_READ, MAP_SHARED, fileno(f), 0) : MAP_FAILED;

    (void)a;
    if (page != MAP_FAILED)
        zero = page[0] * 0;
}

/* As the C library does when it finds its memory overwritten. */
static void aborted(struct arena *a)
{
    (void)a;
    abort();
}

static void in_malloc(struct arena *a)
{
    a->taking = true;
    segv(a);
}

static void sent(struct arena *a)
{
    (void)a;
    raise(SIGSEGV);
}

static const struct {
    const char *word;
    void (*happen)(struct arena *a);
} words[] = {{"inject-segv", segv},        {"inject-stack", stack}, {"inject-fpe", fpe},
             {"inject-ill", ill},          {"inject-bus", bus},     {"inject-abort", aborted},
             {"inject-malloc", in_malloc}, {"inject-sent", sent}};

void __wrap_shell_analyse(struct arena *a, struct str text, const struct shell_context *c,
                          struct shell_analysis *out)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_contains(text, str_from(words[i].word)))
            words[i].happen(a);
    __real_shell_analyse(a, text, c, out);
}

struct str __wrap_redact_command(struct arena *a, struct str command, struct strs *found)
{
    if (str_contains(command, STR("and-again")))
        segv(a);
    return __real_redact_command(a, command, found);
}
