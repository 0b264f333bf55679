#include "call/agents.h"

#define PROGRAMS(...)                .programs = {__VA_ARGS__},
#define VARIABLES(...)               .variables = {__VA_ARGS__},
#define AGENT(name, title, sections) {sections},
#define OTHER_AGENT(title, sections) {sections},

const struct agent agents[] = {
#include "call/agents.def"
};

const size_t agent_count = COUNT(agents);

const struct agent_move agent_moves[] = {
#define MOVED(variable, directory, file) {variable, directory, file},
#define AGENT(name, title, sections)     sections
#include "call/agents.def"
};

const size_t agent_move_count = COUNT(agent_moves);

/* All programs of all agents. Nearly every command line is compared with them: the first two bytes
 * reject it. */
static const char program_names[][16] = {
#define PROGRAMS(...)                __VA_ARGS__,
#define AGENT(name, title, sections) sections
#define OTHER_AGENT(title, sections) sections
#include "call/agents.def"
};

bool agent_is_program(struct str name)
{
    const char first = name.len ? name.s[0] : '\0', second = name.len > 1 ? name.s[1] : '\0';

    for (size_t i = 0; i < COUNT(program_names); i++)
        if (program_names[i][0] == first && program_names[i][1] == second &&
            str_is(name, program_names[i]))
            return true;
    return false;
}
