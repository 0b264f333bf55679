/* mcp_judge.h - which messages of an MCP client reach its server; the same for both transports. */
#ifndef CLI_MCP_JUDGE_H
#define CLI_MCP_JUDGE_H

#include "cli/rpc.h"

/* Before anything else. server: the name in mcp__SERVER__TOOL. They live as long as the process. */
void mcp_open(warder_engine *engine, struct str server, struct str session);

struct mcp_verdict {
    bool forward;    /* `text` is the message for the server, written again from what was read */
    struct str text; /* else the answer for the client, a line; empty: a notification has none */
    int code;        /* of an answer that is an error; 0: it is a result */
};

/* From any thread, below an arena_try(). A person may be asked. */
struct mcp_verdict mcp_judge(struct arena *a, struct rpc_message *m);
/* A message that was not judged. */
struct mcp_verdict mcp_refuse(struct arena *a, const struct rpc_message *m, const char *why);
bool mcp_may_wait(const struct rpc_message *m); /* could judging it take long? */

/* A message of the server: what it says about its tools is remembered. */
void mcp_hear(struct arena *a, const struct rpc_message *m);

#endif
