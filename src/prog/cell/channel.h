/* channel.h - the socket between the keeper and the cell that it builds: short messages, some of
 * them with a descriptor. */
#ifndef CELL_CHANNEL_H
#define CELL_CHANNEL_H

#include <stdbool.h>

#include "base/error.h"

enum message_kind {
    MESSAGE_NONE = 0, /* the other side is gone */
    MESSAGE_GO,       /* to the cell: the keeper is there */
    MESSAGE_SIGNAL,   /* to the cell: `value` is for the command */
    MESSAGE_END,      /* to the cell: end it, and what is protected is mended by the keeper */
    MESSAGE_SERVERS,  /* to the keeper: the descriptor to ask for servers of the cell on */
    MESSAGE_SOCKET,   /* out of the cell: a socket of its network, and `value` what it is for */
    MESSAGE_NETWORK,  /* the same: there are no more of them */
    MESSAGE_LISTENER, /* to the keeper: the descriptor that calls are notified on */
    MESSAGE_ENDED,    /* to the keeper: `value` is the exit code of the command */
    MESSAGE_LEFT,     /* the same, and something of it still runs */
    MESSAGE_FAILED,   /* to the keeper: the cell could not be built; `text` says why */
};

struct message {
    enum message_kind kind;
    int value;
    char text[sizeof(((struct error *)0)->message)];
};

bool channel_send(int channel, const struct message *message, int fd); /* fd -1: none */
/* MESSAGE_NONE at the end, and for what cannot be read. *fd is -1 if none came. */
struct message channel_receive(int channel, int *fd);

#endif
