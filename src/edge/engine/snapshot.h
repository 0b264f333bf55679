/* snapshot.h - the policy as it holds at one moment, and how threads get at it.
 *
 * A snapshot does not change. An update or a reload makes a new one and puts it
 * in the old one's place; whoever still looks at the old one (a check, a
 * decision) holds it, and the last holder frees it.
 *
 * Projects that nobody asked about before are read into the snapshot when they
 * are: an entry that was missing appears, whole, in a list that only grows. */
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

/* What holds in one project. */
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

/* What holds in a project; read now if nobody asked before. *out lives as long as the snapshot. */
enum status snapshot_project(struct snapshot *s, struct str project,
                             const struct project_policy **out, struct error *err);

const struct project_policy *snapshot_find(const struct snapshot *s,
                                           struct str project); /* NULL: not read yet */

/* The two below are for a snapshot that nobody else sees yet. */

/* Before the first project. */
enum status snapshot_take_changes(struct snapshot *s, const struct changes *changes,
                                  struct error *err);

/* Puts a policy that was read before into its place. Takes a hold of its own. */
enum status snapshot_add(struct snapshot *s, const char *project, struct policy *policy,
                         const struct error *stale, struct error *err);

/* ---- the place where the present one hangs ----
 *
 * To read the pointer and to take hold of what it points to are two steps, and between them the
 * snapshot could go. So a reader counts itself in before the first and out behind the second, and
 * who has put another snapshot in place waits until those who may have seen the old one are out.
 * That is a few instructions; readers wait for nobody. There are two counters, so that readers who
 * come later, and have seen the new one, cannot keep the writer waiting. */
struct snapshot_slot {
    _Atomic(struct snapshot *) now;
    atomic_uint side;
    atomic_size_t inside[2];
};

/* The present snapshot, held. From any thread. */
struct snapshot *snapshot_slot_take(struct snapshot_slot *g);

/* The same in place of one that is held. While nobody puts another one, threads write nothing that
 * others read. */
struct snapshot *snapshot_slot_take_again(struct snapshot_slot *g, struct snapshot *held);
/* Takes the caller's hold of `next`. One thread at a time. */
void snapshot_slot_put(struct snapshot_slot *g, struct snapshot *next);

#endif
