/* options.h - the command line of warder-serve, as `warder serve` passes it: each option as
 * --NAME=VALUE. */
#ifndef SERVE_OPTIONS_H
#define SERVE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTION_LIST_MAX 32u /* for each option that may be repeated */

struct option_list {
    const char *items[OPTION_LIST_MAX];
    size_t count;
};

struct serve_options {
    const char *listen, *socket, *data, *home, *profile, *mode, *tls_cert, *tls_key, *public_url,
        *notify_answers;
    struct option_list policies, hosts, notify_commands, notify_webhooks, notify_ntfy, notify_slack;
    uint32_t review_timeout_s, cooldown_s, retention_days;
    uint64_t retention_bytes;
    bool no_sync;             /* --record-sync=crash */
    bool json;                /* announce the sockets as JSON */
    bool routes;              /* only print the table of routes */
    const char *connect, *ca; /* only make a TLS connection: connect.h */
};

/* False after printing what is wrong. */
bool options_read(int argc, char **argv, struct serve_options *out);

#endif
