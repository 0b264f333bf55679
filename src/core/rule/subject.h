/* subject.h - what a rule is held against: one action, in the rule room's words.
 *
 * A file tool, a fetch or an MCP call is one subject. A shell command is as many
 * as it has actions. Who builds subjects: facts/actions.c. */
#ifndef RULE_SUBJECT_H
#define RULE_SUBJECT_H

#include <stdbool.h>

#include "base/list.h"
#include "base/str.h"

enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_DELETE = 4, ACCESS_RUN = 8 };

struct subject_paths;
struct path_class_memory;
struct subject_path {
    struct str written; /* absolute, cleaned, links not followed; a pattern when `pattern` is set */
    struct str resolved; /* links followed; equal to `written` when there are none; empty when it
                            cannot be told */
    unsigned access;
    bool fresh;    /* mktemp has just made it, or what it lies in: nobody else knows of it */
    bool unlikely; /* what is meant instead of the path before it if mktemp failed */
    bool climbs;   /* ".." stands in it behind a name: on the disk that may lead elsewhere */
    bool folded; /* another spelling of one of the others, see utf8_fold.h; only deny and ask rules
                    look at it */
    bool below; /* stands for whatever lies in a directory that is listed by itself; only rules look
                   at it */
    bool tree;  /* with `below`: the contents of all that lies there are touched, not only names */
    bool
        pattern;    /* a shell glob or a word with unknown parts: it stands for every path it could
                       match. Written as   for glob.h with GLOB_PATH: '*' within a component, '**' as a
                       component across them, [!.]* where   the shell would not take a leading dot */
    bool uncertain; /* perhaps no path at all (an operand of a program nobody knows): deny and ask
                       look at it, allow ignores it */
    struct path_class_memory
        *places; /* for the layers (sensitive_paths.h); NULL: it is looked up each time */
    const struct subject_paths *files; /* of a pattern: the files that it matches now; NULL: that is
                                          not known. Deny and ask look at all that it could match */
};
struct subject_paths LIST_OF(struct subject_path);

struct subject_field {
    struct str name, value; /* scalars as text; lists and objects as compact JSON */
};
struct subject_fields LIST_OF(struct subject_field);

struct subject {
    /* The tool as it was called, then every other name the same tool goes by. */
    struct strs names;
    bool shell; /* an action of a shell command */
    bool
        known_tool; /* the tool is in our table: then only declared fields can be named by a rule */
    struct strs declared; /* the field names that the tool has, in lists separated by blanks */
    struct subject_fields fields;

    bool has_first;   /* the tool has a first argument */
    struct str first; /* its value; of a shell tool: the whole command text */

    /* Shell actions: normal forms. forms_allow[0] is the written one. Other tools: the first
     * argument, once. */
    struct strs forms_allow, forms_deny;
    struct strs words; /* an action's words, for flags */
    bool whole;        /* this is the only action of its command */
    bool understood;

    struct subject_paths paths;
    struct strs hosts; /* lower case, without port and trailing dot */
};

#endif
