#include "base/path.h"

#include "base/block.h"

/* Cuts the next component, which may be empty, off the front. False at the end. */
static bool next_component(struct str *rest, struct str *component)
{
    if (!rest->s)
        return false;
    if (!str_cut(*rest, '/', component, rest))
        *rest = (struct str){0};
    return true;
}

/* Removes the last component of what was written; ".." cannot go above `floor`. */
static void drop_last(struct buf *b, size_t floor)
{
    while (b->len > floor && b->s[b->len - 1] != '/')
        b->len--;
    if (b->len > floor)
        b->len--;
}

static void add_component(struct buf *b, struct str component, bool absolute)
{
    if (b->len > (absolute ? 1 : 0))
        buf_byte(b, '/');
    buf_add(b, component);
}

/* Is the component that starts here empty, "." or ".."? Cleaning removes these. */
static bool is_removable(struct str path, size_t at)
{
    size_t end = at;

    while (end < path.len && end < at + 2 && path.s[end] == '.')
        end++;
    return end == path.len || path.s[end] == '/';
}

/* The slashes among these bytes that are followed by another slash or a dot. One compare finds
 * both: '/' is '.' with the lowest bit set. */
static uint64_t suspects_at(const char *bytes)
{
    const block slashes = block_of('/');

    return block_bits(
        (block)((block_at(bytes) == slashes) & ((block_at(bytes + 1) | block_of(1)) == slashes)));
}

/* In an absolute path: the slash before the first component that cleaning removes, or the length of
 * the path if there is none. */
static size_t first_removable(struct str path)
{
    size_t last = path.len - BLOCK - 1;

    if (path.len <= BLOCK) {
        for (size_t i = 0; i < path.len; i++)
            if (path.s[i] == '/' && is_removable(path, i + 1))
                return i;
        return path.len;
    }
    /* The last block overlaps the one before it. */
    for (size_t at = 0;; at = at + BLOCK < last ? at + BLOCK : last) {
        for (uint64_t suspects = suspects_at(path.s + at); suspects; suspects &= suspects - 1)
            if (is_removable(path, at + (size_t)__builtin_ctzll(suspects) + 1))
                return at + (size_t)__builtin_ctzll(suspects);
        if (at == last)
            return path.s[path.len - 1] == '/' ? path.len - 1 : path.len;
    }
}

/* How many leading bytes cleaning would keep as they are; 0 for a relative path. */
static size_t clean_length(struct str path)
{
    if (!path_is_absolute(path))
        return 0;
    return path.len == 1 ? 1 : first_removable(path);
}

bool path_is_clean(struct str path)
{
    return path.len && clean_length(path) == path.len;
}

/* `clean_len`: this many leading bytes are clean already. */
__attribute__((noinline)) static struct str clean(struct arena *a, struct str path,
                                                  size_t clean_len)
{
    struct buf b = buf_in(a);
    bool absolute = path_is_absolute(path);
    size_t floor = absolute ? 1 : 0; /* the root, or the ".." that a relative path begins with */
    struct str component;

    buf_need(&b, path.len + 1);
    if (absolute) {
        buf_add(&b, str_slice(path, 0, clean_len ? clean_len : 1));
        path = str_from_byte(path, clean_len + 1);
    }
    while (next_component(&path, &component)) {
        bool up = str_is(component, "..");
        if (component.len == 0 || str_is(component, "."))
            continue;
        if (up && (absolute || b.len > floor)) {
            drop_last(&b, floor);
            continue;
        }
        add_component(&b, component, absolute);
        if (up)
            floor = b.len;
    }
    if (b.len == 0)
        buf_byte(&b, '.');
    return buf_str(&b);
}

struct str path_clean(struct arena *a, struct str path)
{
    size_t clean_len = clean_length(path);

    return clean_len && clean_len == path.len ? str_copy(a, path) : clean(a, path, clean_len);
}

struct str path_cleaned(struct arena *a, struct str path)
{
    size_t clean_len = clean_length(path);

    return clean_len && clean_len == path.len ? path : clean(a, path, clean_len);
}

