/* policy.c - the policy of a running service: reloads, updates, and its health. */
#include <limits.h>
#include <stdio.h>

#include "policy/trust.h"
#include "record/redact.h"
#include "service/rules.h"
#include "service/service.h"

#define UPDATE_MEMORY_MAX ((size_t)16 * 1024 * 1024)

/* ---- what is wrong with it ---- */

void service_look_at_policy(warder_service *s)
{
    struct held held;

    s->policy_error = (struct error){0};
    s->policy_broken = false;
    s->policy_read = s->mono();
    if (policy_borrow(s->engine, &held, NULL) != WARDER_OK)
        return;
    const struct problem *p = rulebook_broken(held.project->book);
    s->policy_broken = p != NULL;
    if (held.project->stale.status)
        s->policy_error = held.project->stale;
    else if (p)
        fail_at(&s->policy_error, STATUS_SYNTAX, p->line, p->column, "%.100s:%u: %.110s", p->file.s,
                p->line, p->message.s);
    snprintf(s->profile, sizeof(s->profile), "%s", held.snapshot->profile->name);
    snapshot_drop(held.snapshot);
}

static void write_policy(struct json_writer *w, const void *about)
{
    const warder_service *s = about;
    const struct error *e = &s->policy_error;

    json_begin_object(w);
    json_key(w, "generation");
    json_int(w, (int64_t)warder_engine_generation(s->engine));
    json_key(w, "ok");
    json_bool(w, e->status == STATUS_OK);
    json_key(w, "problem");
    if (e->status)
        json_text(w, redact_text(w->out->arena, str_from(e->message)));
    else
        json_null(w);
    json_end_object(w);
}

void service_announce_policy(warder_service *s)
{
    struct arena arena;
    struct str text;

    arena_init(&arena, UPDATE_MEMORY_MAX);
    if (json_try(&arena, write_policy, s, &text))
        events_add(s, "policy", "policy", text);
    arena_release(&arena);
}

/* ---- reading it again ---- */

warder_status service_reload(warder_service *s, warder_error *err)
{
    struct error inner = {0};
    warder_error outer = {0};

    s->engine->request.now = s->wall() / 1000;
    trusted_reload(s->trusted);
    warder_status status = warder_engine_reload(s->engine, &outer);
    service_look_at_policy(s);
    if (status != WARDER_OK && !s->policy_error.status) {
        fail(&inner, (enum status)outer.status, "%s", outer.message);
        s->policy_error = inner;
    }
    rules_note_times(s);
    service_announce_policy(s);
    if (status != WARDER_OK && err)
        *err = outer;
    return status;
}

warder_status warder_service_reload(warder_service *s, warder_error *err)
{
    return s ? service_reload(s, err) : give_usage(err, "missing argument: service");
}

static void visit_in(const char *directory, const char *name,
                     void (*visit)(void *context, const char *path), void *context)
{
    char path[PATH_MAX];

    if (directory && snprintf(path, sizeof(path), "%s/%s", directory, name) < (int)sizeof(path))
        visit(context, path);
}

void warder_service_files(warder_service *s, void (*visit)(void *context, const char *path),
                          void *context)
{
    if (!s || !visit)
        return;
    struct snapshot *now = snapshot_slot_take(&s->engine->slot);
    for (size_t i = 0; i < SNAPSHOT_BUCKETS; i++)
        for (const struct project_policy *p = atomic_load(&now->projects[i]); p; p = p->next)
            for (size_t k = 0; k < p->policy->book.files.count; k++)
                visit(context, p->policy->book.files.items[k].path.s);
    snapshot_drop(now);
    trusted_files(s->trusted, visit, context);
    visit_in(s->engine->request.state_dir.s, TRUST_NAME, visit, context);
    visit_in(s->data, WARDER_TOKENS_CHANGED, visit, context);
}

/* ---- updates ---- */

struct update_request {
    const warder_caller *caller;
    struct str json;
};

static void write_update(struct json_writer *w, const void *about)
{
    const struct update_request *u = about;
    struct arena *a = w->out->arena;
    struct value v;

    json_begin_object(w);
    json_text_member(w, "kind", STR("update"));
    json_text_member(w, "by", str_format(a, "%s (%s)", u->caller->name, u->caller->id));
    json_key(w, "update");
    if (json_read(a, u->json, NULL, &v, NULL) == STATUS_OK)
        redact_json(w, &v, "rules ruleContent", STORED_TEXT_MAX, NULL);
    else
        json_null(w);
    json_end_object(w);
}

