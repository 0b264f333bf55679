#include "undo/beneath.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"
#include "machine/openat2.h"
#include "undo/content.h"

#define NANOSECONDS 1000000000LL

bool beneath_is_path(struct str path)
{
    struct str part, rest = path;
    bool more = true;

    if (!path.len || path.len >= PATH_MAX || str_has(path, '\0'))
        return false;
    while (more) {
        more = str_cut(rest, '/', &part, &rest);
        if (!part.len || part.len > NAME_MAX || str_is(part, ".") || str_is(part, ".."))
            return false;
    }
    return true;
}

static int open_beneath(int workspace, const char *path, unsigned flags)
{
    return openat2_resolved(workspace, path, flags,
                            RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
                                RESOLVE_NO_XDEV);
}

bool beneath_open(int workspace, struct str path, struct beneath *out)
{
    char directory[PATH_MAX];
    size_t slash = str_last_index(path, '/');

    *out = (struct beneath){.directory = -1};
    if (!beneath_is_path(path)) {
        errno = EINVAL;
        return false;
    }
    out->name = path.s + (slash == STR_NONE ? 0 : slash + 1);
    if (slash == STR_NONE)
        slash = 0;
    memcpy(directory, slash ? path.s : ".", slash ? slash : 1);
    directory[slash ? slash : 1] = '\0';
    out->directory = open_beneath(workspace, directory, O_RDONLY | O_DIRECTORY);
    if (out->directory < 0 && errno == EACCES) /* it may be entered, but not listed */
        out->directory = open_beneath(workspace, directory, O_PATH | O_DIRECTORY);
    return out->directory >= 0;
}

int beneath_enter(int directory, const char *name)
{
    return open_beneath(directory, name, O_RDONLY | O_DIRECTORY);
}

/* The kernel writes blanks, tabs, line feeds and backslashes of a path as octal numbers. */
static bool is_mount_below(const char *line, const char *path, size_t len)
{
    const char *at = line;

    for (int field = 0; field < 4 && at; field++)
        at = (at = strchr(at, ' ')) ? at + 1 : NULL;
    for (size_t i = 0; at && i < len; i++) {
        char c = *at++;
        if (c == '\\' && at[0] && at[1] && at[2]) {
            c = (char)((at[0] - '0') * 64 + (at[1] - '0') * 8 + at[2] - '0');
            at += 3;
        }
        if (c != path[i])
            return false;
    }
    return !at || *at == '/';
}

bool beneath_has_mounts(int directory, const char *name)
{
    AUTO_CLOSE int inner = beneath_enter(directory, name);
    char link[64], path[PATH_MAX], *line = NULL;
    size_t room = 0;
    bool found = false;

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", inner);
    ssize_t len = inner < 0 ? -1 : readlink(link, path, sizeof(path));
    const bool known = len > 0 && len < (ssize_t)sizeof(path) && path[0] == '/';
    FILE *mounts = known ? fopen("/proc/self/mountinfo", "re") : NULL;
    if (!mounts)
        return true;
    while (!found && getline(&line, &room, mounts) > 0)
        found = is_mount_below(line, path, (size_t)len);
    found = found || ferror(mounts);
    free(line);
    (void)fclose(mounts);
    return found;
}

int beneath_open_file(int directory, const char *path)
{
    struct stat st;
    int fd = open_beneath(directory, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);

    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
        return fd;
    auto_close(&fd);
    return -1;
}

void beneath_close(struct beneath *b)
{
    if (b->directory >= 0)
        close(b->directory);
    b->directory = -1;
}

/* ---- states ---- */

/* A character device of number 0 is none: anybody may make one (mknod(2): whiteout), and it would
 * be in the way of an undo. */
static enum undo_kind kind_of(const struct stat *st)
{
    switch (st->st_mode & S_IFMT) {
    case S_IFREG:
        return UNDO_FILE;
    case S_IFLNK:
        return UNDO_LINK;
    case S_IFDIR:
        return UNDO_DIRECTORY;
    case S_IFIFO:
    case S_IFSOCK:
        return UNDO_SPECIAL;
    case S_IFCHR:
        return st->st_rdev ? UNDO_DEVICE : UNDO_SPECIAL;
    default:
        return UNDO_DEVICE;
    }
}

