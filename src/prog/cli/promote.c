/* promote.c - `warder allow` and `warder deny`: a rule from one recorded decision; and `warder
 * why`: that decision in plain words. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    bool last, user, in_project, session;
    const char *as, *lasts;
};

/* ---- the record ---- */

static int find_record(struct cli *cli, const warder_options *options, warder_report **out)
{
    const char *id = cli->args.operands.count ? cli->args.operands.items[0] : NULL;
    const char *project = options->project ? options->project : options->cwd;
    char here[PATH_MAX];
    warder_log *log;
    warder_error err = {0};
    int code = 0;

    *out = NULL;
    if (!id && !project && !(project = getcwd(here, sizeof here))) {
        complain("the current directory has no name: give an ID");
        return EX_USAGE;
    }
    if (warder_log_open(cli->args.data, cli->args.home, &log, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (warder_log_find(log, id, project, out, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    warder_log_close(log);
    return code;
}

static int why_run(struct cli *cli)
{
    warder_engine *engine;
    warder_report *record, *report;
    warder_options options;
    warder_error err = {0};
    int code = engine_options(cli, &options);

    if (code || (code = find_record(cli, &options, &record)))
        return code;
    if (!(code = engine_open(cli, &engine))) {
        const char *json = warder_report_json(record);
        if (warder_why(engine, json, strlen(json), &report, &err) != WARDER_OK)
            code = complain_error(NULL, &err);
        else
            report_print(cli, report);
        warder_engine_free(engine);
    }
    warder_report_free(record);
    return code;
}

/* ---- which rule, and where ---- */

static int show(struct cli *cli, const warder_promotion *promotion)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_promotion_report(promotion, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    (void)fflush(stdout);
    return 0;
}

/* *form 0: none of them. */
static int choose(struct cli *cli, const warder_promotion *promotion, uint32_t *form)
{
    const struct given *given = cli->args.given;

    *form = warder_promotion_form(promotion, given->as);
    if (given->as && !*form) {
        complain("no rule can be made for the %s", given->as);
        return EXIT_NO;
    }
    if (!*form)
        *form = (uint32_t)choose_number(UINT32_MAX);
    return 0;
}

static int check_given(struct cli *cli, uint64_t *seconds)
{
    const struct given *given = cli->args.given;
    const char *wrong = NULL;

    *seconds = 0;
    if (given->user + given->in_project + given->session > 1)
        wrong = "--user, --project or --session, only one of them";
    else if (given->session && (given->as || given->lasts))
        wrong =
            "--session is for exactly this call, until the session ends: without --as and --for";
    else if (given->last && cli->args.operands.count)
        wrong = "an ID or --last, not both";
    else if (cli->args.yes && (!(given->as || given->session) || !cli->args.operands.count))
        wrong = "--yes needs an ID and --as: the last call may be another one by now";
    else if (given->lasts && !read_seconds(given->lasts, seconds))
        wrong = "--for needs a time: 30m, 2h, 7d";
    if (!wrong)
        return 0;
    complain("%s", wrong);
    return usage_error(cli->command);
}

static int grant(warder_promotion *promotion)
{
    warder_error err = {0};

    if (warder_promotion_grant(promotion, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    complain("allowed until the session ends");
    return EXIT_YES;
}

static int change(struct cli *cli, warder_promotion *promotion, uint64_t seconds)
{
    const struct given *given = cli->args.given;
    warder_learning_place place = given->in_project ? WARDER_LEARN_PROJECT : WARDER_LEARN_USER;
    warder_error err = {0};
    uint32_t form;
    int code = choose(cli, promotion, &form);

    if (code || !form)
        return code ? code : EXIT_NO;
    if (form == warder_promotion_form(promotion, "session"))
        return grant(promotion);
    if (warder_promotion_plan(promotion, form, place, seconds, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    fputc('\n', stderr);
    print_text(stderr, warder_promotion_file(promotion), PRINT_LINE);
    fputc('\n', stderr);
    print_text(stderr, warder_promotion_diff(promotion), PRINT_LINES);
    code = given->as ? agree(cli, "Write this?") : EXIT_YES; /* the number was the answer */
    if (code != EXIT_YES)
        return code;
    if (warder_promotion_write(promotion, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    complain("%s", warder_promotion_diff(promotion)[0] ? "written" : "the file has it already");
    return EXIT_YES;
}

static int ask_and_grant(struct cli *cli, warder_promotion *promotion)
{
    int code = agree(cli, "Allow exactly this call for the rest of its session?");

    return code == EXIT_YES ? grant(promotion) : code;
}

/* ---- the commands ---- */

static int promote(struct cli *cli, warder_behavior effect)
{
    const struct given *given = cli->args.given;
    warder_promotion *promotion;
    warder_report *record;
    warder_options options;
    warder_error err = {0};
    uint64_t seconds;
    int code = check_given(cli, &seconds);

    if (code || (code = engine_options(cli, &options)) ||
        (code = find_record(cli, &options, &record)))
        return code;
    const char *json = warder_report_json(record);
    if (warder_promotion_new(&options, effect, json, strlen(json), &promotion, &err) != WARDER_OK) {
        code = complain_error(NULL, &err);
    } else {
        code = show(cli, promotion);
        if (!code && given->session)
            code = ask_and_grant(cli, promotion);
        else if (!code)
            code = change(cli, promotion, seconds);
        warder_promotion_free(promotion);
    }
    warder_report_free(record);
    return code;
}

static int allow_run(struct cli *cli)
{
    return promote(cli, WARDER_ALLOW);
}

static int deny_run(struct cli *cli)
{
    return promote(cli, WARDER_DENY);
}

static const struct option session_options[] = {
    OPT_FLAG("--session", OWN(session), "write no rule: this call, until its session ends"),
    {0},
};

static const struct option promote_options[] = {
    OPT_FLAG("--last", OWN(last),
             "the newest call of this project that was asked about or denied (default)"),
    OPT_ONE_OF("--as", "FORM", OWN(as), "command program host", "which of the rules to write"),
    OPT_FLAG("--user", OWN(user), "write your own policy (default)"),
    OPT_FLAG("--project", OWN(in_project), "write .warder/warder.local.* of the call's project"),
    OPT_TEXT("--for", "TIME", OWN(lasts), "the rule ends after that time: 30m, 2h, 7d"),
    {0},
};

#define PROMOTE_TABLES                                                                             \
    promote_options, profile_options, cwd_options, home_options, data_options, yes_options,        \
        common_options
#define PROMOTE_MORE                                                                               \
    "Only at a terminal, and not for agents. ID is that of a decision, or its first letters: see " \
    "warder log. "                                                                                 \
    "What a deny rule or Warder itself forbids stays forbidden."

const struct command command_allow = {
    .name = "allow",
    .operands = "[ID]",
    .summary = "always allow what was asked about: choose a rule, and it is written",
    .operands_max = 1,
    .tables = {session_options, PROMOTE_TABLES},
    .run = allow_run,
    .exits = "0 written, 1 nothing written",
    .more = PROMOTE_MORE,
};

const struct command command_deny = {
    .name = "deny",
    .operands = "[ID]",
    .summary = "always deny a call that was decided: choose a rule, and it is written",
    .operands_max = 1,
    .tables = {PROMOTE_TABLES},
    .run = deny_run,
    .exits = "0 written, 1 nothing written",
    .more = PROMOTE_MORE,
};

const struct command command_why = {
    .name = "why",
    .operands = "[ID]",
    .summary = "one decision in plain words, and what the policy says about it now",
    .operands_max = 1,
    .tables = {profile_options, cwd_options, home_options, project_options, data_options,
               common_options},
    .run = why_run,
    .more = "Without an ID: the newest call of this project that was asked about or denied.",
};
