#include "undo/git_index.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "undo/beneath.h"
#include "undo/content.h"

#define HEADER_BYTES 12u
#define STAT_BYTES   40u
#define FIXED_BYTES  (STAT_BYTES + GIT_ID_BYTES + 2)
#define NANOSECONDS  1000000000LL
#define INODE_STEPS  64u /* places in the table of inodes that are looked at */

#define FLAG_EXTENDED  0x4000u
#define FLAG_STAGE     0x3000u
#define FLAG_LENGTH    0x0fffu /* so long, or longer */
#define MORE_ANNOUNCED 0x2000u /* git add --intent-to-add: it has no content yet */

struct index_reading {
    struct git_index *index;
    const uint8_t *at, *end; /* the end is before the sum of all */
    uint32_t version;
    bool good;
};

static uint32_t number(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static int64_t moment(const uint8_t *p)
{
    return (int64_t)number(p) * NANOSECONDS + number(p + 4);
}

static struct git_entry fixed_part(const uint8_t *p)
{
    const uint32_t mode = number(p + 24);

    return (struct git_entry){
        .changed = moment(p),
        .modified = moment(p + 8),
        .inode = number(p + 20),
        .runs = (mode & 0111) != 0,
        .plain = (mode & S_IFMT) == S_IFREG,
        .user = number(p + 28),
        .group = number(p + 32),
        .size = number(p + 36),
        .id = p + STAT_BYTES,
    };
}

/* ---- names ---- */

static const uint8_t *end_of_name(const struct index_reading *r, const uint8_t *from)
{
    return memchr(from, '\0', (size_t)(r->end - from));
}

/* Version 4: how many bytes of the name before are dropped, and what follows instead. */
static bool shared_name(struct index_reading *r, struct str before, struct str *out)
{
    size_t dropped = 0;
    uint8_t byte = 0x80;

    for (unsigned i = 0; byte & 0x80; i++) {
        if (r->at == r->end || i > 4)
            return false;
        byte = *r->at++;
        dropped = (dropped + (i > 0)) << 7 | (byte & 0x7f);
    }
    const uint8_t *nul = end_of_name(r, r->at);
    if (!nul || dropped > before.len)
        return false;
    *out = str_join(&r->index->arena, str_slice(before, 0, before.len - dropped),
                    (struct str){(const char *)r->at, (size_t)(nul - r->at)});
    r->at = nul + 1;
    return true;
}

/* Up to version 3: in full, and zeros up to a multiple of eight. */
static bool whole_name(struct index_reading *r, const uint8_t *begin, struct str *out)
{
    const uint8_t *nul = end_of_name(r, r->at);

    if (!nul)
        return false;
    *out = (struct str){(const char *)r->at, (size_t)(nul - r->at)};
    const size_t len = ((size_t)(nul - begin) + 8) & ~(size_t)7;
    if (len > (size_t)(r->end - begin))
        return false;
    r->at = begin + len;
    return true;
}

static bool comes_after(const struct git_entries *l, struct str path)
{
    if (!l->count)
        return true;
    const int order = str_compare(l->items[l->count - 1].path, path);
    return order < 0 || (order == 0 && !l->items[l->count - 1].plain);
}

static bool read_entry(struct index_reading *r)
{
    struct git_entries *l = &r->index->entries;
    const uint8_t *begin = r->at;

    if (r->end - r->at < (ptrdiff_t)FIXED_BYTES + 2)
        return false;
    struct git_entry e = fixed_part(begin);
    const unsigned flags = (unsigned)begin[FIXED_BYTES - 2] << 8 | begin[FIXED_BYTES - 1];
    unsigned more = 0;
    r->at += FIXED_BYTES;
    if (flags & FLAG_EXTENDED) {
        more = (unsigned)r->at[0] << 8 | r->at[1];
        r->at += 2;
    }
    e.plain = e.plain && !(flags & FLAG_STAGE) && !(more & MORE_ANNOUNCED);
    const struct str before = l->count ? l->items[l->count - 1].path : (struct str){0};
    if (!(r->version == 4 ? shared_name(r, before, &e.path) : whole_name(r, begin, &e.path)) ||
        !e.path.len ||
        ((flags & FLAG_LENGTH) < FLAG_LENGTH && (flags & FLAG_LENGTH) != e.path.len) ||
        ((flags & FLAG_EXTENDED) && r->version < 3) || !comes_after(l, e.path))
        return false;
    LIST_PUSH(&r->index->arena, l, e);
    return true;
}

/* One whose name begins with a small letter changes what the entries mean. */
static bool skip_extensions(struct index_reading *r)
{
    while (r->at < r->end) {
        if (r->end - r->at < 8 || r->at[0] < 'A' || r->at[0] > 'Z' ||
            number(r->at + 4) > (size_t)(r->end - r->at) - 8)
            return false;
        r->at += 8 + number(r->at + 4);
    }
    return true;
}

static void read_all(void *arg)
{
    struct index_reading *r = arg;
    const struct str text = r->index->text;

    if (text.len < HEADER_BYTES + GIT_ID_BYTES || memcmp(text.s, "DIRC", 4) != 0)
        return;
    r->at = (const uint8_t *)text.s;
    r->end = r->at + text.len - GIT_ID_BYTES;
    r->version = number(r->at + 4);
    uint32_t left = number(r->at + 8);
    r->at += HEADER_BYTES;
    r->good = r->version >= 2 && r->version <= 4;
    for (; r->good && left > 0; left--)
        r->good = read_entry(r);
    r->good = r->good && skip_extensions(r);
}

bool git_index_read(struct git_index *x, int directory, const char *name)
{
    struct undo_state seen;
    size_t len = 0;

    *x = (struct git_index){0};
    arena_init(&x->arena, 4 * GIT_INDEX_MAX);
    if (!beneath_look_at(directory, name, &seen) || seen.kind != UNDO_FILE)
        return false;
    AUTO_CLOSE int fd = content_open(directory, name, seen.inode, O_RDONLY);
    if (fd < 0 || !content_read(fd, GIT_INDEX_MAX, &x->file, &len))
        return false;
    x->text = (struct str){x->file, len};
    x->written = seen.modified;
    struct index_reading r = {.index = x};
    return arena_try(&x->arena, read_all, &r) && r.good;
}

void git_index_release(struct git_index *x)
{
    free(x->file);
    free(x->by_inode);
    arena_release(&x->arena);
    *x = (struct git_index){0};
}

static int compare_path(const void *key, const void *item)
{
    return str_compare(*(const struct str *)key, ((const struct git_entry *)item)->path);
}

const struct git_entry *git_index_find(const struct git_index *x, struct str path)
{
    return x->entries.count ? bsearch(&path, x->entries.items, x->entries.count,
                                      sizeof(*x->entries.items), compare_path)
                            : NULL;
}

static size_t inode_place(const struct git_index *x, uint32_t inode, size_t step)
{
    return ((size_t)(inode * 0x9e3779b1u >> 4) + step) & (x->inodes - 1);
}

/* Many entries of a hostile index may have the same inode, and those that git has not seen have
 * none: what has no place is not found. */
static void put_inode(struct git_index *x, uint32_t entry)
{
    const uint32_t inode = x->entries.items[entry].inode;

    for (size_t step = 0; inode && step < INODE_STEPS; step++) {
        uint32_t *at = &x->by_inode[inode_place(x, inode, step)];
        if (!*at) {
            *at = entry + 1;
            return;
        }
    }
}

bool git_index_by_inode(struct git_index *x)
{
    x->inodes = 64;
    while (x->inodes < 2 * x->entries.count)
        x->inodes *= 2;
    x->by_inode = calloc(x->inodes, sizeof(*x->by_inode));
    for (size_t i = 0; x->by_inode && i < x->entries.count; i++)
        put_inode(x, (uint32_t)i);
    return x->by_inode != NULL;
}

const struct git_entry *git_index_find_seen(const struct git_index *x, uint64_t inode,
                                            struct str path)
{
    for (size_t step = 0; step < INODE_STEPS; step++) {
        const uint32_t found = x->by_inode[inode_place(x, (uint32_t)inode, step)];
        const struct git_entry *e = found ? &x->entries.items[found - 1] : NULL;
        if (!e || (e->inode == inode && str_eq(e->path, path)))
            return e;
    }
    return NULL;
}

bool git_entry_is(const struct git_entry *e, const struct undo_state *seen)
{
    return e->plain && seen->kind == UNDO_FILE && seen->inode == e->inode &&
           seen->size == e->size && seen->modified == e->modified && seen->changed == e->changed &&
           seen->user == e->user && seen->group == e->group &&
           ((seen->mode & S_IXUSR) != 0) == e->runs;
}

bool git_entry_same(const struct git_entry *a, const struct git_entry *b)
{
    return a->plain == b->plain && a->inode == b->inode && a->size == b->size &&
           a->modified == b->modified && a->changed == b->changed && a->user == b->user &&
           a->group == b->group && a->runs == b->runs;
}
