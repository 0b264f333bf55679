/* grants.c - the rules that `warder allow` and `warder deny` wrote, and what was approved for the
 * rest of a session: listed, and taken back. */
#include "report/grants.h"

#include <time.h>

#include "ask/caller.h"
#include "report/promotion.h"
#include "rule/when.h"

#define MEMORY_MAX EDIT_MEMORY_MAX

/* By its id, in a file that such rules are written to. */
static bool is_grant(const struct rule *rule)
{
    struct str id = rule_about(rule)->id;

    return (str_starts(id, STR(PROMOTED_ALLOW)) || str_starts(id, STR(PROMOTED_DENY))) &&
           rule->file.len && !rule->kept &&
           (rule->source == SOURCE_USER || rule->source == SOURCE_LOCAL);
}

/* ---- the list ---- */

static bool has_ended(const struct rule *rule)
{
    const struct rule_when *when = rule_more(rule)->when;

    return when && when->until && when->until <= (int64_t)time(NULL);
}

static void list_one(struct report *r, const struct rule *rule)
{
    const struct rule_more *more = rule_more(rule);
    const struct str id = rule_about(rule)->id;
    bool ended = has_ended(rule);

    json_begin_object(&r->json);
    report_member(r, "id", id);
    report_member(r, "behavior", str_from(behavior_name(rule->effect)));
    report_member(r, "rule", rule->text);
    report_member(r, "terms", more->terms);
    report_member(r, "place", rule_place(r->arena, rule));
    json_key(&r->json, "ended");
    json_bool(&r->json, ended);
    json_end_object(&r->json);
    report_show(r, id);
    buf_format(&r->text, "  %-5s  ", ended ? "ended" : behavior_name(rule->effect));
    report_show(r, rule->text);
    if (more->terms.len) {
        buf_text(&r->text, "  ");
        report_show(r, more->terms);
    }
    buf_text(&r->text, "  (");
    report_show(r, rule_place(r->arena, rule));
    buf_text(&r->text, ")\n");
}

struct listing {
    struct held held;
    struct session_grants sessions;
};

static void list(struct report *r, const void *about)
{
    const struct listing *l = about;
    const struct rules *rules = &l->held.project->book->rules;

    json_begin_array(&r->json);
    for (size_t i = 0; i < rules->count; i++)
        if (is_grant(&rules->items[i]))
            list_one(r, &rules->items[i]);
    for (size_t i = 0; i < l->sessions.count; i++)
        session_grant_show(r, &l->sessions.items[i]);
    json_end_array(&r->json);
    if (!r->text.len)
        buf_text(&r->text,
                 "no rules of warder allow or warder deny, and no approvals of sessions here\n");
}

warder_status warder_grants(warder_engine *engine, warder_report **out, warder_error *err)
{
    struct error inner = {0};
    struct listing l = {0};
    struct arena arena;

    if (!engine || !out)
        return give_usage(err, "missing argument: engine or report");
    *out = NULL;
    warder_status status = policy_borrow(engine, &l.held, err);
    if (status != WARDER_OK)
        return status;
    arena_init(&arena, MEMORY_MAX);
    status = session_grants_find(&arena, engine, &l.sessions, &inner) == STATUS_OK
                 ? report_make(list, &l, out, err)
                 : error_out(err, &inner);
    arena_release(&arena);
    snapshot_drop(l.held.snapshot);
    return status;
}

/* ---- taking one back ---- */

struct revoking {
    struct arena arena;
    const warder_engine *engine;
    struct held held;
    struct str id;
    const struct rule *rule;
    const struct session_grant *approval; /* or that */
    struct policy_change change;
    struct error *err;
    enum status status;
};

/* The id, or what follows its first word. */
static bool is_called(const struct rule *rule, struct str id)
{
    struct str whole = rule_about(rule)->id;

    return str_eq(whole, id) || str_eq(str_from_byte(whole, str_last_index(whole, '-') + 1), id);
}

static void find_grant(struct revoking *v)
{
    const struct rules *rules = &v->held.project->book->rules;

    for (size_t i = 0; i < rules->count && !v->rule; i++)
        if (is_grant(&rules->items[i]) && is_called(&rules->items[i], v->id))
            v->rule = &rules->items[i];
}

static bool is_named(const struct session_grant *g, struct str id)
{
    return str_eq(g->name, id) || str_eq(decision_brief(g->id), id) || str_eq(g->id, id);
}

static enum status find_approval(struct revoking *v)
{
    struct session_grants all = {0};
    enum status status = session_grants_find(&v->arena, v->engine, &all, v->err);

    for (size_t i = 0; status == STATUS_OK && i < all.count && !v->approval; i++)
        if (is_named(&all.items[i], v->id))
            v->approval = &all.items[i];
    if (status == STATUS_OK && !v->approval)
        status =
            fail(v->err, STATUS_USAGE, "nothing of warder grants has the id \"%.60s\"", v->id.s);
    return status;
}

static void plan(void *arg)
{
    struct revoking *v = arg;
    struct policy_change *c = &v->change;

    find_grant(v);
    if (!v->rule)
        return;
    c->file = str_copy(&v->arena, v->rule->file);
    if (v->rule->source == SOURCE_LOCAL)
        c->project = str_copy(&v->arena, v->engine->project);
    v->status = policy_change_read(c, v->err);
}

/* The file may have changed since its rules were read: then the place is another rule's. */
static enum status take_out(struct revoking *v)
{
    struct policy_change *c = &v->change;
    enum status status =
        edit_remove(&v->arena, c->file, c->old, FORMAT_WARDER, DIALECT_WARDER,
                    (struct edit_place_of){v->rule->line, v->rule->column}, &c->new, v->err);

    if (status == STATUS_OK && str_contains(c->new, rule_about(v->rule)->id))
        status = fail(v->err, STATUS_IO, "%s has changed, or has that id twice: change it by hand",
                      c->file.s);
    return status == STATUS_OK ? policy_change_write(v->engine, c, v->err) : status;
}

static void say_gone(struct report *r, const void *about)
{
    const struct revoking *v = about;

    if (v->rule) {
        list_one(r, v->rule);
        buf_text(&r->text, "is no longer a rule\n");
    } else {
        session_grant_show(r, v->approval);
        buf_text(&r->text, "is asked about again\n");
    }
}

static enum status revoke_approval(struct revoking *v)
{
    enum status status = find_approval(v);

    return status == STATUS_OK ? session_grant_revoke(v->engine, v->approval, v->err) : status;
}

static warder_status revoke_grant(struct revoking *v, warder_report **out, warder_error *err)
{
    if (!arena_try(&v->arena, plan, v))
        return give_no_memory(err);
    if (v->status == STATUS_OK)
        v->status = v->rule ? take_out(v) : revoke_approval(v);
    return v->status == STATUS_OK ? report_make(say_gone, v, out, err) : error_out(err, v->err);
}

warder_status warder_grants_revoke(warder_engine *engine, const char *id, warder_report **out,
                                   warder_error *err)
{
    struct error inner = {0};
    struct revoking v = {.engine = engine, .id = str_from(id), .err = &inner};

    if (!engine || !id || !out)
        return give_usage(err, "missing argument: engine, id or report");
    *out = NULL;
    if (caller_is_person(&inner) != STATUS_OK)
        return error_out(err, &inner);
    warder_status status = policy_borrow(engine, &v.held, err);
    if (status != WARDER_OK)
        return status;
    arena_init(&v.arena, MEMORY_MAX);
    status = revoke_grant(&v, out, err);
    policy_change_release(&v.change);
    arena_release(&v.arena);
    snapshot_drop(v.held.snapshot);
    return status;
}
