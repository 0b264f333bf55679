/* foretold.h - is a command that ran among those that the analysis has listed? */
#ifndef TESTS_JUDGES_WORDS_FORETOLD_H
#define TESTS_JUDGES_WORDS_FORETOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/shell.h"

struct ran {
    const char *cwd; /* empty: it had been removed */
    const char **words;
    size_t count;
};

bool foretold(const struct shell_actions *actions, const struct ran *ran);

#endif
