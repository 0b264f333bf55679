/* metrics.c - what is counted, in the text form of Prometheus. */
#include <stdlib.h>

#include "machine/guard.h"
#include "service/figures.h"

static const char *const decisions[] = {"auto-accept",  "auto-deny", "human-accept",  "human-deny",
                                        "timeout-deny", "ask",       "left-to-client"};

#define BUCKETS_MAX 12

/* Upper bounds in the unit that is written; the last bucket has none. */
struct histogram {
    const char *name, *help;
    double per_unit; /* counted units per written unit */
    double ends[BUCKETS_MAX];
    uint64_t counts[BUCKETS_MAX + 1], count, sum;
};

struct service_metrics {
    uint64_t decisions[COUNT(decisions)];
    uint64_t reviews[REVIEW_PENDING]; /* that have ended, by outcome */
    uint64_t unrecorded;
    struct histogram reviewed, judged, stored, committed;
};

struct service_metrics *metrics_new(void)
{
    struct service_metrics *m = calloc(1, sizeof(*m));

    if (!m)
        return NULL;
    m->reviewed =
        (struct histogram){.name = "warder_review_response_seconds",
                           .help = "How long reviews waited for their answer.",
                           .per_unit = 1e3,
                           .ends = {1, 5, 10, 30, 60, 120, 300, 600, 900, 1800, 3600, 86400}};
    m->judged = (struct histogram){
        .name = "warder_rule_evaluation_seconds",
        .help = "How long it took to judge a call, hooks included.",
        .per_unit = 1e6,
        .ends = {0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1, 5}};
    m->stored = (struct histogram){
        .name = "warder_store_latency_seconds",
        .help = "How long a write of records to the journal took, with its sync.",
        .per_unit = 1e6,
        .ends = {0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1, 5}};
    m->committed = (struct histogram){
        .name = "warder_commit_seconds",
        .help = "How long a commit took: reviews stored, records written, answers given.",
        .per_unit = 1e6,
        .ends = {0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 1, 5}};
    return m;
}

static void observe(struct histogram *h, int64_t value)
{
    uint64_t v = value > 0 ? (uint64_t)value : 0;
    size_t i = 0;

    while (i < BUCKETS_MAX && (double)v / h->per_unit > h->ends[i])
        i++;
    h->counts[i]++;
    h->count++;
    h->sum += v;
}

void metrics_decision(struct service_metrics *m, const char *decision)
{
    for (size_t i = 0; decision && i < COUNT(decisions); i++)
        if (strcmp(decisions[i], decision) == 0)
            m->decisions[i]++;
}

void metrics_judged(struct service_metrics *m, int64_t micros)
{
    observe(&m->judged, micros);
}

void metrics_stored(struct service_metrics *m, int64_t micros)
{
    observe(&m->stored, micros);
}

void metrics_committed(struct service_metrics *m, int64_t micros)
{
    observe(&m->committed, micros);
}

void metrics_unrecorded(struct service_metrics *m)
{
    m->unrecorded++;
}

void metrics_reviewed(struct service_metrics *m, enum review_status status, int64_t ms)
{
    if (status < REVIEW_PENDING)
        m->reviews[status]++;
    if (status != REVIEW_EXPIRED)
        observe(&m->reviewed, ms);
}

/* ---- writing ---- */

