#include "ask/caller.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "base/str.h"
#include "call/agents.h"

#define ANCESTORS_MAX 64

static enum status refuse(struct str name, struct error *err)
{
    return fail(err, STATUS_UNSAFE, "this runs inside %.*s: approve from a terminal of your own",
                STR_ARG(name));
}

/* The name of the agent in a command line, or an empty one. Only the first words can be the
 * program: node /usr/bin/claude. */
static struct str agent_in(struct str cmdline)
{
    struct str word;

    for (int i = 0; i < 3 && cmdline.len; i++) {
        str_cut(cmdline, '\0', &word, &cmdline);
        if (agent_is_program(path_base(word)))
            return path_base(word);
    }
    return (struct str){0};
}

static size_t read_proc(pid_t pid, const char *what, char *out, size_t room)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, what);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, out, room - 1);
    out[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

/* "PID (name) S PPID ...": the name may contain anything, so the search begins at the end. */
static pid_t parent_of(pid_t pid)
{
    char stat[512];
    size_t len = read_proc(pid, "stat", stat, sizeof(stat));
    const char *close = len ? strrchr(stat, ')') : NULL;

    return close && strlen(close) > 4 ? (pid_t)strtol(close + 4, NULL, 10) : 0;
}

static enum status check_ancestors(struct error *err)
{
    char cmdline[4096];
    pid_t pid = getppid();

    for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = parent_of(pid)) {
        size_t len = read_proc(pid, "cmdline", cmdline, sizeof(cmdline));
        struct str agent = agent_in((struct str){cmdline, len});
        if (agent.len)
            return refuse(agent, err);
    }
    return STATUS_OK;
}

enum status caller_is_person(struct error *err)
{
    if (!isatty(STDIN_FILENO))
        return fail(err, STATUS_UNSAFE,
                    "standard input is not a terminal: only a person can approve");
    for (size_t i = 0; i < agent_count; i++)
        for (size_t n = 0; n < AGENT_NAMES_MAX && agents[i].variables[n]; n++)
            if (getenv(agents[i].variables[n]))
                return refuse(str_from(agents[i].programs[0]), err);
    return check_ancestors(err);
}
