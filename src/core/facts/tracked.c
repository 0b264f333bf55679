#include "facts/tracked.h"

#include "base/path.h"

#define HEAD_BYTES  12 /* of the index: DIRC, its version, the number of entries */
#define FLAGS_BYTES 2  /* in front of a name: in their low bits its length */

/* The index of the call's work tree is read once. */
static bool read_index(const struct facts *f, struct str tree)
{
    struct decision_cache *cache = f->cache;
    struct str path = path_join(f->arena, tree, STR(".git/index"));

    if (cache->indexed.len && str_eq(cache->indexed, tree))
        return cache->index_known;
    cache->indexed = tree;
    cache->index = (struct str){0};
    cache->index_known = false;
    if (f->world->kind(f->world->context, path.s) == FILE_ABSENT) {
        /* nothing was ever added; a .git that is a file is that of a linked work tree */
        cache->index_known =
            f->world->kind(f->world->context, path_join(f->arena, tree, STR(".git")).s) !=
            FILE_REGULAR;
        return cache->index_known;
    }
    char *bytes = arena_bytes(f->arena, TRACKED_INDEX_MAX);
    cache->index.s = bytes;
    cache->index_known = f->world->text && f->world->text(f->world->context, path.s, bytes,
                                                          TRACKED_INDEX_MAX, &cache->index.len);
    return cache->index_known;
}

/* Version 4 cuts names short, and a split index has only some of them. */
static bool is_plain(struct str index)
{
    const struct str head = str_slice(index, 0, index.len < HEAD_BYTES ? index.len : HEAD_BYTES);

    return head.len == HEAD_BYTES && str_starts(head, STR("DIRC")) &&
           (head.s[7] == 2 || head.s[7] == 3) && !str_contains(index, STR("link\0\0"));
}

/* The name of an entry has a NUL behind it, and is below a directory if a slash is there. */
static bool is_entry(struct str index, size_t at, struct str name, bool directory)
{
    const int next = str_byte(index, at + name.len);

    return at >= HEAD_BYTES + FLAGS_BYTES && (next == 0 || (directory && next == '/'));
}

bool tracked_in(const struct facts *f, struct str tree, struct str path, bool directory)
{
    struct str name, rest;

    if (!path_relative(tree, path, &name) || !name.len)
        return true;
    if (!read_index(f, tree))
        return true;
    if (f->cache->index.len && !is_plain(f->cache->index))
        return true;
    rest = f->cache->index;
    for (size_t from = 0; rest.len >= name.len;) {
        const char *hit = memmem(rest.s, rest.len, name.s, name.len);
        if (!hit)
            return false;
        from = (size_t)(hit - f->cache->index.s);
        if (is_entry(f->cache->index, from, name, directory))
            return true;
        rest = str_from_byte(f->cache->index, from + 1);
    }
    return false;
}
