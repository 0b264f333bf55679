/* answer.c - how a review ends: a person approves, denies or promotes, or its time is over.
 *
 * The call is judged again when it is approved: what the policy denies by then stays denied, even
 * if a person approves it. A change of the rules may end it, too. */
#include <stdio.h>
#include <stdlib.h>

#include "engine/resolve.h"
#include "record/redact.h"
#include "service/rules.h"
#include "service/service.h"

#define REPLY_MEMORY_MAX ((size_t)16 * 1024 * 1024)

enum answer_kind { ANSWER_APPROVE, ANSWER_DENY, ANSWER_PROMOTE };

struct answer_given {
    warder_service *service;
    const warder_caller *caller;
    struct waiting *review;
    struct arena arena;
    struct value body;
    enum answer_kind kind;
    struct str reason;
    struct promotion promotion;
    struct promoted promoted;
};

/* ---- staging ---- */

struct ending_row {
    struct staged *item;
    struct str by, message, rule;
    int64_t now;
};

static void fill_row(void *arg)
{
    struct ending_row *e = arg;
    struct arena *a = &e->item->arena;
    struct review *r = &e->item->row;
    char at[STAMP_SIZE];

    stamp_print(e->now, at);
    r->responded_at = str_copy(a, str_from(at));
    r->responded_by = str_copy(a, e->by);
    r->message = redact_text(a, str_copy(a, e->message));
    r->rule = str_copy(a, e->rule);
}

/* Takes the decision. A review whose call is not in memory ends with what the database kept of it,
 * or with its id alone if the database cannot be read. */
static struct staged *stage_end(warder_service *s, struct waiting *w, warder_decision *d,
                                enum review_status status, struct ending_row e)
{
    struct staged *item = service_stage(s, STAGED_END);
    struct error ignored;
    char id[DECISION_ID_SIZE] = "";
    bool found;

    if (!item) {
        warder_decision_free(d);
        return NULL;
    }
    item->decision = d;
    item->review = w;
    e.item = item;
    e.now = s->wall();
    if (!d &&
        (store_review(s, &item->arena, w->id, &item->row, &found, &ignored) != STATUS_OK || !found))
        item->row = (struct review){0};
    item->row.id = str_from(w->id);
    item->row.status = status;
    if (!d && decision_id_make(id))
        snprintf(w->decision_id, sizeof(w->decision_id), "%s", id);
    item->row.decision_id = str_from(w->decision_id);
    (void)arena_try(&item->arena, fill_row, &e);
    item->ending = service_ending(s, w);
    w->state = WAITING_ENDING;
    return item;
}

static struct staged *stage_answer(struct answer_given *g, warder_decision *d,
                                   enum review_status status)
{
    warder_service *s = g->service;
    char by[sizeof(((struct staged *)NULL)->by)];

    snprintf(by, sizeof(by), "%s%s%s%s", g->caller->name, g->caller->name[0] ? " (" : "",
             g->caller->id, g->caller->name[0] ? ")" : "");
    struct staged *item = stage_end(
        s, g->review, d, status,
        (struct ending_row){.by = str_from(by), .message = g->reason, .rule = g->promoted.ids});
    if (!item)
        return NULL;
    snprintf(item->by, sizeof(item->by), "%s", by);
    item->about = g->promotion.change;
    item->ending.how = ENDED_BY_PERSON;
    item->ending.answered_by = item->by;
    item->ending.responded_at = s->wall();
    item->ending.answer_reason = item->row.message;
    free(g->review->message);
    g->review->message =
        item->row.message.len ? strndup(item->row.message.s, item->row.message.len) : NULL;
    return item;
}

/* ---- answers ---- */

static warder_outcome deny(struct answer_given *g, struct staged **out, warder_error *err)
{
    const struct waiting *w = g->review;
    warder_decision *d = NULL;
    char client[SERVICE_CLIENT_MAX];

    if (w->call &&
        engine_open_call(g->service->engine, (struct str){w->call, w->call_len}, MODE_AT_MOST_OWN,
                         binding_of(g->service->bindings, w->token_id), &d, err) != WARDER_OK)
        return WARDER_FAILED;
    service_client_of(w->token_id, client);
    if (d)
        decision_answer(d, client, BEHAVIOR_DENY, str_try_copy(&d->arena, g->reason));
    *out = stage_answer(g, d, REVIEW_DENIED);
    return *out ? WARDER_DONE : outcome_say(err, WARDER_FAILED, "out of memory");
}

/* The policy has changed since the question was asked, and denies the call now. */
static warder_outcome denied_by_now(struct answer_given *g, warder_decision *d, warder_error *err)
{
    char why[160];

    snprintf(why, sizeof(why), "%.150s", warder_decision_reason(d));
    struct staged *item = stage_answer(g, d, REVIEW_DENIED);
    if (!item)
        return outcome_say(err, WARDER_FAILED, "out of memory");
    item->ending.how = ENDED_BY_POLICY;
    return outcome_say(err, WARDER_CONFLICT, "the policy denies it now: %s", why);
}

