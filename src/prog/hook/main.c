/* main.c - warder-hook: `warder hook` as one small static program.
 *
 *     warder-hook [--ran] [--client CLIENT] [--home DIR] [--timeout SECONDS]
 *
 * The same sources judge, record and answer. The policy comes from its image
 * (policy/image.h) instead of its files; what needs more than that (edges.c), and
 * any other option, is handed over to `warder hook`.
 *
 * Some functions of libc are replaced, because those of musl cost more than the
 * rest of the process: malloc, calloc, realloc, free (memory.c); memcpy, memmove,
 * memset, memcmp, memchr, memrchr, strlen (bytes.c); clock_gettime, time (clock.c);
 * geteuid (user.c). What sha256_has_x86() asks is found out by processor.c. */
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/output.h"
#include "hook/edges.h"
#include "hook/hand_over.h"

struct arguments {
    const char *client, *timeout, *home;
    bool ran;     /* the event says that a tool has run */
    bool unknown; /* there is an option that is not known here, or one is given twice */
};

/* The value of "--client x" or "--client=x"; NULL: it is another option, or there is none. *used:
 * how many words. */
static const char *value_of(char **words, const char *name, size_t *used)
{
    size_t len = strlen(name);
    const char *value = NULL;

    if (strncmp(words[0], name, len) != 0)
        return NULL;
    if (words[0][len] == '=')
        value = words[0] + len + 1;
    else if (!words[0][len])
        value = words[1];
    if (!value || !value[0] || value[0] == '-')
        return NULL;
    *used = words[0][len] ? 1 : 2;
    return value;
}

static void take(const char *value, const char **out, struct arguments *all)
{
    if (*out)
        all->unknown = true;
    else
        *out = value;
}

/* Reads to the end although a word is not known: the time that the client gives counts even then.
 */
static void read_arguments(char **argv, struct arguments *out)
{
    const char *value;

    for (size_t i = 1, used; argv[0] && argv[i]; i += used) {
        used = 1;
        if (strcmp(argv[i], "--ran") == 0)
            out->ran = true;
        else if ((value = value_of(argv + i, "--client", &used)))
            take(value, &out->client, out);
        else if ((value = value_of(argv + i, "--timeout", &used)))
            take(value, &out->timeout, out);
        else if ((value = value_of(argv + i, "--home", &used)) && value[0] == '/')
            take(value, &out->home, out);
        else
            out->unknown = true;
    }
}

/* Nothing is said or blocked, whatever happens. */
static int note_ran(const struct arguments *arguments, struct hook_process *event)
{
    warder_options options = WARDER_OPTIONS_INIT;

    hook_say_nothing();
    options.home = arguments->home;
    if (!arguments->unknown && arguments->client &&
        hook_begin(arguments->timeout, arguments->home, event) && hook_read(event))
        warder_hook_ran(&options, arguments->client, event->text, event->len);
    return 0;
}

int main(int argc, char **argv)
{
    warder_options options = WARDER_OPTIONS_INIT;
    struct arguments arguments = {0};
    struct hook_process event = {0};
    warder_reply *reply;

    (void)argc;
    output_start();
    hand_over_prepare(argv, &event);
    read_arguments(argv, &arguments);
    if (arguments.ran)
        return note_ran(&arguments, &event);
    if (!hook_begin(arguments.timeout, arguments.home, &event))
        return EXIT_BLOCKED;
    if (arguments.unknown)
        hand_over();
    if (!hook_read(&event))
        return EXIT_BLOCKED;
    options.home = arguments.home;
    return hook_answer(&event, small_hook, arguments.client, &options, &reply);
}
