/* review_console.c - `warder review`: the reviews that wait, one after the other, at the terminal.
 */
#include <unistd.h>

#include "cli/engine.h"
#include "cli/output.h"
#include "cli/review.h"

#define SKIPPED_MAX 4096
#define POLL_S      1 /* between two looks, where nothing is pending */

/* Those that the reviewer left to others. */
struct skipped LIST_OF(const char *);

struct console {
    struct api *api;
    struct skipped skipped;
    const char *id; /* that is shown now */
};

static bool was_skipped(const struct console *c, struct str id)
{
    for (size_t i = 0; i < c->skipped.count; i++)
        if (str_is(id, c->skipped.items[i]))
            return true;
    return false;
}

/* *out: the oldest review that waits and was not skipped; *waiting: how many there are. False:
 * there is none. */
static int find_next(struct console *c, struct value *out, bool *found)
{
    struct value answer;
    int code = review_read_all(c->api, "pending", &answer);
    const struct value *reviews = code ? NULL : value_get(&answer, "reviews");

    *found = false;
    for (size_t i = reviews ? reviews->count : 0; i-- > 0 && !*found;) {
        *found = !was_skipped(c, value_text(&reviews->items[i], "id"));
        *out = reviews->items[i];
    }
    return code;
}

/* Is it still to be answered? Asked on a connection of its own, so that what is shown stays. */
static int is_gone(void *context)
{
    const struct console *c = context;
    struct api second = *c->api;
    struct value answer;

    arena_init(&second.arena, (size_t)64 << 20);
    int code = review_read(&second, c->id, &answer);
    bool gone = code == EX_NOINPUT || (!code && !str_is(value_text(&answer, "status"), "pending"));
    arena_release(&second.arena);
    return gone;
}

static int send_answer(struct console *c, warder_review_word word, const char *rule)
{
    static const char *const words[] = {
        [WARDER_REVIEW_QUIT] = NULL,   [WARDER_REVIEW_APPROVE] = "approve",
        [WARDER_REVIEW_DENY] = "deny", [WARDER_REVIEW_PROMOTE] = "promote",
        [WARDER_REVIEW_SKIP] = NULL,   [WARDER_REVIEW_GONE] = NULL};
    struct value said;

    if (!words[word])
        return 0;
    int code = review_answer(c->api, c->id,
                             &(struct review_answer){.answer = words[word], .rule = rule}, &said);
    if (!code)
        review_print_line(&said);
    /* Answered elsewhere, or a rule that was refused: the service's message was printed, and the
     * next review follows. */
    return code == EXIT_NO || code == EX_DATAERR || code == EX_NOINPUT ? 0 : code;
}

static int put_review(struct console *c, const struct value *review, bool *quit)
{
    struct buf json = buf_in(c->api->cli->arena);
    warder_review_word word = WARDER_REVIEW_QUIT;
    warder_report *rule = NULL;
    warder_error err = {0};

    struct value whole; /* with the rules that a promotion would add */

    c->id = str_copy(c->api->cli->arena, value_text(review, "id")).s;
    int failed = review_read(c->api, c->id, &whole);
    if (failed)
        return failed == EX_NOINPUT ? 0 : failed;
    json_value(&json, &whole);
    (void)fflush(stdout);
    if (warder_review_ask(buf_str(&json).s, json.len, is_gone, c, &word, &rule, &err) != WARDER_OK)
        return complain_error(NULL, &err);
    *quit = word == WARDER_REVIEW_QUIT;
    if (word == WARDER_REVIEW_SKIP && c->skipped.count < SKIPPED_MAX)
        LIST_PUSH(c->api->cli->arena, &c->skipped, c->id);
    int code = send_answer(c, word, rule ? warder_report_text(rule) : NULL);
    warder_report_free(rule);
    return code;
}

static int run(struct api *api)
{
    struct console c = {.api = api};
    bool quit = false, told = false;
    int code = 0;

    while (!code && !quit) {
        struct value review;
        bool found;
        if ((code = find_next(&c, &review, &found)))
            break;
        if (found) {
            told = false;
            code = put_review(&c, &review, &quit);
            continue;
        }
        if (!told)
            puts("no review is waiting; press Ctrl-C to stop");
        told = true;
        (void)fflush(stdout);
        sleep(POLL_S);
    }
    return code;
}

static int review_run(struct cli *cli)
{
    struct api api;
    int code;

    if (!isatty(STDIN_FILENO)) {
        complain("review needs a terminal; without one use warder review list, show, approve, deny "
                 "or promote");
        return usage_error(cli->command);
    }
    code = api_open(cli, &api);
    if (!code)
        code = run(&api);
    api_close(&api);
    return code;
}

const struct command command_review = {
    .name = "review",
    .operands = "",
    .summary = "answer the waiting reviews at the terminal, one after the other",
    .tables = {service_options, data_options, home_options, common_options},
    .run = review_run,
    .exits = SERVICE_EXITS,
    .more = "Speaks to the running service, as an operator. Waits for the next review when "
            "none is left.",
};
