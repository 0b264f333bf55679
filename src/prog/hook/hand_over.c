#include "hook/hand_over.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/output.h"

#define PROGRAM "warder" /* beside this one, whatever $PATH says */

static struct {
    char **argv;
    const struct hook_process *event;
} prepared;

void hand_over_prepare(char **argv, const struct hook_process *event)
{
    prepared.argv = argv;
    prepared.event = event;
}

static _Noreturn void give_up(const char *why)
{
    complain("cannot run " PROGRAM ", which has to judge this: %s; the call is blocked", why);
    _exit(EXIT_BLOCKED);
}

static void find_program(char out[PATH_MAX])
{
    ssize_t len = readlink("/proc/self/exe", out, PATH_MAX - 1);
    char *slash;

    if (len < 0)
        give_up(strerror(errno));
    out[len] = '\0';
    slash = strrchr(out, '/');
    if (!slash || (size_t)(slash + 1 - out) + sizeof(PROGRAM) > PATH_MAX)
        give_up("its path is too long");
    memcpy(slash + 1, PROGRAM, sizeof(PROGRAM));
}

/* The event again, from its beginning. */
static void put_back(const struct hook_process *e)
{
    int fd = memfd_create("event", 0);

    if (fd < 0 || !write_whole(fd, (struct str){e->text, e->len}) || lseek(fd, 0, SEEK_SET) < 0 ||
        dup2(fd, STDIN_FILENO) < 0)
        give_up(strerror(errno));
    close(fd);
}

/* "warder hook --image", our own arguments, and the time that is left in place of --timeout: the
 * command line reader would refuse the option twice. */
static char **make_arguments(char left[16])
{
    size_t count = 0, n = 0;

    while (prepared.argv[count])
        count++;
    char **out = calloc(count + 6, sizeof(*out));
    if (!out)
        give_up("out of memory");
    static char name[] = PROGRAM, command[] = "hook", image[] = "--image", timeout[] = "--timeout";
    out[n++] = name;
    out[n++] = command;
    out[n++] = image;
    for (size_t i = 1; i < count; i++) {
        bool is_timeout = left[0] && strncmp(prepared.argv[i], timeout, sizeof(timeout) - 1) == 0;
        if (!is_timeout)
            out[n++] = prepared.argv[i];
        else if (!strchr(prepared.argv[i], '='))
            i++;
    }
    if (left[0]) {
        out[n++] = timeout;
        out[n++] = left;
    }
    return out;
}

_Noreturn void hand_over(void)
{
    char path[PATH_MAX], left[16] = "";
    unsigned ring = alarm(0); /* the other program sets its own */

    find_program(path);
    if (prepared.event && ring && (long)ring < prepared.event->ring)
        snprintf(left, sizeof(left), "%u", ring);
    if (prepared.event && prepared.event->text)
        put_back(prepared.event);
    char **arguments = make_arguments(left);
    output_hand_over();
    execve(path, arguments, environ);
    give_up(strerror(errno));
}
