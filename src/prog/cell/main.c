/* main.c - warder-cell: runs one command in a cell.
 *
 *     warder-cell --plan FD
 *
 * The plan (plan.h) is read from a descriptor that `warder` opened. This program has no policy and
 * no choice: it builds the cell as the plan says, or runs nothing and exits with 125. Whoever calls
 * it with a plan of their own gets a command with less power than they have. */
#include "cell/main.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "cell/keeper.h"
#include "cell/plan.h"

#define CELL_MEMORY 64000000

extern char **environ;

static int complain(const char *why)
{
    fprintf(stderr, "warder-cell: %s; nothing was run\n", why);
    return EXIT_NOT_CONTAINED;
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

int main(int argc, char **argv)
{
    struct arena arena;
    struct plan plan;
    struct error err = {0};
    size_t len = 0;

    if (argc != 3 || strcmp(argv[1], "--plan") != 0)
        return complain("usage: warder-cell --plan FD");
    AUTO_CLOSE int fd = descriptor(argv[2]);
    AUTO_FREE char *text = fd < 0 ? NULL : read_all(fd, &len);
    if (!text)
        return complain("the plan cannot be read");
    arena_init(&arena, CELL_MEMORY);
    if (plan_read(&arena, (struct str){text, len}, &plan, &err) != STATUS_OK)
        return complain(err.message);
    char **environment = plan_environment(&arena, &plan, environ);
    if (!environment)
        return complain("no memory");
    return keeper_run(&plan, environment);
}
