/* review.c - `warder review list`, `watch`, `show`, `approve`, `deny`, `promote`: what waits for a
 * person, and the answer.
 *
 * Much of a review was written by the agent that is judged: it is printed with everything escaped
 * that a terminal would obey. */
#include "cli/review.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *status, *reason, *rule, *cooldown;
};

#define WAIT_S        25 /* that a poll is held by the service */
#define RETRY_S       2  /* before a service that has gone is asked again */
#define COMMAND_SHOWN 100

/* ---- questions ---- */

static struct str review_path(struct api *api, const char *id)
{
    struct buf b = buf_in(api->cli->arena);

    buf_text(&b, "/v1/reviews/");
    buf_url_word(&b, str_from(id));
    return buf_str(&b);
}

int review_read_all(struct api *api, const char *status, struct value *out)
{
    struct buf b = buf_in(api->cli->arena);

    buf_text(&b, "/v1/reviews?limit=1000");
    if (status) {
        buf_text(&b, "&status=");
        buf_url_word(&b, str_from(status));
    }
    return api_ask(api, &(struct api_question){.method = "GET", .path = buf_str(&b)}, out);
}

int review_read(struct api *api, const char *id, struct value *out)
{
    return api_ask(api, &(struct api_question){.method = "GET", .path = review_path(api, id)}, out);
}

int review_answer(struct api *api, const char *id, const struct review_answer *answer,
                  struct value *out)
{
    struct buf b = buf_in(api->cli->arena);
    struct json_writer w = json_to(&b);

    json_begin_object(&w);
    api_text_member(&w, "answer", answer->answer);
    api_text_member(&w, "rule", answer->rule);
    api_text_member(&w, "reason", answer->reason);
    if (answer->cooldown) {
        json_key(&w, "cooldown");
        json_raw(&w, str_from(answer->cooldown));
    }
    json_end_object(&w);
    return api_ask(
        api,
        &(struct api_question){.method = "POST", .path = review_path(api, id), .body = buf_str(&b)},
        out);
}

int review_wait(struct api *api, uint64_t *cursor, struct value *events)
{
    char path[128];
    int64_t next;
    uint32_t wait = *cursor ? WAIT_S : 0;

    snprintf(path, sizeof(path), "/v1/events?types=review&cursor=%llu&wait=%u",
             (unsigned long long)*cursor, wait);
    int code = api_ask(
        api,
        &(struct api_question){.method = "GET", .path = str_from(path), .more_ms = wait * 1000},
        events);
    if (code)
        return code;
    if (!value_get(events, "cursor") || !value_integer(value_get(events, "cursor"), &next) ||
        next < 0) {
        complain("the service's events have no cursor");
        return EX_PROTOCOL;
    }
    *cursor = (uint64_t)next;
    return 0;
}

/* ---- printing ---- */

static void print_str(struct str text, enum print_mode mode)
{
    if (text.len)
        print_text(stdout, text.s, mode);
}

/* Whole where this token may see it. */
static struct str command_of(const struct value *review)
{
    struct str command = value_text(review, "command");

    return command.len ? command : value_text(review, "command_redacted");
}

void review_print_line(const struct value *review)
{
    struct str command = command_of(review), project = value_text(review, "project_id");
    char shown[COMMAND_SHOWN + 1];
    size_t len = command.len < COMMAND_SHOWN ? command.len : COMMAND_SHOWN;

    while (len && len < command.len && ((unsigned char)command.s[len] & 0xc0) == 0x80)
        len--;
    memcpy(shown, command.len ? command.s : "", len);
    shown[len] = '\0';
    print_str(value_text(review, "id"), PRINT_LINE);
    fputs("  ", stdout);
    print_str(value_text(review, "status"), PRINT_LINE);
    fputs("  ", stdout);
    print_str(value_text(review, "requested_at"), PRINT_LINE);
    fputs("  ", stdout);
    print_text(stdout,
               value_text(review, "worker_id").len ? value_text(review, "worker_id").s : "-",
               PRINT_LINE);
    fputs("  ", stdout);
    print_text(stdout, project.len ? project.s : "-", PRINT_LINE);
    fputs("  ", stdout);
    print_text(stdout, shown, PRINT_LINE);
    fputs(len < command.len ? " ...\n" : "\n", stdout);
}

static void print_member(const char *label, struct str text)
{
    if (!text.len)
        return;
    printf("%-10s", label);
    print_text(stdout, text.s, PRINT_LINE);
    putchar('\n');
}

