/* keep.c - what the database and the journal need to be made again from each other.
 *
 * The journal has a record of every token and every question. But a file of an older warder did not
 * record them, a journal that could not be written missed some, and retention removes old records:
 * what is still needed is recorded again before that. The other way round, the database has the
 * whole call of a pending review, sealed, unless it was made again from the journal. */
#include <stdio.h>
#include <stdlib.h>

#include "record/seal.h"
#include "record/token.h"
#include "service/service.h"

#define KEEP_EVERY_MS ((int64_t)SERVICE_RECORD_LEAST_S * 500) /* before a record can be removed */
#define KEEP_MAX      256u /* in one go: other calls wait meanwhile */
#define KEEP_MEMORY   ((size_t)16 * 1024 * 1024)

/* ---- sealed calls ---- */

/* What a sealed call is bound to. */
static struct str about(const struct waiting *w, char *room, size_t size)
{
    snprintf(room, size, "%s %s %s", w->id, w->call_hash, w->token_id);
    return str_from(room);
}

#define ABOUT_SIZE                                                                                 \
    (sizeof(((struct waiting *)NULL)->id) + SHA256_HEX + sizeof(((warder_caller *)NULL)->id) + 2)

/* HASH LENGTH\nFILES CALL: of the call without its files, of FILES. */
enum status waiting_seal(warder_service *s, const struct waiting *w, struct str *out,
                         struct error *err)
{
    struct record_key key;
    char *text = NULL, room[ABOUT_SIZE];
    enum status status = recorder_key(s->engine->recorder, &key, err);

    *out = (struct str){0};
    if (status != STATUS_OK)
        return status;
    int head = asprintf(&text, "%s %zu\n%s", w->plain_hash, strlen(w->files), w->files);
    char *whole = head < 0 ? NULL : realloc(text, (size_t)head + w->call_len + 1);
    if (!whole) {
        free(head < 0 ? NULL : text);
        return fail(err, STATUS_NOMEM, "out of memory");
    }
    memcpy(whole + head, w->call, w->call_len);
    struct str all = {whole, (size_t)head + w->call_len};
    status = seal_close(&key, about(w, room, sizeof(room)), all, out, err);
    seal_free(&all);
    return status;
}

static enum status take_parts(warder_service *s, struct waiting *w, struct str text,
                              struct error *err)
{
    struct str hash, length, rest;
    char *end;

    if (!str_cut(text, '\n', &length, &rest) || !str_cut(length, ' ', &hash, &length) ||
        hash.len != SHA256_HEX - 1)
        return fail(err, STATUS_SYNTAX, "a sealed call is malformed");
    size_t files = strtoull(length.s, &end, 10);
    if (*end != '\n' || files > rest.len)
        return fail(err, STATUS_SYNTAX, "a sealed call is malformed");
    free(w->files);
    w->files = strndup(rest.s, files);
    if (!w->files)
        return fail(err, STATUS_NOMEM, "out of memory");
    snprintf(w->plain_hash, sizeof(w->plain_hash), "%.*s", STR_ARG(hash));
    return waiting_keep_call(s, w, str_from_byte(rest, files), err);
}

enum status waiting_unseal(warder_service *s, struct waiting *w, struct str sealed,
                           struct error *err)
{
    struct record_key key;
    struct str text = {0};
    char room[ABOUT_SIZE];
    enum status status = recorder_key(s->engine->recorder, &key, err);

    if (status == STATUS_OK)
        status = seal_open(&key, about(w, room, sizeof(room)), sealed, &text, err);
    if (status == STATUS_OK)
        status = take_parts(s, w, text, err);
    seal_free(&text);
    return status;
}

/* ---- one pass ---- */

struct ids {
    char items[KEEP_MAX][REVIEW_ID_SIZE];
    size_t count;
};

static bool add_id(struct ids *ids, const char *id)
{
    snprintf(ids->items[ids->count++], REVIEW_ID_SIZE, "%s", id);
    return ids->count < KEEP_MAX;
}

static bool add_token(const struct access_token *t, void *context)
{
    return add_id(context, t->id);
}

static bool add_review(const struct review *r, void *context)
{
    char id[REVIEW_ID_SIZE];

    snprintf(id, sizeof(id), "%.*s", STR_ARG(r->id));
    return add_id(context, id);
}

struct pass {
    warder_service *service;
    struct arena arena;
    uint64_t newest; /* the first record of the newest segment */
    struct ids ids;
    struct str bodies[KEEP_MAX];
    size_t count; /* of the bodies; less than ids if there was no memory for more */
};

static enum status append(struct pass *p, struct error *err)
{
    warder_service *s = p->service;
    enum status status =
        p->count ? recorder_append(s->engine->recorder, NULL, p->bodies, p->count, err) : STATUS_OK;

