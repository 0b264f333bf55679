#include "undo/content.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/auto.h"

#define CLONE_FILE  0x40049409u /* FICLONE: musl has no kernel headers */
#define CHUNK       65536u
#define LIST_ATTRS  465L /* listxattrat(2): nor has its C library the number */
#define GROUPS_MAX  256  /* a person who is in more is in none */
#define NANOSECONDS 1000000000LL

int content_open(int directory, const char *name, uint64_t inode, int flags)
{
    struct stat st;
    struct undo_state seen;
    int fd;

    if (!beneath_look_at(directory, name, &seen) || seen.kind != UNDO_FILE || seen.inode != inode)
        return -1;
    fd = openat(directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_ino == inode)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* ---- content ---- */

static bool write_at(int fd, const char *bytes, size_t len, off_t at)
{
    while (len) {
        ssize_t n = pwrite(fd, bytes, len, at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        at += n;
        len -= (size_t)n;
    }
    return true;
}

static ssize_t read_at(int fd, char *bytes, size_t len, off_t at)
{
    ssize_t n;

    do
        n = pread(fd, bytes, len, at);
    while (n < 0 && errno == EINTR);
    return n;
}

static bool copy_run(int from, int to, off_t at, off_t end, char *room)
{
    while (at < end) {
        size_t want = end - at < (off_t)CHUNK ? (size_t)(end - at) : CHUNK;
        ssize_t n = read_at(from, room, want, at);
        if (n < 0 || (n > 0 && !write_at(to, room, (size_t)n, at)))
            return false;
        if (n == 0)
            return true; /* it became shorter */
        at += n;
    }
    return true;
}

static bool copy_runs(int from, int to, off_t size, char *room)
{
    for (off_t at = 0, end; at < size; at = end) {
        off_t data = lseek(from, at, SEEK_DATA);
        if (data < 0 && errno == ENXIO)
            return true; /* a hole up to the end */
        if (data < 0)
            return copy_run(from, to, at, size, room); /* it knows no holes */
        end = lseek(from, data, SEEK_HOLE);
        if (end < 0 || end > size)
            end = size;
        if (!copy_run(from, to, data, end, room))
            return false;
    }
    return true;
}

bool content_clone(int from, int to)
{
    struct stat st;

    return ioctl(to, CLONE_FILE, from) == 0 && fstat(from, &st) == 0 &&
           ftruncate(to, st.st_size) == 0;
}

bool content_copy(int from, int to)
{
    struct stat st;
    AUTO_FREE char *room = NULL;

    if (content_clone(from, to))
        return true;
    return fstat(from, &st) == 0 && ftruncate(to, 0) == 0 && ftruncate(to, st.st_size) == 0 &&
           (room = malloc(CHUNK)) && copy_runs(from, to, st.st_size, room);
}

bool content_equal(int a, int b)
{
    struct stat x, y;
    AUTO_FREE char *room = malloc((size_t)2 * CHUNK);

    if (!room || fstat(a, &x) < 0 || fstat(b, &y) < 0 || x.st_size != y.st_size)
        return false;
    for (off_t at = 0; at < x.st_size;) {
        ssize_t n = read_at(a, room, CHUNK, at);
        if (n <= 0 || read_at(b, room + CHUNK, (size_t)n, at) != n ||
            memcmp(room, room + CHUNK, (size_t)n) != 0)
            return false;
        at += n;
    }
    return true;
}

bool content_read(int fd, size_t most, char **text, size_t *len)
{
    struct stat st;
    char *room;

    if (fstat(fd, &st) < 0 || st.st_size < 0 || (uint64_t)st.st_size > most ||
        !(room = malloc((size_t)st.st_size + 1)))
        return false;
    for (*len = 0; *len < (size_t)st.st_size;) {
        ssize_t n = read_at(fd, room + *len, (size_t)st.st_size - *len, (off_t)*len);
        if (n <= 0)
            break;
        *len += (size_t)n;
    }
    if (*len != (size_t)st.st_size) {
        free(room);
        return false;
    }
    room[*len] = '\0';
    *text = room;
    return true;
}

/* ---- attributes ---- */

static bool is_ours(const char *name)
{
    return strncmp(name, "user.", 5) == 0 || strncmp(name, "system.posix_acl_", 17) == 0;
}

struct attrs_reading {
    struct arena *arena;
    int fd;
    struct strs *pairs;
    const char *names;
    size_t len;
    char *room;
    bool good;
};

static void read_pairs(void *arg)
{
    struct attrs_reading *r = arg;

    r->good = true;
    for (const char *name = r->names; r->good && name < r->names + r->len;
         name += strlen(name) + 1) {
        if (!is_ours(name))
            continue;
        ssize_t n = fgetxattr(r->fd, name, r->room, UNDO_ATTRS_MAX);
        r->good = n >= 0;
        if (!r->good)
            break;
        LIST_PUSH(r->arena, r->pairs, str_copy(r->arena, str_from(name)));
        LIST_PUSH(r->arena, r->pairs, str_copy(r->arena, (struct str){r->room, (size_t)n}));
    }
}

bool attrs_read(struct arena *a, int fd, struct strs *pairs)
{
    char few[1024];
    AUTO_FREE char *many = NULL;
    ssize_t n = flistxattr(fd, few, sizeof(few));

    *pairs = (struct strs){0};
    if (n == 0 || (n < 0 && errno == ENOTSUP))
        return true;
    if (!(many = malloc((size_t)2 * UNDO_ATTRS_MAX)))
        return false;
    if ((n = flistxattr(fd, many, UNDO_ATTRS_MAX)) < 0)
        return false;
    struct attrs_reading r = {a, fd, pairs, many, (size_t)n, many + UNDO_ATTRS_MAX, false};
    return arena_try(a, read_pairs, &r) && r.good;
}

/* From Linux 6.13 on without the way through the directories above. A filter of system calls that
 * does not know it says EPERM. */
static ssize_t list_names(int directory, const char *name, const char *path, char *out, size_t size)
{
    ssize_t n = syscall(LIST_ATTRS, directory, name, AT_SYMLINK_NOFOLLOW, out, size);

    return n < 0 && (errno == ENOSYS || errno == EPERM) ? llistxattr(path, out, size) : n;
}

bool attrs_has(int directory, const char *name, const char *path)
{
    char names[1024];
    ssize_t n = list_names(directory, name, path, names, sizeof(names));

    for (const char *at = names; n > 0 && at < names + n; at += strlen(at) + 1)
        if (is_ours(at))
            return true;
    return n < 0 && errno != ENOTSUP;
}

static const struct str *find_pair(const struct strs *pairs, struct str name)
{
    for (size_t i = 0; i + 1 < pairs->count; i += 2)
        if (str_eq(pairs->items[i], name))
            return &pairs->items[i + 1];
    return NULL;
}

static bool has_pair(const struct strs *pairs, const struct str pair[2])
{
    const struct str *value = find_pair(pairs, pair[0]);

    return value && str_eq(*value, pair[1]);
}

bool attrs_equal(const struct strs *a, const struct strs *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i + 1 < a->count; i += 2)
        if (!has_pair(b, &a->items[i]))
            return false;
    return true;
}

bool attrs_write(int fd, const struct strs *now, const struct strs *wanted)
{
    bool good = true;

    for (size_t i = 0; i + 1 < now->count; i += 2)
        if (!find_pair(wanted, now->items[i]))
            good = fremovexattr(fd, now->items[i].s) == 0 && good;
    for (size_t i = 0; i + 1 < wanted->count; i += 2) {
        const struct str *pair = &wanted->items[i];
        if (!has_pair(now, pair))
            good = fsetxattr(fd, pair[0].s, pair[1].s, pair[1].len, 0) == 0 && good;
    }
    return good;
}

void mtime_write(int directory, const char *name, int64_t mtime)
{
    int64_t seconds = mtime / NANOSECONDS, rest = mtime % NANOSECONDS;

    if (rest < 0) {
        rest += NANOSECONDS;
        seconds--;
    }
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                      {.tv_sec = (time_t)seconds, .tv_nsec = (long)rest}};
    if (name)
        (void)utimensat(directory, name, times, AT_SYMLINK_NOFOLLOW);
    else
        (void)futimens(directory, times);
}

void mtime_moved(const struct beneath *b, const struct undo_state *was)
{
    if (was->kind == UNDO_DIRECTORY)
        mtime_write(b->directory, b->name, was->modified);
}

/* The owner first: changing it clears the set-user-ID bit. */
static bool is_own_group(uint32_t group)
{
    gid_t groups[GROUPS_MAX];
    int count = getgroups(GROUPS_MAX, groups);

    for (int i = 0; i < count; i++)
        if (groups[i] == group)
            return true;
    return group == getegid();
}

bool marks_may(const struct undo_state *wanted)
{
    return geteuid() == 0 || (wanted->user == geteuid() && is_own_group(wanted->group));
}

bool marks_write(int directory, const char *name, const struct undo_state *now,
                 const struct undo_state *wanted)
{
    bool good = true;

    if (now->user != wanted->user || now->group != wanted->group)
        good = fchownat(directory, name, wanted->user, wanted->group, AT_SYMLINK_NOFOLLOW) == 0;
    if (wanted->kind != UNDO_LINK && wanted->kind != UNDO_BEYOND)
        good = fchmodat(directory, name, wanted->mode, AT_SYMLINK_NOFOLLOW) == 0 && good;
    mtime_write(directory, name, wanted->modified);
    return good;
}
