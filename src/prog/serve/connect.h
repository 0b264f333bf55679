/* connect.h - `warder-serve --connect HOST:PORT`: one TLS connection for another program, which has
 * no TLS of its own. That is `warder mcp proxy`, whose every other start must not load OpenSSL.
 *
 * The other program has the far end of descriptor 0, a socket. The first line on it says how the
 * connection went: empty, or what is wrong. Then the bytes of both sides are passed on. */
#ifndef SERVE_CONNECT_H
#define SERVE_CONNECT_H

/* ca: further certificates that are trusted; NULL: those of the system alone. Returns the exit
 * code. */
int connect_run(const char *place, const char *ca);

#endif
