#include "record/token.h"

#include <sodium.h>
#include <stdio.h>

#define PREFIX       "wdr_"
#define PREFIX_LEN   4
#define ID_LEN       (TOKEN_ID_SIZE - 1)
#define SECRET_BYTES 32
#define SECRET_LEN   43 /* in base64 without padding */

static const char *const role_names[] = {[TOKEN_NONE] = "none",
                                         [TOKEN_VIEWER] = "viewer",
                                         [TOKEN_WORKER] = "worker",
                                         [TOKEN_OPERATOR] = "operator"};

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
        db, "INSERT INTO tokens (id, role, name, policy, created_at, hash) VALUES (?,?,?,?,?,?)",
        &q, err);

    if (status == STATUS_OK) {
        database_bind(q, 1, str_from(t->id));
        database_bind(q, 2, str_from(role_names[t->role]));
        database_bind(q, 3, t->name);
        database_bind(q, 4, t->policy);
        database_bind(q, 5, str_from(t->created_at));
        sqlite3_bind_blob(q, 6, hash->bytes, sizeof(hash->bytes), SQLITE_STATIC);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

enum status token_create(struct database *db, enum token_role role, struct str name,
                         struct str policy, char out[TOKEN_SIZE], struct error *err)
{
    struct access_token t = {.role = role, .name = name, .policy = policy};
    unsigned char id[ID_LEN / 2], secret[SECRET_BYTES];
    char text[SECRET_LEN + 1];

    out[0] = '\0';
    if (role == TOKEN_NONE)
        return fail(err, STATUS_USAGE, "a token needs a role: operator, worker or viewer");
    if (name.len > TOKEN_NAME_MAX)
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
        snprintf(out, TOKEN_SIZE, PREFIX "%s_%s", t.id, text);
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

enum status token_check(struct database *db, struct str presented, token_visit visit, void *context,
                        struct error *err)
{
    sqlite3_stmt *q = NULL;
    struct access_token t = {0};
    bool row = false;

    if (presented.len != TOKEN_SIZE - 1 || !str_starts(presented, STR(PREFIX)) ||
        presented.s[PREFIX_LEN + ID_LEN] != '_')
        return STATUS_OK;
    struct str id = str_slice(presented, PREFIX_LEN, PREFIX_LEN + ID_LEN);
    const struct token_hash given = hash_of(str_from_byte(presented, PREFIX_LEN + ID_LEN + 1));
    enum status status = database_prepare(
        db, "SELECT role, hash, name, policy FROM tokens WHERE id = ? AND revoked_at IS NULL", &q,
        err);
    if (status == STATUS_OK) {
        database_bind(q, 1, id);
        status = database_next(db, q, &row, err);
    }
    if (status == STATUS_OK)
        t.role = compare(q, row, &given);
    if (t.role != TOKEN_NONE) {
        snprintf(t.id, sizeof(t.id), "%.*s", STR_ARG(id));
        t.name = database_column(q, 2);
        t.policy = database_column(q, 3);
        (void)visit(&t, context);
    }
    sqlite3_finalize(q);
    return status;
}

enum status token_list(struct database *db, token_visit visit, void *context, struct error *err)
{
    sqlite3_stmt *q = NULL;
    bool row = true, more = true;
    enum status status = database_prepare(
        db,
        "SELECT id, role, name, policy, created_at, revoked_at FROM tokens ORDER BY created_at, id",
        &q, err);

    while (status == STATUS_OK && more) {
        struct access_token t = {0};
        status = database_next(db, q, &row, err);
        if (status != STATUS_OK || !row)
            break;
        (void)token_role_parse(database_column(q, 1), &t.role);
        snprintf(t.id, sizeof(t.id), "%s", database_column(q, 0).s);
        t.name = database_column(q, 2);
        t.policy = database_column(q, 3);
        snprintf(t.created_at, sizeof(t.created_at), "%s", database_column(q, 4).s);
        snprintf(t.revoked_at, sizeof(t.revoked_at), "%s", database_column(q, 5).s);
        more = visit(&t, context);
    }
    sqlite3_finalize(q);
    return status;
}

enum status token_revoke(struct database *db, struct str id, bool *found, struct error *err)
{
    sqlite3_stmt *q = NULL;
    char now[STAMP_SIZE];
    enum status status = database_prepare(
        db, "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", &q, err);

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
