#include "engine/remote.h"

#include <stdio.h>
#include <unistd.h>

#include "base/json.h"

#define WAIT_MAX_S 3600 /* for one wait for a review; then the service is asked again */

/* ---- whether ---- */

/* Whether policy wants a service. An input that is not a call, or whose policy cannot be read, is
 * denied here and sent nowhere. */
static enum service_use use_of(const warder_decision *d)
{
    if (!d->engine->recorder || !d->book || rulebook_broken(d->book) || d->verdict.facts == NULL)
        return SERVICE_OFF;
    if (d->verdict.contained.yes && d->book->service != SERVICE_REQUIRED)
        return SERVICE_OFF; /* a service makes no cells, */
    if (d->verdict.reversible.yes && d->book->service != SERVICE_REQUIRED)
        return SERVICE_OFF; /* and saves nothing */
    return d->book->service ? d->book->service : SERVICE_AUTO;
}

/* Where policy is managed, a service that anyone of the user's programs could be decides nothing,
 * unless managed policy itself wants a service; and even then it lifts no deny. Only root's own
 * programs serve root. */
static bool is_believed(const warder_decision *d)
{
    return !rulebook_is_managed(d->book) || d->book->service_managed || geteuid() == 0;
}

static bool is_settled(const warder_decision *d)
{
    return rulebook_is_managed(d->book) && d->verdict.behavior == BEHAVIOR_DENY;
}

bool remote_required(const warder_decision *d)
{
    return use_of(d) == SERVICE_REQUIRED;
}

/* Policy that was given to this engine alone is unknown to the service. */
static bool has_own_policy(const warder_decision *d)
{
    const struct changes *c = &d->snapshot->changes;

    return d->engine->by_hand || c->added.count || c->taken.count || c->directories.count ||
           c->no_directories.count || d->snapshot->session.has_mode;
}

/* A person has paused Warder: of the services only one that is theirs stays out of it, and only
 * where policy leaves that open. */
static bool is_paused(const struct remote *r, enum service_use use)
{
    const warder_decision *d = r->decision;

    return d->verdict.paused && r->line.own && use == SERVICE_AUTO && !d->book->service_managed;
}

static enum remote_end refuse(struct remote *r, const char *why)
{
    char text[sizeof(r->decision->why)];

    snprintf(text, sizeof(text), "the service is needed to decide this: %s", why);
    decision_refuse(r->decision, "service", text);
    return REMOTE_DONE;
}

/* ---- the call ---- */

static void write_annotations(struct json_writer *w, const struct call *c)
{
    if (!c->read_only && !c->destructive)
        return;
    json_key(w, "annotations");
    json_begin_object(w);
    json_true_member_if(w, "readOnly", c->read_only);
    json_true_member_if(w, "destructive", c->destructive);
    json_end_object(w);
}

/* Without its last brace, so that more can follow. */
static void write_call(struct json_writer *w, const void *about)
{
    const struct remote *r = about;
    const struct call *c = &r->decision->last;

    json_begin_object(w);
    json_text_member_if(w, "tool", c->tool);
    json_key(w, "input");
    json_any(w, c->input);
    json_text_member_if(w, "cwd", c->cwd);
    json_text_member_if(w, "project", c->project);
    json_text_member_if(w, "session", c->session);
    json_text_member_if(w, "mode", c->mode_given ? c->mode : (struct str){0});
    json_text_member_if(w, "tool_use_id", c->tool_use_id);
    json_text_member_if(w, "plan_file", c->plan_file);
    json_text_member_if(w, "doubt", c->doubt);
    json_true_member_if(w, "cwd_unknown", c->cwd_unknown);
    write_annotations(w, c);
    json_text_member_if(w, "worker_id", c->worker_id);
    json_text_member_if(w, "task_id", c->task_id);
    json_text_member_if(w, "project_id", c->project_id);
    json_text_member_if(w, "client", str_from(r->client));
    if (!r->review) {
        json_key(w, "review");
        json_bool(w, false);
    }
}

