/* frame.h - WebSocket, as far as a server needs it that talks and does not listen: the handshake,
 * texts and pings out; pings, pongs and the close in. */
#ifndef SERVE_FRAME_H
#define SERVE_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"
#include "serve/bytes.h"

enum frame_kind {
    FRAME_NONE = 0, /* not whole yet */
    FRAME_TEXT = 1,
    FRAME_CLOSE = 8,
    FRAME_PING = 9,
    FRAME_PONG = 10,
    FRAME_BAD = 16, /* it breaks the protocol */
    FRAME_UNWANTED, /* it says something, and nothing is expected */
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

/* The first frame of what a client has sent. *used: its bytes; payload: FRAME_CONTROL_MAX bytes,
 * unmasked. */
enum frame_kind frame_read(struct str bytes, size_t *used, char *payload, size_t *len);

bool frame_add(struct bytes *out, enum frame_kind kind, struct str payload);
bool frame_add_close(struct bytes *out, unsigned code, const char *why);

/* The answer to a Sec-WebSocket-Key; false when it is none. */
#define FRAME_ACCEPT_MAX 32
bool frame_accept(struct str key, char out[FRAME_ACCEPT_MAX]);

#endif
