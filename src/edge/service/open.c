/* open.c - opens and closes a service. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/race.h"
#include "engine/edges.h"
#include "machine/clock.h"
#include "machine/own.h"
#include "machine/statedir.h"
#include "service/rules.h"
#include "service/service.h"

#define LOCK_TEXT_MAX 256

/* ---- opening ---- */

static enum status find_data(warder_service *s, struct error *err)
{
    const warder_service_options *o = &s->options;

    if (!o->data)
        return statedir_find(o->home, s->data, err);
    if (o->data[0] != '/')
        return fail(err, STATUS_USAGE, "the data directory must be an absolute path");
    if (snprintf(s->data, sizeof(s->data), "%s", o->data) >= (int)sizeof(s->data))
        return fail(err, STATUS_LIMIT, "the data directory's name is too long");
    return STATUS_OK;
}

/* The lock holds what its owner announced: its process, and where it listens. */
static enum status refuse_second(const warder_service *s, struct error *err)
{
    char text[LOCK_TEXT_MAX];
    ssize_t len = pread(s->lock, text, sizeof(text), 0);
    struct str pid, where, line = {text, len > 0 ? (size_t)len : 0};

    str_cut(line, '\n', &line, &where);
    if (!str_cut(line, ' ', &pid, &where))
        return fail(err, STATUS_IO, "already running here, with its record in %s", s->data);
    return fail(err, STATUS_IO, "already running here (pid %.*s, %.*s), with its record in %s",
                STR_ARG(pid), STR_ARG(where), s->data);
}

void warder_service_announce(warder_service *s, const char *where)
{
    char text[LOCK_TEXT_MAX];
    int len = snprintf(text, sizeof(text), "%ld %.200s\n", (long)getpid(), where ? where : "");
    const char *last = where ? strrchr(where, ' ') : NULL; /* the public one, if there are two */
    const char *url = last ? last + 1 : where;

    if (url && strncmp(url, "http", 4) == 0)
        snprintf(s->url, sizeof(s->url), "%s", url);

    /* Only for people, so it does not matter if it fails. */
    if (ftruncate(s->lock, 0) == 0 && len > 0)
        (void)!pwrite(s->lock, text, (size_t)len, 0);
}

/* Two services on one data directory would answer each other's reviews. */
static enum status take_lock(warder_service *s, struct error *err)
{
    int directory = -1;
    enum status status = own_make_directory(s->data, err);

    if (status == STATUS_OK)
        status = own_open_directory(s->data, &directory, err);
    if (status != STATUS_OK)
        return status;
    s->lock = openat(directory, SERVICE_LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                     S_IRUSR | S_IWUSR);
    if (s->lock < 0)
        status =
            fail(err, STATUS_IO, "cannot open %s/" SERVICE_LOCK ": %s", s->data, strerror(errno));
    close(directory);
    if (status == STATUS_OK && flock(s->lock, LOCK_EX | LOCK_NB) < 0)
        status = refuse_second(s, err);
    return status;
}

static warder_status open_engine(warder_service *s, warder_error *err)
{
    const warder_service_options *o = &s->options;
    warder_options options = WARDER_OPTIONS_INIT;

    options.profile = o->profile;
    options.mode = o->mode;
    options.home = o->home;
    options.policies = o->policies;
    options.policy_count = o->policy_count;
    options.record = 1;
    options.data = s->data;
    options.sync = !o->no_sync;
    options.retention_days = o->retention_days;
    return engine_new(&whole_edges, &options, true, &s->engine, err);
}

/* What a pending review needs to be made again stays in the journal as long as it may wait. */
static enum status limit_record(warder_service *s, struct error *err)
{
    const uint32_t waits = s->options.review_timeout_s;

    return recorder_limit(s->engine->recorder, s->options.retention_bytes,
                          waits > SERVICE_RECORD_LEAST_S ? waits : SERVICE_RECORD_LEAST_S, err);
}

static enum status make_parts(warder_service *s, struct error *err)
{
    s->events = events_new();
    s->metrics = metrics_new();
    s->workers = workers_new();
    s->trusted = trusted_new();
    s->bindings = bindings_new();
    s->logins = logins_new();
    if (s->events && s->metrics && s->workers && s->trusted && s->bindings && s->logins)
        return STATUS_OK;
    return fail(err, STATUS_NOMEM, "out of memory");
}

