/* edit_file.c - one rule into a file on the disk: locked, atomic, and never through a link out of
 * the project.
 *
 * The agent can write in many of these directories. So the directory is opened once and checked
 * through its descriptor, names in it are opened without following links, and the file is replaced
 * by a rename: a reader sees the old text or the new one. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "policy/edit.h"

#define LOCK_STEP_MS 10

/* Where the file really is. */
struct edit_place {
    char directory[PATH_MAX], name[NAME_MAX + 1];
    char path[2 * PATH_MAX]; /* both */
    int fd;                  /* of the directory, locked */
};

/* ---- the place ---- */

static enum status split(const char *path, char directory[PATH_MAX], char name[NAME_MAX + 1],
                         struct error *err)
{
    const char *slash = strrchr(path, '/');
    size_t len = slash ? (size_t)(slash - path) : 0;

    if (!slash || path[0] != '/' || !slash[1])
        return fail(err, STATUS_USAGE, "%s is not the absolute path of a file", path);
    if (len >= PATH_MAX || strlen(slash + 1) > NAME_MAX)
        return fail(err, STATUS_LIMIT, "a path is too long");
    memcpy(directory, path, len);
    memcpy(directory + len, len ? "" : "/", len ? 1 : 2);
    memcpy(name, slash + 1, strlen(slash + 1) + 1);
    return STATUS_OK;
}

static bool is_inside(const char *directory, const char *root)
{
    char resolved[PATH_MAX];

    if (!realpath(root, resolved))
        return false;
    size_t len = strlen(resolved);
    return strcmp(resolved, "/") == 0 || (strncmp(directory, resolved, len) == 0 &&
                                          (directory[len] == '/' || directory[len] == '\0'));
}

/* Only the last directory is created: .claude, .caliban, .warder. Without a home there is no policy
 * in it either. */
static enum status resolve(const struct edit_target *t, struct edit_place *p, struct error *err)
{
    char written[PATH_MAX], target[PATH_MAX];
    enum status status = split(t->path, written, p->name, err);

    if (status)
        return status;
    if (mkdir(written, S_IRWXU | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH) < 0 && errno != EEXIST)
        return fail(err, STATUS_IO, "cannot create %s: %s", written, strerror(errno));
    /* A link at the end (dotfiles) is followed, and its target is replaced. */
    if (realpath(t->path, target)) {
        status = split(target, p->directory, p->name, err);
        if (status)
            return status;
    } else if (errno != ENOENT || !realpath(written, p->directory)) {
        return fail(err, STATUS_IO, "cannot open %s: %s", t->path, strerror(errno));
    }
    if (t->guard == FILE_PROJECT && !is_inside(p->directory, t->inside))
        return fail(err, STATUS_UNSAFE, "%s is a link that leaves the project", t->path);
    snprintf(p->path, sizeof(p->path), "%s/%s", strcmp(p->directory, "/") == 0 ? "" : p->directory,
             p->name);
    return STATUS_OK;
}

static enum status lock(int fd, const char *directory, struct error *err)
{
    const struct timespec step = {.tv_nsec = LOCK_STEP_MS * 1000000L};

    for (unsigned waited = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; waited += LOCK_STEP_MS) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            return fail(err, STATUS_IO, "cannot lock %s: %s", directory, strerror(errno));
        if (waited >= EDIT_LOCK_MS)
            return fail(err, STATUS_IO, "%s is locked by another program", directory);
        nanosleep(&step, NULL);
    }
    return STATUS_OK;
}

/* Checks that the opened directory is the one whose name was checked: no link was inserted
 * meanwhile. */
static enum status open_place(struct edit_place *p, struct error *err)
{
    char link[64], real[PATH_MAX];

