#include "lib/age.h"

#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "base/list.h"
#include "base/world.h"

/* statfs(2). On others, ctime is the word of a server, or of whoever wrote the file system (FUSE). */
static const uint32_t local_disks[] = {
    0xEF53,     /* ext2, ext3, ext4 */
    0x01021994, /* tmpfs */
    0x2FC12FC1, /* ZFS */
    0x3153464A, /* JFS */
    0x3434,     /* NILFS */
    0x52654973, /* ReiserFS */
    0x58465342, /* XFS */
    0x794C7630, /* overlayfs */
    0x9123683E, /* btrfs */
    0xCA451A4E, /* bcachefs */
    0xF2F52010, /* F2FS */
};

static bool is_local(const char *path)
{
    struct statfs fs;

    if (statfs(path, &fs) != 0)
        return false;
    for (size_t i = 0; i < COUNT(local_disks); i++)
        if ((uint32_t)fs.f_type == local_disks[i])
            return true;
    return false;
}

/* statfs() follows a link; the directory that holds it does not lead elsewhere. */
static bool lies_on_local(const char *path)
{
    char directory[WORLD_PATH_MAX];
    const char *slash = strrchr(path, '/');

    if (!slash || (size_t)(slash - path) >= sizeof(directory))
        return false;
    memcpy(directory, path, (size_t)(slash - path));
    directory[slash - path] = '\0';
    return is_local(slash == path ? "/" : directory);
}

bool age_is_old(const char *path, bool link, int64_t since)
{
    struct stat st;

    if (lstat(path, &st) != 0 || (link ? !S_ISLNK(st.st_mode) : !S_ISREG(st.st_mode)))
        return false;
    return (int64_t)st.st_ctim.tv_sec + AGE_MARGIN <= since && (link ? lies_on_local(path) : is_local(path));
}
