/* token.c - the API of the service's tokens. Every change is recorded. */
#include "record/token.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/path.h"
#include "engine/engine.h"
#include "engine/report.h"
#include "machine/statedir.h"
#include "policy/state.h"
#include "record/journal.h"
#include "report/token.h"
#include "warder_service.h"

enum status token_store_open(const char *data, const char *home, struct token_store *s,
                             struct error *err)
{
    *s = (struct token_store){0};
    if (!data) {
        enum status status = statedir_find(home, s->data, err);
        if (status != STATUS_OK)
            return status;
    } else if (snprintf(s->data, sizeof(s->data), "%s", data) >= STATEDIR_MAX) {
        return fail(err, STATUS_LIMIT, "the data directory's name is too long");
    }
    return state_db_open(&s->db, s->data, 0, &s->notice, err);
}

void token_store_close(struct token_store *s)
{
    database_close(&s->db);
    free(s->notice);
}

/* ---- the record of a change ---- */

#define CHANGE_MEMORY_MAX ((size_t)1024 * 1024)

enum status token_store_record(struct token_store *s, struct str id, const char *action,
                               struct error *err)
{
    struct journal j;
    struct arena arena;
    struct str body;
    uint64_t n;

    arena_init(&arena, CHANGE_MEMORY_MAX);
    enum status status = token_record(&s->db, &arena, id, action, &body, err);
    if (status == STATUS_OK) {
        status = journal_open(&j, s->data, &(struct journal_options){.sync = JOURNAL_ALWAYS}, err);
        if (status == STATUS_OK)
            status = journal_append(&j, &body, 1, &n, err);
        journal_close(&j);
    }
    arena_release(&arena);
    return status == STATUS_OK ? token_recorded(&s->db, id, n, err) : status;
}

/* ---- create ---- */

/* One name a line in the row, a list in JSON. */
static void write_lines(struct json_writer *w, const char *key, struct str lines)
{
    struct str line;
    bool more = lines.len > 0;

    if (!more)
        return;
    json_key(w, key);
    json_begin_array(w);
    while (more) {
        more = str_cut(lines, '\n', &line, &lines);
        json_text(w, line);
    }
    json_end_array(w);
}

static void write_bounds(struct json_writer *w, const struct access_token *t)
{
    write_lines(w, "projects", t->projects);
    write_lines(w, "workers", t->workers);
    write_lines(w, "modes", t->modes);
}

struct created {
    const char *token;
    const struct access_token *made;
};

static void show_created(struct report *r, const void *about)
{
    const struct created *c = about;

    json_begin_object(&r->json);
    report_member(r, "token", str_from(c->token));
    report_member(r, "id", (struct str){c->token + 4, TOKEN_ID_SIZE - 1});
    report_member(r, "role", str_from(token_role_name(c->made->role)));
    report_member(r, "name", c->made->name);
    write_bounds(&r->json, c->made);
    json_end_object(&r->json);
    buf_format(&r->text, "%s\n", c->token);
}

/* The names of a list, one a line, in the arena; false: one of them is none. */
static bool join(struct arena *a, const char *const *names, size_t count, struct str *out)
{
    struct buf b = buf_in(a);

    for (size_t i = 0; i < count; i++) {
        const struct str name = str_from(names[i]);
        if (!name.len || name.len > TOKEN_NAME_MAX || str_has(name, '\n'))
            return false;
        if (i)
            buf_byte(&b, '\n');
        buf_add(&b, name);
    }
    *out = buf_str(&b);
    return true;
}

struct token_draft {
    const warder_token_options *options;
    struct arena arena;
    struct access_token token;
    enum status status;
    struct error *err;
};

static bool join_projects(struct token_draft *d)
{
    const warder_token_options *o = d->options;

    for (size_t i = 0; i < o->project_count; i++) {
        const struct str project = str_from(o->projects[i]);
        if (path_is_absolute(project) && !path_is_clean(project))
            return false;
    }
    return join(&d->arena, o->projects, o->project_count, &d->token.projects);
}

/* By the names that policy files have for them. */
static bool join_modes(struct token_draft *d)
{
    struct str name, rest = str_from(d->options->modes);
    struct buf b = buf_in(&d->arena);
    bool more = rest.len > 0;
    enum mode mode;

    while (more) {
        more = str_cut(rest, ',', &name, &rest);
        if (!mode_parse(str_trim(name), &mode))
            return false;
        buf_format(&b, "%s%s", b.len ? "\n" : "", mode_name(mode));
    }
    d->token.modes = buf_str(&b);
    return true;
}

