/* log_chain.c - the API of the journal's chain: verifies it, anchors its head, repairs its end. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "engine/report.h"
#include "machine/own.h"
#include "machine/statedir.h"
#include "record/journal_verify.h"

#define JOURNALD_SOCKET "/run/systemd/journal/socket"

static enum status find_data(const char *data, const char *home, char out[STATEDIR_MAX],
                             struct error *err)
{
    if (!data)
        return statedir_find(home, out, err);
    if (snprintf(out, STATEDIR_MAX, "%s", data) >= STATEDIR_MAX)
        return fail(err, STATUS_LIMIT, "the data directory's name is too long");
    return STATUS_OK;
}

/* ---- verify ---- */

struct verdict_on {
    const struct journal_verdict *verdict;
    bool anchors; /* some were given */
};

static void write_problem(struct report *r, const struct journal_problem *p)
{
    char name[JOURNAL_NAME_SIZE];

    segment_name(p->segment, name);
    json_begin_object(&r->json);
    report_number(r, "record", (int64_t)p->n);
    report_member(r, "file", p->segment ? str_from(name) : (struct str){0});
    report_number(r, "line", (int64_t)p->line);
    report_member(r, "why", str_from(p->why));
    json_end_object(&r->json);
    if (p->segment)
        buf_format(&r->text, "record %" PRIu64 " (journal/%s:%" PRIu64 "): %s\n", p->n, name,
                   p->line, p->why);
    else
        buf_format(&r->text, "record %" PRIu64 ": %s\n", p->n, p->why);
}

static void write_problems(struct report *r, const struct journal_verdict *v)
{
    size_t told = v->problem_count < VERIFY_PROBLEMS_MAX ? v->problem_count : VERIFY_PROBLEMS_MAX;

    json_key(&r->json, "problems");
    json_begin_array(&r->json);
    for (size_t i = 0; i < told; i++)
        write_problem(r, &v->problems[i]);
    json_end_array(&r->json);
    if (told < v->problem_count)
        buf_format(&r->text, "and %zu more\n", v->problem_count - told);
}

static void write_summary(struct report *r, const struct verdict_on *on)
{
    const struct journal_verdict *v = on->verdict;

    if (v->records)
        buf_format(&r->text, "%" PRIu64 " record%s (%" PRIu64 " to %" PRIu64 "): ", v->records,
                   v->records == 1 ? "" : "s", v->first, v->head.n);
    else
        buf_text(&r->text, "no records: ");
    if (v->problem_count)
        buf_format(&r->text, "CHAIN BROKEN, %zu problem%s\n", v->problem_count,
                   v->problem_count == 1 ? "" : "s");
    else if (v->anchored)
        buf_format(&r->text, "chain intact, as anchored up to record %" PRIu64 "\n", v->anchored);
    else
        buf_format(&r->text, "chain intact (%s)\n",
                   on->anchors ? "the anchored records were removed" : "no anchor to compare with");
    if (v->removed)
        buf_format(&r->text, "records up to %" PRIu64 " were removed by retention\n", v->removed);
    if (v->repairs)
        buf_format(&r->text, "%zu torn write%s set aside in journal/torn-*\n", v->repairs,
                   v->repairs == 1 ? " was" : "s were");
    if (v->clocks)
        buf_format(&r->text, "the clock went backwards %zu time%s\n", v->clocks,
                   v->clocks == 1 ? "" : "s");
}

static void verified(struct report *r, const void *about)
{
    const struct verdict_on *on = about;
    const struct journal_verdict *v = on->verdict;

    json_begin_object(&r->json);
    json_key(&r->json, "consistent");
    json_bool(&r->json, v->problem_count == 0);
    json_key(&r->json, "anchored");
    if (v->anchored)
        json_int(&r->json, (int64_t)v->anchored);
    else
        json_null(&r->json);
    report_number(r, "records", (int64_t)v->records);
    report_number(r, "first", (int64_t)v->first);
    report_number(r, "last", (int64_t)v->head.n);
    report_member(r, "head", str_from(v->head.hash));
    report_number(r, "removed_through", (int64_t)v->removed);
    report_number(r, "repairs", (int64_t)v->repairs);
    report_number(r, "clock_went_back", (int64_t)v->clocks);
    write_problems(r, v);
    json_end_object(&r->json);
    write_summary(r, on);
    r->errors = v->problem_count;
}

