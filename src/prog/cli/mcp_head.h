/* mcp_head.h - the head of an HTTP message, read strictly: what two readers could read in two ways
 * is refused. */
#ifndef CLI_MCP_HEAD_H
#define CLI_MCP_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

#define MCP_HEAD_MAX   ((size_t)32 * 1024) /* bytes of a head */
#define MCP_FIELDS_MAX 100                 /* headers of one */

struct mcp_field {
    struct str name, value;
};

struct mcp_head {
    struct str first; /* the request line or the status line */
    struct mcp_field fields[MCP_FIELDS_MAX];
    size_t count;
};

/* `text` is a whole head, without its empty line; *out points into it. False: it is not one, or a
 * header that must be single is there twice. */
bool mcp_head_read(struct str text, struct mcp_head *out);
/* s NULL: it is absent. */
struct str mcp_head_get(const struct mcp_head *head, const char *name);
/* The number in Content-Length. False: it is not one, or more than `max`. */
bool mcp_head_length(const struct mcp_head *head, size_t max, size_t *out);

#endif
