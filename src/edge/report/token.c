/* token.c - the API of the service's tokens. Every change is recorded. */
#include "record/token.h"

#include <stdio.h>
#include <stdlib.h>

#include "engine/report.h"
#include "machine/statedir.h"
#include "record/journal.h"

struct store {
    char data[STATEDIR_MAX];
    struct database db;
    char *notice;
};

static enum status open_store(const char *data, const char *home, struct store *s,
                              struct error *err)
{
    *s = (struct store){0};
    if (!data) {
        enum status status = statedir_find(home, s->data, err);
        if (status != STATUS_OK)
            return status;
    } else if (snprintf(s->data, sizeof(s->data), "%s", data) >= STATEDIR_MAX) {
        return fail(err, STATUS_LIMIT, "the data directory's name is too long");
    }
    return state_db_open(&s->db, s->data, 0, &s->notice, err);
}

static void close_store(struct store *s)
{
    database_close(&s->db);
    free(s->notice);
}

/* ---- the record of a change ---- */

#define CHANGE_MEMORY_MAX ((size_t)1024 * 1024)

static enum status record_change(struct store *s, struct str id, const char *action,
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

struct created {
    const char *token, *role, *name;
};

static void show_created(struct report *r, const void *about)
{
    const struct created *c = about;

    json_begin_object(&r->json);
    report_member(r, "token", str_from(c->token));
    report_member(r, "id", (struct str){c->token + 4, TOKEN_ID_SIZE - 1});
    report_member(r, "role", str_from(c->role));
    report_member(r, "name", str_from(c->name));
    json_end_object(&r->json);
    buf_format(&r->text, "%s\n", c->token);
}

warder_status warder_token_create(const char *data, const char *home, const char *role,
                                  const char *name, const char *policy, warder_report **out,
                                  warder_error *err)
{
    struct error inner = {0};
    struct store s;
    enum token_role kind;
    char token[TOKEN_SIZE] = "";
    bool found;

    if (!out || !role)
        return give_usage(err, "missing argument: role or token");
    *out = NULL;
    if (!token_role_parse(str_from(role), &kind))
        return give_usage(err, "a token's role must be operator, worker or viewer");
    enum status status = open_store(data, home, &s, &inner);
    if (status == STATUS_OK)
        status = token_create(&s.db, kind, str_from(name), str_from(policy), token, &inner);
    if (status == STATUS_OK) {
        struct str id = {token + 4, TOKEN_ID_SIZE - 1};
        status = record_change(&s, id, "created", &inner);
        if (status != STATUS_OK)
            (void)token_revoke(&s.db, id, &found, NULL); /* an unrecorded token is not given out */
    }
    close_store(&s);
    const struct created c = {token, role, name};
    return status == STATUS_OK ? report_make(show_created, &c, out, err) : error_out(err, &inner);
}

/* ---- list ---- */

/* Copied, because writing a report may leave through the arena's door. */
struct listed {
    struct listed_token {
        struct access_token token;
        char *name, *policy;
    } * items;
    size_t count, room;
    bool failed;
};

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
    struct listed_token copy = {*t, strndup(t->name.s, t->name.len),
                                strndup(t->policy.s, t->policy.len)};
    l->items[l->count++] = copy;
    l->failed |= !copy.name || !copy.policy;
    return !l->failed;
}

static void release(struct listed *l)
{
    for (size_t i = 0; i < l->count; i++) {
        free(l->items[i].name);
        free(l->items[i].policy);
    }
    free(l->items);
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
        report_member(r, "name", str_from(l->items[i].name));
        report_member(r, "policy", str_from(l->items[i].policy));
        report_member(r, "created_at", str_from(t->created_at));
        report_member(r, "revoked_at", str_from(t->revoked_at));
        json_end_object(&r->json);
        buf_format(&r->text, "%s  %-8s  %.10s  ", t->id, token_role_name(t->role), t->created_at);
        report_show(r, str_from(l->items[i].name));
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
    struct store s;
    struct listed l = {0};

    if (!out)
        return give_usage(err, "missing argument: list");
    *out = NULL;
    enum status status = open_store(data, home, &s, &inner);
    if (status == STATUS_OK)
        status = token_list(&s.db, take, &l, &inner);
    if (status == STATUS_OK && l.failed)
        status = fail(&inner, STATUS_NOMEM, "out of memory");
    close_store(&s);
    warder_status result =
        status == STATUS_OK ? report_make(show_list, &l, out, err) : error_out(err, &inner);
    release(&l);
    return result;
}

/* ---- revoke ---- */

warder_status warder_token_revoke(const char *data, const char *home, const char *id,
                                  warder_error *err)
{
    struct error inner = {0};
    struct store s;
    bool found = false;

    if (!id)
        return give_usage(err, "which token?");
    enum status status = open_store(data, home, &s, &inner);
    if (status == STATUS_OK)
        status = token_revoke(&s.db, str_from(id), &found, &inner);
    if (status == STATUS_OK && !found)
        status = fail(&inner, STATUS_USAGE, "no token \"%.60s\" is in force", id);
    if (status == STATUS_OK)
        status = record_change(&s, str_from(id), "revoked", &inner);
    close_store(&s);
    return status == STATUS_OK ? WARDER_OK : error_out(err, &inner);
}
