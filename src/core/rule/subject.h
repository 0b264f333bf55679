/* subject.h - what a rule is matched against: one action.
 *
 * A call of a file tool, a fetch or an MCP tool is one subject; a shell command has one per action.
 * facts/actions.c builds them. */
#ifndef RULE_SUBJECT_H
#define RULE_SUBJECT_H

#include <stdbool.h>

#include "base/list.h"
#include "base/str.h"

enum { ACCESS_READ = 1, ACCESS_WRITE = 2, ACCESS_DELETE = 4, ACCESS_RUN = 8 };

struct subject_paths;
struct path_class_memory;
struct subject_path {
    struct str written; /* absolute, cleaned, links not followed; a pattern if `pattern` is set */
    /* links followed; same as `written` if there are none; empty if not known */
    struct str resolved;
    unsigned access;
    /* mktemp has just created it or its directory: no other process knows the name */
    bool fresh;
    bool unlikely; /* what the path before it would be if mktemp failed */
    bool climbs;   /* has a ".." after a name: on the disk that may lead elsewhere */
    /* another spelling of another path, see utf8_fold.h; only deny and ask rules check it */
    bool folded;
    bool below;  /* the contents of a directory that has its own entry; only rules check it */
    bool listed; /* only its name, size and dates are read, or what is in it is listed (ls, stat) */
    /* with `below`, or of a pattern that also means everything below what it matches: the files
     * there are touched themselves, not only their names */
    bool tree;
    /* a shell glob or a word with unknown parts: means every path it could match. In glob.h
     * syntax with GLOB_PATH: '*' within a component, '**' across components */
    bool pattern;
    /* perhaps not a path at all (an operand of an unknown program): deny and ask check it, allow
     * ignores it */
    bool uncertain;
    struct path_class_memory *places; /* cache of the layers (sensitive_paths.h); NULL: none */
    /* of a pattern: the files that it matches now; NULL: not known. Deny and ask still check all
     * that it could match */
    const struct subject_paths *files;
    bool visible; /* of a shell: for its wildcards no name begins with a dot */
};
struct subject_paths LIST_OF(struct subject_path);

struct subject_field {
    struct str name, value; /* scalars as text; lists and objects as compact JSON */
};
struct subject_fields LIST_OF(struct subject_field);

struct subject {
    /* The tool as it was called, then all its other names. */
    struct strs names;
    struct strs above;    /* names of tools whose bare deny and ask rules hold for it as well */
    bool shell;           /* an action of a shell command */
    bool known_tool;      /* in our table: rules can then only name declared fields */
    struct strs declared; /* the tool's field names, in blank-separated lists */
    struct subject_fields fields;

    bool has_first;   /* the tool has a first argument */
    struct str first; /* its value; for a shell tool the whole command */

    /* Shell actions: normal forms; forms_allow[0] is the written one. Other tools: only the first
     * argument. */
    struct strs forms_allow, forms_deny;
    struct strs words; /* the words of an action, for flags */
    bool whole;        /* the only action of its command */
    bool understood;

    struct subject_paths paths;
    struct strs hosts; /* lower case, without port and trailing dot */
    bool fetches;      /* a command that does no more than fetch from them (facts/fetches.h) */

    unsigned does;         /* DOES_ bits (effect.h); only where a rule is about effects */
    unsigned does_widely;  /* ... and those that only deny and ask rules count */
    unsigned does_perhaps; /* ... and those that it may have, if a word says so at run time */
    bool does_unknown;     /* ... and it may do anything else */
};

#endif
