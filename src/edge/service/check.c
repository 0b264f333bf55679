/* check.c - one call: judged at once and staged for the next commit, as a verdict or as a question.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ask/bound.h"
#include "base/json.h"
#include "engine/resolve.h"
#include "machine/world.h"
#include "service/service.h"

struct decision_ending service_ending(const warder_service *s, const struct waiting *w)
{
    return (struct decision_ending){
        .client = SERVICE_CLIENT,
        .review_id = w->id,
        .requested_at = w->requested_at,
        .response_ms = s->wall() > w->requested_at ? s->wall() - w->requested_at : 0,
    };
}

/* ---- judging ---- */

void service_client_of(const char *token_id, char out[SERVICE_CLIENT_MAX])
{
    static const struct str front = STR(SERVICE_CLIENT " ");
    size_t len = strnlen(token_id, SERVICE_CLIENT_MAX - 1 - front.len);

    memcpy(out, front.s, front.len);
    memcpy(out + front.len, token_id, len);
    out[front.len + len] = '\0';
}

/* The policy of each project that a call names stays in memory. If a policy file is broken, none is
 * dropped: they are the last good ones. */
static void forget_projects(warder_service *s)
{
    struct error ignored;

    if (engine_projects(s->engine) >= SERVICE_PROJECTS_MAX && !s->policy_error.status)
        (void)engine_forget_projects(s->engine, &ignored);
}

/* What is denied whatever the policy says: a claim that the token does not allow, and a session
 * that nobody could find in the list of sessions, nor take grants from. */
static bool is_refused(warder_decision *d)
{
    char why[sizeof(d->why)];

    if (d->forbidden.len)
        snprintf(why, sizeof(why), "%.*s", (int)(d->forbidden.len < 250 ? d->forbidden.len : 250),
                 d->forbidden.s);
    else if (d->call.session.len > SERVICE_NAME_MAX)
        snprintf(why, sizeof(why), "the name of its session has more than %u bytes",
                 SERVICE_NAME_MAX);
    else
        return false;
    decision_refuse(d, d->forbidden.len ? "token" : "session", why);
    return true;
}

enum status service_judge(warder_service *s, const char *token_id, struct str call,
                          enum said_mode said, warder_decision **out,
                          struct decision_ending *ending, struct error *err)
{
    char client[SERVICE_CLIENT_MAX];
    warder_error outer = {0};
    struct error why = {0};
    warder_asking asking = WARDER_ASKING_INIT;

    forget_projects(s);
    service_client_of(token_id, client);
    asking.client = client;
    asking.deadline_ms = SERVICE_HOOKS_MS;
    asking.leave_ask = 1;
    asking.client_runs_hooks = 1; /* hooks of an agent's own files: one of them is our hook, which
                                     would ask this service again */
    if (engine_open_call(s->engine, call, said, binding_of(s->bindings, token_id), out, &outer) !=
        WARDER_OK)
        return fail(err, STATUS_NOMEM, "%s", outer.message);
    if (is_refused(*out)) {
        ending->client = SERVICE_CLIENT;
        return STATUS_OK;
    }
    const struct rulebook *common = (*out)->book;
    enum status status = common ? trusted_apply(s, token_id, *out, &why) : STATUS_OK;
    if (decision_resolve(*out, &asking, ending, &outer) != WARDER_OK)
        decision_refuse(*out, "ask", "the call could not be resolved");
    trusted_leave(*out, common);
    if (status != STATUS_OK) {
        char text[sizeof(why.message) + 64];
        snprintf(text, sizeof(text), "the policy of this token cannot be read: %s", why.message);
        decision_refuse(*out, "policy", text);
    }
    ending->client = (*out)->call.client.len ? (*out)->call.client.s : SERVICE_CLIENT;
    return STATUS_OK;
}

/* ---- questions ---- */

struct call_hash {
    char whole[SHA256_HEX], plain[SHA256_HEX]; /* with and without the files */
    struct str files;                          /* as JSON, in the decision's arena */
};

struct reviewed_call {
    const warder_decision *decision;
    const char *token_id;
};

