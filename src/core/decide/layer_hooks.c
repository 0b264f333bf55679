/* layer_hooks.c - what hooks and callbacks answered, as each model interprets it. */
#include "decide/layer.h"

static const enum opinion opinion_of[] = {
    [BEHAVIOR_DENY] = SAY_DENY, [BEHAVIOR_ASK] = SAY_ASK, [BEHAVIOR_ALLOW] = SAY_ALLOW};

static const struct said *apply_answer(const struct facts *f, const struct answer *a)
{
    if (!a->given || (!a->decided && !a->stop))
        return NULL;
    enum opinion opinion = a->decided ? opinion_of[a->behavior] : SAY_DENY;
    return say_all(f, (struct said){.opinion = opinion,
                                    .action = WHOLE_CALL,
                                    .reason = a->reason,
                                    .interrupt = opinion == SAY_DENY && a->stop,
                                    .immune = opinion == SAY_ASK});
}

const struct said *layer_hooks(const struct facts *f)
{
    return apply_answer(f, &f->hook);
}

/* waterfall: allow and deny are final, everything else falls through. */
static const struct said *apply_final(const struct facts *f, const struct answer *a)
{
    const struct said *said = apply_answer(f, a);

    return said && said->opinion == SAY_ASK ? NULL : said;
}

const struct said *layer_hook_check(const struct facts *f)
{
    return apply_final(f, &f->hook);
}

const struct said *layer_callback(const struct facts *f)
{
    return apply_final(f, &f->callback);
}

/* mink: the PreToolUse hook comes before step 1 and overrides the decision. If it rewrote the
 * input, the new input is judged first, and the hook's answer counts only at LAYER_HOOKS; except a
 * deny, which no judgement of the new input may soften to an ask. */
const struct said *layer_hook_override(const struct facts *f)
{
    const struct said *said = apply_answer(f, &f->hook);

    return said && f->hook.rewritten && said->opinion != SAY_DENY ? NULL : said;
}
