#include "record/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"

#define SECTION_FIRST                                                                              \
    ((size_t)4 * 1024) /* of the end of a segment: enough for nearly every last line */
#define DAY_MS        86400000LL
#define LOCK_PAUSE_US 200

/* ---- opening ---- */

static enum status check_options(struct journal_options *o, struct error *err)
{
    const uint64_t share = o->retention_bytes / JOURNAL_SEGMENTS_LEAST;

    if (!o->segment_bytes)
        o->segment_bytes =
            share && share < JOURNAL_SEGMENT_BYTES ? (size_t)share : JOURNAL_SEGMENT_BYTES;
    if (!o->retention_days)
        o->retention_days = JOURNAL_RETENTION_DAYS;
    if (!o->now)
        o->now = stamp_now;
    if (o->retention_days < JOURNAL_RETENTION_MIN)
        return fail(err, STATUS_USAGE, "records are kept for at least %d days",
                    JOURNAL_RETENTION_MIN);
    if (o->retention_bytes && o->retention_bytes < JOURNAL_BYTES_MIN)
        return fail(err, STATUS_USAGE, "the journal needs at least %" PRIu64 " bytes",
                    JOURNAL_BYTES_MIN);
    return STATUS_OK;
}

static enum status open_lock(struct journal *j, struct error *err)
{
    j->lock = openat(j->directory, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                     S_IRUSR | S_IWUSR);
    if (j->lock < 0)
        return fail(err, errno == ELOOP ? STATUS_UNSAFE : STATUS_IO, "cannot open journal/lock: %s",
                    strerror(errno));
    return own_check_file(j->lock, "journal/lock", err);
}

static const struct journal closed = {.directory = -1, .lock = -1, .segment = -1};

enum status journal_open_at(struct journal *j, int parent, const struct journal_options *options,
                            struct error *err)
{
    enum status status;

    *j = closed;
    if (options)
        j->options = *options;
    if ((status = check_options(&j->options, err)) != STATUS_OK ||
        (status = own_need_directory_at(parent, "journal", &j->directory, err)) != STATUS_OK)
        return status;
    return open_lock(j, err);
}

enum status journal_open(struct journal *j, const char *dir, const struct journal_options *options,
                         struct error *err)
{
    AUTO_CLOSE int parent = -1;
    enum status status = own_need_directory(dir, &parent, err);

    *j = closed;
    return status == STATUS_OK ? journal_open_at(j, parent, options, err) : status;
}

static void close_segment(struct journal *j)
{
    if (j->segment >= 0)
        close(j->segment);
    j->segment = -1;
    j->fresh = false;
}

void journal_close(struct journal *j)
{
    close_segment(j);
    if (j->lock >= 0)
        close(j->lock);
    if (j->directory >= 0)
        close(j->directory);
    j->lock = j->directory = -1;
}

/* With a time limit: a process that was stopped while holding the lock would stop all others. */
static enum status lock(struct journal *j, struct error *err)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_US * 1000L};

    for (long waited = 0; flock(j->lock, LOCK_EX | LOCK_NB) < 0; waited += LOCK_PAUSE_US) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return fail(err, STATUS_IO, "cannot lock the journal: %s", strerror(errno));
        if (waited >= JOURNAL_LOCK_MS * 1000L)
            return fail(err, STATUS_IO, "another process holds the lock of the journal");
        nanosleep(&pause, NULL);
    }
    return STATUS_OK;
}

static void unlock(struct journal *j)
{
    (void)flock(j->lock, LOCK_UN);
}

/* ---- the end of a segment ---- */

/* The end of a segment: its last whole line, and what a crash left after it. */
struct segment_end {
    char *text; /* the last `len` bytes of the file */
    size_t len;
    struct str line; /* without its newline; empty when there is none */
    size_t torn;     /* bytes after the last newline */
    char *large;     /* malloc'ed, for more than fits here; NULL: none */
    char first[SECTION_FIRST];
};

