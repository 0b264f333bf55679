/* elsewhere.c - a call in other profiles and modes than those of a service, without its policy. */
#include <stdio.h>

#include "base/json.h"
#include "base/utf8.h"
#include "decide/profiles.h"
#include "engine/engine.h"
#include "engine/report.h"
#include "rule/mode.h"
#include "warder_admin.h"

#define BODY_MEMORY ((size_t)16 * 1024 * 1024)
#define NAME_SIZE   32

/* What a person chooses from; bubble is no mode of theirs. */
static const enum mode tried_modes[] = {MODE_DEFAULT, MODE_ACCEPT_EDITS, MODE_PLAN,  MODE_DONT_ASK,
                                        MODE_AUTO,    MODE_DELEGATE,     MODE_BYPASS};

/* ---- the body ---- */

struct body {
    struct arena arena;
    struct str json, call; /* as it came; without what is about the trial */
    char profile[NAME_SIZE], mode[NAME_SIZE];
    enum status status;
    struct error *err;
};

static void read_body(void *arg)
{
    static const char *const own[] = {"tree", "profile", "policy", "mode"};
    struct body *q = arg;
    struct buf b = buf_in(&q->arena);
    struct json_writer w = json_to(&b);
    struct value v;

    q->status = json_read(&q->arena, q->json, NULL, &v, q->err);
    if (q->status == STATUS_OK && v.kind != VALUE_OBJECT)
        q->status = fail(q->err, STATUS_USAGE, "a call is an object");
    if (q->status != STATUS_OK)
        return;
    snprintf(q->profile, sizeof(q->profile), "%.*s", STR_ARG(value_text(&v, "profile")));
    snprintf(q->mode, sizeof(q->mode), "%.*s", STR_ARG(value_text(&v, "mode")));
    json_begin_object(&w);
    for (size_t i = 0; i < v.count; i++)
        if (!STR_IN(v.members[i].key, own)) {
            json_key_str(&w, v.members[i].key);
            json_any(&w, &v.members[i].value);
        }
    json_end_object(&w);
    q->call = buf_str(&b);
}

/* The caller releases its arena. */
static enum status open_body(struct body *q, const char *json, size_t len, struct error *err)
{
    *q = (struct body){.json = {json, len}, .err = err};
    arena_init(&q->arena, BODY_MEMORY);
    if (!arena_try(&q->arena, read_body, q))
        q->status = fail(err, STATUS_LIMIT, "too large to explain");
    return q->status;
}

/* ---- one judgement ---- */

static warder_status judge(const char *home, const struct body *q, const char *profile,
                           const char *mode, warder_engine **engine, warder_decision **out,
                           warder_error *err)
{
    static const char *const none[] = {NULL};
    warder_options options = WARDER_OPTIONS_INIT;

    options.profile = profile && profile[0] ? profile : NULL;
    options.mode = mode && mode[0] ? mode : NULL;
    options.home = home;
    options.policies = none;
    options.policy_count = 0;
    options.sessions_in_memory = 1;
    warder_status status = warder_engine_new(&options, engine, err);
    if (status == WARDER_OK)
        status = warder_check_json(*engine, q->call.s, q->call.len, out, err);
    return status;
}

static void show_json(struct report *r, const void *about)
{
    const struct str *json = about;

    buf_add(&r->json_text, *json);
}

warder_status warder_explain_elsewhere(const char *data, const char *home, const char *json,
                                       size_t len, warder_report **out, warder_error *err)
{
    struct error inner = {0};
    struct body q;
    warder_engine *engine = NULL;
    warder_decision *decision = NULL;

    (void)data;
    if (!out || !json)
        return give_usage(err, "missing argument: call or report");
    *out = NULL;
    warder_status status =
        open_body(&q, json, len, &inner) == STATUS_OK ? WARDER_OK : error_out(err, &inner);
    if (status == WARDER_OK)
        status = judge(home, &q, q.profile, q.mode, &engine, &decision, err);
    if (status == WARDER_OK) {
        const char *text = warder_decision_explain_json(decision);
        const struct str shown = str_from(text ? text : "{}");
        status = report_make_line(show_json, &shown, out, err);
    }
    warder_decision_free(decision);
    warder_engine_free(engine);
    arena_release(&q.arena);
    return status;
}

/* ---- all of them ---- */

struct matrix {
    const char *home;
    struct body body;
};

static void write_names(struct json_writer *w, const struct profile *rows, size_t count)
{
    json_key(w, "profiles");
    json_begin_array(w);
    for (size_t i = 0; i < count; i++)
        json_text(w, str_from(rows[i].name));
    json_end_array(w);
    json_key(w, "modes");
    json_begin_array(w);
    for (size_t i = 0; i < COUNT(tried_modes); i++)
        json_text(w, str_from(mode_name(tried_modes[i])));
    json_end_array(w);
}

/* Copies of what is shown: writing may leave by the arena's door, and an engine must not be open
 * then. */
struct cell_said {
    const char *behavior;
    char layer[NAME_SIZE], reason[1024];
};

static struct cell_said try_cell(const struct matrix *m, const char *profile, enum mode mode)
{
    struct cell_said said = {0};
    warder_engine *engine = NULL;
    warder_decision *d = NULL;

    if (judge(m->home, &m->body, profile, mode_name(mode), &engine, &d, NULL) == WARDER_OK) {
        said.behavior = warder_behavior_name(warder_decision_behavior(d));
        snprintf(said.layer, sizeof(said.layer), "%s", d->verdict.layer ? d->verdict.layer : "");
        snprintf(said.reason, sizeof(said.reason), "%.*s",
                 STR_ARG(utf8_cut(d->verdict.reason, 1000)));
    }
    warder_decision_free(d);
    warder_engine_free(engine);
    return said;
}

static void write_cell(struct json_writer *w, const struct cell_said *said)
{
    if (!said->behavior) {
        json_null(w);
        return;
    }
    json_begin_object(w);
    json_text_member(w, "behavior", str_from(said->behavior));
    json_text_member(w, "layer", str_from(said->layer));
    json_text_member(w, "reason", str_from(said->reason));
    json_end_object(w);
}

static void write_matrix(struct report *r, const void *about)
{
    const struct matrix *m = about;
    size_t count;
    const struct profile *rows = profile_rows(&count);

    json_begin_object(&r->json);
    write_names(&r->json, rows, count);
    json_key(&r->json, "cells");
    json_begin_array(&r->json);
    for (size_t i = 0; i < count; i++) {
        json_begin_array(&r->json);
        for (size_t k = 0; k < COUNT(tried_modes); k++) {
            const struct cell_said said = try_cell(m, rows[i].name, tried_modes[k]);
            write_cell(&r->json, &said);
        }
        json_end_array(&r->json);
    }
    json_end_array(&r->json);
    json_end_object(&r->json);
}

warder_status warder_explain_matrix(const char *data, const char *home, const char *json,
                                    size_t len, warder_report **out, warder_error *err)
{
    struct error inner = {0};
    struct matrix m = {.home = home};

    (void)data;
    if (!out || !json)
        return give_usage(err, "missing argument: call or report");
    *out = NULL;
    warder_status status = open_body(&m.body, json, len, &inner) == STATUS_OK
                               ? report_make_line(write_matrix, &m, out, err)
                               : error_out(err, &inner);
    arena_release(&m.body.arena);
    return status;
}
