#include "cell/where.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/str.h"
#include "cell/kernel.h"
#include "cell/processes.h"

#define LINKS_MAX 40 /* as the kernel */

int where_root(int process)
{
    char path[64];

    (void)snprintf(path, sizeof(path), "/proc/%d/root", process);
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Cuts the last name off. False: there is none, or it is no name. */
static bool cut_name(char path[PATH_MAX], char name[NAME_MAX + 1])
{
    size_t len = strlen(path);

    while (len > 1 && path[len - 1] == '/')
        path[--len] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash || !slash[1] || strlen(slash + 1) > NAME_MAX || strcmp(slash + 1, ".") == 0 ||
        strcmp(slash + 1, "..") == 0)
        return false;
    (void)snprintf(name, NAME_MAX + 1, "%s", slash + 1);
    *slash = '\0';
    return true;
}

static bool directory_text(int directory, char out[PATH_MAX])
{
    char link[64];

    (void)snprintf(link, sizeof(link), "/proc/self/fd/%d", directory);
    ssize_t len = readlink(link, out, PATH_MAX - 1);
    if (len <= 0)
        return false;
    out[len] = '\0';
    return out[0] == '/';
}

static bool add_name(char path[PATH_MAX], const char *name)
{
    size_t used = strlen(path);
    int more = snprintf(path + used, PATH_MAX - used, "%s%s", used > 1 ? "/" : "", name);

    return more >= 0 && (size_t)more < PATH_MAX - used;
}

/* ---- links on the way ---- */

/* What /proc/self and /proc/thread-self are for the caller. */
static bool own_target(pid_t caller, const char *link, char out[PATH_MAX])
{
    const bool process = strcmp(link, "/proc/self") == 0;
    pid_t self, thread;

    if ((!process && strcmp(link, "/proc/thread-self") != 0) ||
        !processes_inside(caller, &self, &thread))
        return false;
    (void)(process ? snprintf(out, PATH_MAX, "%d", (int)self)
                   : snprintf(out, PATH_MAX, "%d/task/%d", (int)self, (int)thread));
    return true;
}

static bool target_of(int root, pid_t caller, const char *link, char out[PATH_MAX])
{
    if (own_target(caller, link, out))
        return true;
    ssize_t len = readlinkat(root, link + 1, out, PATH_MAX - 1);
    if (len > 0)
        out[len] = '\0';
    return len > 0;
}

/* The first of the directories that is a link gives way to what it leads to: /proc has some that
 * mean another place for everybody, or that the kernel alone can follow. False: none is one. */
static bool expand(int root, pid_t caller, char path[PATH_MAX])
{
    char link[PATH_MAX], target[PATH_MAX];

    for (size_t from = 1, end; path[from += strspn(path + from, "/")]; from = end) {
        end = from + strcspn(path + from, "/");
        if (!path[end])
            return false; /* the last name */
        memcpy(link, path, end);
        link[end] = '\0';
        if (!target_of(root, caller, link, target))
            continue;
        char *rest = strdup(path + end);
        path[target[0] == '/' ? 0 : from] = '\0';
        const size_t used = strlen(path);
        const int more =
            rest ? snprintf(path + used, PATH_MAX - used, "%s%s", target, rest) : PATH_MAX;
        free(rest);
        return more >= 0 && (size_t)more < PATH_MAX - used;
    }
    return false;
}

/* One step: path becomes its real directory and its name. *again: the name is a link, and path is
 * now where that leads. */
static bool step(int root, pid_t caller, char path[PATH_MAX], bool follow, bool *again)
{
    char name[NAME_MAX + 1], target[PATH_MAX], whole[PATH_MAX];

    memcpy(whole, path, PATH_MAX);
    if (!cut_name(path, name))
        return false;
    AUTO_CLOSE int directory = kernel_openat2(root, path[0] ? path : "/", O_PATH | O_DIRECTORY,
                                              RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS);
    if (directory < 0) {
        memcpy(path, whole, PATH_MAX);
        return *again = expand(root, caller, path);
    }
    if (!directory_text(directory, path))
        return false;
    ssize_t len = follow ? readlinkat(directory, name, target, sizeof(target) - 1) : -1;
    *again = len > 0;
    if (!*again)
        return add_name(path, name);
    target[len] = '\0';
    if (target[0] != '/')
        return add_name(path, target);
    memcpy(path, target, (size_t)len + 1);
    return true;
}

bool where_is(int root, pid_t caller, const char *path, bool follow, char out[PATH_MAX])
{
    bool again = true;

    (void)snprintf(out, PATH_MAX, "%s", path);
    for (int links = 0; again && links < LINKS_MAX; links++)
        if (!step(root, caller, out, follow, &again)) {
            (void)snprintf(out, PATH_MAX, "%s", path);
            return false;
        }
    return !again;
}
