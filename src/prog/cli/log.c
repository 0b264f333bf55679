/* log.c - `warder log` and its family: what was decided, and whether the record of it can be
 * trusted. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/engine.h"
#include "cli/output.h"

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

static bool read_limit(const char *text, uint32_t *out)
{
    char *end;

    errno = 0;
    unsigned long n = strtoul(text, &end, 10);
    if (!text[0] || *end || errno || text[0] == '-' || !n || n > UINT32_MAX)
        return false;
    *out = (uint32_t)n;
    return true;
}

static int read_filter(struct cli *cli, warder_log_filter *out)
{
    const struct arguments *a = &cli->args;

    *out = (warder_log_filter)WARDER_LOG_FILTER_INIT;
    out->decision = a->decision;
    out->project = a->project;
    out->worker = a->worker;
    out->session = a->session;
    out->tool = a->tool;
    out->rule = a->rule;
    out->since = a->since;
    out->until = a->until;
    out->text = a->text;
    out->cursor = a->cursor;
    if (a->limit && !read_limit(a->limit, &out->limit)) {
        complain("--limit needs a number above 0, not %s", a->limit);
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

int log_export_run(struct cli *cli)
{
    return stream(cli, 0, print_record);
}

int log_run(struct cli *cli)
{
    warder_log *log;
    warder_log_filter filter;
    warder_report *report;
    warder_error err = {0};
    int code = read_filter(cli, &filter);

    if (code)
        return code;
    if (cli->args.follow)
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

int log_show_run(struct cli *cli)
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

int log_rebuild_run(struct cli *cli)
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

int log_verify_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_log_verify(cli->args.data, cli->args.home, cli->args.anchor, &report, &err) !=
        WARDER_OK)
        return complain_error(NULL, &err);
    int code = warder_report_errors(report) ? EXIT_NO : EXIT_YES;
    report_print(cli, report);
    return code;
}

int log_head_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_log_head(cli->args.data, cli->args.home, cli->args.anchor, cli->args.journald,
                        &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

int log_repair_run(struct cli *cli)
{
    warder_report *report;
    warder_error err = {0};

    if (warder_log_repair(cli->args.data, cli->args.home, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}