/* Each line of a command with a bar, so that no line of it looks like one of ours. */
static void print_command(struct str command)
{
    const char *label = "command";
    struct str line;
    bool more = true;

    while (more) {
        more = str_cut(command, '\n', &line, &command);
        printf("%-10s| ", label);
        for (size_t at = 0; at < line.len;) {
            char piece[512];
            size_t len = line.len - at < sizeof(piece) - 1 ? line.len - at : sizeof(piece) - 1;
            while (len && at + len < line.len && ((unsigned char)line.s[at + len] & 0xc0) == 0x80)
                len--;
            len = len ? len : 1;
            memcpy(piece, line.s + at, len);
            piece[len] = '\0';
            print_text(stdout, piece, PRINT_LINE);
            at += len;
        }
        putchar('\n');
        label = "";
    }
}

static void print_rules(const char *label, const struct value *rules)
{
    for (size_t i = 0; rules && rules->kind == VALUE_ARRAY && i < rules->count; i++)
        print_member(label, rules->items[i].kind == VALUE_STRING
                                ? rules->items[i].text
                                : value_text(&rules->items[i], "pattern"));
}

void review_print_all(const struct value *review)
{
    static const struct {
        const char *label, *key;
    } before[] = {{"review", "id"},    {"status", "status"},      {"worker", "worker_id"},
                  {"task", "task_id"}, {"project", "project_id"}, {"session", "session_id"},
                  {"tool", "tool"}},
      after_command[] = {{"reason", "reason"},      {"asked", "requested_at"},
                         {"expires", "expires_at"}, {"answered", "responded_at"},
                         {"by", "responded_by"},    {"message", "message"}};
    const struct value *context = value_get(review, "context"),
                       *recent = value_get(context, "recent_commands");

    for (size_t i = 0; i < COUNT(before); i++)
        print_member(before[i].label, value_text(review, before[i].key));
    print_command(command_of(review));
    print_member("task is", value_text(context, "task_description"));
    print_member("worktree", value_text(context, "worktree_path"));
    for (size_t i = 0; i < COUNT(after_command); i++)
        print_member(after_command[i].label, value_text(review, after_command[i].key));
    for (size_t i = 0; recent && recent->kind == VALUE_ARRAY && i < recent->count; i++)
        print_member(i ? "" : "before", recent->items[i].text);
    print_rules("rule", value_get(review, "suggested")); /* what a promotion would add */
}

/* ---- the commands ---- */

static int with_api(struct cli *cli, int (*run)(struct api *api))
{
    struct api api;
    int code = api_open(cli, &api);

    if (!code)
        code = run(&api);
    api_close(&api);
    return code;
}

static int print_list(struct api *api)
{
    const struct given *given = api->cli->args.given;
    struct value answer;
    int code = review_read_all(api, given->status, &answer);
    const struct value *reviews = code ? NULL : value_get(&answer, "reviews");

    if (code || api->cli->args.json)
        return code ? code : api_print(api, &answer);
    for (size_t i = 0; reviews && i < reviews->count; i++)
        review_print_line(&reviews->items[i]);
    if (!reviews || reviews->count == 0)
        puts("no reviews");
    if (value_text(&answer, "next").len)
        puts("... and more");
    return 0;
}

static int review_list_run(struct cli *cli)
{
    return with_api(cli, print_list);
}

static void print_event(struct api *api, const struct value *event)
{
    const struct value *review = value_get(event, "review");

    if (api->cli->args.json)
        (void)api_print(api, event);
    else if (review)
        review_print_line(review);
}

/* A service that restarts numbers its events from the start: then every pending review is shown
 * again. */
static int show_pending(struct api *api)
{
    struct value answer;
    int code = review_read_all(api, "pending", &answer);
    const struct value *reviews = code ? NULL : value_get(&answer, "reviews");

    for (size_t i = 0; reviews && i < reviews->count; i++) {
        if (api->cli->args.json)
            (void)api_print(api, &reviews->items[i]);
        else
            review_print_line(&reviews->items[i]);
    }
    return code;
}

static int watch(struct api *api)
{
    uint64_t cursor = 0;
    struct value answer;
    char epoch[64] = "";
    int code =
        review_wait(api, &cursor, &answer); /* first the cursor, then the list: nothing is missed */

    if (!code)
        snprintf(epoch, sizeof(epoch), "%s",
                 value_text(&answer, "epoch").len ? value_text(&answer, "epoch").s : "");
    if (!code)
        code = show_pending(api);
    while (!code && fflush(stdout) == 0) {
        code = review_wait(api, &cursor, &answer);
        if (code == EX_UNAVAILABLE) { /* it restarts, perhaps */
            sleep(RETRY_S);
            code = 0;
            continue;
        }
        if (code)
            break;
        const struct value *events = value_get(&answer, "events"),
                           *missed = value_get(&answer, "missed");
        if (!str_is(value_text(&answer, "epoch"), epoch) || (missed && missed->boolean)) {
            snprintf(epoch, sizeof(epoch), "%s",
                     value_text(&answer, "epoch").len ? value_text(&answer, "epoch").s : "");
            code = show_pending(api);
            continue;
        }
        for (size_t i = 0; events && i < events->count; i++)
            print_event(api, &events->items[i]);
    }
    return code;
}

