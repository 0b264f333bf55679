#include "ask/caller.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/path.h"
#include "base/str.h"

#define ANCESTORS_MAX 64

/* Agents: the program's name, and the variable that it sets for what it runs. */
static const struct {
    const char *name;
    const char *variable; /* NULL: none is known */
} agents[] = {
    {"claude", "CLAUDECODE"},
    {"codex", "CODEX_SANDBOX"},
    {"codex", "CODEX_SANDBOX_NETWORK_DISABLED"},
    {"gemini", "GEMINI_CLI"},
    {"qwen", "QWEN_CODE"},
    {"opencode", "OPENCODE"},
    {"cursor-agent", "CURSOR_AGENT"},
    {"cline", "CLINE_ACTIVE"},
    {"copilot", NULL},
    {"crush", NULL},
    {"droid", NULL},
    {"kiro-cli", NULL},
    {"kimi", NULL},
    {"aider", NULL},
    {"goose", NULL},
    {"amp", NULL},
};

static enum status refuse(const char *name, struct error *err)
{
    return fail(err, STATUS_UNSAFE, "this runs inside %s: approve from a terminal of your own",
                name);
}

/* Of the command line only the first words can be the program: node /usr/bin/claude. */
static const char *agent_in(struct str cmdline)
{
    struct str word;

    for (int i = 0; i < 3 && cmdline.len; i++) {
        str_cut(cmdline, '\0', &word, &cmdline);
        struct str name = path_base(word);
        for (size_t n = 0; word.len && n < COUNT(agents); n++)
            if (str_is(name, agents[n].name))
                return agents[n].name;
    }
    return NULL;
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

/* "PID (name) S PPID ...": the name may hold anything, so it is looked for from behind. */
static pid_t parent_of(pid_t pid)
{
    char stat[512];
    size_t len = read_proc(pid, "stat", stat, sizeof(stat));
    const char *close = len ? strrchr(stat, ')') : NULL;

    return close && strlen(close) > 4 ? (pid_t)strtol(close + 4, NULL, 10) : 0;
}

static enum status look_up(struct error *err)
{
    char cmdline[4096];
    pid_t pid = getppid();

    for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = parent_of(pid)) {
        size_t len = read_proc(pid, "cmdline", cmdline, sizeof(cmdline));
        const char *agent = agent_in((struct str){cmdline, len});
        if (agent)
            return refuse(agent, err);
    }
    return STATUS_OK;
}

enum status caller_is_person(struct error *err)
{
    if (!isatty(STDIN_FILENO))
        return fail(err, STATUS_UNSAFE, "standard input is no terminal: only a person can approve");
    for (size_t i = 0; i < COUNT(agents); i++)
        if (agents[i].variable && getenv(agents[i].variable))
            return refuse(agents[i].name, err);
    return look_up(err);
}
