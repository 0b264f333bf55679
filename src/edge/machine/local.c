#include "machine/local.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/vfs.h>

#include "base/str.h"

static const struct local_system {
    uint32_t type;
    bool reports; /* known to report every change to inotify */
} local_systems[] = {
    {0xEF53, true},      /* ext2, ext3, ext4 */
    {0x01021994, true},  /* tmpfs */
    {0x58465342, true},  /* XFS */
    {0x9123683E, true},  /* btrfs */
    {0xF2F52010, true},  /* F2FS */
    {0x2FC12FC1, false}, /* ZFS */
    {0x3153464A, false}, /* JFS */
    {0x3434, false},     /* NILFS */
    {0x52654973, false}, /* ReiserFS */
    {0x794C7630, false}, /* overlayfs */
    {0xCA451A4E, false}, /* bcachefs */
};

static const struct local_system *find(const char *path)
{
    struct statfs fs;

    if (statfs(path, &fs) != 0)
        return NULL;
    for (size_t i = 0; i < COUNT(local_systems); i++)
        if ((uint32_t)fs.f_type == local_systems[i].type)
            return &local_systems[i];
    return NULL;
}

bool local_keeps_times(const char *path)
{
    return find(path) != NULL;
}

bool local_reports_changes(const char *path)
{
    const struct local_system *s = find(path);

    return s && s->reports;
}