static void draft_token(void *arg)
{
    struct token_draft *d = arg;
    const warder_token_options *o = d->options;
    struct access_token *t = &d->token;

    t->name = str_from(o->name);
    t->policy = str_from(o->policy);
    if (!token_role_parse(str_from(o->role), &t->role))
        d->status = fail(d->err, STATUS_USAGE, "a token's role must be operator, worker or viewer");
    else if (t->role != TOKEN_WORKER && (o->project_count || o->worker_count || o->modes))
        d->status = fail(d->err, STATUS_USAGE,
                         "only a worker's token is bound to projects, workers and modes");
    else if (!join_projects(d) || !join(&d->arena, o->workers, o->worker_count, &t->workers))
        d->status = fail(d->err, STATUS_USAGE,
                         "a project or worker has 1 to %d bytes in one line, and a directory "
                         "neither \".\", \"..\" nor \"/\" at its end",
                         TOKEN_NAME_MAX);
    else if (!join_modes(d))
        d->status = fail(d->err, STATUS_USAGE, "unknown mode: %.80s", o->modes);
}

static enum status create(const char *data, const char *home, const struct access_token *t,
                          char token[TOKEN_SIZE], struct error *err)
{
    struct token_store s;
    bool found;
    enum status status = token_store_open(data, home, &s, err);

    if (status == STATUS_OK)
        status = token_create(&s.db, t, token, err);
    if (status == STATUS_OK) {
        const struct str id = {token + 4, TOKEN_ID_SIZE - 1};
        status = token_store_record(&s, id, "created", err);
        if (status != STATUS_OK)
            (void)token_revoke(&s.db, id, &found, NULL); /* an unrecorded token is not given out */
    }
    token_store_close(&s);
    return status;
}

warder_status warder_token_make(const char *data, const char *home,
                                const warder_token_options *options, warder_report **out,
                                warder_error *err)
{
    struct error inner = {0};
    warder_token_options o = {0};
    struct token_draft d = {.options = &o, .err = &inner};
    char token[TOKEN_SIZE] = "";

    if (!out || !options)
        return give_usage(err, "missing argument: options or token");
    *out = NULL;
    if (!copy_versioned(&o, sizeof(o), options, options->struct_size) || !o.role)
        return give_usage(err, "a token's role must be operator, worker or viewer");
    arena_init(&d.arena, CHANGE_MEMORY_MAX);
    if (!arena_try(&d.arena, draft_token, &d))
        d.status = fail(&inner, STATUS_NOMEM, "no memory for a token");
    if (d.status == STATUS_OK)
        d.status = create(data, home, &d.token, token, &inner);
    const struct created c = {token, &d.token};
    warder_status result =
        d.status == STATUS_OK ? report_make(show_created, &c, out, err) : error_out(err, &inner);
    arena_release(&d.arena);
    return result;
}

warder_status warder_token_create(const char *data, const char *home, const char *role,
                                  const char *name, const char *policy, warder_report **out,
                                  warder_error *err)
{
    warder_token_options options = WARDER_TOKEN_OPTIONS_INIT;

    options.role = role;
    options.name = name;
    options.policy = policy;
    return warder_token_make(data, home, &options, out, err);
}

/* ---- list ---- */

/* Copied, because writing a report may leave through the arena's door. */
struct listed {
    struct listed_token {
        struct access_token token; /* with views of `texts` */
        char *texts;
    } * items;
    size_t count, room;
    bool failed;
};

static bool copy_texts(struct listed_token *to)
{
    struct access_token *t = &to->token;
    struct str *const texts[] = {&t->name,    &t->policy, &t->projects,
                                 &t->workers, &t->modes,  &t->parent};
    size_t size = 1;

    for (size_t i = 0; i < COUNT(texts); i++)
        size += texts[i]->len;
    char *at = to->texts = malloc(size);
    for (size_t i = 0; at && i < COUNT(texts); i++) {
        if (texts[i]->len)
            memcpy(at, texts[i]->s, texts[i]->len);
        texts[i]->s = at;
        at += texts[i]->len;
    }
    return to->texts != NULL;
}

