/* state.h - the directory of persistent state: trust, sessions, approvals, the record.
 *
 * Verdicts depend on these files, so they must be ours alone: what belongs to other users or can be
 * written by them is refused. Names are looked up in a directory that is kept open, and links are
 * not followed. */
#ifndef POLICY_STATE_H
#define POLICY_STATE_H

#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

#define STATE_LOCK_MS                                                                              \
    5000 /* how long to wait for a lock: a process that holds it for longer has stopped   \ */

/* Opens `state_dir`, or `below` in it (NULL: none); creates what is missing, with mode 0700. */
enum status state_open(const char *state_dir, const char *below, int *directory, struct error *err);

/* The same, but creates nothing: *directory is -1 if there is none. */
enum status state_find(const char *state_dir, const char *below, int *directory, struct error *err);

/* An exclusive lock on a file of that name; AUTO_UNLOCK releases *lock. */
enum status state_lock(int directory, const char *name, int *lock, struct error *err);
/* ... for which it waits no longer than so many milliseconds. */
enum status state_lock_within(int directory, const char *name, unsigned ms, int *lock,
                              struct error *err);

/* *text is malloc'ed and ends in NUL; NULL if there is no such file. STATUS_LIMIT: more than `most`
 * bytes. */
enum status state_read(int directory, const char *name, size_t most, char **text, size_t *len,
                       struct error *err);

/* A reader sees the old text or the new one, never half of it. Hold a lock: two writers at a time
 * would write into each other's file. */
enum status state_replace(int directory, const char *name, struct str text, struct error *err);

/* The same for a caller that has it synced before anybody is told. If the power fails before that,
 * the file may be empty, which readers refuse. */
enum status state_replace_unsynced(int directory, const char *name, struct str text,
                                   struct error *err);

#endif
