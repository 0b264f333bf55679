/* tool.h - the table of tools: what each does, and which of its arguments are commands or paths.
 *
 * One row per tool, with other clients' names for it as aliases. A tool that is not here is
 * unknown, and unknown means high risk. */
#ifndef CALL_TOOL_H
#define CALL_TOOL_H

#include <stdbool.h>

#include "base/str.h"

enum tool_kind {
    TOOL_OTHER = 0, /* not in the table */
    TOOL_SHELL,
    TOOL_STDIN,  /* types into a program that is already running */
    TOOL_READ,   /* reads the files it names */
    TOOL_SEARCH, /* reads below a directory: glob, grep, list */
    TOOL_EDIT,   /* writes the file it names */
    TOOL_PATCH,  /* writes the files that a patch text names */
    TOOL_FETCH,
    TOOL_QUERY, /* a web search */
    TOOL_AGENT,
    TOOL_PLAN_ENTER,
    TOOL_PLAN_EXIT,
    TOOL_QUESTION, /* asks the person something */
    TOOL_NOTE,     /* changes only the agent's own notes: to-do lists, task states */
    TOOL_MCP,
};

/* Critical is zero on purpose: a risk that was never set is the worst one. */
enum risk { RISK_CRITICAL = 0, RISK_HIGH, RISK_MEDIUM, RISK_LOW, RISK_NONE };
#define RISK_COUNT 5

struct tool {
    struct str name; /* as in Claude Code, where it has the tool; all names are NUL-terminated */
    enum tool_kind kind;
    enum risk risk;
    /* names of the first argument, separated by blanks; the first one present counts */
    struct str first;
    struct str paths;          /* arguments that are paths */
    struct str others;         /* further arguments */
    const struct str *aliases; /* other names of the tool */
    size_t alias_count;
    /* Tools that do the same, or more: who denies one of them by its bare name, or asks about it,
     * means this one, too. Separated by blanks. An allow rule does not. */
    struct str under;
};

/* NULL if it is unknown. */
/* NULL after the last. */
const struct tool *tool_at(size_t number);

const struct tool *tool_find(struct str name);

/* All rows, for lists and tests. */
const struct tool *tool_rows(size_t *count);

/* All names of the tools that the tool is `under`. */
struct strs tool_names_above(struct arena *a, const struct tool *t);

const char *risk_name(enum risk r);

/* "mcp__github__create_issue": the server is "github". False when the name is not of that form. */
bool tool_mcp_server(struct str name, struct str *server);

#endif
