/* service.h - the line to a running service: one call there, one answer back, over its unix socket.
 *
 * The service decides what may run, so the socket is trusted only if no other user could have put
 * it there: its directory belongs to us or to root, no other user can write it, and the process
 * that serves it runs as us or as root. Nothing waits longer than its deadline. */
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
    bool own;   /* the service runs as our own user */
    bool sent;  /* part of a call was sent: from here on only the service may decide it */
    char *text; /* malloc'ed: the part of the answer that has arrived */
    size_t len, room;
};

/* Connects to `directory`/warder.sock. STATUS_IO: no service answers. STATUS_UNSAFE: one that is
 * not trusted. Call service_close() in every case. */
enum status service_open(struct service_line *line, const char *directory, struct error *err);
void service_close(struct service_line *line);

/* Sends a call with its line feed in one write, so that the service wakes up once. The previous
 * answer must have been taken. */
enum status service_send(struct service_line *line, struct str call, int64_t deadline,
                         struct error *err);

/* Reads without waiting. *out is empty until the answer is complete; it has no line feed and is
 * valid until the next call. */
enum status service_read(struct service_line *line, struct str *out, struct error *err);

/* The whole answer; waits for it. */
enum status service_receive(struct service_line *line, int64_t deadline, struct str *out,
                            struct error *err);

#endif