static int review_watch_run(struct cli *cli)
{
    return with_api(cli, watch);
}

static const char *id_of(struct cli *cli)
{
    if (cli->args.operands.count)
        return cli->args.operands.items[0];
    complain("which review? Give its id, as `warder review list` shows it");
    return NULL;
}

static int show(struct api *api)
{
    struct value answer;
    int code = review_read(api, api->cli->args.operands.items[0], &answer);

    if (code || api->cli->args.json)
        return code ? code : api_print(api, &answer);
    review_print_all(&answer);
    return 0;
}

static int review_show_run(struct cli *cli)
{
    return id_of(cli) ? with_api(cli, show) : usage_error(cli->command);
}

static bool is_number(const char *text)
{
    size_t len = strspn(text, "0123456789");

    return len > 0 && len < 9 && text[len] == '\0' && (text[0] != '0' || len == 1);
}

static int put_answer(struct api *api)
{
    const struct given *given = api->cli->args.given;
    const struct arguments *args = &api->cli->args;
    /* "review approve": the last word of the command's name is the answer. */
    const struct review_answer answer = {.answer = strrchr(api->cli->command->name, ' ') + 1,
                                         .rule = given->rule,
                                         .reason = given->reason,
                                         .cooldown = given->cooldown};
    struct value said;
    int code = review_answer(api, args->operands.items[0], &answer, &said);

    if (code || args->json)
        return code ? code : api_print(api, &said);
    review_print_line(&said);
    print_rules("rule", value_get(&said, "promoted"));
    return 0;
}

static int review_answer_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    if (!id_of(cli))
        return usage_error(cli->command);
    if (given->cooldown && !is_number(given->cooldown)) {
        complain("--cooldown is a number of seconds, not %s", given->cooldown);
        return usage_error(cli->command);
    }
    return with_api(cli, put_answer);
}

#define ANSWER_EXITS                                                                               \
    "0 answered, 1 it was answered before; 65, 66, 69 and 77 as for `warder review`"

static const struct option status_options[] = {
    OPT_ONE_OF("--status", "STATUS", OWN(status), "pending approved denied expired",
               "only these (default: all)"),
    {0},
};

static const struct option answer_options[] = {
    OPT_TEXT("--reason", "TEXT", OWN(reason), "what the worker is told, and the record keeps"),
    {0},
};

static const struct option promote_options[] = {
    OPT_TEXT("--reason", "TEXT", OWN(reason), "what the worker is told, and the record keeps"),
    OPT_TEXT("--rule", "PATTERN", OWN(rule), "the rule to add (default: exactly this command)"),
    OPT_TEXT("--cooldown", "SECONDS", OWN(cooldown),
             "seconds before the rule takes effect (default: as the service was started, or 0)"),
    {0},
};

const struct command command_review_list = {
    .name = "review list",
    .operands = "",
    .summary = "the reviews of the running service",
    .tables = {status_options, service_options, data_options, home_options, common_options},
    .run = review_list_run,
    .exits = SERVICE_EXITS,
};

const struct command command_review_watch = {
    .name = "review watch",
    .operands = "",
    .summary = "print reviews as they come, and as they end",
    .tables = {service_options, data_options, home_options, common_options},
    .run = review_watch_run,
    .exits = SERVICE_EXITS,
};

const struct command command_review_show = {
    .name = "review show",
    .operands = "ID",
    .summary = "all of one review: command, task, worker, what it ran before",
    .operands_max = 1,
    .tables = {service_options, data_options, home_options, common_options},
    .run = review_show_run,
    .exits = SERVICE_EXITS,
};

const struct command command_review_approve = {
    .name = "review approve",
    .operands = "ID",
    .summary = "let the call run, once",
    .operands_max = 1,
    .tables = {answer_options, service_options, data_options, home_options, common_options},
    .run = review_answer_run,
    .exits = ANSWER_EXITS,
};

const struct command command_review_deny = {
    .name = "review deny",
    .operands = "ID",
    .summary = "do not let it run",
    .operands_max = 1,
    .tables = {answer_options, service_options, data_options, home_options, common_options},
    .run = review_answer_run,
    .exits = ANSWER_EXITS,
};

const struct command command_review_promote = {
    .name = "review promote",
    .operands = "ID",
    .summary = "let it run, and add a rule that allows it from now on",
    .operands_max = 1,
    .tables = {promote_options, service_options, data_options, home_options, common_options},
    .run = review_answer_run,
    .exits = ANSWER_EXITS,
};
