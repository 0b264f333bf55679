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

#define KEEP_BYTES  ((size_t)1024 * 1024) /* of calls that are sealed in one go */
#define KEEP_MEMORY ((size_t)16 * 1024 * 1024)

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

/* ---- calls that the database does not have ---- */

static bool lacks_call(const struct waiting *w)
{
    return w->state == WAITING_OPEN && w->call && w->files && !w->stored;
}

static bool seal_for(warder_service *s, struct upkeep *u, const struct waiting *w)
{
    struct stored_call *call = &u->calls[u->call_count];
    struct error ignored;

    if (waiting_seal(s, w, &call->sealed, &ignored) != STATUS_OK)
        return false;
    snprintf(call->id, sizeof(call->id), "%s", w->id);
    u->call_count++;
    return true;
}

void keep_seal(warder_service *s, struct upkeep *u)
{
    size_t bytes = 0;
    bool left = false;

    if (!s->calls_unstored || !(u->calls = calloc(KEEP_MAX, sizeof(*u->calls))))
        return;
    for (const struct waiting *w = s->open.first; w && !left; w = w->after)
        if (lacks_call(w)) {
            left = u->call_count == KEEP_MAX || bytes > KEEP_BYTES || !seal_for(s, u, w);
            bytes += w->call_len;
        }
    s->calls_unstored = u->keeps_more = left;
}

void keep_finish(warder_service *s, const struct upkeep *u)
{
    s->calls_unstored |= u->call_count && !u->kept;
    for (size_t i = 0; u->kept && i < u->call_count; i++) {
        struct waiting *w = waiting_find(s, u->calls[i].id);
        if (w)
            w->stored = true;
    }
}

/* ---- one pass, on the writer's thread ---- */

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
    struct database *db;
    struct upkeep *upkeep;
    struct arena arena;
    uint64_t needed, newest; /* the first records of a segment in the middle and of the newest */
    struct ids ids;
    struct str bodies[KEEP_MAX];
    size_t count; /* of the bodies; less than ids if there was no memory for more */
};

static enum status append(struct pass *p, struct error *err)
{
    struct upkeep *u = p->upkeep;

    if (p->count == 0)
        return STATUS_OK;
    enum status status =
        recorder_append(p->service->engine->recorder, NULL, p->bodies, p->count, err);
    u->recorded |= status == STATUS_OK;
    if (status != STATUS_OK)
        u->record = *err;
    return status;
}

static void begin(struct pass *p)
{
    p->ids.count = p->count = 0;
    arena_reset(&p->arena);
}

static enum status record_tokens(struct pass *p, struct error *err)
{
    struct error full;
    enum status status = tokens_unrecorded(p->db, p->needed, add_token, &p->ids, err);

    while (status == STATUS_OK && p->count < p->ids.count &&
           token_record(p->db, &p->arena, str_from(p->ids.items[p->count]), "kept",
                        &p->bodies[p->count], &full) == STATUS_OK)
        p->count++;
    if (status == STATUS_OK)
        status = append(p, err);
    for (size_t i = 0; status == STATUS_OK && i < p->count; i++)
        status = token_recorded(p->db, str_from(p->ids.items[i]), p->newest, err);
    return status;
}

static void write_question(struct json_writer *w, const void *about)
{
    review_record(w, about);
}

static bool add_body(const struct review *r, void *context)
{
    struct pass *p = context;
    struct str text;

    if (!json_try(&p->arena, write_question, r, &text))
        return false;
    if (text.len + CHAIN_FRAME > CHAIN_LINE_MAX)
        return true; /* the others must not be left out with it */
    p->bodies[p->count++] = str_slice(text, 1, text.len - 1); /* without its braces */
    return add_review(r, &p->ids);
}

static enum status record_reviews(struct pass *p, struct error *err)
{
    const struct review_filter unrecorded = {
        .by_status = true, .status = REVIEW_PENDING, .unrecorded = true, .limit = KEEP_MAX};
    enum status status = reviews_visit(p->db, &unrecorded, add_body, p, err);

    if (status == STATUS_OK)
        status = append(p, err);
    for (size_t i = 0; status == STATUS_OK && i < p->count; i++)
        status = review_recorded(p->db, str_from(p->ids.items[i]), true, err);
    return status;
}

static enum status store_calls(struct pass *p, struct error *err)
{
    const struct upkeep *u = p->upkeep;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < u->call_count; i++)
        status = review_sealed(p->db, str_from(u->calls[i].id), u->calls[i].sealed, err);
    return status;
}

/* One sync for all of them. And a token that is revoked meanwhile must not be recorded as one in
 * force after the record that it was revoked. */
static enum status in_transaction(struct pass *p,
                                  enum status (*step)(struct pass *p, struct error *err),
                                  struct error *err)
{
    begin(p);
    enum status status = database_run(p->db, "BEGIN IMMEDIATE", err);
    if (status != STATUS_OK)
        return status;
    status = step(p, err);
    if (status == STATUS_OK)
        status = database_run(p->db, "COMMIT", err);
    if (status != STATUS_OK)
        (void)database_run(p->db, "ROLLBACK", NULL);
    p->upkeep->keeps_more |= p->ids.count == KEEP_MAX;
    return status;
}

static enum status run_steps(struct pass *p, struct error *err)
{
    struct segments segments = {0};
    enum status status = service_segments(p->service, &segments, err);

    /* Retention removes the oldest ones: what is needed must be in the newer half. */
    p->needed = segments.count ? segments.first[segments.count / 2] : 1;
    p->newest = segments.count ? segments.first[segments.count - 1] : 1;
    segments_release(&segments);
    if (status == STATUS_OK)
        status = in_transaction(p, record_tokens, err);
    if (status == STATUS_OK)
        status = in_transaction(p, record_reviews, err);
    if (status == STATUS_OK && p->upkeep->call_count)
        status = in_transaction(p, store_calls, err);
    return status;
}

enum status keep_write(warder_service *s, struct database *db, struct upkeep *u, struct error *err)
{
    struct pass *p = calloc(1, sizeof(*p));

    if (!p)
        return fail(err, STATUS_NOMEM, "out of memory");
    p->service = s;
    p->db = db;
    p->upkeep = u;
    arena_init(&p->arena, KEEP_MEMORY);
    enum status status = run_steps(p, err);
    arena_release(&p->arena);
    free(p);
    return status;
}
