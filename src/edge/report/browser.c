/* browser.c - the API of the sessions of browsers: a code or a token becomes one.
 *
 * A session is a row among the tokens, with its hash alone, and with the token or the user that it
 * came from: what holds for a token holds for it, from the constant time of a comparison to the end
 * of open connections when it is revoked. A code is such a row, too, and is used up by revoking it,
 * which one caller alone can do. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "ask/caller.h"
#include "base/auto.h"
#include "base/json.h"
#include "engine/report.h"
#include "report/token.h"

#define CODE_MS       ((int64_t)60 * 1000)
#define SESSION_S     ((int64_t)12 * 3600)
#define SESSION_MAX_S ((int64_t)30 * 86400)
#define ENDED_KEPT_MS ((int64_t)86400 * 1000) /* rows of what has ended, for `token list` */
#define PROOF_MEMORY  ((size_t)65536)
#define ANNOUNCED_MAX 256

static void stamp_after(int64_t ms, char out[STAMP_SIZE])
{
    stamp_print(stamp_now() + ms, out);
}

static enum status forget_ended(struct token_store *s, struct error *err)
{
    char before[STAMP_SIZE];

    stamp_after(-ENDED_KEPT_MS, before);
    return tokens_forget_ended(&s->db, before, err);
}

/* ---- a code ---- */

