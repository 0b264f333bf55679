/* options.h - the command line of warder-serve: what `warder serve` hands over, each as
 * --NAME=VALUE. */
#ifndef SERVE_OPTIONS_H
#define SERVE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPTION_LIST_MAX 32u /* of --policy, --host, --notify-command and --notify-webhook */

struct option_list {
    const char *items[OPTION_LIST_MAX];
    size_t count;
};

struct serve_options {
    const char *listen, *socket, *data, *home, *profile, *mode, *tls_cert, *tls_key;
    struct option_list policies, hosts, notify_commands, notify_webhooks;
    uint32_t review_timeout_s, cooldown_s, retention_days;
    bool no_sync; /* --record-sync=crash */
    bool json;    /* say where it listens as JSON */
    bool routes;  /* print the table of routes, and nothing else */
};

/* False after saying what is wrong. */
bool options_read(int argc, char **argv, struct serve_options *out);

#endif
