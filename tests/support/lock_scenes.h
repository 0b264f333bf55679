/* lock_scenes.h - how the locked calls are judged: on the machine of paper_disk.h, by every
 * profile, with policies that have every form of rule, in many modes and sessions. */
#ifndef TESTS_SUPPORT_LOCK_SCENES_H
#define TESTS_SUPPORT_LOCK_SCENES_H

#include <stddef.h>

#include "base/arena.h"
#include "decide/verdict.h"

size_t lock_scene_count(void);
const char *lock_scene_name(size_t scene);

/* Is its policy full of rules? */
bool lock_scene_is_ruled(size_t scene);

/* Reads the policies. They are gone with the process. */
void lock_scenes_open(void);

/* Judges a call: the verdict, and all that was seen, as a text. An argument that begins with { is
 * the whole input as JSON. Below an arena_try(). */
enum behavior lock_scene_judge(struct arena *a, size_t scene, struct str tool, struct str argument,
                               struct str *result);

/* The same by another book of rules. */
enum behavior lock_scene_judge_by(struct arena *a, size_t scene, const struct rulebook *book,
                                  struct str tool, struct str argument, struct str *result);

/* The rulebook of a scene. */
const struct rulebook *lock_scene_book(size_t scene);

#endif
