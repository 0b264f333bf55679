#include "machine/worktree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"

static bool copy(const char *path, char out[PATH_MAX])
{
    size_t len = strnlen(path, PATH_MAX);

    if (len < PATH_MAX)
        memcpy(out, path, len + 1);
    return len < PATH_MAX;
}

static bool join(const char *directory, const char *name, char out[PATH_MAX])
{
    int len = name[0] == '/' ? snprintf(out, PATH_MAX, "%s", name)
                             : snprintf(out, PATH_MAX, "%s/%s", directory, name);

    return len > 0 && len < PATH_MAX;
}

/* The first line of a small regular file; a link or a pipe is none. */
static bool read_line(const char *directory, const char *name, char out[PATH_MAX])
{
    char path[PATH_MAX];
    struct stat st;

    if (!join(directory, name, path))
        return false;
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
        return false;
    ssize_t len = read(fd, out, PATH_MAX - 1);
    if (len <= 0)
        return false;
    out[len] = '\0';
    char *end = strchr(out, '\n');
    if (!end || strlen(out) != (size_t)len)
        return false;
    *end = '\0';
    return true;
}

/* Reads a path from a file, relative to the directory that the file is in, and resolves it. */
static bool read_path(const char *directory, const char *name, const char *key, char out[PATH_MAX])
{
    char line[PATH_MAX], path[PATH_MAX];
    size_t front = strlen(key);

    return read_line(directory, name, line) && strncmp(line, key, front) == 0 &&
           join(directory, line + front, path) && realpath(path, out);
}

/* Is `own` COMMON/worktrees/NAME? */
static bool is_below_worktrees(const char *own, const char *common)
{
    static const char between[] = "/worktrees/";
    size_t len = strlen(common);

    return strncmp(own, common, len) == 0 &&
           strncmp(own + len, between, sizeof(between) - 1) == 0 &&
           own[len + sizeof(between) - 1] && !strchr(own + len + sizeof(between) - 1, '/');
}

static bool is_named_by_repository(struct worktree *w, const char *git)
{
    char own[PATH_MAX], back[PATH_MAX];

    return read_path(w->top, ".git", "gitdir: ", own) &&
           read_path(own, "commondir", "", w->common) && is_below_worktrees(own, w->common) &&
           read_path(own, "gitdir", "", back) && strcmp(back, git) == 0;
}

bool worktree_find(const char *directory, struct worktree *out)
{
    char git[PATH_MAX];
    struct stat st;

    if (directory[0] != '/' || !copy(directory, out->top))
        return false;
    for (; out->top[0]; *strrchr(out->top, '/') = '\0') {
        if (!join(out->top, ".git", git))
            return false;
        if (lstat(git, &st) < 0)
            continue;
        out->linked = S_ISREG(st.st_mode);
        if (S_ISDIR(st.st_mode))
            return copy(git, out->common);
        return out->linked && is_named_by_repository(out, git);
    }
    return false;
}