static enum status read_at(int fd, char *out, size_t len, off_t at, struct error *err)
{
    for (size_t got = 0; got < len;) {
        ssize_t n = pread(fd, out + got, len - got, at + (off_t)got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return fail(err, STATUS_IO, "cannot read the journal: %s",
                        n ? strerror(errno) : "it became shorter");
        got += (size_t)n;
    }
    return STATUS_OK;
}

/* Finds the last line in the section that was read. False if the line begins before the section. */
static bool find_line(struct segment_end *e, bool whole_file)
{
    struct str all = {e->text, e->len};
    size_t last = str_last_index(all, '\n');

    if (last == STR_NONE) {
        e->torn = e->len;
        e->line = (struct str){0};
        return whole_file;
    }
    e->torn = e->len - last - 1;
    size_t before = str_last_index(str_slice(all, 0, last), '\n');
    if (before == STR_NONE && !whole_file)
        return false;
    e->line = str_slice(all, before == STR_NONE ? 0 : before + 1, last);
    return true;
}

static enum status read_ending(int fd, off_t size, struct segment_end *e, struct error *err)
{
    enum status status = STATUS_OK;
    size_t section = SECTION_FIRST;

    e->text = e->first;
    e->large = NULL;
    e->len = e->torn = 0;
    e->line = (struct str){0};
    for (bool found = size == 0; !found && status == STATUS_OK; section *= 4) {
        e->len = (off_t)section < size ? section : (size_t)size;
        if (section > SECTION_FIRST) {
            char *bigger = realloc(e->large, e->len);
            if (!bigger)
                return fail(err, STATUS_NOMEM, "no memory to read the journal's end");
            e->text = e->large = bigger;
        }
        status = read_at(fd, e->text, e->len, size - (off_t)e->len, err);
        found = status == STATUS_OK && find_line(e, e->len == (size_t)size);
    }
    return status;
}

/* ---- repairs ---- */

/* Keeps the last `bytes` of the segment in a file of their own, then cuts them off. */
static enum status move_aside(struct journal *j, const char *bytes, size_t len, char name[64],
                              struct error *err)
{
    snprintf(name, 64, "torn-%" PRIu64 "-%" PRId64 "-%d", j->head.n + 1, j->options.now(),
             (int)getpid());
    AUTO_CLOSE int fd =
        openat(j->directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
               S_IRUSR | S_IWUSR);
    if (fd < 0)
        return fail(err, STATUS_IO, "cannot move a torn write aside: %s", strerror(errno));
    enum status status = own_write(fd, name, (struct str){bytes, len}, err);
    if (status != STATUS_OK || fsync(fd) < 0) {
        (void)unlinkat(j->directory, name, 0);
        return status != STATUS_OK
                   ? status
                   : fail(err, STATUS_IO, "cannot write %s: %s", name, strerror(errno));
    }
    if (ftruncate(j->segment, j->size - (off_t)len) < 0)
        return fail(err, STATUS_IO, "cannot cut off a torn write: %s", strerror(errno));
    j->size -= (off_t)len;
    j->repaired += len;
    return STATUS_OK;
}

/* ---- where the chain ends ---- */

static enum status damaged(const char *why, uint64_t first, struct error *err)
{
    char name[JOURNAL_NAME_SIZE];

    segment_name(first, name);
    return fail(err, STATUS_UNSAFE,
                "the last record of journal/%s was changed (%s); check it with: warder log verify, "
                "then move it aside with: warder log repair",
                name, why);
}

/* A repair that is not recorded yet. */
struct repair {
    size_t bytes;
    char name[64];
};

/* Checks the end of a segment. `forced`: a last line that does not match its hash is moved aside,
 * too. */
static enum status take_ending(struct journal *j, struct segment_end *e, bool forced,
                               struct repair *repair, struct error *err)
{
    struct chain_link link;
    const char *why = e->line.len || e->len > e->torn ? chain_read(e->line, &link) : NULL;
    size_t bad = e->torn;

    /* Pages that a power cut left empty are not lines, with or without a newline after them. */
    if (why && (forced || str_has(e->line, '\0')))
        bad += e->line.len + 1;
    else if (why)
        return damaged(why, j->first, err);
    else if (e->line.len)
        chain_take(&j->head, &link);
    if (!bad)
        return STATUS_OK;
    repair->bytes += bad;
    enum status status = move_aside(j, e->text + e->len - bad, bad, repair->name, err);
    return status != STATUS_OK || !why ? status
                                       : STATUS_LIMIT; /* now the line before it is the last one */
}

static enum status look_at_segment(struct journal *j, bool forced, struct repair *repair,
                                   struct error *err)
{
    enum status status;