/* Each part is preceded by its length, so that no two calls give the same text. */
static void add_part(struct buf *b, struct str part)
{
    buf_format(b, "%zu:", part.len);
    buf_add(b, part);
}

static void write_call(struct buf *out, const void *about)
{
    const struct reviewed_call *r = about;
    const struct call *c = &r->decision->call;
    struct buf input = buf_in(out->arena);
    const struct str parts[] = {str_from(r->token_id),
                                c->worker_id,
                                c->task_id,
                                c->project_id,
                                c->session,
                                c->tool,
                                c->cwd,
                                c->project,
                                c->mode,
                                c->plan_file,
                                c->doubt,
                                c->cwd_unknown ? STR("1") : STR("0"),
                                c->read_only ? STR("1") : STR("0"),
                                c->destructive ? STR("1") : STR("0")};

    for (size_t i = 0; i < COUNT(parts); i++)
        add_part(out, parts[i]);
    json_value(&input, c->input);
    add_part(out, buf_str(&input));
}

static void write_files(struct buf *out, const void *about)
{
    const warder_decision *d = about;
    struct json_writer w = json_to(out);
    struct bound bound = {0};

    if (d->verdict.facts)
        bound_find(out->arena, &d->verdict, &real_world, SERVICE_BOUND_MAX, &bound);
    bound_write(&w, &bound.files);
}

/* An approval is bound to exactly this call of this worker with this token, and to the files that
 * it reads or runs. Where it cannot be known which these are, the person sees that in the
 * command. */
static enum status hash_call(warder_service *s, warder_decision *d, const char *token_id,
                             struct call_hash *out, struct error *err)
{
    const struct reviewed_call call = {d, token_id};
    struct record_key key;
    struct str text;
    enum status status = recorder_key(s->engine->recorder, &key, err);

    if (status != STATUS_OK)
        return status;
    if (!buf_try(&d->arena, write_call, &call, &text))
        return fail(err, STATUS_NOMEM, "the call is too large to be reviewed");
    record_key_hash(&key, text, out->plain);
    if (!buf_try(&d->arena, write_files, d, &out->files))
        return fail(err, STATUS_NOMEM, "the call reads too many files to be reviewed");
    text = str_try_format(&d->arena, "%s %.*s", out->plain, STR_ARG(out->files));
    if (!text.s)
        return fail(err, STATUS_NOMEM, "the call is too large to be reviewed");
    record_key_hash(&key, text, out->whole);
    return STATUS_OK;
}

struct comparison {
    struct arena *arena;
    struct str before, now, changed;
};

static void compare(void *arg)
{
    struct comparison *c = arg;
    struct value *then = ARENA_NEW(c->arena, struct value);
    struct value *now = ARENA_NEW(c->arena, struct value);
    struct bound_files files = {0};

    if (json_read(c->arena, c->before, NULL, then, NULL) != STATUS_OK ||
        json_read(c->arena, c->now, NULL, now, NULL) != STATUS_OK)
        return;
    for (size_t i = 0; i < now->count; i++) {
        const struct value *v = &now->items[i];
        LIST_PUSH(c->arena, &files, (struct bound_file){v->items[0].text, v->items[1].text});
    }
    c->changed = bound_changed(then, &files);
}

/* Which file is not what it was; "a file" if that cannot be found out. */
static struct str changed_file(struct arena *a, const char *before, struct str now)
{
    struct comparison c = {.arena = a, .before = str_from(before), .now = now};

    return arena_try(a, compare, &c) && c.changed.len ? c.changed : STR("a file");
}

enum status service_still_bound(warder_service *s, warder_decision *d, const struct waiting *w,
                                struct str *changed, struct error *err)
{
    struct call_hash hash = {0};
    enum status status = hash_call(s, d, w->token_id, &hash, err);

    *changed = (struct str){0};
    if (status == STATUS_OK && w->files && !str_is(hash.files, w->files))
        *changed = changed_file(&d->arena, w->files, hash.files);
    return status;
}