/* Recorded first: what is not recorded does not happen. An update that turns out to be invalid
 * stays in the record as an attempt. */
static warder_outcome update(warder_service *s, const struct update_request *u, warder_report **out,
                             warder_error *err)
{
    const struct enactment e = {
        .kind = ENACT_UPDATE, .text = u->json, .event = STR(""), .undone = STR("")};
    struct error inner = {0};
    struct arena arena;
    struct str text;
    enum status status;

    arena_init(&arena, UPDATE_MEMORY_MAX);
    if (json_try(&arena, write_update, u, &text)) {
        const struct str body = str_slice(text, 1, text.len - 1);
        status = service_enact(s, &e, &body, 1, &inner);
    } else {
        status = fail(&inner, STATUS_NOMEM, "out of memory");
    }
    arena_release(&arena);
    return status == STATUS_OK ? service_empty_report(out, err) : outcome_failed(err, &inner);
}

warder_outcome warder_service_update(warder_service *s, const warder_caller *caller,
                                     const char *json, size_t len, warder_report **out,
                                     warder_error *err)
{
    const struct update_request u = {caller, {json, len}};

    if (!s || !out || !json)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, update or report");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR))
        return outcome_forbidden(err, "operators");
    if (len > SERVICE_BODY_MAX)
        return outcome_say(err, WARDER_INVALID, "more than %zu bytes", SERVICE_BODY_MAX);
    return update(s, &u, out, err);
}

/* ---- health ---- */

static void problem(struct report *r, const char *name, const char *what)
{
    json_begin_object(&r->json);
    report_member(r, "name", str_from(name));
    report_member(r, "message", redact_text(r->arena, str_from(what)));
    json_end_object(&r->json);
    buf_format(&r->text, "%s: %s\n", name, what);
    r->errors++;
}

/* Calls wait for a disk that does not take their records. */
static bool is_stuck(const warder_service *s)
{
    return s->writing && service_micros() - s->batch.began > SERVICE_STUCK_US;
}

/* Not healthy: calls are denied, or not answered, that should be. */
static bool is_failing(const warder_service *s)
{
    return s->journal_error.status || s->policy_broken || is_stuck(s);
}

static bool is_degraded(const warder_service *s)
{
    return s->policy_error.status || s->db_error.status || s->db_behind ||
           trusted_problem(s->trusted) || s->pending >= SERVICE_PENDING_MAX;
}

static void write_health(struct report *r, const void *about)
{
    const warder_service *s = about;
    const struct error *token = trusted_problem(s->trusted);

    json_begin_object(&r->json);
    report_member(r, "status",
                  str_from(is_failing(s)    ? "failing"
                           : is_degraded(s) ? "degraded"
                                            : "ok"));
    report_number(r, "generation", (int64_t)warder_engine_generation(s->engine));
    report_member(r, "profile", str_from(s->profile));
    report_number(r, "pending", (int64_t)s->pending);
    json_key(&r->json, "problems");
    json_begin_array(&r->json);
    if (s->journal_error.status)
        problem(r, "record", s->journal_error.message);
    else if (is_stuck(s))
        problem(r, "record", "the disk has taken no record for more than 5 seconds");
    if (s->policy_error.status)
        problem(r, "policy", s->policy_error.message);
    if (s->db_error.status)
        problem(r, "database", s->db_error.message);
    else if (s->db_behind)
        problem(r, "database", "it does not have the outcome of some reviews yet");
    if (token)
        problem(r, "token", token->message);
    if (s->pending >= SERVICE_PENDING_MAX)
        problem(r, "reviews", "too many are pending: further calls that need a person are denied");
    json_end_array(&r->json);
    json_key(&r->json, "notices");
    json_begin_array(&r->json);
    if (s->db_notice)
        json_text(&r->json, str_from(s->db_notice));
    json_end_array(&r->json);
    json_end_object(&r->json);
}

warder_outcome warder_service_health(warder_service *s, warder_report **out, warder_error *err)
{
    if (!s)
        return outcome_say(err, WARDER_FAILED, "missing argument: service");
    return report_make_line(write_health, s, out, err) == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
}
