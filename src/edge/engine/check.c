/* check.c - one question to an engine: a call, judged by the present snapshot of the policy. */
#include <stdio.h>
#include <stdlib.h>

#include "ask/pause.h"
#include "ask/session_file.h"
#include "base/ascii.h"
#include "base/json.h"
#include "base/path.h"
#include "client/client.h"
#include "engine/approve.h"
#include "engine/bounds.h"
#include "engine/call_value.h"
#include "engine/cell.h"
#include "engine/edges.h"
#include "engine/losses.h"
#include "engine/thread_cache.h"
#include "machine/guard.h"
#include "machine/world.h"

/* What one question brings. */
struct question {
    warder_engine *engine;
    warder_decision *decision;
    const char *tool;
    struct str text;
    const warder_call *call;
    enum { ASKED_BY_JSON, ASKED_BY_INPUT, ASKED_BY_ARGUMENT, ASKED_BY_CALL } how;
    const char *client; /* whose session it is; NULL: as the call says */
    bool begins;        /* a session that is new begins with this call: it will be resolved */
    bool bounded;       /* MODE_AT_MOST_OWN */
    const struct caller_bounds *bounds; /* NULL: none */
    bool later; /* of a service: the call is judged when it is resolved, hooks of clients' files
                   are not run, and a call that names no project belongs to its directory */
    struct error *err;
    enum status status;
};

static enum status read_question(struct question *q)
{
    struct arena *a = &q->decision->arena;
    const warder_engine *e = q->engine;
    const struct call_defaults defaults = {
        .cwd = e->cwd,
        .project = q->later ? (struct str){0} : e->project,
        .home = e->home,
        .mode = e->mode,
        .plan_file = e->plan_file,
        .session = e->session,
        .client = e->client,
    };
    struct value *v = ARENA_NEW(a, struct value);
    struct str tool = str_copy(a, str_from(q->tool));
    enum status status;

    if (q->how == ASKED_BY_ARGUMENT)
        return call_make(a, tool, q->text, &defaults, &q->decision->call, q->err);
    status = q->how == ASKED_BY_CALL ? call_value(a, q->call, v, q->err)
                                     : json_read(a, q->text, NULL, v, q->err);
    if (status != STATUS_OK)
        return status;
    if (q->how == ASKED_BY_INPUT)
        return call_from_input(a, tool, v, &defaults, &q->decision->call, q->err);
    return call_read(a, v, &defaults, &q->decision->call, q->err);
}

__attribute__((noinline)) static void refuse(struct question *q)
{
    struct str why = str_format(&q->decision->arena, "%s", q->err->message);

    if (q->err->line)
        why = str_format(&q->decision->arena, "%u:%u: %s", q->err->line, q->err->column,
                         q->err->message);
    decide_malformed(&q->decision->arena, why, &q->decision->verdict);
}

static void take_past(struct session *s, const struct session *met)
{
    s->began = met->began;
    s->programs = met->programs;
    s->brought = met->brought;
    s->agreed = met->agreed;
    s->agreements = met->agreements;
    s->given = met->given;
    s->has_main = met->has_main;
    s->main = met->main;
}

/* Scripts are judged by their age, and programs by the session that built them. A session that
 * cannot be read says nothing. */
static const struct session *recall(void *decision)
{
    warder_decision *d = decision;
    const struct session_id id = engine_session(d->engine, d->past_client, d->call.session);
    struct guard_frame *paused = guard_pause(); /* a file is read */
    struct error ignored = {0};

    if (!d->recalled) {
        enum status status = d->past == PAST_BEGUN
                                 ? session_meet(&d->arena, &id, &d->met, &ignored)
                                 : session_load(&d->arena, &id, &d->met, &ignored);
        if (status != STATUS_OK) {
            d->met = (struct session){0};
            d->past = PAST_UNUSED;
        }
        take_past(&d->asked, &d->met);
        d->recalled = true;
    }
    guard_resume(paused);
    return &d->asked;
}

void decision_set(const warder_decision *d, struct session *out)
{
    *out = d->snapshot->session;
    changes_mode(&d->snapshot->changes, d->call.session, out);
}

