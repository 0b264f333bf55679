/* image.c - the policy image of an engine's own project; see policy/image.h. */
#include "policy/image.h"

#include "engine/image.h"

enum status engine_keep_image(warder_engine *e, struct error *err)
{
    struct snapshot *s = snapshot_slot_take(&e->slot);
    struct policy_request request = s->request;
    enum status status;

    request.project = e->project;
    if (e->profile_given || s->generation != 1)
        status = fail(err, STATUS_USAGE, "this policy has no image: options decide what it is");
    else
        status = image_write(&request, err);
    snapshot_drop(s);
    return status;
}
