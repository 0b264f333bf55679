#include "cli/records.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/json.h"
#include "cli/engine.h"
#include "cli/lines.h"
#include "cli/output.h"

static int each_line(int fd, const char *name, record_visit *visit, void *context)
{
    enum lines_answer next;
    struct lines lines;
    struct str line;
    int code = 0;

    lines_init(&lines, fd, (size_t)JSON_MAX_BYTES);
    while (!code && (next = lines_next(&lines, &line)) == LINES_LINE)
        if (line.len)
            code = visit(context, line);
    if (!code && next == LINES_FAILED) {
        complain("cannot read %s: %s", name, strerror(errno));
        code = EX_IOERR;
    }
    lines_release(&lines);
    return code;
}

static int each_of_file(const char *file, record_visit *visit, void *context)
{
    if (strcmp(file, "-") == 0)
        return each_line(STDIN_FILENO, "standard input", visit, context);
    AUTO_CLOSE int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        complain("cannot open %s: %s", file, strerror(errno));
        return EX_NOINPUT;
    }
    return each_line(fd, file, visit, context);
}

struct visiting {
    record_visit *visit;
    void *context;
    int code;
};

static int visit_log(void *context, const char *json, const char *text)
{
    struct visiting *v = context;

    (void)text;
    if (json)
        v->code = v->visit(v->context, str_from(json));
    return v->code;
}

static int each_of_log(struct cli *cli, const warder_log_filter *filter, record_visit *visit,
                       void *context)
{
    struct visiting v = {visit, context, 0};
    warder_error err = {0};
    warder_log *log;

    if (warder_log_open(cli->args.data, cli->args.home, &log, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (warder_log_notice(log))
        complain("%s", warder_log_notice(log));
    if (warder_log_export(log, filter, 0, visit_log, &v, &err) != WARDER_OK)
        v.code = complain_error(NULL, &err);
    warder_log_close(log);
    return v.code;
}

int records_each(struct cli *cli, const struct records_from *from, record_visit *visit,
                 void *context)
{
    return from->file ? each_of_file(from->file, visit, context)
                      : each_of_log(cli, &from->filter, visit, context);
}

int record_compare(void *comparison, struct str line)
{
    warder_error err = {0};

    if (warder_comparison_record(comparison, line.s, line.len, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    return 0;
}

int comparison_finish(struct cli *cli, warder_comparison *comparison)
{
    static const int codes[] = {
        [WARDER_SAME] = EXIT_YES, [WARDER_NOT_WIDER] = EXIT_NO, [WARDER_WIDER] = EXIT_NEITHER};
    const int code = codes[warder_comparison_widening(comparison)];
    warder_report *report;
    warder_error err = {0};

    if (warder_comparison_report(comparison, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return code;
}
