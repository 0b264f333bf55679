#include "machine/world.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/age.h"
#include "machine/compiled.h"
#include "machine/digest.h"
#include "machine/disk.h"
#include "machine/drivers.h"
#include "machine/entries.h"
#include "machine/gitdir.h"
#include "machine/guard.h"
#include "machine/ignored.h"
#include "machine/refs.h"
#include "machine/tokens.h"

#define LINKS_MAX 40 /* the kernel's limit */

static enum file_kind follow_link(struct disk *disk, const char *path)
{
    struct stat st;

    if (disk)
        disk->unkept++;
    if (stat(path, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR ? FILE_ABSENT : FILE_UNKNOWN;
    if (S_ISREG(st.st_mode))
        return FILE_REGULAR;
    return S_ISDIR(st.st_mode) ? FILE_DIRECTORY : FILE_OTHER;
}

/* Each process has its own standard streams: where ours lead says nothing about the agent's. */
static bool is_stream(const char *path)
{
    static const char *const streams[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr",
                                          "/dev/fd/0",  "/dev/fd/1",   "/dev/fd/2"};

    if (strncmp(path, "/dev/", strlen("/dev/")) != 0)
        return false;
    for (size_t i = 0; i < COUNT(streams); i++)
        if (strcmp(path, streams[i]) == 0)
            return true;
    return false;
}

static enum file_kind real_kind(void *context, const char *path)
{
    if (is_stream(path))
        return FILE_OTHER;
    switch (disk_look(context, path, strlen(path))) {
    case DISK_UNKNOWN:
        return FILE_UNKNOWN;
    case DISK_ABSENT:
        return FILE_ABSENT;
    case DISK_LINK:
        return follow_link(context, path);
    case DISK_DIRECTORY:
        return FILE_DIRECTORY;
    case DISK_REGULAR:
        return FILE_REGULAR;
    case DISK_OTHER:
        return FILE_OTHER;
    }
    return FILE_UNKNOWN;
}

/* A path being resolved: `done` contains no links, `rest` is still to be walked. */
struct walk {
    struct disk *disk;
    char *done; /* WORLD_PATH_MAX bytes */
    size_t len;
    const char *rest;
    unsigned links;
    int64_t since; /* no link on the way may have changed after this; 0: no such condition */
    bool absent; /* nothing exists from here on: names are kept as they are, up to the next ".." */
};

enum walk_end {
    WALK_DONE, /* to the end of `rest` */
    WALK_AT_LINK,
    WALK_FAILED,
};

static bool append(struct walk *w, const char *name, size_t len)
{
    if (w->len + 1 + len >= WORLD_PATH_MAX)
        return false;
    w->done[w->len++] = '/';
    memcpy(w->done + w->len, name, len);
    w->len += len;
    w->done[w->len] = '\0';
    return true;
}

static void up(struct walk *w)
{
    while (w->len > 0 && w->done[--w->len] != '/')
        ;
}

/* The last component of `done` is a link: puts its target before the rest. A dangling link leads
 * somewhere too: a file written through it appears there. */
static bool follow(struct walk *w, char joined[WORLD_PATH_MAX])
{
    char target[WORLD_PATH_MAX];

    if (++w->links > LINKS_MAX || !disk_follow(w->disk, w->done, target) ||
        (w->since && !age_is_old(w->done, true, w->since)))
        return false;
    int len = snprintf(joined, WORLD_PATH_MAX, "%s/%s", target, w->rest);
    if (len < 0 || len >= WORLD_PATH_MAX)
        return false;
    w->rest = joined;
    up(w);
    if (target[0] == '/')
        w->len = 0;
    return true;
}

/* Where another descriptor of the agent leads is not known, and its input may be a directory: `cat
 * /dev/stdin/shadow </etc`. */
static enum walk_end reach_link(const struct walk *w)
{
    const char *rest = w->rest;

    if (is_stream(w->done))
        return rest[0] ? WALK_FAILED : WALK_DONE;
    if (strcmp(w->done, "/dev/fd") != 0 || rest[0] < '0' || rest[0] > '9')
        return WALK_AT_LINK;
    return rest[0] <= '2' && rest[1] == '\0' ? WALK_DONE : WALK_FAILED;
}

static enum walk_end step(struct walk *w, const char *name, size_t len)
{
    if (len == 0 || (len == 1 && name[0] == '.'))
        return WALK_DONE;
    if (len == 2 && name[0] == '.' && name[1] == '.') {
        up(w);
        w->absent = false; /* what is absent now may exist by then, and links after it count */
        return WALK_DONE;
    }
    if (!append(w, name, len))
        return WALK_FAILED;
    if (w->absent)
        return WALK_DONE;
    switch (disk_look(w->disk, w->done, w->len)) {
    case DISK_UNKNOWN:
        return WALK_FAILED;
    case DISK_ABSENT:
        w->absent = true;
        return WALK_DONE;
    case DISK_LINK:
        return reach_link(w);
    case DISK_DIRECTORY:
    case DISK_REGULAR:
    case DISK_OTHER:
        return WALK_DONE;
    }
    return WALK_FAILED;
}

static enum walk_end go_on(struct walk *w)
{
    enum walk_end end = WALK_DONE;

    while (end == WALK_DONE && w->rest[0]) {
        const char *name = w->rest, *slash = strchrnul(name, '/');
        w->rest = *slash ? slash + 1 : slash;
        end = step(w, name, (size_t)(slash - name));
    }
    return end;
}

/* Out of line because of its large buffers: most paths contain no link, and a process that handles
 * a single event pays for every page it touches. */
static __attribute__((noinline)) enum walk_end go_on_through_links(struct walk *w)
{
    char joined[2][WORLD_PATH_MAX]; /* the rest after a link; used in turn */
    enum walk_end end = WALK_AT_LINK;

    while (end == WALK_AT_LINK)
        end = follow(w, joined[w->links % 2]) ? go_on(w) : WALK_FAILED;
    return end;
}

static bool walk(struct disk *disk, const char *path, int64_t since, char out[WORLD_PATH_MAX])
{
    struct walk w = {.disk = disk, .since = since};

    w.done = out;
    if (path[0] != '/' || strlen(path) >= WORLD_PATH_MAX)
        return false;
    if (!disk || !disk->memory) {
        w.len = disk_plain(disk, path, w.done);
        memcpy(w.done, path, w.len);
    }
    w.rest = path + w.len + (path[w.len] == '/');
    enum walk_end end = go_on(&w);
    if (end == WALK_AT_LINK)
        end = go_on_through_links(&w);
    if (w.len == 0)
        w.done[w.len++] = '/';
    w.done[w.len] = '\0';
    return end == WALK_DONE;
}

static bool real_resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    struct disk *disk = context;
    struct str name = str_from(path);

    if (!disk || !disk->memory)
        return walk(disk, path, 0, out);
    const char *kept = disk_recall(disk, 'l', name);
    size_t unkept = disk->unkept;
    if (kept) {
        memcpy(out, kept, strlen(kept) + 1);
        return true;
    }
    if (!walk(disk, path, 0, out))
        return false;
    disk_keep(disk, 'l', name, out, unkept);
    return true;
}

static bool real_as_written(void *context, struct str path)
{
    struct disk *disk = context;
    const char *kept = disk && disk->memory ? disk_recall(disk, 'l', path) : NULL;

    return kept && str_is(path, kept);
}

/* Walks the path again without the cache, and it must lead to the same file as with it: the other
 * checks used the cached answer. */
static bool real_unchanged(void *context, const char *path, int64_t since)
{
    char file[WORLD_PATH_MAX], known[WORLD_PATH_MAX];

    return since > 0 && walk(NULL, path, since, file) && walk(context, path, 0, known) &&
           strcmp(file, known) == 0 && age_is_old(file, false, since);
}

static bool real_compiled(void *context, const char *path, struct file_mark *out)
{
    char file[WORLD_PATH_MAX];

    (void)context; /* never cached */
    return walk(NULL, path, 0, file) && strcmp(file, path) == 0 && compiled_look(path, out);
}

static bool real_digest(void *context, const char *path, char out[WORLD_DIGEST])
{
    (void)context; /* never cached */
    return digest_file(path, out);
}

static bool real_text(void *context, const char *path, char *out, size_t size, size_t *len)
{
    (void)context; /* never cached */
    return digest_read(path, out, size, len);
}

static bool real_ignored(void *context, const char *path)
{
    (void)context; /* never cached */
    return ignored_look(path);
}

static int open_listing(const char *directory)
{
    return openat(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool read_names(int directory, char *out, size_t size)
{
    struct entries all;
    const struct entry *e;

    entries_of(&all, directory);
    while ((e = entries_next(&all))) {
        size_t len = strlen(e->name) + 1;
        if (len >= size)
            return false;
        memcpy(out, e->name, len);
        out += len;
        size -= len;
    }
    *out = '\0';
    return !all.failed;
}

static bool real_list(void *context, const char *directory, char *out, size_t size)
{
    AUTO_CLOSE int d = open_listing(directory);

    (void)context;
    out[0] = '\0';
    if (d < 0)
        return errno == ENOENT || errno == ENOTDIR;
    return read_names(d, out, size);
}

/* Not every file system says it in the listing. */
static enum entry_kind entry_kind(int directory, const struct entry *e)
{
    struct stat st;

    if (e->kind == DT_UNKNOWN && fstatat(directory, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISDIR(st.st_mode) ? ENTRY_DIRECTORY
                                   : (S_ISLNK(st.st_mode) ? ENTRY_LINK : ENTRY_OTHER);
    return e->kind == DT_DIR ? ENTRY_DIRECTORY : (e->kind == DT_LNK ? ENTRY_LINK : ENTRY_OTHER);
}

static bool real_scan(void *context, const char *directory, world_entry *each, void *to)
{
    AUTO_CLOSE int d = open_listing(directory);
    struct entries all;
    const struct entry *e;

    (void)context;
    if (d < 0)
        return errno == ENOENT || errno == ENOTDIR;
    entries_of(&all, d);
    while ((e = entries_next(&all)))
        if (!each(to, e->name, entry_kind(d, e)))
            return false;
    return !all.failed;
}

static enum regex_answer no_regex(const void *code, struct str text)
{
    (void)code;
    (void)text;
    return REGEX_LIMIT;
}

static bool real_repository(void *context, const char *directory, char out[WORLD_PATH_MAX])
{
    struct str name = str_from(directory);
    const char *kept = disk_recall(context, 'r', name);
    struct disk *disk = context;
    size_t unkept = disk ? disk->unkept : 0;
    char own[WORLD_PATH_MAX];
    bool read = false;

    if (!kept) {
        const struct world world = world_of(disk, no_regex);
        kept = gitdir_find(&world, directory, own, out, &read) ? out : "";
        kept = disk_keep(disk, 'r', name, kept, read ? DISK_UNKEPT : unkept);
    }
    if (kept != out)
        memcpy(out, kept, strlen(kept) + 1);
    return kept[0] != '\0';
}

static bool real_plain(void *context, const char *directory)
{
    const struct world world = world_of(context, no_regex);

    return gitdir_is_plain(&world, directory);
}

static enum ref_state real_ref(void *context, const char *directory, const char *name,
                               int64_t since)
{
    const struct world world = world_of(context, no_regex);

    return refs_find(&world, directory, name, since);
}

static bool real_logged(void *context, const char *directory, struct str id)
{
    const struct world world = world_of(context, no_regex);

    return refs_logged(&world, directory, id);
}

static bool real_drivers(void *context, const char *directory, const char *home, char *out,
                         size_t size)
{
    const struct world world = world_of(context, no_regex);

    return drivers_find(&world, directory, home, out, size);
}

static bool real_tokens(void *context, const char *file)
{
    (void)context; /* never cached: git rewrites the file at any time */
    return tokens_in_settings(file);
}

/* Before the file is checked, makes the memory watch all directories on the way and the file
 * itself. */
static __attribute__((noinline)) void watch_program(struct disk *disk, const char *path)
{
    char resolved[WORLD_PATH_MAX];

    if (!real_resolve(disk, path, resolved))
        disk->unkept++;
    else if (real_kind(disk, resolved) == FILE_REGULAR)
        disk_ask_rights(disk, resolved);
}

static bool is_program(struct disk *disk, const char *path)
{
    struct stat st;

    if (disk && disk->memory)
        watch_program(disk, path);
    if (lstat(path, &st) != 0)
        return false;
    disk_saw(disk, path, strlen(path), &st); /* where it leads is asked next */
    if (S_ISLNK(st.st_mode) && stat(path, &st) != 0)
        return false;
    return S_ISREG(st.st_mode) && (st.st_mode & 0111);
}

/* NULL: nothing found; "": not known. */
static const char *search_path(struct disk *disk, struct str name, char out[WORLD_PATH_MAX])
{
    const char *path = getenv("PATH");
    char file[WORLD_PATH_MAX];

    while (path && *path) {
        size_t len = (size_t)(strchrnul(path, ':') - path);
        if (path[0] != '/') /* "." or empty: what it finds depends on the agent's directory */
            return "";
        if (len + 1 + name.len < sizeof(file)) {
            memcpy(file, path, len);
            file[len] = '/';
            memcpy(file + len + 1, name.s, name.len);
            file[len + 1 + name.len] = '\0';
            if (is_program(disk, file))
                return real_resolve(disk, file, out) ? out : "";
        }
        path += len + (path[len] == ':');
    }
    return NULL;
}

#define NO_PROGRAM "-" /* how "nothing found" is stored */

static bool real_program(void *context, struct str name, char out[WORLD_PATH_MAX])
{
    const char *kept = disk_recall(context, 'p', name);
    struct disk *disk = context;
    size_t unkept = disk ? disk->unkept : 0;

    if (!kept) {
        kept = search_path(disk, name, out);
        kept = disk_keep(disk, 'p', name, kept ? kept : NO_PROGRAM, unkept);
    }
    if (!kept || strcmp(kept, NO_PROGRAM) == 0)
        return false;
    if (kept != out)
        /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): it is an array */
        memcpy(out, kept, strlen(kept) + 1);
    return true;
}

/* The analysis asks these from below a guard (guard.h), and a fault in them must not jump out: they
 * hold descriptors, and change the memory of the disk. */
#define OUTSIDE(type, name, parameters, arguments)                                                 \
    static type name parameters                                                                    \
    {                                                                                              \
        struct guard_frame *paused = guard_pause();                                                \
        type answer = real_##name arguments;                                                       \
        guard_resume(paused);                                                                      \
        return answer;                                                                             \
    }

OUTSIDE(enum file_kind, kind, (void *context, const char *path), (context, path))
OUTSIDE(bool, resolve, (void *context, const char *path, char out[WORLD_PATH_MAX]),
        (context, path, out))
OUTSIDE(bool, as_written, (void *context, struct str path), (context, path))
OUTSIDE(bool, list, (void *context, const char *directory, char *out, size_t size),
        (context, directory, out, size))
OUTSIDE(bool, scan, (void *context, const char *directory, world_entry *each, void *to),
        (context, directory, each, to))
OUTSIDE(bool, tokens, (void *context, const char *file), (context, file))
OUTSIDE(bool, repository, (void *context, const char *directory, char out[WORLD_PATH_MAX]),
        (context, directory, out))
OUTSIDE(enum ref_state, ref,
        (void *context, const char *directory, const char *name, int64_t since),
        (context, directory, name, since))
OUTSIDE(bool, logged, (void *context, const char *directory, struct str id),
        (context, directory, id))
OUTSIDE(bool, drivers,
        (void *context, const char *directory, const char *home, char *out, size_t size),
        (context, directory, home, out, size))
OUTSIDE(bool, plain, (void *context, const char *directory), (context, directory))
OUTSIDE(bool, program, (void *context, struct str name, char out[WORLD_PATH_MAX]),
        (context, name, out))
OUTSIDE(bool, unchanged, (void *context, const char *path, int64_t since), (context, path, since))
OUTSIDE(bool, digest, (void *context, const char *path, char out[WORLD_DIGEST]),
        (context, path, out))
OUTSIDE(bool, text, (void *context, const char *path, char *out, size_t size, size_t *len),
        (context, path, out, size, len))
OUTSIDE(bool, compiled, (void *context, const char *path, struct file_mark *out),
        (context, path, out))
OUTSIDE(bool, ignored, (void *context, const char *path), (context, path))

#define REAL_WORLD(disk, match)                                                                    \
    {                                                                                              \
        .context = (disk), .kind = kind, .resolve = resolve, .as_written = as_written,             \
        .list = list, .scan = scan, .repository = repository, .ref = ref, .logged = logged,        \
        .drivers = drivers, .plain = plain, .tokens = tokens, .program = program,                  \
        .unchanged = unchanged, .digest = digest, .text = text, .compiled = compiled,              \
        .ignored = ignored, .regex = (match)                                                       \
    }

const struct world real_world = REAL_WORLD(NULL, no_regex);

struct world world_of(struct disk *disk, enum regex_answer (*match)(const void *, struct str))
{
    return (struct world)REAL_WORLD(disk, match);
}
