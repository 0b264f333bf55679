/* check.c - `warder check`: one call from the command line, or a call a line from standard input
 * (also for explain). */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "cli/engine.h"
#include "cli/lines.h"
#include "cli/output.h"

static void print_detail(const char *name, const char *text)
{
    if (!text || !text[0])
        return;
    printf("  %-11s ", name);
    print_text(stdout, text, PRINT_LINE);
    putchar('\n');
}

/* A message that begins with the reason goes on with what to do instead. */
static void print_message(const char *reason, const char *message)
{
    size_t len = strlen(reason);

    if (!message || strcmp(message, reason) == 0)
        return;
    if (strncmp(message, reason, len) == 0 && strncmp(message + len, ". ", 2) == 0)
        print_detail("instead", message + len + 2);
    else
        print_detail("message", message);
}

/* Of a broken policy the problems were printed already, with their places. */
static const char *shown_reason(const warder_decision *d)
{
    const char *layer = warder_decision_layer(d);

    return layer && strcmp(layer, "policy") == 0
               ? "a policy file has errors: every call is denied until they are fixed"
               : warder_decision_reason(d);
}

static void print_verdict(const struct cli *cli, const warder_decision *d)
{
    const char *reason = warder_decision_reason(d), *message = warder_decision_message(d);
    warder_behavior behavior = warder_decision_behavior(d);
    bool allowed = behavior == WARDER_ALLOW, colour = output_coloured(cli->args.color);

    printf("%s%-5s%s  ", colour ? behavior_colour(behavior) : "", warder_behavior_name(behavior),
           colour ? COLOUR_OFF : "");
    print_text(stdout, shown_reason(d), PRINT_LINE);
    putchar('\n');
    print_detail("layer", warder_decision_layer(d));
    print_detail("rule", warder_decision_rule(d));
    print_message(reason, message);
    if (warder_decision_interrupt(d))
        print_detail("interrupt", "the agent's loop should end");
    for (size_t i = 0; !allowed && i < warder_decision_suggestion_count(d); i++)
        print_detail(i ? "and" : "to allow it", warder_decision_suggestion(d, i));
    for (size_t i = 0; i < warder_decision_unasked_count(d); i++)
        print_detail(i ? "and" : "not asked", warder_decision_unasked(d, i));
}

/* The answer where the library has no text: out of memory. Whoever reads the text and whoever reads
 * the exit code must see the same, so it denies. */
static const char *const failed_line =
    "{\"behavior\":\"deny\",\"layer\":\"limit\",\"rule\":null,\"reason\":\"the decision "
    "failed\",\"message\":\"the "
    "decision "
    "failed\",\"interrupt\":false,\"tool_use_id\":null,\"updated_input\":null,\"findings\":[],"
    "\"suggestions\":[]}";

warder_decision *print_or_deny(const char *json, warder_decision *decision)
{
    print_json(json ? json : failed_line);
    if (json)
        return decision;
    warder_decision_free(decision);
    return NULL;
}

static int check_one(struct cli *cli)
{
    warder_engine *engine;
    warder_decision *decision;
    int code = engine_decide(cli, &engine, &decision);

    if (!code && !cli->args.json)
        print_verdict(cli, decision);
    else if (!code)
        decision = print_or_deny(warder_decision_json(decision), decision);
    if (!code)
        code = verdict_exit(decision);
    warder_decision_free(decision);
    warder_engine_free(engine);
    return code;
}

/* Each line gets an answer. */
static int answer(warder_engine *engine, struct str line, bool explained)
{
    warder_decision *decision = NULL;
    warder_error err = {0};
    const char *json = NULL;
    int code = 0;

    if (warder_check_json(engine, line.s, line.len, &decision, &err) != WARDER_OK)
        code = complain_error(NULL, &err);
    else
        json = explained ? warder_decision_explain_json(decision) : warder_decision_json(decision);
    print_json(json ? json : failed_line);
    warder_decision_free(decision);
    return code;
}

/* The first thing that went wrong is the exit code; only what makes further answers useless ends
 * the loop. */
static int answer_all(warder_engine *engine, bool explained)
{
    enum lines_answer next;
    struct lines lines;
    struct str line;
    int code = 0;

    lines_init(&lines, STDIN_FILENO, (size_t)JSON_MAX_BYTES);
    while ((next = lines_next(&lines, &line)) == LINES_LINE) {
        int failed = answer(engine, line, explained);
        if (!code)
            code = failed;
        if (fflush(stdout) != 0)
            break;
    }
    if (next == LINES_FAILED) {
        complain("cannot read standard input: %s", strerror(errno));
        code = EX_IOERR;
    }
    lines_release(&lines);
    return code;
}

int check_lines(struct cli *cli, bool explained)
{
    warder_engine *engine;
    int code;

    if (cli->args.operands.count || cli->args.input) {
        complain("--jsonl reads the calls from standard input: no TOOL, no ARG, no --input");
        return usage_error(cli->command);
    }
    code = engine_open(cli, &engine);
    if (!code)
        code = answer_all(engine, explained);
    warder_engine_free(engine);
    return code;
}

static int check_run(struct cli *cli)
{
    return cli->args.jsonl ? check_lines(cli, false) : check_one(cli);
}

const struct command command_check = {
    .name = "check",
    .operands = "TOOL [ARG] | -- COMMAND",
    .operand_values = warder_tool_name,
    .summary = "say whether a tool call may run: allow, deny or ask",
    .operands_max = SIZE_MAX,
    .tables = {POLICY_OPTIONS, mode_options, call_options, common_options},
    .run = check_run,
    .exits = VERDICT_EXITS "; with --jsonl 0 when every line was answered",
    .more = "ARG is the tool's first argument: a command, a path, a URL. Write -- before one "
            "that begins with a "
            "dash. What follows a -- in front is a shell command: its words, or its text as one "
            "word. Writes "
            "nothing and asks no one.",
};
