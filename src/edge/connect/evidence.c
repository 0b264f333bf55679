#include "connect/evidence.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/json.h"
#include "machine/stamp.h"
#include "machine/statedir.h"
#include "record/index.h"

#define ROW_MEMORY_MAX ((size_t)16 * 1024 * 1024)

struct search {
    struct arena arena; /* of one row at a time */
    struct evidence *out;
    size_t count, open; /* how many clients have not been found yet */
};

struct search_row {
    struct search *search;
    struct str line;
};

/* The newest row comes first, so the first one of each client counts. */
static void take_row(void *arg)
{
    const struct search_row *row = arg;
    struct search *s = row->search;
    struct value v;

    if (json_read(&s->arena, row->line, NULL, &v, NULL) != STATUS_OK ||
        str_is(value_text(&v, "session_id"), CANARY_SESSION))
        return;
    const struct client *c = client_find(value_text(&v, "client"));
    size_t place = c ? (size_t)(c - clients) : s->count;
    if (place < s->count && !s->out[place].at &&
        stamp_parse(value_text(&v, "at"), &s->out[place].at))
        s->open--;
}

static bool visit_row(const struct index_row *row, void *context)
{
    struct search *s = context;
    struct search_row r = {s, row->line};

    arena_init(&s->arena, ROW_MEMORY_MAX);
    (void)arena_try(&s->arena, take_row, &r);
    arena_release(&s->arena);
    return s->open > 0;
}

static enum status search_index(const char *data, struct search *s, struct error *err)
{
    const struct index_filter filter = {.limit = INDEX_LIMIT_MAX};
    struct index_progress progress;
    struct index *index = NULL;
    char *notice = NULL;
    enum status status = index_open_sqlite(data, 0, &index, &notice, err);

    if (status == STATUS_OK)
        status = index_sync(index, data, false, 0, &progress, err);
    if (status == STATUS_OK)
        status = index->kind->find(index, &filter, visit_row, s, err);
    index_close(index);
    free(notice);
    return status;
}

enum status evidence_find(const char *home, struct evidence *out, size_t count, struct error *err)
{
    struct search s = {.out = out, .count = count, .open = count};
    char data[STATEDIR_MAX];
    enum status status = statedir_find(home, data, err);

    memset(out, 0, count * sizeof(*out));
    if (status != STATUS_OK || access(data, F_OK) != 0)
        return status;
    return search_index(data, &s, err);
}
