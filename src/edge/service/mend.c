/* mend.c - after a start, or when the database was unavailable: brings pending reviews and the
 * journal together.
 *
 * A process may die between its write to the journal and its write to the database. So a review
 * that is pending in the database is pending only if no record ended it, and an answer waits for
 * its worker only if no record says that it was delivered. The writer's thread tells the database
 * first; then the owner reads from there what it does not have in memory. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "record/journal_read.h"
#include "record/token.h"
#include "service/service.h"

/* ---- on the writer's thread: what the journal has ---- */

struct repair {
    warder_service *service;
    struct database *db;
    struct upkeep *upkeep;
    int64_t since; /* records of this time and later are read */
    struct error *err;
};

static enum status note(struct repair *m, const struct mended *one)
{
    struct upkeep *u = m->upkeep;
    struct mended *more = realloc(u->mended, (u->mended_count + 1) * sizeof(*more));

    if (!more)
        return fail(m->err, STATUS_NOMEM, "out of memory");
    u->mended = more;
    u->mended[u->mended_count++] = *one;
    return STATUS_OK;
}

/* The end of a review, or the delivery of its answer. */
static enum status take_record(struct repair *m, const struct chain_link *link, bool delivery)
{
    const struct review ended = review_end_of(link);
    struct mended one = {.status = delivery ? REVIEW_PENDING : ended.status,
                         .delivered = delivery || ended.delivered_at.len};
    bool taken = false;

    if (ended.id.len >= sizeof(one.id))
        return STATUS_OK;
    snprintf(one.id, sizeof(one.id), "%.*s", STR_ARG(ended.id));
    snprintf(one.decision_id, sizeof(one.decision_id), "%.*s", STR_ARG(ended.decision_id));
    (void)stamp_parse(link->at, &one.at);
    enum status status = delivery ? review_deliver(m->db, ended.id, one.at, &taken, m->err)
                                  : review_end(m->db, &ended, &taken, m->err);
    return status == STATUS_OK && taken ? note(m, &one) : status;
}

static enum status take_line(struct repair *m, struct str line)
{
    struct chain_link link;

    if (chain_read(line, &link) || !chain_member(link.body, "review_id").len)
        return STATUS_OK; /* `warder log verify` says what is wrong with a damaged one */
    const struct str kind = chain_member(link.body, "kind");
    const bool delivery = str_is(kind, "delivery");
    return delivery || str_is(kind, "decision") ? take_record(m, &link, delivery) : STATUS_OK;
}

static enum status read_from(struct repair *m, uint64_t segment)
{
    struct journal_reader reader;
    struct journal_line line;
    bool got = true;
    enum status status = journal_reader_open(&reader, m->service->data, segment, m->err);

    while (status == STATUS_OK && got) {
        status = journal_next(&reader, false, &line, &got, m->err);
        if (status == STATUS_OK && got)
            status = take_line(m, line.text);
    }
    journal_reader_close(&reader);
    return status;
}

/* True if this segment begins before the time that matters: then all records of that time are in it
 * or after it. */
static enum status begins_before(struct repair *m, uint64_t segment, bool *out)
{
    struct journal_reader reader;
    struct journal_line line;
    struct chain_link link;
    char since[STAMP_SIZE];
    bool got = false;
    enum status status = journal_reader_open(&reader, m->service->data, segment, m->err);

    if (status == STATUS_OK)
        status = journal_next(&reader, false, &line, &got, m->err);
    stamp_print(m->since, since);
    *out = got && !chain_read(line.text, &link) && str_compare(link.at, str_from(since)) < 0;
    journal_reader_close(&reader);
    return status;
}

enum status service_segments(warder_service *s, struct segments *out, struct error *err)
{
    char path[sizeof(s->data) + 16];
    AUTO_CLOSE int directory = -1;

    *out = (struct segments){0};
    snprintf(path, sizeof(path), "%s/journal", s->data);
    directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return directory < 0 ? STATUS_OK : segments_list(directory, out, err);
}

static enum status read_journal(struct repair *m)
{
    struct segments segments;
    enum status status = service_segments(m->service, &segments, m->err);
    bool early = false;
    size_t i = segments.count;

    while (status == STATUS_OK && i > 0 && !early)
        status = begins_before(m, segments.first[--i], &early);
    if (status == STATUS_OK && segments.count)
        status = read_from(m, segments.first[i]);
    segments_release(&segments);
    return status;
}

/* Reviews that are pending may have ended since they were asked, however long ago that was. */
static bool note_oldest(const struct review *r, void *context)
{
    struct repair *m = context;
    int64_t at;

    if (stamp_parse(r->requested_at, &at) && at < m->since)
        m->since = at;
    return true;
}

static enum status repair(struct repair *m)
{
    const struct review_filter pending = {.by_status = true, .status = REVIEW_PENDING};
    enum status status = reviews_visit(m->db, &pending, note_oldest, m, m->err);

    return status == STATUS_OK ? read_journal(m) : status;
}

enum status mend_database(warder_service *s, struct database *db, struct upkeep *u,
                          struct error *err)
{
    struct repair m = {s, db, u, .since = s->wall() - SERVICE_KEPT_MS, .err = err};
    enum status status = database_run(db, "BEGIN IMMEDIATE", err);

    if (status != STATUS_OK)
        return status;
    status = repair(&m);
    if (status == STATUS_OK)
        status = database_run(db, "COMMIT", err);
    if (status != STATUS_OK)
        (void)database_run(db, "ROLLBACK", NULL);
    return status;
}

