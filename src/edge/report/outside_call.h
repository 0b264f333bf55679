/* outside_call.h - a call that ran in the sandbox, and what was refused to it, as the record has
 * them. */
#ifndef REPORT_OUTSIDE_CALL_H
#define REPORT_OUTSIDE_CALL_H

#include "engine/engine.h"
#include "report/walls.h"

struct outside_call {
    struct str id, token, command, cwd, client, session;
    struct strs hosts, paths; /* that it was refused */
    struct walls walls;       /* what policy would give it */
};

/* The last call with that ID, or with that token: the first eight digits are enough. STATUS_USAGE:
 * there is none. */
enum status outside_find(struct arena *a, const warder_engine *engine, struct str id,
                         struct outside_call *out, struct error *err);

#endif