static enum status send_call(struct remote *r, int64_t wait_s, struct error *err)
{
    bool named = r->review_id[0] != '\0';
    struct str line = str_try_format(
        &r->decision->arena, "%.*s,\"wait\":%lld%s%s%s}\n", STR_ARG(r->call), (long long)wait_s,
        named ? ",\"review_id\":\"" : "", r->review_id, named ? "\"" : "");

    if (!line.s)
        return fail(err, STATUS_NOMEM, "the call is too large to be sent");
    return service_send(&r->line, line, r->deadline, err);
}

/* ---- the answer ---- */

static const struct {
    const char *name;
    enum behavior behavior;
    enum ended how;
} names[] = {
    {"auto-accept", BEHAVIOR_ALLOW, ENDED_BY_POLICY},
    {"human-accept", BEHAVIOR_ALLOW, ENDED_BY_PERSON},
    {"auto-deny", BEHAVIOR_DENY, ENDED_BY_POLICY},
    {"human-deny", BEHAVIOR_DENY, ENDED_BY_PERSON},
    {"timeout-deny", BEHAVIOR_DENY, ENDED_BY_TIME},
    {"ask", BEHAVIOR_ASK, ENDED_BY_POLICY},
};

struct service_answer {
    struct remote *remote;
    struct verdict *verdict; /* that the answer is written into */
    struct str text;
    struct error *err;
    enum status status;
    bool pending;
};

static bool copy_id(char *to, size_t room, struct str id)
{
    if (id.len == 0 || id.len >= room)
        return false;
    for (size_t i = 0; i < id.len; i++)
        if (id.s[i] <= ' ' || id.s[i] > '~' || id.s[i] == '"' || id.s[i] == '\\')
            return false;
    memcpy(to, id.s, id.len);
    to[id.len] = '\0';
    return true;
}

static const struct rule *find_rule(const struct rulebook *book, struct str text)
{
    for (size_t i = 0; text.len && i < book->rules.count; i++)
        if (str_eq(book->rules.items[i].text, text))
            return &book->rules.items[i];
    return NULL;
}

/* Name and behaviour must agree: an allow that the record calls something else is not one. */
static enum status take_name(struct service_answer *h, const struct value *v,
                             enum behavior *behavior)
{
    struct str said = value_text(v, "behavior"), name = value_text(v, "decision");
    warder_decision *d = h->remote->decision;

    for (size_t i = 0; i < COUNT(names); i++) {
        if (!str_is(name, names[i].name) || !str_is(said, behavior_name(names[i].behavior)))
            continue;
        if (!copy_id(d->id, sizeof(d->id), value_text(v, "decision_id")))
            break;
        d->name = names[i].name;
        h->remote->how = names[i].how;
        *behavior = names[i].behavior;
        return STATUS_OK;
    }
    return fail(h->err, STATUS_SYNTAX, "the service's answer is not a verdict");
}

/* Hooks of the service may have rewritten the input; the new one is what was judged. */
static enum status take_input(struct service_answer *h, const struct value *answer)
{
    const struct value *input = value_get(answer, "updated_input");

    if (!input || input->kind == VALUE_NULL)
        return STATUS_OK;
    if (input->kind != VALUE_OBJECT)
        return fail(h->err, STATUS_SYNTAX,
                    "the service's answer has an input that is not an object");
    h->remote->decision->last.input = input;
    return STATUS_OK;
}

static enum status take_verdict(struct service_answer *h, const struct value *answer)
{
    struct verdict *v = h->verdict;
    const struct str layer = value_text(answer, "layer"), reason = value_text(answer, "reason");
    const struct value *stop = value_get(answer, "interrupt");
    enum behavior behavior = BEHAVIOR_DENY;
    enum status status = take_name(h, answer, &behavior);

