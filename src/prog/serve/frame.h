/* frame.h - the part of WebSocket that a server needs that only sends: the handshake; text and
 * pings out; pings, pongs and close in. */
#ifndef SERVE_FRAME_H
#define SERVE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "serve/bytes.h"

enum frame_kind {
    FRAME_NONE = 0, /* incomplete */
    FRAME_TEXT = 1,
    FRAME_CLOSE = 8,
    FRAME_PING = 9,
    FRAME_PONG = 10,
    FRAME_BAD = 16, /* violates the protocol */
    FRAME_UNWANTED, /* data, which this server does not expect */
};

enum {
    CLOSE_GOING_AWAY = 1001,
    CLOSE_PROTOCOL = 1002,
    CLOSE_UNWANTED = 1003,
    CLOSE_POLICY = 1008,
    CLOSE_INTERNAL = 1011,
    CLOSE_TRY_AGAIN_LATER = 1013,
};

#define FRAME_CONTROL_MAX 125u

/* The first frame in the bytes of a client. *used: its length; payload: FRAME_CONTROL_MAX bytes,
 * unmasked. */
enum frame_kind frame_read(struct str bytes, size_t *used, char *payload, size_t *len);

bool frame_add(struct bytes *out, enum frame_kind kind, struct str payload);
bool frame_add_close(struct bytes *out, unsigned code, const char *why);

/* The answer to a Sec-WebSocket-Key; false if it is not a valid one. */
#define FRAME_ACCEPT_MAX 32
bool frame_accept(struct str key, char out[FRAME_ACCEPT_MAX]);

#endif
