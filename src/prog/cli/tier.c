#include "cli/tier.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "cli/cell.h"
#include "cli/output.h"
#include "machine/passwd.h"

#define TIER_LINE 4096
#define KEPT      "cell"
#define TRIED     "cell-tried-" /* as ask/cell_prove.h has it */

/* ---- asking warder-cell ---- */

static pid_t start_check(struct cli *cli, int *from)
{
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    pid_t child = fork();
    if (child == 0) {
        char name[] = "warder-cell", option[] = "--check";
        char *const words[] = {name, option, NULL};
        output_hand_over();
        if (dup2(ends[1], STDOUT_FILENO) >= 0)
            _exit(cell_become(cli->environment, words));
        _exit(EXIT_NOT_CONTAINED);
    }
    close(ends[1]);
    *from = ends[0];
    return child;
}

static size_t read_line(int from, char out[TIER_LINE])
{
    size_t used = 0;
    ssize_t got;

    do {
        got = read(from, out + used, TIER_LINE - used);
        used += got > 0 ? (size_t)got : 0;
    } while (used < TIER_LINE && (got > 0 || (got < 0 && errno == EINTR)));
    return used;
}

static bool ask_cell(struct cli *cli, struct value *out)
{
    const struct json_limits limits = {.bytes = TIER_LINE};
    char line[TIER_LINE];
    int from = -1, status;
    pid_t child = start_check(cli, &from);
    size_t len = child < 0 ? 0 : read_line(from, line);

    if (from >= 0)
        close(from);
    return child > 0 && waitpid(child, &status, 0) == child &&
           json_read(cli->arena, (struct str){line, len}, &limits, out, NULL) == STATUS_OK;
}

/* ---- keeping it ---- */

static void put_tier(struct json_writer *w, const void *about)
{
    static const char *const kept[] = {"tier", "boot", "build"};

    json_begin_object(w);
    for (size_t i = 0; i < COUNT(kept); i++)
        json_text_member(w, kept[i], value_text(about, kept[i]));
    json_end_object(w);
}

static bool open_cache(struct cli *cli, int *out)
{
    char home[PASSWD_LINE_MAX], path[PATH_MAX] = "";
    static const char *const below[] = {".cache", ".cache/warder"};
    const char *given = cli->args.home;

    if (!given && passwd_home(PASSWD_FILE, geteuid(), home, NULL) == STATUS_OK)
        given = home;
    for (size_t i = 0; given && i < COUNT(below); i++) {
        if (snprintf(path, sizeof(path), "%s/%s", given, below[i]) >= (int)sizeof(path) ||
            (mkdir(path, 0700) != 0 && errno != EEXIST))
            return false;
    }
    *out = given ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    return *out >= 0;
}

/* When a person has last asked for it: calls of an agent that has ignored an answer since then are
 * asked about (ask/cells.h). Nothing that starts by itself may move that. */
static struct timespec asked_at(int directory, bool asked)
{
    struct stat st;

    if (asked)
        return (struct timespec){.tv_nsec = UTIME_NOW};
    return fstatat(directory, KEPT, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mtim
                                                                   : (struct timespec){0};
}

/* Whole or not at all: a hook may read it at any time. */
static bool replace(int directory, struct str text, bool asked)
{
    static const char fresh[] = KEPT ".new";
    const struct timespec at = asked_at(directory, asked), times[] = {at, at};

    (void)unlinkat(directory, fresh, 0);
    AUTO_CLOSE int fd = openat(directory, fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    return fd >= 0 && write_whole(fd, text) && futimens(fd, times) == 0 &&
           renameat(directory, fresh, directory, KEPT) == 0;
}

/* Of other starts of the machine and other builds; it is only about space. */
static void drop_tried(int directory, const struct value *found)
{
    char own[256];
    const struct dirent *entry;
    int again = fcntl(directory, F_DUPFD_CLOEXEC, 0);
    DIR *all = again < 0 ? NULL : fdopendir(again);

    (void)snprintf(own, sizeof(own), TRIED "%.*s-%.*s", STR_ARG(value_text(found, "boot")),
                   STR_ARG(value_text(found, "build")));
    while (all && (entry = readdir(all)))
        if (strncmp(entry->d_name, TRIED, strlen(TRIED)) == 0 && strcmp(entry->d_name, own) != 0)
            (void)unlinkat(directory, entry->d_name, 0);
    if (all)
        closedir(all);
    else if (again >= 0)
        close(again);
}

static bool keep(struct cli *cli, const struct value *found, bool asked)
{
    AUTO_CLOSE int cache = -1;
    struct str text;

    if (!json_try(cli->arena, put_tier, found, &text) || !open_cache(cli, &cache))
        return false;
    drop_tried(cache, found);
    return replace(cache, text, asked);
}

const char *tier_find(struct cli *cli, bool asked, struct tier *out)
{
    struct value *found = ARENA_ARRAY(cli->arena, struct value, 1);

    if (!ask_cell(cli, found))
        return "warder-cell does not say what this machine can do";
    if (!keep(cli, found, asked))
        return str_format(cli->arena, "cannot keep what this machine can do: %s", strerror(errno))
            .s;
    *out = (struct tier){value_text(found, "tier"), value_text(found, "why")};
    return NULL;
}

static bool is_own_home(const struct cli *cli)
{
    const char *given = cli->args.home ? cli->args.home : getenv("HOME");
    char home[PASSWD_LINE_MAX];

    return given && passwd_home(PASSWD_FILE, geteuid(), home, NULL) == STATUS_OK &&
           strcmp(given, home) == 0;
}

void tier_refresh(struct cli *cli)
{
    struct tier tier;

    if (is_own_home(cli))
        (void)tier_find(cli, false, &tier);
}
