/* fuzz_shell.c - exercises src/shell/: the parser, its print, and the analysis.
 *
 * Beyond crashes: what is taken must print, and an analysis that is understood
 * must come from a text that was not refused. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "shell/shell.h"
#include "shell/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct job {
    struct arena *arena;
    struct str text;
};

static void run(void *arg)
{
    struct job *job = arg;
    struct shell_context context = {STR("/w"), STR("/home/u")};
    struct shell_analysis analysis;
    struct tree tree;
    struct buf out = buf_in(job->arena);

    shell_parse(job->arena, job->text, &tree);
    shell_print(&out, tree.root);
    shell_analyse(job->arena, job->text, &context, &analysis);
    if (tree.why && analysis.understood)
        abort();
    for (size_t i = 0; i < analysis.actions.count; i++)
        if (analysis.actions.items[i].parent >= (int)i || !analysis.actions.items[i].allow_forms.count)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;

    if (size > 4096)
        return 0;
    arena_init(&arena, (size_t)64 << 20);
    struct job job = {&arena, {(const char *)data, size}};
    arena_try(&arena, run, &job);
    arena_release(&arena);
    return 0;
}
