#include "cell/caches.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "cell/kernel.h"
#include "cell/mounts.h"
#include "cell/own.h"

#define UPPER "upper"
#define WORK  "work"

/* ---- the stores ---- */

static bool make_directory(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

/* One that is there must be a directory, and no link to one: the kernel would follow it. */
static bool make_layer(const char *path)
{
    struct stat st;

    if (!make_directory(path) || lstat(path, &st) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(st.st_mode);
}

/* With every directory above it. */
static bool make_store(const char *store)
{
    char path[OWN_PATH_MAX];

    if (snprintf(path, sizeof(path), "%s", store) >= (int)sizeof(path))
        return false;
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_directory(path))
            return false;
        *slash = '/';
    }
    return make_directory(path);
}

static bool below(const struct plan_cache *cache, const char *name, char out[OWN_PATH_MAX])
{
    return snprintf(out, OWN_PATH_MAX, "%s/%s", cache->store, name) < OWN_PATH_MAX;
}

enum status caches_make(const struct plan *plan, struct error *err)
{
    char upper[OWN_PATH_MAX], work[OWN_PATH_MAX];

    for (size_t i = 0; i < plan->cache_count; i++) {
        const struct plan_cache *cache = &plan->caches[i];
        if (!make_store(cache->store) ||
            (cache->place && (!below(cache, UPPER, upper) || !make_layer(upper) ||
                              !below(cache, WORK, work) || !make_layer(work))))
            return fail(err, STATUS_IO, "cannot make %s: %s", cache->store, strerror(errno));
    }
    return STATUS_OK;
}

/* ---- the layers ---- */

/* Where the kernel can: what is there shows through, until it is written. */
static int open_overlay(const char *lower, const char *upper, const char *work)
{
    const struct {
        const char *key, *value;
    } options[] = {{"lowerdir", lower}, {"upperdir", upper}, {"workdir", work}};

    if (strpbrk(lower, ":,\\") || strpbrk(upper, ":,\\"))
        return -1;
    AUTO_CLOSE int fs = kernel_fsopen("overlay");
    if (fs < 0 || kernel_fsconfig(fs, KERNEL_FS_FLAG, "userxattr", NULL) != 0)
        return -1;
    for (size_t i = 0; i < COUNT(options); i++)
        if (kernel_fsconfig(fs, KERNEL_FS_STRING, options[i].key, options[i].value) != 0)
            return -1;
    if (kernel_fsconfig(fs, KERNEL_FS_CREATE, NULL, NULL) != 0)
        return -1;
    return kernel_fsmount(fs, KERNEL_ATTR_NOSUID);
}

static int copy_directory(const char *path)
{
    AUTO_CLOSE int at = kernel_openat2(AT_FDCWD, path, O_PATH | O_DIRECTORY,
                                       RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);

    return at < 0 ? -1 : mounts_copy(at, "", KERNEL_ATTR_NOSUID);
}

/* A directory of its own, where there is no such layer. */
static int open_layer(const struct plan_cache *cache)
{
    char upper[OWN_PATH_MAX], work[OWN_PATH_MAX];

    if (!cache->place)
        return copy_directory(cache->store);
    if (!below(cache, UPPER, upper) || !below(cache, WORK, work))
        return -1;
    int layer = open_overlay(cache->place, upper, work);
    return layer >= 0 ? layer : copy_directory(upper);
}

enum status caches_prepare(const struct plan *plan, int layers[PLAN_CACHES], struct error *err)
{
    memset(layers, -1, PLAN_CACHES * sizeof(layers[0]));
    for (size_t i = 0; i < plan->cache_count; i++) {
        layers[i] = open_layer(&plan->caches[i]);
        if (layers[i] < 0)
            return fail(err, STATUS_IO, "cannot keep %s apart: %s", plan->caches[i].store,
                        strerror(errno));
    }
    return STATUS_OK;
}

enum status caches_lay(const struct plan *plan, const int layers[PLAN_CACHES], struct error *err)
{
    for (size_t i = 0; i < plan->cache_count; i++) {
        const struct plan_cache *cache = &plan->caches[i];
        AUTO_CLOSE int at =
            kernel_openat2(AT_FDCWD, cache->place ? cache->place : cache->store,
                           O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
        if (at < 0 || kernel_move_mount(layers[i], at) != 0)
            return fail(err, STATUS_IO, "cannot mount %s: %s", cache->place ? cache->place : "",
                        strerror(errno));
    }
    return STATUS_OK;
}
