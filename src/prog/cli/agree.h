/* agree.h - a person at the terminal says yes to what was shown. */
#ifndef CLI_AGREE_H
#define CLI_AGREE_H

#include "cli/command.h"

/* EXIT_YES, EXIT_NO, or EX_USAGE after a complaint when there is no terminal. --yes is yes.
 */
int agree(struct cli *cli, const char *question);

/* The number of one of `count` things that were shown; 0: none of them. */
size_t choose_number(size_t count);

/* A question whose answer is yes unless a person says no; no where nobody is at a terminal. */
bool agree_unless_no(const char *question);

#endif
