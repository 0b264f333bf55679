/* variables.h - what setting an environment variable does to the programs that are started. */
#ifndef PROGRAMS_VARIABLES_H
#define PROGRAMS_VARIABLES_H

#include <stdbool.h>

#include "base/str.h"

enum variable_use {
    VARIABLE_STEERS = 1,      /* it can make a program run code, read other files or talk to another
                                 host */
    VARIABLE_NOTED = 2,       /* the shell's analysis notes it: "dangerous-variable" */
    VARIABLE_HARMLESS = 4,    /* it does not steer, though its family does */
    VARIABLE_TRANSPARENT = 8, /* an allow rule for a command covers `env NAME=value command` */
    VARIABLE_TEXT = 16,       /* whatever its value is, it is only a text */
    VARIABLE_AS_OPTION = 32,  /* one program has an option that says the same */
    VARIABLE_COMMAND = 64,    /* its value is a command, or begins one */
};

/* The bits of all rows that fit the name; 0: nothing is known of it. */
unsigned variable_uses(struct str name);

/* With VARIABLE_AS_OPTION: that program and its option, "aws --profile". A test checks that the row
 * of the program calls the option's value only data. */
const char *variable_option(struct str name);

/* Is it certain to steer? Not if only its family does (AWS_*), and it is not noted: of such a name,
 * and of one that is in no row, a person may say that it steers nothing. */
bool variable_surely_steers(struct str name);

/* Does the name fit a pattern of the table: NAME, BEGIN* or *END? */
bool variable_fits(const char *pattern, struct str name);
bool variable_matches(struct str pattern, struct str name);

/* The pattern of a row, for tests; NULL after the last. */
const char *variable_at(size_t index);

#endif
