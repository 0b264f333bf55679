#include "undo/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"
#include "machine/entries.h"
#include "machine/own.h"
#include "machine/plain.h"
#include "machine/stamp.h"
#include "policy/state.h"
#include "undo/beneath.h"
#include "undo/take_back.h"

#define PROJECT_NAME_SIZE 33 /* the project's path, hashed */
#define TRASH_NAME        "trash"
#define FULL_NAME         "full" /* what is saved is more than policy keeps, */
#define KEEP_NAME         "keep" /* which is so many bytes; none: the default */
#define SIZE_NAME         "size" /* of an entry */

/* ---- listing ---- */

struct undo_listing {
    char (*items)[UNDO_ID_SIZE]; /* malloc'ed; oldest first */
    size_t count, room;
    bool known; /* of a store: it is still so */
};

static bool gather(struct undo_listing *l, const char *id)
{
    if (l->count == l->room) {
        size_t room = l->room ? l->room * 2 : 64;
        void *more = realloc(l->items, room * sizeof(*l->items));
        if (!more)
            return false;
        l->items = more;
        l->room = room;
    }
    memcpy(l->items[l->count++], id, UNDO_ID_SIZE);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

static enum status read_ids(const struct undo_store *s, struct undo_listing *out, struct error *err)
{
    struct entries all;
    const struct entry *e;

    entries_of(&all, lseek(s->entries, 0, SEEK_SET) == 0 ? s->entries : -1);
    while ((e = entries_next(&all)) != NULL)
        if (undo_id_is(str_from(e->name)) && !gather(out, e->name))
            return fail(err, STATUS_NOMEM, "too many undo entries");
    if (all.failed)
        return fail(err, STATUS_IO, "cannot list undo entries: %s", strerror(errno));
    if (out->count)
        qsort(out->items, out->count, sizeof(*out->items), by_name);
    return STATUS_OK;
}

/* One was made or removed. */
static void forget_listing(const struct undo_store *s)
{
    if (!s->listed)
        return;
    free(s->listed->items);
    *s->listed = (struct undo_listing){0};
}

/* The ids, oldest first. What a store keeps stays its own: release_ids(). */
static enum status list_ids(const struct undo_store *s, struct undo_listing *out, struct error *err)
{
    enum status status = STATUS_OK;

    *out = (struct undo_listing){0};
    if (s->listed && s->listed->known) {
        *out = *s->listed;
        return STATUS_OK;
    }
    if (s->entries >= 0)
        status = read_ids(s, out, err);
    if (!status && s->listed) {
        forget_listing(s);
        *s->listed = *out;
        s->listed->known = true;
    }
    return status;
}

/* They are about to change, and the caller goes through them as they were. */
static void own_ids(const struct undo_store *s, const struct undo_listing *l)
{
    if (s->listed && l->items == s->listed->items)
        *s->listed = (struct undo_listing){0};
}

static void release_ids(const struct undo_store *s, struct undo_listing *l)
{
    if (!s->listed || l->items != s->listed->items)
        free(l->items);
    *l = (struct undo_listing){0};
}

/* ---- opening ---- */

static void project_name(const char *project, char out[PROJECT_NAME_SIZE])
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_init(&h);
    sha256_add(&h, str_from(project));
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    memcpy(out, hex, PROJECT_NAME_SIZE - 1);
    out[PROJECT_NAME_SIZE - 1] = '\0';
}

static enum status open_workspace(struct undo_store *s, const char *project, struct error *err)
{
    struct stat st;

