/* What a client of the sandbox's proxy says first, and the first message of TLS: never a crash, and
 * what is read once does not change its meaning when more follows. */
#include <stdlib.h>

#include "base/hosts.h"
#include "proxy/hello.h"
#include "proxy/lookup.h"

static void check_http(struct str bytes)
{
    struct http_request once, again;
    char out[2 * REQUEST_MAX];

    if (http_read(bytes, &once) != READ_DONE)
        return;
    if (once.head > bytes.len || http_read(str_slice(bytes, 0, once.head), &again) != READ_DONE ||
        strcmp(once.to.name, again.to.name) != 0 || once.to.port != again.to.port)
        abort();
    if (!once.tunnel && http_print(&once, out, sizeof(out)) == 0)
        abort();
}

static void check_socks(struct str bytes)
{
    struct destination to;
    size_t used = 0;
    bool plain;

    (void)socks_read_methods(bytes, &used, &plain);
    if (socks_read_request(bytes, &used, &to) == READ_DONE && (used > bytes.len || !to.name[0]))
        abort();
}

static void check_hello(struct str bytes)
{
    static char room[HELLO_MAX];
    struct str name;

    if (hello_read(bytes, &name, room) == HELLO_NAMED && (!name.len || name.len > HELLO_MAX))
        abort();
}

/* The answer fits, and begins as the question did. */
static void check_lookup(struct str bytes)
{
    char out[LOOKUP_MAX];
    struct lookup asked;

    if (!lookup_read(bytes, &asked))
        return;
    memcpy(out, bytes.s, bytes.len);
    const size_t len = lookup_print(&asked, LOOKUP_FOUND, 1, out);
    if (asked.question > bytes.len || len < asked.question || len > LOOKUP_MAX || !asked.name[0] ||
        memcmp(out + 12, bytes.s + 12, asked.question - 12) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct str bytes = {(const char *)data, size};
    struct host host;
    struct destination to;

    check_http(bytes);
    check_socks(bytes);
    check_hello(bytes);
    check_lookup(bytes);
    if (host_parse(bytes, &host) && destination_parse(bytes, 1, &to) && host.to.port &&
        !host_covers(&host, &to))
        abort(); /* what names one host covers it */
    return 0;
}
