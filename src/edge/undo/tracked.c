#include "undo/tracked.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"
#include "machine/own.h"
#include "machine/stamp.h"
#include "undo/beneath.h"
#include "undo/content.h"
#include "undo/known.h"

/* Beside the journal. */
#define BEFORE_NAME "index"
#define BITS_NAME   "tracked"
#define AFTER_NAME  "index-after"

#define ATTRIBUTES_MAX 65536u /* bytes of a .gitattributes that is read, */
#define LOOKED_MAX     1000u  /* and how many of them: somebody is waiting */

static size_t bits_size(const struct git_index *x)
{
    return x->entries.count / 8 + 1;
}

static bool bit_is_set(const uint8_t *bits, size_t i)
{
    return bits[i / 8] >> i % 8 & 1;
}

static void sum_of(struct str first, struct str second, char out[UNDO_SUMMED])
{
    struct sha256 h;
    uint8_t hash[SHA256_BYTES];
    char hex[SHA256_HEX];

    sha256_init(&h);
    sha256_add_part(&h, first);
    sha256_add_part(&h, second);
    sha256_end(&h, hash);
    sha256_hex(hash, hex);
    memcpy(out, hex, UNDO_SUMMED - 1);
    out[UNDO_SUMMED - 1] = '\0';
}

/* Where git keeps its index; -1: it cannot be opened. */
static int open_git(int workspace)
{
    struct beneath b;

    return beneath_open(workspace, STR(".git/x"), &b) ? b.directory : -1;
}

/* ---- may what is in a file differ from what git has of it? ---- */

/* What a filter or another encoding makes of a content may be as long as the content. (A line that
 * ends otherwise makes it longer, which the size of the object shows.) */
static bool file_converts(int directory, const char *name)
{
    struct undo_state seen;
    char *text = NULL;
    size_t len = 0;

    if (!beneath_look_at(directory, name, &seen) || seen.kind == UNDO_ABSENT)
        return seen.kind != UNDO_ABSENT;
    AUTO_CLOSE int fd = content_open(directory, name, seen.inode, O_RDONLY);
    bool good = fd >= 0 && content_read(fd, ATTRIBUTES_MAX, &text, &len);
    const struct str all = {text, len};
    bool converts = !good || str_contains(all, STR("filter")) || str_contains(all, STR("encoding"));
    free(text);
    return converts;
}

static bool path_converts(int workspace, struct str path)
{
    struct beneath b;
    bool converts = beneath_open(workspace, path, &b) ? file_converts(b.directory, b.name)
                                                      : errno != ENOENT && errno != ENOTDIR;

    beneath_close(&b);
    return converts;
}

static bool any_converts(const struct git_index *x, int workspace)
{
    for (size_t i = 0, looked = 0; i < x->entries.count; i++) {
        const struct str path = x->entries.items[i].path;
        if (str_ends(path, STR(".gitattributes")) &&
            (looked++ == LOOKED_MAX || path_converts(workspace, path)))
            return true;
    }
    return path_converts(workspace, STR(".git/info/attributes")) ||
           path_converts(workspace, STR(".gitattributes"));
}

/* ---- before the call ---- */

static bool recall_before(struct tracked_kept *k, int directory, const char *said)
{
    char *bits = NULL, digest[UNDO_SUMMED];
    size_t len = 0;

    if (!git_index_read(&k->before, directory, BEFORE_NAME))
        return false;
    AUTO_CLOSE int fd = openat(directory, BITS_NAME, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0 || !content_read(fd, GIT_INDEX_MAX, &bits, &len))
        return false;
    k->bits = (uint8_t *)bits;
    sum_of(k->before.text, (struct str){bits, len}, digest);
    return len == bits_size(&k->before) && strcmp(digest, said) == 0;
}

/* How many. */
static size_t mark_known(struct tracked *t, const struct undo_store *s)
{
    struct undo_known known;
    struct tracked_kept kept = {0};
    AUTO_CLOSE int directory = -1;
    size_t count = 0;

    if (known_read(s, &known) &&
        undo_entry_directory(s, known.id, false, &directory, NULL) == STATUS_OK &&
        recall_before(&kept, directory, known.digest))
        known_mark(&known, &kept, &t->index, t->known);
    tracked_forget(&kept);
    for (size_t i = 0; i < bits_size(&t->index); i++)
        count += (size_t)__builtin_popcount(t->known[i]);
    return count;
}

