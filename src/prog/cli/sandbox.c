/* sandbox.c - `warder sandbox`: whether this machine can build a cell, what one would get, and a
 * shell in one. */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cell.h"
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/tier.h"

#define SHELL "/bin/sh"
#define OFF                                                                                        \
    "Calls of agents run in the sandbox where they can. sandbox: {use: off} in your warder.yaml "  \
    "ends that; in the project's .warder/warder.local.yaml, for this project (where yours does "   \
    "not say use)."
#define PROBED_PLACE "/var/tmp"
#define PROBED       0 /* the exit code of a probe that met every wall */

/* Run in a cell: each step must fail. $1/$2 is a file outside, $3 a process outside. The file is
 * named in two parts: of a path that stands in a command it would be said that it was refused. */
static const char probe[] = "(: >> \"$1/$2\") 2>/dev/null && exit 1\n"
                            "(: > \"$1/$2.new\") 2>/dev/null && exit 2\n"
                            "kill -0 \"$3\" 2>/dev/null && exit 3\n"
                            "(: < /dev/kmsg) 2>/dev/null && exit 4\n"
                            "(: > /proc/sys/kernel/core_pattern) 2>/dev/null && exit 5\n"
                            "exit 0\n";

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *since;
    bool unasked;
};

static char *copy(struct cli *cli, const char *text)
{
    return arena_copy(cli->arena, text, strlen(text));
}

/* The exit code of warder-cell with this plan; -1: it could not be started. */
static int run_cell(struct cli *cli, const warder_report *plan)
{
    int fd = cell_keep(plan), status;
    pid_t child = fd < 0 ? -1 : fork();

    if (child == 0) {
        output_hand_over();
        _exit(cell_enter(cli->environment, fd));
    }
    if (fd >= 0)
        close(fd);
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static warder_report *plan_probe(struct cli *cli, warder_engine *engine, const char *outside)
{
    char number[16];
    char *words[] = {copy(cli, "sh"),
                     copy(cli, "-c"),
                     copy(cli, probe),
                     copy(cli, "sh"),
                     copy(cli, PROBED_PLACE),
                     copy(cli, outside + sizeof(PROBED_PLACE)),
                     number,
                     NULL};

    (void)snprintf(number, sizeof(number), "%d", (int)getpid());
    return cell_plan(engine, SHELL, words);
}

static int landlock_abi(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    return version > 0 ? (int)version : 0;
}

static void print_tier(const struct tier *tier)
{
    printf("sandbox: %.*s", (int)tier->name.len, tier->name.s);
    if (tier->why.len) {
        printf(" (");
        print_text(stdout, tier->why.s, PRINT_LINE);
        printf(")");
    }
    printf("\n");
}

static bool is_best(const struct tier *tier)
{
    return str_eq(tier->name, STR("namespaces"));
}

/* What a person can expect of it, and why there is no better one. */
static void print_lesser(const struct tier *tier)
{
    printf("  use      the project's own code; with need: landlock in your policy also what nobody "
           "knows\n  not here ");
    print_text(stdout, tier->why.s, PRINT_LINE);
    printf("\n");
}

static int report_check(struct cli *cli, const struct tier *tier, const warder_report *plan,
                        int code)
{
    const bool works = code == PROBED && !str_eq(tier->name, STR("none"));
    struct utsname kernel = {0};

    (void)uname(&kernel);
    if (cli->args.json) {
        printf("{\"tier\":\"%.*s\",\"kernel\":\"%s\",\"landlock\":%d,\"probe\":%d}\n",
               (int)tier->name.len, tier->name.s, kernel.release, landlock_abi(), code);
    } else if (works) {
        printf("sandbox: works (%.*s, kernel %s, Landlock ABI %d)\n  places   %s  network  %s\n",
               (int)tier->name.len, tier->name.s, kernel.release, landlock_abi(),
               warder_report_text(plan),
               is_best(tier) ? "none but its own loopback" : "none but servers of the same call");
        if (!is_best(tier))
            print_lesser(tier);
    } else {
        print_tier(tier);
        printf("sandbox: does not work here: %s\n", code == EXIT_NOT_CONTAINED || code < 0
                                                        ? "a cell cannot be built, see above"
                                                        : "a probe got out of its cell");
    }
    return works ? EXIT_YES : EXIT_NO;
}

/* A cell of this tier with the places of this project. */
static int check_in(struct cli *cli, warder_engine *engine, const struct tier *tier)
{
    char outside[] = PROBED_PLACE "/warder-probe-XXXXXX";
    int file = mkostemp(outside, O_CLOEXEC);

    if (file < 0) {
        complain("cannot make a file to probe with: %s", strerror(errno));
        return EX_OSERR;
    }
    close(file);
    warder_report *plan = plan_probe(cli, engine, outside);
    int code = EXIT_NO;
    if (plan)
        code = report_check(cli, tier, plan, run_cell(cli, plan));
    (void)unlink(outside);
    warder_report_free(plan);
    return code;
}

static int with_engine(struct cli *cli, int (*run)(struct cli *, warder_engine *))
{
    warder_engine *engine = NULL;
    int code = engine_open(cli, &engine);

    if (!code)
        code = run(cli, engine);
    warder_engine_free(engine);
    return code;
}

/* What the machine can do comes first: the plan is for that. */
static int check_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_engine *engine = NULL;
    struct tier tier;
    const char *wrong = tier_find(cli, !given->unasked, &tier);

    if (wrong)
        complain("%s", wrong);
    if (wrong || given->unasked)
        return wrong || str_eq(tier.name, STR("none")) ? EXIT_NO : EXIT_YES;
    if (!str_eq(tier.name, STR("none")))
        cli->args.tier = str_copy(cli->arena, tier.name).s;
    int code = engine_open(cli, &engine);
    if (!code)
        code = check_in(cli, engine, &tier);
    warder_engine_free(engine);
    return code;
}

