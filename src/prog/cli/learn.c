/* learn.c - `warder learn`: rules from what people answered. */
#include <stdlib.h>

#include "base/str.h"
#include "cli/agree.h"
#include "cli/engine.h"
#include "cli/output.h"
#include "cli/records.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    struct texts from, jsonl;
    const char *since, *until, *tick, *untick;
    bool user, write_file, undo;
};

/* ---- where the calls come from ---- */

static int take_record(void *learning, struct str line)
{
    warder_error err = {0};

    if (warder_learning_record(learning, line.s, line.len, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    return 0;
}

static int take_all(struct cli *cli, warder_learning *learning)
{
    const struct given *given = cli->args.given;
    struct records_from from = {.filter = WARDER_LOG_FILTER_INIT};
    warder_error err = {0};
    int code = 0;

    for (size_t i = 0; !code && i < given->from.count; i++)
        if (warder_learning_take_transcripts(learning, given->from.items[i], &err) != WARDER_OK)
            code = complain_error(NULL, &err);
    from.filter.since = given->since;
    from.filter.until = given->until;
    if (!code && !given->from.count && !given->jsonl.count)
        code = records_each(cli, &from, take_record, learning);
    for (size_t i = 0; !code && i < given->jsonl.count; i++) {
        from.file = given->jsonl.items[i];
        code = records_each(cli, &from, take_record, learning);
    }
    return code;
}

/* ---- ticks ---- */

/* 1,3,4 */
static int tick(struct cli *cli, warder_learning *learning, const char *numbers, bool ticked)
{
    struct str rest = str_from(numbers), word;
    warder_error err = {0};

    while (rest.len) {
        str_cut(rest, ',', &word, &rest);
        char *end;
        unsigned long number = strtoul(str_copy(cli->arena, word).s, &end, 10);
        if (!word.len || *end || number > UINT32_MAX) {
            complain("%s needs numbers of the list, with commas between them, not %s",
                     ticked ? "--tick" : "--untick", numbers);
            return usage_error(cli->command);
        }
        if (warder_learning_tick(learning, (uint32_t)number, ticked, &err) != WARDER_OK)
            return complain_error(NULL, &err);
    }
    return 0;
}

static int show(struct cli *cli, warder_learning *learning)
{
    const struct given *given = cli->args.given;
    warder_report *report;
    warder_error err = {0};
    int code = 0;

    if (given->untick)
        code = tick(cli, learning, given->untick, false);
    if (!code && given->tick)
        code = tick(cli, learning, given->tick, true);
    if (code)
        return code;
    if (warder_learning_report(learning, &report, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    report_print(cli, report);
    return 0;
}

/* ---- writing ---- */

static int change(struct cli *cli, warder_learning *learning, warder_learning_place place)
{
    FILE *to = cli->args.json ? stderr : stdout;
    bool undo = place == WARDER_LEARN_UNDO;
    warder_error err = {0};

    if (warder_learning_plan(learning, place, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    if (!warder_learning_diff(learning)[0]) {
        complain("nothing to write: no rule is ticked, or the file has them already");
        return EXIT_NO;
    }
    print_text(to, warder_learning_file(learning), PRINT_LINE);
    fputc('\n', to);
    print_text(to, warder_learning_diff(learning), PRINT_LINES);
    int code = agree(cli, undo ? "Take this back?" : "Write this?");
    if (code != EXIT_YES)
        return code;
    if (warder_learning_write(learning, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    complain(undo ? "taken back" : "written; `warder learn --undo` takes it back");
    return EXIT_YES;
}

/* Of the log and of transcripts only what happened in the project counts, unless the rules are for
 * the user; lines that were named count all, unless they are to be rules of the project. */
static bool is_everywhere(const struct cli *cli)
{
    const struct given *given = cli->args.given;

    return given->user || (given->jsonl.count && !cli->args.project && !given->write_file);
}

static int learn(struct cli *cli, warder_learning *learning)
{
    const struct given *given = cli->args.given;
    int code;

    if (given->undo)
        return change(cli, learning, WARDER_LEARN_UNDO);
    code = take_all(cli, learning);
    if (!code)
        code = show(cli, learning);
    if (!code && given->write_file)
        code = change(cli, learning, given->user ? WARDER_LEARN_USER : WARDER_LEARN_PROJECT);
    return code;
}

static int learn_run(struct cli *cli)
{
    warder_learning *learning;
    warder_options options;
    warder_error err = {0};
    int code = engine_options(cli, &options);

    if (code)
        return code;
    if (warder_learning_new(&options, is_everywhere(cli), &learning, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    code = learn(cli, learning);
    warder_learning_free(learning);
    return code;
}

static const struct option learn_options[] = {
    OPT_LIST("--from", "CLIENT|FILE", OWN(from),
             "transcripts instead of the log: claude, codex, a file or a directory"),
    OPT_LIST("--jsonl", "FILE", OWN(jsonl),
             "calls with answers, one a line, instead of the log; - is standard input"),
    OPT_TEXT("--since", "TIME", OWN(since), "only records since then: 2026-01-31, or 30d ago"),
    OPT_TEXT("--until", "TIME", OWN(until), "only records before then"),
    OPT_TEXT("--tick", "N,N", OWN(tick), "take these rules, too"),
    OPT_TEXT("--untick", "N,N", OWN(untick), "leave these rules out"),
    OPT_FLAG("--user", OWN(user), "calls of all projects, and rules for all of them"),
    OPT_FLAG("--write", OWN(write_file),
             "show what would change in the project's or user's policy, ask, and write it"),
    OPT_FLAG("--undo", OWN(undo), "undo the last change that --write made"),
    {0},
};

const struct command command_learn = {
    .name = "learn",
    .operands = "",
    .summary = "suggest rules from what people accepted, with the evidence",
    .tables = {learn_options, profile_options, cwd_options, home_options, project_options,
               data_options, yes_options, common_options},
    .run = learn_run,
    .exits = "0 done, 1 nothing to write, or not agreed to",
    .more = "A rule needs two sessions and no rejection. What sends, runs scripts or is unknown "
            "is listed but not ticked. With --json the output is a policy of what is ticked, for "
            "--policy.",
};
