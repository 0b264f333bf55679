#include "report/compare.h"

#include <sys/stat.h>

#define MEMORY_MAX      ((size_t)512 * 1024 * 1024)
#define LINE_MAX_MEMORY ((size_t)256 * 1024 * 1024)

warder_status warder_comparison_new(warder_engine *before, warder_engine *after, int recorded,
                                    warder_comparison **out, warder_error *err)
{
    warder_engine *const engines[2] = {before, after};

    if (!out || !before || !after)
        return give_usage(err, "missing argument: engine or comparison");
    *out = NULL;
    warder_comparison *c = calloc(1, sizeof(*c));
    if (!c)
        return give_no_memory(err);
    c->before = before;
    c->after = after;
    c->recorded = recorded != 0;
    arena_init(&c->arena, MEMORY_MAX);
    arena_init(&c->line, LINE_MAX_MEMORY);
    for (size_t i = 0; i < COUNT(engines); i++) {
        warder_status status = judge_new(engines[i], &c->judges[i], err);
        if (status != WARDER_OK) {
            warder_comparison_free(c);
            return status;
        }
    }
    *out = c;
    return WARDER_OK;
}

void warder_comparison_free(warder_comparison *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < COUNT(c->judges); i++) {
        judge_free(c->judges[i]);
        snapshot_drop(c->held[i].snapshot);
    }
    arena_release(&c->arena);
    arena_release(&c->line);
    free(c);
}

warder_widening warder_comparison_widening(const warder_comparison *c)
{
    if (!c || c->wider)
        return WARDER_WIDER;
    for (size_t i = 0; i < COMPARE_CLASSES; i++)
        if (c->classes[i])
            return WARDER_NOT_WIDER;
    return c->settings.count ? WARDER_NOT_WIDER : WARDER_SAME;
}

/* ---- groups ---- */

static bool is_group(const struct compare_group *g, const struct compare_group *wanted)
{
    return g->class == wanted->class && g->before == wanted->before && g->after == wanted->after &&
           g->rule_is_old == wanted->rule_is_old && str_eq(g->rule, wanted->rule) &&
           str_eq(g->place, wanted->place) && str_eq(g->effects, wanted->effects);
}

static struct compare_group *group_of(struct warder_comparison *c,
                                      const struct compare_group *wanted)
{
    size_t bucket = (str_hash(wanted->rule) ^ str_hash(wanted->effects)) % COMPARE_BUCKETS;
    struct compare_group *g = c->buckets[bucket];
    struct arena *a = &c->arena;

    while (g && !is_group(g, wanted))
        g = g->next;
    if (g)
        return g;
    g = ARENA_NEW(a, struct compare_group);
    *g = *wanted;
    g->rule = str_copy(a, wanted->rule);
    g->place = str_copy(a, wanted->place);
    g->effects = str_copy(a, wanted->effects);
    g->next = c->buckets[bucket];
    c->buckets[bucket] = g;
    LIST_PUSH(a, &c->groups, g);
    return g;
}

static bool is_shown(const struct compare_group *g, const struct compare_call *call)
{
    for (size_t i = 0; i < g->shown; i++)
        if (str_eq(g->examples[i].argument, call->argument) &&
            str_eq(g->examples[i].tool, call->tool))
            return true;
    return false;
}

static void add_to(struct warder_comparison *c, struct compare_group *g,
                   const struct compare_call *call)
{
    struct arena *a = &c->arena;

    c->classes[g->class]++;
    g->calls++;
    g->records += call->near == NULL;
    if (g->shown == COMPARE_EXAMPLES || is_shown(g, call))
        return;
    g->examples[g->shown++] = (struct compare_example){
        .tool = str_copy(a, call->tool),
        .argument = str_copy(a, call->argument),
        .cwd = str_copy(a, call->cwd),
        .id = str_copy(a, call->id),
        .near = call->near,
    };
}

void compare_cannot(struct warder_comparison *c, const struct compare_call *call, const char *why)
{
    const struct compare_group g = {.class = CANNOT_SAY, .effects = str_from(why)};

    add_to(c, group_of(c, &g), call);
}

/* The rule that makes the difference: the one that decides now, or else the one that did. */
static void name_rule(struct compare_group *g, const struct compare_call *call)
{
    const struct judged *by = call->after;

    g->rule_is_old = !by->rule.len && call->before && call->before->rule.len;
    if (g->rule_is_old)
        by = call->before;
    g->rule = by->rule;
    g->place = by->place;
    g->layer = by->layer;
}

