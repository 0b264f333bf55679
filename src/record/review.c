#include "record/review.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/json.h"
#include "record/redact.h"

static const char *const status_names[] = {[REVIEW_EXPIRED] = "expired",
                                           [REVIEW_DENIED] = "denied",
                                           [REVIEW_APPROVED] = "approved",
                                           [REVIEW_PENDING] = "pending"};

const char *review_status_name(enum review_status status)
{
    return status_names[status];
}

bool review_status_parse(struct str name, enum review_status *out)
{
    for (size_t i = 0; i < COUNT(status_names); i++)
        if (str_is(name, status_names[i])) {
            *out = (enum review_status)i;
            return true;
        }
    *out = REVIEW_EXPIRED;
    return false;
}

/* ---- what is kept of a request ---- */

struct clean {
    struct arena *arena;
    const struct review_request *request;
    struct strs found;
    struct str command, context, reason;
    struct str worker_id, task_id, project_id, session_id;
};

static struct str cut(struct str text, size_t most)
{
    size_t len = text.len < most ? text.len : most;

    while (len > 0 && len < text.len && ((unsigned char)text.s[len] & 0xc0) == 0x80)
        len--;
    return str_slice(text, 0, len);
}

static struct str quoting(struct clean *c, struct str text)
{
    return cut(redact_quoting(c->arena, text, &c->found), REVIEW_TEXT_MAX);
}

static void write_context(struct clean *c)
{
    const struct review_request *r = c->request;
    struct buf b = buf_in(c->arena);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    json_key(&w, "task_description");
    json_text(&w, quoting(c, r->task_description));
    json_key(&w, "recent_commands");
    json_begin_array(&w);
    for (size_t i = 0; i < r->recent_count && i < REVIEW_RECENT_MAX; i++)
        json_text(&w, cut(redact_command(c->arena, r->recent[i], NULL), REVIEW_TEXT_MAX));
    json_end_array(&w);
    json_key(&w, "worktree_path");
    json_text(&w, quoting(c, r->worktree_path));
    json_end_object(&w);
    c->context = buf_str(&b);
}

static void make_clean(void *arg)
{
    struct clean *c = arg;
    const struct review_request *r = c->request;

    c->command = cut(r->shell ? redact_command(c->arena, r->command, &c->found) : redact_text(c->arena, r->command),
                     REVIEW_COMMAND_MAX);
    c->reason = quoting(c, r->reason);
    c->worker_id = quoting(c, r->worker_id);
    c->task_id = quoting(c, r->task_id);
    c->project_id = quoting(c, r->project_id);
    c->session_id = quoting(c, r->session_id);
    write_context(c);
}

/* ---- writing ---- */

static bool make_id(char out[REVIEW_ID_SIZE])
{
    uint8_t bytes[SHA256_BYTES];
    char hex[SHA256_HEX];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    sha256_hex(bytes, hex);
    snprintf(out, REVIEW_ID_SIZE, "r_%.32s", hex);
    return true;
}

/* The next number of change, inside of the same statement. */
#define NEXT_CHANGE "(SELECT coalesce(max(change), 0) + 1 FROM reviews)"

static enum status insert(struct database *db, const struct clean *c, struct str id, struct str hash, struct error *err)
{
    const struct review_request *r = c->request;
    char requested[STAMP_SIZE], expires[STAMP_SIZE];
    sqlite3_stmt *q = NULL;

    stamp_print(r->requested_at, requested);
    stamp_print(r->expires_at, expires);
    const struct str texts[] = {
        id,   c->worker_id, c->task_id, c->project_id, c->session_id,       r->tool,          r->token_id, c->command,
        hash, r->call_hash, c->context, c->reason,     str_from(requested), str_from(expires)};
    enum status status = database_prepare(
        db,
        "INSERT INTO reviews (id, worker_id, task_id, project_id, session_id, tool, token_id, command, command_hash,"
        " call_hash, context, reason, requested_at, expires_at, status, change)"
        " SELECT ?,?,?,?,?,?,?,?,?,?,?,?,?,?,'pending'," NEXT_CHANGE
        " WHERE (SELECT count(*) FROM reviews WHERE status = 'pending') < ?",
        &q, err);
    for (size_t i = 0; status == STATUS_OK && i < COUNT(texts); i++)
        database_bind(q, (int)i + 1, texts[i]);
    if (status == STATUS_OK) {
        sqlite3_bind_int(q, (int)COUNT(texts) + 1, REVIEW_PENDING_MAX);
        status = database_step(db, q, err);
    }
    if (status == STATUS_OK && sqlite3_changes(db->handle) != 1)
        status = fail(err, STATUS_LIMIT, "more than %d reviews wait already", REVIEW_PENDING_MAX);
    sqlite3_finalize(q);
    return status;
}

enum status review_create(struct database *db, struct arena *a, const struct review_request *r,
                          const struct record_key *key, char id[REVIEW_ID_SIZE], struct error *err)
{
    struct clean c = {.arena = a, .request = r};
    char hash[SHA256_HEX];

    id[0] = '\0';
    if (!arena_try(a, make_clean, &c))
        return fail(err, STATUS_NOMEM, "the call is too large to be reviewed");
    if (!make_id(id))
        return fail(err, STATUS_IO, "the system has no random bytes");
    record_key_hash(key, r->command, hash);
    enum status status = insert(db, &c, str_from(id), str_from(hash), err);
    if (status != STATUS_OK)
        id[0] = '\0';
    return status;
}

