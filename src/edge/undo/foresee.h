/* foresee.h - could all of this be saved? Looks, and changes nothing. */
#ifndef UNDO_FORESEE_H
#define UNDO_FORESEE_H

#include "undo/save.h"

struct undo_forecast {
    int workspace;
    bool links; /* the trash can hold links to files of the workspace */
    struct undo_limits limits;
    bool (*skips)(const void *context, struct str path); /* as in struct undo_entry */
    const void *context;
    uint64_t bytes; /* that would be copied, */
    uint32_t lines; /* and lines that would be written */
    int64_t until;  /* when looking has taken too long, by clock_ms(); 0: never */
    size_t lost;    /* what could not be saved: the first of these, and why */
    char path[256];
    const char *why;
};

/* `state_dir` need not exist yet. */
void undo_foresee(struct undo_forecast *f, const struct undo_store *s, const char *state_dir,
                  const struct undo_limits *limits);

/* What is about to happen at a path; `at_once`: a directory that is renamed into the trash. */
void undo_foresee_path(struct undo_forecast *f, struct str path, enum undo_fate fate, bool tree,
                       bool at_once);

/* The same of undo_save_whole(). */
void undo_foresee_whole(struct undo_forecast *f, enum undo_whole what);

/* Is there room for it? After the paths. */
void undo_foresee_room(struct undo_forecast *f, const char *state_dir);

#endif
