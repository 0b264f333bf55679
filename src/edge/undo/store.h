/* store.h - where the undo entries of a project are, and what there is of them.
 *
 *     <state>/undo/<project>/<id>/journal     mode 0600, in directories of mode 0700
 *     <state>/undo/<project>/<id>/trash/N     if that is on the workspace's file system, else
 *     <workspace>/.git/warder-undo/<id>/N     if there is a .git, else the first, with copies only
 *
 * Where the trash is follows from the id and one bit, never from a path in a journal. */
#ifndef UNDO_STORE_H
#define UNDO_STORE_H

#include <limits.h>

#include "undo/journal.h"

#define UNDO_STATE_NAME "undo"
#define UNDO_GIT_NAME   "warder-undo"

struct undo_listing;

struct undo_store {
    int workspace, entries; /* directories; -1: there is none */
    int lock;
    uint64_t device, inode; /* of the workspace */
    /* The entries, as they were listed while the lock is held; NULL: there is no lock. */
    struct undo_listing *listed;
    char project[PATH_MAX];
};

/* Opens and locks it. Without `make`, `entries` may be -1. Call undo_store_close() in either case.
 */
enum status undo_store_open(struct undo_store *s, const char *state_dir, const char *project,
                            bool make, struct error *err);
/* The same for a process that somebody waits for: it waits so many milliseconds for the lock. With
 * 0 it only looks, and locks nothing. */
enum status undo_store_open_within(struct undo_store *s, const char *state_dir, const char *project,
                                   bool make, unsigned ms, struct error *err);
/* That of the nearest directory, from `near` upwards, whose calls were saved; `entries` is -1 if
 * there is none. */
enum status undo_store_find(struct undo_store *s, const char *state_dir, struct str near,
                            struct error *err);
void undo_store_close(struct undo_store *s);

/* The ids, oldest first. */
struct undo_ids LIST_OF(struct str);
enum status undo_store_list(struct arena *a, const struct undo_store *s, struct undo_ids *out,
                            struct error *err);

bool undo_id_is(struct str text);

/* An id that is newer than all others. */
enum status undo_id_new(const struct undo_store *s, char out[UNDO_ID_SIZE], struct error *err);

enum status undo_entry_directory(const struct undo_store *s, const char *id, bool make, int *out,
                                 struct error *err);
enum status undo_trash_directory(const struct undo_store *s, const char *id, bool in_git, bool make,
                                 int *out, struct error *err);
/* To give back what is there. *out is -1 where nothing was saved, and no trash was made either. */
enum status undo_trash_open(const struct undo_store *s, const char *id, const struct undo_log *log,
                            int *out, struct error *err);
/* Somebody writes it for as long as *hold is open, until the call and all that it has started have
 * ended. False: somebody does already. */
bool undo_entry_hold(int directory, int *hold);
bool undo_entry_is_held(const struct undo_store *s, const char *id);
/* The name of a file in the trash. */
#define UNDO_SLOT_SIZE 24
const char *undo_slot_name(int64_t slot, char out[UNDO_SLOT_SIZE]);

/* Would a trash in the state directory be on another file system, and one below .git not? */
bool undo_store_needs_git(const struct undo_store *s);

/* With all that is in it, whatever its mode. */
bool undo_remove_all(int directory, const char *name);

/* Removes an entry, journal last: what is half removed is removed by the next prune. */
enum status undo_entry_remove(const struct undo_store *s, const char *id, struct error *err);

struct undo_keep {
    uint32_t days, calls; /* 0: any */
    uint64_t bytes;
};

#define UNDO_KEEP_DAYS  7u
#define UNDO_KEEP_CALLS 500u
#define UNDO_KEEP_BYTES ((uint64_t)2 << 30)

/* Removes the oldest entries until `keep` holds. The newest one stays, whatever its size: it is
 * what a person would want back. *removed counts them; NULL is fine. */
enum status undo_prune(const struct undo_store *s, const struct undo_keep *keep, int64_t now,
                       size_t *removed, struct error *err);

/* How many bytes policy keeps, for the process that sees the end of a call and reads no policy. */
void undo_store_set_size(const struct undo_store *s, uint64_t bytes);
uint64_t undo_store_size(const struct undo_store *s);

/* Did the last prune by size leave more than `keep` allows, because one call alone needs more? */
bool undo_store_is_full(const struct undo_store *s);

/* Bytes that an entry takes on the disk and would give back. */
uint64_t undo_entry_size(const struct undo_store *s, const char *id);

#endif
