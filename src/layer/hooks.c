/* hooks.c - what hooks and callbacks said, in each model's own reading. */
#include "layer/layer.h"

static const enum opinion opinion_of[] = {
    [BEHAVIOR_DENY] = SAY_DENY, [BEHAVIOR_ASK] = SAY_ASK, [BEHAVIOR_ALLOW] = SAY_ALLOW};

static struct said repeat(const struct answer *a)
{
    struct said said = {0};

    if (a->given && a->decided)
        said = say(opinion_of[a->behavior], a->reason);
    else if (a->given && a->stop)
        said = say(SAY_DENY, a->reason);
    said.interrupt = said.opinion == SAY_DENY && a->stop;
    said.immune = said.opinion == SAY_ASK;
    return said;
}

struct said layer_hooks(const struct facts *f)
{
    return repeat(&f->hook);
}

/* waterfall: allow and deny end the walk, everything else falls through. */
static struct said repeat_final(const struct answer *a)
{
    struct said said = repeat(a);

    return said.opinion == SAY_ASK ? (struct said){0} : said;
}

struct said layer_hook_check(const struct facts *f)
{
    return repeat_final(&f->hook);
}

struct said layer_callback(const struct facts *f)
{
    return repeat_final(&f->callback);
}

/* mink: the PreToolUse hook stands before step 1 and overrides the decision. If
 * it rewrote the input, the new input is judged first, and the hook's word
 * counts only where LAYER_HOOKS stands; unless it is a deny, which no judgement
 * of the new input may soften to an ask. */
struct said layer_hook_override(const struct facts *f)
{
    struct said said = repeat(&f->hook);

    return f->hook.rewritten && said.opinion != SAY_DENY ? (struct said){0} : said;
}