    if (!plain_real_path(project, s->project))
        return fail(err, STATUS_IO, "cannot find %s: %s", project, strerror(errno));
    s->workspace = openat(AT_FDCWD, s->project, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (s->workspace < 0 || fstat(s->workspace, &st) < 0)
        return fail(err, STATUS_IO, "cannot open %s: %s", s->project, strerror(errno));
    s->device = st.st_dev;
    s->inode = st.st_ino;
    return STATUS_OK;
}

enum status undo_store_open(struct undo_store *s, const char *state_dir, const char *project,
                            bool make, struct error *err)
{
    return undo_store_open_within(s, state_dir, project, make, STATE_LOCK_MS, err);
}

enum status undo_store_open_within(struct undo_store *s, const char *state_dir, const char *project,
                                   bool make, unsigned ms, struct error *err)
{
    char name[PROJECT_NAME_SIZE];
    AUTO_CLOSE int undo = -1;
    enum status status;

    *s = (struct undo_store){.workspace = -1, .entries = -1, .lock = -1};
    if ((status = open_workspace(s, project, err)))
        return status;
    status = make ? state_open(state_dir, UNDO_STATE_NAME, &undo, err)
                  : state_find(state_dir, UNDO_STATE_NAME, &undo, err);
    if (status || undo < 0)
        return status;
    project_name(s->project, name);
    status = make ? own_need_directory_at(undo, name, &s->entries, err)
                  : own_open_directory_at(undo, name, &s->entries, err);
    if (status == STATUS_IO && !make && errno == ENOENT)
        return STATUS_OK;
    if (status || !ms)
        return status;
    status = state_lock_within(s->entries, "lock", ms, &s->lock, err);
    if (!status)
        s->listed = calloc(1, sizeof(*s->listed)); /* without memory it is listed each time */
    return status;
}

enum status undo_store_find(struct undo_store *s, const char *state_dir, struct str near,
                            struct error *err)
{
    char at[PATH_MAX];

    *s = (struct undo_store){.workspace = -1, .entries = -1, .lock = -1};
    if (near.len >= sizeof(at) || near.len == 0)
        return fail(err, STATUS_LIMIT, "the path is empty or too long");
    memcpy(at, near.s, near.len);
    for (size_t len = near.len; len != STR_NONE && len > 0;
         len = str_last_index((struct str){at, len}, '/')) {
        at[len] = '\0';
        undo_store_close(s);
        enum status status = undo_store_open(s, state_dir, at, false, err);
        if (status || s->entries >= 0)
            return status;
    }
    return STATUS_OK;
}

void undo_store_close(struct undo_store *s)
{
    forget_listing(s);
    free(s->listed);
    auto_unlock(&s->lock);
    auto_close(&s->entries);
    auto_close(&s->workspace);
    *s = (struct undo_store){.workspace = -1, .entries = -1, .lock = -1};
}

/* ---- ids ---- */

bool undo_id_is(struct str text)
{
    static const char shape[] = "ddddddddddddd-hhhhhhhh";

    if (text.len != UNDO_ID_SIZE - 1)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        bool digit = text.s[i] >= '0' && text.s[i] <= '9';
        bool hex = digit || (text.s[i] >= 'a' && text.s[i] <= 'f');
        if (shape[i] == '-' ? text.s[i] != '-' : shape[i] == 'd' ? !digit : !hex)
            return false;
    }
    return true;
}

enum status undo_id_new(const struct undo_store *s, char out[UNDO_ID_SIZE], struct error *err)
{
    char most[UNDO_ID_SIZE] = "";
    uint8_t bytes[4];
    struct undo_listing l;
    enum status status = list_ids(s, &l, err);

    if (!status && l.count)
        memcpy(most, l.items[l.count - 1], sizeof(most));
    release_ids(s, &l);
    if (status)
        return status;
    if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
        return fail(err, STATUS_IO, "no random bytes: %s", strerror(errno));
    most[UNDO_ID_SIZE - 1 - 9] = '\0';
    long long last = strtoll(most, NULL, 10), now = (long long)stamp_now();
    int n = snprintf(out, UNDO_ID_SIZE, "%013lld-", now > last ? now : last + 1);
    if (n != UNDO_ID_SIZE - 1 - 8)
        return fail(err, STATUS_LIMIT, "the clock is wrong");
    *str_hex(out + n, bytes, sizeof(bytes)) = '\0';
    return STATUS_OK;
}

