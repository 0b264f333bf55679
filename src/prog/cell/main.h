/* main.h - how the program ends when it is not the command that says so. */
#ifndef CELL_MAIN_H
#define CELL_MAIN_H

enum {
    EXIT_NOT_CONTAINED = 125, /* nothing was run */
};

#endif
