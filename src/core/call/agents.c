#include "call/agents.h"

#define PROGRAMS(...)                .programs = {__VA_ARGS__},
#define VARIABLES(...)               .variables = {__VA_ARGS__},
#define AGENT(name, title, sections) {sections},
#define OTHER_AGENT(title, sections) {sections},

const struct agent agents[] = {
#include "call/agents.def"
};

const size_t agent_count = COUNT(agents);

bool agent_is_program(struct str name)
{
    for (size_t i = 0; i < COUNT(agents); i++)
        for (size_t n = 0; n < AGENT_NAMES_MAX && agents[i].programs[n]; n++)
            if (str_is(name, agents[i].programs[n]))
                return true;
    return false;
}
