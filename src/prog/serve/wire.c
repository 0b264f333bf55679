#include "serve/wire.h"

#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "serve/limits.h"
#include "serve/say.h"

SSL_CTX *wire_tls(const char *certificate, const char *key)
{
    SSL_CTX *tls = SSL_CTX_new(TLS_server_method());
    char why[200];

    if (tls && SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) == 1 &&
        SSL_CTX_use_certificate_chain_file(tls, certificate) == 1 &&
        SSL_CTX_use_PrivateKey_file(tls, key, SSL_FILETYPE_PEM) == 1 &&
        SSL_CTX_check_private_key(tls) == 1) {
        SSL_CTX_set_mode(tls, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
        SSL_CTX_set_options(tls, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
        return tls;
    }
    ERR_error_string_n(ERR_get_error(), why, sizeof why);
    serve_say("TLS with %s and %s: %s", certificate, key, why);
    SSL_CTX_free(tls);
    return NULL;
}

void wire_tls_free(SSL_CTX *tls)
{
    SSL_CTX_free(tls);
}

bool wire_open(struct wire *w, int fd, SSL_CTX *tls)
{
    const int on = 1, room = SEND_BUFFER;

    *w = (struct wire){.fd = fd};
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    if (!tls)
        return true;
    w->tls = SSL_new(tls);
    if (w->tls && SSL_set_fd(w->tls, fd) == 1) {
        SSL_set_accept_state(w->tls);
        return true;
    }
    wire_close(w);
    return false;
}

void wire_close(struct wire *w)
{
    SSL_free(w->tls);
    if (w->fd >= 0)
        close(w->fd);
    *w = (struct wire){.fd = -1};
}

void wire_end(struct wire *w)
{
    if (w->tls)
        (void)SSL_shutdown(w->tls);
    (void)shutdown(w->fd, SHUT_WR);
}

/* The result of a TLS call. */
static ssize_t tls_result(struct wire *w, int n)
{
    int error = SSL_get_error(w->tls, n);

    w->wants_write = error == SSL_ERROR_WANT_WRITE;
    ERR_clear_error();
    if (n > 0)
        return n;
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE)
        return WIRE_LATER;
    return error == SSL_ERROR_ZERO_RETURN ? 0 : -1;
}

static ssize_t plain_result(ssize_t n)
{
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? WIRE_LATER
           : n < 0                                                              ? -1
                                                                                : n;
}

ssize_t wire_read(struct wire *w, char *room, size_t size)
{
    if (w->tls)
        return tls_result(w, SSL_read(w->tls, room, size < INT_MAX ? (int)size : INT_MAX));
    return plain_result(recv(w->fd, room, size, 0));
}

ssize_t wire_write(struct wire *w, const char *bytes, size_t len)
{
    if (w->tls)
        return tls_result(w, SSL_write(w->tls, bytes, len < INT_MAX ? (int)len : INT_MAX));
    return plain_result(send(w->fd, bytes, len, MSG_NOSIGNAL));
}
