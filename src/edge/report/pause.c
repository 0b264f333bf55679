/* pause.c - `warder pause` and `warder resume`: a person is not asked for a while, and that is on
 * record. */
#include "report/pause.h"

#include "ask/caller.h"
#include "ask/service.h"
#include "engine/record.h"
#include "report/when.h"

#define MEMORY_MAX ((size_t)1024 * 1024)

struct pausing {
    struct arena arena;
    warder_engine *engine;
    struct held held;
    struct pause pause;
    const char *action; /* "began" or "ended" */
    bool was;           /* resume: there was a pause */
    bool served;        /* a service that is not paused answers here */
};

/* ---- the record ---- */

/* Without its braces, as journal_append() takes it. */
static void write_body(struct buf *out, const void *about)
{
    const struct pausing *p = about;
    char until[PAUSE_UNTIL_SIZE];

    buf_format(out, "\"kind\":\"pause\",\"action\":\"%s\"", p->action);
    if (!p->pause.until.wall)
        return;
    pause_until(&p->pause, until);
    buf_format(out, ",\"until\":\"%s\"", until);
    if (p->pause.project.len) {
        buf_text(out, ",\"project_id\":");
        json_string(out, p->pause.project);
    }
}

static enum status put_on_record(struct pausing *p, struct error *err)
{
    struct str body;

    if (!p->engine->recorder)
        return fail(err, STATUS_USAGE, "a pause has to be recorded: the engine records nothing");
    if (!buf_try(&p->arena, write_body, p, &body))
        return fail(err, STATUS_NOMEM, "no memory to record the pause");
    return recorder_append(p->engine->recorder, p->held.project->book, &body, 1, err);
}

/* ---- may it be ---- */

static enum status check_policy(const struct rulebook *book, struct error *err)
{
    const struct {
        bool set;
        const char *key;
    } rows[] = {{book->pause_off, "pause: off"},
                {book->bypass_disabled, "disableBypassPermissionsMode"},
                {book->managed_rules_only, "allowManagedPermissionRulesOnly"}};

    for (size_t i = 0; i < COUNT(rows); i++)
        if (rows[i].set)
            return fail(err, STATUS_UNSAFE, "policy forbids a pause: %s", rows[i].key);
    return STATUS_OK;
}

/* Its own questions are its reviewers'. */
static bool is_served(const warder_engine *e, const struct rulebook *book)
{
    bool found = false;

    for (size_t i = 0; !found && i < COUNT(e->service_dirs) && e->service_dirs[i].len; i++) {
        struct service_line line;
        found = service_open(&line, e->service_dirs[i].s, NULL) == STATUS_OK &&
                (!line.own || book->service == SERVICE_REQUIRED || book->service_managed);
        service_close(&line);
    }
    return found && book->service != SERVICE_OFF;
}

/* ---- the words ---- */

static void begin_object(struct report *r, const struct pausing *p, bool paused)
{
    char until[PAUSE_UNTIL_SIZE];

    json_begin_object(&r->json);
    json_key(&r->json, "paused");
    json_bool(&r->json, paused);
    if (!paused)
        return;
    pause_until(&p->pause, until);
    report_member(r, "until", str_from(until));
    report_number(r, "seconds", p->pause.until.wall - p->pause.since.wall);
    report_member(r, "project", p->pause.project);
}

void report_pause(struct report *r, const struct pause *p)
{
    char until[PAUSE_UNTIL_SIZE];

    pause_until(p, until);
    buf_text(&r->text, "until ");
    when_print(&r->text, str_from(until));
    if (p->project.len) {
        buf_text(&r->text, " in ");
        report_show(r, p->project);
    }
}

static void tell_begun(struct report *r, const void *about)
{
    const struct pausing *p = about;

    begin_object(r, p, true);
    json_end_object(&r->json);
    buf_text(&r->text, "paused ");
    report_pause(r, &p->pause);
    buf_text(&r->text,
             "\nWhat Warder would ask about runs without a question. Deny and ask rules, and what "
             "Warder protects, stay.\n"
             "warder resume ends it.\n");
    if (p->served)
        buf_text(&r->text, "A service decides here, and is not paused: its reviewers are asked.\n");
}

static void tell_ended(struct report *r, const void *about)
{
    const struct pausing *p = about;

    begin_object(r, p, false);
    json_key(&r->json, "ended");
    json_bool(&r->json, p->was);
    json_end_object(&r->json);
    buf_text(&r->text, p->was ? "the pause is over\n" : "there was no pause\n");
}

/* ---- the border ---- */

static warder_status open_pausing(struct pausing *p, warder_report **out, warder_error *err)
{
    if (!p->engine || !out)
        return give_usage(err, "missing argument: engine or report");
    *out = NULL;
    warder_status status = policy_borrow(p->engine, &p->held, err);
    if (status == WARDER_OK)
        arena_init(&p->arena, MEMORY_MAX);
    return status;
}

static void close_pausing(struct pausing *p)
{
    arena_release(&p->arena);
    snapshot_drop(p->held.snapshot);
}

/* What cannot be recorded does not begin. */
static enum status begin(struct pausing *p, uint64_t seconds, bool in_project, struct error *err)
{
    const struct rulebook *book = p->held.project->book;
    struct str project = in_project ? p->engine->project : (struct str){0};
    int64_t length = seconds > PAUSE_SECONDS_MAX ? 0 : (int64_t)seconds;
    enum status status;

    if ((status = caller_is_person(err)) != STATUS_OK ||
        (status = check_policy(book, err)) != STATUS_OK ||
        (status = pause_plan(length, project, &p->pause, err)) != STATUS_OK ||
        (status = put_on_record(p, err)) != STATUS_OK)
        return status;
    p->served = is_served(p->engine, book);
    return pause_begin(&p->arena, p->engine->request.state_dir.s, &p->pause, err);
}

warder_status warder_pause(warder_engine *engine, uint64_t seconds, int in_project,
                           warder_report **out, warder_error *err)
{
    struct pausing p = {.engine = engine, .action = "began"};
    struct error inner = {0};
    warder_status status = open_pausing(&p, out, err);

    if (status != WARDER_OK)
        return status;
    status = begin(&p, seconds, in_project != 0, &inner) == STATUS_OK
                 ? report_make(tell_begun, &p, out, err)
                 : error_out(err, &inner);
    close_pausing(&p);
    return status;
}

/* Whoever asks for it: it makes nothing looser, and a full disk must not keep it from ending. */
warder_status warder_resume(warder_engine *engine, warder_report **out, warder_error *err)
{
    struct pausing p = {.engine = engine, .action = "ended"};
    struct error inner = {0};
    warder_status status = open_pausing(&p, out, err);

    if (status != WARDER_OK)
        return status;
    if (pause_end(engine->request.state_dir.s, &p.was, &inner) == STATUS_OK) {
        if (p.was)
            (void)put_on_record(&p, NULL);
        status = report_make(tell_ended, &p, out, err);
    } else {
        status = error_out(err, &inner);
    }
    close_pausing(&p);
    return status;
}
