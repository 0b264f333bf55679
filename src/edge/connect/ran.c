#include "connect/ran.h"

#include <stdlib.h>
#include <string.h>

#include "ask/asked.h"
#include "ask/session_file.h"
#include "base/json.h"
#include "client/register.h"
#include "connect/honoured.h"
#include "decide/session.h"
#include "engine/approve.h"
#include "engine/losses.h"
#include "engine/options.h"
#include "engine/record.h"
#include "facts/fresh.h"
#include "machine/stamp.h"
#include "warder_admin.h"

#define RAN_MEMORY_MAX ((size_t)256 * 1024 * 1024)
#define DAYS_KEPT      36500 /* of the record: another process removes what policy lets go */

/* Modes in which the question reaches a person. */
static bool asks_person(struct str name)
{
    enum mode mode;

    if (name.len == 0)
        return true; /* the client tells none */
    return mode_parse(name, &mode) &&
           (mode == MODE_DEFAULT || mode == MODE_ACCEPT_EDITS || mode == MODE_PLAN);
}

static void fill_key(struct arena *a, const struct client_question *q, const char *state_dir,
                     struct asked_key *out)
{
    *out = (struct asked_key){.state_dir = state_dir,
                              .client = str_from(q->client->name),
                              .session = q->session,
                              .use_id = q->client->no_use_id ? (struct str){0} : q->use_id};
    asked_hash(a, q->tool, q->input, out->call);
}

/* ---- the question ---- */

struct expecting {
    const struct event *event;
    warder_decision *decision;
    struct asked_key key;
    struct asked asked;
};

static void fill_asked(void *arg)
{
    struct expecting *x = arg;
    warder_decision *d = x->decision;
    const struct call *call = &d->call;
    struct session agreed = {0};

    fill_key(&d->arena, &x->event->question, d->engine->request.state_dir.s, &x->key);
    if (!d->verdict.facts)
        return;
    session_agree(&d->arena, &agreed, &d->verdict);
    x->asked = (struct asked){.id = str_from(d->id),
                              .worker = call->worker_id,
                              .project = call->project_id.len ? call->project_id : call->project,
                              .cwd = call->cwd,
                              .mode = str_from(mode_name(d->verdict.mode)),
                              .profile = str_from(d->profile->name),
                              .policy = d->book ? d->book->fingerprint : (struct str){0},
                              .digest = x->asked.digest,
                              .agreements = agreed.agreements,
                              .brought = d->session.brought,
                              .brings = fresh_is_brought(d->verdict.facts),
                              .at = approval_now(),
                              .from = x->asked.from};
}

/* The client's own prompt comes next. */
static bool is_left(const struct client_question *q, const warder_decision *d)
{
    return d->verdict.behavior == BEHAVIOR_ASK && q->asks && q->event->kind == EVENT_TOOL &&
           d->id[0] && q->session.len;
}

void ran_expect(const struct event *e, warder_decision *d)
{
    const struct client_question *q = &e->question;
    struct expecting x = {.event = e, .decision = d};
    const bool left = is_left(q, d);

    if (!client_tells_ran(q->client) || (!left && !q->client->no_use_id))
        return;
    if (left)
        x.asked.digest = decision_yes(d, &d->last, str_from(q->client->name));
    if (!decision_try_text(d, fill_asked, &x))
        return;
    if (left && x.asked.id.len && proc_starter(REGISTER_HOOK, &x.asked.from))
        (void)asked_keep(&d->arena, &x.key, &x.asked, NULL);
    else
        asked_drop(&x.key);
}

/* ---- an event ---- */

struct telling {
    struct arena arena;
    const warder_options *options;
    const struct client *client;
    struct str text;
    struct client_question question;
    struct str state_dir;
    struct asked_key key;
    struct asked asked;
    struct call call;
    struct str body;
    struct record_key record_key;
    bool read;
};

static void read_event(void *arg)
{
    struct telling *t = arg;
    struct value *v = ARENA_NEW(&t->arena, struct value);

    t->state_dir = options_state_dir(&t->arena, t->options);
    t->read = t->state_dir.len && json_read(&t->arena, t->text, NULL, v, NULL) == STATUS_OK &&
              client_read(&t->arena, t->client, v, &t->question, NULL) == STATUS_OK &&
              t->question.input && t->question.session.len;
    if (t->read)
        fill_key(&t->arena, &t->question, t->state_dir.s, &t->key);
}

void ran_expect_nothing(const warder_options *options, const struct client *client, struct str text)
{
    struct telling t = {.options = options, .client = client, .text = text};

    if (!client || !client->no_use_id || !client_tells_ran(client))
        return;
    arena_init(&t.arena, RAN_MEMORY_MAX);
    if (arena_try(&t.arena, read_event, &t) && t.read)
        asked_drop(&t.key);
    arena_release(&t.arena);
}

/* ---- the answer ---- */

