/* policy.c - policy/load.h by the policy image: no policy file is read here. Where there is no
 * fresh image, `warder hook` reads the files, answers, and leaves one for the next call. */
#include <stdlib.h>

#include "hook/hand_over.h"
#include "policy/image.h"

/* The address of images is one, so there is one at a time; asked for it again, a project gets it
 * again. */
static const struct image *mapped;

static bool is_for(const struct image *image, const struct image_key *key)
{
    return image && str_eq(image->key.project, key->project) && str_eq(image->key.home, key->home);
}

enum status policy_open(const struct policy_request *request, struct policy **out,
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
    p->book = mapped->book;
    p->trust = mapped->trust;
    *out = p;
    return STATUS_OK;
}

struct policy *policy_hold(struct policy *policy)
{
    if (policy)
        atomic_fetch_add(&policy->holders, 1);
    return policy;
}

/* The image stays: the process ends soon, and the next reading is of the same project. */
void policy_free(struct policy *policy)
{
    if (policy && atomic_fetch_sub(&policy->holders, 1) == 1)
        free(policy);
}
