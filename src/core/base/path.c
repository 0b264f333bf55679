#include "base/path.h"

#include "base/block.h"

/* Takes the next component, which may be empty, off the front. False at the end. */
static bool next_component(struct str *rest, struct str *component)
{
    if (!rest->s)
        return false;
    if (!str_cut(*rest, '/', component, rest))
        *rest = (struct str){0};
    return true;
}

/* Takes the last component off what has been written; `floor` is what ".." cannot go above. */
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

/* Is the component that begins here empty, "." or ".."? */
static bool is_idle(struct str path, size_t at)
{
    size_t end = at;

    while (end < path.len && end < at + 2 && path.s[end] == '.')
        end++;
    return end == path.len || path.s[end] == '/';
}

/* The slashes among these bytes that have another one or a dot behind them. The two are one bit
 * apart. */
static uint64_t doubts_at(const char *bytes)
{
    const block slashes = block_of('/');

    return block_bits(
        (block)((block_at(bytes) == slashes) & ((block_at(bytes + 1) | block_of(1)) == slashes)));
}

/* Of an absolute path: the slash in front of the first component that cleaning takes away; its
 * length: there is none.
 */
static size_t first_idle(struct str path)
{
    size_t last = path.len - BLOCK - 1;

    if (path.len <= BLOCK) {
        for (size_t i = 0; i < path.len; i++)
            if (path.s[i] == '/' && is_idle(path, i + 1))
                return i;
        return path.len;
    }
    /* What is left at the end is looked at together with bytes in front of it. */
    for (size_t at = 0;; at = at + BLOCK < last ? at + BLOCK : last) {
        for (uint64_t doubts = doubts_at(path.s + at); doubts; doubts &= doubts - 1)
            if (is_idle(path, at + (size_t)__builtin_ctzll(doubts) + 1))
                return at + (size_t)__builtin_ctzll(doubts);
        if (at == last)
            return path.s[path.len - 1] == '/' ? path.len - 1 : path.len;
    }
}

/* How much of a path stays as it is: nothing of a relative one. */
static size_t kept_of(struct str path)
{
    if (!path_is_absolute(path))
        return 0;
    return path.len == 1 ? 1 : first_idle(path);
}

bool path_is_clean(struct str path)
{
    return path.len && kept_of(path) == path.len;
}

/* `kept`: so much of it stays as it is. */
__attribute__((noinline)) static struct str clean(struct arena *a, struct str path, size_t kept)
{
    struct buf b = buf_in(a);
    bool absolute = path_is_absolute(path);
    size_t floor = absolute ? 1 : 0; /* the root, or the ".." that a relative path begins with */
    struct str component;

    buf_need(&b, path.len + 1);
    if (absolute) {
        buf_add(&b, str_slice(path, 0, kept ? kept : 1));
        path = str_from_byte(path, kept + 1);
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
    size_t kept = kept_of(path);

    return kept && kept == path.len ? str_copy(a, path) : clean(a, path, kept);
}

struct str path_cleaned(struct arena *a, struct str path)
{
    size_t kept = kept_of(path);

    return kept && kept == path.len ? path : clean(a, path, kept);
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

/* What `path` is below, once the "~" that it may begin with is taken off it. False when that is not
 * known. */
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

/* From which byte on `path` is what is left behind `dir`, both cleaned; STR_NONE: it does not lie
 * there. Most paths show by one byte that they lie elsewhere. */
static inline size_t behind(struct str dir, struct str path)
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
    size_t from = behind(dir, path);

    *out = from == STR_NONE ? (struct str){0} : (struct str){path.s + from, path.len - from};
    if (from == STR_NONE || !begins_with_up(*out))
        return from != STR_NONE;
    *out = (struct str){0}; /* ../../x begins with .. and lies above it */
    return false;
}

bool path_is_inside(struct str path, struct str dir)
{
    size_t from = behind(dir, path);

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