    p->fd = open(p->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (p->fd < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", p->directory, strerror(errno));
    snprintf(link, sizeof(link), "/proc/self/fd/%d", p->fd);
    ssize_t len = readlink(link, real, sizeof(real) - 1);
    if (len < 0)
        return fail(err, STATUS_IO, "cannot resolve %s: %s", p->directory, strerror(errno));
    real[len] = '\0';
    if (strcmp(real, p->directory) != 0)
        return fail(err, STATUS_UNSAFE, "%s was moved while it was edited", p->directory);
    return lock(p->fd, p->directory, err);
}

/* ---- replacing ---- */

static enum status write_all(int fd, const char *path, struct str text, struct error *err)
{
    while (text.len) {
        ssize_t n = write(fd, text.s, text.len);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(err, STATUS_IO, "cannot write beside %s: %s", path, strerror(errno));
        text = str_from_byte(text, (size_t)n);
    }
    return STATUS_OK;
}

/* The disk may be full or fail silently, so the new file is read back before the rename. */
static enum status compare(int fd, const char *path, struct str text, struct error *err)
{
    char part[8192];

    for (size_t at = 0; at <= text.len;) {
        ssize_t n = pread(fd, part, sizeof(part), (off_t)at);
        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0 && at == text.len)
            return STATUS_OK;
        if (n <= 0 || (size_t)n > text.len - at || memcmp(part, text.s + at, (size_t)n) != 0)
            break;
        at += (size_t)n;
    }
    return fail(err, STATUS_IO, "what was written beside %s cannot be read back", path);
}

static enum status dress(int fd, const char *path, const struct stat *old, struct error *err)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return fail(err, STATUS_IO, "cannot check the new %s: %s", path, strerror(errno));
    if ((st.st_uid != old->st_uid || st.st_gid != old->st_gid) &&
        fchown(fd, old->st_uid, old->st_gid) < 0)
        return fail(err, STATUS_UNSAFE, "%s would change its owner: %s", path, strerror(errno));
    if (fchmod(fd, old->st_mode & 07777) < 0)
        return fail(err, STATUS_IO, "cannot set the mode of the new %s: %s", path, strerror(errno));
    return STATUS_OK;
}

static bool is_unchanged(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Editors do not use our lock. */
static enum status check_unchanged(const struct edit_place *p, bool found, const struct stat *old,
                                   struct error *err)
{
    struct stat now;
    bool there = fstatat(p->fd, p->name, &now, AT_SYMLINK_NOFOLLOW) == 0;

    if (there != found || (found && !is_unchanged(old, &now)))
        return fail(err, STATUS_IO, "%s was changed by another program; nothing was written",
                    p->path);
    return STATUS_OK;
}

static enum status fill_new(const struct edit_place *p, int fd, bool found, const struct stat *old,
                            struct str text, struct error *err)
{
    enum status status = found ? dress(fd, p->path, old, err) : STATUS_OK;

    if (!status)
        status = write_all(fd, p->path, text, err);
    if (!status && fsync(fd) < 0)
        status = fail(err, STATUS_IO, "cannot write beside %s: %s", p->path, strerror(errno));
    if (!status)
        status = compare(fd, p->path, text, err);
    return status ? status : check_unchanged(p, found, old, err);
}

/* `old` counts when `found`. A file that was missing must still be missing. */
static enum status replace(const struct edit_place *p, bool found, const struct stat *old,
                           struct str text, struct error *err)
{
    unsigned long long number = 0;
    char name[64];

    if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number))
        return fail(err, STATUS_IO, "no random number: %s", strerror(errno));
    snprintf(name, sizeof(name), ".warder-new-%016llx", number);
    AUTO_CLOSE int fd = openat(p->fd, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
                               S_IRUSR | S_IWUSR | (found ? 0 : S_IRGRP | S_IROTH));
    if (fd < 0)
        return fail(err, STATUS_IO, "cannot write in %s: %s", p->directory, strerror(errno));
    enum status status = fill_new(p, fd, found, old, text, err);
    if (!status && (found ? renameat(p->fd, name, p->fd, p->name)
                          : renameat2(p->fd, name, p->fd, p->name, RENAME_NOREPLACE)) < 0)
        status = fail(err, STATUS_IO, "cannot replace %s: %s", p->path, strerror(errno));
    if (status) {
        (void)unlinkat(p->fd, name, 0);
        return status;
    }
    return fsync(p->fd) < 0
               ? fail(err, STATUS_IO, "cannot sync %s: %s", p->directory, strerror(errno))
               : STATUS_OK;
}

/* ---- all of it ---- */

