/* hook.c - `warder hook`: what an agent runs before each of its tool calls; see hook_process.h. */
#include <sys/prctl.h>
#include <unistd.h>

#include "cli/engine.h"
#include "cli/hook_process.h"
#include "cli/output.h"

/* What the command line said, beyond the options that commands share. */
struct given {
    const char *timeout;
    bool image, sealed, ran;
};

/* Nothing is said or blocked, whatever happens. */
static int note_ran(struct cli *cli)
{
    const struct given *given = cli->args.given;
    struct hook_process e;
    warder_options options;

    hook_say_nothing();
    if (hook_begin(given->timeout, cli->args.home, &e) && hook_read(&e) && cli->args.client &&
        engine_options(cli, &options) == 0)
        warder_hook_ran(&options, cli->args.client, e.text, e.len);
    hook_end(&e);
    return 0;
}

static int answer_event(struct cli *cli, const struct hook_process *e)
{
    const struct given *given = cli->args.given;
    warder_options options;
    warder_reply *reply = NULL;
    int code;

    if (engine_options(cli, &options))
        return EXIT_BLOCKED;
    code = hook_answer(e, warder_hook, cli->args.client, &options, &reply);
    if (reply && given->image) {
        /* The answer is out: the alarm must not block the call any more, and a parent that has
         * passed it on does not have to wait for us. */
        alarm(0);
        (void)prctl(PR_SET_PDEATHSIG, 0);
        (void)warder_reply_keep_image(reply, NULL);
    }
    warder_reply_free(reply);
    return code;
}

static int hook_run(struct cli *cli)
{
    const struct given *given = cli->args.given;
    struct hook_process e;
    int code = EXIT_BLOCKED;

    if (given->ran)
        return note_ran(cli);
    if (hook_begin(given->timeout, cli->args.home, &e) && hook_read(&e)) {
        e.sealed = given->sealed;
        code = answer_event(cli, &e);
    }
    hook_end(&e);
    return code;
}

static const struct option hook_options[] = {
    OPT_NAMES("--client", "CLIENT", SHARED(client), "auto", warder_client_name,
              "whose hook this is (default: auto)"),
    OPT_TEXT("--timeout", "SECONDS", OWN(timeout),
             "how long the client waits (default: 10); we answer before that"),
    OPT_TEXT("--data", "DIR", SHARED(data),
             "where decisions are recorded (default: as for `warder log`)"),
    OPT_FLAG("--ran", OWN(ran),
             "the event says that a tool has run: note that a person allowed it, and answer "
             "nothing"),
    OPT_FLAG("--image", OWN(image),
             "then write the policy's image for warder-hook, unless it is up to date"),
    OPT_FLAG("--sealed", OWN(sealed),
             "end the answer with a line that says it is complete, which warder-hook looks for"),
    {0},
};

const struct command command_hook = {
    .name = "hook",
    .operands = "",
    .summary = "answer an agent's hook: the event on standard input, the answer in the agent's "
               "own words",
    .tables = {hook_options, POLICY_OPTIONS, common_options},
    .run = hook_run,
    .exits = "0 answered, 2 blocked; no others",
    .more = "Agents run it before each tool call; `warder install` registers it. Whatever goes "
            "wrong blocks the "
            "call: exit 2 and a line on standard error.",
    .blocks = true,
    .records = true,
};
