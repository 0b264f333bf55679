/* doctor.c - is each agent on this machine registered, does its registration hold, does it really
 * block, and has it ever asked? */
#include "connect/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/caller.h"
#include "ask/race.h"
#include "engine/approve.h"
#include "machine/clock.h"
#include "machine/process.h"
#include "policy/managed.h"
#include "record/state_db.h"
#include "report/when.h"

#define DOCTOR_MEMORY_MAX ((size_t)64 * 1024 * 1024)

/* ---- is it registered ---- */

static bool could_write(const char *path)
{
    char directory[2 * PATH_MAX];
    char *slash;

    snprintf(directory, sizeof(directory), "%s", path);
    slash = strrchr(directory, '/');
    if (slash)
        *slash = '\0';
    return access(path, W_OK) == 0 || access(directory, W_OK) == 0;
}

static void look_at_file(struct visit *v, const struct client *client, enum scope scope,
                         struct look *out)
{
    if (place_find(client, scope, v->where, &out->place, &out->error) == STATUS_OK)
        (void)place_look(&v->arena, &out->place, &out->found, &out->said, &out->error);
    out->ours_to_change = could_write(out->place.path);
}

/* Only managed settings cannot be switched off; settings of the project alone protect nothing. */
static const struct look *strongest(const struct patient *p)
{
    static const enum scope order[] = {SCOPE_MANAGED, SCOPE_USER, SCOPE_PROJECT};

    for (size_t i = 0; i < COUNT(order); i++)
        if (p->looks[order[i]].said.events)
            return &p->looks[order[i]];
    return NULL;
}

/* A file of its that cannot be read, or that it would not read. */
static bool has_error(const struct patient *p)
{
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        if (p->looks[i].error.message[0])
            return true;
    return false;
}

bool patient_is_gone(const struct patient *p)
{
    return !p->seen[0] && !p->used && !has_error(p);
}

/* ---- does it block ---- */

struct canary_text {
    struct visit *visit;
    const struct patient *patient;
    struct str bad, good, command;
    struct str out, err;
    int code;
    enum behavior outcome;
};

static void make_canaries(void *arg)
{
    struct canary_text *t = arg;
    struct arena *a = &t->visit->arena;
    const struct look *used = t->patient->used;
    const struct registration *row = used->place.registrar.row;
    struct str here = str_from(used->place.project);

    t->bad = register_canary(a, row, STR(BAD_CANARY), here);
    t->good = register_canary(a, row, STR(GOOD_CANARY), here);
    t->command =
        row->executable ? str_format(a, "'%s'", used->place.path) : str_copy(a, used->said.command);
}

static void read_outcome(void *arg)
{
    struct canary_text *t = arg;

    t->outcome = client_outcome(&t->visit->arena, t->out, t->err, t->code);
    t->err = str_copy(&t->visit->arena, str_trim(t->err));
}

/* As the client would: through the shell, with its event on standard input. False: no memory. */
static bool fire(struct canary_text *t, struct str event)
{
    char shell[] = "/bin/sh", option[] = "-c";
    char *command = strndup(t->command.s, t->command.len);
    char *argv[] = {shell, option, command, NULL};
    const struct process_plan plan = {argv, environ, t->patient->used->place.project, event,
                                      clock_ms() + (int64_t)REGISTER_TIMEOUT * 1000};
    struct process p = {0};
    struct error err = {0};
    bool done;

    t->code = -1;
    if (command && process_start(&p, &plan, &err) == STATUS_OK)
        process_finish(&p);
    if (p.end == PROCESS_EXITED)
        t->code = p.code;
    t->out = (struct str){p.out.text, p.out.len};
    t->err = p.err.len ? (struct str){p.err.text, p.err.len} : str_from(err.message);
    done = command && arena_try(&t->visit->arena, read_outcome, t);
    t->out = (struct str){0}; /* what it said ends here, but for the copy */
    if (!done)
        t->err = (struct str){0};
    process_release(&p, clock_ms());
    free(command);
    return done;
}

static bool starts_hooks(const struct visit *v)
{
    return v->order.kind == VISIT_CANARIES || v->order.kind == VISIT_LIVE;
}

static bool try_canaries(struct visit *v, struct patient *p)
{
    struct canary_text t = {.visit = v, .patient = p};

    if (!p->used || p->used->said.command.len == 0 || !starts_hooks(v))
        return true;
    if (!arena_try(&v->arena, make_canaries, &t) || !fire(&t, t.bad))
        return false;
    p->canary.fired = true;
    p->canary.bad = t.outcome;
    p->canary.said = t.err;
    if (!fire(&t, t.good))
        return false;
    p->canary.good = t.outcome;
    if (t.outcome != BEHAVIOR_ALLOW)
        p->canary.said = t.err;
    return true;
}

