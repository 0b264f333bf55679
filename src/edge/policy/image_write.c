/* image_write.c - loads a policy at the image's address, notes its sources, and writes it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "image_build.h"
#include "machine/own.h"
#include "policy/image.h"
#include "rule/index.h"

#define TRIES 3 /* to load it while its files do not change */
#define ABSENT_TO_SUM                                                                              \
    3 /* missing names of a directory from which on the directory itself is noted instead */
#define NAME_DIGITS 16
#define OLD_SECONDS 3600 /* age of a dead writer's leftovers */

struct image_job {
    const struct policy_request *request;
    struct image_draft draft;
    struct timespec began;
    bool restless; /* a source changed just before it was loaded, or meanwhile */
    struct error *err;
    enum status status;
};

/* ---- where it came from ---- */

static struct arena *arena_of(struct image_job *w)
{
    return &w->draft.policy->arena;
}

static void gone(struct image_job *w, const char *path)
{
    w->restless = true;
    w->status = fail(w->err, STATUS_IO, "%s changed while the policy was loaded", path);
}

/* Was it changed so shortly before the load that a later change might get the same time? */
static bool is_hot(const struct image_job *w, const struct image_place *p)
{
    int64_t quiet =
        (w->began.tv_sec - p->changed) * 1000 + (w->began.tv_nsec - p->changed_ns) / 1000000;

    return p->kind == PLACE_SAME && quiet <= IMAGE_QUIET_MS;
}

/* A name in a missing directory needs no entry of its own. */
static bool is_below_absent(const struct image_place *noted, const struct image_place *p)
{
    size_t len = strlen(noted->path);

    return noted->kind == PLACE_ABSENT && p->kind == PLACE_ABSENT &&
           strncmp(p->path, noted->path, len) == 0 && p->path[len] == '/' &&
           !strstr(p->path + len, "/..");
}

static bool is_noted(const struct image_places *all, const struct image_place *p)
{
    for (size_t i = 0; i < all->count; i++) {
        const struct image_place *noted = &all->items[i];
        if (is_below_absent(noted, p) || (strcmp(noted->path, p->path) == 0 &&
                                          (noted->kind == p->kind || p->kind == PLACE_GUARD)))
            return true;
    }
    return false;
}

static void note(struct image_job *w, struct image_place p)
{
    struct image_places *all = &w->draft.image->places;

    if (w->status || is_noted(all, &p))
        return;
    if (!image_place_look(&p) || is_hot(w, &p)) {
        gone(w, p.path);
        return;
    }
    p.path = str_copy(arena_of(w), str_from(p.path)).s;
    LIST_PUSH(arena_of(w), all, p);
    /* These files say whether our private group is private. */
    if (p.kind == PLACE_SAME && S_ISREG(p.mode) && (p.mode & S_IWGRP)) {
        note(w, (struct image_place){.kind = PLACE_SAME, .path = "/etc/passwd"});
        note(w, (struct image_place){.kind = PLACE_SAME, .path = "/etc/group"});
    }
}

/* A file or directory as it is: existing or missing. */
static void note_either(struct image_job *w, const char *path)
{
    struct stat st;
    bool there = lstat(path, &st) == 0;

    note(w, (struct image_place){.kind = there ? PLACE_SAME : PLACE_ABSENT, .path = path});
}

static struct str directory_of(struct str path)
{
    size_t slash = str_last_index(path, '/');

    return slash == STR_NONE || slash == 0 ? STR("/") : str_slice(path, 0, slash);
}

/* The directories whose writers could replace the file, by either of its names. */
static void note_guards(struct image_job *w, struct str path)
{
    AUTO_FREE char *real = realpath(path.s, NULL);

    if (!real) {
        gone(w, path.s);
        return;
    }
    note(w, (struct image_place){.kind = PLACE_GUARD,
                                 .path = str_copy(arena_of(w), directory_of(path)).s});
    note(w, (struct image_place){.kind = PLACE_GUARD,
                                 .path = str_copy(arena_of(w), directory_of(str_from(real))).s});
}

static size_t absent_beside(const struct policy_files *files, struct str directory)
{
    size_t count = 0;

    for (size_t i = 0; i < files->count; i++)
        count += !files->items[i].found && str_eq(directory_of(files->items[i].path), directory);
    return count;
}

