/* main.c - warder-hook: `warder hook` as one small static program.
 *
 *     warder-hook [--client CLIENT] [--timeout SECONDS]
 *
 * The same sources judge, record and answer. The policy comes from its image
 * (policy/image.h) instead of its files; whatever needs more than that, other
 * options too, is handed over to `warder hook`. */
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/output.h"
#include "hook/hand_over.h"

struct arguments {
    const char *client, *timeout;
};

/* "--client x" or "--client=x", once. False: not this option, or no value. */
static bool take(char ***at, const char *name, const char **out)
{
    char *word = **at;
    size_t len = strlen(name);

    if (*out || strncmp(word, name, len) != 0 || (word[len] && word[len] != '='))
        return false;
    *out = word[len] ? word + len + 1 : *++*at;
    return *out && (*out)[0] && (*out)[0] != '-';
}

/* False: more than is read here. */
static bool read_arguments(char **argv, struct arguments *out)
{
    for (char **at = argv[0] ? argv + 1 : argv; *at; at++)
        if (!take(&at, "--client", &out->client) && !take(&at, "--timeout", &out->timeout))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    const warder_options options = WARDER_OPTIONS_INIT;
    struct arguments arguments = {0};
    struct hook_process event = {0};
    warder_reply *reply;

    (void)argc;
    output_start();
    hand_over_prepare(argv, &event);
    if (!read_arguments(argv, &arguments))
        hand_over();
    if (!hook_begin(arguments.timeout, &event) || !hook_read(&event))
        return EXIT_BLOCKED;
    return hook_answer(&event, arguments.client, &options, &reply);
}
