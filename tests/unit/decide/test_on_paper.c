/* What no case file can say, whose scenes lie in the machine's temporary directory: verdicts on the
 * machine of support/paper_disk.h, in the scenes of support/lock_scenes.h. */
#include "support/lock_scenes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *scene, *command;
    enum behavior wanted;
} cases[] = {
    /* a repository in a temporary place is there to try something, but not its hooks */
    {"edits", "git -C /tmp/repo add a", BEHAVIOR_ALLOW},
    {"edits", "git -C /tmp/hooked add a", BEHAVIOR_ASK},
};

struct job {
    struct arena arena;
    size_t number;
    enum behavior got;
    struct str result;
};

static size_t scene_named(const char *name)
{
    for (size_t i = 0; i < lock_scene_count(); i++)
        if (strcmp(lock_scene_name(i), name) == 0)
            return i;
    fail_msg("no scene %s", name);
    return 0;
}

static void judge(void *arg)
{
    struct job *job = arg;

    job->got = lock_scene_judge(&job->arena, scene_named(cases[job->number].scene), STR("Bash"),
                                str_from(cases[job->number].command), &job->result);
}

static void verdicts_on_paper(void **state)
{
    struct job job = {.number = 0};

    (void)state;
    arena_init(&job.arena, (size_t)64 << 20);
    lock_scenes_open();
    for (; job.number < COUNT(cases); job.number++) {
        assert_true(arena_try(&job.arena, judge, &job));
        if (job.got != cases[job.number].wanted)
            fail_msg("%s: %s: %.*s", cases[job.number].scene, cases[job.number].command,
                     STR_ARG(str_slice(job.result, 0, 300)));
        arena_reset(&job.arena);
    }
    arena_release(&job.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_on_paper)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
