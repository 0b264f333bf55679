#include "machine/notify.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "base/str.h"

#define PROGRAM "notify-send"

/* The variables of an agent's hooks may be the project's, PATH as well: a program in the project,
 * or one that others may write, is not ours. */
static bool is_safe(const char *path, const char *avoid, char real[PATH_MAX])
{
    struct stat st;

    return realpath(path, real) && stat(real, &st) == 0 && S_ISREG(st.st_mode) &&
           (st.st_uid == 0 || st.st_uid == geteuid()) && !(st.st_mode & (S_IWGRP | S_IWOTH)) &&
           access(real, X_OK) == 0 && !path_is_inside(str_from(real), str_from(avoid));
}

static bool find_program(const char *avoid, char out[PATH_MAX])
{
    struct str rest = str_from(getenv("PATH")), directory;
    char path[PATH_MAX];

    while (rest.len) {
        str_cut(rest, ':', &directory, &rest);
        if (directory.len && directory.s[0] == '/' &&
            snprintf(path, sizeof(path), "%.*s/%s", STR_ARG(directory), PROGRAM) <
                (int)sizeof(path) &&
            is_safe(path, avoid, out))
            return true;
    }
    return false;
}

/* The bus of the person's own session, where it always is. */
static void become(char *program, char *title, char *text)
{
    char bus[64], runtime[64], path[] = "PATH=/usr/bin:/bin";
    char name[] = "--app-name=Warder", end[] = "--";
    char *const words[] = {program, name, end, title, text, NULL};
    char *const environment[] = {bus, runtime, path, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    snprintf(bus, sizeof(bus), "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/%u/bus",
             (unsigned)geteuid());
    snprintf(runtime, sizeof(runtime), "XDG_RUNTIME_DIR=/run/user/%u", (unsigned)geteuid());
    for (int fd = 0; null >= 0 && fd < 3; fd++)
        dup2(null, fd);
    if (null >= 0 && close_range(3, ~0u, 0) == 0 && chdir("/") == 0)
        execve(program, words, environment);
    _exit(127);
}

void notify_desktop(const char *avoid, const char *title, const char *text)
{
    char program[PATH_MAX];
    AUTO_FREE char *head = strdup(title), *body = strdup(text);

    if (!head || !body || !find_program(avoid, program))
        return;
    pid_t child = fork();
    if (child == 0) { /* its child is nobody's: it ends when it likes */
        if (setsid() < 0 || fork() != 0)
            _exit(0);
        become(program, head, body);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}
