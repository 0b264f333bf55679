/* state.h - the directory in which things outlive a process: trust, sessions, approvals, the
 * record.
 *
 * Verdicts depend on what lies there, so it must be ours alone: what belongs to others or can be
 * written by them is refused. Names are looked up in a directory that is held open, and links are
 * not followed. */
#ifndef POLICY_STATE_H
#define POLICY_STATE_H

#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

#define STATE_LOCK_MS                                                                              \
    5000 /* how long another process may hold a lock: whoever does for longer has come to a stop   \
          */

/* Opens `state_dir`, or `below` in it (NULL: none); makes what is missing, with mode 0700. */
enum status state_open(const char *state_dir, const char *below, int *directory, struct error *err);

/* The same, and makes nothing: *directory is -1 when there is none. */
enum status state_find(const char *state_dir, const char *below, int *directory, struct error *err);

/* An exclusive lock on a file of that name; closing *lock gives it back. */
enum status state_lock(int directory, const char *name, int *lock, struct error *err);

/* *text is malloc'ed and ends in NUL; NULL when there is no such file. STATUS_LIMIT: more than
 * `most` bytes. */
enum status state_read(int directory, const char *name, size_t most, char **text, size_t *len,
                       struct error *err);

/* Whoever reads meanwhile sees the old text or the new one, never half of it. Hold a lock: two
 * writers at a time would write into each other's file. */
enum status state_replace(int directory, const char *name, struct str text, struct error *err);

#endif