    s->journal_error = status == STATUS_OK ? (struct error){0} : *err;
    return status;
}

static void begin(struct pass *p)
{
    p->ids.count = p->count = 0;
    arena_reset(&p->arena);
}

static enum status record_tokens(struct pass *p, uint64_t needed, struct error *err)
{
    struct database *db = &p->service->db;
    struct error full;

    begin(p);
    enum status status = tokens_unrecorded(db, needed, add_token, &p->ids, err);
    while (status == STATUS_OK && p->count < p->ids.count &&
           token_record(db, &p->arena, str_from(p->ids.items[p->count]), "kept",
                        &p->bodies[p->count], &full) == STATUS_OK)
        p->count++;
    if (status == STATUS_OK)
        status = append(p, err);
    for (size_t i = 0; status == STATUS_OK && i < p->count; i++)
        status = token_recorded(db, str_from(p->ids.items[i]), p->newest, err);
    return status;
}

/* In a transaction: a token that is revoked meanwhile must not be recorded as one in force after
 * the record that it was revoked. */
static enum status keep_tokens(struct pass *p, uint64_t needed, struct error *err)
{
    struct database *db = &p->service->db;
    enum status status = database_run(db, "BEGIN IMMEDIATE", err);

    if (status != STATUS_OK)
        return status;
    status = record_tokens(p, needed, err);
    if (status == STATUS_OK)
        return database_run(db, "COMMIT", err);
    (void)database_run(db, "ROLLBACK", NULL);
    return status;
}

static void write_question(struct json_writer *w, const void *about)
{
    review_record(w, about);
}

static bool write_body(struct pass *p, size_t i)
{
    struct review row;
    struct error ignored;
    struct str text;
    bool found;

    if (store_review(p->service, &p->arena, p->ids.items[i], &row, &found, &ignored) != STATUS_OK ||
        !found || !json_try(&p->arena, write_question, &row, &text))
        return false;
    p->bodies[i] = str_slice(text, 1, text.len - 1);
    return text.len + CHAIN_FRAME <= CHAIN_LINE_MAX;
}

static enum status keep_reviews(struct pass *p, struct error *err)
{
    struct database *db = &p->service->db;
    const struct review_filter unrecorded = {
        .by_status = true, .status = REVIEW_PENDING, .unrecorded = true, .limit = KEEP_MAX};

    begin(p);
    enum status status = reviews_visit(db, &unrecorded, add_review, &p->ids, err);
    while (status == STATUS_OK && p->count < p->ids.count && write_body(p, p->count))
        p->count++;
    if (status == STATUS_OK)
        status = append(p, err);
    for (size_t i = 0; status == STATUS_OK && i < p->count; i++)
        status = review_recorded(db, str_from(p->ids.items[i]), true, err);
    return status;
}

static enum status keep_calls(struct pass *p, struct error *err)
{
    warder_service *s = p->service;
    const struct review_filter unsealed = {.unsealed = true, .limit = KEEP_MAX};
    struct str sealed;

    begin(p);
    enum status status = reviews_visit(&s->db, &unsealed, add_review, &p->ids, err);
    for (size_t i = 0; status == STATUS_OK && i < p->ids.count; i++) {
        const struct waiting *w = waiting_find(s, p->ids.items[i]);
        if (!w || !w->call || !w->files || w->state != WAITING_OPEN ||
            waiting_seal(s, w, &sealed, err) != STATUS_OK)
            continue;
        status = review_sealed(&s->db, str_from(w->id), sealed, err);
        seal_free(&sealed);
    }
    return status;
}

void service_keep(warder_service *s, int64_t now)
{
    struct segments segments = {0};
    struct error err = {0};

    if (now < s->keep_at)
        return;
    s->keep_at = now + SERVICE_RETRY_MS;
    if (!store_ready(s, &err))
        return;
    struct pass *p = calloc(1, sizeof(*p));
    if (!p)
        return;
    p->service = s;
    arena_init(&p->arena, KEEP_MEMORY);
    enum status status = service_segments(s, &segments, &err);
    /* Retention removes the oldest ones: what is needed must be in the newer half. */
    const uint64_t needed = segments.count ? segments.first[segments.count / 2] : 1;
    p->newest = segments.count ? segments.first[segments.count - 1] : 1;
    if (status == STATUS_OK)
        status = keep_tokens(p, needed, &err);
    bool more = p->ids.count == KEEP_MAX;
    if (status == STATUS_OK)
        status = keep_reviews(p, &err);
    more |= p->ids.count == KEEP_MAX;
    if (status == STATUS_OK)
        status = keep_calls(p, &err);
    s->keep_at = now + (more || status != STATUS_OK ? SERVICE_RETRY_MS : KEEP_EVERY_MS);
    segments_release(&segments);
    arena_release(&p->arena);
    free(p);
}