/* The reviewer answered about a file as it was then. */
static warder_outcome changed_by_now(struct answer_given *g, warder_decision *d, struct str changed,
                                     warder_error *err)
{
    char why[sizeof(d->why)];

    snprintf(why, sizeof(why), "%.*s changed after the question was asked: ask again",
             (int)(changed.len < 200 ? changed.len : 200), changed.s);
    decision_refuse(d, "review", why);
    struct staged *item = stage_answer(g, d, REVIEW_DENIED);
    if (!item)
        return outcome_say(err, WARDER_FAILED, "out of memory");
    item->ending.how = ENDED_BY_POLICY;
    return outcome_say(err, WARDER_CONFLICT, "%s", why);
}

static warder_outcome approve(struct answer_given *g, struct staged **out, warder_error *err)
{
    const struct waiting *w = g->review;
    warder_decision *d = NULL;
    struct decision_ending ending;
    struct error inner = {0};
    struct str changed;
    char client[SERVICE_CLIENT_MAX];

    if (!w->call)
        return outcome_say(err, WARDER_CONFLICT,
                           "its full command is not known: it can be approved once its "
                           "worker asks again");
    if (service_judge(g->service, w->token_id, (struct str){w->call, w->call_len}, MODE_AT_MOST_OWN,
                      &d, &ending, &inner) != STATUS_OK)
        return outcome_failed(err, &inner);
    if (warder_decision_behavior(d) == WARDER_DENY)
        return denied_by_now(g, d, err);
    if (service_still_bound(g->service, d, w, &changed, &inner) != STATUS_OK) {
        warder_decision_free(d);
        return outcome_failed(err, &inner);
    }
    if (changed.len)
        return changed_by_now(g, d, changed, err);
    if (g->kind == ANSWER_PROMOTE) {
        g->promotion.decision = d;
        warder_outcome outcome =
            rules_promote(g->service, g->caller, &g->promotion, &g->arena, &g->promoted, err);
        if (outcome != WARDER_DONE) {
            warder_decision_free(d);
            return outcome;
        }
    }
    service_client_of(w->token_id, client);
    decision_answer(d, client, BEHAVIOR_ALLOW, str_try_copy(&d->arena, g->reason));
    if (warder_decision_behavior(d) != WARDER_ALLOW)
        return denied_by_now(g, d, err);
    *out = stage_answer(g, d, REVIEW_APPROVED);
    return *out ? WARDER_DONE : outcome_say(err, WARDER_FAILED, "out of memory");
}

/* ---- reading ---- */

static const char *const answer_names[] = {
    [ANSWER_APPROVE] = "approve", [ANSWER_DENY] = "deny", [ANSWER_PROMOTE] = "promote"};

static bool find_answer(struct str name, enum answer_kind *out)
{
    for (size_t i = 0; i < COUNT(answer_names); i++)
        if (str_is(name, answer_names[i])) {
            *out = (enum answer_kind)i;
            return true;
        }
    return false;
}

static warder_outcome read_answer(struct answer_given *g, struct str json, warder_error *err)
{
    static const char *const keys[] = {"answer", "rule", "reason", "cooldown"};
    const struct value *cooldown;
    warder_outcome outcome = service_body(&g->arena, json, keys, COUNT(keys), &g->body, err);

    if (outcome != WARDER_DONE)
        return outcome;
    if (!find_answer(value_text(&g->body, "answer"), &g->kind))
        return outcome_say(err, WARDER_INVALID, "\"answer\" must be approve, deny or promote");
    g->reason = value_text(&g->body, "reason");
    g->promotion.rule = value_get(&g->body, "rule");
    g->promotion.cooldown_s = g->service->options.cooldown_s;
    cooldown = value_get(&g->body, "cooldown");
    if (cooldown && cooldown->kind != VALUE_NULL &&
        (!value_integer(cooldown, &g->promotion.cooldown_s) || g->promotion.cooldown_s < 0 ||
         g->promotion.cooldown_s > SERVICE_COOLDOWN_MAX))
        return outcome_say(err, WARDER_INVALID, "\"cooldown\" must be 0 to %d seconds",
                           SERVICE_COOLDOWN_MAX);
    if (g->kind != ANSWER_PROMOTE && (g->promotion.rule || cooldown))
        return outcome_say(err, WARDER_INVALID,
                           "\"rule\" and \"cooldown\" are only allowed with \"promote\"");
    return WARDER_DONE;
}

