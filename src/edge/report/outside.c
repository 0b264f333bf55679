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
#include "record/journal_read.h"
#include "warder_admin.h"

#define MEMORY_MAX    ((size_t)256 * 1024 * 1024)
#define ID_DIGITS_MIN 8

/* A call of the record. */
struct found {
    struct str id, token, command, cwd, client, session;
    struct strs hosts, paths; /* that it was refused */
};

struct looking {
    struct arena *arena;
    struct str id, line;
    struct found out;
};

/* ---- the record ---- */

static void add_refused(struct looking *l, const struct value *refused)
{
    for (size_t i = 0; i < refused->count; i++) {
        struct str kind = value_text(&refused->items[i], "kind");
        struct str what = value_text(&refused->items[i], "what");
        struct strs *list = str_is(kind, "write") ? &l->out.paths : &l->out.hosts;
        if (what.len && !strs_has(list, what))
            LIST_PUSH(l->arena, list, what);
    }
}

static void look_at_call(struct looking *l, const struct value *v)
{
    const struct member *contained = value_member(v, STR("contained"));
    struct str id = contained ? value_text(&contained->value, "outside") : (struct str){0};
    struct str token = contained ? value_text(&contained->value, "token") : (struct str){0};

    if (!id.len || (!str_starts(id, l->id) && !str_starts(token, l->id)))
        return;
    l->out = (struct found){.id = id,
                            .token = token,
                            .command = value_text(v, "command"),
                            .cwd = value_text(v, "cwd"),
                            .client = value_text(v, "client"),
                            .session = value_text(v, "session_id")};
}

/* One line: the call, or how its cell ended. */
static void look(void *arg)
{
    struct looking *l = arg;
    struct str line = str_copy(l->arena, l->line);
    struct value v;

    if (json_read(l->arena, line, NULL, &v, NULL) != STATUS_OK || v.kind != VALUE_OBJECT)
        return;
    if (str_is(value_text(&v, "kind"), "decision"))
        look_at_call(l, &v);
    const struct member *refused = value_member(&v, STR("refused"));
    if (str_is(value_text(&v, "kind"), "cell-end") && refused && l->out.id.len &&
        (str_eq(value_text(&v, "token"), l->out.id) ||
         str_eq(value_text(&v, "token"), l->out.token)))
        add_refused(l, &refused->value);
}

static bool is_about(const struct looking *l, struct str line)
{
    return str_contains(line, l->id) || (l->out.token.len && str_contains(line, l->out.token));
}

/* The last call with that ID. */
static enum status find(struct looking *l, const char *state_dir, struct error *err)
{
    struct journal_reader r;
    struct journal_line line;
    bool got = true;
    enum status status = journal_reader_open(&r, state_dir, 0, err);

    if (status != STATUS_OK)
        return status;
    while (status == STATUS_OK && got) {
        status = journal_next(&r, false, &line, &got, err);
        l->line = line.text;
        if (status == STATUS_OK && got && is_about(l, line.text) && !arena_try(l->arena, look, l))
            status = fail(err, STATUS_NOMEM, "no memory to read the record");
    }
    journal_reader_close(&r);
    if (status == STATUS_OK && !l->out.id.len)
        return fail(err, STATUS_USAGE,
                    "the record has no call with that ID that ran in the sandbox");
    return status;
}

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

static enum status bind(const warder_engine *e, struct arena *a, const struct found *found,
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
    const struct found *found;
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
    const struct found *found;
    bool allowed;
};

static void write_body(struct buf *out, const void *about)
{
    const struct noting *n = about;

    buf_format(out, "\"kind\":\"outside\",\"id\":\"%.*s\",\"answer\":\"%s\"", STR_ARG(n->found->id),
               n->allowed ? "once" : "refused");
}

/* On record before it counts. */
static enum status settle(warder_engine *e, struct arena *a, const struct found *found,
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

static void add_quoted(struct report *r, const struct strs *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        buf_text(&r->text, i ? ", " : "");
        json_string(&r->text, texts->items[i]);
    }
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
    if (!n->found->hosts.count && !n->found->paths.count)
        return;
    buf_text(&r->text, "to let it do that inside, always, in your warder.yaml:\n  sandbox:\n");
    if (n->found->paths.count) {
        buf_text(&r->text, "    write: [");
        add_quoted(r, &n->found->paths);
        buf_text(&r->text, "]\n");
    }
    if (n->found->hosts.count) {
        buf_text(&r->text, "    network: {hosts: [");
        add_quoted(r, &n->found->hosts);
        buf_text(&r->text, "]}\n");
    }
}

static enum status take(warder_engine *e, struct arena *a, const struct found *found,
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

static bool is_id(struct str id)
{
    return id.len >= ID_DIGITS_MIN && id.len < CELL_OUTSIDE_SIZE &&
           strspn(id.s, "0123456789abcdef") == id.len;
}

warder_status warder_outside(warder_engine *engine, const char *id, warder_approval *out,
                             warder_report **report, warder_error *err)
{
    struct arena a;
    struct error inner = {0};
    struct looking l = {.arena = &a, .id = str_from(id)};

    if (!out || !report || !engine)
        return give_usage(err, "missing argument");
    *out = WARDER_LEFT_OPEN;
    *report = NULL;
    if (!is_id(l.id))
        return give_usage(err, "an ID is 8 to 32 lower-case hexadecimal digits");
    arena_init(&a, MEMORY_MAX);
    enum status status = caller_is_person(&inner);
    if (status == STATUS_OK)
        status = find(&l, engine->request.state_dir.s, &inner);
    if (status == STATUS_OK)
        status = take(engine, &a, &l.out, out, &inner);
    warder_status result = error_out(err, &inner);
    if (status == STATUS_OK) {
        const struct noting n = {&l.out, *out == WARDER_APPROVED};
        result = report_make(fill, &n, report, err);
    }
    arena_release(&a);
    return result;
}