/* ---- all of it ---- */

/* When the file of the registration was last written. */
static int64_t changed_at(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 ? (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000
                                : 0;
}

struct client_check {
    struct visit *visit;
    struct patient *patient;
    struct strs known; /* commands of hooks that are ours */
};

static void note_known(void *arg)
{
    struct client_check *c = arg;

    for (size_t i = 0; i < SCOPE_COUNT; i++) {
        const struct registered *said = &c->patient->looks[i].said;
        for (size_t n = 0; n < said->entries.count; n++)
            LIST_PUSH(&c->visit->arena, &c->known, said->entries.items[n].command);
    }
}

static bool find_others(struct visit *v, struct client_check *c)
{
    if (!starts_hooks(v))
        return true;
    return arena_try(&v->arena, note_known, c) &&
           other_hooks_find(&v->arena, &c->patient->looks[SCOPE_USER].place, v->where, &c->known,
                            &c->patient->others);
}

static void judge(void *arg)
{
    struct client_check *c = arg;

    doctor_judge(c->visit, c->patient);
}

static void judge_live(void *arg)
{
    struct client_check *c = arg;

    doctor_judge_live(c->visit, c->patient);
}

/* Where something is wrong already, a run would prove nothing more. */
static bool try_live(struct visit *v, struct client_check *c)
{
    struct patient *p = c->patient;

    if (v->order.kind != VISIT_LIVE || p->state == NOT_PROTECTED)
        return true;
    const struct live_order order = {
        .client = p->client,
        .home = v->where->home,
        .sandbox_home = registration_of(p->client)->live_shell ? v->sandbox_home : NULL,
        .seconds = v->order.live_seconds};
    return live_run(&v->arena, &order, &p->live) && arena_try(&v->arena, judge_live, c);
}

static bool visit_client(struct visit *v, const struct client *client,
                         const struct evidence *called)
{
    struct patient *p = &v->patients[v->count];
    struct client_check c = {.visit = v, .patient = p};

    p->client = client;
    p->called = *called;
    for (size_t i = 0; i < SCOPE_COUNT; i++)
        look_at_file(v, client, (enum scope)i, &p->looks[i]);
    place_agent(&p->looks[SCOPE_USER].place, p->seen, sizeof(p->seen));
    p->used = strongest(p);
    if (patient_is_gone(p) && (starts_hooks(v) || !p->called.at))
        return true;
    v->count++;
    if (p->used) {
        p->trust = codex_trust(&v->arena, &p->used->place, &p->used->said);
        p->changed_at = changed_at(p->used->place.path);
    }
    v->changeable = v->changeable || !managed_is_there("") ||
                    (p->used && (p->used->ours_to_change || could_write(p->used->place.program)));
    return try_canaries(v, p) && find_others(v, &c) && arena_try(&v->arena, judge, &c) &&
           try_live(v, &c);
}

static void find_state(struct visit *v, const warder_engine *engine)
{
    struct approvals waiting = {0};

    if (!engine)
        return;
    const char *state_dir = engine->request.state_dir.s;
    (void)pause_find(&v->arena, state_dir, &v->pause, &v->unpaused);
    if (approval_list(&v->arena, state_dir, approval_now(), &waiting, NULL) == STATUS_OK)
        v->approvals = waiting.count;
    v->reviews = state_db_pending(state_dir);
}

static void read_book(struct visit *v, const struct rulebook *book)
{
    const struct problem *p = rulebook_broken(book);

    if (p)
        fail(&v->policy, STATUS_SYNTAX, "%.*s:%u: %.*s", STR_ARG(p->file), p->line,
             STR_ARG(p->message));
    v->mode = book->mode.given ? mode_name(book->mode.mode) : NULL;
}

static void find_sandbox(struct visit *v, const warder_engine *engine, const struct held *held)
{
    sandboxed_find(engine, held, &v->sandboxed);
    for (size_t i = 0; i < PATIENTS_MAX && clients[i].name; i++)
        v->ignored[i] = v->sandboxed.state == SANDBOXED_TRIED && client_contains(&clients[i]) &&
                        sandboxed_ignored(engine, &clients[i]);
    const bool said = sandbox_use(&held->project->book->sandbox, false) != USE_OFF;
    const bool built = v->sandboxed.state == SANDBOXED_TRIED && v->sandboxed.tier != CELL_NONE;
    if (said || built) /* where nobody has asked for one and there is none, nothing is to be seen */
        v->sandbox_home = str_try_copy(&v->arena, engine->home).s;
}

/* A policy that cannot be read denies every call, in every agent. */
static void find_policy(struct visit *v)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine = NULL;
    warder_error err = {0};
    struct held held;

    options.home = v->where->home;
    options.project = v->where->project;
    if (warder_engine_new(&options, &engine, &err) != WARDER_OK ||
        policy_borrow(engine, &held, &err) != WARDER_OK) {
        fail(&v->policy, STATUS_SYNTAX, "%s", err.message);
    } else {
        read_book(v, held.project->book);
        find_sandbox(v, engine, &held);
        snapshot_drop(held.snapshot);
    }
    find_state(v, engine);
    if (engine && v->order.kind == VISIT_LOOK)
        undo_place_find(engine->request.state_dir.s,
                        engine->project.len ? engine->project : engine->cwd, &v->undo);
    warder_engine_free(engine);
}

