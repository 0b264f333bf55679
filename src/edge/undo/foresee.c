#include "undo/foresee.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/utf8.h"
#include "machine/clock.h"
#include "undo/content.h"
#include "undo/whole.h"

#define ROOM_LEFT ((uint64_t)16 << 20) /* bytes that stay free on the trash's file system */

static void lose(struct undo_forecast *f, struct str path, const char *why)
{
    if (f->lost++)
        return;
    struct str shown = utf8_cut(path, sizeof(f->path) - 1);
    memcpy(f->path, shown.s, shown.len);
    f->path[shown.len] = '\0';
    f->why = why;
}

/* Of the state directory, or the nearest one above it that exists. */
static int open_nearest(const char *directory)
{
    char at[PATH_MAX];
    size_t len = strlen(directory);

    if (len >= sizeof(at))
        return -1;
    memcpy(at, directory, len + 1);
    while (len > 1) {
        int fd = open(at, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0)
            return fd;
        while (len > 1 && at[--len] != '/')
            ;
        at[len] = '\0';
    }
    return open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void undo_foresee(struct undo_forecast *f, const struct undo_store *s, const char *state_dir,
                  const struct undo_limits *limits)
{
    struct stat st;
    AUTO_CLOSE int near = open_nearest(state_dir);
    struct undo_state git;

    *f = (struct undo_forecast){.workspace = s->workspace, .limits = *limits};
    f->limits.file = limits->file ? limits->file : UNDO_FILE_MAX;
    f->limits.bytes = limits->bytes ? limits->bytes : UNDO_BYTES_MAX;
    f->limits.lines = limits->lines ? limits->lines : UNDO_LINES_MAX;
    f->until = limits->ms ? clock_ms() + limits->ms / 2 : 0;
    f->links = near >= 0 && fstat(near, &st) == 0 && st.st_dev == s->device;
    if (!f->links) /* then the trash is below .git */
        f->links = beneath_look(s->workspace, STR(".git/x"), &git) && git.kind != UNDO_BEYOND &&
                   beneath_look(s->workspace, STR(".git"), &git) && git.kind == UNDO_DIRECTORY;
    if (undo_store_is_full(s))
        lose(f, STR("the trash"), "it is full: see warder undo list, drop or prune");
}

/* ---- paths ---- */

static void count_copy(struct undo_forecast *f, struct str path, int directory, const char *name)
{
    struct stat st;

    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        return;
    uint64_t on_disk = (uint64_t)st.st_blocks * 512, size = (uint64_t)st.st_size;
    uint64_t bytes = on_disk < size ? on_disk : size;
    f->bytes += bytes;
    if (bytes > f->limits.file)
        lose(f, path, "it is too large for a copy");
    else if (f->bytes > f->limits.bytes)
        lose(f, path, "the call changes too much");
}

static void count_entry(struct undo_forecast *f, struct str path, int directory, const char *name,
                        const struct undo_state *was, enum undo_fate fate)
{
    if (++f->lines + 1 == f->limits.lines)
        lose(f, path, "the call has too many files");
    if (f->until && f->lines % 256 == 0 && clock_ms() > f->until) {
        lose(f, path, "saving the call takes too long");
        f->lines = f->limits.lines;
    }
    if (was->kind == UNDO_DEVICE)
        lose(f, path, "it is a device");
    else if (was->kind == UNDO_FILE && (!f->links || fate == UNDO_WRITTEN))
        count_copy(f, path, directory, name);
    else if (was->kind == UNDO_SPECIAL && !f->links)
        lose(f, path, "its kind cannot be saved");
}

static void count_below(struct undo_forecast *f, struct str path, int directory, const char *name,
                        enum undo_fate fate, unsigned depth);

/* Of what is linked, no more than the kind is needed, which a listing has. */
static bool kind_of(const struct undo_forecast *f, int directory, const struct dirent *e,
                    enum undo_fate fate, struct undo_state *out)
{
    *out = (struct undo_state){.kind = e->d_type == DT_DIR   ? UNDO_DIRECTORY
                                       : e->d_type == DT_REG ? UNDO_FILE
                                                             : UNDO_LINK};
    if (e->d_type == DT_DIR || e->d_type == DT_LNK ||
        (e->d_type == DT_REG && f->links && fate == UNDO_REPLACED))
        return true;
    return beneath_look_at(directory, e->d_name, out);
}

static void count_inner(struct undo_forecast *f, struct str path, int directory,
                        const struct dirent *e, enum undo_fate fate, unsigned depth)
{
    const char *name = e->d_name;
    struct undo_state was;

    if (!kind_of(f, directory, e, fate, &was))
        return;
    if (was.kind == UNDO_DIRECTORY && f->skips && f->skips(f->context, path))
        return;
    count_entry(f, path, directory, name, &was, fate);
    if (was.kind == UNDO_DIRECTORY)
        count_below(f, path, directory, name, fate, depth + 1);
}

/* Another subvolume, say. */
static bool is_other_system(int above, int here)
{
    struct stat x, y;

    return fstat(above, &x) < 0 || fstat(here, &y) < 0 || x.st_dev != y.st_dev;
}

static void count_below(struct undo_forecast *f, struct str path, int directory, const char *name,
                        enum undo_fate fate, unsigned depth)
{
    int inner = beneath_enter(directory, name);
    const int why = errno;
    DIR *d = inner >= 0 ? fdopendir(inner) : NULL;
    char whole[PATH_MAX];

    if (!d)
        auto_close(&inner);
    if (!d || depth > UNDO_DEPTH_MAX)
        lose(f, path, !d && why == EXDEV ? "another mount is there" : "it cannot be listed");
    else if (is_other_system(directory, inner))
        lose(f, path, "another file system is there");
    for (const struct dirent *e;
         d && depth <= UNDO_DEPTH_MAX && f->lines < f->limits.lines && (e = readdir(d)) != NULL;) {
        if (str_is(str_from(e->d_name), ".") || str_is(str_from(e->d_name), ".."))
            continue;
        int n = snprintf(whole, sizeof(whole), "%.*s/%s", STR_ARG(path), e->d_name);
        if (n < (int)sizeof(whole))
            count_inner(f, (struct str){whole, (size_t)n}, inner, e, fate, depth);
        else
            lose(f, path, "a path below it is too long");
    }
    if (d)
        closedir(d);
}

static void look_at(struct undo_forecast *f, struct str path, const struct beneath *b,
                    enum undo_fate fate, bool tree, bool at_once)
{
    struct undo_state was;

    if (!beneath_look_at(b->directory, b->name, &was)) {
        lose(f, path, "the disk does not say what it is");
        return;
    }
    count_entry(f, path, b->directory, b->name, &was, fate);
    if (was.kind == UNDO_DIRECTORY && !marks_may(&was))
        lose(f, path, "it belongs to another user or group");
    if (!tree || was.kind != UNDO_DIRECTORY)
        return;
    if (at_once && f->links && beneath_has_mounts(b->directory, b->name))
        lose(f, path, "another mount is below it");
    else if (!at_once || !f->links)
        count_below(f, path, b->directory, b->name, fate, 0);
}

void undo_foresee_path(struct undo_forecast *f, struct str path, enum undo_fate fate, bool tree,
                       bool at_once)
{
    struct beneath b;

    if (beneath_open(f->workspace, path, &b))
        look_at(f, path, &b, fate, tree, at_once);
    else if (errno != ENOENT && errno != ENOTDIR)
        lose(f, path, "a link or another file system is on the way");
    beneath_close(&b);
}

static bool count_name(void *context, struct str path, enum undo_fate fate)
{
    struct undo_forecast *f = context;
    bool (*skips)(const void *, struct str) = f->skips;

    f->skips = str_starts(path, STR(".git/")) ? NULL : skips;
    undo_foresee_path(f, path, fate, true, false);
    f->skips = skips;
    return true;
}

void undo_foresee_whole(struct undo_forecast *f, enum undo_whole what)
{
    struct undo_state git;

    if (!beneath_look(f->workspace, STR(".git"), &git) || git.kind != UNDO_DIRECTORY)
        lose(f, STR(".git"), "it is not the repository itself");
    else if (!undo_whole_each(f->workspace, what, count_name, f))
        lose(f, STR("the workspace"), "it cannot be listed");
}

void undo_foresee_room(struct undo_forecast *f, const char *state_dir)
{
    struct statvfs fs;
    AUTO_CLOSE int near = open_nearest(state_dir);

    if (near >= 0 && fstatvfs(near, &fs) == 0 &&
        (uint64_t)fs.f_bavail * fs.f_frsize < f->bytes + ROOM_LEFT)
        lose(f, STR("the trash"), "there is no room on its disk");
}