    if (status != STATUS_OK || (status = take_input(h, answer)) != STATUS_OK)
        return status;
    if (behavior == BEHAVIOR_ALLOW) {
        verdict_allow(v, ALLOWED_BY_SERVICE, layer.len ? layer.s : "service", reason);
        v->suggestions = (struct strs){0};
        v->unsuggested = false;
    } else {
        verdict_refuse(v, behavior, layer.len ? layer.s : "service", reason);
    }
    v->rule = find_rule(h->remote->decision->book, value_text(answer, "rule"));
    v->message = value_text(answer, "message");
    v->interrupt = behavior == BEHAVIOR_DENY && stop && stop->kind == VALUE_BOOL && stop->boolean;
    v->updated_input = NULL;
    return STATUS_OK;
}

/* A review that is pending has no record yet. */
static enum status take_pending(struct service_answer *h, const struct value *answer)
{
    struct verdict *v = h->verdict;

    if (!copy_id(h->remote->review_id, sizeof(h->remote->review_id),
                 value_text(answer, "review_id")))
        return fail(h->err, STATUS_SYNTAX, "the service's answer names no review");
    enum status status = take_input(h, answer);
    if (status != STATUS_OK)
        return status;
    h->pending = true;
    verdict_refuse(v, BEHAVIOR_ASK, v->layer,
                   value_text(answer, "reason").len ? value_text(answer, "reason") : v->reason);
    if (value_text(answer, "message").len)
        v->message = value_text(answer, "message");
    return STATUS_OK;
}

/* Where both ask, the words are ours: the service judged in its own mode, and the agent reported
 * another. */
static void keep_words(const struct service_answer *h, const struct verdict *own)
{
    if (h->status != STATUS_OK || own->behavior != BEHAVIOR_ASK ||
        h->verdict->behavior != BEHAVIOR_ASK)
        return;
    h->verdict->uncleared = own->uncleared;
    if (!h->remote->decision->last.mode_given)
        return;
    h->verdict->reason = own->reason;
    h->verdict->message = own->message;
}

static void hear(void *arg)
{
    struct service_answer *h = arg;
    const struct verdict own = *h->verdict;
    struct value *v = ARENA_NEW(&h->remote->decision->arena, struct value);

    h->status = json_read(&h->remote->decision->arena, h->text, NULL, v, h->err);
    if (h->status == STATUS_OK && v->kind != VALUE_OBJECT)
        h->status = fail(h->err, STATUS_SYNTAX, "the service's answer is not a verdict");
    if (h->status != STATUS_OK)
        return;
    h->status =
        str_is(value_text(v, "behavior"), "ask") && str_is(value_text(v, "status"), "pending")
            ? take_pending(h, v)
            : take_verdict(h, v);
    keep_words(h, &own);
}

static enum status take_answer(struct remote *r, struct str text, struct verdict *out,
                               bool *pending, struct error *err)
{
    struct service_answer h = {.remote = r, .verdict = out, .text = text, .err = err};

    if (!arena_try(&r->decision->arena, hear, &h))
        return fail(err, STATUS_NOMEM, "the service's answer is too large");
    *pending = h.pending;
    return h.status;
}

/* ---- the whole question ---- */

/* The first place where a service runs. */
static enum status connect_service(struct remote *r, struct error *err)
{
    const warder_engine *e = r->decision->engine;
    enum status status = fail(err, STATUS_IO, "no place for its socket is known");

    if (e->nobody_serves)
        return fail(err, STATUS_IO, "there is no warder.sock in its place");
    for (size_t i = 0; status == STATUS_IO && i < COUNT(e->service_dirs); i++) {
        if (!e->service_dirs[i].len)
            continue;
        service_close(&r->line);
        status = service_open(&r->line, e->service_dirs[i].s, err);
    }
    return status;
}

static enum status exchange(struct remote *r, bool *pending, struct error *err)
{
    struct str answer;
    enum status status;