bool tracked_open(struct tracked *t, const struct undo_store *s)
{
    AUTO_CLOSE int git = open_git(s->workspace);

    *t = (struct tracked){.project = s->project, .objects.directory = -1, .at = stamp_now()};
    if (git < 0 || !git_index_read(&t->index, git, GIT_INDEX_NAME) ||
        any_converts(&t->index, s->workspace) || !git_objects_open(&t->objects, s->workspace))
        return false;
    if (!git_index_by_inode(&t->index) || !(t->bits = calloc(bits_size(&t->index), 1)) ||
        !(t->known = calloc(bits_size(&t->index), 1)))
        return false;
    const size_t known = mark_known(t, s);
    git_objects_expect(&t->objects, t->index.entries.count - known);
    return true;
}

void tracked_close(struct tracked *t)
{
    git_index_release(&t->index);
    git_objects_close(&t->objects);
    free(t->bits);
    free(t->known);
    *t = (struct tracked){.objects.directory = -1};
}

/* As git makes all of them, by the umask: one that has other rights is linked. */
static bool has_mode(uint32_t modes[2], const struct git_entry *e, uint32_t mode)
{
    if (!modes[e->runs])
        modes[e->runs] = mode;
    return modes[e->runs] == mode;
}

static bool has_attrs(const struct tracked *t, const struct beneath *at, struct str path)
{
    char whole[PATH_MAX * 2];
    const size_t len = strlen(t->project);

    if (len + path.len + 2 > sizeof(whole))
        return true;
    memcpy(whole, t->project, len);
    whole[len] = '/';
    memcpy(whole + len + 1, path.s, path.len);
    whole[len + 1 + path.len] = '\0';
    return attrs_has(at->directory, at->name, whole);
}

/* Would git make the same file again? What it had of it, it may have lost since. */
static bool is_proved(struct tracked *t, const struct git_entry *e, const struct beneath *at,
                      struct str path)
{
    uint64_t size;

    if (bit_is_set(t->known, (size_t)(e - t->index.entries.items)))
        return git_object_is(&t->objects, e->id);
    return !has_attrs(t, at, path) && git_object_size(&t->objects, e->id, &size) && size == e->size;
}

/* A file that is as young as the index may have been written after git had read it. */
bool tracked_has(struct tracked *t, const struct beneath *at, struct str path,
                 const struct undo_state *seen)
{
    const struct git_entry *e = git_index_find_seen(&t->index, seen->inode, path);

    if (!e || !git_entry_is(e, seen) || seen->links != 1 || e->modified >= t->index.written ||
        e->size > GIT_OBJECT_MAX || !has_mode(t->modes, e, seen->mode) ||
        !is_proved(t, e, at, path))
        return false;
    const size_t i = (size_t)(e - t->index.entries.items);
    t->bits[i / 8] |= (uint8_t)(1 << i % 8);
    t->count++;
    return true;
}

static enum status put_file(int directory, const char *name, struct str bytes, struct error *err)
{
    AUTO_CLOSE int fd =
        openat(directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);

    return fd < 0
               ? fail(err, STATUS_IO, "cannot write beside the undo journal: %s", strerror(errno))
               : own_write(fd, name, bytes, err);
}

static void remember(const struct undo_entry *e, const struct tracked *t, const char *digest)
{
    struct undo_known known = {.at = t->at};

    memcpy(known.id, e->id, sizeof(known.id));
    memcpy(known.digest, digest, sizeof(known.digest));
    known_write(e->store, &known);
}

enum status tracked_save(struct undo_entry *e, const struct tracked *t, struct error *err)
{
    struct undo_tracked line = {.modes = {t->modes[0], t->modes[1]}};
    const struct str bits = {(const char *)t->bits, bits_size(&t->index)};
    struct undo_state top;
    enum status status;

    if (!t->count)
        return STATUS_OK;
    if (beneath_look_at(e->store->workspace, ".", &top))
        line.above = top.modified;
    sum_of(t->index.text, bits, line.digest);
    if ((status = put_file(e->directory, BEFORE_NAME, t->index.text, err)) ||
        (status = put_file(e->directory, BITS_NAME, bits, err)))
        return status;
    remember(e, t, line.digest);
    return undo_write_tracked(&e->writer, &line, false, err);
}

/* ---- what an entry has ---- */