/* A pause that cannot be read is none. */
static struct str paused(void *decision, const struct call *call)
{
    const warder_decision *d = decision;
    struct guard_frame *stopped = guard_pause(); /* a file is read */
    char until[PAUSE_UNTIL_SIZE] = "";
    struct pause pause;
    struct error ignored = {0};

    if (pause_find(&d->self->arena, d->engine->request.state_dir.s, &pause, &ignored) ==
            STATUS_OK &&
        pause_covers(&pause, call->project, !call->project_unproved))
        pause_until(&pause, until);
    guard_resume(stopped);
    return str_copy(&d->self->arena, str_from(until));
}

/* A file that cannot be read, or says what another start of the machine had, is no cell. */
static const struct cell_facts *cell_of(void *decision)
{
    warder_decision *d = decision;

    if (!d->cell_known) {
        struct guard_frame *stopped = guard_pause(); /* a file is read */
        d->cell = cell_find(d);
        d->cell_known = true;
        guard_resume(stopped);
    }
    return &d->cell;
}

/* Who only checks says what a hook would, and a hook knows its client. */
static bool may_save(const warder_decision *d)
{
    const warder_engine *e = d->engine;

    return e->saves && (e->recorder || decision_client(d).len);
}

struct decide_options decision_options(warder_decision *d)
{
    const warder_engine *e = d->engine;

    decision_set(d, &d->asked);
    take_past(&d->asked, &d->met);
    return (struct decide_options){
        .profile = d->profile,
        .book = d->book,
        .session = &d->asked,
        .recall = d->past != PAST_UNUSED && d->call.session.len ? recall : NULL,
        .paused = e->pausable ? paused : NULL,
        .cell = e->contains ? cell_of : NULL,
        .saves = may_save(d) ? losses_foresee : NULL,
        .context = d,
        .world = &d->world,
        .home = e->home,
        .own = &e->own,
        .bounded = d->bounded,
        .own_mode = e->mode,
        .bypass_flag = e->bypass_flag,
        .headless = e->headless,
        .auto_allow = e->auto_allow,
        .words_later = d->used_again,
        .now = approval_now(),
    };
}

void decision_judge(void *decision)
{
    warder_decision *d = decision;
    const struct decide_options o = decision_options(d);
    struct guard_frame *paused = guard_pause();

    disk_begin(&d->disk, &d->arena, d->disk.memory);
    guard_resume(paused);
    decide(&d->arena, &o, &d->call, &d->verdict);
}

/* The project is usually that of the last call. */
static enum status find_policy(warder_decision *d, struct error *err)
{
    if (d->project && str_is(d->call.project, d->project->project))
        return STATUS_OK;
    struct guard_frame *paused = guard_pause(); /* it reads files into memory that others share */
    enum status status = snapshot_project(d->snapshot, d->call.project, &d->project, err);
    guard_resume(paused);
    return status;
}

bool decision_own_mode(warder_decision *d, enum mode *out)
{
    const struct decide_options options = decision_options(d);
    struct call plain = d->call;

    plain.mode_given = false;
    plain.mode = d->engine->mode;
    return decide_mode(&options, &plain, out);
}

bool decision_edits_by_person(const warder_decision *d, const struct client *client)
{
    return client->lifts_edits && d->book && d->book->registered_by_person &&
           !d->book->mode_by_project;
}

/* A name that leads nowhere else. */
static bool is_plain_name(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_alnum(s.s[i]) && !(strchr("-_.", s.s[i]) && i > 0))
            return false;
    return s.len && s.len <= 128;
}

/* "The system generates a plan file path (plan-<sessionId>.md)", where no option names one. */
static void find_plan_file(warder_decision *d)
{
    struct arena *a = &d->arena;

    if (d->call.plan_file.len || !d->profile->plans || !is_plain_name(d->call.session))
        return;
    struct str directory = path_join(a, d->engine->home, str_from(d->profile->plans));
    d->call.plan_file =
        path_join(a, directory, str_format(a, "plan-%.*s.md", STR_ARG(d->call.session)));
}

