/* Tens of thousands of calls, each judged in some scenes: what was decided and seen of them is what
 * tests/lock/calls.lock says. See support/lock.h. */
#include "shell/tree.h"
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

/* Each text of a kind is judged in so many of the scenes; one of `every` of them is changed, so
 * many `times`, and each of these judged in one scene. */
static const struct {
    const char *name;
    void (*read)(struct arena *a, struct lock_texts *out);
    size_t scenes, every, times;
    bool trees; /* and it is read as a shell would read it */
    bool ruled; /* in scenes with many rules alone */
} kinds[] = {
    {"cases", lock_texts_of_cases, 2, 1, 2, true},
    {"words", lock_texts_of_words, 1, 1, 0},
    {"flows", lock_texts_of_flows, 1, 1, 0, true},
    {"carriers", lock_texts_of_carriers, 1, 1, 0, .ruled = true},
    {"spellings", lock_texts_of_spellings, 1, 1, 0, .ruled = true},
    {"parts", lock_texts_of_parts, 1, 1, 0, true},
    {"pieces", lock_texts_of_pieces, 2, 1, 1, true},
    {"codes", lock_texts_of_codes, 2, 1, 3},
    {"tools", lock_texts_of_tools, 6, 1, 1},
    {"rows", lock_texts_of_rows, 1, 8, 1},
    {"places", lock_texts_of_places, 2, 1, 1},
    {"corpora", lock_texts_of_corpora, 4, 1, 12, true},
};

struct texts_job {
    struct arena arena;
    size_t kind;
    struct lock_texts plain, changed;
};

static void read_texts(void *arg)
{
    struct texts_job *job = arg;

    kinds[job->kind].read(&job->arena, &job->plain);
    for (size_t i = 0; i < job->plain.count; i++) {
        const struct lock_text *t = &job->plain.items[i];
        for (size_t n = 0; t->hash % kinds[job->kind].every == 0 && n < kinds[job->kind].times;
             n++) {
            struct str text = lock_text_changed(&job->arena, t, &job->plain, n);
            if (text.len)
                LIST_PUSH(&job->arena, &job->changed, lock_text_of(t->tool, text));
        }
    }
    lock_texts_sort(&job->changed);
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

/* The scenes take turns: which one it is of all of them, or of those with many rules. */
struct turn {
    size_t nth, all;
};

static struct turn turn_of(size_t scene, bool ruled)
{
    struct turn t = {0};

    for (size_t i = 0; i < lock_scene_count(); i++) {
        t.nth += i < scene && (!ruled || lock_scene_is_ruled(i));
        t.all += !ruled || lock_scene_is_ruled(i);
    }
    return t;
}

/* Those texts that are judged in this scene. */
static void judge_in(struct arena *scratch, const char *name, const struct lock_texts *texts,
                     size_t kind, size_t scenes, size_t scene)
{
    const struct turn turn = turn_of(scene, kinds[kind].ruled);
    char group[64];

    snprintf(group, sizeof(group), "%s/%s", name, lock_scene_name(scene));
    if ((kinds[kind].ruled && !lock_scene_is_ruled(scene)) || !lock_begin(group))
        return;
    for (size_t i = 0; i < texts->count; i++)
        if ((texts->items[i].hash / 16 + turn.nth) % turn.all < scenes)
            judge(scratch, &texts->items[i], scene);
    lock_end();
}

/* How the shell would read it. */
static void read_tree(void *arg)
{
    struct judge_job *job = arg;
    struct buf b = buf_in(job->arena);
    struct tree tree;

    shell_parse(job->arena, job->text->text, &tree);
    buf_format(&b, "%s %zu %zu %zu\n", tree.why ? tree.why : "", tree.why_at, tree.comment_at,
               tree.unclosed_at);
    if (tree.root)
        shell_print(&b, tree.root);
    job->result = buf_str(&b);
}

static void read_trees(struct arena *scratch, const char *name, const struct lock_texts *texts)
{
    char group[64];

    snprintf(group, sizeof(group), "trees/%s", name);
    if (!lock_begin(group))
        return;
    for (size_t i = 0; i < texts->count; i++) {
        struct judge_job job = {.arena = scratch, .text = &texts->items[i]};
        if (str_is(job.text->tool, "Bash") && arena_try(scratch, read_tree, &job))
            lock_add(LOCK_NO_VERDICT, job.text->text, job.result);
        arena_reset(scratch);
    }
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
        if (kinds[kind].trees) {
            read_trees(&scratch, kinds[kind].name, &job.plain);
            if (kinds[kind].times)
                read_trees(&scratch, name, &job.changed);
        }
        for (size_t scene = 0; scene < lock_scene_count(); scene++) {
            judge_in(&scratch, kinds[kind].name, &job.plain, kind, kinds[kind].scenes, scene);
            if (kinds[kind].times)
                judge_in(&scratch, name, &job.changed, kind, 1, scene);
        }
        arena_release(&job.arena);
    }
    arena_release(&scratch);
}

int main(int argc, char **argv)
{
    return lock_main(argc, argv, "calls", run);
}
