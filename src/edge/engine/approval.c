/* approval.c - approvals that a person gave for one call, as a decision uses them. */
#include <time.h>

#include "engine/approve.h"
#include "machine/world.h"

int64_t approval_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec;
}

struct approval_call decision_approval_call(const warder_decision *d, const struct call *call,
                                            struct str client)
{
    return (struct approval_call){.state_dir = d->engine->request.state_dir.s,
                                  .client = client,
                                  .call = call,
                                  .verdict = &d->verdict,
                                  .book = d->book,
                                  .profile = d->profile,
                                  .world = &real_world,
                                  .home = d->engine->home,
                                  .now = approval_now()};
}

bool decision_take_approval(warder_decision *d, const struct call *call, struct str client)
{
    struct approval_call c = decision_approval_call(d, call, client);
    bool taken = false;

    return d->book && approval_take(&d->arena, &c, &taken, NULL) == STATUS_OK && taken;
}
