#include "rule/learn.h"

static bool is_heard(const struct lesson *l, const struct lesson_call *call)
{
    return !l->heard || l->heard[call->session];
}

bool lesson_covers(const struct lesson *l, const struct lesson_call *call)
{
    for (size_t i = 0; i < call->needs.count; i++)
        if (!l->rules[call->needs.items[i].rule].chosen)
            return false;
    return true;
}

static void veto(struct lesson *l)
{
    for (size_t i = 0; i < l->rule_count; i++)
        l->rules[i].vetoed = false;
    for (size_t i = 0; i < l->call_count; i++)
        for (size_t n = 0; is_heard(l, &l->calls[i]) && n < l->calls[i].vetoes.count; n++)
            l->rules[l->calls[i].vetoes.items[n].rule].vetoed = true;
    for (size_t i = 0; i < l->rule_count; i++)
        l->rules[i].chosen = !l->rules[i].vetoed;
}

struct marks LIST_OF(size_t);

/* What speaks for one rule. */
struct tally {
    struct marks sessions, variants;
};

static void mark_once(struct arena *a, struct marks *marks, size_t number)
{
    for (size_t i = 0; i < marks->count; i++)
        if (marks->items[i] == number)
            return;
    LIST_PUSH(a, marks, number);
}

static void count_call(struct lesson *l, const struct lesson_call *call, struct tally *tallies)
{
    for (size_t i = 0; i < call->needs.count; i++) {
        const struct lesson_need *need = &call->needs.items[i];
        mark_once(l->arena, &tallies[need->rule].sessions, call->session);
        mark_once(l->arena, &tallies[need->rule].variants, need->variant);
        l->rules[need->rule].calls++;
    }
}

static void count(struct lesson *l)
{
    struct tally *tallies = ARENA_ARRAY(l->arena, struct tally, l->rule_count + 1);

    for (size_t i = 0; i < l->rule_count; i++)
        l->rules[i].calls = 0;
    for (size_t i = 0; i < l->call_count; i++)
        if (l->calls[i].counts && is_heard(l, &l->calls[i]) && lesson_covers(l, &l->calls[i]))
            count_call(l, &l->calls[i], tallies);
    for (size_t i = 0; i < l->rule_count; i++) {
        l->rules[i].sessions = tallies[i].sessions.count;
        l->rules[i].seen = tallies[i].variants.count;
    }
}

/* True if that took a rule away, and with it what spoke for others. */
static bool drop_weak(struct lesson *l)
{
    bool dropped = false;

    for (size_t i = 0; i < l->rule_count; i++) {
        struct lesson_rule *r = &l->rules[i];
        if (!r->chosen || (r->sessions >= l->sessions_least && r->seen >= r->variants))
            continue;
        r->chosen = false;
        dropped = true;
    }
    return dropped;
}

void lesson_choose(struct lesson *l)
{
    veto(l);
    do
        count(l);
    while (drop_weak(l));
}
