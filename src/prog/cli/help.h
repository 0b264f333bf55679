/* help.h - help and usage, printed from the table of commands. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/command.h"

void help_program(FILE *to);
void help_short(FILE *to); /* what `warder` alone prints */
void help_one(FILE *to, const struct command *command);
void help_family(FILE *to, const char *word); /* the commands whose names begin with this word */

/* The rows of the table as JSON: one, or those that begin with a word; NULL: all. */
void help_json(struct cli *cli, const struct command *command);
void help_family_json(struct cli *cli, const char *word);

#endif
