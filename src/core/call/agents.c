#include "call/agents.h"

#define PROGRAMS(...)                .programs = {__VA_ARGS__},
#define VARIABLES(...)               .variables = {__VA_ARGS__},
#define AGENT(name, title, sections) {sections},
#define OTHER_AGENT(title, sections) {sections},

const struct agent agents[] = {
#include "call/agents.def"
};

const size_t agent_count = COUNT(agents);

/* All programs of all agents. Nearly every command line is compared with them, so the first byte is
 * compared before the rest. */
static const char *const program_names[] = {
#define PROGRAMS(...)                __VA_ARGS__,
#define AGENT(name, title, sections) sections
#define OTHER_AGENT(title, sections) sections
#include "call/agents.def"
};

bool agent_is_program(struct str name)
{
    for (size_t i = 0; name.len && i < COUNT(program_names); i++)
        if (program_names[i][0] == name.s[0] && str_is(name, program_names[i]))
            return true;
    return false;
}
