/* command.h - what a command is. Each has a file, alone or with its family, which ends in its
 * struct command; commands.def lists them. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "base/arena.h"
#include "cli/options.h"

struct command;

/* One run of the program. The arena dies with it. */
struct cli {
    struct arena *arena;
    const struct command *command;
    struct arguments args;
    char **environment; /* for a program that is started: as it was given to us */
};

struct command {
    const char *name;     /* one word or two: "rules list" */
    const char *operands; /* as usage shows them; "" for none */
    const char *summary;
    name_list *operand_values; /* what the operand CLIENT may be; NULL: it has none */
    size_t operands_max;
    const struct option *tables[OPTION_TABLES_MAX]; /* the unused ones are NULL */
    int (*run)(struct cli *cli);                    /* returns the exit code */
    const char *exits; /* what 0, 1 and 2 mean here; NULL: 0 and nothing else */
    const char *more;  /* further lines of help, or NULL */
    bool blocks;       /* a hook: every failure, also to read the command line, is EXIT_BLOCKED */
    bool records;      /* what it decides is recorded, or denied: an agent's environment does not
                          say where (hook_environment.h) */
};

/* command_NAME for each row of commands.def. */
#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.def"

/* All of them, in that order; ends with NULL. */
extern const struct command *const commands[];

/* The program itself, for `warder --help`: without a name. */
extern const struct command command_program;

/* The command whose name words[0..count) begin with; the longest name wins. *used: how many words
 * the name has. */
const struct command *command_find(size_t count, const char *const *words, size_t *used);

/* Is `word` the first word of names that have two? */
bool command_is_family(const char *word);

/* 'unknown command "chek"; did you mean check?' `second` may be NULL. */
void complain_of_command(struct arena *a, const char *first, const char *second);

/* "Usage: warder check [options] TOOL ..." on standard error; returns EX_USAGE. */
int usage_error(const struct command *command);

#endif
