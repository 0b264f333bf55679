/* casefile.h - runs a case file through the engine: policy in, verdicts out, no C needed.
 *
 * docs/cases.md describes the format. */
#ifndef TESTS_SUPPORT_CASEFILE_H
#define TESTS_SUPPORT_CASEFILE_H

#include <stddef.h>

#include "decide/verdict.h"

struct case_counts {
    size_t cases, failed;
};

/* Prints each failure with file and line. */
void casefile_run(const char *path, struct case_counts *counts);

/* Sees each call of a case file when it is judged, and may have others judged in the same scene.
 * The scene is then the same everywhere and always: what is not in it is on the machine of
 * paper_disk.h, and it is the same day. Expectations do not count. */
struct case_scene;
struct case_watch {
    void (*judged)(void *context, struct case_scene *scene, struct str call);
    void *context;
};
void casefile_watch(const char *path, const struct case_watch *watch);
void case_scene_judge(struct case_scene *scene, struct str call);
size_t case_scene_line(const struct case_scene *scene); /* of its heading */
struct arena *case_scene_arena(struct case_scene *scene);
const struct verdict *case_scene_verdict(const struct case_scene *scene);
/* The text with another name for the scene's directory, which is by chance. */
struct str case_scene_named(struct case_scene *scene, struct str text);

/* The *.case files of a directory below the project's root, in order of name. */
void casefile_each(const char *directory, void (*each)(void *context, const char *path),
                   void *context);

/* Every *.case file of a directory below the project's root, in order of name. */
void casefile_run_all(const char *directory, struct case_counts *counts);

#endif
