/* figures.c - what the service's files take and how far they are: for the metrics, read when asked.
 *
 * A figure that cannot be read is left out: it must not look like a good one. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/auto.h"
#include "record/index.h"
#include "service/figures.h"

static bool journal_bytes(const warder_service *s, double *out)
{
    char path[sizeof(s->data) + 16], name[JOURNAL_NAME_SIZE];
    struct segments segments = {0};
    AUTO_CLOSE int directory = -1;
    struct stat st;
    bool known = false;

    snprintf(path, sizeof(path), "%s/journal", s->data);
    *out = 0;
    directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (directory >= 0)
        known = segments_list(directory, &segments, NULL) == STATUS_OK;
    for (size_t i = 0; known && i < segments.count; i++) {
        segment_name(segments.first[i], name);
        if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
            *out += (double)st.st_size;
    }
    segments_release(&segments);
    return known;
}

static bool disk_free(const warder_service *s, double *out)
{
    struct statvfs st;

    if (statvfs(s->data, &st) != 0)
        return false;
    *out = (double)st.f_bavail * (double)st.f_frsize;
    return true;
}

/* Records that a query would have to add to the index first. */
static bool index_lag(const warder_service *s, double *out)
{
    const uint64_t last = recorder_last(s->engine->recorder);
    uint64_t indexed;

    if (!last || !index_last(s->data, &indexed))
        return false;
    *out = last > indexed ? (double)(last - indexed) : 0;
    return true;
}

void figures_read(warder_service *s, struct service_figures *out)
{
    const struct waiting *oldest = s->open.first;
    const struct staged *first = s->writing && s->batch.items ? s->batch.items : s->staged;

    *out = (struct service_figures){0};
    out->has_journal = journal_bytes(s, &out->journal_bytes);
    out->has_disk = disk_free(s, &out->disk_free);
    out->has_lag = index_lag(s, &out->index_lag);
    if (oldest && s->wall() > oldest->requested_at)
        out->oldest_review = (double)(s->wall() - oldest->requested_at) / 1e3;
    if (first && first->item)
        out->queue_age = (double)(service_micros() - first->item->began) / 1e6;
    out->queued = (double)(s->staged_count + (s->writing ? s->batch.count : 0));
    out->policy_age = (double)(s->mono() - s->policy_read) / 1e3;
}
