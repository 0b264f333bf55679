/* rules_service.c - `warder rules add`, `change`, `remove` and `audit`: the rules of the running
 * service. */
#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "cli/api.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *pattern, *type, *scope, *reason, *since, *limit;
    struct texts commands;
    bool dry_run;
};

static struct str rule_path(struct cli *cli, const char *id)
{
    struct buf b = buf_in(cli->arena);

    buf_text(&b, "/v1/rules/");
    buf_url_word(&b, str_from(id));
    return buf_str(&b);
}

static const char *operand(struct cli *cli, const char *what)
{
    if (cli->args.operands.count)
        return cli->args.operands.items[0];
    complain("which %s?", what);
    return NULL;
}

/* ---- printing ---- */

static void print_rule(const struct value *rule)
{
    static const char *const keys[] = {"id", "type", "scope", "pattern", "reason"};

    for (size_t i = 0; i < COUNT(keys); i++) {
        struct str text = value_text(rule, keys[i]);
        if (!text.len)
            continue;
        fputs(i ? "  " : "", stdout);
        print_text(stdout, text.s, PRINT_LINE);
    }
    putchar('\n');
}

/* What lint says of it. */
static void print_findings(const struct value *answer)
{
    const struct value *list = value_get(answer, "warnings");

    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++) {
        fputs("warning: ", stdout);
        print_text(stdout, list->items[i].kind == VALUE_STRING ? list->items[i].text.s : "",
                   PRINT_LINE);
        putchar('\n');
    }
}

static bool is_true(const struct value *v)
{
    return v && v->kind == VALUE_BOOL && v->boolean;
}

/* "covers", or "matches" where the rule is about a part of the command only. */
static void print_matches(const struct value *answer, const char *key, const char *where)
{
    const struct value *list = value_get(answer, key);

    for (size_t i = 0; list && list->kind == VALUE_ARRAY && i < list->count; i++) {
        const struct value *item = &list->items[i];
        if (!is_true(value_get(item, "matches")))
            continue;
        printf("%-8s %-5s ", is_true(value_get(item, "covers")) ? "covers" : "matches", where);
        print_text(stdout, value_text(item, "command").len ? value_text(item, "command").s : "",
                   PRINT_LINE);
        printf("  (now: ");
        print_text(stdout, value_text(item, "now").len ? value_text(item, "now").s : "?",
                   PRINT_LINE);
        puts(")");
    }
}

/* ---- one question, one answer ---- */

static int ask(struct cli *cli, const struct api_question *q,
               void (*print)(const struct value *answer))
{
    struct api api;
    struct value answer;
    int code = api_open(cli, &api);

    if (!code)
        code = api_ask(&api, q, &answer);
    if (!code && cli->args.json)
        code = api_print(&api, &answer);
    else if (!code)
        print(&answer);
    api_close(&api);
    return code;
}

static void print_changed(const struct value *answer)
{
    const struct value *rule = value_get(answer, "rule");

    print_rule(rule && rule->kind == VALUE_OBJECT ? rule : answer);
    print_findings(answer);
}

static void print_removed(const struct value *answer)
{
    (void)answer;
    puts("removed");
}

static void print_audit(const struct value *answer)
{
    int64_t looked = 0;

    print_findings(answer);
    print_matches(answer, "commands", "given");
    print_matches(answer, "past", "past");
    if (value_get(answer, "past_looked_at") &&
        value_integer(value_get(answer, "past_looked_at"), &looked))
        printf("%lld past commands checked\n", (long long)looked);
}

/* ---- the commands ---- */

static void rule_members(struct json_writer *w, const struct given *given, const char *pattern)
{
    api_text_member(w, "pattern", pattern);
    api_text_member(w, "type", given->type);
    api_text_member(w, "scope", given->scope);
    api_text_member(w, "reason", given->reason);
}

static int put_audit(struct cli *cli, const char *id, const char *pattern)
{
    const struct given *given = cli->args.given;
    struct buf b = buf_in(cli->arena);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    api_text_member(&w, "id", id);
    api_text_member(&w, "pattern", pattern);
    api_text_member(&w, "type", id ? NULL : given->type ? given->type : "allow");
    api_text_member(&w, "scope", id ? NULL : given->scope ? given->scope : "global");
    api_text_member(&w, "since", given->since);
    if (given->limit) {
        json_key(&w, "limit");
        json_raw(&w, str_from(given->limit));
    }
    if (given->commands.count) {
        json_key(&w, "commands");
        json_begin_array(&w);
        for (size_t i = 0; i < given->commands.count; i++)
            json_text(&w, str_from(given->commands.items[i]));
        json_end_array(&w);
    }
    json_end_object(&w);
    return ask(cli,
               &(struct api_question){
                   .method = "POST", .path = STR("/v1/rules/audit"), .body = buf_str(&b)},
               print_audit);
}

/* What was not said: allow, in this project, whose id in hooks' calls is its directory. */
static int fill_in(struct cli *cli, struct given *given)
{
    char here[PATH_MAX];

    if (!given->type)
        given->type = "allow";
    if (given->scope)
        return 0;
    if (!getcwd(here, sizeof here)) {
        complain("cannot tell the current directory: %s; name a --scope", strerror(errno));
        return EX_OSERR;
    }
    given->scope = str_copy(cli->arena, str_from(here)).s;
    return 0;
}

