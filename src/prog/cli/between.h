/* between.h - standing between a client on our standard input and output and a server that we
 * start: lines of JSON in both directions, each judged on its way.
 *
 * What goes to the server is written again from what was read: if it saw other
 * lines or other keys in the same bytes than we did, something else would run
 * than was judged. */
#ifndef CLI_BETWEEN_H
#define CLI_BETWEEN_H

#include "cli/command.h"
#include "cli/rpc.h"

/* One message, read. Below an arena_try(). The function passes it on, or not.
 */
typedef void (*between_look)(struct arena *a, struct rpc_message *m, struct str line);

#define BETWEEN_WORDS_MAX 1024 /* of the server's command line */

struct between {
    const char *server; /* "server", "agent": for complaints */
    /* What is no message: from the client it is answered with an error, from the server it is
     * passed on as it is. */
    between_look from_client, from_server;
};

/* Whole lines, from any thread. */
void between_to_client(struct str line);
void between_to_server(struct str line);
/* The message as it was read, in our own spelling. */
void between_pass_to_server(struct arena *a, const struct rpc_message *m);
void between_pass_to_client(struct arena *a, const struct rpc_message *m);

struct str between_json(struct arena *a, const struct value *v);

/* Handles the message again on a thread of its own: a person may be asked, and the others go on
 * talking meanwhile. False: too many wait already. */
bool between_later(struct str line, between_look look);

/* Runs operands[0..] as the server, until it or the client is gone. Returns the server's exit code.
 * Once per process.
 */
int between_run(struct cli *cli, const struct between *how);

#endif
