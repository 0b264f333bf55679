#include "undo/git_objects.h"

#include <dirent.h>
#include <endian.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/inflate.h"
#include "base/sha1.h"
#include "undo/beneath.h"
#include "undo/content.h"

#define ID_BYTES    SHA1_BYTES
#define PACKS_MAX   1000u
#define INDEXES_MAX ((size_t)128 << 20)  /* bytes of the indexes of all packs */
#define CHAIN_MAX   4096u                /* deltas of deltas */
#define HELD_MAX    (4 * GIT_OBJECT_MAX) /* bytes of them */
#define AHEAD       512u                 /* bytes that are read to learn a size */
#define WHOLE_MAX   ((size_t)64 << 20)   /* bytes of the packs that are read at once, */
#define WHOLE_EACH  1024u                /* ... and of one for each object that is looked for */
#define FANOUT      ((size_t)256 * 4)
#define PACK_HEADER 8u

enum object_kind { KIND_BLOB = 3, KIND_DELTA_AT = 6, KIND_DELTA_OF = 7 };

struct git_pack {
    int fd;
    struct git_content index, whole; /* whole: the pack itself; no bytes: not held */
    uint32_t count;
};

static uint32_t number(const char *p)
{
    const uint8_t *b = (const uint8_t *)p;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* ---- packs ---- */

static bool index_is_good(const struct git_pack *p)
{
    const struct git_content x = p->index;

    return x.len >= PACK_HEADER + FANOUT && memcmp(x.bytes, "\377tOc\0\0\0\2", PACK_HEADER) == 0 &&
           x.len >= PACK_HEADER + FANOUT + (uint64_t)p->count * (ID_BYTES + 4 + 4) +
                        (size_t)2 * ID_BYTES;
}

/* At most so many bytes. */
static bool read_index(struct git_pack *p, int directory, const char *name, size_t most)
{
    char *text = NULL;
    size_t len = 0;
    AUTO_CLOSE int fd = beneath_open_file(directory, name);

    if (fd < 0 || !content_read(fd, most, &text, &len))
        return false;
    p->index = (struct git_content){text, len};
    p->count = len >= PACK_HEADER + FANOUT ? number(text + PACK_HEADER + FANOUT - 4) : 0;
    return index_is_good(p);
}

/* name: that of the index, ".idx" included. */
static bool open_pack(struct git_pack *p, int directory, const char *name, size_t most)
{
    char other[NAME_MAX + 2];
    const size_t stem = strlen(name) - strlen("idx");

    *p = (struct git_pack){.fd = -1};
    (void)snprintf(other, sizeof(other), "%.*spack", (int)stem, name);
    if (!read_index(p, directory, name, most))
        return false;
    p->fd = beneath_open_file(directory, other);
    return p->fd >= 0;
}

static void close_pack(struct git_pack *p)
{
    auto_close(&p->fd);
    free(p->index.bytes);
    free(p->whole.bytes);
}

static void open_packs(struct git_objects *o)
{
    size_t left = INDEXES_MAX;
    int packs = openat(o->directory, "pack", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = packs >= 0 ? fdopendir(packs) : NULL;

    if (!d)
        auto_close(&packs);
    for (const struct dirent *e; d && o->count < PACKS_MAX && (e = readdir(d)) != NULL;) {
        if (!str_ends(str_from(e->d_name), STR(".idx")))
            continue;
        struct git_pack *more = realloc(o->packs, (o->count + 1) * sizeof(*more));
        if (!more)
            break;
        o->packs = more;
        if (open_pack(&more[o->count], packs, e->d_name, left))
            left -= more[o->count++].index.len;
        else
            close_pack(&more[o->count]);
    }
    if (d)
        closedir(d);
}

bool git_objects_open(struct git_objects *o, int workspace)
{
    struct beneath b;

    *o = (struct git_objects){.directory = -1};
    if (!beneath_open(workspace, STR(".git/objects/x"), &b))
        return false;
    o->directory = b.directory;
    open_packs(o);
    return true;
}

void git_objects_close(struct git_objects *o)
{
    for (size_t i = 0; i < o->count; i++)
        close_pack(&o->packs[i]);
    free(o->packs);
    auto_close(&o->directory);
    *o = (struct git_objects){.directory = -1};
}

/* Into memory, and not mapped: somebody may make the file shorter while it is read. */
void git_objects_expect(struct git_objects *o, size_t count)
{
    size_t left = WHOLE_MAX;
    struct stat st;

    for (size_t i = 0; i < o->count; i++) {
        struct git_pack *p = &o->packs[i];
        if (p->whole.bytes || fstat(p->fd, &st) < 0 || st.st_size <= 0 ||
            (uint64_t)st.st_size > left || (uint64_t)st.st_size / WHOLE_EACH > count)
            continue;
        p->whole = (struct git_content){malloc((size_t)st.st_size), (size_t)st.st_size};
        if (p->whole.bytes &&
            pread(p->fd, p->whole.bytes, p->whole.len, 0) == (ssize_t)p->whole.len) {
            left -= p->whole.len;
            continue;
        }
        free(p->whole.bytes);
        p->whole = (struct git_content){0};
    }
}

/* ---- where an object is ---- */

/* Offsets of two gigabytes and more are in a second table. */
static bool offset_of(const struct git_pack *p, uint32_t at, uint64_t *offset)
{
    const char *table = p->index.bytes + PACK_HEADER + FANOUT + (size_t)p->count * (ID_BYTES + 4);
    const uint32_t first = number(table + (size_t)at * 4);

    *offset = first;
    if (!(first & 0x80000000u))
        return true;
    const char *large = table + (size_t)p->count * 4 + (size_t)(first & 0x7fffffffu) * 8;
    if (large + 8 > p->index.bytes + p->index.len)
        return false;
    *offset = (uint64_t)number(large) << 32 | number(large + 4);
    return *offset <= INT64_MAX;
}

/* The first eight bytes nearly always tell. */
static int compare_id(const char *a, const uint8_t *b)
{
    uint64_t x, y;

    memcpy(&x, a, sizeof(x));
    memcpy(&y, b, sizeof(y));
    if (x == y)
        return memcmp(a, b, ID_BYTES);
    return be64toh(x) < be64toh(y) ? -1 : 1;
}

static bool find_in(const struct git_pack *p, const uint8_t *id, uint64_t *offset)
{
    const char *fanout = p->index.bytes + PACK_HEADER, *ids = fanout + FANOUT;
    uint32_t low = id[0] ? number(fanout + (size_t)(id[0] - 1) * 4) : 0,
             high = number(fanout + (size_t)id[0] * 4);

    if (high > p->count)
        return false;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = compare_id(ids + (size_t)middle * ID_BYTES, id);
        if (order == 0)
            return offset_of(p, middle, offset);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static const struct git_pack *find_packed(struct git_objects *o, const uint8_t *id,
                                          uint64_t *offset)
{
    for (size_t i = 0; i < o->count; i++) {
        const size_t at = (o->last + i) % o->count;
        if (!find_in(&o->packs[at], id, offset))
            continue;
        o->last = at;
        return &o->packs[at];
    }
    return NULL;
}

#define LOOSE_NAME (2 * ID_BYTES + 2)

static const char *loose_name(const uint8_t *id, char out[LOOSE_NAME])
{
    *str_hex(str_hex(out, id, 1) + 1, id + 1, ID_BYTES - 1) = '\0';
    out[2] = '/';
    return out;
}

static int open_loose(const struct git_objects *o, const uint8_t *id)
{
    char name[LOOSE_NAME];

    return beneath_open_file(o->directory, loose_name(id, name));
}

/* ---- what is in a pack ---- */

struct packed {
    enum object_kind kind;
    uint64_t size;     /* of what the stream holds */
    uint64_t base;     /* KIND_DELTA_AT: its offset */
    const uint8_t *id; /* KIND_DELTA_OF: its name */
    size_t stream;     /* bytes before the stream */
};

/* Seven bits a byte, the lowest first. */
static bool little(struct str bytes, size_t *at, unsigned shift, uint64_t *out)
{
    uint8_t byte = 0x80;

    for (; byte & 0x80; shift += 7) {
        if (*at == bytes.len || shift > 56)
            return false;
        byte = (uint8_t)bytes.s[(*at)++];
        *out |= (uint64_t)(byte & 0x7f) << shift;
    }
    return true;
}

static bool back_offset(struct str bytes, size_t *at, uint64_t *out)
{
    uint8_t byte = 0x80;

    *out = 0;
    for (unsigned i = 0; byte & 0x80; i++) {
        if (*at == bytes.len || i > 7)
            return false;
        byte = (uint8_t)bytes.s[(*at)++];
        *out = (*out + (i > 0)) << 7 | (byte & 0x7f);
    }
    return true;
}

static bool read_head(struct str bytes, uint64_t offset, struct packed *out)
{
    size_t at = 1;
    uint64_t back;

    if (!bytes.len)
        return false;
    const uint8_t first = (uint8_t)bytes.s[0];
    *out = (struct packed){.kind = (enum object_kind)(first >> 4 & 7), .size = first & 15};
    if ((first & 0x80) && !little(bytes, &at, 4, &out->size))
        return false;
    if (out->kind == KIND_DELTA_AT) {
        if (!back_offset(bytes, &at, &back) || back == 0 || back > offset)
            return false;
        out->base = offset - back;
    } else if (out->kind == KIND_DELTA_OF) {
        if (bytes.len - at < ID_BYTES)
            return false;
        out->id = (const uint8_t *)bytes.s + at;
        at += ID_BYTES;
    }
    out->stream = at;
    return true;
}

static struct str read_at(int fd, uint64_t offset, char *room, size_t size)
{
    ssize_t n = pread(fd, room, size, (off_t)offset);

    return (struct str){room, n > 0 ? (size_t)n : 0};
}

/* A delta begins with the sizes of what it is made from and of what it makes. */
static bool delta_sizes(struct str delta, size_t *at, uint64_t *from, uint64_t *to)
{
    *from = *to = 0;
    return little(delta, at, 0, from) && little(delta, at, 0, to);
}

static struct str packed_at(const struct git_pack *p, uint64_t offset, char *room, size_t size)
{
    return p->whole.bytes
               ? str_slice((struct str){p->whole.bytes, p->whole.len}, offset, offset + size)
               : read_at(p->fd, offset, room, size);
}

static bool packed_size(const struct git_pack *p, uint64_t offset, uint64_t *size)
{
    char room[AHEAD], begin[24];
    struct packed head;
    size_t len, at = 0;
    uint64_t from;
    const struct str bytes = packed_at(p, offset, room, sizeof(room));

    if (!read_head(bytes, offset, &head))
        return false;
    *size = head.size;
    if (head.kind != KIND_DELTA_AT && head.kind != KIND_DELTA_OF)
        return head.kind == KIND_BLOB;
    return inflate(str_from_byte(bytes, head.stream), begin, sizeof(begin), &len, NULL) !=
               INFLATE_WRONG &&
           delta_sizes((struct str){begin, len}, &at, &from, size);
}

/* "blob 123" and a NUL. */
static bool loose_head(struct str text, size_t *head, uint64_t *size)
{
    size_t at = strlen("blob ");

    if (!str_starts(text, STR("blob ")))
        return false;
    for (*size = 0; at < text.len && text.s[at] >= '0' && text.s[at] <= '9' && at < 24; at++)
        *size = *size * 10 + (uint64_t)(text.s[at] - '0');
    *head = at + 1;
    return at < text.len && text.s[at] == '\0';
}

static bool loose_size(int fd, size_t *head, uint64_t *size)
{
    char room[AHEAD], begin[32];
    size_t len;

    return inflate(read_at(fd, 0, room, sizeof(room)), begin, sizeof(begin), &len, NULL) !=
               INFLATE_WRONG &&
           loose_head((struct str){begin, len}, head, size);
}

bool git_object_is(struct git_objects *o, const uint8_t *id)
{
    uint64_t offset;
    struct undo_state seen;
    char name[LOOSE_NAME];

    return find_packed(o, id, &offset) ||
           (beneath_look_at(o->directory, loose_name(id, name), &seen) && seen.kind == UNDO_FILE);
}

bool git_object_size(struct git_objects *o, const uint8_t *id, uint64_t *size)
{
    uint64_t offset;
    size_t head;
    const struct git_pack *p = find_packed(o, id, &offset);

    if (p)
        return packed_size(p, offset, size);
    AUTO_CLOSE int fd = open_loose(o, id);
    return fd >= 0 && loose_size(fd, &head, size);
}

/* ---- contents ---- */

/* What a chain of deltas holds at a time has a limit: each of them may claim to be large. */
static bool inflate_all(struct git_objects *o, struct str stream, uint64_t size, char **out)
{
    size_t len;

    if (size > HELD_MAX - o->held || !(*out = malloc(size + 1)))
        return false;
    o->held += size;
    return inflate(stream, *out, size, &len, NULL) == INFLATE_WHOLE && len == size;
}

/* A copy: which of the next bytes are there, and what they say. */
static bool copied_part(struct str delta, size_t *at, uint8_t which, uint64_t *from, uint64_t *len)
{
    *from = *len = 0;
    for (unsigned i = 0; i < 7; i++) {
        if (!(which >> i & 1))
            continue;
        if (*at == delta.len)
            return false;
        const uint64_t byte = (uint8_t)delta.s[(*at)++];
        if (i < 4)
            *from |= byte << (8 * i);
        else
            *len |= byte << (8 * (i - 4));
    }
    *len = *len ? *len : 0x10000;
    return true;
}

static bool apply_delta(struct str delta, struct str base, struct git_content *out)
{
    size_t at = 0, len = 0;
    uint64_t before, size, from, count;
    char *bytes;

    if (!delta_sizes(delta, &at, &before, &size) || before != base.len || size > GIT_OBJECT_MAX ||
        !(bytes = malloc(size + 1)))
        return false;
    *out = (struct git_content){bytes, size};
    while (at < delta.len) {
        const uint8_t what = (uint8_t)delta.s[at++];
        struct str source = base;
        from = at;
        count = what;
        if (what & 0x80) {
            if (!copied_part(delta, &at, what, &from, &count))
                return false;
        } else {
            source = delta;
            at += what;
        }
        if (!what || from > source.len || count > source.len - from || count > size - len)
            return false;
        memcpy(bytes + len, source.s + from, count);
        len += count;
    }
    return len == size;
}

static bool read_packed(struct git_objects *o, const struct git_pack *p, uint64_t offset,
                        unsigned depth, struct git_content *out);

static bool read_base(struct git_objects *o, const struct git_pack *p, const struct packed *head,
                      unsigned depth, struct git_content *out)
{
    uint64_t offset = head->base;

    if (head->kind == KIND_DELTA_OF && !(p = find_packed(o, head->id, &offset)))
        return false;
    return read_packed(o, p, offset, depth + 1, out);
}

/* How long a stream is nobody says: at most a little more than what it holds. */
static bool read_stream(struct git_objects *o, const struct git_pack *p, uint64_t at, uint64_t size,
                        char **out)
{
    const size_t room = (size_t)size + (size_t)size / 1000 + 64;
    AUTO_FREE char *bytes = size <= GIT_OBJECT_MAX ? malloc(room) : NULL;

    return bytes && inflate_all(o, read_at(p->fd, at, bytes, room), size, out);
}

static bool read_packed(struct git_objects *o, const struct git_pack *p, uint64_t offset,
                        unsigned depth, struct git_content *out)
{
    char room[64];
    struct packed head;
    struct git_content base = {0};
    char *held = NULL;
    bool good = depth < CHAIN_MAX &&
                read_head(read_at(p->fd, offset, room, sizeof(room)), offset, &head) &&
                read_stream(o, p, offset + head.stream, head.size, &held);

    *out = (struct git_content){0};
    if (good && head.kind == KIND_BLOB) {
        *out = (struct git_content){held, head.size};
        return true;
    }
    good = good && (head.kind == KIND_DELTA_AT || head.kind == KIND_DELTA_OF) &&
           read_base(o, p, &head, depth, &base) &&
           apply_delta((struct str){held, head.size}, (struct str){base.bytes, base.len}, out);
    free(held);
    free(base.bytes);
    return good;
}

/* The stream holds its head, too. */
static bool read_loose(struct git_objects *o, const uint8_t *id, struct git_content *out)
{
    uint64_t size = 0;
    size_t head = 0, len = 0;
    char *file = NULL, *held = NULL;
    AUTO_CLOSE int fd = open_loose(o, id);
    bool good = fd >= 0 && loose_size(fd, &head, &size) && size <= GIT_OBJECT_MAX &&
                content_read(fd, 2 * GIT_OBJECT_MAX, &file, &len) &&
                inflate_all(o, (struct str){file, len}, head + size, &held);

    free(file);
    if (good)
        memmove(held, held + head, size);
    *out = (struct git_content){held, size};
    return good;
}

static bool has_name(const uint8_t *id, const struct git_content *c)
{
    char head[32];
    uint8_t hash[SHA1_BYTES];
    int n = snprintf(head, sizeof(head), "blob %zu", c->len);

    sha1((struct str){head, (size_t)n + 1}, (struct str){c->bytes, c->len}, hash);
    return memcmp(hash, id, sizeof(hash)) == 0;
}

bool git_object_read(struct git_objects *o, const uint8_t *id, struct git_content *out)
{
    uint64_t offset;
    const struct git_pack *p = find_packed(o, id, &offset);

    o->held = 0;
    *out = (struct git_content){0};
    if ((p ? read_packed(o, p, offset, 0, out) : read_loose(o, id, out)) && has_name(id, out))
        return true;
    free(out->bytes);
    *out = (struct git_content){0};
    return false;
}
