#include "undo/stand_in.h"

#include <limits.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RENAME_BOTH 2u /* RENAME_EXCHANGE: musl has no name for it */

static bool swap(const struct beneath *b, int trash, const char *slot)
{
    return syscall(SYS_renameat2, b->directory, b->name, trash, slot, RENAME_BOTH) == 0;
}

/* Where the directory is in the trash, by a path that anybody can follow. */
static bool target_of(int trash, const char *slot, char out[PATH_MAX])
{
    char link[64];

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", trash);
    ssize_t n = readlink(link, out, PATH_MAX - 1);
    if (n <= 0 || out[0] != '/')
        return false;
    int more = snprintf(out + n, (size_t)(PATH_MAX - n), "/%s", slot);
    return more > 0 && more < PATH_MAX - n;
}

static bool is_inode(int directory, const char *name, uint64_t inode)
{
    struct undo_state seen;

    return beneath_look_at(directory, name, &seen) && seen.kind == UNDO_DIRECTORY &&
           seen.inode == inode;
}

/* What came into the trash is looked at there, where nobody can exchange it. */
bool stand_in_put(const struct beneath *b, int trash, const char *slot, uint64_t inode)
{
    char target[PATH_MAX];

    if (!target_of(trash, slot, target) || symlinkat(target, trash, slot) < 0)
        return false;
    bool good = swap(b, trash, slot);
    if (good && !is_inode(trash, slot, inode)) {
        (void)swap(b, trash, slot);
        good = is_inode(trash, slot, inode); /* somebody has exchanged it once more */
    }
    if (!good)
        (void)unlinkat(trash, slot, 0); /* if it is the link */
    return good;
}

bool stand_in_is(const struct beneath *b, int trash, const char *slot)
{
    char target[PATH_MAX], found[PATH_MAX];
    ssize_t n = readlinkat(b->directory, b->name, found, sizeof(found) - 1);

    if (n <= 0 || !target_of(trash, slot, target))
        return false;
    found[n] = '\0';
    return str_eq(str_from(found), str_from(target));
}

bool stand_in_end(const struct beneath *b, int trash, const char *slot)
{
    if (!swap(b, trash, slot))
        return false;
    (void)unlinkat(trash, slot, 0);
    return true;
}
