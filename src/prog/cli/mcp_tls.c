#include "cli/mcp_tls.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/beside.h"
#include "machine/http.h"

#define WHY_MAX 200 /* bytes of what the helper says */

/* Nothing of the environment reaches it: what is trusted must not depend on that. */
static enum status start(struct mcp_tls *t, char *const argv[], int fd, struct error *err)
{
    char *const nothing[] = {NULL};
    posix_spawn_file_actions_t actions;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return fail(err, STATUS_NOMEM, "out of memory");
    posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO);
    int failed = posix_spawn(&t->helper, argv[0], &actions, NULL, argv, nothing);
    posix_spawn_file_actions_destroy(&actions);
    if (!failed)
        return STATUS_OK;
    t->helper = 0;
    return fail(err, STATUS_IO, "cannot run %s: %s", argv[0], strerror(failed));
}

/* The helper's first line: empty if the connection is good. */
static enum status read_report(int fd, struct error *err)
{
    char why[WHY_MAX];
    size_t len = 0;

    while (len < sizeof why && read(fd, why + len, 1) == 1) {
        if (why[len] == '\n')
            return len ? fail(err, STATUS_IO, "%.*s", (int)len, why) : STATUS_OK;
        len++;
    }
    return fail(err, STATUS_IO, "no TLS connection");
}

int mcp_tls_connect(struct mcp_tls *t, const char *host, const char *port, const char *ca,
                    struct error *err)
{
    char program[PATH_MAX], place[HTTP_HOST_MAX + 32], trusted[PATH_MAX];
    char *argv[] = {program, place, ca ? trusted : NULL, NULL};
    int ends[2];

    *t = (struct mcp_tls){0};
    snprintf(place, sizeof place, "--connect=%s%s%s:%s", strchr(host, ':') ? "[" : "", host,
             strchr(host, ':') ? "]" : "", port);
    if (!beside_find("warder-serve", program, sizeof program) ||
        (ca && snprintf(trusted, sizeof trusted, "--ca=%s", ca) >= (int)sizeof trusted)) {
        fail(err, STATUS_IO, "cannot tell where this program is, or the name of --ca is too long");
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        fail(err, STATUS_IO, "%s", strerror(errno));
        return -1;
    }
    enum status status = start(t, argv, ends[1], err);
    close(ends[1]);
    if (status == STATUS_OK)
        status = read_report(ends[0], err);
    if (status == STATUS_OK)
        return ends[0];
    close(ends[0]);
    (void)mcp_tls_end(t, false);
    return -1;
}

bool mcp_tls_end(struct mcp_tls *t, bool at_end)
{
    int status = 0;

    if (!t->helper)
        return true;
    if (!at_end)
        (void)kill(t->helper, SIGKILL);
    while (waitpid(t->helper, &status, 0) < 0 && errno == EINTR)
        ;
    t->helper = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