    do {
        struct segment_end e;
        status = read_ending(j->segment, j->size, &e, err);
        if (status == STATUS_OK)
            status = take_ending(j, &e, forced, repair, err);
        free(e.large);
        forced = false; /* only one record is moved aside */
    } while (status == STATUS_LIMIT);
    return status;
}

static bool is_sealed(const struct stat *st)
{
    return !(st->st_mode & S_IWUSR);
}

static enum status open_last(struct journal *j, uint64_t first, struct error *err)
{
    struct stat st;
    enum status status = segment_look(j->directory, first, O_RDWR, &j->segment, &st, err);

    /* A sealed one cannot be opened for writing, unless by root. */
    if (status == STATUS_IO)
        status = segment_look(j->directory, first, O_RDONLY, &j->segment, &st, err);
    if (status != STATUS_OK)
        return status;
    j->first = first;
    j->size = st.st_size;
    j->sealed = is_sealed(&st);
    return STATUS_OK;
}

/* A segment that was created but never written follows the one before it. */
static enum status find_head(struct journal *j, bool forced, struct repair *repair,
                             struct error *err)
{
    struct segments list;
    enum status status = segments_list(j->directory, &list, err);

    j->head = (struct chain_head){0};
    j->first = 0;
    for (size_t i = list.count; status == STATUS_OK && i-- > 0 && !j->head.n;) {
        int newest = j->segment;
        uint64_t first = j->first;
        off_t size = j->size;
        bool sealed = j->sealed;
        j->segment = -1;
        status = open_last(j, list.first[i], err);
        if (status == STATUS_OK)
            status = look_at_segment(j, forced, repair, err);
        if (newest >= 0) { /* it is the empty one after this */
            close_segment(j);
            j->segment = newest;
            j->first = first;
            j->size = size;
            j->sealed = sealed;
        }
    }
    segments_release(&list);
    return status;
}

/* Under the lock: updates head, segment and size from the files. */
static enum status refresh(struct journal *j, bool forced, struct repair *repair, struct error *err)
{
    struct stat st;

    if (j->fresh && j->segment >= 0 && fstat(j->segment, &st) == 0 && st.st_size == j->size &&
        !is_sealed(&st) && st.st_nlink == 1)
        return STATUS_OK;
    close_segment(j);
    enum status status = find_head(j, forced, repair, err);
    if (status != STATUS_OK)
        close_segment(j);
    j->fresh = status == STATUS_OK;
    return status;
}

/* ---- writing ---- */

/* Lines that go out with one write. */
struct batch {
    char *text; /* malloc'ed */
    size_t len, room;
    struct chain_head head;
};

static enum status add_line(struct batch *b, int64_t now, struct str body, struct error *err)
{
    if (body.len + CHAIN_FRAME > CHAIN_LINE_MAX)
        return fail(err, STATUS_LIMIT, "a record is longer than %zu bytes", CHAIN_LINE_MAX);
    if (!body.len || str_has(body, '\n'))
        return fail(err, STATUS_USAGE, "a record must be one line");
    if (b->len + body.len + CHAIN_FRAME > b->room) {
        size_t room = 2 * (b->len + body.len + CHAIN_FRAME);
        char *bigger = realloc(b->text, room);
        if (!bigger)
            return fail(err, STATUS_NOMEM, "no memory for a record");
        b->text = bigger;
        b->room = room;
    }
    b->len += chain_write(&b->head, now, body, b->text + b->len);
    return STATUS_OK;
}

static enum status add_text(struct batch *b, int64_t now, const char *text, struct error *err)
{
    return add_line(b, now, str_from(text), err);
}

static enum status add_repair(struct batch *b, int64_t now, const struct repair *r,
                              struct error *err)
{
    char body[200];

    snprintf(body, sizeof(body), "\"kind\":\"repair\",\"bytes\":%zu,\"moved_to\":\"%s\"", r->bytes,
             r->name);
    return add_text(b, now, body, err);
}

/* Creates the next segment; the current one is sealed first (invariant 1). */
static enum status next_segment(struct journal *j, struct error *err)
{
    uint64_t first = j->head.n + 1;