/* ---- its owner: what the database has ---- */

struct loading {
    warder_service *service;
    bool failed; /* no memory */
    struct error *err;
};

static struct waiting *load(struct loading *m, const struct review *r)
{
    char id[REVIEW_ID_SIZE], hash[SHA256_HEX], token[sizeof(((warder_caller *)NULL)->id)];
    struct waiting *w;

    snprintf(id, sizeof(id), "%.*s", STR_ARG(r->id));
    snprintf(hash, sizeof(hash), "%.*s", STR_ARG(r->call_hash));
    snprintf(token, sizeof(token), "%.*s", STR_ARG(r->token_id));
    if (waiting_find(m->service, id))
        return NULL; /* it is known */
    w = waiting_new(m->service, id, hash, token);
    if (!w) {
        m->failed = true;
        return NULL;
    }
    (void)stamp_parse(r->requested_at, &w->requested_at);
    (void)stamp_parse(r->expires_at, &w->expires_at);
    return w;
}

/* The time left from now, between 0 and the whole period even if the clock has jumped. */
static int64_t left(int64_t until, int64_t now, int64_t most)
{
    return until <= now ? 0 : until - now > most ? most : until - now;
}

struct token_policy {
    warder_service *service;
    struct error *err;
};

static bool note_policy(const struct access_token *t, void *context)
{
    const struct token_policy *p = context;

    (void)trusted_note(p->service->trusted, t->id, t->policy, p->err);
    return true;
}

/* So that it can be approved. The policy of its token counts then, too, even if the token has not
 * been used since the restart: without it the call stays sealed. */
static void load_call(warder_service *s, struct waiting *w, struct str sealed)
{
    struct error err = {0};
    struct token_policy policy = {s, &err};

    w->stored =
        sealed.len &&
        token_find(&s->db, str_from(w->token_id), note_policy, &policy, &err) == STATUS_OK &&
        !err.status && waiting_unseal(s, w, sealed, &err) == STATUS_OK;
}

static bool load_pending(const struct review *r, void *context)
{
    struct loading *m = context;
    warder_service *s = m->service;
    struct waiting *w = load(m, r);

    if (!w)
        return !m->failed;
    load_call(s, w, r->sealed);
    w->state = WAITING_OPEN;
    s->pending++;
    waiting_queue(&s->open, w,
                  s->mono() +
                      left(w->expires_at, s->wall(), (int64_t)s->options.review_timeout_s * 1000));
    return true;
}

static void keep_answer(warder_service *s, struct waiting *w, int64_t ended)
{
    waiting_over(s, w, s->mono() + left(ended + SERVICE_KEPT_MS, s->wall(), SERVICE_KEPT_MS));
}

static bool load_ended(const struct review *r, void *context)
{
    struct loading *m = context;
    struct waiting *w = load(m, r);
    int64_t ended = 0;

    if (!w)
        return !m->failed;
    w->status = r->status;
    w->message = strndup(r->message.len ? r->message.s : "", r->message.len);
    snprintf(w->decision_id, sizeof(w->decision_id), "%.*s", STR_ARG(r->decision_id));
    (void)stamp_parse(r->responded_at, &ended);
    keep_answer(m->service, w, ended);
    return true;
}

/* The calls of these reviews are judged again before their workers have logged in. */
static bool load_token(const struct access_token *t, void *context)
{
    struct loading *m = context;

    m->failed = binding_note(m->service->bindings, t, m->err) != STATUS_OK;
    /* A policy beyond their number is refused when its worker logs in. */
    (void)trusted_note(m->service->trusted, t->id, t->policy, NULL);
    return !m->failed;
}

static enum status load_all(struct loading *m)
{
    warder_service *s = m->service;
    const struct review_filter pending = {
        .by_status = true, .status = REVIEW_PENDING, .oldest_first = true, .sealed = true};
    const struct review_filter ended = {.undelivered_since = s->wall() - SERVICE_KEPT_MS};
    enum status status = reviews_visit(&s->db, &pending, load_pending, m, m->err);

    if (status == STATUS_OK)
        status = reviews_visit(&s->db, &ended, load_ended, m, m->err);
    if (status == STATUS_OK && !m->failed) {
        status = token_list(&s->db, load_token, m, m->err);
        if (m->failed)
            return m->err->status;
    }
    return status == STATUS_OK && m->failed ? fail(m->err, STATUS_NOMEM, "out of memory") : status;
}

/* It is in memory, too: its end could not be recorded, as far as was known. */
static void take_mended(warder_service *s, const struct mended *one)
{
    struct waiting *w = waiting_find(s, one->id);

    if (w && one->status == REVIEW_PENDING && w->state == WAITING_OVER) {
        waiting_free(s, w);
        return;
    }
    if (!w || one->status == REVIEW_PENDING || w->state != WAITING_OPEN)
        return;
    s->pending--;
    w->status = one->status;
    snprintf(w->decision_id, sizeof(w->decision_id), "%s", one->decision_id);
    if (!one->delivered)
        keep_answer(s, w, one->at);
    else if (!w->cases)
        waiting_free(s, w);
}

enum status mend_memory(warder_service *s, const struct upkeep *u, struct error *err)
{
    struct loading m = {.service = s, .err = err};

    if (!store_readable(s, err))
        return err->status;
    for (size_t i = 0; i < u->mended_count; i++)
        take_mended(s, &u->mended[i]);
    return load_all(&m);
}
