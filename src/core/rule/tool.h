/* tool.h - what the part behind a tool's name is in a rule, for the tools that people write rules
 * about.
 *
 * Smaller than the table of tools that calls are read with: a rule only needs to
 * know whether its content is a command, a path, an address or just text. */
#ifndef RULE_TOOL_H
#define RULE_TOOL_H

#include "base/str.h"

enum rule_content {
    CONTENT_TEXT = 0, /* of every tool that is not in the table */
    CONTENT_COMMAND,
    CONTENT_PATH,
    CONTENT_URL,
};

struct rule_tool {
    const char *name;
    enum rule_content content;
    unsigned access; /* CONTENT_PATH: ACCESS_ bits */
    bool family; /* an allow rule on it covers all tools with the same access; else only itself */
};

/* NULL for a tool that is not in the table. */
const struct rule_tool *rule_tool_find(struct str name);
const struct rule_tool *rule_tool_rows(size_t *count);

/* Input fields that hold the command of a shell tool, or the path of a file tool, in one client or
 * another. */
bool rule_field_is_command(struct str field);
bool rule_field_is_path(struct str field);

#endif
