/* hook.c - `warder hook`: what an agent runs before each of its tool calls; see hook_process.h. */
#include <unistd.h>

#include "cli/engine.h"
#include "cli/hook_process.h"
#include "cli/output.h"

static int answer(struct cli *cli, const struct hook_process *e)
{
    warder_options options;
    warder_reply *reply = NULL;
    int code;

    if (engine_options(cli, &options))
        return EXIT_BLOCKED;
    code = hook_answer(e, cli->args.client, &options, &reply);
    if (reply && cli->args.image) {
        alarm(0); /* the answer has left: what is late now blocks nothing */
        (void)warder_reply_keep_image(reply, NULL);
    }
    warder_reply_free(reply);
    return code;
}

int hook_run(struct cli *cli)
{
    struct hook_process e;
    int code = EXIT_BLOCKED;

    if (hook_begin(cli->args.timeout, &e) && hook_read(&e))
        code = answer(cli, &e);
    hook_end(&e);
    return code;
}