/* An answer to this call that waits, and does not count because a file has changed. */
static const struct waiting *find_outdated(const warder_service *s, const struct call_hash *hash)
{
    for (const struct waiting *w = s->over.first; w; w = w->after)
        if (w->state == WAITING_OVER && w->status == REVIEW_APPROVED && w->files &&
            strcmp(w->plain_hash, hash->plain) == 0)
            return w;
    return NULL;
}

static void say_outdated(const warder_service *s, warder_decision *d, const struct call_hash *hash)
{
    const struct waiting *w = find_outdated(s, hash);
    struct str reason = d->verdict.reason;

    if (!w)
        return;
    reason =
        str_try_format(&d->arena, "%.*s changed after it was approved: %.*s",
                       STR_ARG(changed_file(&d->arena, w->files, hash->files)), STR_ARG(reason));
    if (reason.s)
        d->verdict.reason = reason;
}

struct request_draft {
    warder_decision *decision;
    struct review_request *out;
};

static void describe(void *arg)
{
    struct request_draft *draft = arg;
    struct arena *a = &draft->decision->arena;
    const struct call *c = &draft->decision->last;
    struct review_request *r = draft->out;
    struct str field;

    *r = (struct review_request){
        .worker_id = c->worker_id,
        .task_id = c->task_id,
        .project_id = c->project_id.len ? c->project_id : c->project,
        .session_id = c->session,
        .tool = c->tool,
        .task_description = c->task_description,
        .worktree_path = c->worktree_path.len ? c->worktree_path : c->cwd,
        .reason = draft->decision->verdict.reason,
    };
    r->shell = c->kind == TOOL_SHELL && call_command(a, c, &r->command);
    if (!r->shell && !call_first(a, c, &field, &r->command)) {
        struct buf b = buf_in(a);
        json_value(&b, c->input);
        r->command = buf_str(&b);
    }
}

static enum status make_row(warder_service *s, struct staged *item, const char *token_id,
                            struct error *err)
{
    struct review_request request;
    struct request_draft draft = {item->decision, &request};
    struct record_key key;
    enum status status = recorder_key(s->engine->recorder, &key, err);

    if (status != STATUS_OK)
        return status;
    if (!decision_try(item->decision, describe, &draft))
        return fail(err, STATUS_NOMEM, "the call is too large to be reviewed");
    request.requested_at = s->wall();
    request.expires_at = request.requested_at + (int64_t)s->options.review_timeout_s * 1000;
    request.recent_count = workers_recent(s->workers, token_id, request.worker_id, request.recent);
    return review_make(&item->decision->arena, &request, &key, &item->row, err);
}

static enum status keep_call(warder_service *s, struct waiting *w, const struct call_hash *hash,
                             struct str call, struct error *err)
{
    char *files = strndup(hash->files.s, hash->files.len);

    if (!files)
        return fail(err, STATUS_NOMEM, "out of memory");
    if (w->state == WAITING_OPEN && !w->call) {
        s->calls_unstored = true; /* the database has no call of it, either */
        s->keep_at = 0;
    }
    free(w->files);
    w->files = files;
    memcpy(w->plain_hash, hash->plain, sizeof(w->plain_hash));
    return waiting_keep_call(s, w, call, err);
}

static enum status new_question(warder_service *s, struct staged *item, const char *token_id,
                                const struct call_hash *hash, struct str call, struct error *err)
{
    char id[REVIEW_ID_SIZE];

    if (s->pending >= SERVICE_PENDING_MAX)
        return fail(err, STATUS_LIMIT, "there are already %u pending reviews", SERVICE_PENDING_MAX);
    say_outdated(s, item->decision, hash);
    enum status status = make_row(s, item, token_id, err);
    if (status != STATUS_OK)
        return status;
    snprintf(id, sizeof(id), "%.*s", STR_ARG(item->row.id));
    struct waiting *w = waiting_new(s, id, hash->whole, token_id);
    status = w ? keep_call(s, w, hash, call, err) : fail(err, STATUS_NOMEM, "out of memory");
    if (status == STATUS_OK)
        status = waiting_seal(s, w, &item->sealed, err);
    if (status != STATUS_OK) {
        waiting_free(s, w);
        return status;
    }
    explain_keep(s, w, item->decision);
    (void)stamp_parse(item->row.requested_at, &w->requested_at);
    (void)stamp_parse(item->row.expires_at, &w->expires_at);
    item->row.call_hash = str_from(w->call_hash);
    item->row.token_id = str_from(w->token_id);
    item->row.sealed = item->sealed;
    item->kind = STAGED_QUESTION;
    item->review = w;
    s->pending++;
    return STATUS_OK;
}

