/* evidence.h - when a call last came from each client: the one proof that it really asks Warder. */
#ifndef CONNECT_EVIDENCE_H
#define CONNECT_EVIDENCE_H

#include "client/client.h"

/* The session of doctor's own calls, which prove nothing. */
#define CANARY_SESSION "canary"

struct evidence {
    int64_t at; /* milliseconds since 1970; 0: no call is on record */
};

/* By the place of the client in clients[]; `home` NULL: as warder_log_open(). A record that cannot
 * be read is no proof: then nothing is found, and `err` says why. */
enum status evidence_find(const char *home, struct evidence *out, size_t count, struct error *err);

#endif