static bool means_absent(int why)
{
    return why == ENOENT || why == ENOTDIR;
}

bool beneath_look_at(int directory, const char *name, struct undo_state *out)
{
    struct stat st;

    *out = (struct undo_state){0};
    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return means_absent(errno);
    *out = (struct undo_state){
        .kind = kind_of(&st),
        .inode = st.st_ino,
        .links = (uint32_t)st.st_nlink,
        .size = S_ISDIR(st.st_mode) ? 0 : (uint64_t)st.st_size,
        .mode = st.st_mode & 07777,
        .user = st.st_uid,
        .group = st.st_gid,
        .modified = st.st_mtim.tv_sec * NANOSECONDS + st.st_mtim.tv_nsec,
        .changed = st.st_ctim.tv_sec * NANOSECONDS + st.st_ctim.tv_nsec,
    };
    return true;
}

bool beneath_look(int workspace, struct str path, struct undo_state *out)
{
    struct beneath b;
    bool seen = beneath_open(workspace, path, &b);
    int why = errno;

    *out = (struct undo_state){0};
    if (seen)
        seen = beneath_look_at(b.directory, b.name, out);
    else if (why == ELOOP || why == EXDEV)
        out->kind = UNDO_BEYOND;
    else if (!means_absent(why))
        errno = why;
    seen = seen || out->kind == UNDO_BEYOND || means_absent(why);
    why = errno;
    beneath_close(&b);
    errno = why;
    return seen;
}

struct str beneath_link_above(int workspace, struct str path)
{
    char above[PATH_MAX];
    struct undo_state seen;

    for (size_t i = 1; i < path.len && i < sizeof(above); i++) {
        if (path.s[i] != '/')
            continue;
        memcpy(above, path.s, i);
        above[i] = '\0';
        if (!beneath_look(workspace, (struct str){above, i}, &seen) ||
            (seen.kind != UNDO_DIRECTORY && seen.kind != UNDO_LINK))
            break;
        if (seen.kind == UNDO_LINK)
            return str_slice(path, 0, i);
    }
    return (struct str){0};
}

static struct str above_of(struct str path)
{
    size_t slash = str_last_index(path, '/');

    return slash == STR_NONE ? (struct str){0} : str_slice(path, 0, slash);
}

bool beneath_look_near(struct beneath_near *n, int workspace, struct str path,
                       struct undo_state *out)
{
    struct str above = above_of(path);

    if (n->at.directory >= 0 && str_eq(above, n->above))
        return beneath_look_at(n->at.directory, path.s + (above.len ? above.len + 1 : 0), out);
    beneath_close(&n->at);
    n->above = above;
    if (beneath_open(workspace, path, &n->at))
        return beneath_look_at(n->at.directory, n->at.name, out);
    return beneath_look(workspace, path, out); /* which says why */
}

/* ---- trees ---- */

struct tree_walk {
    uint8_t sum[SHA256_BYTES]; /* of the entries, in any order: each is hashed, then added */
    size_t entries;
};

static void add_entry(struct tree_walk *w, struct str above, struct str name,
                      const struct undo_state *s)
{
    struct sha256 h;
    uint8_t one[SHA256_BYTES];
    int64_t facts[] = {s->kind, s->mode, (int64_t)s->size,
                       s->kind == UNDO_DIRECTORY ? 0 : s->modified};

    sha256_init(&h);
    sha256_add_part(&h, above);
    sha256_add_part(&h, name);
    sha256_add(&h, (struct str){(const char *)facts, sizeof(facts)});
    sha256_end(&h, one);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        w->sum[i] ^= one[i];
}

static bool walk_tree(struct tree_walk *w, int directory, struct str above, unsigned depth);

static bool walk_entry(struct tree_walk *w, int directory, struct str above, const char *name,
                       unsigned depth)
{
    struct undo_state s;
    char path[PATH_MAX];
    int n = snprintf(path, sizeof(path), "%.*s/%s", STR_ARG(above), name);

    if (++w->entries > UNDO_LINES_MAX || depth > UNDO_DEPTH_MAX || n >= (int)sizeof(path) ||
        !beneath_look_at(directory, name, &s))
        return false;
    add_entry(w, above, str_from(name), &s);
    if (s.kind != UNDO_DIRECTORY)
        return true;
    AUTO_CLOSE int inner = open_beneath(directory, name, O_RDONLY | O_DIRECTORY);
    return inner >= 0 && walk_tree(w, inner, str_from(path), depth + 1);
}