void service_fetch(struct staged *item, struct waiting *w)
{
    char client[SERVICE_CLIENT_MAX];
    struct str message = w->message ? str_from(w->message) : (struct str){0};

    service_client_of(w->token_id, client);
    item->kind = STAGED_FETCH;
    item->review = w;
    w->state = WAITING_FETCHED;
    if (!item->decision)
        return; /* it makes no call, it waits for the review */
    if (w->status == REVIEW_EXPIRED)
        decision_refuse(item->decision, "review", "no answer in time");
    else
        decision_answer(item->decision, client,
                        w->status == REVIEW_APPROVED ? BEHAVIOR_ALLOW : BEHAVIOR_DENY, message);
}

static enum status put_question(warder_service *s, struct staged *item, const char *token_id,
                                struct str call, struct error *err)
{
    const struct str named = item->decision->call.review_id;
    struct call_hash hash;
    enum status status = hash_call(s, item->decision, token_id, &hash, err);

    if (status != STATUS_OK)
        return status;
    struct waiting *w = waiting_find_call(s, hash.whole);
    if (w && w->state == WAITING_FETCHED)
        w = NULL;
    if (named.len && (!w || !str_is(named, w->id)))
        return fail(err, STATUS_USAGE,
                    "this call does not wait for review %.*s, or already has its answer",
                    (int)(named.len < 40 ? named.len : 40), named.s);
    if (!w)
        return new_question(s, item, token_id, &hash, call, err);
    if (w->state == WAITING_OVER) {
        service_fetch(item, w);
        return STATUS_OK;
    }
    item->kind = STAGED_JOINED;
    item->review = w;
    return keep_call(s, w, &hash, call, err);
}

static void question(warder_service *s, struct staged *item, const char *token_id, struct str call)
{
    struct error err = {0};
    char why[sizeof(err.message) + 64];

    if (put_question(s, item, token_id, call, &err) == STATUS_OK)
        return;
    snprintf(why, sizeof(why), "cannot ask a person: %s", err.message);
    decision_refuse(item->decision, "review", why);
    item->kind = STAGED_VERDICT;
}

/* ---- the border ---- */

warder_case *case_new(warder_service *s, void *user)
{
    warder_case *item = calloc(1, sizeof(*item));

    if (!item)
        return NULL;
    item->service = s;
    item->user = user;
    item->began = service_micros();
    return item;
}

void service_take_case(struct staged *staged, warder_case *item, const char *token_id)
{
    case_stage(item, staged);
    memcpy(staged->by, token_id, strnlen(token_id, sizeof(staged->by) - 1)); /* it is zeroed */
    item->wait_ms = staged->decision->call.wait_ms;
    if (staged->kind == STAGED_QUESTION || staged->kind == STAGED_JOINED)
        case_attach(staged->review, item);
}

warder_outcome warder_service_check(warder_service *s, const warder_caller *caller,
                                    const char *json, size_t len, void *user, warder_case **out,
                                    warder_error *err)
{
    struct error inner = {0};

    if (out)
        *out = NULL;
    if (!s || !out || !json)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, call or case");
    if (!caller_is(caller, WARDER_WORKER) && !caller_is(caller, WARDER_OPERATOR))
        return outcome_forbidden(err, "workers");
    warder_case *item = case_new(s, user);
    struct staged *staged = item ? service_stage(s, STAGED_VERDICT) : NULL;
    if (!staged) {
        free(item);
        return outcome_say(err, WARDER_FAILED, "out of memory");
    }
    const struct str call = {json, len};
    if (service_judge(s, caller->id, call, MODE_AT_MOST_OWN, &staged->decision, &staged->ending,
                      &inner) != STATUS_OK) {
        item->gone = true; /* the next commit frees it */
        case_stage(item, staged);
        staged->kind = STAGED_TOLD;
        return outcome_failed(err, &inner);
    }
    metrics_judged(s->metrics, service_micros() - item->began);
    if (staged->decision->verdict.behavior == BEHAVIOR_ASK && !staged->decision->call.no_review)
        question(s, staged, caller->id, call);
    service_take_case(staged, item, caller->id);
    if (staged->decision->forbidden.len) {
        item->gone = true; /* the next commit records it, and frees it */
        return outcome_say(err, WARDER_FORBIDDEN, "%.*s", STR_ARG(staged->decision->forbidden));
    }
    *out = item;
    return WARDER_DONE;
}

