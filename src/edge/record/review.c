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
        .tool = cut(r->tool, REVIEW_TEXT_MAX),
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

/* ORDER: as the texts in asked_of() */
#define ASKED                                                                                      \
    "id, worker_id, task_id, project_id, session_id, tool, token_id, command, command_hash, "      \
    "call_hash, context, reason, requested_at, expires_at"

struct asked {
    struct str texts[14];
};

static struct asked asked_of(const struct review *r)
{
    return (struct asked){{r->id, r->worker_id, r->task_id, r->project_id, r->session_id, r->tool,
                           r->token_id, r->command, r->command_hash, r->call_hash, r->context,
                           r->reason, r->requested_at, r->expires_at}};
}

enum status review_insert(struct database *db, const struct review *r, struct error *err)
{
    const struct asked asked = asked_of(r);
    const int count = (int)COUNT(asked.texts);
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(db,
                                          "INSERT INTO reviews (" ASKED ", sealed, status, record)"
                                          " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,'pending',1)",
                                          &q, err);

    if (status == STATUS_OK) {
        for (int i = 0; i < count; i++)
            database_bind(q, i + 1, asked.texts[i]);
        if (r->sealed.len)
            sqlite3_bind_blob64(q, count + 1, r->sealed.s, r->sealed.len, SQLITE_STATIC);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
}

void review_record(struct json_writer *w, const struct review *r)
{
    const struct asked asked = asked_of(r);
    struct str names = STR(ASKED), name;

    json_begin_object(w);
    json_text_member(w, "kind", STR("review"));
    json_text_member(w, "action", STR("asked"));
    json_text_member(w, "review_id", r->id);
    json_key(w, "row");
    json_begin_object(w);
    json_text_member(w, "status", STR("pending"));
    for (size_t i = 0; i < COUNT(asked.texts); i++) {
        (void)str_cut(names, ',', &name, &names);
        if (asked.texts[i].len) {
            json_key_str(w, name);
            json_text(w, asked.texts[i]);
        }
        names = str_from_byte(names, 1); /* the blank */
    }
    json_end_object(w);
    json_end_object(w);
}

static enum review_status ended_as(struct str decision)
{
    if (str_is(decision, "human-accept") || str_is(decision, "auto-accept"))
        return REVIEW_APPROVED;
    return str_is(decision, "timeout-deny") ? REVIEW_EXPIRED : REVIEW_DENIED;
}

struct review review_end_of(const struct chain_link *link)
{
    const bool waits = str_is(chain_member(link->body, "delivery"), "waiting");

    return (struct review){.id = chain_member(link->body, "review_id"),
                           .status = ended_as(chain_member(link->body, "decision")),
                           .responded_at = link->at,
                           .responded_by = chain_member(link->body, "answered_by"),
                           .decision_id = chain_member(link->body, "id"),
                           .delivered_at = waits ? (struct str){0} : link->at};
}

enum status review_recorded(struct database *db, struct str id, bool recorded, struct error *err)
{
    return run(db,
               recorded ? "UPDATE reviews SET record = 1 WHERE id = ?"
                        : "UPDATE reviews SET record = 0 WHERE id = ?",
               &id, 1, err);
}

enum status review_sealed(struct database *db, struct str id, struct str sealed, struct error *err)
{
    sqlite3_stmt *q = NULL;
    enum status status = database_prepare(
        db, "UPDATE reviews SET sealed = ? WHERE id = ? AND status = 'pending'", &q, err);

    if (status == STATUS_OK) {
        sqlite3_bind_blob64(q, 1, sealed.s, sealed.len, SQLITE_STATIC);
        database_bind(q, 2, id);
        status = database_step(db, q, err);
    }
    sqlite3_finalize(q);
    return status;
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
        return fail(err, STATUS_USAGE, "a review can only end as approved, denied or expired");
    enum status status = run(
        db,
        "UPDATE reviews SET status = ?, responded_at = ?, responded_by = ?, message = ?, rule = ?,"
        " decision_id = ?, delivered_at = ?, sealed = NULL WHERE id = ? AND status = 'pending'",
        texts, COUNT(texts), err);
    *taken = status == STATUS_OK && sqlite3_changes(db->handle) == 1;
    return status;
}

enum status review_deliver(struct database *db, struct str id, int64_t now, bool *taken,
                           struct error *err)
{
    char at[STAMP_SIZE];

    stamp_print(now, at);
    enum status status =
        run(db, "UPDATE reviews SET delivered_at = ? WHERE id = ? AND delivered_at IS NULL",
            (struct str[]){str_from(at), id}, 2, err);
    *taken = status == STATUS_OK && sqlite3_changes(db->handle) == 1;
    return status;
}

#define FORGET_ROWS "250" /* at once: records wait meanwhile */

enum status review_forget(struct database *db, int64_t before, bool *more, struct error *err)
{
    char at[STAMP_SIZE];

    stamp_print(before, at);
    enum status status =
        run(db,
            "DELETE FROM reviews WHERE rowid IN (SELECT rowid FROM reviews"
            " WHERE status <> 'pending' AND requested_at < ? LIMIT " FORGET_ROWS ")",
            (struct str[]){str_from(at)}, 1, err);
    const bool some = status == STATUS_OK && sqlite3_changes(db->handle) > 0;
    *more = false;
    if (some)
        status = database_shrink(db, more, err);
    *more |= some;
    return status;
}

/* ---- reading ---- */

#define COLUMNS                                                                                    \
    "SELECT id, status, worker_id, task_id, project_id, session_id, tool, token_id, command, "     \
    "command_hash, call_hash,"                                                                     \
    " context, reason, requested_at, expires_at, responded_at, responded_by, message, rule, "      \
    "decision_id,"                                                                                 \
    " delivered_at, rowid, sealed FROM reviews "

static struct review review_of(sqlite3_stmt *q, bool sealed)
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
    if (sealed) {
        const char *bytes = sqlite3_column_blob(q, (int)COUNT(texts) + 3);
        r.sealed = (struct str){bytes, (size_t)sqlite3_column_bytes(q, (int)COUNT(texts) + 3)};
    }
    return r;
}

static enum status visit_all(struct database *db, sqlite3_stmt *q, bool sealed, review_visit visit,
                             void *context, bool *found, struct error *err)
{
    bool row = true, more = true;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && more) {
        status = database_next(db, q, &row, err);
        if (status != STATUS_OK || !row)
            break;
        *found = true;
        const struct review r = review_of(q, sealed);
        more = visit(&r, context);
    }
    return status;
}

/* Only the conditions that are set, so that the database can choose its index. */
static void write_query(const struct review_filter *f, char *sql, size_t room)
{
    snprintf(sql, room, COLUMNS "WHERE 1%s%s%s%s%s ORDER BY %s LIMIT ?4",
             f->by_status ? " AND status = ?1" : "", f->token_id.len ? " AND token_id = ?2" : "",
             f->before ? " AND rowid < ?3" : "",
             f->undelivered_since ? " AND delivered_at IS NULL AND responded_at > ?5" : "",
             f->unrecorded ? " AND record = 0" : "", f->oldest_first ? "expires_at" : "rowid DESC");
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
        status = visit_all(db, q, f->sealed, visit, context, &found, err);
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
        status = visit_all(db, q, false, visit, context, found, err);
    }
    sqlite3_finalize(q);
    return status;
}
