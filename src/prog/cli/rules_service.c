/* rules_service.c - `warder rules add`, `change`, `remove` and `audit`: the rules of the running
 * service. */
#include "cli/api.h"
#include "cli/output.h"

static void text_member(struct json_writer *w, const char *key, const char *text)
{
    if (!text)
        return;
    json_key(w, key);
    json_text(w, str_from(text));
}

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

/* "covers", or "matches" where only a part of the command is what the rule speaks of. */
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
        printf("%lld past commands looked at\n", (long long)looked);
}

/* ---- the commands ---- */

static void rule_members(struct json_writer *w, const struct arguments *args, const char *pattern)
{
    text_member(w, "pattern", pattern);
    text_member(w, "type", args->type);
    text_member(w, "scope", args->scope);
    text_member(w, "reason", args->reason);
}

static int put_audit(struct cli *cli, const char *id, const char *pattern)
{
    const struct arguments *args = &cli->args;
    struct buf b = buf_in(cli->arena);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    text_member(&w, "id", id);
    text_member(&w, "pattern", pattern);
    text_member(&w, "type", id ? NULL : args->type ? args->type : "accept");
    text_member(&w, "scope", id ? NULL : args->scope ? args->scope : "global");
    text_member(&w, "since", args->since);
    if (args->limit) {
        json_key(&w, "limit");
        json_raw(&w, str_from(args->limit));
    }
    if (args->commands.count) {
        json_key(&w, "commands");
        json_begin_array(&w);
        for (size_t i = 0; i < args->commands.count; i++)
            json_text(&w, str_from(args->commands.items[i]));
        json_end_array(&w);
    }
    json_end_object(&w);
    return ask(cli,
               &(struct api_question){
                   .method = "POST", .path = STR("/v1/rules/audit"), .body = buf_str(&b)},
               print_audit);
}

int rules_add_run(struct cli *cli)
{
    const struct arguments *args = &cli->args;
    const char *pattern = operand(cli, "pattern");
    struct buf b = buf_in(cli->arena);
    struct json_writer w = json_to(&b);

    if (!pattern || !args->type || !args->scope) {
        if (pattern)
            complain("a rule needs --type accept or deny, and --scope global or a project's id");
        return usage_error(cli->command);
    }
    if (args->dry_run)
        return put_audit(cli, NULL, pattern);
    json_begin_object(&w);
    rule_members(&w, args, pattern);
    json_end_object(&w);
    return ask(
        cli,
        &(struct api_question){.method = "POST", .path = STR("/v1/rules"), .body = buf_str(&b)},
        print_changed);
}

int rules_change_run(struct cli *cli)
{
    const struct arguments *args = &cli->args;
    const char *id = operand(cli, "rule");
    struct buf b = buf_in(cli->arena);
    struct json_writer w = json_to(&b);

    if (!id || (!args->pattern && !args->type && !args->scope && !args->reason)) {
        if (id)
            complain("what shall change? --pattern, --type, --scope or --reason");
        return usage_error(cli->command);
    }
    json_begin_object(&w);
    rule_members(&w, args, args->pattern);
    json_end_object(&w);
    return ask(
        cli,
        &(struct api_question){.method = "PUT", .path = rule_path(cli, id), .body = buf_str(&b)},
        print_changed);
}

int rules_remove_run(struct cli *cli)
{
    const char *id = operand(cli, "rule");

    if (!id)
        return usage_error(cli->command);
    return ask(cli, &(struct api_question){.method = "DELETE", .path = rule_path(cli, id)},
               print_removed);
}

int rules_audit_run(struct cli *cli)
{
    const char *which = operand(cli, "rule or pattern");
    const char *limit = cli->args.limit;

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
