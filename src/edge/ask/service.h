/* service.h - the line to a running service: one call there, one answer back, over its unix socket.
 *
 * Whoever answers here decides what may run, so the socket is believed only where nobody else could
 * have put it: its directory belongs to us or to root and nobody else can write it, and the process
 * behind it runs as us or as root. Nothing waits longer than its deadline. */
#ifndef ASK_SERVICE_H
#define ASK_SERVICE_H

#include "ask/race.h"
#include "base/error.h"
#include "base/json.h"
#include "base/str.h"

#define SERVICE_SOCKET   "warder.sock"
#define SERVICE_LINE_MAX ((size_t)JSON_MAX_BYTES) /* of an answer */

struct service_line {
    int fd;     /* -1: none */
    bool sent;  /* something of a call has left: from here on nobody else may decide it */
    char *text; /* malloc'ed: what has come of the answer */
    size_t len, room;
};

/* Connects to `directory`/warder.sock. STATUS_IO: nobody is there. STATUS_UNSAFE: somebody is, whom
 * we do not believe. service_close() in every case. */
enum status service_open(struct service_line *line, const char *directory, struct error *err);
void service_close(struct service_line *line);

/* Sends a call with its line feed, so that the service wakes up once; the answer to the one before
 * must have been taken. */
enum status service_send(struct service_line *line, struct str call, int64_t deadline,
                         struct error *err);

/* What has come so far, without waiting. *out is empty as long as the answer is not whole; without
 * its line feed, and valid until the next call. */
enum status service_read(struct service_line *line, struct str *out, struct error *err);

/* The whole answer; waits for it. */
enum status service_receive(struct service_line *line, int64_t deadline, struct str *out,
                            struct error *err);

#endif
