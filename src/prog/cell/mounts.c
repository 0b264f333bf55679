#include "cell/mounts.h"

#include <errno.h>
#include <string.h>
#include <sys/mount.h>

#include "base/auto.h"
#include "base/path.h"
#include "cell/caches.h"
#include "cell/kernel.h"

#define WRITES_MAX 64 /* directories that can be written */

int mounts_copy(int dir, const char *path, unsigned attributes)
{
    const struct kernel_mount_attr attr = {.set = attributes};
    int copy = kernel_open_tree(
        dir, path, KERNEL_OPEN_TREE_CLONE | KERNEL_AT_RECURSIVE | KERNEL_AT_EMPTY_PATH);

    if (copy >= 0 && attributes &&
        kernel_mount_setattr(copy, "", KERNEL_AT_EMPTY_PATH | KERNEL_AT_RECURSIVE, &attr) != 0) {
        int failed = errno;
        close(copy);
        errno = failed;
        return -1;
    }
    return copy;
}

static bool is_inside_another(const struct strs *list, size_t index)
{
    for (size_t i = 0; i < list->count; i++)
        if (i != index && path_is_inside(list->items[index], list->items[i]) &&
            (i < index || !str_eq(list->items[i], list->items[index])))
            return true;
    return false;
}

/* A copy of each writable directory, taken while it can still be written: laid over its own place
 * once everything has become read-only, it is what stays writable. */
static enum status copy_writable(const struct plan *plan, int copies[WRITES_MAX], struct error *err)
{
    if (plan->write.count > WRITES_MAX)
        return fail(err, STATUS_LIMIT, "more than %d writable directories", WRITES_MAX);
    for (size_t i = 0; i < plan->write.count; i++) {
        const char *path = plan->write.items[i].s;
        if (is_inside_another(&plan->write, i))
            continue;
        AUTO_CLOSE int at = kernel_openat2(AT_FDCWD, path, O_PATH | O_DIRECTORY,
                                           RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
        copies[i] = at < 0 ? -1 : mounts_copy(at, "", KERNEL_ATTR_NOSUID);
        if (copies[i] < 0)
            return fail(err, at < 0 ? STATUS_USAGE : STATUS_IO, "cannot make %s writable: %s", path,
                        strerror(errno));
    }
    return STATUS_OK;
}

static enum status lay_writable(const struct plan *plan, const int copies[WRITES_MAX],
                                struct error *err)
{
    for (size_t i = 0; i < plan->write.count; i++) {
        const char *path = plan->write.items[i].s;
        if (copies[i] < 0)
            continue;
        AUTO_CLOSE int at = kernel_openat2(AT_FDCWD, path, O_PATH | O_DIRECTORY,
                                           RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
        if (at < 0 || kernel_move_mount(copies[i], at) != 0)
            return fail(err, STATUS_IO, "cannot mount %s: %s", path, strerror(errno));
    }
    return STATUS_OK;
}

static enum status lock_all(const struct plan *plan, struct error *err)
{
    const struct kernel_mount_attr locked = {.set = KERNEL_ATTR_RDONLY | KERNEL_ATTR_NOSUID};
    int copies[WRITES_MAX], layers[PLAN_CACHES];
    enum status status;

    memset(copies, -1, sizeof(copies));
    memset(layers, -1, sizeof(layers));
    /* Private and not a slave: what is mounted outside later would appear here, writable. */
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        return fail(err, STATUS_IO, "cannot keep mounts apart: %s", strerror(errno));
    status = copy_writable(plan, copies, err);
    if (status == STATUS_OK)
        status = caches_prepare(plan, layers, err);
    if (status == STATUS_OK &&
        kernel_mount_setattr(AT_FDCWD, "/", KERNEL_AT_RECURSIVE, &locked) != 0)
        status = fail(err, STATUS_IO, "cannot make / read-only: %s", strerror(errno));
    if (status == STATUS_OK)
        status = lay_writable(plan, copies, err);
    if (status == STATUS_OK)
        status = caches_lay(plan, layers, err);
    for (size_t i = 0; i < PLAN_CACHES; i++)
        if (layers[i] >= 0)
            close(layers[i]);
    for (size_t i = 0; i < WRITES_MAX; i++)
        if (copies[i] >= 0)
            close(copies[i]);
    return status;
}

enum status mounts_make(const struct plan *plan, struct error *err)
{
    enum status status = lock_all(plan, err);

    if (status == STATUS_OK)
        status = mounts_protect(plan, err);
    if (status == STATUS_OK)
        status = mounts_devices(plan, err);
    return status == STATUS_OK ? mounts_proc(err) : status;
}
