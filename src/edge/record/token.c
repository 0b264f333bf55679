#include "record/token.h"

#include <sodium.h>
#include <stdio.h>

#include "record/redact.h"

#define PREFIX_LEN   4
#define ID_LEN       (TOKEN_ID_SIZE - 1)
#define SECRET_BYTES 32
#define SECRET_LEN   43 /* in base64 without padding */

static const char *const role_names[] = {[TOKEN_NONE] = "none",
                                         [TOKEN_VIEWER] = "viewer",
                                         [TOKEN_WORKER] = "worker",
                                         [TOKEN_OPERATOR] = "operator"};

static const struct {
    const char *prefix, *name;
} kinds[] = {[TOKEN_PLAIN] = {"wdr_", ""},
             [TOKEN_CODE] = {"wdc_", "code"},
             [TOKEN_BROWSER] = {"wds_", "browser"}};

const char *token_kind_name(enum token_kind kind)
{
    return kinds[kind].name;
}

static bool kind_parse(struct str name, enum token_kind *out)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (str_is(name, kinds[i].name)) {
            *out = (enum token_kind)i;
            return true;
        }
    return false;
}

bool token_kind_of(struct str presented, enum token_kind *out)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (str_starts(presented, str_from(kinds[i].prefix))) {
            *out = (enum token_kind)i;
            return true;
        }
    return false;
}

const char *token_role_name(enum token_role role)
{
    return role_names[role];
}

bool token_role_parse(struct str name, enum token_role *out)
{
    for (enum token_role role = TOKEN_VIEWER; role <= TOKEN_OPERATOR; role++)
        if (str_is(name, role_names[role])) {
            *out = role;
            return true;
        }
    *out = TOKEN_NONE;
    return false;
}

struct token_hash {
    unsigned char bytes[crypto_generichash_BYTES];
};

static struct token_hash hash_of(struct str secret)
{
    struct token_hash h;

    crypto_generichash(h.bytes, sizeof(h.bytes), (const unsigned char *)secret.s, secret.len, NULL,
                       0);
    return h;
}