    if (j->segment >= 0 && fchmod(j->segment, S_IRUSR) < 0)
        return fail(err, STATUS_IO, "cannot seal a segment of the journal: %s", strerror(errno));
    close_segment(j);
    enum status status =
        segment_open(j->directory, first, O_RDWR | O_CREAT | O_EXCL, &j->segment, err);
    if (status != STATUS_OK)
        return status;
    if (j->options.sync == JOURNAL_ALWAYS && fsync(j->directory) < 0)
        return fail(err, STATUS_IO, "cannot sync the journal: %s", strerror(errno));
    j->first = first;
    j->size = 0;
    j->sealed = false;
    return STATUS_OK;
}

/* A write beyond the file size limit must be an error and not a signal that ends the process: a
 * client may take a hook that died for one that does not object. */
static bool is_over_limit(const struct journal *j, size_t more)
{
    struct rlimit most;

    return getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
           (rlim_t)j->size + more > most.rlim_cur;
}

static enum status write_lines(struct journal *j, struct str bytes, struct error *err)
{
    if (is_over_limit(j, bytes.len))
        return fail(err, STATUS_IO, "cannot write the journal: %s", strerror(EFBIG));
    for (off_t at = j->size; bytes.len;) {
        ssize_t n = pwrite(j->segment, bytes.s, bytes.len, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(err, STATUS_IO, "cannot write the journal: %s", strerror(errno));
        bytes = str_from_byte(bytes, (size_t)n);
        at += n;
    }
    return STATUS_OK;
}

static enum status write_batch(struct journal *j, const struct batch *b, struct error *err)
{
    enum status status = write_lines(j, (struct str){b->text, b->len}, err);
    if (status != STATUS_OK) {
        j->fresh = false;
        if (ftruncate(j->segment, j->size) < 0)
            return status; /* the next writer repairs it */
        return status;
    }
    j->size += (off_t)b->len;
    j->head = b->head;
    if (j->options.sync == JOURNAL_ALWAYS && fdatasync(j->segment) < 0) {
        j->fresh = false;
        return fail(err, STATUS_IO, "cannot sync the journal: %s", strerror(errno));
    }
    return STATUS_OK;
}

static bool must_rotate(const struct journal *j, size_t more)
{
    if (j->segment < 0 || j->sealed)
        return true;
    return j->size > 0 && (size_t)j->size + more > j->options.segment_bytes;
}

/* Under the lock, after refresh(). */
static enum status append(struct journal *j, const struct repair *repair, const struct str *bodies,
                          size_t count, bool *rotated, struct error *err)
{
    struct batch b = {.head = j->head};
    int64_t now = j->options.now();
    enum status status = STATUS_OK;
    size_t more = 0;

    for (size_t i = 0; i < count; i++)
        more += bodies[i].len + CHAIN_FRAME;
    *rotated = must_rotate(j, more);
    if (*rotated && (status = next_segment(j, err)) != STATUS_OK)
        return status;
    if (j->size == 0)
        status = add_text(&b, now, "\"kind\":\"segment\",\"version\":1", err);
    if (status == STATUS_OK && repair->bytes)
        status = add_repair(&b, now, repair, err);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = add_line(&b, now, bodies[i], err);
    if (status == STATUS_OK)
        status = write_batch(j, &b, err);
    free(b.text);
    return status;
}

static enum status prune(struct journal *j, struct error *err);

enum status journal_append(struct journal *j, const struct str *bodies, size_t count,
                           uint64_t *first, struct error *err)
{
    struct repair repair = {0};
    bool rotated = false;

    *first = 0;
    if (!count || count > JOURNAL_BATCH_MAX)
        return fail(err, STATUS_USAGE, "at most %d records at once", JOURNAL_BATCH_MAX);
    enum status status = lock(j, err);
    if (status != STATUS_OK)
        return status;
    status = refresh(j, false, &repair, err);
    if (status == STATUS_OK)
        status = append(j, &repair, bodies, count, &rotated, err);
    *first = status == STATUS_OK ? j->head.n - count + 1 : 0;
    if (status == STATUS_OK && rotated && j->first > 1)
        (void)prune(j, NULL); /* old segments that cannot be removed are no reason to deny */
    if (status != STATUS_OK)
        close_segment(j);
    unlock(j);
    return status;
}

/* Under the lock: repairs the end of the journal, and records the repair. */
static enum status settle(struct journal *j, bool forced, size_t *moved, struct error *err)
{
    struct repair repair = {0};
    bool rotated;
    enum status status = refresh(j, forced, &repair, err);