/* An approval is for one caller. The others that waited are asked about again, all by one new
 * review. */
void service_ask_again(warder_service *s, struct waiting *w, warder_case *cases)
{
    struct staged *staged = service_stage(s, STAGED_VERDICT);
    struct error err = {0};
    const struct str call = {w->call, w->call_len};

    if (staged && service_judge(s, w->token_id, call, MODE_AT_MOST_OWN, &staged->decision,
                                &staged->ending, &err) != STATUS_OK)
        staged->kind = STAGED_TOLD;
    else if (staged && staged->decision->verdict.behavior == BEHAVIOR_ASK) {
        staged->decision->call.review_id = (struct str){0}; /* that review has ended */
        question(s, staged, w->token_id, call);
    }
    for (warder_case *item = cases, *next; item; item = next) {
        next = item->next;
        item->before = item->next = NULL;
        item->review = NULL;
        if (staged && staged->kind == STAGED_QUESTION)
            case_attach(staged->review, item);
        else if (staged && staged->kind == STAGED_VERDICT && !staged->item) {
            item->state = CASE_STAGED;
            case_stage(item, staged);
        } else {
            case_settle(item, NULL);
        }
    }
}

/* ---- dry run ---- */

static void show_dry_run(struct report *r, const void *about)
{
    const warder_decision *d = about;
    /* A decision that used up its memory has none left for its own text. */
    const struct str json = d->json.len ? d->json
                                        : STR("{\"behavior\":\"deny\",\"layer\":\"limit\","
                                              "\"reason\":\"too large to judge\"}");

    buf_add(&r->json_text, str_slice(json, 0, json.len - 1));
    buf_text(&r->json_text, ",\"decision\":");
    json_string(&r->json_text, str_from(warder_decision_name(d)));
    buf_text(&r->json_text, ",\"matched_rule_id\":");
    if (d->verdict.rule)
        json_string(&r->json_text, decision_rule_id(d));
    else
        buf_text(&r->json_text, "null");
    buf_text(&r->json_text, ",\"dry_run\":true}");
    buf_add(&r->text, d->verdict.reason);
}

warder_outcome warder_service_dry_run(warder_service *s, const warder_caller *caller,
                                      const char *json, size_t len, warder_report **out,
                                      warder_error *err)
{
    warder_decision *d = NULL;
    struct error inner = {0};

    if (!s || !out || !json)
        return outcome_say(err, WARDER_FAILED, "missing argument: service, call or verdict");
    *out = NULL;
    if (!caller || caller->role == WARDER_NOBODY)
        return outcome_forbidden(err, "callers with a token");
    if (engine_open_call(s->engine, (struct str){json, len}, MODE_AT_MOST_OWN,
                         binding_of(s->bindings, caller->id), &d, err) != WARDER_OK)
        return WARDER_FAILED;
    if (d->forbidden.len) {
        outcome_say(err, WARDER_FORBIDDEN, "%.*s", STR_ARG(d->forbidden));
        warder_decision_free(d);
        return WARDER_FORBIDDEN;
    }
    if (d->book && trusted_apply(s, caller->id, d, &inner) != STATUS_OK)
        decision_refuse(d, "policy", inner.message);
    else if (d->book && !decision_try(d, decision_judge, d))
        decision_overflow(d);
    if (!warder_decision_json(d))
        decision_overflow(d); /* the service's own answers must be shown */
    warder_status status = report_make_line(show_dry_run, d, out, err);
    warder_decision_free(d);
    return status == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
}
