/* Asks about one call at the terminal and says what the answer was; for tests/system/prompt.bats.
 *
 *     prompt_driver [--resolve] [--lines] [--deadline MS] [--grace MS] [--profile NAME]
 *                   [--session NAME] TOOL ARGUMENT
 *
 * --resolve asks by way of warder_resolve(). --lines reads standard input instead of the terminal;
 * without --grace keys count at once. The answer goes to standard output when the prompt has ended.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask/prompt.h"
#include "engine/panel.h"
#include "machine/clock.h"

struct making {
    warder_decision *decision;
    struct panel panel;
    struct always always;
};

static void make(void *arg)
{
    struct making *m = arg;

    decision_panel(m->decision, &m->panel, &m->always);
}

static void report(const struct race *race)
{
    static const char *const ends[] = {"open", "answered", "deadline", "nobody", "cancelled"};
    static const char *const kept[] = {"nothing", "session", "written"};
    const struct reply *r = &race->reply;

    if (race->end != RACE_ANSWERED)
        printf("\nRESULT %s\n", ends[race->end]);
    else
        printf("\nRESULT %s%s remember=%s rule=%.*s\n", behavior_name(r->behavior),
               r->cancelled ? " cancelled" : "", kept[r->remember], STR_ARG(r->rule));
}

static int ask(warder_decision *decision, bool lines, long deadline, uint32_t grace)
{
    struct making m = {.decision = decision};
    struct race race;

    if (!arena_try(&decision->arena, make, &m))
        return 3;
    static struct prompt prompt;
    prompt = (struct prompt){.panel = &m.panel,
                             .always = &m.always,
                             .arena = &decision->arena,
                             .in = lines ? 0 : -1,
                             .out = lines ? 2 : -1,
                             .grace_ms = grace};
    const struct asker asker = {&prompt_asker, &prompt, grace};
    race_run(&asker, 1, &(struct race_options){.deadline = clock_ms() + deadline, .cancel_fd = -1},
             &race);
    report(&race);
    return 0;
}

static int resolve(warder_engine *engine, warder_decision *decision, long deadline)
{
    warder_asking asking = WARDER_ASKING_INIT;
    warder_error err = {0};

    asking.terminal = asking.lines = 1;
    asking.deadline_ms = (uint32_t)deadline;
    if (warder_resolve(engine, decision, &asking, &err) != WARDER_OK)
        fprintf(stderr, "prompt_driver: %s\n", err.message);
    printf("\nRESULT %s by %s: %s\n", warder_behavior_name(warder_decision_behavior(decision)),
           warder_decision_layer(decision), warder_decision_message(decision));
    return 0;
}

int main(int argc, char **argv)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine;
    warder_decision *decision;
    warder_error err = {0};
    bool lines = false, resolves = false;
    long deadline = 60000, grace = 0;
    int i = 1;

    for (; i + 2 < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "--lines") == 0)
            lines = true;
        else if (strcmp(argv[i], "--resolve") == 0)
            resolves = true;
        else if (strcmp(argv[i], "--deadline") == 0)
            deadline = strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--grace") == 0)
            grace = strtol(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--profile") == 0)
            options.profile = argv[++i];
        else if (strcmp(argv[i], "--session") == 0)
            options.session = argv[++i];
    }
    if (i + 2 != argc || warder_engine_new(&options, &engine, &err) != WARDER_OK ||
        warder_check_argument(engine, argv[i], argv[i + 1], &decision, &err) != WARDER_OK) {
        fprintf(stderr, "prompt_driver: %s\n", err.message);
        return 2;
    }
    int code = resolves ? resolve(engine, decision, deadline)
                        : ask(decision, lines, deadline, (uint32_t)grace);
    warder_decision_free(decision);
    warder_engine_free(engine);
    return code;
}
