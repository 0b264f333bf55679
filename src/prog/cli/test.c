/* test.c - `warder test`: the examples of policy files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/engine.h"
#include "cli/output.h"

struct given {
    bool coverage;
    const char *junit;
};

static int write_junit(warder_engine *engine, const char *file)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_policy_junit(engine, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    AUTO_CLOSE int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool written = fd >= 0 && write_whole(fd, str_from(warder_report_text(report)));
    warder_report_free(report);
    if (written)
        return 0;
    complain("cannot write %s: %s", file, strerror(errno));
    return EX_CANTCREAT;
}

static int test_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine;
    warder_report *report;
    warder_error err = {0};
    int code = engine_open_for_report(cli, &engine);

    if (!code && given->junit)
        code = write_junit(engine, given->junit);
    if (!code && warder_policy_test(engine, given->coverage, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else if (!code)
        code = report_findings(cli, report);
    warder_engine_free(engine);
    return code;
}

static const struct option test_options[] = {
    OPT_FLAG("--coverage", OWN(coverage), "also list the rules that no test is about"),
    OPT_TEXT("--junit", "FILE", OWN(junit), "write the results to this file, as JUnit's XML"),
    {0},
};

const struct command command_test = {
    .name = "test",
    .operands = "[POLICY...]",
    .summary = "run the examples in policy files (tests, match and not)",
    .operands_max = 100,
    .tables = {model_options, home_options, project_options, test_options, common_options},
    .run = test_run,
    .exits = "0 all hold, 1 some fail, 65 a file cannot be read",
    .more = "Each is judged by the rules of its own file, on a disk that has the files it names "
            "and no others. Without POLICY: those of all policy files that count here.",
};