static void head(struct buf *b, const char *name, const char *type, const char *help)
{
    buf_format(b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_histogram(struct buf *b, const struct histogram *h)
{
    uint64_t sum = 0;

    head(b, h->name, "histogram", h->help);
    for (size_t i = 0; i < BUCKETS_MAX; i++) {
        sum += h->counts[i];
        buf_format(b, "%s_bucket{le=\"%g\"} %llu\n", h->name, h->ends[i], (unsigned long long)sum);
    }
    buf_format(b, "%s_bucket{le=\"+Inf\"} %llu\n%s_sum %.6f\n%s_count %llu\n", h->name,
               (unsigned long long)h->count, h->name, (double)h->sum / h->per_unit, h->name,
               (unsigned long long)h->count);
}

static void gauge(struct buf *b, const char *name, const char *help, double value)
{
    head(b, name, "gauge", help);
    buf_format(b, "%s %.10g\n", name, value);
}

static void write_reviews(struct buf *b, const struct service_metrics *m)
{
    uint64_t all = 0;

    head(b, "warder_reviews_total", "counter", "Reviews that have ended, by how.");
    for (size_t i = 0; i < COUNT(m->reviews); i++) {
        buf_format(b, "warder_reviews_total{status=\"%s\"} %llu\n",
                   review_status_name((enum review_status)i), (unsigned long long)m->reviews[i]);
        all += m->reviews[i];
    }
    gauge(b, "warder_review_timeout_ratio",
          "The share of all reviews that expired without an answer.",
          all ? (double)m->reviews[REVIEW_EXPIRED] / (double)all : 0);
}

static void counter(struct buf *b, const char *name, const char *help, uint64_t value)
{
    head(b, name, "counter", help);
    buf_format(b, "%s %llu\n", name, (unsigned long long)value);
}

static void write_figures(struct buf *b, const struct service_figures *f)
{
    gauge(b, "warder_queue_calls", "Calls that the next commit records.", f->queued);
    gauge(b, "warder_queue_age_seconds", "Age of the oldest call that waits for its record.",
          f->queue_age);
    gauge(b, "warder_review_oldest_seconds", "How long the oldest pending review has waited.",
          f->oldest_review);
    gauge(b, "warder_policy_age_seconds", "Time since the policy was read.", f->policy_age);
    if (f->has_journal)
        gauge(b, "warder_journal_bytes", "Bytes of the journal.", f->journal_bytes);
    if (f->has_disk)
        gauge(b, "warder_disk_free_bytes", "Bytes that are free where the data directory is.",
              f->disk_free);
    if (f->has_lag)
        gauge(b, "warder_index_lag_records", "Records that are not in the index yet.",
              f->index_lag);
}

struct metrics_request {
    const warder_service *service;
    struct service_figures figures;
};

static void write_metrics(struct report *r, const void *about)
{
    const struct metrics_request *request = about;
    const warder_service *s = request->service;
    const struct service_metrics *m = s->metrics;
    struct buf *b = &r->text;

    head(b, "warder_decisions_total", "counter", "Decisions, by type.");
    for (size_t i = 0; i < COUNT(decisions); i++)
        buf_format(b, "warder_decisions_total{decision=\"%s\"} %llu\n", decisions[i],
                   (unsigned long long)m->decisions[i]);
    write_reviews(b, m);
    write_histogram(b, &m->reviewed);
    gauge(b, "warder_reviews_pending", "Reviews that wait for a person.", (double)s->pending);
    write_histogram(b, &m->judged);
    write_histogram(b, &m->stored);
    write_histogram(b, &m->committed);
    write_figures(b, &request->figures);
    counter(b, "warder_unrecorded_total",
            "Calls that were denied because they could not be recorded.", m->unrecorded);
    gauge(b, "warder_policy_generation", "Number of policies since the start.",
          (double)warder_engine_generation(s->engine));
    counter(b, "warder_faults_total",
            "Crashes of the analysis that were caught; each denied its call.", guard_faults());
    head(b, "warder_build_info", "gauge", "1; the version is in the label.");
    buf_format(b, "warder_build_info{version=\"%s\"} 1\n", warder_version());
    gauge(b, "warder_healthy", "1 if decisions are made and recorded.",
          s->journal_error.status ? 0 : 1);
    json_begin_object(&r->json);
    json_end_object(&r->json);
}

warder_outcome warder_service_metrics(warder_service *s, warder_report **out, warder_error *err)
{
    if (!s)
        return outcome_say(err, WARDER_FAILED, "missing argument: service");
    struct metrics_request request = {.service = s};
    figures_read(s, &request.figures);
    return report_make_line(write_metrics, &request, out, err) == WARDER_OK ? WARDER_DONE
                                                                            : WARDER_FAILED;
}
