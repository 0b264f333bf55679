/* evasion_code.h - what evasion_code.c needs to know of other languages: their strings, the
 * arguments of a function, operators that start a command, and lines that do. */
#ifndef DECIDE_EVASION_CODE_H
#define DECIDE_EVASION_CODE_H

#include "decide/evasion.h"

struct code {
    struct evasion *e;
    struct str text;
    const char *ways; /* column `launches` of the program; NULL: not known */
    /* The last string so far: its quotes. One that is open has its end before its beginning. */
    size_t opened, closed;
    size_t looked; /* places where a command may begin */
};

#define CODE_PLACES_MAX 256 /* of one text: each of them may be read to its end */

/* Is there one place too many? That is doubt. */
bool code_is_too_long(struct code *c);

/* Does the language have this way to start a command? One that is not known has all. */
static inline bool code_has(const struct code *c, char way)
{
    return !c->ways || strchr(c->ways, way) != NULL;
}

struct code_string {
    struct str text; /* between its quotes */
    struct str said; /* the same without escapes, or as far as they are understood */
    bool known;      /* nothing in it is filled at run time */
    size_t end;      /* the byte after it */
};

/* The string that begins at this quote, or behind q, qq, qw or qx; false: none does. */
bool code_string(const struct code *c, size_t at, struct code_string *out);

struct code_arguments {
    struct strs texts; /* the strings, in order; those that are joined are one */
    struct strs raw;   /* the same with backslashes as they are, if there are any */
    bool known;        /* nothing else says what is run */
    bool joined;       /* some of them were put together from two */
    bool none;         /* system() */
};

/* What follows the name of a function, with or without brackets. */
void code_arguments(const struct code *c, size_t at, struct code_arguments *out);
/* The same of the first of them; 0: all. */
void code_first_arguments(const struct code *c, size_t at, size_t most, struct code_arguments *out);

/* Functions that open, list, change or delete the files that an argument names, and what may name
 * one to come (ARGV). */
bool code_names_opener(struct str name);
/* One of them, between these places: its files are known, or not before run time. */
void code_opens(struct code *c, size_t at, size_t end);

/* A command between backticks. */
void code_backtick(struct code *c, size_t at);
/* awk: "command" | getline, print | "command". */
void code_pipe(struct code *c, size_t at);
/* Perl and Ruby: open(F, "command |"), open(F, "-|", "command"); `at` is behind the name. */
void code_open(struct code *c, size_t at);
/* sed: the command `e`, and the flag of `s`. */
void code_sed(struct code *c);
/* Lines of which a part is a command: vim's !, the recipes of make. */
void code_lines(struct code *c);

#endif