    if (status == STATUS_OK && repair.bytes)
        status = append(j, &repair, NULL, 0, &rotated, err);
    *moved = repair.bytes;
    return status;
}

enum status journal_repair(struct journal *j, size_t *moved, struct error *err)
{
    enum status status = lock(j, err);

    *moved = 0;
    if (status != STATUS_OK)
        return status;
    close_segment(j);
    status = settle(j, true, moved, err);
    unlock(j);
    return status;
}

/* ---- retention ---- */

/* The first line of a segment: when it began, and what it follows. */
static bool segment_start(struct journal *j, uint64_t first, char *text, struct chain_link *link)
{
    AUTO_CLOSE int fd = -1;

    if (segment_open(j->directory, first, O_RDONLY, &fd, NULL) != STATUS_OK)
        return false;
    ssize_t n = pread(fd, text, SECTION_FIRST, 0);
    size_t end = n > 0 ? str_index((struct str){text, (size_t)n}, '\n') : STR_NONE;
    return end != STR_NONE && !chain_read((struct str){text, end}, link);
}

static uint64_t segment_size(struct journal *j, uint64_t first)
{
    char name[JOURNAL_NAME_SIZE];
    struct stat st;

    segment_name(first, name);
    return fstatat(j->directory, name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? (uint64_t)st.st_size : 0;
}

/* How many bytes there are beyond the limit. */
static uint64_t count_excess(struct journal *j, const struct segments *list)
{
    const uint64_t most = j->options.retention_bytes;
    uint64_t all = 0;

    for (size_t i = 0; most && i < list->count; i++)
        all += segment_size(j, list->first[i]);
    return all > most ? all - most : 0;
}

/* How many of the oldest segments may go: those that end before the retention period, and those
 * beyond the limit of bytes. A segment ends where the next one begins. */
static size_t count_old(struct journal *j, int64_t last, const struct segments *list, char *text,
                        struct chain_link *rest)
{
    uint64_t excess = count_excess(j, list);
    int64_t begun = 0;
    struct chain_link link;
    size_t old = 0;

    for (size_t i = 1; i < list->count && list->first[i] <= j->first; i++) {
        if (!segment_start(j, list->first[i], text, &link) || !stamp_parse(link.at, &begun))
            break;
        const bool aged = last - begun > (int64_t)j->options.retention_days * DAY_MS;
        const bool large =
            excess > 0 && last - begun > (int64_t)j->options.retention_least_s * 1000;
        if (!aged && !large)
            break;
        const uint64_t size = segment_size(j, list->first[i - 1]);
        excess -= size < excess ? size : excess;
        old = i;
    }
    if (old && !segment_start(j, list->first[old], text, rest))
        old = 0;
    return old;
}

/* The retention counts back from the last record. */
static enum status prune(struct journal *j, struct error *err)
{
    int64_t last;
    struct segments list;
    struct chain_link rest;
    struct repair none = {0};
    char text[SECTION_FIRST];
    char body[256], name[JOURNAL_NAME_SIZE];
    bool rotated;
    if (!stamp_parse(str_from(j->head.at), &last))
        return STATUS_OK; /* there is no record yet */
    enum status status = segments_list(j->directory, &list, err);
    if (status != STATUS_OK)
        return status;
    size_t old = count_old(j, last, &list, text, &rest);
    if (old) {
        int len =
            snprintf(body, sizeof(body),
                     "\"kind\":\"retention\",\"removed_through\":%" PRIu64 ",\"head\":\"%.*s\"",
                     rest.n - 1, STR_ARG(rest.prev));
        struct str record = {body, (size_t)len};
        status = append(j, &none, &record, 1, &rotated, err);
        if (status == STATUS_OK && fdatasync(j->segment) < 0)
            status = fail(err, STATUS_IO, "cannot sync the journal: %s", strerror(errno));
    }
    for (size_t i = 0; i < old && status == STATUS_OK; i++) {
        segment_name(list.first[i], name);
        if (unlinkat(j->directory, name, 0) < 0)
            status = fail(err, STATUS_IO, "cannot remove %s: %s", name, strerror(errno));
    }
    segments_release(&list);
    return status;
}