static enum status take_options(warder_service *s, const warder_service_options *given,
                                struct error *err)
{
    if (given && !copy_versioned(&s->options, sizeof(s->options), given, given->struct_size))
        return fail(err, STATUS_USAGE,
                    "the options have no struct_size, or members that this version does not know");
    if (!s->options.review_timeout_s)
        s->options.review_timeout_s = SERVICE_TIMEOUT_S;
    if (!s->options.retention_days)
        s->options.retention_days = JOURNAL_RETENTION_DAYS;
    if (s->options.review_timeout_s > SERVICE_TIMEOUT_MAX)
        return fail(err, STATUS_USAGE, "a review can wait for at most %u seconds",
                    SERVICE_TIMEOUT_MAX);
    if (s->options.cooldown_s > SERVICE_COOLDOWN_MAX)
        return fail(err, STATUS_USAGE, "a cooldown can be at most %d seconds",
                    SERVICE_COOLDOWN_MAX);
    return STATUS_OK;
}

/* If the policy cannot be read, it says so itself and everything is denied. If reviews cannot be
 * read, health reports it and they are read again later. For a loop the journal is opened, and its
 * key made, before the first call; where that fails, the call tries again and is denied. */
static void start(warder_service *s)
{
    struct record_key key;
    struct error ignored;

    if (s->options.written)
        (void)recorder_key(s->engine->recorder, &key, &ignored);
    service_look_at_policy(s);
    upkeep_start(s);
    rules_note_times(s);
}

warder_status warder_service_open(const warder_service_options *options, warder_service **out,
                                  warder_error *err)
{
    struct error inner = {0};

    if (!out)
        return give_usage(err, "missing argument: service");
    *out = NULL;
    warder_service *s = calloc(1, sizeof(*s));
    if (!s)
        return give_no_memory(err);
    s->lock = -1;
    s->wall = stamp_now;
    s->mono = clock_ms;
    s->staged_end = &s->staged;
    s->done_end = &s->done;
    enum status status = take_options(s, options, &inner);
    if (status == STATUS_OK)
        status = find_data(s, &inner);
    if (status == STATUS_OK)
        status = take_lock(s, &inner);
    if (status == STATUS_OK)
        status = make_parts(s, &inner);
    if (status == STATUS_OK)
        status =
            writer_start(&s->writer, service_write, s->options.written, s->options.context, &inner);
    warder_status result = status == STATUS_OK ? open_engine(s, err) : error_out(err, &inner);
    if (result == WARDER_OK && limit_record(s, &inner) != STATUS_OK)
        result = error_out(err, &inner);
    if (result != WARDER_OK) {
        warder_service_close(s);
        return result;
    }
    start(s);
    if (link_check_owner(s, &inner) != STATUS_OK) {
        warder_service_close(s);
        return error_out(err, &inner);
    }
    *out = s;
    return WARDER_OK;
}

/* ---- closing ---- */

/* Their reviews stay pending, in the database. */
static void settle_pending(warder_service *s)
{
    for (struct waiting *w = s->open.first; w; w = w->after)
        while (w->cases) {
            warder_case *item = w->cases;
            case_detach(item);
            case_settle(item, NULL);
        }
    service_tell_settled(s);
}

void warder_service_close(warder_service *s)
{
    struct table_link *link;

    if (!s)
        return;
    if (s->engine) {
        service_commit(s, NULL);
        settle_pending(s);
    }
    writer_stop(&s->writer);
    while ((link = table_any(&s->reviews)))
        waiting_free(s, TABLE_THING(link, struct waiting, by_id));
    table_release(&s->reviews);
    table_release(&s->calls);
    if (s->db_open)
        database_close(&s->db);
    if (s->db_write_open)
        database_close(&s->db_write);
    free(s->db_notice);
    events_free(s->events);
    free(s->metrics);
    workers_free(s->workers);
    trusted_free(s->trusted);
    bindings_free(s->bindings);
    free(s->logins);
    warder_engine_free(s->engine);
    if (s->lock >= 0)
        close(s->lock);
    free(s);
}
