/* hold.c - the holders of one policy, however it was opened. */
#include "policy/load.h"

struct policy *policy_hold(struct policy *policy)
{
    if (policy)
        atomic_fetch_add(&policy->holders, 1);
    return policy;
}

void policy_free(struct policy *policy)
{
    if (policy && atomic_fetch_sub(&policy->holders, 1) == 1)
        policy->release(policy);
}
