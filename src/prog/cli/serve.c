/* serve.c - `warder serve`: becomes the program warder-serve, which lies beside this one.
 *
 * It is a program of its own because it needs libraries that would make every other call of
 * `warder` start slowly. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/output.h"

#define PROGRAM "warder-serve"

struct words LIST_OF(char *);

static void add_word(struct cli *cli, struct words *words, const char *name, const char *value)
{
    struct str word =
        value ? str_format(cli->arena, "%s=%s", name, value) : str_copy(cli->arena, str_from(name));

    LIST_PUSH(cli->arena, words, arena_copy(cli->arena, word.s, word.len));
}

/* The options as they were understood, each as one word. */
static void add_option(struct cli *cli, struct words *words, const struct option *o)
{
    const void *target = (const char *)&cli->args + o->target;
    const struct texts *list = target;

    switch (o->kind) {
    case OPTION_TEXT:
        if (*(const char *const *)target)
            add_word(cli, words, o->name, *(const char *const *)target);
        break;
    case OPTION_LIST:
        for (size_t i = 0; i < list->count; i++)
            add_word(cli, words, o->name, list->items[i]);
        break;
    case OPTION_FLAG:
        if (*(const bool *)target)
            add_word(cli, words, o->name, NULL);
        break;
    case OPTION_RULE:
        break;
    }
}

/* The same directory, and not the PATH: whoever writes there must not become the judge. */
static const char *find_program(struct cli *cli)
{
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self);
    struct str path = {self, len > 0 && (size_t)len < sizeof self ? (size_t)len : 0};
    size_t slash = str_last_index(path, '/');

    if (slash == STR_NONE)
        return NULL;
    return str_format(cli->arena, "%.*s/" PROGRAM, STR_ARG(str_slice(path, 0, slash))).s;
}

int serve_run(struct cli *cli)
{
    const char *program = find_program(cli);
    struct words words = {0};

    add_word(cli, &words, PROGRAM, NULL);
    for (size_t t = 0; t < OPTION_TABLES_MAX && cli->command->tables[t]; t++)
        for (const struct option *o = cli->command->tables[t]; o->name; o++)
            add_option(cli, &words, o);
    LIST_PUSH(cli->arena, &words, NULL);
    if (!program) {
        complain("cannot tell where this program lies, and so where " PROGRAM " does");
        return EX_OSERR;
    }
    output_hand_over();
    execv(program, words.items);
    complain("cannot run %s: %s", program, strerror(errno));
    return EX_UNAVAILABLE;
}
