/* mcp_tls.h - a connection to an https server, by `warder-serve --connect` (see there): this
 * program has no TLS. */
#ifndef CLI_MCP_TLS_H
#define CLI_MCP_TLS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct mcp_tls {
    pid_t helper; /* 0: none */
};

/* A socket to the server, whose certificate is valid for that host; -1: err says why not. ca: NULL
 * or a file. */
int mcp_tls_connect(struct mcp_tls *t, const char *host, const char *port, const char *ca,
                    struct error *err);
/* After the last byte: was that the end that the server made? Ends the helper. */
bool mcp_tls_end(struct mcp_tls *t, bool at_end);

#endif
