/* agents.h - the programs that are agents themselves, from the rows of agents.def. */
#ifndef CALL_AGENTS_H
#define CALL_AGENTS_H

#include "base/str.h"

#define AGENT_NAMES_MAX 4

/* The unused names are NULL. */
struct agent {
    const char *programs[AGENT_NAMES_MAX];  /* what it is started as */
    const char *variables[AGENT_NAMES_MAX]; /* that it sets for what it runs */
};

extern const struct agent agents[];
extern const size_t agent_count;

/* A variable that moves a directory of the home, and the file in it that registers us. */
struct agent_move {
    const char *variable, *directory, *file;
};
extern const struct agent_move agent_moves[];
extern const size_t agent_move_count;

/* Whether a program of this name is an agent. */
bool agent_is_program(struct str name);

#endif