struct str path_join(struct arena *a, struct str base, struct str path)
{
    if (path_is_absolute(path) || base.len == 0)
        return str_copy(a, path);
    char *s = arena_bytes(a, base.len + 1 + path.len + 1);
    size_t len = base.len;
    memcpy(s, base.s, base.len);
    if (path.len && s[len - 1] != '/')
        s[len++] = '/';
    if (path.len)
        memcpy(s + len, path.s, path.len);
    s[len + path.len] = '\0';
    return (struct str){s, len + path.len};
}

/* Sets *base to the directory that `path` is relative to, and strips a leading "~". False if that
 * directory is not known. */
static bool find_base(struct str cwd, struct str home, struct str *path, struct str *base)
{
    *base = cwd;
    if (path->len == 0 || path->s[0] != '~')
        return path_is_absolute(*path) || path_is_absolute(cwd);
    if (path->len > 1 && path->s[1] != '/')
        return false;
    *base = home;
    *path = str_from_byte(*path, 1);
    while (path_is_absolute(*path))
        *path = str_from_byte(*path, 1);
    return path_is_absolute(home);
}

bool path_expand(struct arena *a, struct str cwd, struct str home, struct str path, struct str *out)
{
    struct str base;

    *out = (struct str){0};
    if (!find_base(cwd, home, &path, &base))
        return false;
    *out = path_join(a, base, path);
    return true;
}

bool path_absolute(struct arena *a, struct str cwd, struct str home, struct str path,
                   struct str *out)
{
    struct str base;

    *out = (struct str){0};
    if (!find_base(cwd, home, &path, &base))
        return false;
    if (path_is_absolute(path)) {
        *out = path_clean(a, path);
        return true;
    }
    *out = path_cleaned(a, path_join(a, base, path));
    return true;
}

static bool begins_with_up(struct str path)
{
    return str_is(path, "..") || str_starts(path, STR("../"));
}

/* The offset of what remains of `path` after `dir`, both cleaned; STR_NONE if `path` is not inside.
 * One byte is enough to reject most paths. */
static inline size_t offset_inside(struct str dir, struct str path)
{
    if (dir.len == 0 || path.len < dir.len || path_is_absolute(path) != path_is_absolute(dir))
        return STR_NONE;
    if (dir.len == 1 && dir.s[0] == '/')
        return 1;
    if (dir.len == 1 && dir.s[0] == '.')
        return str_eq(path, dir) ? 1 : 0;
    if ((path.len > dir.len && path.s[dir.len] != '/') || memcmp(path.s, dir.s, dir.len) != 0)
        return STR_NONE;
    return path.len > dir.len ? dir.len + 1 : dir.len;
}

bool path_relative(struct str dir, struct str path, struct str *out)
{
    size_t from = offset_inside(dir, path);

    *out = from == STR_NONE ? (struct str){0} : (struct str){path.s + from, path.len - from};
    if (from == STR_NONE || !begins_with_up(*out))
        return from != STR_NONE;
    *out = (struct str){0}; /* ../../x starts with .. but is above it */
    return false;
}

bool path_is_inside(struct str path, struct str dir)
{
    size_t from = offset_inside(dir, path);

    return from != STR_NONE && !begins_with_up((struct str){path.s + from, path.len - from});
}

static struct str without_end_slashes(struct str path)
{
    while (path.len > 1 && path.s[path.len - 1] == '/')
        path.len--;
    return path;
}

struct str path_base(struct str path)
{
    path = without_end_slashes(path);
    if (path.len <= 1)
        return path;
    size_t slash = str_last_index(path, '/');
    return slash == STR_NONE ? path : str_from_byte(path, slash + 1);
}

struct str path_dir(struct str path)
{
    path = without_end_slashes(path);
    size_t slash = str_last_index(path, '/');
    if (slash == STR_NONE)
        return STR(".");
    return without_end_slashes(str_slice(path, 0, slash ? slash : 1));
}

size_t path_depth(struct str path)
{
    struct str component;
    size_t depth = 0;

    while (next_component(&path, &component))
        depth += component.len > 0 && !str_is(component, ".");
    return depth;
}
