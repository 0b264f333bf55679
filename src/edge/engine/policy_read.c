/* policy_read.c - the policy of all projects that calls have named, read from its sources.
 *
 * A file that was good and is broken now does not end a service: the project
 * keeps its policy from before, and the error is reported. One that was broken
 * before is not kept. */
#include "engine/edges.h"

struct reread {
    const warder_engine *engine;
    struct snapshot *old;  /* NULL: it is the first time */
    struct snapshot *next; /* NULL: not begun */
    struct error stale;    /* the first reason why a project keeps its older policy */
};

struct policy_request engine_request(const warder_engine *e, const struct profile *profile,
                                     struct str project)
{
    struct policy_request r = e->request;

    r.project = project;
    r.dialect = profile->dialect;
    r.order = profile->order;
    r.shipped = profile->shipped;
    r.caliban_paths = profile->caliban_paths;
    r.knows = engine_knows;
    r.prove = e->edges->prove;
    r.model = profile;
    return r;
}

static enum status read_policy(const struct reread *job, const struct profile *profile,
                               struct str project, struct policy **out, struct error *err)
{
    struct policy_request request = engine_request(job->engine, profile, project);

    return job->engine->edges->open_policy(&request, out, err);
}

/* A profile that policy chose means reading again, in its dialect. An option replaces that of the
 * user, not that of managed policy. */
static enum status read_with_profile(const struct reread *job, const struct profile **profile,
                                     struct policy **out, struct error *err)
{
    const warder_engine *e = job->engine;
    enum status status = read_policy(job, e->profile, e->project, out, err);

    *profile = e->profile;
    if (status != STATUS_OK || (*out)->book.profile.len == 0 ||
        (e->profile_given && !(*out)->book.profile_managed))
        return status;
    const struct profile *chosen = profile_find((*out)->book.profile);
    if (!chosen || chosen == e->profile) /* an unknown one is a problem of the policy */
        return STATUS_OK;
    policy_free(*out);
    *out = NULL;
    *profile = chosen;
    return read_policy(job, chosen, e->project, out, err);
}

/* What is wrong with a book, as an error. */
static enum status look_at(const struct rulebook *book, struct error *err)
{
    const struct problem *p = rulebook_broken(book);

    if (!p)
        return STATUS_OK;
    return fail_at(err, STATUS_SYNTAX, p->line, p->column, "%.*s: %.*s", STR_ARG(p->file),
                   STR_ARG(p->message));
}

/* Is the policy from before better than what was read? */
static bool falls_back(struct reread *job, const struct project_policy *before,
                       const struct error *why)
{
    if (why->status == STATUS_OK || !before || rulebook_broken(&before->policy->book))
        return false;
    if (job->stale.status == STATUS_OK)
        job->stale = *why;
    return true;
}

/* Puts the policy of a project into the new snapshot. Takes `read`; NULL if it could not be read,
 * and *why says why. */
static enum status settle(struct reread *job, const char *project,
                          const struct project_policy *before, struct policy *read,
                          const struct error *why, struct error *err)
{
    static const struct error fresh;
    bool stale = falls_back(job, before, why);
    struct policy *use = stale ? before->policy : read;
    enum status status = STATUS_OK;

    if (use)
        status = snapshot_add(job->next, project, use, stale ? why : &fresh, err);
    policy_free(read);
    return status;
}

static enum status start(struct reread *job, const struct profile *profile, struct error *err)
{
    struct policy_request request = engine_request(job->engine, profile, job->engine->project);
    enum status status;

    if (!(job->next = snapshot_new(job->engine->edges, profile, &request)))
        return fail(err, STATUS_NOMEM, "out of memory");
    job->next->generation = 1;
    if (!job->old)
        return STATUS_OK;
    job->next->generation = job->old->generation + 1;
    job->next->session = job->old->session;
    if ((status = snapshot_take_changes(job->next, &job->old->changes, err)) == STATUS_OK)
        changes_reread(&job->next->changes);
    return status;
}

static enum status read_main(struct reread *job, struct error *err)
{
    const char *project = job->engine->project.s;
    const struct project_policy *before =
        job->old ? snapshot_find(job->old, job->engine->project) : NULL;
    const struct profile *profile;
    struct policy *policy = NULL;
    struct error why = {0};
    enum status status = read_with_profile(job, &profile, &policy, &why);

    if (status == STATUS_OK)
        look_at(&policy->book, &why);
    bool stale = falls_back(job, before, &why);
    if (!stale && status != STATUS_OK) {
        *err = why;
        return status;
    }
    if ((status = start(job, stale ? job->old->profile : profile, err)) != STATUS_OK) {
        policy_free(policy);
        return status;
    }
    return settle(job, project, before, policy, &why, err);
}

/* A project whose policy was written for another profile is not kept: it is read when a call names
 * it again. */
static enum status read_other(struct reread *job, const struct project_policy *before,
                              struct error *err)
{
    struct policy *policy = NULL;
    struct error why = {0};

    if (read_policy(job, job->next->profile, str_from(before->project), &policy, &why) == STATUS_OK)
        look_at(&policy->book, &why);
    return settle(job, before->project, job->next->profile == job->old->profile ? before : NULL,
                  policy, &why, err);
}

static enum status read_others(struct reread *job, struct error *err)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; job->old && i < SNAPSHOT_BUCKETS; i++)
        for (const struct project_policy *p = atomic_load(&job->old->projects[i]); !status && p;
             p = p->next)
            /* what was kept for sessions is read again where one needs it */
            if (!str_is(job->engine->project, p->project) && !strstr(p->project, "//"))
                status = read_other(job, p, err);
    return status;
}

enum status engine_read(const warder_engine *e, struct snapshot *old, struct snapshot **out,
                        struct error *err)
{
    struct reread job = {.engine = e, .old = old};
    enum status status = read_main(&job, err);

    if (status == STATUS_OK)
        status = read_others(&job, err);
    if (status != STATUS_OK) {
        snapshot_drop(job.next);
        return status;
    }
    *out = job.next;
    if (job.stale.status != STATUS_OK)
        *err = job.stale;
    return job.stale.status;
}
