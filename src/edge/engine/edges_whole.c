/* edges_whole.c - the table of libwarder, and the engine that is opened with it. */
#include "engine/approve.h"
#include "engine/edges.h"
#include "engine/examples.h"
#include "engine/forks.h"
#include "policy/kept.h"

const struct edges whole_edges = {
    .open_policy = policy_open,
    .prove = examples_prove,
    .keep_policy = kept_write,
    .match = regex_match,
    .consult = hooks_consult,
    .race = asking_race,
    .offer = decision_offer_approval,
    .join = forks_join,
    .leave = forks_leave,
};

warder_status warder_engine_new(const warder_options *options, warder_engine **out,
                                warder_error *err)
{
    return engine_new(&whole_edges, options, false, out, err);
}

struct added_text {
    warder_engine *engine;
    const struct policy_text *text;
};

static void add_text(void *arg)
{
    struct added_text *job = arg;
    struct policy_request *r = &job->engine->request;

    r->beside = !r->named && !r->files.count && !r->texts.count;
    LIST_PUSH(&job->engine->arena, &r->texts, *job->text);
}

warder_status engine_new_beside(const warder_options *options, const struct policy_text *text,
                                warder_engine **out, warder_error *err)
{
    struct added_text job = {.text = text};
    warder_status status = warder_engine_new(options, &job.engine, err);

    if (status == WARDER_OK && !arena_try(&job.engine->arena, add_text, &job))
        status = give_no_memory(err);
    if (status == WARDER_OK)
        status = warder_engine_reload(job.engine, err);
    if (status != WARDER_OK) {
        warder_engine_free(job.engine);
        job.engine = NULL;
    }
    *out = job.engine;
    return status;
}
