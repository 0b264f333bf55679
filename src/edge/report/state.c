/* state.c - the API of the database of reviews and tokens. */
#include <inttypes.h>
#include <stdio.h>

#include "engine/report.h"
#include "machine/statedir.h"
#include "record/state_db.h"

static void show(struct report *r, const void *about)
{
    const struct state_db_progress *p = about;

    json_begin_object(&r->json);
    report_number(r, "records", (int64_t)p->records);
    report_number(r, "tokens", (int64_t)p->tokens);
    report_number(r, "reviews", (int64_t)p->reviews);
    report_number(r, "damaged", (int64_t)p->damaged);
    json_end_object(&r->json);
    buf_format(&r->text, "%" PRIu64 " tokens and %" PRIu64 " reviews from %" PRIu64 " records\n",
               p->tokens, p->reviews, p->records);
    if (p->damaged)
        buf_format(&r->text,
                   "%" PRIu64 " lines are not records: tokens from before them are revoked, and "
                   "reviews that were pending are gone; see: warder log verify\n",
                   p->damaged);
    r->warnings = p->damaged;
}

warder_status warder_state_rebuild(const char *data, const char *home, warder_report **out,
                                   warder_error *err)
{
    struct state_db_progress progress = {0};
    struct error inner = {0};
    char found[STATEDIR_MAX];
    enum status status = STATUS_OK;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    if (!data)
        status = statedir_find(home, found, &inner);
    if (status == STATUS_OK)
        status = state_db_rebuild(data ? data : found, &progress, &inner);
    return status == STATUS_OK ? report_make(show, &progress, out, err) : error_out(err, &inner);
}
