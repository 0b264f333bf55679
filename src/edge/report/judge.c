#include "report/judge.h"

#include <stdlib.h>

#define MEMORY_MAX ((size_t)1024 * 1024 * 1024)
#define KEPT_MAX   ((size_t)1 << 20) /* calls; later ones are judged each time */
#define ROOM_FIRST ((size_t)1024)

struct kept {
    struct str call;
    struct judged judged;
};

struct judge {
    struct arena arena; /* of what is kept */
    struct arena loose; /* of one call that is not kept */
    struct arena words; /* of the text of one call */
    warder_engine *engine;
    warder_decision *decision; /* used again and again */
    struct kept **table;       /* by the hash of the call; a power of two, at most half full */
    size_t room, count;
    struct judge_counts counts;
    struct str call;    /* that is being judged */
    struct arena *into; /* what is said about it */
    struct kept *kept;
};

warder_status judge_new(warder_engine *engine, struct judge **out, warder_error *err)
{
    struct judge *j = calloc(1, sizeof(*j));

    *out = NULL;
    if (!j || !(j->table = calloc(ROOM_FIRST, sizeof(struct kept *)))) {
        free(j);
        return give_no_memory(err);
    }
    j->room = ROOM_FIRST;
    j->engine = engine;
    arena_init(&j->arena, MEMORY_MAX);
    arena_init(&j->loose, MEMORY_MAX);
    arena_init(&j->words, MEMORY_MAX);
    *out = j;
    return WARDER_OK;
}

void judge_free(struct judge *j)
{
    if (!j)
        return;
    warder_decision_free(j->decision);
    arena_release(&j->arena);
    arena_release(&j->loose);
    arena_release(&j->words);
    free(j->table);
    free(j);
}

struct judge_counts judge_counts(const struct judge *j)
{
    return j->counts;
}

/* ---- the table ---- */

static struct kept **slot_of(struct kept **table, size_t room, struct str call)
{
    size_t at = str_hash(call) & (room - 1);

    while (table[at] && !str_eq(table[at]->call, call))
        at = (at + 1) & (room - 1);
    return &table[at];
}

/* Makes room for one more. False: it will not be kept. */
static bool has_room(struct judge *j)
{
    size_t room = j->room * 2;

    if (2 * (j->count + 1) <= j->room)
        return true;
    struct kept **table = j->count < KEPT_MAX ? calloc(room, sizeof(struct kept *)) : NULL;
    if (!table)
        return false;
    for (size_t i = 0; i < j->room; i++)
        if (j->table[i])
            *slot_of(table, room, j->table[i]->call) = j->table[i];
    free(j->table);
    j->table = table;
    j->room = room;
    return true;
}

/* ---- one call ---- */

static unsigned all_effects(const struct facts *f, unsigned *access)
{
    unsigned effects = 0;

    for (size_t i = 0; i < f->actions.count; i++) {
        const struct action *a = &f->actions.items[i];
        effects |= a->effects;
        for (size_t n = 0; n < a->subject.paths.count; n++)
            if (!a->subject.paths.items[n].uncertain)
                *access |= a->subject.paths.items[n].access;
    }
    return effects & ~(unsigned)EFFECT_INNER;
}

static struct str effects_of(struct arena *a, const struct facts *f)
{
    static const struct {
        unsigned access;
        const char *sentence;
    } rows[] = {{ACCESS_DELETE, "deletes files"}, {ACCESS_WRITE, "writes files"}};
    unsigned access = 0, effects = f ? all_effects(f, &access) : 0;
    struct buf b = buf_in(a);

    buf_add(&b, program_effects_text(a, effects));
    for (size_t i = 0; i < COUNT(rows); i++)
        if (access & rows[i].access)
            buf_format(&b, "%s%s", b.len ? ", " : "", rows[i].sentence);
    return buf_str(&b);
}

static void keep_verdict(void *arg)
{
    struct judge *j = arg;
    const struct verdict *v = &j->decision->verdict;
    const struct rule *rule = v->rule;
    struct arena *a = j->into;
    struct kept *k = ARENA_NEW(a, struct kept);

    k->call = str_copy(a, j->call);
    k->judged = (struct judged){
        .behavior = verdict_behavior(v),
        .layer = v->layer,
        .rule = rule ? str_copy(a, rule->text) : (struct str){0},
        .place = rule ? rule_place(a, rule) : (struct str){0},
        .effects = effects_of(a, v->facts),
        .reason = str_copy(a, v->reason),
        .policy = j->decision->book ? str_copy(a, j->decision->book->fingerprint) : (struct str){0},
        .by_session = v->facts && (decide_depends_on_age(v) || decide_depends_on_programs(v)),
    };
    j->kept = k;
}

static warder_status check(struct judge *j, struct str call, warder_error *err)
{
    if (j->decision)
        return warder_check_again(j->decision, call.s, call.len, err);
    return warder_check_json(j->engine, call.s, call.len, &j->decision, err);
}

static warder_status judge_new_call(struct judge *j, struct str call, warder_error *err)
{
    warder_status status = check(j, call, err);
    bool kept = has_room(j);

    if (status != WARDER_OK)
        return status;
    decision_word(j->decision);
    j->counts.judged++;
    j->call = call;
    j->into = kept ? &j->arena : &j->loose;
    arena_reset(&j->loose);
    if (!arena_try(j->into, keep_verdict, j))
        return give_no_memory(err);
    if (kept) {
        *slot_of(j->table, j->room, j->kept->call) = j->kept;
        j->count++;
    }
    return WARDER_OK;
}

warder_status judge_call(struct judge *j, struct str call, const struct judged **out,
                         warder_error *err)
{
    struct kept *known = *slot_of(j->table, j->room, call);
    warder_status status = known ? WARDER_OK : judge_new_call(j, call, err);

    if (status != WARDER_OK)
        return status;
    j->counts.known += known != NULL;
    *out = known ? &known->judged : &j->kept->judged;
    return WARDER_OK;
}

struct session_call {
    struct arena *arena;
    const struct recorded *recorded;
    struct str call;
};

static void write_session_call(void *arg)
{
    struct session_call *s = arg;

    s->call = recorded_in_session(s->arena, s->recorded);
}

warder_status judge_recorded(struct judge *j, const struct recorded *r, const struct judged **out,
                             warder_error *err)
{
    struct session_call s = {&j->words, r, {0}};
    warder_status status = judge_call(j, r->call, out, err);

    if (status != WARDER_OK || !(*out)->by_session || !r->session.len)
        return status;
    arena_reset(&j->words);
    if (!arena_try(&j->words, write_session_call, &s))
        return give_no_memory(err);
    return judge_call(j, s.call, out, err);
}
