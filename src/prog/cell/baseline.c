#include "cell/baseline.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "cell/own.h"

#define PREFIX "protect-"

/* One place in a file; the bytes of both follow. */
struct record {
    uint64_t path, content;
};

/* ---- the directory and the lock ---- */

static int open_directory(void)
{
    static const char *const parts[] = {".local", ".local/state", ".local/state/warder",
                                        ".local/state/warder/cells"};
    char path[OWN_PATH_MAX];

    for (size_t i = 0; i < COUNT(parts); i++)
        if (own_path(parts[i], path, NULL) != STATUS_OK ||
            (mkdir(path, 0700) != 0 && errno != EEXIST))
            return -1;
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

enum status baseline_lock(struct baseline *b, struct error *err)
{
    if (b->directory < 0)
        b->directory = open_directory();
    b->lock = b->directory < 0 ? -1 : openat(b->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (b->lock < 0 || flock(b->lock, LOCK_EX) != 0)
        return fail(err, STATUS_IO, "cannot remember what is protected: %s", strerror(errno));
    return STATUS_OK;
}

void baseline_unlock(struct baseline *b)
{
    if (b->lock >= 0) {
        (void)flock(b->lock, LOCK_UN);
        close(b->lock);
    }
    b->lock = -1;
}

/* ---- the files ---- */

static bool put(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size) {
        ssize_t done = write(fd, at, size);
        if (done < 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool put_place(int fd, const struct baseline_place *p)
{
    const struct record record = {p->path.len, p->content.len};

    return put(fd, &record, sizeof(record)) && put(fd, p->path.s, p->path.len) &&
           put(fd, p->content.s, p->content.len);
}

static bool make_own(struct baseline *b, const struct baseline_place *places, size_t count)
{
    (void)snprintf(b->name, sizeof(b->name), PREFIX "%d", (int)getpid());
    (void)unlinkat(b->directory, b->name, 0); /* of a process that had our number */
    b->file = openat(b->directory, b->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (b->file < 0 || flock(b->file, LOCK_EX | LOCK_NB) != 0)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!put_place(b->file, &places[i]))
            return false;
    return true;
}

static bool is_different(const struct baseline_place *theirs, const struct baseline_place *places,
                         size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(places[i].path, theirs->path))
            return !str_eq(places[i].content, theirs->content);
    return false;
}

/* A file that is not as it was written differs. */
static bool differs(const char *at, size_t left, const struct baseline_place *places, size_t count)
{
    struct record record;

    while (left) {
        if (left < sizeof(record))
            return true;
        memcpy(&record, at, sizeof(record));
        at += sizeof(record);
        left -= sizeof(record);
        if (record.path > left || record.content > left - record.path)
            return true;
        const struct baseline_place theirs = {{at, record.path},
                                              {at + record.path, record.content}};
        if (is_different(&theirs, places, count))
            return true;
        at += record.path + record.content;
        left -= record.path + record.content;
    }
    return false;
}

static bool agrees(const struct baseline *b, const char *name, const struct baseline_place *places,
                   size_t count)
{
    AUTO_CLOSE int fd = openat(b->directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) == 0) { /* its cell is gone */
        (void)unlinkat(b->directory, name, 0);
        return true;
    }
    if (fd < 0 || fstat(fd, &st) != 0)
        return fd < 0 && errno == ENOENT;
    if (st.st_size == 0)
        return true;
    void *text = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (text == MAP_FAILED)
        return false;
    const bool same = !differs(text, (size_t)st.st_size, places, count);
    (void)munmap(text, (size_t)st.st_size);
    return same;
}

static bool all_agree(const struct baseline *b, const struct baseline_place *places, size_t count)
{
    int fd = openat(b->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open = fd < 0 ? NULL : fdopendir(fd);
    bool agree = open != NULL;
    struct dirent *entry;

    while (agree && (entry = readdir(open)))
        agree = strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0 ||
                strcmp(entry->d_name, b->name) == 0 || agrees(b, entry->d_name, places, count);
    if (open)
        (void)closedir(open);
    else if (fd >= 0)
        close(fd);
    return agree;
}

enum status baseline_join(struct baseline *b, const struct baseline_place *places, size_t count,
                          struct error *err)
{
    if (!make_own(b, places, count))
        return fail(err, STATUS_IO, "cannot remember what is protected: %s", strerror(errno));
    if (!all_agree(b, places, count))
        return fail(err, STATUS_USAGE,
                    "what is protected changes while another command runs in the sandbox");
    return STATUS_OK;
}

void baseline_leave(struct baseline *b)
{
    if (b->file >= 0) {
        (void)unlinkat(b->directory, b->name, 0);
        close(b->file);
    }
    if (b->directory >= 0)
        close(b->directory);
    *b = BASELINE_NONE;
}
