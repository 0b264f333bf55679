/* told.c - a file for each text and session, empty and named by a hash of both. */
#include "cli/told.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/sha256.h"
#include "machine/own.h"
#include "machine/proc.h"
#include "machine/statedir.h"

#define KEPT_SECONDS ((time_t)7 * 24 * 60 * 60) /* sessions last less, or are reminded */
#define BOOT_FILE    "/proc/sys/kernel/random/boot_id"

/* A process of another boot may have the same number, and the same time since then. */
static void add_boot(struct sha256 *h)
{
    char id[64];
    AUTO_CLOSE int fd = open(BOOT_FILE, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? 0 : read(fd, id, sizeof(id));

    sha256_add_part(h, (struct str){id, len > 0 ? (size_t)len : 0});
}

/* The process that the terminal's session began with: the shell of a person. */
static bool add_terminal(struct sha256 *h)
{
    struct proc_id leader;

    if (!proc_find(getsid(0), &leader))
        return false;
    sha256_add_part(h, (struct str){(const char *)&leader, sizeof(leader)});
    add_boot(h);
    return true;
}

static bool name_of(const char *session, struct str text, char out[SHA256_HEX])
{
    uint8_t hash[SHA256_BYTES];
    struct sha256 h;

    sha256_init(&h);
    sha256_add_part(&h, text);
    sha256_add_part(&h, str_from(session));
    if (!session && !add_terminal(&h))
        return false;
    sha256_end(&h, hash);
    sha256_hex(hash, out);
    return true;
}

static void forget_old(int directory)
{
    time_t now = time(NULL);
    int copy = dup(directory);
    DIR *all = copy < 0 ? NULL : fdopendir(copy);
    struct stat st;

    if (!all && copy >= 0)
        close(copy);
    for (struct dirent *d; all && (d = readdir(all));)
        if (strlen(d->d_name) == SHA256_HEX - 1 &&
            fstatat(directory, d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            now - st.st_mtime > KEPT_SECONDS)
            (void)unlinkat(directory, d->d_name, 0);
    if (all)
        closedir(all);
}

static int open_directory(const char *data, const char *home)
{
    char state[STATEDIR_MAX], path[PATH_MAX];
    int fd = -1;

    if (!data && statedir_find(home, state, NULL) != STATUS_OK)
        return -1;
    int len = snprintf(path, sizeof(path), "%s/told", data ? data : state);
    if (len > 0 && (size_t)len < sizeof(path))
        (void)own_need_directory(path, &fd, NULL);
    return fd;
}

bool told_before(const char *data, const char *home, const char *session, struct str text)
{
    char name[SHA256_HEX];
    AUTO_CLOSE int directory = open_directory(data, home);

    if (directory < 0 || !name_of(session, text, name))
        return false;
    if (faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
        return true;
    AUTO_CLOSE int fd =
        openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    forget_old(directory);
    return false;
}