static enum status exists(struct database *db, struct str id, bool *out, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, "SELECT 1 FROM reviews WHERE id = ?", &q, err);

    *out = false;
    if (status == STATUS_OK) {
        database_bind(q, 1, id);
        status = database_next(db, q, out, err);
    }
    sqlite3_finalize(q);
    return status;
}

/* One statement says both "it is still open" and "now it is not": two who answer at once cannot both have it. */
enum status review_answer(struct database *db, struct str id, const struct review_answer *answer, int64_t now,
                          enum review_outcome *out, struct error *err)
{
    char at[STAMP_SIZE];
    sqlite3_stmt *q = NULL;
    bool there = false;

    *out = REVIEW_UNKNOWN;
    if (answer->status != REVIEW_APPROVED && answer->status != REVIEW_DENIED)
        return fail(err, STATUS_USAGE, "a review is approved or denied");
    stamp_print(now, at);
    enum status status = database_prepare(
        db,
        "UPDATE reviews SET status = ?1, responded_at = ?2, responded_by = ?3, message = ?4, rule = ?5,"
        " change = " NEXT_CHANGE " WHERE id = ?6 AND status = 'pending' AND expires_at > ?2",
        &q, err);
    if (status == STATUS_OK) {
        const struct str texts[] = {
            str_from(status_names[answer->status]), str_from(at), answer->by, answer->message, answer->rule, id};
        for (size_t i = 0; i < COUNT(texts); i++)
            database_bind(q, (int)i + 1, texts[i]);
        status = database_step(db, q, err);
    }
    bool taken = status == STATUS_OK && sqlite3_changes(db->handle) == 1;
    sqlite3_finalize(q);
    if (status == STATUS_OK && !taken)
        status = exists(db, id, &there, err);
    if (status == STATUS_OK)
        *out = taken ? REVIEW_TAKEN : there ? REVIEW_OVER : REVIEW_UNKNOWN;
    return status;
}

/* Each gets a number of its own, so that no poller passes over one. */
enum status review_expire(struct database *db, int64_t now, size_t *count, struct error *err)
{
    char at[STAMP_SIZE];
    sqlite3_stmt *q = NULL;
    enum status status =
        database_prepare(db,
                         "UPDATE reviews SET status = 'expired', responded_at = ?1, change = " NEXT_CHANGE
                         " WHERE id = (SELECT id FROM reviews WHERE status = 'pending' AND expires_at <= ?1 ORDER BY "
                         "expires_at LIMIT 1)",
                         &q, err);

    *count = 0;
    stamp_print(now, at);
    for (bool more = true; more && status == STATUS_OK; *count += more) {
        database_bind(q, 1, str_from(at));
        status = database_step(db, q, err);
        more = status == STATUS_OK && sqlite3_changes(db->handle) == 1;
        sqlite3_reset(q);
    }
    sqlite3_finalize(q);
    return status;
}

/* ---- reading ---- */

#define COLUMNS                                                                                                        \
    "SELECT id, status, worker_id, task_id, project_id, session_id, tool, token_id, command, command_hash, call_hash," \
    " context, reason, requested_at, expires_at, responded_at, responded_by, message, rule, change FROM reviews "

static struct review review_of(sqlite3_stmt *q)
{
    struct review r = {.id = database_column(q, 0), .change = (uint64_t)sqlite3_column_int64(q, 19)};
    struct str *const texts[] = {&r.worker_id, &r.task_id,      &r.project_id,   &r.session_id,   &r.tool,
                                 &r.token_id,  &r.command,      &r.command_hash, &r.call_hash,    &r.context,
                                 &r.reason,    &r.requested_at, &r.expires_at,   &r.responded_at, &r.responded_by,
                                 &r.message,   &r.rule};

    (void)review_status_parse(database_column(q, 1), &r.status);
    for (size_t i = 0; i < COUNT(texts); i++)
        *texts[i] = database_column(q, (int)i + 2);
    return r;
}

static enum status visit_all(struct database *db, sqlite3_stmt *q, review_visit visit, void *context, bool *found,
                             struct error *err)
{
    bool row = true, more = true;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && more) {
        status = database_next(db, q, &row, err);
        if (status != STATUS_OK || !row)
            break;
        *found = true;
        const struct review r = review_of(q);
        more = visit(&r, context);
    }
    return status;
}

enum status review_list(struct database *db, const struct review_filter *f, review_visit visit, void *context,
                        struct error *err)
{
    sqlite3_stmt *q = NULL;
    size_t limit = f->limit ? f->limit : REVIEW_LIST_DEFAULT;
    bool found;

    if (limit > REVIEW_LIST_MAX)
        return fail(err, STATUS_USAGE, "at most %d at once", REVIEW_LIST_MAX);
    enum status status =
        database_prepare(db,
                         f->by_status ? COLUMNS "WHERE change > ? AND status = ?3 ORDER BY change LIMIT ?2"
                                      : COLUMNS "WHERE change > ? ORDER BY change LIMIT ?2",
                         &q, err);
    if (status == STATUS_OK) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)f->after);
        sqlite3_bind_int64(q, 2, (sqlite3_int64)limit);
        if (f->by_status)
            database_bind(q, 3, str_from(status_names[f->status]));
        status = visit_all(db, q, visit, context, &found, err);
    }
    sqlite3_finalize(q);
    return status;
}

enum status review_get(struct database *db, struct str id, review_visit visit, void *context, bool *found,
                       struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, COLUMNS "WHERE id = ?", &q, err);

    *found = false;
    if (status == STATUS_OK) {
        database_bind(q, 1, id);
        status = visit_all(db, q, visit, context, found, err);
    }
    sqlite3_finalize(q);
    return status;
}