/* Where the service that runs on this data listens: "URL", or "URL PUBLIC_URL". */
static enum status find_service(const char *data, char out[ANNOUNCED_MAX], struct error *err)
{
    AUTO_CLOSE int directory = open(data, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    AUTO_CLOSE int lock =
        directory < 0 ? -1 : openat(directory, SERVICE_LOCK, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct str pid, where;

    if (lock < 0 || flock(lock, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return fail(err, STATUS_IO, "no service runs with its record in %s: start `warder serve`",
                    data);
    ssize_t len = pread(lock, out, ANNOUNCED_MAX - 1, 0);
    out[len > 0 ? len : 0] = '\0';
    str_cut(str_from(out), '\n', &where, &pid);
    if (!str_cut(where, ' ', &pid, &where) || !str_starts(where, STR("http")))
        return fail(err, STATUS_IO,
                    "the service listens on its unix socket alone: a browser needs "
                    "--listen");
    memmove(out, where.s, where.len);
    out[where.len] = '\0';
    return STATUS_OK;
}

struct made_code {
    const char *code, *announced, *expires_at;
};

static void show_code(struct report *r, const void *about)
{
    const struct made_code *c = about;
    struct str url, public_url;
    const bool both = str_cut(str_from(c->announced), ' ', &url, &public_url);
    const struct str best = both ? public_url : url;

    json_begin_object(&r->json);
    report_member(r, "url", str_format(r->arena, "%.*s/console/#login=%s", STR_ARG(url), c->code));
    if (both)
        report_member(r, "public_url",
                      str_format(r->arena, "%.*s/console/#login=%s", STR_ARG(public_url), c->code));
    report_member(r, "code", str_from(c->code));
    report_member(r, "expires_at", str_from(c->expires_at));
    json_end_object(&r->json);
    buf_format(&r->text, "%.*s/console/#login=%s\n", STR_ARG(best), c->code);
}

static enum status check_options(const warder_console_options *o, struct access_token *t,
                                 struct error *err)
{
    if (!token_role_parse(str_from(o->role ? o->role : "operator"), &t->role) ||
        t->role == TOKEN_WORKER)
        return fail(err, STATUS_USAGE, "the role of a browser's session is operator or viewer");
    if (o->ttl_s > SESSION_MAX_S)
        return fail(err, STATUS_USAGE, "a browser's session lasts 30 days at most");
    t->lasts = o->ttl_s ? o->ttl_s : SESSION_S;
    return STATUS_OK;
}

static enum status make_code(const char *data, const char *home, struct access_token *t,
                             char code[TOKEN_SIZE], char announced[ANNOUNCED_MAX],
                             struct error *err)
{
    struct token_store s;
    enum status status = token_store_open(data, home, &s, err);

    if (status == STATUS_OK)
        status = find_service(s.data, announced, err);
    if (status == STATUS_OK)
        status = forget_ended(&s, err);
    if (status == STATUS_OK)
        status = token_create(&s.db, t, code, err);
    token_store_close(&s);
    return status;
}

warder_status warder_console_code(const char *data, const char *home,
                                  const warder_console_options *options, warder_report **out,
                                  warder_error *err)
{
    struct error inner = {0};
    warder_console_options o = {0};
    char user[32], name[64], code[TOKEN_SIZE] = "", announced[ANNOUNCED_MAX] = "";
    struct access_token t = {.kind = TOKEN_CODE};

    if (!out || !options || !copy_versioned(&o, sizeof(o), options, options->struct_size))
        return give_usage(err, "missing argument: options or report");
    *out = NULL;
    enum status status = caller_is_person(&inner);
    if (status == STATUS_OK)
        status = check_options(&o, &t, &inner);
    snprintf(user, sizeof(user), "uid:%u", (unsigned)getuid());
    snprintf(name, sizeof(name), "%.60s", o.name ? o.name : user);
    t.parent = str_from(user);
    t.name = str_from(name);
    stamp_after(CODE_MS, t.expires_at);
    if (status == STATUS_OK)
        status = make_code(data, home, &t, code, announced, &inner);
    const struct made_code c = {code, announced, t.expires_at};
    return status == STATUS_OK ? report_make(show_code, &c, out, err) : error_out(err, &inner);
}

/* ---- a session ---- */

/* What is asked, and who it turned out to be. */
struct proof {
    struct arena arena;
    struct str json;
    char presented[TOKEN_SIZE];
    enum token_kind kind;
    enum status status;
    struct error *err;
    bool found;
    struct access_token from;
    char name[TOKEN_NAME_MAX + 1], parent[64];
};

static void read_proof(void *arg)
{
    struct proof *p = arg;
    struct value v;

    p->status = json_read(&p->arena, p->json, NULL, &v, p->err);
    if (p->status != STATUS_OK)
        return;
    struct str code = value_text(&v, "code"), token = value_text(&v, "token");
    if (v.kind != VALUE_OBJECT || v.count != 1 || !code.len == !token.len) {
        p->status = fail(p->err, STATUS_USAGE, "send {\"code\": ...} or {\"token\": ...}");
        return;
    }
    p->kind = code.len ? TOKEN_CODE : TOKEN_PLAIN;
    snprintf(p->presented, sizeof(p->presented), "%.*s", STR_ARG(code.len ? code : token));
}

static bool take(const struct access_token *t, void *context)
{
    struct proof *p = context;

    p->found = t->kind == p->kind && (t->role == TOKEN_OPERATOR || t->role == TOKEN_VIEWER);
    p->from = *t;
    snprintf(p->name, sizeof(p->name), "%.*s", STR_ARG(t->name));
    snprintf(p->parent, sizeof(p->parent), "%.*s",
             p->kind == TOKEN_CODE ? (int)t->parent.len : (int)strlen(t->id),
             p->kind == TOKEN_CODE ? t->parent.s : t->id);
    return false;
}

/* A code is used up by the first who comes, whatever happens then. */
static enum status recognise(struct token_store *s, struct proof *p)
{
    enum status status = token_check(&s->db, str_from(p->presented), take, p, p->err);

    if (status == STATUS_OK && p->found && p->kind == TOKEN_CODE)
        status = token_revoke(&s->db, str_from(p->from.id), &p->found, p->err);
    if (status != STATUS_OK || p->found)
        return status;
    return fail(p->err, STATUS_UNSAFE,
                p->kind == TOKEN_CODE
                    ? "this code is unknown, used or too old: run `warder console` again"
                    : "unknown or revoked token, or one that belongs to no person");
}

static enum status begin(struct token_store *s, struct proof *p, struct access_token *t,
                         char session[TOKEN_SIZE])
{
    bool found;
    enum status status = recognise(s, p);

    if (status != STATUS_OK)
        return status;
    *t = (struct access_token){.kind = TOKEN_BROWSER,
                               .role = p->from.role,
                               .name = str_from(p->name),
                               .parent = str_from(p->parent)};
    stamp_after((p->from.lasts ? p->from.lasts : SESSION_S) * 1000, t->expires_at);
    if ((status = forget_ended(s, p->err)) != STATUS_OK ||
        (status = token_create(&s->db, t, session, p->err)) != STATUS_OK)
        return status;
    const struct str id = {session + 4, TOKEN_ID_SIZE - 1};
    status = token_store_record(s, id, "created", p->err);
    if (status != STATUS_OK)
        (void)token_revoke(&s->db, id, &found, NULL);
    return status;
}

struct begun {
    const char *session;
    const struct access_token *token;
};

static void show_begun(struct report *r, const void *about)
{
    const struct begun *b = about;

    json_begin_object(&r->json);
    report_member(r, "session", str_from(b->session));
    report_member(r, "id", (struct str){b->session + 4, TOKEN_ID_SIZE - 1});
    report_member(r, "name", b->token->name);
    report_member(r, "role", str_from(token_role_name(b->token->role)));
    report_member(r, "expires_at", str_from(b->token->expires_at));
    json_end_object(&r->json);
}

warder_status warder_browser_begin(const char *data, const char *home, const char *json, size_t len,
                                   warder_report **out, warder_error *err)
{
    struct error inner = {0};
    struct proof p = {.json = {json, len}, .err = &inner};
    struct token_store s;
    struct access_token t = {0};
    char session[TOKEN_SIZE] = "";

    if (!out || !json)
        return give_usage(err, "missing argument: proof or report");
    *out = NULL;
    arena_init(&p.arena, PROOF_MEMORY);
    if (!arena_try(&p.arena, read_proof, &p))
        p.status = fail(&inner, STATUS_USAGE, "this is too long for a code or a token");
    arena_release(&p.arena);
    if (p.status == STATUS_OK) {
        p.status = token_store_open(data, home, &s, &inner);
        if (p.status == STATUS_OK)
            p.status = begin(&s, &p, &t, session);
        token_store_close(&s);
    }
    const struct begun b = {session, &t};
    return p.status == STATUS_OK ? report_make_line(show_begun, &b, out, err)
                                 : error_out(err, &inner);
}

/* ---- those in force ---- */

#define LISTED_MAX 1000

struct browser_list {
    struct browser_row {
        char id[TOKEN_ID_SIZE], name[TOKEN_NAME_MAX + 1], from[64], created_at[STAMP_SIZE],
            expires_at[STAMP_SIZE];
        enum token_role role;
    } rows[LISTED_MAX];
    size_t count;
    char now[STAMP_SIZE];
};

static bool list_one(const struct access_token *t, void *context)
{
    struct browser_list *l = context;

    if (t->kind != TOKEN_BROWSER || t->revoked_at[0] || strcmp(t->expires_at, l->now) <= 0)
        return true;
    struct browser_row *row = &l->rows[l->count++];
    memcpy(row->id, t->id, sizeof(row->id));
    memcpy(row->created_at, t->created_at, sizeof(row->created_at));
    memcpy(row->expires_at, t->expires_at, sizeof(row->expires_at));
    snprintf(row->name, sizeof(row->name), "%.*s", STR_ARG(t->name));
    snprintf(row->from, sizeof(row->from), "%.*s", STR_ARG(t->parent));
    row->role = t->role;
    return l->count < LISTED_MAX;
}

static void show_list(struct report *r, const void *about)
{
    const struct browser_list *l = about;

    json_begin_object(&r->json);
    json_key(&r->json, "sessions");
    json_begin_array(&r->json);
    for (size_t i = 0; i < l->count; i++) {
        const struct browser_row *row = &l->rows[i];
        json_begin_object(&r->json);
        report_member(r, "id", str_from(row->id));
        report_member(r, "name", str_from(row->name));
        report_member(r, "role", str_from(token_role_name(row->role)));
        report_member(r, "from", str_from(row->from));
        report_member(r, "created_at", str_from(row->created_at));
        report_member(r, "expires_at", str_from(row->expires_at));
        json_end_object(&r->json);
    }
    json_end_array(&r->json);
    json_end_object(&r->json);
}

warder_status warder_browser_list(const char *data, const char *home, warder_report **out,
                                  warder_error *err)
{
    struct error inner = {0};
    struct token_store s;

    if (!out)
        return give_usage(err, "missing argument: list");
    *out = NULL;
    struct browser_list *l = calloc(1, sizeof(*l));
    if (!l)
        return give_no_memory(err);
    stamp_after(0, l->now);
    enum status status = token_store_open(data, home, &s, &inner);
    if (status == STATUS_OK)
        status = token_list(&s.db, list_one, l, &inner);
    token_store_close(&s);
    warder_status result =
        status == STATUS_OK ? report_make_line(show_list, l, out, err) : error_out(err, &inner);
    free(l);
    return result;
}
