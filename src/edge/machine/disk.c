#include "machine/disk.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/plain.h"

#define PLAIN_FROM 3 /* directories from which on one question is cheaper than one for each */

/* kind '/': what is at a path; other kinds: answers of the world's functions. */
struct disk_entry {
    struct disk_entry *next;
    uint32_t hash;
    char kind;
    enum disk_seen seen;
    struct str name;
    const char *answer;
};

void disk_begin(struct disk *d, struct arena *a, struct disk_memory *memory)
{
    d->arena = a; /* the buckets are zeroed when the first entry is added */
    d->memory = memory;
    d->unkept = d->count = d->room = 0;
    d->more = NULL;
    d->plain = (struct str){0};
    d->plain_asked = false;
    if (memory)
        disk_memory_begin(memory);
}

static struct disk_entry **bucket_of(struct disk *d, uint32_t hash)
{
    return d->more ? &d->more[hash & (d->room - 1)] : &d->buckets[hash % DISK_BUCKETS];
}

static struct disk_entry *find(const struct disk *d, char kind, uint32_t hash, struct str name)
{
    if (d->count == 0)
        return NULL;
    struct disk_entry *e =
        d->more ? d->more[hash & (d->room - 1)] : d->buckets[hash % DISK_BUCKETS];

    while (e && (e->hash != hash || e->kind != kind || !str_eq(e->name, name)))
        e = e->next;
    return e;
}

static void put(struct disk *d, struct disk_entry *e)
{
    struct disk_entry **bucket = bucket_of(d, e->hash);

    e->next = *bucket;
    *bucket = e;
}

/* A command may name tens of thousands of files: chains must not grow with their number. */
static void grow(struct disk *d)
{
    struct disk_entry **old = d->more ? d->more : d->buckets;
    size_t room = d->more ? d->room : DISK_BUCKETS;
    struct disk_entry **more = ARENA_ARRAY(d->arena, struct disk_entry *, DISK_GROWTH * room);

    d->more = more;
    d->room = DISK_GROWTH * room;
    for (size_t i = 0; i < room; i++)
        for (struct disk_entry *e = old[i], *next; e; e = next) {
            next = e->next;
            put(d, e);
        }
}

static struct disk_entry *add(struct disk *d, char kind, uint32_t hash, struct str name)
{
    struct disk_entry *e = arena_room(d->arena, 1, sizeof(*e));

    *e = (struct disk_entry){.hash = hash, .kind = kind, .name = str_copy(d->arena, name)};
    if (d->count == 0)
        memset(d->buckets, 0, sizeof(d->buckets));
    if (d->count >= 4 * (d->more ? d->room : DISK_BUCKETS))
        grow(d);
    put(d, e);
    d->count++;
    return e;
}

static enum disk_seen kind_of(const struct stat *st)
{
    switch (st->st_mode & S_IFMT) {
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

enum disk_seen disk_ask(const char *path)
{
    struct stat st;

    if (lstat(path, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR ? DISK_ABSENT : DISK_UNKNOWN;
    return kind_of(&st);
}

/* Everything below an absent directory is absent, unless a ".." leads out of it again. */
static bool is_below_absent(const struct disk *d, struct str path)
{
    for (size_t i = 1; i < path.len; i++) {
        if (path.s[i] != '/')
            continue;
        struct str above = {path.s, i};
        const struct disk_entry *e = find(d, '/', str_hash(above), above);
        if (e && e->seen == DISK_ABSENT)
            return !str_contains(str_from_byte(path, i), STR("/.."));
    }
    return false;
}

/* ---- directories without a link ---- */

static bool covers(struct str directory, const char *path)
{
    return directory.len && strncmp(path, directory.s, directory.len) == 0 &&
           (path[directory.len] == '/' || !path[directory.len]);
}

size_t disk_plain(struct disk *d, const char *path, char room[WORLD_PATH_MAX])
{
    size_t count, len;

    if (d && !d->arena)
        d = NULL;
    if (d && covers(d->plain, path))
        return d->plain.len;
    if (d && (d->memory || d->plain_asked))
        return 0;
    len = plain_directory(path, &count);
    if (count < PLAIN_FROM)
        return 0;
    if (d)
        d->plain_asked = true;
    memcpy(room, path, len);
    room[len] = '\0';
    if (!plain_is_directory(room))
        return 0;
    if (d)
        d->plain = str_copy(d->arena, (struct str){room, len});
    return len;
}

/* ---- looking ---- */

static bool is_above_plain(const struct disk *d, struct str name)
{
    return name.len <= d->plain.len && name.len && memcmp(d->plain.s, name.s, name.len) == 0 &&
           (name.len == d->plain.len || d->plain.s[name.len] == '/');
}

enum disk_seen disk_look(struct disk *d, const char *path, size_t len)
{
    struct str name = {path, len};
    struct disk_entry *e;

    if (!d || !d->arena)
        return disk_ask(path);
    uint32_t hash = str_hash(name);
    enum disk_seen seen = d->memory ? disk_memory_look(d->memory, hash, name) : DISK_UNKNOWN;
    if (seen != DISK_UNKNOWN)
        return seen;
    if (is_above_plain(d, name))
        return DISK_DIRECTORY;
    d->unkept++;
    if ((e = find(d, '/', hash, name)))
        return e->seen;
    e = add(d, '/', hash, name);
    e->seen = is_below_absent(d, name) ? DISK_ABSENT : disk_ask(path);
    return e->seen;
}

void disk_saw(struct disk *d, const char *path, size_t len, const struct stat *st)
{
    struct str name = {path, len};

    if (!d || !d->arena || d->memory)
        return;
    uint32_t hash = str_hash(name);
    if (!find(d, '/', hash, name))
        add(d, '/', hash, name)->seen = kind_of(st);
}

bool disk_follow(struct disk *d, const char *path, char target[WORLD_PATH_MAX])
{
    struct str name = str_from(path);
    const char *kept =
        d && d->memory ? disk_memory_recall(d->memory, '/', str_hash(name), name) : NULL;

    if (kept) {
        memcpy(target, kept, strlen(kept) + 1);
        return true;
    }
    if (d)
        d->unkept++;
    ssize_t len = readlink(path, target, WORLD_PATH_MAX - 1);
    if (len > 0)
        target[len] = '\0';
    return len > 0;
}

const char *disk_recall(const struct disk *d, char kind, struct str name)
{
    if (!d || !d->arena)
        return NULL;
    uint32_t hash = str_hash(name);
    const char *kept = d->memory ? disk_memory_recall(d->memory, kind, hash, name) : NULL;
    if (kept)
        return kept;
    const struct disk_entry *e = find(d, kind, hash, name);
    return e ? e->answer : NULL;
}

const char *disk_keep(struct disk *d, char kind, struct str name, const char *answer, size_t unkept)
{
    struct str text = str_from(answer);

    if (!d || !d->arena)
        return answer;
    uint32_t hash = str_hash(name);
    if (d->memory && d->unkept == unkept && disk_memory_keep(d->memory, kind, hash, name, text))
        return disk_memory_recall(d->memory, kind, hash, name);
    struct disk_entry *e = add(d, kind, hash, name);
    e->answer = str_copy(d->arena, text).s;
    return e->answer;
}

void disk_ask_rights(struct disk *d, const char *path)
{
    if (d && !(d->memory && disk_memory_watch(d->memory, path)))
        d->unkept++;
}