    if (!json_try(&r->decision->arena, write_call, r, &r->call))
        return fail(err, STATUS_NOMEM, "the call is too large to be sent");
    if ((status = send_call(r, 0, err)) != STATUS_OK ||
        (status = service_receive(&r->line, r->deadline, &answer, err)) != STATUS_OK)
        return status;
    return take_answer(r, answer, &r->decision->verdict, pending, err);
}

enum remote_end remote_ask(struct remote *r)
{
    enum service_use use = use_of(r->decision);
    bool pending = false;
    struct error err = {0};

    r->line.fd = -1;
    if (use == SERVICE_OFF || is_settled(r->decision))
        return REMOTE_ALONE;
    if (!is_believed(r->decision))
        return use == SERVICE_REQUIRED
                   ? refuse(r, "policy is managed, and managed policy names no service")
                   : REMOTE_ALONE;
    if (has_own_policy(r->decision))
        return use == SERVICE_REQUIRED
                   ? refuse(r, "it does not know the policy that was given by hand")
                   : REMOTE_ALONE;
    if (r->runs_hooks && rulebook_has_hooks(r->decision->book, true))
        return use == SERVICE_REQUIRED ? refuse(r, "it does not run the hooks of agents' files")
                                       : REMOTE_ALONE;
    if (connect_service(r, &err) != STATUS_OK)
        return use == SERVICE_REQUIRED ? refuse(r, err.message) : REMOTE_ALONE;
    if (is_paused(r, use))
        return REMOTE_ALONE;
    if (exchange(r, &pending, &err) != STATUS_OK)
        return use == SERVICE_AUTO && !r->line.sent ? REMOTE_ALONE : refuse(r, err.message);
    return r->decision->verdict.behavior == BEHAVIOR_ASK ? REMOTE_ASKS : REMOTE_DONE;
}

void remote_close(struct remote *r)
{
    service_close(&r->line);
}

/* ---- the review as an asker ---- */

static enum status wait_again(struct remote *r, int64_t now)
{
    int64_t left = (r->deadline - now) / 1000;

    return send_call(r, left > WAIT_MAX_S ? WAIT_MAX_S : left > 0 ? left : 1, NULL);
}

static bool review_start(void *self, int64_t now)
{
    struct remote *r = self;

    return wait_again(r, now) == STATUS_OK;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): every asker's function is like this */
static size_t review_wait(void *self, struct pollfd *fds, size_t room, int64_t *wake)
{
    const struct remote *r = self;

    (void)wake;
    if (room == 0)
        return 0;
    fds[0] = (struct pollfd){.fd = r->line.fd, .events = POLLIN};
    return 1;
}

/* If the connection breaks, the other askers go on; the review itself goes on in the service. */
static enum news review_turn(void *self, const struct pollfd *fds, size_t count, int64_t now,
                             struct reply *reply)
{
    struct remote *r = self;
    struct verdict said = r->decision->verdict; /* a copy: resolve.c decides what becomes of it */
    struct str text;
    bool pending = false;

    (void)fds;
    (void)count;
    if (service_read(&r->line, &text, NULL) != STATUS_OK)
        return NEWS_GONE;
    if (!text.len)
        return NEWS_NONE;
    if (take_answer(r, text, &said, &pending, NULL) != STATUS_OK)
        return NEWS_GONE;
    if (pending)
        return wait_again(r, now) == STATUS_OK ? NEWS_NONE : NEWS_GONE;
    if (said.behavior == BEHAVIOR_ASK)
        return NEWS_GONE;
    r->settled = true;
    *reply = (struct reply){
        .behavior = said.behavior, .message = said.message, .interrupt = said.interrupt};
    return NEWS_ANSWER;
}

/* The connection belongs to the caller. */
static void review_stop(void *self)
{
    (void)self;
}

const struct asker_kind review_asker = {
    .name = "review",
    .start = review_start,
    .wait = review_wait,
    .turn = review_turn,
    .stop = review_stop,
};
