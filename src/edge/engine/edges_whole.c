/* edges_whole.c - the table of libwarder, and the engine that is opened with it. */
#include "engine/approve.h"
#include "engine/edges.h"
#include "engine/forks.h"
#include "policy/kept.h"

const struct edges whole_edges = {
    .open_policy = policy_open,
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