static void judge_question(void *arg)
{
    struct question *q = arg;
    warder_decision *d = q->decision;

    q->status = read_question(q);
    if (q->status == STATUS_USAGE)
        return; /* the caller's mistake, not the agent's */
    if (q->status == STATUS_OK && q->bounds &&
        !bounds_keep(&d->arena, q->bounds, &d->call, &d->forbidden))
        return; /* before any file of a project is read */
    if (q->status != STATUS_OK || find_policy(d, q->err) != STATUS_OK) {
        refuse(q);
        q->status = STATUS_OK;
        return;
    }
    d->book = d->project->book;
    d->past = q->later ? PAST_UNUSED : q->begins ? PAST_BEGUN : PAST_LOADED;
    d->past_client = q->client ? str_from(q->client) : decision_client(d);
    d->bounded = q->bounded;
    if (d->bounded) /* the agent may have written what the caller sends */
        d->call.plan_file = d->engine->plan_file;
    find_plan_file(d);
    if (q->later && !rulebook_has_hooks(d->book, false))
        return; /* no hook asks for the verdict before it is resolved */
    decision_judge(d);
}

static void decision_begin(warder_decision *d, warder_engine *e, struct snapshot *snapshot,
                           struct disk_memory *memory)
{
    const size_t from = offsetof(warder_decision, self); /* after the arena */

    /* disk, world and what follows are large: the functions that use them initialise them. */
    memset((char *)d + from, 0, offsetof(warder_decision, disk) - from);
    d->self = d;
    d->engine = e;
    d->snapshot = snapshot;
    d->profile = d->snapshot->profile;
    d->disk.arena = NULL;
    d->disk.memory = memory;
}

static warder_decision *decision_new(warder_engine *e, struct thread_cache *cache)
{
    warder_decision *d = cache ? thread_cache_take(cache) : NULL;

    if (!d) {
        if (!(d = malloc(sizeof(*d))))
            return NULL;
        arena_init(&d->arena, DECISION_MEMORY_MAX);
    }
    engine_hold(e);
    decision_begin(d, e, snapshot_slot_take(&e->slot), cache ? cache->disk : NULL);
    d->world = world_of(&d->disk, e->edges->match);
    d->project = NULL;
    d->cache = cache;
    return d;
}

/* Gives up a question that was prepared (prepare.c) and will not be concluded. */
static void abandon(warder_decision *d)
{
    free(d->open);
    d->open = NULL;
}

static void give_memory_back(warder_decision *d)
{
    if (d->used_again)
        disk_memory_free(d->disk.memory);
}

/* Begins it again, in the memory that it has. */
static void decision_renew(warder_decision *d)
{
    warder_engine *engine = d->engine;
    struct disk_memory *memory = d->used_again ? d->disk.memory : disk_memory_new();
    struct snapshot *before = d->snapshot, *now = snapshot_slot_take_again(&engine->slot, before);

    abandon(d);
    if (now != before)
        d->project = NULL;
    arena_reset(&d->arena);
    decision_begin(d, engine, now, memory);
    d->used_again = true;
}

void warder_decision_free(warder_decision *decision)
{
    if (!decision)
        return;
    warder_engine *engine = decision->engine;
    abandon(decision);
    give_memory_back(decision);
    snapshot_drop(decision->snapshot);
    if (decision->cache) {
        thread_cache_put(decision->cache, decision);
    } else {
        arena_release(&decision->arena);
        free(decision);
    }
    warder_engine_free(engine);
}

/* After a fault there is a decision, which denies. */
static void judge_first(struct question *q)
{
    warder_decision *d = q->decision;

    if (!decision_try(d, judge_question, q))
        q->status = d->faulted ? STATUS_OK : fail(q->err, STATUS_NOMEM, "too large to be judged");
}

static bool is_complete(const struct question *q)
{
    if (q->how == ASKED_BY_CALL)
        return q->call->tool != NULL;
    return q->text.s && (q->how == ASKED_BY_JSON || q->tool);
}

