/* foretold.h - is what a shell did among the actions that the analysis has listed? */
#ifndef TESTS_JUDGES_WORDS_FORETOLD_H
#define TESTS_JUDGES_WORDS_FORETOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "shell/shell.h"

struct ran {
    enum shell_action_kind kind; /* SHELL_COMMAND, or SHELL_REDIRECT that writes the one word */
    const char *cwd;             /* empty: it had been removed */
    const char **words;
    size_t count;
};

bool foretold(const struct shell_actions *actions, const struct ran *ran);

#endif
