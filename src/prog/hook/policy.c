/* policy.c - the policy of warder-hook: the mapped image of one. */
#include <stdlib.h>

#include "hook/edges.h"
#include "hook/hand_over.h"
#include "policy/image.h"

/* All images have one address, so one is mapped at a time; a project that asks again gets it again.
 */
static const struct image *mapped;

static bool is_for(const struct image *image, const struct image_key *key)
{
    return image && str_eq(image->key.project, key->project) && str_eq(image->key.home, key->home);
}

/* The image stays mapped: the process ends soon, and the next reading is of the same project. */
static void release(struct policy *policy)
{
    free(policy);
}

enum status image_policy_open(const struct policy_request *request, struct policy **out,
                              struct error *err)
{
    struct image_key key;

    *out = NULL;
    if (!image_key(request, &key) || (mapped && !is_for(mapped, &key)) ||
        (!mapped && image_map(&key, &mapped) != IMAGE_FRESH))
        hand_over();
    struct policy *p = calloc(1, sizeof(*p));
    if (!p)
        return fail(err, STATUS_NOMEM, "no memory for the policy");
    atomic_init(&p->holders, 1);
    p->release = release;
    p->book = mapped->book;
    p->trust = mapped->trust;
    *out = p;
    return STATUS_OK;
}