static warder_status put_question(struct question *q, warder_decision **out, warder_error *err)
{
    struct error inner = {0};

    if (!out)
        return give_usage(err, "missing argument: decision");
    *out = NULL;
    if (!q->engine || !is_complete(q))
        return give_usage(err, "there is no engine, or no call");
    if (!(q->decision = decision_new(q->engine, q->later ? q->engine->cache : NULL)))
        return give_no_memory(err);
    q->err = &inner;
    judge_first(q);
    if (q->status != STATUS_OK) {
        warder_decision_free(q->decision);
        return error_out(err, &inner);
    }
    *out = q->decision;
    return WARDER_OK;
}

warder_status warder_check_json(warder_engine *engine, const char *json, size_t len,
                                warder_decision **out, warder_error *err)
{
    struct question q = {.engine = engine, .text = {json, len}, .how = ASKED_BY_JSON};

    return put_question(&q, out, err);
}

static warder_status put_again(struct question *q, warder_error *err)
{
    struct error inner = {0};

    if (!q->decision)
        return give_usage(err, "there is no decision to be used again");
    decision_renew(q->decision);
    if (!is_complete(q))
        return give_usage(err, "there is no call");
    q->engine = q->decision->engine;
    q->err = &inner;
    judge_first(q);
    if (q->status == STATUS_NOMEM)
        decision_overflow(q->decision);
    return q->status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}

warder_status warder_check_again(warder_decision *decision, const char *json, size_t len,
                                 warder_error *err)
{
    struct question q = {.decision = decision, .text = {json, len}, .how = ASKED_BY_JSON};

    return put_again(&q, err);
}

/* A call of a program with another version of the header. */
static warder_status take_call(const warder_call *given, warder_call *out, warder_error *err)
{
    *out = (warder_call){0};
    if (given && copy_versioned(out, sizeof(*out), given, given->struct_size))
        return WARDER_OK;
    *out = (warder_call){0}; /* no part of it is judged */
    return give_usage(err, "there is no call, its struct_size is not set, or it has members that "
                           "this version does not know");
}

warder_status warder_check(warder_engine *engine, const warder_call *call, warder_decision **out,
                           warder_error *err)
{
    warder_call known;
    struct question q = {.engine = engine, .call = &known, .how = ASKED_BY_CALL};

    if (out)
        *out = NULL;
    warder_status status = take_call(call, &known, err);
    return status == WARDER_OK ? put_question(&q, out, err) : status;
}

warder_status warder_recheck(warder_decision *decision, const warder_call *call, warder_error *err)
{
    warder_call known;
    warder_error first;
    struct question q = {.decision = decision, .call = &known, .how = ASKED_BY_CALL};
    const warder_status taken = take_call(call, &known, &first), put = put_again(&q, err);

    if (taken != WARDER_OK && err)
        *err = first;
    return taken != WARDER_OK ? taken : put;
}

warder_status warder_check_input(warder_engine *engine, const char *tool, const char *input,
                                 size_t len, warder_decision **out, warder_error *err)
{
    struct question q = {
        .engine = engine, .tool = tool, .text = {input, len}, .how = ASKED_BY_INPUT};

    return put_question(&q, out, err);
}

warder_status engine_open_call(warder_engine *e, struct str json, enum said_mode said,
                               const struct caller_bounds *bounds, warder_decision **out,
                               warder_error *err)
{
    struct question q = {.engine = e,
                         .text = json,
                         .how = ASKED_BY_JSON,
                         .later = true,
                         .bounds = bounds,
                         .bounded = said == MODE_AT_MOST_OWN};

    return put_question(&q, out, err);
}

warder_status engine_check_first(warder_engine *e, struct str json, const char *client,
                                 warder_decision **out, warder_error *err)
{
    struct question q = {
        .engine = e, .text = json, .how = ASKED_BY_JSON, .client = client, .begins = true};

    return put_question(&q, out, err);
}

warder_status engine_ask(warder_engine *e, const char *tool, struct str argument,
                         warder_decision **out, warder_error *err)
{
    struct question q = {.engine = e, .tool = tool, .text = argument, .how = ASKED_BY_ARGUMENT};

    return put_question(&q, out, err);
}

warder_status warder_check_argument(warder_engine *engine, const char *tool, const char *argument,
                                    warder_decision **out, warder_error *err)
{
    return engine_ask(engine, tool, str_from(argument), out, err);
}
