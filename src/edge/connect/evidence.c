#include "connect/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "machine/stamp.h"
#include "machine/statedir.h"
#include "record/decision.h"
#include "record/index.h"

struct walk {
    struct evidence_search *search;
    char since[STAMP_SIZE];
    size_t open; /* how many clients have not been found yet */
    uint64_t last;
    size_t rows; /* of this page */
    bool over;
};

static void note_client(struct walk *w, const struct index_row *row, struct str body)
{
    struct evidence_search *s = w->search;
    const struct client *c = client_find(chain_member(body, "client"));
    size_t place = c ? (size_t)(c - clients) : s->count;

    if (place < s->count && !s->out[place].at && stamp_parse(row->at, &s->out[place].at))
        w->open--;
}

/* A question is one, whoever answered it. */
static void note_outcome(struct outcomes *o, struct str decision, struct str body)
{
    if (str_is(decision, "auto-accept")) {
        o->allowed++;
        o->paused += str_is(chain_member(body, "answered_by"), "pause");
    } else if (str_is(decision, "auto-deny")) {
        o->denied++;
    } else if (str_is(decision, "left-to-client")) {
        o->left++;
    } else {
        o->asked++;
    }
}

/* The newest row comes first, so the first one of each client counts. */
static bool visit_row(const struct index_row *row, void *context)
{
    struct walk *w = context;
    const bool recent = str_compare(row->at, str_from(w->since)) >= 0;
    const struct str body = str_from_byte(row->line, 1);

    w->rows++;
    w->last = row->n;
    if (!recent && (w->search->only_recent || !w->open))
        w->over = true;
    if (w->over || str_is(row->session, CANARY_SESSION))
        return !w->over;
    note_client(w, row, body);
    if (recent)
        note_outcome(&w->search->recent, row->decision, body);
    return true;
}

/* Page by page as long as rows are recent; of older ones there is one page. */
static enum status walk_index(struct index *index, struct walk *w, struct error *err)
{
    struct index_filter filter = {.limit = INDEX_LIMIT_MAX};
    enum status status;

    do {
        w->rows = 0;
        status = index->kind->find(index, &filter, visit_row, w, err);
        filter.before = w->last;
        memcpy(filter.since, w->since, sizeof(filter.since));
    } while (status == STATUS_OK && !w->over && w->rows == INDEX_LIMIT_MAX);
    return status;
}

/* *out NULL: there is no record yet. */
static enum status open_index(const char *home, struct index **out, struct error *err)
{
    struct index_progress progress;
    char data[STATEDIR_MAX], *notice = NULL;
    enum status status = statedir_find(home, data, err);

    *out = NULL;
    if (status != STATUS_OK || access(data, F_OK) != 0)
        return status;
    status = index_open_sqlite(data, 0, out, &notice, err);
    free(notice);
    return status == STATUS_OK ? index_sync(*out, data, false, 0, &progress, err) : status;
}

enum status evidence_find(struct evidence_search *search, struct error *err)
{
    struct walk w = {.search = search, .open = search->count};
    struct index *index;
    enum status status = open_index(search->home, &index, err);

    memset(search->out, 0, search->count * sizeof(*search->out));
    search->recent = (struct outcomes){0};
    stamp_print(search->since, w.since);
    if (status == STATUS_OK && index)
        status = walk_index(index, &w, err);
    index_close(index);
    return status;
}

/* ---- one run of one client ---- */

struct run_search {
    const struct client *client;
    struct str cwd;
    struct run_evidence *out;
};

/* "contained":{"tier":"namespaces",...,"token":"..."}: our own texts, without escapes. */
static void note_cell(struct run_evidence *out, struct str body)
{
    static const struct str key = {"\"contained\":{", sizeof("\"contained\":{") - 1};
    size_t at = 0;

    while (at < body.len && !str_starts(str_from_byte(body, at), key))
        at++;
    if (at == body.len)
        return;
    const struct str from = str_from_byte(body, at + key.len);
    out->contained = true;
    (void)snprintf(out->tier, sizeof(out->tier), "%.*s", STR_ARG(chain_member(from, "tier")));
    (void)snprintf(out->token, sizeof(out->token), "%.*s", STR_ARG(chain_member(from, "token")));
}

/* The newest comes first. */
static bool visit_run(const struct index_row *row, void *context)
{
    struct run_search *s = context;
    const struct str body = str_from_byte(row->line, 1);

    if (client_find(chain_member(body, "client")) != s->client ||
        !str_eq(chain_member(body, "cwd"), s->cwd))
        return true;
    s->out->asked = true;
    note_cell(s->out, body);
    return !s->out->contained;
}

enum status evidence_of_run(const char *home, const struct client *client, const char *cwd,
                            int64_t since, struct run_evidence *out, struct error *err)
{
    struct run_search search = {.client = client, .cwd = str_from(cwd), .out = out};
    struct index_filter filter = {.limit = INDEX_LIMIT_MAX};
    struct index *index;
    enum status status = open_index(home, &index, err);

    *out = (struct run_evidence){0};
    stamp_print(since, filter.since);
    if (status == STATUS_OK && index)
        status = index->kind->find(index, &filter, visit_run, &search, err);
    index_close(index);
    return status;
}
