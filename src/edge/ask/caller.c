#include "ask/caller.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/str.h"
#include "call/agents.h"
#include "machine/proc.h"

#define ANCESTORS_MAX 64
#define ENVIRON_MAX   ((size_t)256 * 1024)

static enum status refuse(struct str name, struct error *err)
{
    return fail(err, STATUS_UNSAFE, "this runs inside %.*s: use a terminal of your own",
                STR_ARG(name));
}

/* .../bundle/gemini.js */
static struct str without_ending(struct str name)
{
    return str_ends(name, STR(".js")) ? str_slice(name, 0, name.len - 3) : name;
}

/* The name of the agent in a command line, or an empty one. Only the first words can be the
 * program: node /usr/bin/claude. */
static struct str agent_in_command(struct str cmdline)
{
    struct str word;

    for (int i = 0; i < 3 && cmdline.len; i++) {
        str_cut(cmdline, '\0', &word, &cmdline);
        struct str name = without_ending(path_base(word));
        if (agent_is_program(name))
            return name;
    }
    return (struct str){0};
}

/* The agent whose variable this is, as "NAME=value"; NULL: it is none. */
static const char *agent_of(struct str line)
{
    struct str name, value;

    if (!str_cut(line, '=', &name, &value))
        return NULL;
    for (size_t i = 0; i < agent_count; i++)
        for (size_t n = 0; n < AGENT_NAMES_MAX && agents[i].variables[n]; n++)
            if (str_is(name, agents[i].variables[n]))
                return agents[i].programs[0];
    return NULL;
}

/* The agent that has started a process with this environment. What a command takes out of its own
 * (env -u) the shell around it still has. */
static struct str agent_in_environment(struct str lines)
{
    const char *agent = NULL;
    struct str line;

    while (!agent && lines.len) {
        str_cut(lines, '\0', &line, &lines);
        agent = agent_of(line);
    }
    return str_from(agent);
}

/* The name of the agent that this process is, or that has started it; empty: none. */
static struct str agent_at(pid_t pid)
{
    static char text[ENVIRON_MAX];
    struct str agent =
        agent_in_command((struct str){text, proc_read(pid, "cmdline", text, sizeof(text))});

    if (agent.len)
        return agent;
    return agent_in_environment((struct str){text, proc_read(pid, "environ", text, sizeof(text))});
}

static enum status check_ancestors(struct error *err)
{
    pid_t pid = getppid();

    for (int i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = proc_parent(pid)) {
        struct str agent = agent_at(pid);
        if (agent.len)
            return refuse(agent, err);
    }
    return STATUS_OK;
}

enum status caller_is_no_agent(struct error *err)
{
    for (char **line = environ; line && *line; line++)
        if (agent_of(str_from(*line)))
            return refuse(str_from(agent_of(str_from(*line))), err);
    return check_ancestors(err);
}

enum status caller_is_person(struct error *err)
{
    if (!isatty(STDIN_FILENO))
        return fail(err, STATUS_UNSAFE, "this needs a terminal: only a person can do it");
    return caller_is_no_agent(err);
}