bool compare_count(struct warder_comparison *c, const struct compare_call *call)
{
    static const enum compare_class classes[] = {[BEHAVIOR_ALLOW] = NEWLY_ALLOWED,
                                                 [BEHAVIOR_ASK] = NEWLY_ASKED,
                                                 [BEHAVIOR_DENY] = NEWLY_DENIED};
    enum behavior after = call->after->behavior;
    struct compare_group g = {.class = classes[after],
                              .before = call->before_behavior,
                              .after = after,
                              .effects = call->after->effects};

    if (after == call->before_behavior) {
        c->same[after]++;
        return false;
    }
    name_rule(&g, call);
    c->wider += after > call->before_behavior; /* deny is the smallest, allow the greatest */
    add_to(c, group_of(c, &g), call);
    return true;
}

/* ---- records ---- */

/* The paths of a call mean something else where its directory is not. */
static bool is_gone(struct warder_comparison *c, struct str cwd)
{
    struct stat st;

    if (!str_eq(cwd, c->gone)) {
        c->gone = str_copy(&c->arena, cwd);
        c->is_gone = cwd.len && (stat(c->gone.s, &st) < 0 || !S_ISDIR(st.st_mode));
    }
    return c->is_gone;
}

/* An answer of something else than rules cannot be had again. */
static bool was_by_others(const struct recorded *r)
{
    static const char *const others[] = {"grants", "hooks",   "hook",  "tool-hook", "callback",
                                         "record", "service", "fault", "limit",     "classifier"};

    return r->was != BEHAVIOR_ASK && STR_IN(r->layer, others);
}

/* Is the difference one of the policies? If the rules that decided then are those of today, they
 * must say today what they said then. */
static const char *find_drift(struct warder_comparison *c, const struct recorded *r,
                              warder_status *status, warder_error *err)
{
    const struct judged *today;

    if (was_by_others(r))
        return "something else than rules decided it";
    *status = judge_recorded(c->judges[0], r, &today, err);
    if (*status != WARDER_OK || !r->policy.len || !str_eq(today->policy, r->policy))
        return NULL;
    return today->behavior != r->was
               ? "the same policy judges it differently today: files or its session have changed"
               : NULL;
}

static const char *cannot(struct warder_comparison *c, const struct recorded *r)
{
    if (r->lacks)
        return r->lacks;
    if (is_gone(c, r->cwd) || (r->project.len && r->project.s[0] == '/' && is_gone(c, r->project)))
        return "its directory is gone";
    return NULL;
}

struct record_line {
    warder_comparison *c;
    struct str line;
    warder_status status;
    warder_error *err;
};

static void compare_record(struct record_line *l, const struct recorded *r)
{
    struct warder_comparison *c = l->c;
    struct compare_call call = {r->tool, r->shown, r->cwd, r->id, NULL, r->was, NULL, NULL};
    const char *why = cannot(c, r);

    if (!why && (l->status = judge_recorded(c->judges[1], r, &call.after, l->err)) != WARDER_OK)
        return;
    if (!why && !(c->recorded && r->decided)) {
        l->status = judge_recorded(c->judges[0], r, &call.before, l->err);
        if (l->status != WARDER_OK)
            return;
        call.before_behavior = call.before->behavior;
    } else if (!why && call.after->behavior != r->was) {
        why = find_drift(c, r, &l->status, l->err);
        if (l->status != WARDER_OK)
            return;
    }
    if (why)
        compare_cannot(c, &call, why);
    else
        (void)compare_count(c, &call);
}

static void take_line(void *arg)
{
    struct record_line *l = arg;
    struct recorded r;

    if (!recorded_read(&l->c->line, l->line, &r)) {
        l->c->others++;
        return;
    }
    l->c->records++;
    compare_record(l, &r);
}

static void take_inside(void *arg)
{
    struct record_line *l = arg;

    if (!arena_try(&l->c->line, take_line, l))
        l->status = give_no_memory(l->err);
}

warder_status warder_comparison_record(warder_comparison *c, const char *json, size_t len,
                                       warder_error *err)
{
    struct record_line l = {c, {json, len}, WARDER_OK, err};

    if (!c || !json)
        return give_usage(err, "missing argument: comparison or record");
    arena_reset(&c->line);
    if (!arena_try(&c->arena, take_inside, &l))
        return give_no_memory(err);
    return l.status;
}
