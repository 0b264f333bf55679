/* fuzz_analysis.c - fuzzes what fuzz_shell.c fuzzes, for crashes alone: each text is judged once.
 * That is several times as fast, for runs of many millions (FUZZ_RUNS). */
#include <stdint.h>

#include "decide/decide.h"
#include "fakeworld.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct job {
    struct arena *arena;
    struct str text;
};

static void judge(void *arg)
{
    const struct job *job = arg;
    const struct call_defaults d = {
        .cwd = STR("/w"), .home = STR("/home/u"), .project = STR("/w"), .mode = STR("acceptEdits")};
    const struct rulebook book = {.programs = &programs};
    const struct decide_options options = {.profile = profile_find(STR("warder")),
                                           .book = &book,
                                           .world = &world,
                                           .home = STR("/home/u")};
    struct call call;
    struct verdict v;

    if (call_make(job->arena, STR("Bash"), job->text, &d, &call, NULL) == STATUS_OK)
        decide(job->arena, &options, &call, &v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;

    if (size > 4096)
        return 0;
    arena_init(&arena, (size_t)256 << 20);
    struct job job = {&arena, {(const char *)data, size}};
    arena_try(&arena, judge, &job);
    arena_release(&arena);
    return 0;
}