warder_status warder_log_verify(const char *data, const char *home, const char *anchors,
                                warder_report **out, warder_error *err)
{
    char place[STATEDIR_MAX];
    struct error inner = {0};
    struct journal_anchor *list = NULL;
    size_t count = 0;
    struct journal_verdict verdict;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    enum status status = find_data(data, home, place, &inner);
    if (status == STATUS_OK && anchors)
        status = anchors_load(anchors, &list, &count, &inner);
    if (status == STATUS_OK)
        status = journal_verify(place, list, count, &verdict, &inner);
    free(list);
    const struct verdict_on on = {&verdict, count > 0};
    return status == STATUS_OK ? report_make(verified, &on, out, err) : error_out(err, &inner);
}

/* ---- the head, and where it is kept ---- */

/* The head of the chain, read without writing: the user that anchors may not be allowed to record.
 */
static enum status read_head(const char *place, struct chain_head *head, struct error *err)
{
    struct journal_verdict verdict;
    enum status status = journal_verify(place, NULL, 0, &verdict, err);

    if (status == STATUS_OK && verdict.problem_count)
        return fail(err, STATUS_UNSAFE,
                    "the chain of the journal is broken; see: warder log verify");
    if (status == STATUS_OK && !verdict.head.n)
        return fail(err, STATUS_USAGE, "nothing is recorded yet in %.150s", place);
    *head = verdict.head;
    return status;
}

static enum status keep_in_file(const char *path, const char *line, struct error *err)
{
    char text[ANCHOR_SIZE + 2];
    AUTO_CLOSE int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);

    if (fd < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    snprintf(text, sizeof(text), "%s\n", line);
    enum status status = own_write(fd, path, str_from(text), err);
    if (status == STATUS_OK && fsync(fd) < 0 && errno != EINVAL)
        return fail(err, STATUS_IO, "cannot write %s: %s", path, strerror(errno));
    return status;
}

static enum status send_to_journald(const char *line, struct error *err)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX, .sun_path = JOURNALD_SOCKET};
    char text[ANCHOR_SIZE + 120];
    AUTO_CLOSE int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    int len = snprintf(
        text, sizeof(text),
        "MESSAGE=warder journal head %s\nPRIORITY=6\nSYSLOG_IDENTIFIER=warder\nWARDER_HEAD=%s\n",
        line, line);

    if (fd < 0 || sendto(fd, text, (size_t)len, 0, (const struct sockaddr *)&to, sizeof(to)) < 0)
        return fail(err, STATUS_IO, "cannot reach journald: %s", strerror(errno));
    return STATUS_OK;
}

static void show_head(struct report *r, const void *about)
{
    const struct chain_head *head = about;
    char line[ANCHOR_SIZE];

    anchor_print(head, line);
    buf_format(&r->text, "%s\n", line);
    json_begin_object(&r->json);
    report_number(r, "record", (int64_t)head->n);
    report_member(r, "hash", str_from(head->hash));
    report_member(r, "timestamp", str_from(head->at));
    json_end_object(&r->json);
}

warder_status warder_log_head(const char *data, const char *home, const char *anchors, int journald,
                              warder_report **out, warder_error *err)
{
    char place[STATEDIR_MAX], line[ANCHOR_SIZE];
    struct error inner = {0};
    struct chain_head head;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    enum status status = find_data(data, home, place, &inner);
    if (status == STATUS_OK)
        status = read_head(place, &head, &inner);
    if (status == STATUS_OK)
        anchor_print(&head, line);
    if (status == STATUS_OK && anchors)
        status = keep_in_file(anchors, line, &inner);
    if (status == STATUS_OK && journald)
        status = send_to_journald(line, &inner);
    return status == STATUS_OK ? report_make(show_head, &head, out, err) : error_out(err, &inner);
}

/* ---- repair ---- */

static void repaired(struct report *r, const void *about)
{
    const size_t *moved = about;

    json_begin_object(&r->json);
    report_number(r, "bytes", (int64_t)*moved);
    json_end_object(&r->json);
    if (*moved)
        buf_format(&r->text, "%zu bytes were set aside in journal/torn-*; a record says so\n",
                   *moved);
    else
        buf_text(&r->text, "nothing to repair\n");
}

warder_status warder_log_repair(const char *data, const char *home, warder_report **out,
                                warder_error *err)
{
    char place[STATEDIR_MAX];
    struct error inner = {0};
    struct journal journal;
    size_t moved = 0;

    if (!out)
        return give_usage(err, "missing argument: report");
    *out = NULL;
    enum status status = find_data(data, home, place, &inner);
    if (status != STATUS_OK)
        return error_out(err, &inner);
    status = journal_open(&journal, place, NULL, &inner);
    if (status == STATUS_OK)
        status = journal_repair(&journal, &moved, &inner);
    journal_close(&journal);
    return status == STATUS_OK ? report_make(repaired, &moved, out, err) : error_out(err, &inner);
}
