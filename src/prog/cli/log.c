/* log.c - `warder log` and its family: what was decided, and whether the record of it can be
 * trusted. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/engine.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *decision, *project, *worker, *session, *tool, *rule, *since, *until, *text, *limit;
    const char *cursor, *after, *anchor, *least;
    const char *svg;
    bool follow, journald;
};

static const char *operand(const struct cli *cli)
{
    return cli->args.operands.count ? cli->args.operands.items[0] : NULL;
}

/* 0, or the exit code after a complaint. */
static int open_log(struct cli *cli, warder_log **out)
{
    warder_error err = {0};

    if (warder_log_open(cli->args.data, cli->args.home, out, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (warder_log_notice(*out))
        complain("%s", warder_log_notice(*out));
    return 0;
}

static int read_filter(struct cli *cli, warder_log_filter *out)
{
    const struct given *given = cli->args.given;

    *out = (warder_log_filter)WARDER_LOG_FILTER_INIT;
    out->decision = given->decision;
    out->project = given->project;
    out->worker = given->worker;
    out->session = given->session;
    out->tool = given->tool;
    out->rule = given->rule;
    out->since = given->since;
    out->until = given->until;
    out->text = given->text;
    out->cursor = given->cursor;
    out->after = given->after;
    if (given->limit && !read_count(given->limit, &out->limit)) {
        complain("--limit needs a number above 0, not %s", given->limit);
        return usage_error(cli->command);
    }
    return 0;
}

/* ---- lines, one after the other ---- */

static int print_line(void *context, const char *json, const char *text)
{
    const struct cli *cli = context;

    if (json && cli->args.json)
        print_json(json);
    else if (json)
        print_text(stdout, text, PRINT_LINES);
    return fflush(stdout) != 0; /* the reader went away */
}

static int print_record(void *context, const char *json, const char *text)
{
    (void)context;
    (void)text;
    if (json)
        print_json(json);
    return ferror(stdout) != 0;
}

static int stream(struct cli *cli, int follow, warder_log_visit visit)
{
    warder_log *log;
    warder_log_filter filter;
    warder_error err = {0};
    int code = read_filter(cli, &filter);

    if (code || (code = open_log(cli, &log)))
        return code;
    if (warder_log_export(log, &filter, follow, visit, cli, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    warder_log_close(log);
    return code;
}

static int log_export_run(struct cli *cli)
{
    return stream(cli, 0, print_record);
}

static int log_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_log *log;
    warder_log_filter filter;
    warder_report *report;
    warder_error err = {0};
    int code = read_filter(cli, &filter);

    if (code)
        return code;
    if (given->follow)
        return stream(cli, 1, print_line);
    if ((code = open_log(cli, &log)))
        return code;
    if (warder_log_list(log, &filter, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_log_close(log);
    return code;
}

static int log_show_run(struct cli *cli)
{
    warder_log *log;
    warder_report *report;
    warder_error err = {0};
    int code;

    if (!operand(cli)) {
        complain("which record? Give the id of a decision, or a number");
        return usage_error(cli->command);
    }
    if ((code = open_log(cli, &log)))
        return code;
    if (warder_log_show(log, operand(cli), &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_log_close(log);
    return code;
}

/* Beside the figures, so that they and the drawing are of one moment's log. */
static int write_plot(const char *path, warder_report *report)
{
    const char *text = warder_report_text(report);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool done = fd >= 0 && write_whole(fd, str_from(text));

    if ((fd >= 0 && close(fd) < 0) || !done) {
        complain("cannot write %s: %s", path, strerror(errno));
        done = false;
    }
    warder_report_free(report);
    return done ? EXIT_YES : EX_IOERR;
}

static int stats_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_log *log;
    warder_log_filter filter;
    warder_report *report, *plot = NULL;
    warder_error err = {0};
    int code = read_filter(cli, &filter);

    if (code || (code = open_log(cli, &log)))
        return code;
    if (warder_log_stats(log, &filter, 0, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    if (!code && given->svg && warder_log_stats(log, &filter, 1, &plot, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    if (!code && plot)
        code = write_plot(given->svg, plot);
    warder_log_close(log);
    return code;
}

static int log_proposals_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_log *log;
    warder_log_filter filter;
    warder_report *report;
    warder_error err = {0};
    uint32_t least = 0;
    int code = read_filter(cli, &filter);

    if (!code && given->least && !read_count(given->least, &least)) {
        complain("--least needs a number above 0, not %s", given->least);
        return usage_error(cli->command);
    }
    if (code || (code = open_log(cli, &log)))
        return code;
    if (warder_log_proposals(log, &filter, least, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_log_close(log);
    return code;
}

static int log_rebuild_run(struct cli *cli)
{
    warder_log *log;
    warder_report *report;
    warder_error err = {0};
    int code = open_log(cli, &log);

    if (code)
        return code;
    if (warder_log_rebuild(log, &report, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        report_print(cli, report);
    warder_log_close(log);
    return code;
}

/* ---- the chain ---- */

static int log_verify_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_report *report;
    warder_error err = {0};

    if (warder_log_verify(cli->args.data, cli->args.home, given->anchor, &report, &err) !=
        WARDER_OK)
        return complain_error(NULL, &err);
    int code = warder_report_errors(report) ? EXIT_NO : EXIT_YES;
    report_print(cli, report);
    return code;
}

static int log_head_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    warder_report *report;
    warder_error err = {0};

    if (warder_log_head(cli->args.data, cli->args.home, given->anchor, given->journald, &report,
                        &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

static int log_repair_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_log_repair(cli->args.data, cli->args.home, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

static const struct option filter_options[] = {
    OPT_ONE_OF(
        "--decision", "DECISION", OWN(decision),
        "allow deny ask auto-allow auto-deny human-allow human-deny timeout-deny left-to-client",
        "only these decisions"),
    OPT_TEXT("--project", "PROJECT", OWN(project),
             "only of this project: its id, or its directory"),
    OPT_TEXT("--worker", "ID", OWN(worker), "only of this worker"),
    OPT_TEXT("--session", "ID", OWN(session), "only of this session"),
    OPT_TEXT("--tool", "TOOL", OWN(tool), "only of this tool"),
    OPT_TEXT("--rule", "RULE", OWN(rule), "only what this rule decided: its id, or its text"),
    OPT_TEXT("--since", "TIME", OWN(since),
             "only since then: 24h, yesterday, 2026-01-31, 2026-01-31T12:00:00Z"),
    OPT_TEXT("--until", "TIME", OWN(until), "only before then"),
    OPT_TEXT("--text", "TEXT", OWN(text), "only commands with this text in them"),
    OPT_TEXT("--limit", "N", OWN(limit),
             "at most this many (default: 50 in a list, all in an export)"),
    {0},
};

static const struct option proposal_options[] = {
    OPT_TEXT("--project", "PROJECT", OWN(project),
             "only of this project: its id, or its directory"),
    OPT_TEXT("--worker", "ID", OWN(worker), "only of this worker"),
    OPT_TEXT("--since", "TIME", OWN(since), "only since then (default: 30d)"),
    OPT_TEXT("--until", "TIME", OWN(until), "only before then"),
    OPT_TEXT("--least", "N", OWN(least), "accepted in at least this many calls (default: 3)"),
    {0},
};

static const struct option stats_options[] = {
    OPT_TEXT("--project", "PROJECT", OWN(project),
             "only of this project: its id, or its directory"),
    OPT_TEXT("--session", "ID", OWN(session), "only of this session"),
    OPT_TEXT("--since", "TIME", OWN(since), "only since then (default: 7d)"),
    OPT_TEXT("--until", "TIME", OWN(until), "only before then"),
    OPT_TEXT("--svg", "FILE", OWN(svg), "also draw the days as a chart, to this file"),
    {0},
};

static const struct option cursor_options[] = {
    OPT_TEXT("--cursor", "CURSOR", OWN(cursor), "continue after the list that ended with this one"),
    OPT_TEXT("--after", "N", OWN(after), "records after N, oldest first"),
    OPT_FLAG("--follow", OWN(follow), "print them as they come, the oldest first"),
    {0},
};

static const struct option anchor_options[] = {
    OPT_TEXT("--anchor", "FILE", OWN(anchor), "compare with the heads in this file"),
    {0},
};

static const struct option head_options[] = {
    OPT_TEXT("--anchor", "FILE", OWN(anchor),
             "add the head to this file, which should belong to another user"),
    OPT_FLAG("--journald", OWN(journald), "send the head to the system's journal"),
    {0},
};

const struct command command_log = {
    .name = "log",
    .operands = "",
    .summary = "what was decided, the newest first",
    .tables = {filter_options, cursor_options, data_options, home_options, common_options},
    .run = log_run,
    .more =
        "Commands are shown as they are kept: without their secrets. `warder why ID` explains one, "
        "`warder allow ID` "
        "and `warder deny ID` make a rule of it.",
};

const struct command command_stats = {
    .name = "stats",
    .operands = "",
    .summary = "the log in figures: what ran without a question, by day and by agent",
    .tables = {stats_options, data_options, home_options, common_options},
    .run = stats_run,
};

const struct command command_log_list = {
    .name = "log list",
    .operands = "",
    .summary = "the same as warder log",
    .tables = {filter_options, cursor_options, data_options, home_options, common_options},
    .run = log_run,
};

const struct command command_log_show = {
    .name = "log show",
    .operands = "ID",
    .summary = "all of one record; ID is that of a decision, its first letters, or a number",
    .operands_max = 1,
    .tables = {data_options, home_options, common_options},
    .run = log_show_run,
};

const struct command command_log_export = {
    .name = "log export",
    .operands = "",
    .summary = "every decision, the oldest first, as one line of JSON each",
    .tables = {filter_options, data_options, home_options, common_options},
    .run = log_export_run,
};

const struct command command_log_verify = {
    .name = "log verify",
    .operands = "",
    .summary = "walk the chain of the journal: was a record changed, removed or moved?",
    .tables = {anchor_options, data_options, home_options, common_options},
    .run = log_verify_run,
    .exits = "0 the chain is intact, 1 it is not",
    .more = "Whether records are missing at the end, or all of it was written anew, only a "
            "head that was kept elsewhere can tell: see `warder log head`.",
};

const struct command command_log_head = {
    .name = "log head",
    .operands = "",
    .summary = "the last record's number, hash and time, to be kept elsewhere",
    .tables = {head_options, data_options, home_options, common_options},
    .run = log_head_run,
};

const struct command command_log_proposals = {
    .name = "log proposals",
    .operands = "",
    .summary = "rules that an operator may add: what people keep accepting, and the evidence",
    .tables = {proposal_options, data_options, home_options, common_options},
    .run = log_proposals_run,
    .more = "A proposal is not a rule until a person adds it.",
};

const struct command command_log_rebuild = {
    .name = "log rebuild",
    .operands = "",
    .summary = "delete the index and rebuild it from the journal",
    .tables = {data_options, home_options, common_options},
    .run = log_rebuild_run,
};

const struct command command_log_repair = {
    .name = "log repair",
    .operands = "",
    .summary = "move a damaged last record aside, so that decisions can be recorded again",
    .tables = {data_options, home_options, common_options},
    .run = log_repair_run,
};