static enum status not_as_said(struct error *err)
{
    return fail(err, STATUS_UNSAFE, "what git had is not what the undo journal says");
}

enum status tracked_recall(struct tracked_kept *k, int directory, const struct undo_log *log,
                           struct error *err)
{
    char digest[UNDO_SUMMED];

    *k = (struct tracked_kept){0};
    if (!log->tracked.any)
        return STATUS_OK;
    if (!recall_before(k, directory, log->tracked.digest))
        return not_as_said(err);
    if (!log->tracked.after)
        return STATUS_OK;
    bool read = git_index_read(&k->after, directory, AFTER_NAME);
    sum_of(k->after.text, (struct str){0}, digest);
    return (read || !k->after.text.len) && strcmp(digest, log->tracked.digest_after) == 0
               ? STATUS_OK
               : not_as_said(err);
}

void tracked_forget(struct tracked_kept *k)
{
    git_index_release(&k->before);
    git_index_release(&k->after);
    free(k->bits);
    *k = (struct tracked_kept){0};
}

bool tracked_had(const struct tracked_kept *k, struct str path)
{
    const struct git_entry *e = k->bits ? git_index_find(&k->before, path) : NULL;

    return e && bit_is_set(k->bits, (size_t)(e - k->before.entries.items));
}

/* ---- both indexes, side by side ---- */

/* A file with a bit, and what the index says of it after the call; NULL: nothing. */
struct tracked_pair {
    const struct git_entry *before, *after;
    size_t at, at_after;
};

static bool next_pair(const struct tracked_kept *k, struct tracked_pair *p)
{
    const struct git_entries *before = &k->before.entries, *after = &k->after.entries;

    while (p->at < before->count && !bit_is_set(k->bits, p->at))
        p->at++;
    if (p->at == before->count)
        return false;
    p->before = &before->items[p->at++];
    while (p->at_after < after->count &&
           str_compare(after->items[p->at_after].path, p->before->path) < 0)
        p->at_after++;
    const struct git_entry *e = p->at_after < after->count ? &after->items[p->at_after] : NULL;
    p->after = e && e->plain && str_eq(e->path, p->before->path) ? e : NULL;
    return true;
}

static struct undo_state state_of(const struct git_entry *e, const uint32_t modes[2])
{
    return (struct undo_state){.kind = UNDO_FILE,
                               .inode = e->inode,
                               .size = e->size,
                               .mode = modes[e->runs],
                               .user = e->user,
                               .group = e->group,
                               .modified = e->modified,
                               .changed = e->changed};
}

static bool is_changed(const struct tracked_pair *p)
{
    return !p->after || !git_entry_same(p->before, p->after);
}

/* ---- when it has ended ---- */

/* Is it as the new index says, or as it was where that says the same? Then no line is needed. */
static bool is_as_said(const struct tracked_pair *p, const struct undo_tracked *said,
                       uint32_t modes[2], const struct undo_state *now)
{
    if (!is_changed(p))
        return git_entry_is(p->before, now) && now->mode == said->modes[p->before->runs];
    if (!p->after)
        return now->kind == UNDO_ABSENT;
    return git_entry_is(p->after, now) && has_mode(modes, p->after, now->mode);
}

static enum status end_pairs(struct undo_entry *e, const struct tracked_kept *k, bool alone,
                             struct undo_tracked *line, struct error *err)
{
    struct beneath_near near = BENEATH_NEAR;
    struct tracked_pair p = {0};
    enum status status = STATUS_OK;

    while (!status && next_pair(k, &p)) {
        struct undo_end end = {.path = p.before->path};
        if (alone && !is_changed(&p))
            continue; /* git has not touched it, and nobody else was there */
        if (!beneath_look_near(&near, e->store->workspace, end.path, &end.state))
            end.state.kind = UNDO_BEYOND;
        if (!is_as_said(&p, line, line->modes_after, &end.state))
            status = undo_write_end(&e->writer, &end, err);
    }
    beneath_close(&near.at);
    return status;
}

enum status tracked_end(struct undo_entry *e, const struct undo_log *log, struct tracked_kept *k,
                        struct error *err)
{
    struct undo_tracked line = log->tracked;
    AUTO_CLOSE int git = open_git(e->store->workspace);
    enum status status;

