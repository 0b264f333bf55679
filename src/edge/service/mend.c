/* mend.c - after a start, or when the database was unavailable: brings pending reviews and the
 * journal together.
 *
 * A process may die between its write to the journal and its write to the database. So a review
 * that is pending in the database is pending only if no record ended it, and an answer waits for
 * its worker only if no record says that it was delivered. */
#include <fcntl.h>
#include <stdio.h>

#include "base/auto.h"
#include "record/journal_read.h"
#include "record/token.h"
#include "service/service.h"

struct repair {
    warder_service *service;
    int64_t since; /* records of this time and later are read */
    bool failed;   /* no memory */
    struct error *err;
};

/* ---- what the database has ---- */

static struct waiting *load(struct repair *m, const struct review *r)
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
    if (w->requested_at < m->since)
        m->since = w->requested_at;
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

    if (sealed.len &&
        token_find(&s->db, str_from(w->token_id), note_policy, &policy, &err) == STATUS_OK &&
        !err.status)
        (void)waiting_unseal(s, w, sealed, &err);
}

static bool load_pending(const struct review *r, void *context)
{
    struct repair *m = context;
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
    struct repair *m = context;
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
    struct repair *m = context;

    m->failed = binding_note(m->service->bindings, t, m->err) != STATUS_OK;
    /* A policy beyond their number is refused when its worker logs in. */
    (void)trusted_note(m->service->trusted, t->id, t->policy, NULL);
    return !m->failed;
}

static enum status load_all(struct repair *m)
{
    warder_service *s = m->service;
    const struct review_filter pending = {
        .by_status = true, .status = REVIEW_PENDING, .oldest_first = true, .sealed = true};
    const struct review_filter ended = {.undelivered_since = m->since};
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

/* ---- what the journal has ---- */

static enum status take_decision(struct repair *m, struct waiting *w, const struct chain_link *link)
{
    warder_service *s = m->service;
    const struct review ended = review_end_of(link);
    int64_t at = 0;
    bool taken;
    enum status status = review_end(&s->db, &ended, &taken, m->err);

    if (status != STATUS_OK || w->state != WAITING_OPEN)
        return status;
    s->pending--;
    w->status = ended.status;
    snprintf(w->decision_id, sizeof(w->decision_id), "%.*s", STR_ARG(ended.decision_id));
    (void)stamp_parse(link->at, &at);
    if (!ended.delivered_at.len)
        keep_answer(s, w, at);
    else if (!w->cases)
        waiting_free(s, w);
    return STATUS_OK;
}

static enum status take_line(struct repair *m, struct str line)
{
    struct chain_link link;
    char id[REVIEW_ID_SIZE];

    if (chain_read(line, &link))
        return STATUS_OK; /* `warder log verify` says what is wrong with it */
    struct str named = chain_member(link.body, "review_id"), kind = chain_member(link.body, "kind");
    if (!named.len || named.len >= sizeof(id))
        return STATUS_OK;
    snprintf(id, sizeof(id), "%.*s", STR_ARG(named));
    struct waiting *w = waiting_find(m->service, id);
    if (!w)
        return STATUS_OK;
    if (str_is(kind, "decision"))
        return take_decision(m, w, &link);
    if (!str_is(kind, "delivery") || w->state != WAITING_OVER)
        return STATUS_OK;
    int64_t at = 0;
    (void)stamp_parse(link.at, &at);
    waiting_free(m->service, w);
    return review_deliver(&m->service->db, str_from(id), at, m->err);
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

enum status service_mend(warder_service *s, struct error *err)
{
    struct repair m = {.service = s, .since = s->wall() - SERVICE_KEPT_MS, .err = err};

    s->db_behind = true;
    if (!store_ready(s, err))
        return err->status;
    enum status status = load_all(&m);
    if (status == STATUS_OK)
        status = database_run(&s->db, "BEGIN IMMEDIATE", err);
    if (status == STATUS_OK) {
        status = read_journal(&m);
        if (status == STATUS_OK)
            status = database_run(&s->db, "COMMIT", err);
        if (status != STATUS_OK)
            (void)database_run(&s->db, "ROLLBACK", NULL);
    }
    s->db_behind = status != STATUS_OK;
    return store_used(s, status, err);
}
