/* outline.h - the actions of a call as a tree, in reading order: what is inside an action follows
 * it, one level deeper. */
#ifndef ENGINE_OUTLINE_H
#define ENGINE_OUTLINE_H

#include "engine/engine.h"

struct outline_row {
    size_t action; /* index in facts->actions */
    unsigned depth;
};

struct outline {
    struct outline_row *rows;
    size_t count;
    size_t *number; /* of each action, from 1: its place in `rows` */
};

struct outline outline_of(struct arena *a, const struct facts *f);

/* The action that action i is part of; -1: none. */
int outline_parent(const struct facts *f, size_t i);

#endif