static enum status look_at(const struct edit_place *p, bool found, struct stat *old,
                           struct error *err)
{
    if (!found)
        return STATUS_OK;
    if (fstatat(p->fd, p->name, old, AT_SYMLINK_NOFOLLOW) < 0)
        return fail(err, STATUS_IO, "cannot check %s: %s", p->path, strerror(errno));
    if (old->st_nlink > 1)
        return fail(err, STATUS_UNSAFE,
                    "%s has a second name (a hard link), which would keep the old text", p->path);
    return STATUS_OK;
}

static enum status give(const struct edit *edit, struct edit_done *out, struct error *err)
{
    *out =
        (struct edit_done){.already = edit->already, .line = edit->line, .len = edit->result.len};
    if (edit->already)
        return STATUS_OK;
    out->text = malloc(edit->result.len + 1);
    if (!out->text)
        return fail(err, STATUS_NOMEM, "out of memory");
    memcpy(out->text, edit->result.s, edit->result.len);
    out->text[edit->result.len] = '\0';
    return STATUS_OK;
}

static enum status add_here(const struct edit_target *t, const struct edit_place *p,
                            const struct edit_rule *rule, struct arena *a, struct edit_done *out,
                            struct error *err)
{
    struct file_text old = {0};
    struct edit edit = {0};
    struct stat st = {0};
    struct stat before = {0};
    bool there = fstatat(p->fd, p->name, &before, AT_SYMLINK_NOFOLLOW) == 0;
    enum status status = file_read(p->path, t->guard, t->inside, &old, err);

    if (!status)
        status = look_at(p, old.found, &st, err);
    if (!status && (there != old.found || (there && !is_unchanged(&before, &st))))
        status =
            fail(err, STATUS_IO, "%s was changed by another program; nothing was written", p->path);
    if (!status)
        status = edit_plan(a, str_from(p->path), (struct str){old.text, old.len}, t->format, rule,
                           &edit, err);
    if (!status)
        status = give(&edit, out, err);
    if (!status && !edit.already)
        status = replace(p, old.found, &st, edit.result, err);
    if (status) {
        free(out->text);
        *out = (struct edit_done){0};
    }
    free(old.text);
    return status;
}

bool edit_file_in(const char *directory, const char *name, char out[PATH_MAX])
{
    static const char *const endings[] = {"yaml", "yml", "toml", "json"};
    bool fits = true;

    for (size_t i = 0; i <= COUNT(endings) && fits; i++) {
        const char *ending = endings[i % COUNT(endings)]; /* none is there: the first one */
        fits = snprintf(out, PATH_MAX, "%s/%s.%s", directory, name, ending) < PATH_MAX;
        if (fits && access(out, F_OK) == 0)
            break;
    }
    return fits;
}

enum status edit_add(const struct edit_target *target, const struct edit_rule *rule,
                     struct edit_done *out, struct error *err)
{
    struct edit_place p = {.fd = -1};
    struct arena a;

    *out = (struct edit_done){0};
    enum status status = resolve(target, &p, err);
    if (!status)
        status = open_place(&p, err);
    arena_init(&a, EDIT_MEMORY_MAX);
    if (!status)
        status = add_here(target, &p, rule, &a, out, err);
    arena_release(&a);
    auto_unlock(&p.fd);
    return status;
}

static enum status replace_here(const struct edit_target *t, const struct edit_place *p,
                                struct str old, struct str text, struct error *err)
{
    struct file_text now = {0};
    struct stat st = {0};
    enum status status = file_read(p->path, t->guard, t->inside, &now, err);

    if (!status && (now.found != (old.s != NULL) ||
                    (now.found && !str_eq((struct str){now.text, now.len}, old))))
        status =
            fail(err, STATUS_IO, "%s was changed by another program; nothing was written", p->path);
    if (!status)
        status = look_at(p, now.found, &st, err);
    if (!status)
        status = replace(p, now.found, &st, text, err);
    free(now.text);
    return status;
}

enum status edit_replace(const struct edit_target *target, struct str old, struct str text,
                         struct error *err)
{
    struct edit_place p = {.fd = -1};
    enum status status = resolve(target, &p, err);

    if (!status)
        status = open_place(&p, err);
    if (!status)
        status = replace_here(target, &p, old, text, err);
    auto_unlock(&p.fd);
    return status;
}
