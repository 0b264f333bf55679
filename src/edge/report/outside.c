/* outside.c - `warder outside`: a person lets a call that ran in the sandbox run outside, once.
 *
 * What the call was, and what was refused to it, the record says; the words of the program that ran
 * are never believed. */
#include <stdlib.h>
#include <string.h>

#include "ask/bound.h"
#include "ask/caller.h"
#include "ask/cells.h"
#include "ask/prompt.h"
#include "base/auto.h"
#include "engine/approve.h"
#include "engine/record.h"
#include "engine/report.h"
#include "machine/clock.h"
#include "report/outside_call.h"
#include "warder_admin.h"

#define MEMORY_MAX ((size_t)256 * 1024 * 1024)

/* ---- its files ---- */

struct checking {
    struct arena *arena;
    struct str plan;
    char digest[SHA256_HEX]; /* of their content */
    struct str changed;
    bool read;
};

/* They are read before the question is put: whoever answers may have looked at them before. */
static void check_files(void *arg)
{
    struct checking *c = arg;
    struct value plan;
    struct bound_files files;

    if (json_read(c->arena, c->plan, NULL, &plan, NULL) != STATUS_OK)
        return;
    const struct value *list = value_get(&plan, "bound");
    if (!bound_again(c->arena, list, BOUND_STAMPS, &files))
        return;
    c->changed = bound_changed(list, &files);
    c->read = bound_again(c->arena, list, APPROVAL_BYTES_MAX, &files);
    bound_digest(&files, c->digest);
}

static enum status bind(const warder_engine *e, struct arena *a, const struct outside_call *found,
                        char digest[SHA256_HEX], struct error *err)
{
    struct str token = str_try_copy(a, found->token);
    AUTO_FREE char *text = NULL;
    struct checking c = {.arena = a};
    enum status status =
        token.len ? cells_find_plan(e->home.s, token.s, &text, &c.plan.len, err) : STATUS_NOMEM;

    if (status != STATUS_OK)
        return status;
    c.plan.s = text;
    if (!arena_try(a, check_files, &c))
        return fail(err, STATUS_NOMEM, "no memory to look at the files of the call");
    if (!c.read)
        return fail(err, STATUS_UNSAFE, "what is kept of that call cannot be read");
    if (c.changed.len)
        return fail(err, STATUS_USAGE,
                    "%.*s has changed since the call ran in the sandbox: let the agent call it "
                    "again first",
                    STR_ARG(c.changed));
    memcpy(digest, c.digest, sizeof(c.digest));
    return STATUS_OK;
}

/* ---- the person ---- */

static enum race_end ask(struct arena *a, const struct panel *panel, struct reply *reply)
{
    static struct prompt prompt; /* large; a process has one terminal */
    struct race race;

    prompt =
        (struct prompt){.panel = panel, .arena = a, .in = -1, .out = -1, .grace_ms = RACE_GRACE_MS};
    const struct asker asker = {&prompt_asker, &prompt, RACE_GRACE_MS};
    const struct race_options options = {.deadline = clock_ms() + (int64_t)CELL_SECONDS * 1000,
                                         .cancel_fd = -1};
    race_run(&asker, 1, &options, &race);
    *reply = race.reply;
    return race.end;
}

static void add_all(struct buf *b, const char *before, const struct strs *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        buf_format(b, "%s%.*s", i ? ", " : before, STR_ARG(texts->items[i]));
}

struct preparing {
    struct arena *arena;
    const struct outside_call *found;
    const char *profile;
    struct panel panel;
};

static void prepare(void *arg)
{
    struct preparing *p = arg;
    struct buf b = buf_in(p->arena);

    buf_text(&b, "it ran in the sandbox");
    add_all(&b, ", which refused it to write to ", &p->found->paths);
    add_all(&b,
            p->found->paths.count ? ", and to connect to " : ", which refused it to connect to ",
            &p->found->hosts);
    buf_text(&b, "; outside it has all of your rights");
    p->panel = (struct panel){
        .profile = p->profile,
        .who = p->found->client,
        .tool = STR("Bash"),
        .input = p->found->command,
        .cwd = p->found->cwd,
        .reason = buf_str(&b),
        .no_allow = STR("the lines for your policy are printed afterwards"),
        .no_deny = STR("a deny rule would have denied it before"),
    };
}