static bool take(const struct access_token *t, void *context)
{
    struct listed *l = context;

    if (l->count == l->room) {
        size_t room = l->room ? l->room * 2 : 16;
        struct listed_token *bigger = realloc(l->items, room * sizeof(*bigger));
        if (!bigger)
            return !(l->failed = true);
        l->items = bigger;
        l->room = room;
    }
    struct listed_token copy = {.token = *t};
    l->failed |= !copy_texts(&copy);
    if (!l->failed)
        l->items[l->count++] = copy;
    return !l->failed;
}

static void release(struct listed *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->items[i].texts);
    free(l->items);
}

static void show_lines(struct report *r, const char *what, struct str lines)
{
    struct str line;
    bool more = lines.len > 0;

    if (more)
        buf_format(&r->text, "  %s ", what);
    while (more) {
        more = str_cut(lines, '\n', &line, &lines);
        report_show(r, line);
        if (more)
            buf_byte(&r->text, ',');
    }
}

static void show_bounds(struct report *r, const struct access_token *t)
{
    show_lines(r, "projects", t->projects);
    show_lines(r, "workers", t->workers);
    show_lines(r, "modes", t->modes);
}

static void show_list(struct report *r, const void *about)
{
    const struct listed *l = about;

    json_begin_array(&r->json);
    for (size_t i = 0; i < l->count; i++) {
        const struct access_token *t = &l->items[i].token;
        json_begin_object(&r->json);
        report_member(r, "id", str_from(t->id));
        report_member(r, "role", str_from(token_role_name(t->role)));
        report_member(r, "name", t->name);
        report_member(r, "policy", t->policy);
        report_member(r, "created_at", str_from(t->created_at));
        report_member(r, "revoked_at", str_from(t->revoked_at));
        if (t->kind != TOKEN_PLAIN) {
            report_member(r, "kind", str_from(token_kind_name(t->kind)));
            report_member(r, "expires_at", str_from(t->expires_at));
        }
        write_bounds(&r->json, t);
        json_end_object(&r->json);
        buf_format(&r->text, "%s  %-8s  %.10s  ", t->id, token_role_name(t->role), t->created_at);
        report_show(r, t->name);
        show_bounds(r, t);
        if (t->kind != TOKEN_PLAIN)
            buf_format(&r->text, "  %s until %.16s", token_kind_name(t->kind), t->expires_at);
        buf_text(&r->text, t->revoked_at[0] ? "  revoked\n" : "\n");
    }
    json_end_array(&r->json);
    if (!l->count)
        buf_text(&r->text, "no tokens\n");
}

warder_status warder_token_list(const char *data, const char *home, warder_report **out,
                                warder_error *err)
{
    struct error inner = {0};
    struct token_store s;
    struct listed l = {0};

    if (!out)
        return give_usage(err, "missing argument: list");
    *out = NULL;
    enum status status = token_store_open(data, home, &s, &inner);
    if (status == STATUS_OK)
        status = token_list(&s.db, take, &l, &inner);
    if (status == STATUS_OK && l.failed)
        status = fail(&inner, STATUS_NOMEM, "out of memory");
    token_store_close(&s);
    warder_status result =
        status == STATUS_OK ? report_make(show_list, &l, out, err) : error_out(err, &inner);
    release(&l);
    return result;
}

/* ---- revoke ---- */

/* A running service looks each token up with every request. This wakes it, for the connections that
 * are open: without it they end with the next ping. */
static void announce(const char *data, struct str id)
{
    AUTO_CLOSE int directory = -1;
    AUTO_CLOSE int lock = -1;

    if (state_open(data, NULL, &directory, NULL) == STATUS_OK &&
        state_lock(directory, WARDER_TOKENS_CHANGED ".lock", &lock, NULL) == STATUS_OK)
        (void)state_replace(directory, WARDER_TOKENS_CHANGED, id, NULL);
}

warder_status warder_token_revoke(const char *data, const char *home, const char *id,
                                  warder_error *err)
{
    struct error inner = {0};
    struct token_store s;
    bool found = false;

    if (!id)
        return give_usage(err, "which token?");
    enum status status = token_store_open(data, home, &s, &inner);
    if (status == STATUS_OK)
        status = token_revoke(&s.db, str_from(id), &found, &inner);
    if (status == STATUS_OK && !found)
        status = fail(&inner, STATUS_USAGE, "no token \"%.60s\" is in force", id);
    if (status == STATUS_OK) {
        status = token_store_record(&s, str_from(id), "revoked", &inner);
        announce(s.data, str_from(id));
    }
    token_store_close(&s);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
