/* mcp_http.h - `warder mcp proxy` over HTTP: the Streamable HTTP transport of MCP, revision
 * 2026-07-28, and as far as it is one POST and its answer also that of the revisions before it.
 *
 * One request a connection, one thread each. The request is read strictly, judged by its body, and
 * sent on as it was read; a header that says something else than the body is refused. The answer is
 * passed on as it comes, also as a stream of events. */
#ifndef CLI_MCP_HTTP_H
#define CLI_MCP_HTTP_H

/* Serves until it is told to stop. place: HOST:PORT of this machine; url: http://... or
 * https://...; ca: a file with further certificates to trust, or NULL. Returns the exit code. */
int mcp_http_run(const char *place, const char *url, const char *ca);

#endif
