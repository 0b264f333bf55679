#include "lib/disk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define HASH_START 2166136261u

/* kind '/': what stands at a path; others: answers of the world's functions. */
struct disk_entry {
    struct disk_entry *next;
    uint32_t hash;
    char kind;
    enum disk_seen seen;
    struct str name;
    const char *answer;
};

void disk_begin(struct disk *d, struct arena *a)
{
    *d = (struct disk){.arena = a};
}

/* FNV-1a. Who names many paths of one bucket waits for himself. */
static uint32_t hash_more(uint32_t hash, char c)
{
    return (hash ^ (unsigned char)c) * 16777619u;
}

static uint32_t hash_all(struct str name)
{
    uint32_t hash = HASH_START;

    for (size_t i = 0; i < name.len; i++)
        hash = hash_more(hash, name.s[i]);
    return hash;
}

static struct disk_entry *find(const struct disk *d, char kind, uint32_t hash, struct str name)
{
    struct disk_entry *e = d->buckets[(hash ^ hash >> 16) % DISK_BUCKETS];

    while (e && (e->hash != hash || e->kind != kind || !str_eq(e->name, name)))
        e = e->next;
    return e;
}

static struct disk_entry *add(struct disk *d, char kind, uint32_t hash, struct str name)
{
    struct disk_entry *e = ARENA_NEW(d->arena, struct disk_entry);
    struct disk_entry **bucket = &d->buckets[(hash ^ hash >> 16) % DISK_BUCKETS];

    *e = (struct disk_entry){.next = *bucket, .hash = hash, .kind = kind, .name = str_copy(d->arena, name)};
    *bucket = e;
    return e;
}

static enum disk_seen ask_kernel(const char *path, size_t len)
{
    char ended[WORLD_PATH_MAX];
    struct stat st;

    if (len >= sizeof(ended))
        return DISK_UNKNOWN;
    memcpy(ended, path, len);
    ended[len] = '\0';
    if (lstat(ended, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR ? DISK_ABSENT : DISK_UNKNOWN;
    switch (st.st_mode & S_IFMT) {
    case S_IFLNK:
        return DISK_LINK;
    case S_IFDIR:
        return DISK_DIRECTORY;
    case S_IFREG:
        return DISK_REGULAR;
    default:
        return DISK_OTHER;
    }
}

/* Below a directory that is absent everything is; up to a "..", which leads out of it again. */
static bool is_below_absent(const struct disk *d, struct str path, uint32_t *hash)
{
    *hash = HASH_START;
    for (size_t i = 0; i < path.len; i++) {
        if (path.s[i] == '/' && i > 0) {
            const struct disk_entry *e = find(d, '/', *hash, str_slice(path, 0, i));
            if (e && e->seen == DISK_ABSENT && !str_contains(str_from_byte(path, i), STR("/..")))
                return true;
        }
        *hash = hash_more(*hash, path.s[i]);
    }
    return false;
}

enum disk_seen disk_look(struct disk *d, const char *path, size_t len)
{
    struct str name = {path, len};
    struct disk_entry *e;
    uint32_t hash;

    if (!d || !d->arena)
        return ask_kernel(path, len);
    if (is_below_absent(d, name, &hash))
        return DISK_ABSENT;
    if (!(e = find(d, '/', hash, name))) {
        e = add(d, '/', hash, name);
        e->seen = ask_kernel(path, len);
    }
    return e->seen;
}

const char *disk_recall(const struct disk *d, char kind, const char *name)
{
    struct str key = str_from(name);
    const struct disk_entry *e = d && d->arena ? find(d, kind, hash_all(key), key) : NULL;

    return e ? e->answer : NULL;
}

const char *disk_keep(struct disk *d, char kind, const char *name, const char *answer)
{
    struct str key = str_from(name);

    if (!d || !d->arena)
        return answer;
    struct disk_entry *e = add(d, kind, hash_all(key), key);
    e->answer = str_copy(d->arena, str_from(answer)).s;
    return e->answer;
}
