/* complete.c - `warder complete`: what may come next on a command line. The shells' completions
 * (packaging/completions) only ask it, so that they need no change when a command gets an option.
 *
 * One candidate a line. What only the shell can list is a line of its own: ":file", ":directory" or
 * ":command". */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/engine.h"
#include "cli/output.h"

static void offer(struct str word, const char *prefix, struct str candidate)
{
    struct str typed = word;

    if (str_starts(typed, str_from(prefix)))
        typed = str_from_byte(typed, strlen(prefix));
    if (str_starts(candidate, typed))
        printf("%s%.*s\n", prefix, STR_ARG(candidate));
}

/* What a value or an operand of this name in help can be. */
static void offer_kind(const char *name)
{
    struct str s = str_from(name);

    if (str_contains(s, STR("FILE")) || str_contains(s, STR("PATH")))
        puts(":file");
    else if (str_contains(s, STR("DIR")))
        puts(":directory");
    else if (str_contains(s, STR("-- COMMAND")) || str_contains(s, STR("PROGRAM")))
        puts(":command");
}

static void offer_values(const struct option *o, struct str word, const char *prefix)
{
    struct str value;

    if (!option_value(o, 0, &value))
        offer_kind(o->argument);
    for (size_t i = 0; option_value(o, i, &value); i++)
        offer(word, prefix, value);
}

static void offer_options(const struct command *c, struct str word)
{
    for (size_t t = 0; t < OPTION_TABLES_MAX && c->tables[t]; t++)
        for (const struct option *o = c->tables[t]; o->name; o++)
            offer(word, "", str_from(o->name));
}

static const struct option *find_option(const struct command *c, struct str name)
{
    for (size_t t = 0; t < OPTION_TABLES_MAX && c->tables[t]; t++)
        for (const struct option *o = c->tables[t]; o->name; o++)
            if (str_is(name, o->name))
                return o;
    return NULL;
}

/* The word of a name that is offered: the first, or of a family the second. Empty: none. */
static struct str name_word(const struct command *c, const char *family)
{
    struct str head, rest;
    bool two = str_cut(str_from(c->name), ' ', &head, &rest);

    if (!family)
        return head;
    return two && str_is(head, family) ? rest : (struct str){0};
}

/* Each once: a family may stand in several groups of the help. */
static void offer_names(const char *family, struct str word)
{
    for (size_t i = 0; commands[i]; i++) {
        struct str name = name_word(commands[i], family);
        bool offered = false;
        for (size_t j = 0; j < i && !offered; j++)
            offered = str_eq(name_word(commands[j], family), name);
        if (name.len && !offered)
            offer(word, "", name);
    }
}

/* ---- IDs ---- */

#define IDS_OFFERED 20

static void offer_ids(struct cli *cli, const warder_report *report, const char *list,
                      struct str word)
{
    struct value answer;

    if (json_read(cli->arena, str_from(warder_report_json(report)), NULL, &answer, NULL) !=
        STATUS_OK)
        return;
    const struct value *rows = list ? value_get(&answer, list) : &answer;
    for (size_t i = 0; rows && rows->kind == VALUE_ARRAY && i < rows->count; i++)
        offer(word, "", value_text(&rows->items[i], "id"));
}

static void offer_waiting(struct cli *cli, struct str word)
{
    warder_engine *engine;
    warder_report *report;

    if (engine_open(cli, &engine) != 0)
        return;
    if (warder_approvals(engine, &report, NULL) == WARDER_OK) {
        offer_ids(cli, report, NULL, word);
        warder_report_free(report);
    }
    warder_engine_free(engine);
}

/* The newest decisions. */
static void offer_decisions(struct cli *cli, struct str word)
{
    warder_log_filter filter = WARDER_LOG_FILTER_INIT;
    warder_log *log;
    warder_report *report;

    filter.limit = IDS_OFFERED;
    if (warder_log_open(NULL, NULL, &log, NULL) != WARDER_OK)
        return;
    if (warder_log_list(log, &filter, &report, NULL) == WARDER_OK) {
        offer_ids(cli, report, "decisions", word);
        warder_report_free(report);
    }
    warder_log_close(log);
}

static void offer_operands(struct cli *cli, const struct command *c, struct str word)
{
    if (c == &command_approve)
        offer_waiting(cli, word);
    if (c == &command_allow || c == &command_deny || c == &command_why || c == &command_log_show)
        offer_decisions(cli, word);
    for (size_t i = 0; c->operand_values && c->operand_values(i); i++)
        offer(word, "", str_from(c->operand_values(i)));
    if (c == &command_help)
        offer_names(NULL, word);
    if (!str_starts(word, STR("-")))
        offer_kind(c->operands);
}

/* --mode=pl */
static bool offer_attached(struct cli *cli, const struct command *c, struct str word)
{
    struct str name, value;
    const struct option *o;

    if (!str_starts(word, STR("--")) || !str_cut(word, '=', &name, &value) ||
        !(o = find_option(c, name)) || o->kind == OPTION_FLAG)
        return false;
    offer_values(o, word, str_format(cli->arena, "%.*s=", STR_ARG(name)).s);
    return true;
}

static void complete(struct cli *cli, const struct command *c, const char *const *words,
                     size_t count)
{
    struct str word = str_from(words[count - 1]);
    const struct option *before = count > 1 ? find_option(c, str_from(words[count - 2])) : NULL;

    if (before && before->kind != OPTION_FLAG) {
        offer_values(before, word, "");
    } else if (!offer_attached(cli, c, word)) {
        if (count == 2)
            offer_names(words[0], word);
        offer_operands(cli, c, word);
        offer_options(c, word);
    }
}

static int complete_run(struct cli *cli)
{
    const struct texts *words = &cli->args.operands;
    const char *const *items = words->items;
    size_t used = 0, count = words->count;
    const struct command *c = count > 1 ? command_find(count - 1, items, &used) : NULL;

    if (count == 0)
        return usage_error(cli->command);
    if (count == 1) {
        offer_names(NULL, str_from(items[0]));
        offer_options(&command_program, str_from(items[0]));
    } else {
        complete(cli, c ? c : &command_program, items, count);
    }
    return EXIT_YES;
}

const struct command command_complete = {
    .name = "complete",
    .operands = "-- WORD...",
    .summary = "what may come next on a command line, for the completion of a shell",
    .operands_max = SIZE_MAX,
    .tables = {common_options},
    .run = complete_run,
    .more = "The WORDs are those after `warder`; the last one is the one to complete, and may be "
            "empty.",
};
