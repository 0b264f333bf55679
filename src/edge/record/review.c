#include "record/review.h"

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
    const struct record_key *key;
    struct review *out;
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
    json_text_member(&w, "task_description", quoting(c, r->task_description));
    json_key(&w, "recent_commands");
    json_begin_array(&w);
    for (size_t i = 0; i < r->recent_count && i < REVIEW_RECENT_MAX; i++)
        json_text(&w, cut(redact_command(c->arena, r->recent[i], NULL), REVIEW_TEXT_MAX));
    json_end_array(&w);
    json_text_member(&w, "worktree_path", quoting(c, r->worktree_path));
    json_end_object(&w);
    c->context = buf_str(&b);
}

static void make_clean(struct clean *c)
{
    const struct review_request *r = c->request;

    c->command = cut(r->shell ? redact_command(c->arena, r->command, &c->found)
                              : redact_text_finding(c->arena, r->command, &c->found),
                     REVIEW_COMMAND_MAX);
    c->reason = quoting(c, r->reason);
    c->worker_id = quoting(c, r->worker_id);
    c->task_id = quoting(c, r->task_id);
    c->project_id = quoting(c, r->project_id);
    c->session_id = quoting(c, r->session_id);
    write_context(c);
}

static bool make_id(char out[REVIEW_ID_SIZE])
{
    uint8_t bytes[16];

    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return false;
    memcpy(out, "r_", 2);
    *str_hex(out + 2, bytes, sizeof(bytes)) = '\0';
    return true;
}

static struct str stamp_of(struct arena *a, int64_t ms)
{
    char text[STAMP_SIZE];

    stamp_print(ms, text);
    return str_copy(a, str_from(text));
}

static void make_review(void *arg)
{
    struct clean *c = arg;
    const struct review_request *r = c->request;
    char id[REVIEW_ID_SIZE], hash[SHA256_HEX];

    make_clean(c);
    if (!make_id(id))
        return;
    record_key_hash(c->key, r->command, hash);
    *c->out = (struct review){
        .id = str_copy(c->arena, str_from(id)),
        .status = REVIEW_PENDING,
        .worker_id = c->worker_id,
        .task_id = c->task_id,
        .project_id = c->project_id,
        .session_id = c->session_id,
        .tool = r->tool,
        .token_id = r->token_id,
        .command = c->command,
        .command_hash = str_copy(c->arena, str_from(hash)),
        .call_hash = r->call_hash,
        .context = c->context,
        .reason = c->reason,
        .requested_at = stamp_of(c->arena, r->requested_at),
        .expires_at = stamp_of(c->arena, r->expires_at),
    };
}

enum status review_make(struct arena *a, const struct review_request *r,
                        const struct record_key *key, struct review *out, struct error *err)
{
    struct clean c = {.arena = a, .request = r, .key = key, .out = out};

    *out = (struct review){0};
    if (!arena_try(a, make_review, &c))
        return fail(err, STATUS_NOMEM, "the call is too large to be reviewed");
    return out->id.len ? STATUS_OK : fail(err, STATUS_IO, "the system has no random bytes");
}

/* ---- writing ---- */

/* Runs a statement with these texts as its parameters. */
static enum status run(struct database *db, const char *sql, const struct str *texts, size_t count,
                       struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db, sql, &q, err);

    for (size_t i = 0; status == STATUS_OK && i < count; i++)
        database_bind(q, (int)i + 1, texts[i]);
    if (status == STATUS_OK)
        status = database_step(db, q, err);
    sqlite3_finalize(q);
    return status;
}

enum status review_insert(struct database *db, const struct review *r, struct error *err)
{
    const struct str texts[] = {r->id,           r->worker_id, r->task_id,  r->project_id,
                                r->session_id,   r->tool,      r->token_id, r->command,
                                r->command_hash, r->call_hash, r->context,  r->reason,
                                r->requested_at, r->expires_at};

    return run(db,
               "INSERT INTO reviews (id, worker_id, task_id, project_id, session_id, tool, "
               "token_id, command,"
               " command_hash, call_hash, context, reason, requested_at, expires_at, status)"
               " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,'pending')",
               texts, COUNT(texts), err);
}

/* One statement checks that it is still open and closes it. */
enum status review_end(struct database *db, const struct review *r, bool *taken, struct error *err)
{
    const struct str texts[] = {str_from(status_names[r->status]),
                                r->responded_at,
                                r->responded_by,
                                r->message,
                                r->rule,
                                r->decision_id,
                                r->delivered_at,
                                r->id};