static int rules_add_run(struct cli *cli)
{
    struct given *given = cli->args.given;
    const char *pattern = operand(cli, "pattern");
    struct buf b = buf_in(cli->arena);
    struct json_writer w = json_to(&b);
    int code = pattern ? fill_in(cli, given) : usage_error(cli->command);

    if (code)
        return code;
    if (given->dry_run)
        return put_audit(cli, NULL, pattern);
    json_begin_object(&w);
    rule_members(&w, given, pattern);
    json_end_object(&w);
    return ask(
        cli,
        &(struct api_question){.method = "POST", .path = STR("/v1/rules"), .body = buf_str(&b)},
        print_changed);
}

static int rules_change_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    const char *id = operand(cli, "rule");
    struct buf b = buf_in(cli->arena);
    struct json_writer w = json_to(&b);

    if (!id || (!given->pattern && !given->type && !given->scope && !given->reason)) {
        if (id)
            complain("what is to change? Give --pattern, --type, --scope or --reason");
        return usage_error(cli->command);
    }
    json_begin_object(&w);
    rule_members(&w, given, given->pattern);
    json_end_object(&w);
    return ask(
        cli,
        &(struct api_question){.method = "PUT", .path = rule_path(cli, id), .body = buf_str(&b)},
        print_changed);
}

static int rules_remove_run(struct cli *cli)
{
    const char *id = operand(cli, "rule");

    if (!id)
        return usage_error(cli->command);
    return ask(cli, &(struct api_question){.method = "DELETE", .path = rule_path(cli, id)},
               print_removed);
}

static int rules_audit_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    const char *which = operand(cli, "rule or pattern");
    const char *limit = given->limit;

    if (!which)
        return usage_error(cli->command);
    if (limit &&
        (strspn(limit, "0123456789") != strlen(limit) || limit[0] == '0' || strlen(limit) > 8)) {
        complain("--limit needs a number above 0, not %s", limit);
        return usage_error(cli->command);
    }
    bool is_id = str_starts(str_from(which), STR("rule_"));
    return put_audit(cli, is_id ? which : NULL, is_id ? NULL : which);
}

static const struct option rule_options[] = {
    OPT_ONE_OF("--type", "TYPE", OWN(type), "allow ask deny",
               "what the rule does (default: allow)"),
    OPT_TEXT("--scope", "SCOPE", OWN(scope),
             "\"global\", or the id of one project (default: this directory)"),
    OPT_TEXT("--reason", "TEXT", OWN(reason), "why; a deny rule needs one"),
    OPT_FLAG("--dry-run", OWN(dry_run), "add nothing: say what it would match"),
    {0},
};

static const struct option change_options[] = {
    OPT_TEXT("--pattern", "PATTERN", OWN(pattern), "the new pattern"),
    OPT_ONE_OF("--type", "TYPE", OWN(type), "allow ask deny", "what the rule does"),
    OPT_TEXT("--scope", "SCOPE", OWN(scope), "\"global\", or the id of one project"),
    OPT_TEXT("--reason", "TEXT", OWN(reason), "why; a deny rule needs one"),
    {0},
};

static const struct option audit_options[] = {
    OPT_ONE_OF("--type", "TYPE", OWN(type), "allow ask deny", "of a PATTERN (default: allow)"),
    OPT_TEXT("--scope", "SCOPE", OWN(scope), "of a PATTERN (default: global)"),
    OPT_LIST("--command", "COMMAND", OWN(commands), "would it match this one? May be repeated"),
    OPT_TEXT("--since", "TIME", OWN(since), "only records since then (default: all that are kept)"),
    OPT_TEXT("--limit", "N", OWN(limit), "at most this many commands of the log"),
    {0},
};

const struct command command_rules_add = {
    .name = "rules add",
    .operands = "PATTERN",
    .summary = "add a rule to the running service, for every call from then on",
    .operands_max = 1,
    .tables = {rule_options, service_options, data_options, home_options, common_options},
    .run = rules_add_run,
    .exits = SERVICE_EXITS,
};

const struct command command_rules_change = {
    .name = "rules change",
    .operands = "ID",
    .summary = "change a rule of the running service",
    .operands_max = 1,
    .tables = {change_options, service_options, data_options, home_options, common_options},
    .run = rules_change_run,
    .exits = SERVICE_EXITS,
};

const struct command command_rules_remove = {
    .name = "rules remove",
    .operands = "ID",
    .summary = "remove a rule of the running service",
    .operands_max = 1,
    .tables = {service_options, data_options, home_options, common_options},
    .run = rules_remove_run,
    .exits = SERVICE_EXITS,
};

const struct command command_rules_audit = {
    .name = "rules audit",
    .operands = "ID | PATTERN",
    .summary = "which commands a rule matches: those given, and those in the log",
    .operands_max = 1,
    .tables = {audit_options, service_options, data_options, home_options, common_options},
    .run = rules_audit_run,
    .exits = SERVICE_EXITS,
    .more = "ID is that of a rule of the service, as `rules add` prints it; anything else is a "
            "PATTERN.",
};
