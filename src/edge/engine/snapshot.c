#include "engine/edges.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define SPINS 64 /* before the writer sleeps: a reader inside may have lost its processor */

struct snapshot *snapshot_new(const struct edges *edges, const struct profile *profile,
                              const struct policy_request *request)
{
    struct snapshot *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    atomic_init(&s->holders, 1);
    s->edges = edges;
    s->profile = profile;
    s->request = *request;
    arena_init(&s->arena, SNAPSHOT_MEMORY_MAX);
    return s;
}

struct snapshot *snapshot_hold(struct snapshot *s)
{
    atomic_fetch_add(&s->holders, 1);
    return s;
}

static void project_free(struct project_policy *p)
{
    if (!p)
        return;
    policy_free(p->policy);
    arena_release(&p->arena);
    free(p->project);
    free(p);
}

void snapshot_drop(struct snapshot *s)
{
    if (!s || atomic_fetch_sub(&s->holders, 1) > 1)
        return;
    for (size_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        for (struct project_policy *p = atomic_load(&s->projects[i]), *next; p; p = next) {
            next = p->next;
            project_free(p);
        }
    arena_release(&s->arena);
    free(s);
}

/* ---- projects ---- */

static enum status no_memory(struct error *err)
{
    return fail(err, STATUS_NOMEM, "out of memory");
}

/* A caller that names many projects of one bucket slows down its own calls: their number is
 * limited. */
static size_t bucket(struct str project)
{
    return str_hash(project) % SNAPSHOT_BUCKETS;
}

static struct project_policy *find(struct project_policy *first, struct str project)
{
    while (first && !str_is(project, first->project))
        first = first->next;
    return first;
}

struct changed_project {
    const struct snapshot *snapshot;
    struct project_policy *project;
};

static void apply(void *arg)
{
    struct changed_project *job = arg;
    struct project_policy *p = job->project;
    const struct snapshot *s = job->snapshot;
    struct str project, kept;

    (void)snapshot_splits(str_from(p->project), &project, &kept);
    changes_apply(&p->arena, &p->policy->book, s->profile, &s->changes, project, &p->changed);
}

static bool is_changed(const struct changes *c)
{
    return c->added.count || c->taken.count || c->directories.count || c->no_directories.count;
}

static enum status apply_changes(const struct snapshot *s, struct project_policy *p,
                                 struct error *err)
{
    struct changed_project job = {s, p};

    p->book = &p->policy->book;
    if (!is_changed(&s->changes))
        return STATUS_OK;
    arena_init(&p->arena, SNAPSHOT_MEMORY_MAX);
    if (!arena_try(&p->arena, apply, &job))
        return no_memory(err);
    p->book = &p->changed;
    return STATUS_OK;
}

/* The entry, or the one of the same name that another thread has put there meanwhile: all checks by
 * one snapshot must see the same policy. */
static struct project_policy *insert(struct snapshot *s, struct project_policy *p)
{
    struct str name = str_from(p->project);
    _Atomic(struct project_policy *) *head = &s->projects[bucket(name)];
    struct project_policy *first = atomic_load(head), *there;

    do {
        if ((there = find(first, name))) {
            project_free(p);
            return there;
        }
        p->next = first;
    } while (!atomic_compare_exchange_weak(head, &first, p));
    atomic_fetch_add(&s->count, 1);
    return p;
}

static struct project_policy *project_new(struct str name)
{
    struct project_policy *p = calloc(1, sizeof(*p));

    if (p && !(p->project = strndup(name.s, name.len))) {
        free(p);
        return NULL;
    }
    return p;
}

/* Clean paths have no two slashes in a row. */
bool snapshot_splits(struct str name, struct str *project, struct str *kept)
{
    for (size_t i = 0; i + 1 < name.len; i++)
        if (name.s[i] == '/' && name.s[i + 1] == '/') {
            *project = str_slice(name, 0, i);
            *kept = str_from_byte(name, i + 2);
            return true;
        }
    *project = name;
    *kept = (struct str){0};
    return false;
}

static enum status read_project(struct snapshot *s, struct str name,
                                const struct project_policy **out, struct error *err)
{
    struct policy_request request = s->request;
    struct project_policy *p = project_new(name);
    enum status status;

    if (!p)
        return no_memory(err);
    (void)snapshot_splits(str_from(p->project), &request.project, &request.kept);
    if ((status = s->edges->open_policy(&request, &p->policy, err)) != STATUS_OK ||
        (status = apply_changes(s, p, err)) != STATUS_OK) {
        project_free(p);
        return status;
    }
    *out = insert(s, p);
    return STATUS_OK;
}

const struct project_policy *snapshot_find(const struct snapshot *s, struct str project)
{
    return find(atomic_load(&s->projects[bucket(project)]), project);
}

enum status snapshot_project(struct snapshot *s, struct str project,
                             const struct project_policy **out, struct error *err)
{
    if ((*out = snapshot_find(s, project)))
        return STATUS_OK;
    if (atomic_load(&s->count) >= SNAPSHOT_PROJECTS_MAX)
        return fail(err, STATUS_LIMIT, "more than %u projects in one run", SNAPSHOT_PROJECTS_MAX);
    return read_project(s, project, out, err);
}

struct changes_copy {
    struct snapshot *snapshot;
    const struct changes *changes;
    struct error *err;
    enum status status;
};

static void take(void *arg)
{
    struct changes_copy *job = arg;

    job->status =
        changes_copy(&job->snapshot->arena, job->changes, &job->snapshot->changes, job->err);
}

enum status snapshot_take_changes(struct snapshot *s, const struct changes *changes,
                                  struct error *err)
{
    struct changes_copy job = {s, changes, err, STATUS_OK};

    return arena_try(&s->arena, take, &job) ? job.status : no_memory(err);
}

enum status snapshot_add(struct snapshot *s, const char *project, struct policy *policy,
                         const struct error *stale, struct error *err)
{
    struct project_policy *p = project_new(str_from(project));

    if (!p)
        return no_memory(err);
    p->policy = policy_hold(policy);
    p->stale = *stale;
    if (apply_changes(s, p, err) != STATUS_OK) {
        project_free(p);
        return STATUS_NOMEM;
    }
    insert(s, p);
    return STATUS_OK;
}

/* ---- the slot ---- */

struct snapshot *snapshot_slot_take(struct snapshot_slot *g)
{
    atomic_size_t *inside = &g->inside[atomic_load(&g->side) & 1];

    atomic_fetch_add(inside, 1);
    struct snapshot *s = snapshot_hold(atomic_load(&g->now));
    atomic_fetch_sub(inside, 1);
    return s;
}

struct snapshot *snapshot_slot_take_again(struct snapshot_slot *g, struct snapshot *held)
{
    if (atomic_load(&g->now) == held)
        return held; /* it is held, so no other snapshot can have its address */
    snapshot_drop(held);
    return snapshot_slot_take(g);
}

void snapshot_slot_alone(struct snapshot_slot *g)
{
    atomic_store(&g->inside[0], 0);
    atomic_store(&g->inside[1], 0);
}

static void wait_until_empty(atomic_size_t *inside)
{
    const struct timespec moment = {.tv_nsec = 50000};

    for (unsigned tries = 0; atomic_load(inside); tries++)
        if (tries < SPINS)
            sched_yield();
        else
            nanosleep(&moment, NULL);
}

/* A reader may have read `side` long ago, so readers can be inside under either counter. The
 * counter that is not in use has only such late readers and drains at once; then new readers are
 * sent there, and the other one drains too. */
void snapshot_slot_put(struct snapshot_slot *g, struct snapshot *next)
{
    struct snapshot *old = atomic_exchange(&g->now, next);
    unsigned side = atomic_load(&g->side);

    wait_until_empty(&g->inside[(side + 1) & 1]);
    atomic_store(&g->side, side + 1);
    wait_until_empty(&g->inside[side & 1]);
    snapshot_drop(old);
}
