/* What a client that cannot ask does with a call: uses up an approval, or offers one; for
 * tests/system/approve.bats.
 *
 *     approval_driver CLIENT COMMAND
 *
 * Prints "allow", or "ID ..." or "none: WHY". */
#include <stdio.h>

#include "engine/approve.h"

int main(int argc, char **argv)
{
    warder_options options = WARDER_OPTIONS_INIT;
    warder_engine *engine;
    warder_decision *decision;
    struct error err = {0};

    if (argc != 3 || warder_engine_new(&options, &engine, NULL) != WARDER_OK ||
        warder_check_argument(engine, "Bash", argv[2], &decision, NULL) != WARDER_OK)
        return 2;
    if (decision_take_approval(decision, &decision->call, str_from(argv[1]))) {
        puts("allow");
    } else {
        struct str id = decision_offer_approval(decision, &decision->call, str_from(argv[1]), &err);
        printf(id.len ? "ID %s\n" : "none: %s\n", id.len ? id.s : err.message);
    }
    warder_decision_free(decision);
    warder_engine_free(engine);
    return 0;
}
