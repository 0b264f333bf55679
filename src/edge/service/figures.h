/* figures.h - the figures that are read on request, not counted. */
#ifndef SERVICE_FIGURES_H
#define SERVICE_FIGURES_H

#include "service/service.h"

struct service_figures {
    bool has_journal, has_disk, has_lag; /* whether the next three could be read */
    double journal_bytes, disk_free, index_lag;
    double queued, queue_age; /* calls that the next commit records, and seconds of the oldest */
    double oldest_review;     /* seconds that it has waited; 0: none waits */
    double policy_age;        /* seconds since it was read */
};

void figures_read(warder_service *s, struct service_figures *out);

#endif
