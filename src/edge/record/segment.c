/* segment.c - the files of a journal: their names, and opening them safely. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/ascii.h"
#include "machine/entries.h"
#include "machine/own.h"
#include "record/journal.h"

#define NAME_TAIL    ".jsonl"
#define SEGMENTS_MAX 1000000

void segment_name(uint64_t first, char out[JOURNAL_NAME_SIZE])
{
    struct str digits = str_number(first, out);

    memset(out, '0', STR_NUMBER_MAX - digits.len);
    memcpy(out + STR_NUMBER_MAX, NAME_TAIL, sizeof(NAME_TAIL));
}

static bool read_name(const char *name, uint64_t *first)
{
    char again[JOURNAL_NAME_SIZE];

    *first = 0;
    for (size_t i = 0; i < STR_NUMBER_MAX; i++) {
        if (!ascii_is_digit(name[i]))
            return false;
        *first = *first * 10 + (uint64_t)(name[i] - '0');
    }
    segment_name(*first, again);
    return *first > 0 && strcmp(name, again) == 0;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static bool add(struct segments *s, size_t *room, uint64_t first)
{
    if (s->count == *room) {
        size_t more = *room ? *room * 2 : 16;
        uint64_t *bigger = more > SEGMENTS_MAX ? NULL : realloc(s->first, more * sizeof(*bigger));
        if (!bigger)
            return false;
        s->first = bigger;
        *room = more;
    }
    s->first[s->count++] = first;
    return true;
}

enum status segments_list(int directory, struct segments *out, struct error *err)
{
    struct entries all;
    const struct entry *entry;
    size_t room = 0;
    uint64_t first;

    *out = (struct segments){0};
    entries_of(&all, lseek(directory, 0, SEEK_SET) == 0 ? directory : -1);
    while ((entry = entries_next(&all)))
        if (read_name(entry->name, &first) && !add(out, &room, first))
            return fail(err, STATUS_LIMIT, "the journal has too many segments");
    if (all.failed)
        return fail(err, STATUS_IO, "cannot list the journal: %s", strerror(errno));
    if (out->count)
        qsort(out->first, out->count, sizeof(*out->first), by_number);
    return STATUS_OK;
}

void segments_release(struct segments *s)
{
    free(s->first);
    *s = (struct segments){0};
}

enum status segment_open(int directory, uint64_t first, int flags, int *out, struct error *err)
{
    struct stat st;

    return segment_look(directory, first, flags, out, &st, err);
}

enum status segment_look(int directory, uint64_t first, int flags, int *out, struct stat *st,
                         struct error *err)
{
    char name[JOURNAL_NAME_SIZE];

    segment_name(first, name);
    int fd =
        openat(directory, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR);
    *out = -1;
    if (fd < 0)
        return fail(err, errno == ELOOP ? STATUS_UNSAFE : STATUS_IO, "cannot open journal/%s: %s",
                    name, strerror(errno));
    enum status status = own_look_at_file(fd, name, st, err);
    if (status != STATUS_OK) {
        close(fd);
        return status;
    }
    *out = fd;
    return STATUS_OK;
}
