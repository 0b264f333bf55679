/* usage.h - which rules decided something, by a log.
 *
 * Nothing is said where the log does not reach back far enough. */
#ifndef REPORT_USAGE_H
#define REPORT_USAGE_H

#include "engine/report.h"

#define USAGE_DAYS 90 /* unless told */

struct usage {
    struct arena arena;
    struct strs ids;     /* of rules that decided, each once */
    size_t *table, room; /* by the hash of an id: its number + 1 */
    size_t decisions;
    unsigned days;
    bool complete; /* the log is at least that old */
    char since[STAMP_SIZE];
};

/* Release it in every case. */
warder_status usage_gather(warder_log *log, unsigned days, struct usage *out, warder_error *err);
void usage_release(struct usage *u);

bool usage_has(const struct usage *u, const struct rule *r);

#endif
