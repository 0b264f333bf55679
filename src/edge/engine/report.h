/* report.h - how reports are made: one walk writes the text and the JSON side by side. */
#ifndef ENGINE_REPORT_H
#define ENGINE_REPORT_H

#include "base/json.h"
#include "engine/engine.h"
#include "warder_admin.h"

struct warder_report {
    struct arena arena;
    struct str text, json;
    size_t errors, warnings;
};

struct report {
    struct arena *arena;
    struct buf text, json_text;
    struct json_writer json;
    size_t errors, warnings;
};

warder_status report_make(void (*fill)(struct report *, const void *), const void *about,
                          warder_report **out, warder_error *err);

/* The same, with JSON on one line. */
warder_status report_make_line(void (*fill)(struct report *, const void *), const void *about,
                               warder_report **out, warder_error *err);

/* The present policy of the engine's project, held while a report about it is written. */
struct held {
    struct snapshot *snapshot;
    const struct project_policy *project;
};
warder_status policy_borrow(warder_engine *engine, struct held *out,
                            warder_error *err); /* snapshot_drop() it */

/* A report about it: `about` is a struct held. */
warder_status report_held(warder_engine *engine, void (*fill)(struct report *, const void *),
                          warder_report **out, warder_error *err);

void report_member(struct report *r, const char *key,
                   struct str text); /* of the JSON; null when empty */
void report_number(struct report *r, const char *key, int64_t n);
void report_show(struct report *r, struct str text); /* into the text, control characters shown */

#endif
