/* Tens of thousands of calls, each judged in some scenes: what was decided and seen of them is what
 * tests/lock/calls.lock says. See support/lock.h. */
#include "support/lock.h"
#include "support/lock_scenes.h"
#include "support/lock_texts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define MEMORY ((size_t)256 * 1024 * 1024)
#define SEED   20261120

/* Each text of a kind in so many of the scenes. */
static const struct {
    const char *name;
    void (*read)(struct arena *a, struct lock_texts *out);
    size_t changed; /* so many more, with changes */
    size_t scenes;  /* each of the changed ones in one */
} kinds[] = {
    {"cases", lock_texts_of_cases, 24000, 2},    {"words", lock_texts_of_words, 0, 1},
    {"parts", lock_texts_of_parts, 0, 1},        {"tools", lock_texts_of_tools, 0, 3},
    {"rows", lock_texts_of_rows, 6000, 1},       {"places", lock_texts_of_places, 6000, 2},
    {"corpora", lock_texts_of_corpora, 2000, 4},
};

struct texts_job {
    struct arena arena;
    size_t kind;
    struct lock_texts plain, changed;
};

static void read_texts(void *arg)
{
    struct texts_job *job = arg;
    struct dice d = {SEED + job->kind};

    kinds[job->kind].read(&job->arena, &job->plain);
    lock_texts_changed(&job->arena, &job->plain, kinds[job->kind].changed, &d, &job->changed);
}

struct judge_job {
    struct arena *arena;
    const struct lock_text *text;
    size_t scene;
    enum behavior behavior;
    struct str result;
};

static void judge_one(void *arg)
{
    struct judge_job *job = arg;

    job->behavior =
        lock_scene_judge(job->arena, job->scene, job->text->tool, job->text->text, &job->result);
}

static void judge(struct arena *scratch, const struct lock_text *text, size_t scene)
{
    struct judge_job job = {.arena = scratch, .text = text, .scene = scene};

    if (arena_try(scratch, judge_one, &job))
        lock_add(job.behavior, text->text, job.result);
    else
        lock_add(LOCK_NO_VERDICT, text->text, STR("out of memory"));
    arena_reset(scratch);
}

/* Those texts that are judged in this scene: which, depends on the number of the text. */
static void judge_in(struct arena *scratch, const char *name, const struct lock_texts *texts,
                     size_t scenes, size_t scene)
{
    const size_t all = lock_scene_count();
    char group[64];

    snprintf(group, sizeof(group), "%s/%s", name, lock_scene_name(scene));
    if (!lock_begin(group))
        return;
    for (size_t i = 0; i < texts->count; i++)
        if ((i * 7 + scene * 5) % all < scenes)
            judge(scratch, &texts->items[i], scene);
    lock_end();
}

static void run(void)
{
    struct arena scratch;

    lock_scenes_open();
    arena_init(&scratch, MEMORY);
    for (size_t kind = 0; kind < COUNT(kinds); kind++) {
        struct texts_job job = {.kind = kind};
        char name[32];
        arena_init(&job.arena, MEMORY);
        assert_true(arena_try(&job.arena, read_texts, &job));
        snprintf(name, sizeof(name), "%s-changed", kinds[kind].name);
        for (size_t scene = 0; scene < lock_scene_count(); scene++) {
            judge_in(&scratch, kinds[kind].name, &job.plain, kinds[kind].scenes, scene);
            if (job.changed.count)
                judge_in(&scratch, name, &job.changed, 1, scene);
        }
        arena_release(&job.arena);
    }
    arena_release(&scratch);
}

int main(int argc, char **argv)
{
    return lock_main(argc, argv, "calls", run);
}
