/* mcp_resource.h - the resource that an MCP client asks a server for, as a tool call. */
#ifndef CLI_MCP_RESOURCE_H
#define CLI_MCP_RESOURCE_H

#include "base/str.h"

enum mcp_resource {
    RESOURCE_UNCLEAR = 0, /* two programs could read it differently: it is not passed on */
    RESOURCE_FILE,        /* as the tool Read reads it; *argument is the path */
    RESOURCE_WEB,         /* as WebFetch; *argument is the URL */
    RESOURCE_OWN,         /* of a scheme of the server's own */
};

enum mcp_resource mcp_resource_read(struct arena *a, struct str uri, struct str *argument);

#endif