    if (git < 0 || !git_index_read(&k->after, git, GIT_INDEX_NAME)) {
        git_index_release(&k->after); /* every file has a line, then */
        k->after = (struct git_index){0};
    }
    sum_of(k->after.text, (struct str){0}, line.digest_after);
    if ((status = end_pairs(e, k, log->header.alone, &line, err)) ||
        (k->after.text.len && (status = put_file(e->directory, AFTER_NAME, k->after.text, err))))
        return status;
    return undo_write_tracked(&e->writer, &line, true, err);
}

/* ---- reading it again ---- */

struct expanding {
    struct arena *arena;
    struct undo_log *log;
    const struct tracked_kept *kept;
    struct undo_ops ops;
};

static int by_path(const void *a, const void *b)
{
    return str_compare(((const struct undo_end *)a)->path, ((const struct undo_end *)b)->path);
}

static void sort_ends(struct undo_log *log)
{
    if (log->ends.count)
        qsort(log->ends.items, log->ends.count, sizeof(*log->ends.items), by_path);
}

struct directory_time {
    struct str path;
    int64_t modified;
};
struct directory_times LIST_OF(struct directory_time);

static int by_directory(const void *a, const void *b)
{
    return str_compare(((const struct directory_time *)a)->path,
                       ((const struct directory_time *)b)->path);
}

static int compare_directory(const void *key, const void *item)
{
    return str_compare(*(const struct str *)key, ((const struct directory_time *)item)->path);
}

/* When the directories were changed last, by their own lines. */
static void list_times(struct expanding *x, struct directory_times *out)
{
    for (size_t i = 0; i < x->log->ops.count; i++) {
        const struct undo_op *op = &x->log->ops.items[i];
        if (op->what == UNDO_MADE)
            LIST_PUSH(x->arena, out, ((struct directory_time){op->path, op->was.modified}));
    }
    if (out->count)
        qsort(out->items, out->count, sizeof(*out->items), by_directory);
}

static int64_t time_above(const struct expanding *x, const struct directory_times *times,
                          struct str path)
{
    const size_t slash = str_last_index(path, '/');
    const struct str above = str_slice(path, 0, slash);
    const struct directory_time *found =
        slash != STR_NONE && times->count
            ? bsearch(&above, times->items, times->count, sizeof(*times->items), compare_directory)
            : NULL;

    if (slash == STR_NONE)
        return x->log->tracked.above;
    return found ? found->modified : 0;
}

static void add_changed(struct expanding *x, const struct tracked_pair *p, int64_t above, bool said)
{
    struct arena *a = x->arena;
    const struct undo_tracked *t = &x->log->tracked;
    const struct str path = str_copy(a, p->before->path);
    uint8_t *blob = arena_room(a, 1, GIT_ID_BYTES);

    memcpy(blob, p->before->id, GIT_ID_BYTES);
    LIST_PUSH(a, &x->ops,
              ((struct undo_op){.what = UNDO_KEEP,
                                .path = path,
                                .was = state_of(p->before, t->modes),
                                .link = UNDO_SLOT_NONE,
                                .copy = UNDO_SLOT_NONE,
                                .blob = blob,
                                .above = above}));
    if (!said)
        LIST_PUSH(a, &x->log->ends,
                  ((struct undo_end){.path = path,
                                     .state = p->after ? state_of(p->after, t->modes_after)
                                                       : (struct undo_state){0}}));
}

static void expand_all(void *arg)
{
    struct expanding *x = arg;
    struct undo_log *log = x->log;
    struct directory_times times = {0};
    struct tracked_pair p = {0};
    const struct undo_log lines = *log; /* whose ends are sorted */

    list_times(x, &times);
    while (next_pair(x->kept, &p)) {
        const bool said = undo_log_end(&lines, p.before->path) != NULL;
        if (said || is_changed(&p))
            add_changed(x, &p, time_above(x, &times, p.before->path), said);
    }
    for (size_t i = 0; i < log->ops.count; i++)
        LIST_PUSH(x->arena, &x->ops, log->ops.items[i]);
    log->ops = x->ops;
    sort_ends(log);
}

enum status tracked_expand(struct arena *a, int directory, struct undo_log *log, struct error *err)
{
    struct tracked_kept kept;
    struct expanding x = {.arena = a, .log = log, .kept = &kept};
    enum status status = tracked_recall(&kept, directory, log, err);

    sort_ends(log);
    if (!status && !arena_try(a, expand_all, &x))
        status = fail(err, STATUS_NOMEM, "the call has too many files");
    tracked_forget(&kept);
    return status;
}
