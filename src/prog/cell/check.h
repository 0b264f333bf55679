/* check.h - whether this machine can build a cell that holds: one is built, and probed. */
#ifndef CELL_CHECK_H
#define CELL_CHECK_H

/* Prints one line of JSON: the tier, and why not a better one. The exit code of the program: 0 if
 * there is a tier. */
int check_run(void);

#endif
