#include "cell/token.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "cell/own.h"

#define TOKEN_DIRECTORY ".local/state/warder/cells"
#define TOKEN_KEPT_S    600
#define TOKEN_LEFT      "left-"

static bool is_token(const char *text)
{
    return strlen(text) == TOKEN_LENGTH && strspn(text, "0123456789abcdef") == TOKEN_LENGTH;
}

/* Nobody but the user can have written it, or can change it now. */
static enum status check_file(int fd, mode_t kind, mode_t mode, struct error *err)
{
    const bool file = kind == S_IFREG;
    struct stat st;

    if (fstat(fd, &st) != 0)
        return fail(err, STATUS_IO, "cannot look at the token: %s", strerror(errno));
    if ((st.st_mode & S_IFMT) != kind || st.st_uid != geteuid() || (st.st_mode & 07777) != mode ||
        (file && st.st_nlink != 1))
        return fail(err, STATUS_UNSAFE, "%s of the token is not as it was made",
                    file ? "the file" : "the directory");
    return STATUS_OK;
}

static int open_directory(struct error *err)
{
    char path[OWN_PATH_MAX];

    if (own_path(TOKEN_DIRECTORY, path, err) != STATUS_OK)
        return -1;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        fail(err, STATUS_USAGE, "there is no such token");
        return -1;
    }
    if (check_file(fd, S_IFDIR, 0700, err) != STATUS_OK) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Of two that opened it, one can take the name away; and what it took away is what it opened. The
 * plan stays for a while, under a name that runs nothing: `warder outside` reads it. */
static enum status use_up(int directory, const char *token, int fd, struct error *err)
{
    char name[TOKEN_LENGTH + 32];
    struct stat st, kept;

    snprintf(name, sizeof(name), "ran-%012lld-%s", (long long)time(NULL) + TOKEN_KEPT_S, token);
    if (renameat(directory, token, directory, name) != 0 || fstat(fd, &st) != 0 ||
        fstatat(directory, name, &kept, AT_SYMLINK_NOFOLLOW) != 0 || st.st_nlink != 1 ||
        st.st_dev != kept.st_dev || st.st_ino != kept.st_ino)
        return fail(err, STATUS_USAGE, "the token was used already");
    return STATUS_OK;
}

int token_take(const char *token, struct error *err)
{
    if (!is_token(token)) {
        fail(err, STATUS_USAGE, "a token is %d lower-case hexadecimal digits", TOKEN_LENGTH);
        return -1;
    }
    AUTO_CLOSE int directory = open_directory(err);
    if (directory < 0)
        return -1;
    int fd = openat(directory, token, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        fail(err, STATUS_USAGE, "there is no such token");
        return -1;
    }
    if (check_file(fd, S_IFREG, 0600, err) == STATUS_OK &&
        use_up(directory, token, fd, err) == STATUS_OK)
        return fd;
    close(fd);
    return -1;
}

static int open_left(const char *token, int flags, bool taken)
{
    char name[TOKEN_LENGTH + sizeof(TOKEN_LEFT)];
    AUTO_CLOSE int directory = is_token(token) ? open_directory(NULL) : -1;

    if (directory < 0)
        return -1;
    (void)snprintf(name, sizeof(name), TOKEN_LEFT "%s", token);
    int fd = openat(directory, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (taken)
        (void)unlinkat(directory, name, 0);
    return fd;
}

int token_left_make(const char *token)
{
    return open_left(token, O_WRONLY | O_CREAT | O_EXCL, false);
}

int token_left_take(const char *token)
{
    return open_left(token, O_RDONLY, true);
}

enum status token_check(const struct plan *plan, bool stored, struct error *err)
{
    char boot[OWN_BOOT_ROOM];

    if (!stored && !plan->boot.len && !plan->build.len && !plan->until)
        return STATUS_OK;
    if (!own_boot(boot) || !str_eq(plan->boot, str_from(boot)))
        return fail(err, STATUS_USAGE, "the plan is from before the machine was started");
    if (!str_eq(plan->build, str_from(own_build())))
        return fail(err, STATUS_USAGE, "the plan was made by another version of Warder");
    if ((int64_t)time(NULL) >= plan->until)
        return fail(err, STATUS_USAGE, "the time of the plan is over");
    return STATUS_OK;
}