/* A review that is not in memory has ended or never existed. */
static warder_outcome not_open(struct answer_given *g, const char *id, warder_error *err)
{
    struct review row;
    struct error inner = {0};
    bool found;

    if (g->review && g->review->state != WAITING_STAGED)
        return outcome_say(err, WARDER_CONFLICT, "review %.40s was already answered", id);
    if (store_review(g->service, &g->arena, id, &row, &found, &inner) != STATUS_OK)
        return outcome_failed(err, &inner);
    if (!found)
        return outcome_say(err, WARDER_NOT_FOUND, "no review has the ID \"%.40s\"", id);
    return outcome_say(err, WARDER_CONFLICT, "review %.40s is already %s", id,
                       review_status_name(row.status));
}

static warder_outcome answer(struct answer_given *g, const char *id, struct str json,
                             warder_report **out, warder_error *err)
{
    struct staged *item = NULL;
    warder_outcome outcome = read_answer(g, json, err);

    if (outcome != WARDER_DONE)
        return outcome;
    g->review = waiting_find(g->service, id);
    if (!g->review || g->review->state != WAITING_OPEN)
        return not_open(g, id, err);
    if (g->review->deadline <= g->service->mono())
        return outcome_say(err, WARDER_CONFLICT, "review %.40s has expired", id);
    outcome = g->kind == ANSWER_DENY ? deny(g, &item, err) : approve(g, &item, err);
    if (outcome != WARDER_DONE)
        return outcome;
    /* The answer counts even if the report cannot be written. */
    if (service_show_review(g->service, g->caller, id, &item->row, &g->promoted, out, err) !=
        WARDER_DONE)
        outcome = service_empty_report(out, err);
    return outcome;
}

warder_outcome warder_service_answer(warder_service *s, const warder_caller *caller, const char *id,
                                     const char *json, size_t len, warder_report **out,
                                     warder_error *err)
{
    struct answer_given g = {.service = s, .caller = caller};

    if (!s || !id || !json || !out)
        return outcome_say(err, WARDER_FAILED,
                           "missing argument: service, review, answer or report");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR))
        return outcome_forbidden(err, "operators");
    arena_init(&g.arena, REPLY_MEMORY_MAX);
    warder_outcome outcome = answer(&g, id, (struct str){json, len}, out, err);
    arena_release(&g.arena);
    return outcome;
}

/* ---- rules ---- */

/* What they say of it now; no trace is left of having asked. */
static enum behavior behavior_now(warder_service *s, const struct waiting *w)
{
    enum behavior said = BEHAVIOR_ASK;
    warder_decision *d = NULL;

    if (!w->call ||
        engine_open_call(s->engine, (struct str){w->call, w->call_len}, MODE_AT_MOST_OWN,
                         binding_of(s->bindings, w->token_id), &d, NULL) != WARDER_OK)
        return BEHAVIOR_ASK;
    if (d->book && !d->forbidden.len && decision_try(d, decision_judge, d))
        said = d->verdict.behavior;
    warder_decision_free(d);
    return said;
}

static bool is_settled(const struct waiting *w, enum behavior said)
{
    const warder_case *c = w->cases;

    while (c && c->gone)
        c = c->next;
    return said == BEHAVIOR_DENY || (said == BEHAVIOR_ALLOW && c);
}

enum status service_settle(warder_service *s, struct waiting *w, struct error *err)
{
    warder_decision *d = NULL;
    struct decision_ending ending;

    if (!is_settled(w, behavior_now(s, w)))
        return STATUS_OK;
    enum status status = service_judge(s, w->token_id, (struct str){w->call, w->call_len},
                                       MODE_AT_MOST_OWN, &d, &ending, err);
    if (status != STATUS_OK)
        return status;
    const enum behavior said = verdict_behavior(&d->verdict);
    if (!is_settled(w, said)) {
        warder_decision_free(d);
        return STATUS_OK;
    }
    struct staged *item =
        stage_end(s, w, d, said == BEHAVIOR_DENY ? REVIEW_DENIED : REVIEW_APPROVED,
                  (struct ending_row){.by = STR("the rules"), .rule = decision_rule_id(d)});
    if (!item)
        return fail(err, STATUS_NOMEM, "out of memory");
    item->by_rules = true;
    item->ending.how = ENDED_BY_POLICY;
    return STATUS_OK;
}

/* ---- time ---- */

enum status service_expire(warder_service *s, struct waiting *w, struct error *err)
{
    warder_decision *d = NULL;
    warder_error outer = {0};

    if (w->call && engine_open_call(s->engine, (struct str){w->call, w->call_len}, MODE_AT_MOST_OWN,
                                    binding_of(s->bindings, w->token_id), &d, &outer) != WARDER_OK)
        return fail(err, STATUS_NOMEM, "%s", outer.message);
    if (d)
        decision_refuse(d, "review", "no answer in time");
    struct staged *item = stage_end(s, w, d, REVIEW_EXPIRED, (struct ending_row){0});
    if (!item)
        return fail(err, STATUS_NOMEM, "out of memory");
    item->ending.how = ENDED_BY_TIME;
    return STATUS_OK;
}
