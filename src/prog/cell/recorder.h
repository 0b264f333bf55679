/* recorder.h - what a cell changes in the workspace is saved before, for `warder undo`.
 *
 * The keeper hears of every call that could change a file (filter.h), and saves what is there
 * before it lets the call go on. The lines are those of undo/save.h, one for each thing that the
 * command loses: of what it has made itself nothing is written again.
 *
 * The command can change the path of a call after the keeper has looked at it, or two of its
 * processes can do something at once. So it may cheat its own undo, and nothing else: whatever it
 * may write, the mounts and Landlock say. */
#ifndef CELL_RECORDER_H
#define CELL_RECORDER_H

#include "cell/plan.h"

struct recorder;

/* What a call is about to do at a path. */
enum recorded {
    RECORDED_NOT = 0,
    RECORDED_WRITE, /* opened to be written; or made, if nothing is there */
    RECORDED_MAKE,  /* a directory, a link or something else that has no content yet */
    RECORDED_REMOVE,
    RECORDED_MODE,     /* its mode */
    RECORDED_MOVE,     /* `from` gets this name */
    RECORDED_EXCHANGE, /* both change places */
    RECORDED_LINK,     /* `from` gets this name, too */
};

/* For the entry that the plan names; NULL if it names none, or if that cannot be gone on with:
 * *failed says so. Nobody else ends the entry as long as this is open. */
struct recorder *recorder_begin(const struct plan *plan, bool *failed);

/* Paths are absolute, as the disk has them; `from` is empty where there is none. `makes`: what is
 * not there will be. False: it cannot be saved at all, and is not to happen; no disk need be able
 * to do it. */
bool recorder_save(struct recorder *r, enum recorded what, struct str path, struct str from,
                   bool makes);

/* The command has ended, and everything that it started: says how it left its paths. */
void recorder_end(struct recorder *r);

/* Without that: in a process that leaves it to another one. */
void recorder_leave(struct recorder *r);

#endif
