/* mcp_mirror.h - headers of an MCP request that repeat what its body says, for those who route by
 * them. */
#ifndef CLI_MCP_MIRROR_H
#define CLI_MCP_MIRROR_H

#include "cli/mcp_head.h"
#include "cli/rpc.h"

#define MCP_REVISION        "2026-07-28"
#define RPC_HEADER_MISMATCH (-32020)

/* NULL: they agree, and what the revision of the request needs is there. Else why not. Below an
 * arena_try(). */
const char *mcp_mirror_fault(struct arena *a, const struct mcp_head *head,
                             const struct rpc_message *m);

#endif
