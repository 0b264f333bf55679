/* dialect.h - what the spellings of the several systems mean, as a table. */
#ifndef RULE_DIALECT_H
#define RULE_DIALECT_H

#include "rule/rule.h"

struct dialect_row {
    const char *name;
    const char *escapes;    /* bytes that a backslash in front makes literal, in the part behind the
                               tool name */
    const char *tool_magic; /* wildcards in tool names */
    const char *magic;      /* wildcards in the part behind the tool name */
    enum matcher plain;     /* what that part means without wildcards */
    enum matcher starred;   /* and with them */
    unsigned flags;         /* glob_flags that its own globs are compiled with */
    bool colon;             /* Tool:glob is a spelling */
    bool prefix;            /* x:* is a prefix on a word boundary */
    bool tail;              /* a trailing " *" matches nothing, too */
    bool fields;            /* field:pattern names an input field */
    bool paths;             /* the part behind a path tool is gitignore-style */
    bool domains;           /* WebFetch(domain:h) */
    bool servers;           /* a bare MCP server means all its tools, in allow rules as well */
    bool raw; /* the spec matches the command's text: deny and ask look at it even when it was
                 understood */
};

const struct dialect_row *dialect_row(enum dialect d);

#endif