static void read_call(void *arg)
{
    struct telling *t = arg;
    const struct call_defaults defaults = {.cwd = t->asked.cwd};
    struct value *v = ARENA_NEW(&t->arena, struct value);

    t->question.cwd = t->asked.cwd;
    struct str json = client_call(&t->arena, &t->question, t->asked.project, true, (struct str){0});
    t->read = json_read(&t->arena, json, NULL, v, NULL) == STATUS_OK &&
              call_read(&t->arena, v, &defaults, &t->call, NULL) == STATUS_OK;
}

static void write_body(void *arg)
{
    struct telling *t = arg;
    char id[DECISION_ID_SIZE];
    struct decision_record r = {.client = str_from(t->client->name),
                                .decision = STR("human-accept"),
                                .behavior = STR("allow"),
                                .layer = STR("client"),
                                .reason = STR("allowed by a person, in the agent's own prompt"),
                                .profile = t->asked.profile,
                                .policy = t->asked.policy,
                                .mode = t->asked.mode,
                                .answered_by = STR("client"),
                                .answers = t->asked.id,
                                .review_requested_at = t->asked.at * 1000};

    t->read = decision_id_make(id);
    r.id = str_from(id);
    record_call(&t->arena, &t->call, false, &r);
    r.worker_id = t->asked.worker;
    t->body = decision_body(&t->arena, &r, &t->record_key);
}

/* NULL: there is no memory. */
static struct recorder *open_recorder(const struct telling *t)
{
    const struct journal_options options = {.sync = JOURNAL_ALWAYS, .retention_days = DAYS_KEPT};
    const struct str data =
        t->options->data ? str_from(t->options->data) : str_from(t->state_dir.s);
    struct recorder *r = NULL;

    return recorder_new(data, &options, &r, NULL) == STATUS_OK ? r : NULL;
}

static bool record_yes(struct telling *t)
{
    struct recorder *r = open_recorder(t);
    bool done = r && recorder_key(r, &t->record_key, NULL) == STATUS_OK &&
                arena_try(&t->arena, write_body, t) && t->read &&
                recorder_append(r, NULL, &t->body, 1, NULL) == STATUS_OK;

    recorder_free(r);
    return done;
}

static void keep_yes(struct arena *a, struct session *s, void *context)
{
    const struct telling *t = context;
    const struct asked *asked = &t->asked;

    for (size_t i = 0; i < asked->agreements.count; i++)
        if (s->agreements.count < SESSION_AGREEMENTS_MAX &&
            !strs_has(&s->agreements, asked->agreements.items[i]))
            LIST_PUSH(a, &s->agreements, asked->agreements.items[i]);
    session_ran(s, asked->brought, asked->brings);
    if (asked->digest.len)
        session_approve(a, s, NULL,
                        &(struct session_approval){.id = asked->id,
                                                   .digest = asked->digest,
                                                   .how = APPROVED_IN_CLIENT,
                                                   .at = approval_now()});
}

static bool has_session(struct telling *t, const struct session_id *id)
{
    struct session s;

    return session_load(&t->arena, id, &s, NULL) == STATUS_OK && !s.fresh;
}

static void note_yes(struct telling *t)
{
    const struct session_id id = {t->state_dir.s, str_from(t->client->name), t->question.session,
                                  NULL};
    struct proc_id from;
    bool found = false;

    if (!asks_person(t->question.mode) || !proc_starter(REGISTER_HOOK, &from) ||
        asked_take(&t->arena, &t->key, &from, approval_now(), &t->asked, &found, NULL) !=
            STATUS_OK ||
        !found || !asks_person(t->asked.mode) || !has_session(t, &id))
        return;
    if (arena_try(&t->arena, read_call, t) && t->read && record_yes(t))
        (void)session_update(&id, keep_yes, t, NULL, NULL);
}

static void check_honoured(struct telling *t)
{
    const char *home = t->options->home ? t->options->home : getenv("HOME");
    struct recorder *r = open_recorder(t); /* it opens nothing before something is recorded */

    honoured_watch(&t->arena, home, &t->question, CELL_RAN, r);
    recorder_free(r);
}

static bool is_attended(const struct client *client)
{
    const char *said = client->attended ? getenv(client->attended) : "1";

    return said && strcmp(said, "1") == 0;
}

void warder_hook_ran(const warder_options *options, const char *client, const char *event,
                     size_t len)
{
    struct telling t = {.options = options, .text = {event, len}};

    if (!options || !client || !event)
        return;
    t.client = client_find(str_from(client));
    if (!t.client || !client_tells_ran(t.client))
        return;
    arena_init(&t.arena, RAN_MEMORY_MAX);
    if (arena_try(&t.arena, read_event, &t) && t.read && t.question.event->kind == EVENT_RAN) {
        check_honoured(&t);
        if (is_attended(t.client))
            note_yes(&t);
        losses_end(t.state_dir.s, t.question.cwd, t.key.use_id);
    }
    arena_release(&t.arena);
}
