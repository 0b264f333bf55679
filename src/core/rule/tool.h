/* tool.h - how the content of a rule is read, for the tools that people write rules about.
 *
 * Smaller than the table in call/tool.c: a rule only needs to know whether its content is a
 * command, a path, a URL or just text. */
#ifndef RULE_TOOL_H
#define RULE_TOOL_H

#include "base/str.h"

enum rule_content {
    CONTENT_TEXT = 0, /* also for tools that are not in the table */
    CONTENT_COMMAND,
    CONTENT_PATH,
    CONTENT_URL,
};

struct rule_tool {
    const char *name;
    enum rule_content content;
    unsigned access; /* of CONTENT_PATH: ACCESS_ bits */
    bool family; /* an allow rule on it covers all tools with the same access, not only itself */
};

/* NULL if it is not in the table. */
const struct rule_tool *rule_tool_find(struct str name);
const struct rule_tool *rule_tool_rows(size_t *count);

/* Is this, in any client, the input field for the command of a shell tool, or the path of a file
 * tool? */
bool rule_field_is_command(struct str field);
bool rule_field_is_path(struct str field);

#endif