static void note_file(struct image_job *w, const struct policy_files *files,
                      const struct policy_file *f)
{
    struct str directory = directory_of(f->path);

    if (f->found) {
        note(w, (struct image_place){.kind = PLACE_SAME, .path = f->path.s});
        note_guards(w, f->path);
    } else if (absent_beside(files, directory) >= ABSENT_TO_SUM) {
        note_either(w, str_copy(arena_of(w), directory).s);
    } else {
        note(w, (struct image_place){.kind = PLACE_ABSENT, .path = f->path.s});
    }
}

static void note_places(struct image_job *w)
{
    const struct policy_files *files = &w->draft.policy->book.files;

    for (size_t i = 0; i < w->draft.policy->places.count; i++)
        note_either(w, w->draft.policy->places.items[i].s);
    for (size_t i = 0; i < files->count; i++)
        note_file(w, files, &files->items[i]);
}

/* ---- the image ---- */

/* Compiled expressions are outside the image: the pointer only says that there is one. */
static void forget_regexes(struct image *image)
{
    struct rulebook *b = &image->book;

    for (size_t i = 0; i < b->rules.count; i++)
        if (rule_more(&b->rules.items[i])->regex_code)
            b->rules.items[i].more->regex_code = image;
    for (size_t i = 0; i < b->hooks.count; i++)
        if (b->hooks.items[i].regex)
            b->hooks.items[i].regex = image;
}

/* Everything that is built before the sources are noted; tests use this part. */
enum status image_draft_make(const struct policy_request *request, struct image_draft *out,
                             struct error *err)
{
    void *wanted = (void *)IMAGE_ADDRESS; /* NOLINT(performance-no-int-to-ptr): the whole idea */
    void *got = mmap(wanted, IMAGE_MAX, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);

    *out = (struct image_draft){0};
    if (got != wanted) {
        if (got != MAP_FAILED)
            munmap(got, IMAGE_MAX);
        return fail(err, STATUS_IO, "the address of images is in use");
    }
    out->image = got;
    enum status status =
        policy_open_in(request, out->image + 1, IMAGE_MAX - sizeof(*out->image), &out->policy, err);
    if (!status && rulebook_broken(&out->policy->book))
        status = fail(err, STATUS_SYNTAX, "the policy is broken");
    if (status) {
        image_draft_free(out);
        return status;
    }
    memcpy(out->image->magic, IMAGE_MAGIC, sizeof(out->image->magic));
    out->image->build = IMAGE_BUILD;
    out->image->uid = geteuid();
    out->image->book = out->policy->book;
    out->image->trust = out->policy->trust;
    forget_regexes(out->image);
    return STATUS_OK;
}

enum status image_draft_seal(struct image_draft *d, struct error *err)
{
    struct image *image = d->image;
    size_t from = offsetof(struct image, uid);
    enum status status;

    image->size = (sizeof(*image) + arena_filled(&d->policy->arena) + 7) / 8 * 8;
    struct str numbers =
        image->book.index ? rule_index_numbers(image->book.index) : (struct str){0};
    if ((status = image_scan(image, image->size, numbers, err)) != STATUS_OK)
        return status;
    image->sum = image_sum((const char *)image + from, image->size - from);
    return STATUS_OK;
}

void image_draft_free(struct image_draft *d)
{
    policy_free(d->policy);
    if (d->image)
        munmap(d->image, IMAGE_MAX);
    *d = (struct image_draft){0};
}

/* The memory after struct image is the policy's arena. */
_Static_assert(sizeof(struct image) % _Alignof(max_align_t) == 0,
               "what follows an image is aligned");

static void note_all(void *arg)
{
    struct image_job *w = arg;
    struct arena *a = arena_of(w);
    struct image_key key;

    if (!image_key(w->request, &key)) {
        w->status = fail(w->err, STATUS_USAGE, "this policy has no image: it depends on options");
        return;
    }
    if (w->draft.policy->book.changes_later) {
        w->status =
            fail(w->err, STATUS_USAGE, "this policy has no image: a rule in it takes effect later");
        return;
    }
    w->draft.image->key = (struct image_key){str_copy(a, key.home), str_copy(a, key.config_home),
                                             str_copy(a, key.state_dir), str_copy(a, key.project)};
    note_places(w);
}

static enum status make(struct image_job *w)
{
    enum status status;

    w->status = STATUS_OK;
    clock_gettime(CLOCK_REALTIME, &w->began);
    if ((status = image_draft_make(w->request, &w->draft, w->err)) != STATUS_OK)
        return status;
    if (!arena_try(arena_of(w), note_all, w))
        return fail(w->err, STATUS_LIMIT, "the policy is too large for an image");
    return w->status ? w->status : image_draft_seal(&w->draft, w->err);
}