struct copying {
    struct arena *arena;
    const struct undo_listing *from;
    struct undo_ids *to;
};

static void copy_ids(void *arg)
{
    struct copying *c = arg;

    for (size_t i = 0; i < c->from->count; i++)
        LIST_PUSH(c->arena, c->to, str_copy(c->arena, str_from(c->from->items[i])));
}

enum status undo_store_list(struct arena *a, const struct undo_store *s, struct undo_ids *out,
                            struct error *err)
{
    struct undo_listing l;
    struct copying c = {a, &l, out};
    enum status status = list_ids(s, &l, err);

    *out = (struct undo_ids){0};
    if (!status && !arena_try(a, copy_ids, &c))
        status = fail(err, STATUS_NOMEM, "too many undo entries");
    release_ids(s, &l);
    return status;
}

/* ---- the directories of an entry ---- */

enum status undo_entry_directory(const struct undo_store *s, const char *id, bool make, int *out,
                                 struct error *err)
{
    if (make)
        forget_listing(s);
    return make ? own_need_directory_at(s->entries, id, out, err)
                : own_open_directory_at(s->entries, id, out, err);
}

static int open_git(const struct undo_store *s)
{
    struct beneath b;
    int git = -1;

    if (beneath_open(s->workspace, STR(".git/x"), &b))
        git = b.directory;
    return git;
}

static enum status git_trash(const struct undo_store *s, const char *id, bool make, int *out,
                             struct error *err)
{
    AUTO_CLOSE int git = open_git(s);
    AUTO_CLOSE int all = -1;
    enum status status;

    *out = -1;
    if (git < 0)
        return fail(err, STATUS_IO, "cannot open .git: %s", strerror(errno));
    status = make ? own_need_directory_at(git, UNDO_GIT_NAME, &all, err)
                  : own_open_directory_at(git, UNDO_GIT_NAME, &all, err);
    if (status)
        return status;
    return make ? own_need_directory_at(all, id, out, err)
                : own_open_directory_at(all, id, out, err);
}

enum status undo_trash_directory(const struct undo_store *s, const char *id, bool in_git, bool make,
                                 int *out, struct error *err)
{
    AUTO_CLOSE int entry = -1;
    enum status status;

    *out = -1;
    if (in_git)
        return git_trash(s, id, make, out, err);
    if ((status = undo_entry_directory(s, id, make, &entry, err)))
        return status;
    return make ? own_need_directory_at(entry, TRASH_NAME, out, err)
                : own_open_directory_at(entry, TRASH_NAME, out, err);
}

enum status undo_trash_open(const struct undo_store *s, const char *id, const struct undo_log *log,
                            int *out, struct error *err)
{
    enum status status = undo_trash_directory(s, id, log->header.in_git, false, out, err);

    return status == STATUS_IO && errno == ENOENT && !log->ops.count ? STATUS_OK : status;
}