static void find_calls(struct visit *v, struct evidence called[PATIENTS_MAX])
{
    struct evidence_search search = {.home = v->where->home,
                                     .only_recent = v->order.kind == VISIT_BRIEF,
                                     .out = called,
                                     .count = PATIENTS_MAX};
    struct error unread = {0};

    (void)when_read(STR("today"), stamp_now(), &search.since);
    if (evidence_find(&search, &unread) != STATUS_OK)
        v->unread = unread;
    v->today = search.recent;
}

static warder_status visit_all(struct visit *v, const struct client *only, warder_error *err)
{
    struct evidence called[PATIENTS_MAX] = {0};

    find_policy(v);
    find_calls(v, called); /* before the canaries, which are calls on record, too */
    for (const struct client *c = clients; c->name; c++)
        if ((!only || c == only) && v->count < PATIENTS_MAX &&
            !visit_client(v, c, &called[c - clients]))
            return give_no_memory(err);
    return WARDER_OK;
}

warder_status doctor_visit(const warder_installation *where, const struct visit_order *order,
                           warder_report **out, warder_error *err)
{
    warder_installation given = WARDER_INSTALLATION_INIT;
    const struct client *only = NULL;
    struct error inner = {0};
    struct place place;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!where || !copy_versioned(&given, sizeof(given), where, where->struct_size))
        return give_usage(err, INSTALLATION_TOO_NEW);
    if ((given.client && place_client(given.client, &only, &inner) != STATUS_OK) ||
        place_find(clients, SCOPE_USER, &given, &place, &inner) != STATUS_OK)
        return error_out(err, &inner); /* no agent, or no home: nothing could be found there */
    struct visit *v = calloc(1, sizeof(*v));
    if (!v)
        return give_no_memory(err);
    v->where = &given;
    v->order = *order;
    arena_init(&v->arena, DOCTOR_MEMORY_MAX);
    warder_status status = visit_all(v, only, err);
    if (status == WARDER_OK)
        status = report_make(order->tell, v, out, err);
    arena_release(&v->arena);
    free(v);
    return status;
}

warder_status warder_doctor(const warder_installation *where, warder_report **out,
                            warder_error *err)
{
    const struct visit_order order = {.kind = VISIT_CANARIES, .tell = doctor_tell};

    return doctor_visit(where, &order, out, err);
}

/* ---- by the agent itself ---- */

const char *warder_live_command(const char *client)
{
    const struct client *c = client_find(str_from(client));

    return c ? registration_of(c)->live : NULL;
}

/* What policy uses is looked at without the project: the agent is started in a directory of its
 * own. */
const char *warder_live_question(const warder_installation *where)
{
    warder_installation given = WARDER_INSTALLATION_INIT;
    const char *question = WARDER_LIVE_QUESTION;
    struct visit *v = NULL;

    if (!where || !copy_versioned(&given, sizeof(given), where, where->struct_size) ||
        !(v = calloc(1, sizeof(*v))))
        return question;
    const struct client *client = given.client ? client_find(str_from(given.client)) : NULL;
    v->where = &given;
    arena_init(&v->arena, DOCTOR_MEMORY_MAX);
    find_policy(v);
    if (v->sandbox_home && client && registration_of(client)->live_shell)
        question = WARDER_LIVE_SANDBOX_QUESTION;
    arena_release(&v->arena);
    free(v);
    return question;
}

warder_status warder_doctor_live(const warder_installation *where, uint32_t seconds,
                                 warder_report **out, warder_error *err)
{
    const struct visit_order order = {
        .kind = VISIT_LIVE, .live_seconds = seconds, .tell = doctor_tell};
    struct error inner = {0};

    if (out)
        *out = NULL;
    if (!where || !where->client)
        return give_usage(err, "missing argument: client");
    if (client_find(str_from(where->client)) && !warder_live_command(where->client))
        (void)fail(&inner, STATUS_USAGE, "%s cannot be started with a question", where->client);
    else
        (void)caller_is_no_agent(&inner);
    if (inner.message[0])
        return error_out(err, &inner);
    return doctor_visit(where, &order, out, err);
}
