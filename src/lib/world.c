#include "lib/world.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/gitdir.h"
#include "policy/regex.h"

#define LINKS_MAX 40 /* as the kernel */

static enum file_kind real_kind(void *context, const char *path)
{
    struct stat st;

    (void)context;
    if (stat(path, &st) != 0)
        return errno == ENOENT || errno == ENOTDIR ? FILE_ABSENT : FILE_UNKNOWN;
    if (S_ISREG(st.st_mode))
        return FILE_REGULAR;
    return S_ISDIR(st.st_mode) ? FILE_DIRECTORY : FILE_OTHER;
}

/* A path that is being resolved: `done` has no links in it, `rest` is still to be walked. */
struct walk {
    char done[WORLD_PATH_MAX];
    size_t len;
    char rest[WORLD_PATH_MAX];
    int links;
    bool absent; /* nothing exists from here on; names are taken as they are, up to the next ".." */
};

static bool append(struct walk *w, const char *name, size_t len)
{
    if (w->len + 1 + len >= sizeof(w->done))
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
    w->done[w->len] = '\0';
}

/* The last component of `done` is a link: its target stands before what is left. Also a link to nothing leads
 * somewhere: a file written through it appears there. */
static bool follow(struct walk *w)
{
    char target[WORLD_PATH_MAX], joined[WORLD_PATH_MAX];
    ssize_t n = readlink(w->done, target, sizeof(target) - 1);

    if (n <= 0 || ++w->links > LINKS_MAX)
        return false;
    target[n] = '\0';
    int len = snprintf(joined, sizeof(joined), "%s/%s", target, w->rest);
    if (len < 0 || (size_t)len >= sizeof(joined))
        return false;
    memcpy(w->rest, joined, (size_t)len + 1);
    up(w);
    if (target[0] == '/') {
        w->len = 0;
        w->done[0] = '\0';
    }
    return true;
}

static bool step(struct walk *w, const char *name, size_t len)
{
    struct stat st;

    if (len == 0 || (len == 1 && name[0] == '.'))
        return true;
    if (len == 2 && name[0] == '.' && name[1] == '.') {
        up(w);
        w->absent = false; /* what is absent now may exist by then, and the links behind it count */
        return true;
    }
    if (!append(w, name, len))
        return false;
    if (w->absent)
        return true;
    if (lstat(w->done, &st) != 0) {
        w->absent = errno == ENOENT || errno == ENOTDIR;
        return w->absent;
    }
    return !S_ISLNK(st.st_mode) || follow(w);
}

static bool real_resolve(void *context, const char *path, char out[WORLD_PATH_MAX])
{
    struct walk w = {0};

    (void)context;
    if (path[0] != '/' || strlen(path) >= sizeof(w.rest))
        return false;
    memcpy(w.rest, path, strlen(path) + 1);
    while (w.rest[0]) {
        char name[WORLD_PATH_MAX];
        size_t len = strcspn(w.rest, "/");
        size_t skip = w.rest[len] ? len + 1 : len;
        memcpy(name, w.rest, len);
        memmove(w.rest, w.rest + skip, strlen(w.rest + skip) + 1);
        if (!step(&w, name, len))
            return false;
    }
    snprintf(out, WORLD_PATH_MAX, "%s", w.len ? w.done : "/");
    return true;
}

static bool read_names(DIR *d, char *out, size_t size)
{
    const struct dirent *e;

    for (errno = 0; (e = readdir(d)); errno = 0) {
        size_t len = strlen(e->d_name) + 1;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (len >= size)
            return false;
        memcpy(out, e->d_name, len);
        out += len;
        size -= len;
    }
    *out = '\0';
    return errno == 0;
}

static bool real_list(void *context, const char *directory, char *out, size_t size)
{
    DIR *d = opendir(directory);

    (void)context;
    out[0] = '\0';
    if (!d)
        return errno == ENOENT || errno == ENOTDIR;
    bool read = read_names(d, out, size);
    closedir(d);
    return read;
}

static bool real_repository(void *context, const char *directory, char out[WORLD_PATH_MAX])
{
    char own[WORLD_PATH_MAX];

    (void)context;
    return gitdir_find(directory, own, out);
}

static bool real_plain(void *context, const char *directory)
{
    (void)context;
    return gitdir_is_plain(directory);
}

static bool is_program(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0111);
}

static bool real_program(void *context, const char *name, char out[WORLD_PATH_MAX])
{
    const char *path = getenv("PATH");

    (void)context;
    while (path && *path) {
        size_t len = strcspn(path, ":");
        if (path[0] != '/') { /* "." or an empty element: what it finds depends on where the agent is */
            out[0] = '\0';
            return true;
        }
        char file[WORLD_PATH_MAX];
        int n = snprintf(file, sizeof(file), "%.*s/%s", (int)len, path, name);
        if (n > 0 && (size_t)n < sizeof(file) && is_program(file)) {
            if (!real_resolve(NULL, file, out))
                out[0] = '\0';
            return true;
        }
        path += len + (path[len] == ':');
    }
    return false;
}

static enum regex_answer real_regex(void *context, const void *code, struct str text)
{
    (void)context;
    return regex_match(code, text);
}

const struct world real_world = {.kind = real_kind,
                                 .resolve = real_resolve,
                                 .list = real_list,
                                 .repository = real_repository,
                                 .plain = real_plain,
                                 .program = real_program,
                                 .regex = real_regex};