bool undo_entry_hold(int directory, int *hold)
{
    *hold = openat(directory, UNDO_JOURNAL_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (*hold >= 0 && flock(*hold, LOCK_EX | LOCK_NB) == 0)
        return true;
    auto_close(hold);
    *hold = -1;
    return false;
}

/* Nobody holds one that cannot be opened. */
bool undo_entry_is_held(const struct undo_store *s, const char *id)
{
    AUTO_CLOSE int entry = -1;
    AUTO_CLOSE int fd =
        undo_entry_directory(s, id, false, &entry, NULL)
            ? -1
            : openat(entry, UNDO_JOURNAL_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

const char *undo_slot_name(int64_t slot, char out[UNDO_SLOT_SIZE])
{
    (void)snprintf(out, UNDO_SLOT_SIZE, "%lld", (long long)slot);
    return out;
}

bool undo_store_needs_git(const struct undo_store *s)
{
    struct stat st;
    AUTO_CLOSE int git = -1;

    if (fstat(s->entries, &st) == 0 && st.st_dev == s->device)
        return false;
    git = open_git(s);
    return git >= 0 && fstat(git, &st) == 0 && st.st_dev == s->device;
}

/* ---- removing ---- */

/* In the trash lies what a call left: any depth, any mode. The path is only as long as the stack of
 * open directories. */
static bool remove_below(int directory, const char *name, unsigned depth)
{
    if (unlinkat(directory, name, 0) == 0 || errno == ENOENT)
        return true;
    if ((errno != EISDIR && errno != EPERM) || depth > UNDO_DEPTH_MAX)
        return false;
    if (fchmodat(directory, name, S_IRWXU, AT_SYMLINK_NOFOLLOW) < 0)
        return false;
    int inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = inner >= 0 ? fdopendir(inner) : NULL;
    if (!d) {
        auto_close(&inner);
        return false;
    }
    bool good = true;
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        if (!str_is(str_from(e->d_name), ".") && !str_is(str_from(e->d_name), ".."))
            good = remove_below(inner, e->d_name, depth + 1) && good;
    closedir(d);
    return good && unlinkat(directory, name, AT_REMOVEDIR) == 0;
}

bool undo_remove_all(int directory, const char *name)
{
    return remove_below(directory, name, 0);
}

/* What a link in the workspace leads to must not go. A journal that cannot be read says nothing. */
static enum status empty_of_trees(const struct undo_store *s, const char *id, struct error *err)
{
    struct arena a;
    struct undo_log log;
    AUTO_CLOSE int entry = -1;
    enum status status = STATUS_OK;

    arena_init(&a, UNDO_MEMORY_MAX);
    if (!undo_entry_directory(s, id, false, &entry, NULL) &&
        !undo_log_read(&a, entry, &log, NULL)) {
        status = undo_take_back(s, id, &log, UNDO_IS_OVER, err);
        if (!status && undo_is_away(s, id, &log))
            status = fail(err, STATUS_IO, "a directory of %s cannot be moved back", s->project);
    }
    arena_release(&a);
    return status;
}

enum status undo_entry_remove(const struct undo_store *s, const char *id, struct error *err)
{
    enum status status = undo_entry_is_held(s, id)
                             ? fail(err, STATUS_USAGE, "the call of %s still runs", id)
                             : empty_of_trees(s, id, err);
    if (status)
        return status;
    forget_listing(s);
    AUTO_CLOSE int git = open_git(s);
    AUTO_CLOSE int all =
        git < 0 ? -1 : openat(git, UNDO_GIT_NAME, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    AUTO_CLOSE int entry = openat(s->entries, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool good = all < 0 || undo_remove_all(all, id);

    if (git >= 0)
        (void)unlinkat(git, UNDO_GIT_NAME, AT_REMOVEDIR); /* if it was the last */
    good = entry >= 0 && undo_remove_all(entry, TRASH_NAME) && good;
    if (!good || !undo_remove_all(s->entries, id))
        return fail(err, STATUS_IO, "cannot remove the undo entry %s: %s", id, strerror(errno));
    return STATUS_OK;
}

/* What removing would free: a file with a link elsewhere takes nothing here. */
static uint64_t size_below(int directory, unsigned depth)
{
    uint64_t sum = 0;
    struct stat st;
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = again >= 0 ? fdopendir(again) : NULL;

    if (!d)
        auto_close(&again);
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (str_is(str_from(e->d_name), ".") || str_is(str_from(e->d_name), "..") ||
            fstatat(again, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        if (st.st_nlink == 1 || S_ISDIR(st.st_mode))
            sum += (uint64_t)st.st_blocks * 512;
        if (!S_ISDIR(st.st_mode) || depth > UNDO_DEPTH_MAX)
            continue;
        AUTO_CLOSE int inner =
            openat(again, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            sum += size_below(inner, depth + 1);
    }
    if (d)
        closedir(d);
    return sum;
}

/* A number in a file of its own. False: there is none. */
static bool number_read(int directory, const char *name, uint64_t *out)
{
    char text[24] = "";
    char *end = NULL;
    AUTO_CLOSE int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

    if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
        return false;
    *out = strtoull(text, &end, 10);
    return end != text && *end == '\n';
}

static void number_write(int directory, const char *name, uint64_t number)
{
    char text[24];
    int n = snprintf(text, sizeof(text), "%llu\n", (unsigned long long)number);
    AUTO_CLOSE int fd = openat(
        directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);

    if (fd >= 0)
        (void)own_write(fd, name, (struct str){text, (size_t)n}, NULL);
}

uint64_t undo_entry_size(const struct undo_store *s, const char *id)
{
    AUTO_CLOSE int entry = -1;
    AUTO_CLOSE int trash = -1;
    uint64_t sum = 0;

    if (!undo_entry_directory(s, id, false, &entry, NULL))
        sum += size_below(entry, 0);
    if (!undo_trash_directory(s, id, true, false, &trash, NULL))
        sum += size_below(trash, 0);
    return sum;
}

/* The same, measured once: for that every saved file is looked at. */
static uint64_t size_once(const struct undo_store *s, const char *id)
{
    AUTO_CLOSE int entry = -1;
    uint64_t size = 0;

    if (undo_entry_directory(s, id, false, &entry, NULL) || number_read(entry, SIZE_NAME, &size))
        return size;
    size = undo_entry_size(s, id);
    number_write(entry, SIZE_NAME, size);
    return size;
}

void undo_store_set_size(const struct undo_store *s, uint64_t bytes)
{
    uint64_t now = UNDO_KEEP_BYTES;

    (void)number_read(s->entries, KEEP_NAME, &now);
    if (now != bytes)
        number_write(s->entries, KEEP_NAME, bytes);
}

uint64_t undo_store_size(const struct undo_store *s)
{
    uint64_t bytes = UNDO_KEEP_BYTES;

    (void)number_read(s->entries, KEEP_NAME, &bytes);
    return bytes;
}

static void mark_full(const struct undo_store *s, bool full)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW;

    if (!full)
        (void)unlinkat(s->entries, FULL_NAME, 0);
    int fd = full ? openat(s->entries, FULL_NAME, flags, S_IRUSR | S_IWUSR) : -1;
    auto_close(&fd);
}

bool undo_store_is_full(const struct undo_store *s)
{
    struct stat st;

    return s->entries >= 0 && fstatat(s->entries, FULL_NAME, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

enum status undo_prune(const struct undo_store *s, const struct undo_keep *keep, int64_t now,
                       size_t *removed, struct error *err)
{
    struct undo_listing l;
    uint64_t bytes = 0;
    enum status status = list_ids(s, &l, err);
    bool full = false;
    size_t first = l.count; /* of those that stay: from the newest back as far as all limits hold */

    if (removed)
        *removed = 0;
    while (!status && first > 0) {
        const char *id = l.items[first - 1];
        int64_t age = now - strtoll(id, NULL, 10);
        if ((keep->calls && l.count - first >= keep->calls) ||
            (keep->days && age > (int64_t)keep->days * 86400000))
            break;
        bytes += keep->bytes ? size_once(s, id) : 0;
        if (keep->bytes && bytes > keep->bytes && first < l.count)
            break;
        full = keep->bytes && bytes > keep->bytes;
        first--;
    }
    if (!status && keep->bytes)
        mark_full(s, full);
    if (first > 0)
        own_ids(s, &l);
    for (size_t i = 0; i < first && !status; i++) {
        if (undo_entry_is_held(s, l.items[i]))
            continue;
        status = undo_entry_remove(s, l.items[i], err);
        if (removed && !status)
            (*removed)++;
    }
    release_ids(s, &l);
    return status;
}
