/* serve.c - `warder serve`: becomes the program warder-serve, which is in the same directory.
 *
 * It is a program of its own because it needs libraries that would make every other call of
 * `warder` start slowly. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/beside.h"
#include "cli/command.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *listen, *socket, *review_timeout, *cooldown, *retention, *retention_bytes,
        *record_sync;
    const char *tls_cert, *tls_key, *public_url, *notify_answers;
    struct texts hosts, notify_commands, notify_webhooks, notify_ntfy, notify_slack;
};

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
    const void *target = option_target(o, &cli->args);
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
    case OPTION_WORD:
        break;
    }
}

static int serve_run(struct cli *cli)
{
    char program[PATH_MAX];
    struct words words = {0};

    add_word(cli, &words, PROGRAM, NULL);
    for (size_t t = 0; t < OPTION_TABLES_MAX && cli->command->tables[t]; t++)
        for (const struct option *o = cli->command->tables[t]; o->name; o++)
            add_option(cli, &words, o);
    LIST_PUSH(cli->arena, &words, NULL);
    if (!beside_find(PROGRAM, program, sizeof program)) {
        complain("cannot tell where this program is, and so where " PROGRAM " is");
        return EX_OSERR;
    }
    output_hand_over();
    execv(program, words.items);
    complain("cannot run %s: %s", program, strerror(errno));
    return EX_UNAVAILABLE;
}

static const struct option serve_options[] = {
    OPT_TEXT("--listen", "ADDRESS:PORT", OWN(listen),
             "where to listen for HTTP (default: 127.0.0.1:8420); port 0: a free one"),
    OPT_TEXT("--socket", "PATH", OWN(socket), "the unix socket (default: where hooks look for it)"),
    OPT_TEXT("--review-timeout", "SECONDS", OWN(review_timeout),
             "how long a review waits for a person (default: 900)"),
    OPT_TEXT("--cooldown", "SECONDS", OWN(cooldown),
             "before a promoted rule acts, where the answer does not say it"),
    OPT_TEXT("--retention", "DAYS", OWN(retention),
             "how long decisions are kept (default: 90, not below 30)"),
    OPT_TEXT("--retention-bytes", "BYTES", OWN(retention_bytes),
             "how many bytes of them are kept, such as 20G (default: no limit)"),
    OPT_ONE_OF(
        "--record-sync", "WHEN", OWN(record_sync), "always crash",
        "an answer's record survives a power cut (default), or only the death of the service"),
    OPT_TEXT("--tls-cert", "FILE", OWN(tls_cert), "use TLS, with this certificate"),
    OPT_TEXT("--tls-key", "FILE", OWN(tls_key), "the key of that certificate"),
    OPT_LIST("--host", "NAME", OWN(hosts),
             "another name by which clients may reach it; may be repeated"),
    OPT_TEXT("--public-url", "URL", OWN(public_url),
             "where a proxy in front of it is reached, such as https://box.example.net"),
    OPT_LIST("--notify-command", "PROGRAM", OWN(notify_commands),
             "run this with each event on its standard input; repeatable"),
    OPT_LIST("--notify-webhook", "URL", OWN(notify_webhooks),
             "post each event there; @FILE: the URL is in that file; repeatable"),
    OPT_LIST("--notify-ntfy", "URL", OWN(notify_ntfy),
             "tell this topic of an ntfy server of each review; @FILE as above; repeatable"),
    OPT_LIST("--notify-slack", "URL", OWN(notify_slack),
             "tell this incoming web hook of Slack of each review; @FILE as above; repeatable"),
    OPT_TEXT("--notify-answers", "TOKEN[,approve]", OWN(notify_answers),
             "notices get links that deny in the name of this operator's token, by its id; "
             "and approve what is not grave"),
    {0},
};

const struct command command_serve = {
    .name = "serve",
    .operands = "",
    .summary = "run the service: workers ask it, people answer its reviews, rules change while "
               "it runs",
    .tables = {serve_options, profile_options, data_options, home_options, common_options},
    .run = serve_run,
    .exits = "0 after it was asked to stop",
    .more = "HTTP and WebSocket with tokens (`warder token create`), JSON lines on the unix "
            "socket. Prints where it "
            "listens. SIGTERM stops it in order, SIGHUP has the policy read again. See "
            "warder-serve(1).",
};
