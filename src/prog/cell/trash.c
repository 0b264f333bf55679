#include "cell/trash.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "base/auto.h"
#include "base/path.h"
#include "cell/kernel.h"
#include "cell/own.h"

#define TRASH ".local/state/warder/trash"

static int open_trash(void)
{
    static const char *const parts[] = {".local", ".local/state", ".local/state/warder", TRASH};
    char path[OWN_PATH_MAX];

    for (size_t i = 0; i < COUNT(parts); i++)
        if (own_path(parts[i], path, NULL) != STATUS_OK ||
            (mkdir(path, 0700) != 0 && errno != EEXIST))
            return -1;
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool trash_move(struct str path)
{
    static unsigned moved;
    char name[64], above[PATH_MAX];
    const char *base = path.s + str_last_index(path, '/') + 1;
    struct str dir = path_dir(path);

    if (snprintf(above, sizeof(above), "%.*s", (int)dir.len, dir.s) >= (int)sizeof(above))
        return false;
    AUTO_CLOSE int directory =
        kernel_openat2(AT_FDCWD, above, O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
    AUTO_CLOSE int trash = open_trash();

    (void)snprintf(name, sizeof(name), ".warder-refused-%lld-%d-%u", (long long)time(NULL),
                   (int)getpid(), ++moved);
    if (directory < 0)
        return false;
    return (trash >= 0 && renameat(directory, base, trash, name) == 0) ||
           renameat(directory, base, directory, name) == 0;
}