static enum status insert(struct database *db, const struct access_token *t,
                          const struct token_hash *hash, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(
        db,
        "INSERT INTO tokens (id, role, name, policy, created_at, hash, projects, workers, modes, "
        "kind, parent, expires_at, lasts) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        &q, err);

    if (status == STATUS_OK) {
        database_bind(q, 1, str_from(t->id));
        database_bind(q, 2, str_from(role_names[t->role]));
        database_bind(q, 3, t->name);
        database_bind(q, 4, t->policy);
        database_bind(q, 5, str_from(t->created_at));
        sqlite3_bind_blob(q, 6, hash->bytes, sizeof(hash->bytes), SQLITE_STATIC);
        database_bind(q, 7, t->projects);
        database_bind(q, 8, t->workers);
        database_bind(q, 9, t->modes);
        database_bind(q, 10, str_from(kinds[t->kind].name));
        database_bind(q, 11, t->parent);
        database_bind(q, 12, str_from(t->expires_at));
        sqlite3_bind_int64(q, 13, t->lasts);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

enum status token_create(struct database *db, const struct access_token *wanted,
                         char out[TOKEN_SIZE], struct error *err)
{
    struct access_token t = *wanted;
    unsigned char id[ID_LEN / 2], secret[SECRET_BYTES];
    char text[SECRET_LEN + 1];

    out[0] = '\0';
    if (t.role == TOKEN_NONE)
        return fail(err, STATUS_USAGE, "a token needs a role: operator, worker or viewer");
    if (t.name.len > TOKEN_NAME_MAX)
        return fail(err, STATUS_LIMIT, "a token's name has at most %d bytes", TOKEN_NAME_MAX);
    if (sodium_init() < 0)
        return fail(err, STATUS_IO, "the system has no random bytes");
    randombytes_buf(id, sizeof(id));
    randombytes_buf(secret, sizeof(secret));
    sodium_bin2hex(t.id, sizeof(t.id), id, sizeof(id));
    sodium_bin2base64(text, sizeof(text), secret, sizeof(secret),
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    stamp_print(stamp_now(), t.created_at);
    const struct token_hash hash = hash_of((struct str){text, SECRET_LEN});
    enum status status = insert(db, &t, &hash, err);
    if (status == STATUS_OK)
        snprintf(out, TOKEN_SIZE, "%s%s_%s", kinds[t.kind].prefix, t.id, text);
    sodium_memzero(secret, sizeof(secret));
    sodium_memzero(text, sizeof(text));
    return status;
}

/* A token without a row is compared, too, so that the time does not reveal which ids exist. */
static enum token_role compare(sqlite3_stmt *q, bool row, const struct token_hash *given)
{
    static const struct token_hash none;
    const unsigned char *kept = none.bytes;
    enum token_role role = TOKEN_NONE;

    if (row && sqlite3_column_bytes(q, 1) == (int)sizeof(none.bytes))
        kept = sqlite3_column_blob(q, 1);
    bool same = sodium_memcmp(kept, given->bytes, sizeof(none.bytes)) == 0;
    if (!same || kept == none.bytes || !token_role_parse(database_column(q, 0), &role))
        return TOKEN_NONE;
    return role;
}

static void take_texts(sqlite3_stmt *q, int column, struct access_token *t)
{
    struct str *const texts[] = {&t->name, &t->policy, &t->projects, &t->workers, &t->modes};

    for (size_t i = 0; i < COUNT(texts); i++)
        *texts[i] = database_column(q, column + (int)i);
}

/* A service asks it with every request: it is prepared once. */
static enum status login_query(struct database *db, sqlite3_stmt **out, struct error *err)
{
    enum status status = STATUS_OK;

    if (!db->login)
        status = database_prepare(db,
                                  "SELECT role, hash, name, policy, projects, workers, modes, "
                                  "parent, expires_at, lasts FROM tokens AS t WHERE id = ?1"
                                  " AND revoked_at IS NULL AND ifnull(kind, '') = ?2"
                                  " AND (expires_at IS NULL OR expires_at > ?3)"
                                  " AND (parent IS NULL OR parent GLOB 'uid:*' OR EXISTS"
                                  " (SELECT 1 FROM tokens AS p WHERE p.id = t.parent"
                                  " AND p.revoked_at IS NULL))",
                                  &db->login, err);
    *out = db->login;
    return status;
}

enum status token_check(struct database *db, struct str presented, token_visit visit, void *context,
                        struct error *err)
{
    sqlite3_stmt *q = NULL;
    struct access_token t = {0};
    char now[STAMP_SIZE];
    bool row = false;

    if (presented.len != TOKEN_SIZE - 1 || !token_kind_of(presented, &t.kind) ||
        presented.s[PREFIX_LEN + ID_LEN] != '_')
        return STATUS_OK;
    stamp_print(stamp_now(), now);
    struct str id = str_slice(presented, PREFIX_LEN, PREFIX_LEN + ID_LEN);
    const struct token_hash given = hash_of(str_from_byte(presented, PREFIX_LEN + ID_LEN + 1));
    enum status status = login_query(db, &q, err);
    if (status == STATUS_OK) {
        database_bind(q, 1, id);
        sqlite3_bind_text(q, 2, kinds[t.kind].name, -1, SQLITE_STATIC); /* "" is no NULL here */
        database_bind(q, 3, str_from(now));
        status = database_next(db, q, &row, err);
    }
    if (status == STATUS_OK)
        t.role = compare(q, row, &given);
    if (t.role != TOKEN_NONE) {
        snprintf(t.id, sizeof(t.id), "%.*s", STR_ARG(id));
        take_texts(q, 2, &t);
        t.parent = database_column(q, 7);
        snprintf(t.expires_at, sizeof(t.expires_at), "%.*s", STR_ARG(database_column(q, 8)));
        t.lasts = sqlite3_column_int64(q, 9);
        (void)visit(&t, context);
    }
    if (q) {
        sqlite3_reset(q); /* ends the read: the next one sees what was changed since */
        sqlite3_clear_bindings(q);
    }
    return status;
}

static enum status visit_all(struct database *db, sqlite3_stmt *q, token_visit visit, void *context,
                             struct error *err)
{
    bool row = true, more = true;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && more) {
        struct access_token t = {0};
        status = database_next(db, q, &row, err);
        if (status != STATUS_OK || !row)
            break;
        (void)token_role_parse(database_column(q, 1), &t.role);
        snprintf(t.id, sizeof(t.id), "%s", database_column(q, 0).s);
        take_texts(q, 2, &t);
        snprintf(t.created_at, sizeof(t.created_at), "%s", database_column(q, 7).s);
        snprintf(t.revoked_at, sizeof(t.revoked_at), "%s", database_column(q, 8).s);
        (void)kind_parse(database_column(q, 9), &t.kind);
        t.parent = database_column(q, 10);
        snprintf(t.expires_at, sizeof(t.expires_at), "%.*s", STR_ARG(database_column(q, 11)));
        more = visit(&t, context);
    }
    return status;
}

#define COLUMNS                                                                                    \
    "SELECT id, role, name, policy, projects, workers, modes, created_at, revoked_at, kind, "      \
    "parent, expires_at FROM tokens "

enum status token_list(struct database *db, token_visit visit, void *context, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, COLUMNS "ORDER BY created_at, id", &q, err);

    if (status == STATUS_OK)
        status = visit_all(db, q, visit, context, err);
    sqlite3_finalize(q);
    return status;
}

enum status token_find(struct database *db, struct str id, token_visit visit, void *context,
                       struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, COLUMNS "WHERE id = ?", &q, err);

    if (status == STATUS_OK) {
        database_bind(q, 1, id);
        status = visit_all(db, q, visit, context, err);
    }
    sqlite3_finalize(q);
    return status;
}

/* ---- records ---- */

struct token_row {
    sqlite3_stmt *q;
    const char *action;
    struct str id;
};

/* The name is a person's text, and may contain a secret. Which record has the row only the database
 * knows. */
static void write_record(struct json_writer *w, const void *about)
{
    static const char *const without[] = {"shown_role", "shown_name", "name", "record"};
    const struct token_row *t = about;
    const struct str name = redact_text(w->out->arena, database_column(t->q, 1));

    json_begin_object(w);
    json_text_member(w, "kind", STR("token"));
    json_text_member(w, "action", str_from(t->action));
    json_text_member(w, "token_id", t->id);
    json_text_member(w, "role", database_column(t->q, 0));
    json_text_member(w, "name", name);
    json_key(w, "row");
    json_begin_object(w);
    database_row_members(w, t->q, without, COUNT(without));
    json_text_member(w, "name", name);
    json_end_object(w);
    json_end_object(w);
}

enum status token_record(struct database *db, struct arena *a, struct str id, const char *action,
                         struct str *body, struct error *err)
{
    struct token_row t = {.action = action, .id = id};
    bool row = false;
    enum status status = database_prepare(
        db, "SELECT role AS shown_role, name AS shown_name, * FROM tokens WHERE id = ?", &t.q, err);

    if (status == STATUS_OK) {
        database_bind(t.q, 1, id);
        status = database_next(db, t.q, &row, err);
    }
    if (status == STATUS_OK && !row)
        status = fail(err, STATUS_USAGE, "unknown token \"%.*s\"", STR_ARG(id));
    if (status == STATUS_OK && !json_try(a, write_record, &t, body))
        status = fail(err, STATUS_NOMEM, "no memory for a record");
    sqlite3_finalize(t.q);
    if (status == STATUS_OK)
        *body = str_slice(*body, 1, body->len - 1); /* without its braces */
    return status;
}

enum status token_recorded(struct database *db, struct str id, uint64_t n, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, "UPDATE tokens SET record = ? WHERE id = ?", &q, err);

    if (status == STATUS_OK) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)n);
        database_bind(q, 2, id);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

