/* command_options.h - which options a command has, however they are spelled.
 *
 * `rm -rf x`, `rm -r -f x`, `rm x -fR` and `rm --force --rec x` are the same command: a rule that
 * forbids one of them forbids all. The row of the program knows the names of each option and which
 * of them take a value. */
#ifndef PROGRAMS_COMMAND_OPTIONS_H
#define PROGRAMS_COMMAND_OPTIONS_H

#include "programs/programs.h"

struct command_option {
    struct str names; /* of a row: all of them; else the one that was written */
    bool has_value;
    struct str value;
    size_t word; /* where it was written; that of its value may be the next one */
    /* no row lists it: what else it is called, and whether it takes a value, is not known */
    bool unlisted;
    bool optional; /* it may have a value, which is written without a blank */
    bool implied;  /* another one has it in it: whoever has that one has this one */
};
struct command_option_list LIST_OF(struct command_option);
struct command_operands LIST_OF(size_t);

struct command_options {
    struct command_option_list options;
    struct command_operands operands; /* words: the program and the subcommand are the first */
    size_t named;     /* how many of them are the program and its subcommand, by their rows */
    bool complete;    /* ... and no further subcommand can follow */
    bool abbreviates; /* long options may be shortened */
    bool lists_none;  /* the row of the program says nothing of its options */
    bool bits;        /* an operand is a mode of files */
    bool open;        /* a file or a text has more options, which are not known */
    char mark;        /* in front of operands that are an option, too (git push +main); 0: none */
};

/* Is `written` the beginning of one of these names? */
bool command_option_shortened(struct str written, struct str names);
/* Is one option named by letters alone, and the other by longer names alone? Where a row does not
 * list all names of an option, they may be the same one. */
bool command_option_other_kind(struct str names, struct str others);

/* May the variable, which the call sets, say what an option of the program says? `names` are those
 * of the option. */
bool command_option_set_by(struct str program, struct str variable, struct str names);

/* The rows of the programs of which some variable says what one option says; NULL after the last.
 */
const struct program_row *program_told_next(size_t *at);
/* Does this variable, of the program of such a row? */
bool command_option_told_by(const struct program_row *row, struct str variable);

/* Reads any word with a dash in front as an option, up to "--": for deny rules, which compare it
 * with what they name. NAME=value is an option, too. `more` may be NULL. */
void command_options(struct arena *a, const struct shell_word *words, size_t count,
                     const struct program_rows *more, struct command_options *out);

#endif