/* Repeats until its files did not change during the load. */
static enum status make_quietly(struct image_job *w)
{
    const struct timespec pause = {.tv_nsec = (IMAGE_QUIET_MS + 5) * 1000000L};

    for (int tries = 1;; tries++) {
        enum status status = make(w);
        if (status == STATUS_OK || !w->restless || tries == TRIES)
            return status;
        w->restless = false;
        image_draft_free(&w->draft);
        nanosleep(&pause, NULL);
    }
}

/* ---- the file ---- */

struct kept {
    char name[NAME_DIGITS + 1];
    struct timespec written;
    size_t size;
};

static int newest_first(const void *a, const void *b)
{
    const struct timespec *x = &((const struct kept *)a)->written,
                          *y = &((const struct kept *)b)->written;

    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? 1 : -1;
    return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

/* Notes an image; a dead writer's leftovers are removed at once. False if there is no room for it,
 * and it is removed, too. */
static bool list_one(int directory, const char *name, struct kept *kept, size_t *count)
{
    struct stat st;

    if (name[0] == '.' || fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
        return true;
    if (strlen(name) != NAME_DIGITS)
        return time(NULL) - st.st_mtime < OLD_SECONDS;
    if (*count == 2 * (size_t)IMAGES_MAX)
        return false;
    kept[*count] = (struct kept){.written = st.st_mtim, .size = (size_t)st.st_size};
    memcpy(kept[(*count)++].name, name, NAME_DIGITS + 1);
    return true;
}

/* It does no harm if an old one cannot be removed. */
static void prune(int directory)
{
    struct kept kept[2 * IMAGES_MAX];
    size_t count = 0, bytes = 0;
    int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy >= 0 ? fdopendir(copy) : NULL;
    const struct dirent *e;

    if (!d && copy >= 0)
        close(copy);
    while (d && (e = readdir(d)))
        if (!list_one(directory, e->d_name, kept, &count))
            (void)unlinkat(directory, e->d_name, 0);
    if (d)
        closedir(d);
    qsort(kept, count, sizeof(kept[0]), newest_first);
    for (size_t i = 0; i < count; i++) {
        bytes += kept[i].size;
        if (i >= IMAGES_MAX || bytes > IMAGES_BYTES)
            (void)unlinkat(directory, kept[i].name, 0);
    }
}

static enum status put(struct image_job *w, int directory, const char *name)
{
    char other[NAME_DIGITS + 32];
    const struct str bytes = {(const char *)w->draft.image, w->draft.image->size};

    snprintf(other, sizeof(other), "%s.%d.new", name, (int)getpid());
    (void)unlinkat(directory, other, 0);
    AUTO_CLOSE int fd =
        openat(directory, other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return fail(w->err, STATUS_IO, "cannot write %s: %s", other, strerror(errno));
    /* Not synced: an image torn by a power cut is detected as damaged and made again. */
    enum status status = own_write(fd, other, bytes, w->err);
    if (!status && renameat(directory, other, directory, name) < 0)
        status = fail(w->err, STATUS_IO, "cannot write %s: %s", name, strerror(errno));
    if (status)
        (void)unlinkat(directory, other, 0);
    return status;
}

static enum status save(struct image_job *w)
{
    char path[PATH_MAX];
    AUTO_CLOSE int directory = -1;
    enum status status;

    if (!image_path(&w->draft.image->key, path))
        return fail(w->err, STATUS_LIMIT, "the path of the image is too long");
    char *slash = strrchr(path, '/');
    *slash = '\0';
    if ((status = own_make_directory(path, w->err)) ||
        (status = own_open_directory(path, &directory, w->err)))
        return status;
    if ((status = put(w, directory, slash + 1)) == STATUS_OK)
        prune(directory);
    return status;
}

static bool is_fresh(const struct policy_request *request)
{
    const struct image *image = NULL;
    struct image_key key;
    bool fresh = image_key(request, &key) && image_map(&key, &image) == IMAGE_FRESH;

    image_unmap(image);
    return fresh;
}

enum status image_write(const struct policy_request *request, struct error *err)
{
    struct error ignored;
    struct image_job w = {.request = request, .err = err ? err : &ignored};

    if (!image_is_believed())
        return fail(w.err, STATUS_USAGE, "policy is managed: an image of it would not be believed");
    if (is_fresh(request))
        return STATUS_OK;
    enum status status = make_quietly(&w);
    if (status == STATUS_OK)
        status = save(&w);
    image_draft_free(&w.draft);
    return status;
}
