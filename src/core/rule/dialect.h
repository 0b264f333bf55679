/* dialect.h - how the rule syntaxes of different systems are read, as a table. */
#ifndef RULE_DIALECT_H
#define RULE_DIALECT_H

#include "rule/rule.h"

struct dialect_row {
    const char *name;
    const char *escapes;    /* bytes that a backslash makes literal in the content */
    const char *tool_magic; /* wildcards in tool names */
    const char *magic;      /* wildcards in the content, which is the part after the tool name */
    enum matcher plain;     /* how the content is matched without wildcards */
    enum matcher starred;   /* and with them */
    unsigned flags;         /* glob_flags for its globs */
    bool colon;             /* has the spelling Tool:glob */
    bool prefix;            /* x:* is a prefix on a word boundary */
    bool tail;              /* a trailing " *" may match nothing */
    bool fields;            /* field:pattern names an input field */
    bool paths;             /* the content of a path tool is gitignore-style */
    bool domains;           /* WebFetch(domain:h) */
    bool servers;           /* a bare MCP server means all its tools, even in allow rules */
    /* the spec matches the raw command: deny and ask check it even if it was understood */
    bool raw;
};

const struct dialect_row *dialect_row(enum dialect d);

#endif