/* ---- the plan of a command ---- */

static int plan_in(struct cli *cli, warder_engine *engine)
{
    const struct arguments *args = &cli->args;
    char **words = ARENA_ARRAY(cli->arena, char *, args->operands.count + 1);

    for (size_t i = 0; i < args->operands.count; i++)
        words[i] = copy(cli, args->operands.items[i]);
    warder_report *plan = cell_plan(engine, words[0], words);
    if (!plan)
        return EX_DATAERR;
    print_json(warder_report_json(plan));
    warder_report_free(plan);
    return EXIT_YES;
}

static int plan_run(struct cli *cli)
{
    if (cli->args.operands.count == 0 || !cli->args.dashes_first) {
        complain("which program? give -- FILE [ARG ...]");
        return usage_error(cli->command);
    }
    return with_engine(cli, plan_in);
}

/* ---- a shell ---- */

static int shell_in(struct cli *cli, warder_engine *engine)
{
    const char *named = getenv("SHELL");
    const char *file = named && named[0] == '/' && access(named, X_OK) == 0 ? named : SHELL;
    char *words[] = {copy(cli, file), NULL};
    warder_report *plan = cell_plan(engine, file, words);
    int fd = plan ? cell_keep(plan) : -1;

    warder_report_free(plan);
    if (fd < 0)
        return EXIT_NOT_CONTAINED;
    output_hand_over();
    return cell_enter(cli->environment, fd);
}

static int shell_run(struct cli *cli)
{
    return with_engine(cli, shell_in);
}

/* ---- what calls failed without ---- */

static int suggest_in(struct cli *cli, warder_engine *engine)
{
    const struct given *given = cli->args.given;
    warder_report *report = NULL;
    warder_error err = {0};

    if (warder_sandbox_suggest(engine, given->since, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return EXIT_YES;
}

static int suggest_run(struct cli *cli)
{
    return with_engine(cli, suggest_in);
}

static const struct option check_options[] = {
    OPT_FLAG("--unasked", OWN(unasked),
             "as a hook starts it after a start of the machine: only find the tier, say nothing, "
             "and leave agents out that have run their own command instead"),
    {0},
};

static const struct option suggest_options[] = {
    OPT_TEXT("--since", "TIME", OWN(since), "only calls since then: 2026-01-31, or 30d ago"),
    {0},
};

const struct command command_sandbox_check = {
    .name = "sandbox check",
    .operands = "",
    .summary = "build a sandbox and try to get out of it: does it work on this machine?",
    .tables = {check_options, cwd_options, home_options, project_options, common_options},
    .run = check_run,
    .exits = "0 it works, 1 it does not",
    .more = OFF,
};

const struct command command_sandbox_plan = {
    .name = "sandbox plan",
    .operands = "-- FILE [ARG ...]",
    .summary = "what a program would get in the sandbox, as JSON: the plan that warder-cell reads",
    .operands_max = SIZE_MAX,
    .tables = {cwd_options, home_options, project_options, tier_options, common_options},
    .run = plan_run,
};

const struct command command_sandbox_shell = {
    .name = "sandbox shell",
    .operands = "",
    .summary = "a shell in the sandbox of this project, to see what works there",
    .tables = {cwd_options, home_options, project_options, tier_options, common_options},
    .run = shell_run,
    .exits = "that of the shell; 125 no sandbox",
};

const struct command command_sandbox_suggest = {
    .name = "sandbox suggest",
    .operands = "",
    .summary = "lines for your policy that would let calls do in the sandbox what failed there",
    .tables = {suggest_options, home_options, data_options, common_options},
    .run = suggest_run,
    .more = "Made from the record, and shown with the calls that failed; nothing is changed. "
            "Protected and secret files are never suggested. The names are those that the "
            "programs tried.",
};
