/* names.h - tables by the names of commands. A command is searched in several of them, so the build
 * makes one index of all names (tools/gen/make_shell_names.c), and one search in it answers for all
 * tables. */
#ifndef SHELL_NAMES_H
#define SHELL_NAMES_H

#include "base/str.h"

enum names_column {
    NAMED_BUILTIN = 0,
    NAMED_PRINTER,
    NAMED_RUNNER,
    NAMED_WRAPPER, /* 1: a row of programs/ wraps a command, and no runner is of this name */
    NAMED_WRITER,
    NAMED_ZSH,
    NAMED_COLUMNS,
};

/* Rows whose first member is their name, sorted by it (by bytes). */
struct names {
    const void *rows;
    size_t count, size;
    enum names_column column;
};
#define NAMES(table, column)                                                                       \
    {                                                                                              \
        (table), COUNT(table), sizeof((table)[0]), (column)                                        \
    }

#define NAME_SLOTS 1024u /* a power of two; less than a third of them is taken */
#define NAME_SIZE  24    /* with the NUL */

/* A name, and which row it has in each of the tables, counted from 1; 0: none. */
struct named {
    char name[NAME_SIZE];
    unsigned char len;
    unsigned char rows[NAMED_COLUMNS];
};

/* FNV-1a. The names in the tables are fixed: an attacker cannot make them collide. */
static inline uint32_t name_hash(const char *name, size_t len)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)name[i]) * 16777619u;
    return hash ^ hash >> 15;
}

#endif
