#include "serve/connect.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/str.h"

#define FAR         STDIN_FILENO /* the other program */
#define CONNECT_S   10           /* for the server to accept, and for the handshake */
#define PIECE       16384
#define HOST_LENGTH 256

static int give_up(const char *why)
{
    (void)dprintf(FAR, "%s\n", why);
    return EX_UNAVAILABLE;
}

/* HOST:PORT, or [ADDRESS]:PORT. */
static bool read_place(const char *place, char host[HOST_LENGTH], const char **port)
{
    const char *colon = strrchr(place, ':');
    size_t from = place[0] == '[', len = colon ? (size_t)(colon - place) : 0;

    if (!colon || len < 1 + 2 * from || (from && place[len - 1] != ']') || len >= HOST_LENGTH)
        return false;
    snprintf(host, HOST_LENGTH, "%.*s", (int)(len - 2 * from), place + from);
    *port = colon + 1;
    return true;
}

static int open_socket(const char *host, const char *port)
{
    const struct timeval patience = {.tv_sec = CONNECT_S};
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int fd = -1;

    if (getaddrinfo(host, port, &hints, &found) != 0)
        return -1;
    for (struct addrinfo *i = found; i && fd < 0; i = i->ai_next) {
        fd = socket(i->ai_family, i->ai_socktype | SOCK_CLOEXEC, 0);
        if (fd < 0)
            continue;
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        if (connect(fd, i->ai_addr, i->ai_addrlen) != 0) {
            close(fd);
            fd = -1;
        }
    }
    freeaddrinfo(found);
    return fd;
}

/* The certificates of the system, and not those that the environment names. */
static bool trust(SSL_CTX *tls, const char *ca)
{
    bool found = SSL_CTX_load_verify_file(tls, X509_get_default_cert_file()) == 1;

    found |= SSL_CTX_load_verify_dir(tls, X509_get_default_cert_dir()) == 1;
    ERR_clear_error();
    return ca ? SSL_CTX_load_verify_file(tls, ca) == 1 : found;
}

/* Which name the certificate must have. */
static bool expect_host(SSL *s, const char *host)
{
    unsigned char address[sizeof(struct in6_addr)];

    SSL_set_hostflags(s, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (inet_pton(AF_INET, host, address) == 1 || inet_pton(AF_INET6, host, address) == 1)
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(s), host) == 1;
    return SSL_set1_host(s, host) == 1 && SSL_set_tlsext_host_name(s, host) == 1;
}

static void say_why(const SSL *s, char *out, size_t room)
{
    long verified = SSL_get_verify_result(s);

    if (verified != X509_V_OK)
        snprintf(out, room, "its certificate is not valid: %s",
                 X509_verify_cert_error_string(verified));
    else
        snprintf(out, room, "no TLS connection");
}

/* ---- passing on ---- */

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = send(fd, bytes, len, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes += n;
        len -= (size_t)n;
    }
    return true;
}

enum passed { PASSED, PASSED_END, PASSED_BROKEN };

static enum passed pass_in(SSL *s)
{
    char piece[PIECE];

    do {
        int n = SSL_read(s, piece, sizeof piece), error = SSL_get_error(s, n);
        if (n <= 0 && (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE))
            return PASSED; /* something of TLS itself */
        if (n <= 0)
            /* An end that TLS does not confirm may have been made by someone between. */
            return error == SSL_ERROR_ZERO_RETURN ? PASSED_END : PASSED_BROKEN;
        if (!write_all(FAR, piece, (size_t)n))
            return PASSED_BROKEN;
    } while (SSL_pending(s));
    return PASSED;
}

static enum passed pass_out(SSL *s)
{
    char piece[PIECE];
    ssize_t n = recv(FAR, piece, sizeof piece, 0);

    if (n <= 0)
        return PASSED_END;
    for (;;) {
        int sent = SSL_write(s, piece, (int)n), error = SSL_get_error(s, sent);
        if (sent > 0)
            return PASSED; /* all of it: partial writes are not enabled */
        if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE)
            return PASSED_BROKEN;
        struct pollfd p = {.fd = SSL_get_fd(s),
                           .events = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT};
        (void)poll(&p, 1, -1);
    }
}

/* The exit code says whether the end was the server's own. */
static int pass_on(SSL *s)
{
    enum passed how = PASSED;

    while (how == PASSED) {
        struct pollfd p[] = {{.fd = SSL_get_fd(s), .events = POLLIN},
                             {.fd = FAR, .events = POLLIN}};
        if (poll(p, 2, -1) < 0 && errno != EINTR)
            return EX_OSERR;
        if (p[0].revents)
            how = pass_in(s);
        if (how == PASSED && p[1].revents)
            how = pass_out(s);
    }
    return how == PASSED_END ? 0 : EX_IOERR;
}

static int talk(SSL_CTX *tls, int fd, const char *host)
{
    char why[200] = "out of memory";
    SSL *s = SSL_new(tls);
    int code = EX_UNAVAILABLE;

    if (s && SSL_set_fd(s, fd) == 1 && expect_host(s, host) && SSL_connect(s) == 1 &&
        SSL_get_verify_result(s) == X509_V_OK) {
        (void)fcntl(fd, F_SETFL, O_NONBLOCK);
        code = write_all(FAR, "\n", 1) ? pass_on(s) : EX_IOERR;
        (void)SSL_shutdown(s);
    } else {
        if (s)
            say_why(s, why, sizeof why);
        code = give_up(why);
    }
    SSL_free(s);
    return code;
}

int connect_run(const char *place, const char *ca)
{
    char host[HOST_LENGTH];
    const char *port;
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());

    if (!tls || SSL_CTX_set_min_proto_version(tls, TLS1_2_VERSION) != 1)
        return give_up("TLS does not work here");
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
    if (!read_place(place, host, &port))
        return give_up("--connect needs HOST:PORT");
    if (!trust(tls, ca))
        return give_up(ca ? "cannot read the certificates of --ca"
                          : "this system has no certificates to trust");
    int fd = open_socket(host, port);
    int code = fd < 0 ? give_up("cannot connect") : talk(tls, fd, host);
    if (fd >= 0)
        close(fd);
    SSL_CTX_free(tls);
    return code;
}
