/* wire.h - a connection's descriptor, with TLS or without. */
#ifndef SERVE_WIRE_H
#define SERVE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef struct ssl_st SSL;
typedef struct ssl_ctx_st SSL_CTX;

struct wire {
    int fd;
    SSL *tls;         /* NULL: none */
    bool wants_write; /* TLS must send before it can read */
};

/* NULL after printing what is wrong. */
SSL_CTX *wire_tls(const char *certificate, const char *key);
void wire_tls_free(SSL_CTX *tls);

/* Takes over the non-blocking descriptor. tls NULL: none. False if out of memory; it is closed
 * then. */
bool wire_open(struct wire *wire, int fd, SSL_CTX *tls);
void wire_close(struct wire *wire);
/* Sends nothing more; the other side may still be read. */
void wire_end(struct wire *wire);

#define WIRE_LATER (-2)
/* The number of bytes; 0: the other side has closed; -1: the connection is broken; WIRE_LATER: not
 * now. */
ssize_t wire_read(struct wire *wire, char *room, size_t size);
ssize_t wire_write(struct wire *wire, const char *bytes, size_t len);

#endif