    *taken = false;
    if (r->status == REVIEW_PENDING)
        return fail(err, STATUS_USAGE, "a review can only end approved, denied or expired");
    enum status status = run(
        db,
        "UPDATE reviews SET status = ?, responded_at = ?, responded_by = ?, message = ?, rule = ?,"
        " decision_id = ?, delivered_at = ? WHERE id = ? AND status = 'pending'",
        texts, COUNT(texts), err);
    *taken = status == STATUS_OK && sqlite3_changes(db->handle) == 1;
    return status;
}

enum status review_deliver(struct database *db, struct str id, int64_t now, struct error *err)
{
    char at[STAMP_SIZE];

    stamp_print(now, at);
    return run(db, "UPDATE reviews SET delivered_at = ? WHERE id = ? AND delivered_at IS NULL",
               (struct str[]){str_from(at), id}, 2, err);
}

enum status review_forget(struct database *db, int64_t before, struct error *err)
{
    char at[STAMP_SIZE];

    stamp_print(before, at);
    return run(db, "DELETE FROM reviews WHERE status <> 'pending' AND requested_at < ?",
               (struct str[]){str_from(at)}, 1, err);
}

/* ---- reading ---- */

#define COLUMNS                                                                                    \
    "SELECT id, status, worker_id, task_id, project_id, session_id, tool, token_id, command, "     \
    "command_hash, call_hash,"                                                                     \
    " context, reason, requested_at, expires_at, responded_at, responded_by, message, rule, "      \
    "decision_id,"                                                                                 \
    " delivered_at, rowid FROM reviews "

static struct review review_of(sqlite3_stmt *q)
{
    struct review r = {.id = database_column(q, 0)};
    struct str *const texts[] = {&r.worker_id,  &r.task_id,      &r.project_id,   &r.session_id,
                                 &r.tool,       &r.token_id,     &r.command,      &r.command_hash,
                                 &r.call_hash,  &r.context,      &r.reason,       &r.requested_at,
                                 &r.expires_at, &r.responded_at, &r.responded_by, &r.message,
                                 &r.rule,       &r.decision_id,  &r.delivered_at};

    (void)review_status_parse(database_column(q, 1), &r.status);
    for (size_t i = 0; i < COUNT(texts); i++)
        *texts[i] = database_column(q, (int)i + 2);
    r.row = (uint64_t)sqlite3_column_int64(q, (int)COUNT(texts) + 2);
    return r;
}

static enum status visit_all(struct database *db, sqlite3_stmt *q, review_visit visit,
                             void *context, bool *found, struct error *err)
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

/* Only the conditions that are set, so that the database can choose its index. */
static void write_query(const struct review_filter *f, char *sql, size_t room)
{
    snprintf(sql, room, COLUMNS "WHERE 1%s%s%s%s ORDER BY %s LIMIT ?4",
             f->by_status ? " AND status = ?1" : "", f->token_id.len ? " AND token_id = ?2" : "",
             f->before ? " AND rowid < ?3" : "",
             f->undelivered_since ? " AND delivered_at IS NULL AND responded_at > ?5" : "",
             f->oldest_first ? "expires_at" : "rowid DESC");
}

enum status reviews_visit(struct database *db, const struct review_filter *f, review_visit visit,
                          void *context, struct error *err)
{
    sqlite3_stmt *q = NULL;
    char sql[sizeof(COLUMNS) + 256], since[STAMP_SIZE];
    bool found;

    write_query(f, sql, sizeof(sql));
    stamp_print(f->undelivered_since, since);
    enum status status = database_prepare(db, sql, &q, err);
    if (status == STATUS_OK) {
        if (f->by_status)
            database_bind(q, 1, str_from(status_names[f->status]));
        if (f->token_id.len)
            database_bind(q, 2, f->token_id);
        if (f->before)
            sqlite3_bind_int64(q, 3, (sqlite3_int64)f->before);
        if (f->undelivered_since)
            database_bind(q, 5, str_from(since));
        sqlite3_bind_int64(q, 4, f->limit ? (sqlite3_int64)f->limit : -1);
        status = visit_all(db, q, visit, context, &found, err);
    }
    sqlite3_finalize(q);
    return status;
}

enum status review_find(struct database *db, struct str id, review_visit visit, void *context,
                        bool *found, struct error *err)
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
