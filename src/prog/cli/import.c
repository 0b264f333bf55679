/* import.c - `warder import FILE|CLIENT`: another agent's permissions as a policy of ours. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/str.h"
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    bool write_file;
};

static struct str policy_path(struct cli *cli)
{
    const char *config = cli->args.home ? NULL : getenv("XDG_CONFIG_HOME");
    const char *home = cli->args.home ? cli->args.home : getenv("HOME");

    if (config && config[0] == '/')
        return str_format(cli->arena, "%s/warder", config);
    return home && home[0] == '/' ? str_format(cli->arena, "%s/.config/warder", home)
                                  : (struct str){0};
}

/* Only a new file: a person wrote the old one, and must merge the two. */
static int write_policy(struct cli *cli, const char *text)
{
    struct str directory = policy_path(cli), parent, path;
    size_t len = strlen(text);

    if (directory.len == 0) {
        complain("the home directory is not known: set HOME, or name it");
        return EX_USAGE;
    }
    path = str_format(cli->arena, "%s/warder.yaml", directory.s);
    parent = str_copy(cli->arena, str_slice(directory, 0, str_last_index(directory, '/')));
    if ((mkdir(parent.s, 0700) < 0 && errno != EEXIST) ||
        (mkdir(directory.s, 0700) < 0 && errno != EEXIST)) {
        complain("cannot make %s: %s", directory.s, strerror(errno));
        return EX_CANTCREAT;
    }
    AUTO_CLOSE int fd = open(path.s, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == EEXIST) {
        complain("%s exists: put what is printed into it by hand", path.s);
        return EX_CANTCREAT;
    }
    if (fd < 0 || write(fd, text, len) != (ssize_t)len || fsync(fd) != 0) {
        complain("cannot write %s: %s", path.s, strerror(errno));
        return EX_IOERR;
    }
    complain("written: %s", path.s);
    return 0;
}

static int import_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_report *report = NULL;
    warder_error err = {0};
    int code = 0, lost;

    if (cli->args.operands.count == 0) {
        complain("import what? Name a file, or an agent");
        return usage_error(cli->command);
    }
    if (warder_import(cli->args.home, cli->args.operands.items[0], &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    lost = warder_report_warnings(report) > 0 ? EXIT_NO : EXIT_YES;
    if (given->write_file)
        code = write_policy(cli, warder_report_text(report));
    report_print(cli, report);
    return code ? code : lost;
}

static const struct option write_options[] = {
    OPT_FLAG("--write", OWN(write_file),
             "write it to ~/.config/warder/warder.yaml, if there is none"),
    {0},
};

const struct command command_import = {
    .name = "import",
    .operands = "FILE|CLIENT",
    .summary = "convert another agent's permissions to Warder rules, never looser",
    .operands_max = 1,
    .tables = {write_options, home_options, common_options},
    .run = import_run,
    .exits = "0 all of it, 1 something could not be converted",
    .operand_values = warder_import_name,
    .more = "Reads Codex rules, Gemini CLI policies, and the permissions of OpenCode, Cursor "
            "and Copilot; for a "
            "CLIENT its own file. Comments say what was left out.",
};
