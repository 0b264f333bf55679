/* parse.c - `warder parse`: how a shell text is read, for people who debug a rule. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/str.h"
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *text;
};

#define TEXT_MAX                                                                                   \
    ((size_t)1000 * 1000) /* bytes that are read; the parser itself refuses shorter ones */
#define CHUNK ((size_t)64 * 1024)

/* Grows *text, of *len bytes, by what the descriptor gives. Returns what read() did; -1 also for
 * memory. */
static ssize_t read_more(int fd, char **text, size_t *len)
{
    ssize_t got;
    char *larger = realloc(*text, *len + CHUNK);

    if (!larger)
        return -1;
    *text = larger;
    do {
        got = read(fd, larger + *len, CHUNK);
    } while (got < 0 && errno == EINTR);
    if (got > 0)
        *len += (size_t)got;
    return got;
}

static int read_all(int fd, const char *name, char **text, size_t *len)
{
    ssize_t got;

    while ((got = read_more(fd, text, len)) > 0)
        if (*len > TEXT_MAX) {
            complain("%s: longer than %zu bytes", name, TEXT_MAX);
            return EX_DATAERR;
        }
    if (got < 0) {
        complain("cannot read %s: %s", name, strerror(errno));
        return EX_NOINPUT;
    }
    return 0;
}

static int read_file(const char *name, char **text, size_t *len)
{
    if (!name || strcmp(name, "-") == 0)
        return read_all(STDIN_FILENO, "standard input", text, len);
    AUTO_CLOSE int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        complain("cannot open %s: %s", name, strerror(errno));
        return EX_NOINPUT;
    }
    return read_all(fd, name, text, len);
}

static int report(struct cli *cli, struct str text)
{
    warder_engine *engine;
    warder_report *report = NULL;
    warder_error err = {0};
    int code = engine_open(cli, &engine);

    if (!code && warder_shell_parse(engine, text.s, text.len, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    if (!code) {
        code = warder_report_errors(report) ? EXIT_NO : EXIT_YES;
        report_print(cli, report);
    }
    warder_engine_free(engine);
    return code;
}

static int parse_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    const char *file = cli->args.operands.count ? cli->args.operands.items[0] : NULL;
    AUTO_FREE char *text = NULL;
    size_t len = 0;

    if (given->text && file) {
        complain("give -c TEXT or FILE, not both");
        return usage_error(cli->command);
    }
    if (given->text)
        return report(cli, str_from(given->text));
    int code = read_file(file, &text, &len);
    return code ? code : report(cli, (struct str){text, len});
}

static const struct option text_options[] = {
    OPT_TEXT("-c", "TEXT", OWN(text), "the shell text, instead of FILE"),
    {0},
};

const struct command command_parse = {
    .name = "parse",
    .operands = "[-c TEXT | FILE | -]",
    .summary = "how a shell text is read: its tree, actions, effects and findings",
    .operands_max = 1,
    .tables = {text_options, POLICY_OPTIONS, common_options},
    .run = parse_run,
    .exits = "0 understood, 1 not understood",
    .more = "Without an operand, and for -, the text is read from standard input. It is not run.",
};
