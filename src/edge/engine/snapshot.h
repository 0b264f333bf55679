/* snapshot.h - the policy at one moment, and how threads get at it.
 *
 * A snapshot does not change. An update or a reload makes a new one and puts it
 * in the old one's place; a check or a decision that still reads the old one
 * holds it, and the last holder frees it.
 *
 * A project is read into the snapshot when a call first names it: its entry
 * appears, complete, in a list that only grows. */
#ifndef ENGINE_SNAPSHOT_H
#define ENGINE_SNAPSHOT_H

#include <stdatomic.h>

#include "decide/update.h"
#include "policy/load.h"

#define SNAPSHOT_PROJECTS_MAX                                                                      \
    4096u /* a call may name its own project, and each has its own policy files */
#define SNAPSHOT_BUCKETS    64u
#define SNAPSHOT_MEMORY_MAX ((size_t)256 * 1024 * 1024) /* of what updates changed */

struct edges;

/* The policy of one project. */
struct project_policy {
    struct project_policy *next;
    char *project;
    struct policy *policy;       /* as it was read */
    const struct rulebook *book; /* that, with the changes of the snapshot */
    struct rulebook changed;
    struct arena arena; /* of what `changed` has beside the policy */
    struct error
        stale; /* STATUS_OK, or why the files could not be read again: the policy is an older one */
};

struct snapshot {
    atomic_size_t holders;
    const struct edges *edges; /* of the engine */
    uint64_t generation;
    const struct profile *profile;
    struct policy_request
        request;        /* of a project that is still to be read; its strings are the engine's */
    struct arena arena; /* of the changes */
    struct changes changes;
    struct session session; /* a mode that an update has set */
    _Atomic(struct project_policy *) projects[SNAPSHOT_BUCKETS];
    atomic_size_t count;
};

/* With one holder. NULL: no memory. */
struct snapshot *snapshot_new(const struct edges *edges, const struct profile *profile,
                              const struct policy_request *request);
struct snapshot *snapshot_hold(struct snapshot *s);
void snapshot_drop(struct snapshot *s); /* NULL is fine */

/* The policy of a project; read now if no call has named it before. *out lives as long as the
 * snapshot. */
enum status snapshot_project(struct snapshot *s, struct str project,
                             const struct project_policy **out, struct error *err);

/* A name PROJECT//DIGEST means the project with the rules of the files that a session began with
 * (policy/kept.h). */
bool snapshot_splits(struct str name, struct str *project, struct str *kept);

const struct project_policy *snapshot_find(const struct snapshot *s,
                                           struct str project); /* NULL: not read yet */

/* The two below are for a snapshot that no other thread sees yet. */

/* Before the first project. */
enum status snapshot_take_changes(struct snapshot *s, const struct changes *changes,
                                  struct error *err);

/* Adds a policy that was read before, and takes its own hold of it. */
enum status snapshot_add(struct snapshot *s, const char *project, struct policy *policy,
                         const struct error *stale, struct error *err);

/* ---- the slot of the present snapshot ----
 *
 * A reader needs two steps: read the pointer, then take hold of what it points to. Between them the
 * snapshot could be freed. So a reader counts itself in before the first step and out after the
 * second, and a writer that has put in another snapshot waits until the readers that may have seen
 * the old one are out. That is a few instructions; readers never wait. There are two counters, so
 * that later readers, which have seen the new one, cannot keep the writer waiting. */
struct snapshot_slot {
    _Atomic(struct snapshot *) now;
    atomic_uint side;
    atomic_size_t inside[2];
};

/* The present snapshot, held. From any thread. */
struct snapshot *snapshot_slot_take(struct snapshot_slot *g);

/* The same in place of one that is held. While no other one is put in, threads write nothing that
 * others read. */
struct snapshot *snapshot_slot_take_again(struct snapshot_slot *g, struct snapshot *held);
/* In the child of a fork(): the readers of other threads are not there. */
void snapshot_slot_alone(struct snapshot_slot *g);
/* Takes the caller's hold of `next`. One thread at a time. */
void snapshot_slot_put(struct snapshot_slot *g, struct snapshot *next);

#endif