enum status tokens_unrecorded(struct database *db, uint64_t n, token_visit visit, void *context,
                              struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(
        db,
        COLUMNS "WHERE kind IS NOT 'code' AND (record = 0 OR (record < ? AND revoked_at IS NULL))",
        &q, err);

    if (status == STATUS_OK) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)n);
        status = visit_all(db, q, visit, context, err);
    }
    sqlite3_finalize(q);
    return status;
}

enum status token_revoke(struct database *db, struct str id, bool *found, struct error *err)
{
    sqlite3_stmt *q = NULL;
    char now[STAMP_SIZE];
    enum status status = database_prepare(
        db, "UPDATE tokens SET revoked_at = ?, record = 0 WHERE id = ? AND revoked_at IS NULL", &q,
        err);

    *found = false;
    stamp_print(stamp_now(), now);
    if (status == STATUS_OK) {
        database_bind(q, 1, str_from(now));
        database_bind(q, 2, id);
        status = database_step(db, q, err);
        *found = status == STATUS_OK && sqlite3_changes(db->handle) == 1;
    }
    sqlite3_finalize(q);
    return status;
}

enum status tokens_forget_ended(struct database *db, const char *before, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(
        db, "DELETE FROM tokens WHERE kind IS NOT NULL AND expires_at < ?", &q, err);

    if (status == STATUS_OK) {
        database_bind(q, 1, str_from(before));
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}
