/* main.c - warder-cell: runs one command in a cell.
 *
 *     warder-cell TOKEN        the plan that was stored under this token, once
 *     warder-cell --plan FD    the plan that a descriptor has
 *     warder-cell --left TOKEN where the command of that token has ended, for the client's shell
 *     warder-cell --check      whether this machine can build a cell, as one line of JSON
 *
 * This program has no policy and no choice: it builds the cell as the plan (plan.h) says, or runs
 * nothing and exits with 125. Whoever calls it with a plan of their own gets a command with less
 * power than they have. */
#include "cell/main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "cell/check.h"
#include "cell/keeper.h"
#include "cell/left.h"
#include "cell/own.h"
#include "cell/plan.h"
#include "cell/probes.h"
#include "cell/token.h"

#define CELL_MEMORY 64000000

extern char **environ;

static int complain(const char *why)
{
    fprintf(stderr, "warder-cell: %s; nothing was run\n", why);
    return EXIT_NOT_CONTAINED;
}

/* What is opened later must not take the place of a standard descriptor that is not open: the
 * command would have it. */
static bool fill_standard(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            return false;
    return true;
}

/* A number of a descriptor other than the standard ones. */
static int descriptor(const char *text)
{
    char *end;
    long fd = strtol(text, &end, 10);

    return *text >= '0' && *text <= '9' && !*end && fd > 2 && fd < 1024 ? (int)fd : -1;
}

static char *read_all(int fd, size_t *len)
{
    char *text = malloc(PLAN_MAX + 1);
    size_t used = 0;
    ssize_t got = 1;

    while (text && got > 0 && used <= PLAN_MAX) {
        got = read(fd, text + used, PLAN_MAX + 1 - used);
        if (got > 0)
            used += (size_t)got;
        else if (got < 0 && errno == EINTR)
            got = 1;
    }
    if (!text || got != 0) {
        free(text);
        return NULL;
    }
    *len = used;
    return text;
}

static enum status read_plan(int from, struct arena *arena, struct plan *plan, struct error *err)
{
    AUTO_CLOSE int fd = from; /* no longer than it is needed: what is open could reach the cell */
    size_t len = 0;
    AUTO_FREE char *text = fd < 0 ? NULL : read_all(fd, &len);

    if (!text)
        return fail(err, STATUS_IO, "the plan cannot be read");
    return plan_read(arena, (struct str){text, len}, plan, err);
}

/* `stored`: the plan was stored under a token. */
static int run_plan(int fd, bool stored)
{
    struct arena arena;
    struct plan plan;
    struct error err = {0};

    arena_init(&arena, CELL_MEMORY);
    if (read_plan(fd, &arena, &plan, &err) != STATUS_OK ||
        token_check(&plan, stored, &err) != STATUS_OK)
        return complain(err.message);
    char **environment = plan_environment(&arena, &plan, environ);
    if (!environment)
        return complain("no memory");
    int code = keeper_run(&plan, environment, &err);
    if (err.status == STATUS_OK)
        return code;
    fprintf(stderr, "warder: the sandbox could not be built (%s); nothing was run\n", err.message);
    if (err.status == STATUS_IO)
        own_forget_tier();
    return EXIT_NOT_CONTAINED;
}

static int run_token(const char *token)
{
    struct error err = {0};
    int fd = token_take(token, &err);

    return fd < 0 ? complain(err.message) : run_plan(fd, true);
}

int main(int argc, char **argv)
{
    if (!fill_standard())
        return complain("a standard descriptor is not open, and /dev/null is not there");
    if (argc == 2 && strcmp(argv[1], "--check") == 0)
        return check_run();
    if (argc > 2 && strcmp(argv[1], PROBES_OPTION) == 0)
        return probes_run(argc - 2, argv + 2);
    if (argc == 3 && strcmp(argv[1], "--plan") == 0)
        return run_plan(descriptor(argv[2]), false);
    if (argc == 3 && strcmp(argv[1], "--left") == 0)
        return left_print(argv[2]);
    if (argc == 2 && argv[1][0] != '-')
        return run_token(argv[1]);
    return complain("usage: warder-cell TOKEN | --plan FD | --left TOKEN | --check");
}