/* ---- what it leads to ---- */

struct noting {
    const struct outside_call *found;
    bool allowed;
};

static void write_body(struct buf *out, const void *about)
{
    const struct noting *n = about;

    buf_format(out, "\"kind\":\"outside\",\"id\":\"%.*s\",\"answer\":\"%s\"", STR_ARG(n->found->id),
               n->allowed ? "once" : "refused");
}

/* On record before it counts. */
static enum status settle(warder_engine *e, struct arena *a, const struct outside_call *found,
                          const char *digest, bool allowed, struct error *err)
{
    const struct noting n = {found, allowed};
    struct str body;

    if (!e->recorder)
        return fail(err, STATUS_USAGE, "this has to be recorded: the engine records nothing");
    if (!buf_try(a, write_body, &n, &body))
        return fail(err, STATUS_NOMEM, "no memory to record it");
    enum status status = recorder_append(e->recorder, NULL, &body, 1, err);
    if (status != STATUS_OK || !allowed)
        return status;
    struct str id = str_try_copy(a, found->id);
    return id.len ? cells_let_outside(e->home.s, id.s, digest, err) : STATUS_NOMEM;
}

static void list_member(struct report *r, const char *key, const struct strs *texts)
{
    json_key(&r->json, key);
    json_begin_array(&r->json);
    for (size_t i = 0; i < texts->count; i++)
        json_text(&r->json, texts->items[i]);
    json_end_array(&r->json);
}

/* As lines of warder.yaml. */
static void fill(struct report *r, const void *about)
{
    const struct noting *n = about;

    json_begin_object(&r->json);
    report_member(r, "id", n->found->id);
    report_member(r, "answer", n->allowed ? STR("once") : STR("no"));
    list_member(r, "hosts", &n->found->hosts);
    list_member(r, "paths", &n->found->paths);
    json_end_object(&r->json);
    if (walls_are_none(&n->found->walls))
        return;
    buf_text(&r->text, "to let it do that inside, always, in your warder.yaml:\n");
    walls_print(&r->text, &n->found->walls);
}

static enum status take(warder_engine *e, struct arena *a, const struct outside_call *found,
                        warder_approval *out, struct error *err)
{
    struct preparing p = {.arena = a, .found = found, .profile = "warder"};
    struct reply reply = {0};
    char digest[SHA256_HEX];
    enum status status = bind(e, a, found, digest, err);

    if (status != STATUS_OK)
        return status;
    if (!arena_try(a, prepare, &p))
        return fail(err, STATUS_NOMEM, "no memory for the question");
    const enum race_end end = ask(a, &p.panel, &reply);
    if (end == RACE_NOBODY)
        return fail(err, STATUS_UNSAFE, "this needs a terminal: only a person can do it");
    if (end != RACE_ANSWERED || reply.cancelled)
        return STATUS_OK;
    const bool allowed = reply.behavior == BEHAVIOR_ALLOW;
    status = settle(e, a, found, digest, allowed, err);
    if (status == STATUS_OK)
        *out = allowed ? WARDER_APPROVED : WARDER_REFUSED;
    return status;
}

warder_status warder_outside(warder_engine *engine, const char *id, warder_approval *out,
                             warder_report **report, warder_error *err)
{
    struct arena a;
    struct error inner = {0};
    struct outside_call call;

    if (!out || !report || !engine)
        return give_usage(err, "missing argument");
    *out = WARDER_LEFT_OPEN;
    *report = NULL;
    if (!id)
        return give_usage(err, "missing argument: id");
    arena_init(&a, MEMORY_MAX);
    enum status status = caller_is_person(&inner);
    if (status == STATUS_OK)
        status = outside_find(&a, engine, str_from(id), &call, &inner);
    if (status == STATUS_OK)
        status = take(engine, &a, &call, out, &inner);
    warder_status result = error_out(err, &inner);
    if (status == STATUS_OK) {
        const struct noting n = {&call, *out == WARDER_APPROVED};
        result = report_make(fill, &n, report, err);
    }
    arena_release(&a);
    return result;
}
