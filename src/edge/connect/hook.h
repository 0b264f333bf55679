/* hook.h - one event of an agent's hook, answered by the process that was started for it. */
#ifndef CONNECT_HOOK_H
#define CONNECT_HOOK_H

#include "connect/event.h"
#include "warder_admin.h"

struct warder_reply {
    struct arena arena;
    struct event event;
    struct event_place from;
    struct client_answer answer;
    warder_engine *engine; /* that judged the call; NULL: nothing was judged here */
    bool nobody;           /* no service answered when the event came */
};

/* What differs between libwarder (hook_whole.c) and warder-hook (prog/hook/edges.c): the edges of
 * the engine, and the answer to a change of the client's settings. */
struct hook_edges {
    const struct edges *engine;
    enum status (*answer_settings)(const warder_options *options, warder_reply *w,
                                   struct error *err);
};

/* warder_hook() with these edges. */
warder_status hook_answer_event(const struct hook_edges *edges, const warder_options *options,
                                const char *client, struct str text, uint32_t deadline_ms,
                                warder_reply **out, warder_error *err);

/* After a change of its settings, does the client still ask Warder about every call? That allows
 * the change; everything else denies it. */
enum status settings_answer(const warder_options *options, warder_reply *w, struct error *err);

#endif
