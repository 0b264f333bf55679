#include "record/journal_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/own.h"

#define READ_BYTES ((size_t)64 * 1024)

enum status journal_reader_open(struct journal_reader *r, const char *dir, uint64_t from,
                                struct error *err)
{
    AUTO_CLOSE int parent = -1;
    struct segments list;

    *r = (struct journal_reader){.directory = -1, .segment = -1};
    if (access(dir, F_OK) < 0 && errno == ENOENT)
        return STATUS_OK;
    enum status status = own_open_directory(dir, &parent, err);
    if (status != STATUS_OK ||
        (faccessat(parent, "journal", F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT))
        return status;
    if ((status = own_open_directory_at(parent, "journal", &r->directory, err)) != STATUS_OK ||
        (status = segments_list(r->directory, &list, err)) != STATUS_OK)
        return status;
    /* The one before the first that begins after `from`; next_segment() continues after r->first.
     */
    for (size_t i = 1; i < list.count && list.first[i] <= from; i++)
        r->first = list.first[i] - 1;
    segments_release(&list);
    return STATUS_OK;
}

void journal_reader_close(struct journal_reader *r)
{
    if (r->segment >= 0)
        close(r->segment);
    if (r->directory >= 0)
        close(r->directory);
    free(r->text);
    *r = (struct journal_reader){.directory = -1, .segment = -1};
}

static enum status make_room(struct journal_reader *r, struct error *err)
{
    if (r->from) {
        memmove(r->text, r->text + r->from, r->len - r->from);
        r->len -= r->from;
        r->from = 0;
    }
    if (r->room - r->len >= READ_BYTES)
        return STATUS_OK;
    char *bigger = realloc(r->text, r->room + READ_BYTES + r->room / 2);
    if (!bigger)
        return fail(err, STATUS_NOMEM, "no memory to read the journal");
    r->room += READ_BYTES + r->room / 2;
    r->text = bigger;
    return STATUS_OK;
}

/* Reads more of the segment. *got is false at its end. A line that is too long for a record is cut:
 * it is invalid in any case, and must not fill the memory. */
static enum status read_more(struct journal_reader *r, bool *got, struct error *err)
{
    if (r->len - r->from > CHAIN_LINE_MAX) {
        r->too_long = true;
        r->len = r->from + CHAIN_LINE_MAX;
    }
    enum status status = make_room(r, err);
    if (status != STATUS_OK)
        return status;
    ssize_t n = read(r->segment, r->text + r->len, READ_BYTES);
    if (n < 0 && errno != EINTR)
        return fail(err, STATUS_IO, "cannot read the journal: %s", strerror(errno));
    *got = n != 0; /* also after a signal: there may be more */
    if (n > 0)
        r->len += (size_t)n;
    return STATUS_OK;
}

/* The number of the segment after the current one; 0 if there is none. */
static enum status find_next(const struct journal_reader *r, uint64_t *next, struct error *err)
{
    struct segments list;
    enum status status = segments_list(r->directory, &list, err);

    *next = 0;
    for (size_t i = 0; status == STATUS_OK && i < list.count && !*next; i++)
        if (list.first[i] > r->first)
            *next = list.first[i];
    segments_release(&list);
    return status;
}

/* At the end of the segment: moves to the next one. *got is false if there is none, or if a record
 * was appended to this one before the next was created: it is sealed now, so reading it once more
 * is enough. */
static enum status next_segment(struct journal_reader *r, bool *got, struct error *err)
{
    uint64_t next;
    enum status status = find_next(r, &next, err);

    *got = false;
    if (status != STATUS_OK || !next)
        return status;
    if (r->segment >= 0) {
        if ((status = read_more(r, got, err)) != STATUS_OK || *got)
            return status;
        close(r->segment);
    }
    status = segment_open(r->directory, next, O_RDONLY, &r->segment, err);
    r->first = next;
    r->line = 0;
    r->from = r->len = 0;
    *got = status == STATUS_OK;
    return status;
}

static void give(struct journal_reader *r, size_t len, bool torn, struct journal_line *out)
{
    *out = (struct journal_line){
        .text = {r->text + r->from, len},
        .segment = r->first,
        .line = ++r->line,
        .first = r->line == 1,
        .torn = torn,
        .too_long = r->too_long,
    };
    r->from += len + !torn;
    r->too_long = false;
}

/* Where the current line ends; STR_NONE if its newline was not read yet. *seen: bytes of it that
 * were searched. */
static size_t line_end(const struct journal_reader *r, size_t *seen)
{
    size_t len = r->len - r->from, end = STR_NONE;

    if (len > *seen)
        end = str_index((struct str){r->text + r->from + *seen, len - *seen}, '\n');
    if (end != STR_NONE)
        return *seen + end;
    *seen = len < CHAIN_LINE_MAX ? len : CHAIN_LINE_MAX;
    return STR_NONE;
}

enum status journal_next(struct journal_reader *r, bool torn, struct journal_line *out, bool *got,
                         struct error *err)
{
    enum status status = STATUS_OK;
    size_t seen = 0, end;

    *got = false;
    for (bool more = r->directory >= 0; more && status == STATUS_OK;) {
        if ((end = line_end(r, &seen)) != STR_NONE) {
            give(r, end, false, out);
            *got = true;
            return STATUS_OK;
        }
        more = false;
        if (r->segment >= 0)
            status = read_more(r, &more, err);
        if (more || status != STATUS_OK)
            continue;
        if (torn && r->len > r->from) {
            give(r, r->len - r->from, true, out);
            *got = true;
            return STATUS_OK;
        }
        status = next_segment(r, &more, err);
        seen = r->len > r->from ? seen : 0;
    }
    return status;
}