static bool walk_tree(struct tree_walk *w, int directory, struct str above, unsigned depth)
{
    int again = dup(directory);
    DIR *d = again >= 0 ? fdopendir(again) : NULL;
    bool good = d != NULL;

    if (!d && again >= 0)
        close(again);
    for (const struct dirent *e; good && (e = readdir(d)) != NULL;)
        if (!str_is(str_from(e->d_name), ".") && !str_is(str_from(e->d_name), ".."))
            good = walk_entry(w, directory, above, e->d_name, depth);
    if (d)
        closedir(d);
    return good;
}

/* ---- digests ---- */

static void digest_end(const uint8_t hash[SHA256_BYTES], char out[BENEATH_DIGEST])
{
    char hex[SHA256_HEX];

    sha256_hex(hash, hex);
    memcpy(out, hex, BENEATH_DIGEST - 1);
    out[BENEATH_DIGEST - 1] = '\0';
}

static bool digest_file(const struct beneath *b, const struct undo_state *seen,
                        uint8_t out[SHA256_BYTES])
{
    char room[16384];
    ssize_t n;
    struct sha256 h;
    AUTO_CLOSE int fd = content_open(b->directory, b->name, seen->inode, O_RDONLY);

    if (fd < 0 || seen->size > UNDO_FILE_MAX)
        return false;
    sha256_init(&h);
    while ((n = read(fd, room, sizeof(room))) > 0)
        sha256_add(&h, (struct str){room, (size_t)n});
    sha256_end(&h, out);
    return n == 0;
}

static bool digest_link(const struct beneath *b, uint8_t out[SHA256_BYTES])
{
    char target[PATH_MAX];
    struct sha256 h;
    ssize_t n = readlinkat(b->directory, b->name, target, sizeof(target));

    if (n < 0)
        return false;
    sha256_init(&h);
    sha256_add(&h, (struct str){target, (size_t)n});
    sha256_end(&h, out);
    return true;
}

static bool digest_directory(const struct beneath *b, uint8_t out[SHA256_BYTES])
{
    struct tree_walk w = {0};
    AUTO_CLOSE int directory = open_beneath(b->directory, b->name, O_RDONLY | O_DIRECTORY);

    if (directory < 0 || !walk_tree(&w, directory, STR(""), 0))
        return false;
    memcpy(out, w.sum, SHA256_BYTES);
    return true;
}

bool beneath_digest(int workspace, struct str path, const struct undo_state *seen,
                    char out[BENEATH_DIGEST])
{
    struct beneath b;
    uint8_t hash[SHA256_BYTES];
    bool good = beneath_open(workspace, path, &b);

    if (good && seen->kind == UNDO_FILE)
        good = digest_file(&b, seen, hash);
    else if (good && seen->kind == UNDO_LINK)
        good = digest_link(&b, hash);
    else
        good = good && seen->kind == UNDO_DIRECTORY && digest_directory(&b, hash);
    beneath_close(&b);
    if (good)
        digest_end(hash, out);
    return good;
}

/* A directory changes its times with every file in it, which is no change of its own. */
static bool same_marks(const struct undo_state *a, const struct undo_state *b)
{
    return a->kind == b->kind && a->mode == b->mode && a->user == b->user && a->group == b->group &&
           (a->kind == UNDO_DIRECTORY || (a->size == b->size && a->modified == b->modified));
}

bool beneath_is_as_left(int workspace, const struct undo_end *end, const struct undo_state *now)
{
    char digest[BENEATH_DIGEST];
    bool same = end->state.inode == now->inode && end->state.changed == now->changed;

    if (!same_marks(&end->state, now))
        return false;
    if (now->kind == UNDO_SPECIAL || (now->kind == UNDO_FILE && !end->digest.len))
        return end->state.inode == now->inode; /* it has no content, or nobody has read it */
    if (now->kind == UNDO_DIRECTORY ? !end->digest.len : same)
        return true;
    return end->digest.len && beneath_digest(workspace, end->path, now, digest) &&
           str_is(end->digest, digest);
}
