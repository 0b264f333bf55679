#include "machine/compiled.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "machine/local.h"

#define MAGIC      "\177ELF"
#define MAGIC_SIZE 4

/* False if the mark cannot be stored in a session file. */
static bool make_mark(const struct stat *st, struct file_mark *out)
{
    out->device = (int64_t)st->st_dev;
    out->inode = (int64_t)st->st_ino;
    out->changed = (int64_t)st->st_ctim.tv_sec * 1000000000 + st->st_ctim.tv_nsec;
    out->written = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
    return out->device >= 0 && out->inode >= 0 && out->changed > 0;
}

bool compiled_look(const char *path, struct file_mark *out)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    char magic[MAGIC_SIZE];
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
           (st.st_mode & S_IXUSR) && read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
           memcmp(magic, MAGIC, MAGIC_SIZE) == 0 && local_keeps_times(path) && make_mark(&st, out);
}
