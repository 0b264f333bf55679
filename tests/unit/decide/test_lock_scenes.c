/* The case files once more: of every call in them all that was decided and seen, and the same of
 * some changes of it in the same scene, is what tests/lock/scenes.lock says. See support/lock.h. */
#include "support/casefile.h"
#include "support/lock.h"
#include "support/lock_texts.h"
#include "support/verdict_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CHANGED 2 /* of each call */

struct watcher {
    size_t scene;            /* the line where it begins */
    struct lock_texts calls; /* of the scene so far */
};

static void lock_verdict(struct case_scene *scene, struct str call)
{
    struct buf b = buf_in(case_scene_arena(scene));
    const struct verdict *v = case_scene_verdict(scene);

    verdict_text(&b, v);
    lock_add(v->behavior, call, case_scene_named(scene, buf_str(&b)));
}

/* `call` is a tool, a blank and its argument. */
static void judged(void *context, struct case_scene *scene, struct str call)
{
    struct watcher *w = context;
    struct arena *a = case_scene_arena(scene);
    struct str tool, text;

    lock_verdict(scene, call);
    if (w->scene != case_scene_line(scene))
        w->calls = (struct lock_texts){0};
    w->scene = case_scene_line(scene);
    str_cut(call, ' ', &tool, &text);
    const struct lock_text this = lock_text_of(tool, text);
    LIST_PUSH(a, &w->calls, this);
    lock_texts_sort(&w->calls);
    for (uint64_t i = 0; i < CHANGED; i++) {
        call = str_format(a, "%.*s %.*s", STR_ARG(tool),
                          STR_ARG(lock_text_changed(a, &this, &w->calls, i)));
        case_scene_judge(scene, call);
        lock_verdict(scene, call);
    }
}

static void each_file(void *unused, const char *path)
{
    struct watcher w = {.scene = SIZE_MAX};
    const struct case_watch watch = {judged, &w};

    (void)unused;
    if (!lock_begin(strrchr(path, '/') + 1))
        return;
    casefile_watch(path, &watch);
    lock_end();
}

static void run(void)
{
    casefile_each("tests/conformance", each_file, NULL);
    casefile_each("tests/cases", each_file, NULL);
}

int main(int argc, char **argv)
{
    return lock_main(argc, argv, "scenes", run);
}
