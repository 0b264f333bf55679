/* hook_whole.c - the hook of libwarder, with every edge. */
#include "connect/hook.h"
#include "engine/edges.h"
#include "engine/image.h"

static const struct hook_edges whole = {.engine = &whole_edges, .answer_settings = settings_answer};

warder_status warder_hook(const warder_options *options, const char *client, const char *event,
                          size_t len, uint32_t deadline_ms, warder_reply **out, warder_error *err)
{
    return hook_answer_event(&whole, options, client, (struct str){event, len}, deadline_ms, out,
                             err);
}

warder_status warder_reply_keep_image(const warder_reply *reply, warder_error *err)
{
    struct error inner = {0};

    if (!reply)
        return give_usage(err, "missing argument: reply");
    if (!reply->engine || engine_keep_image(reply->engine, &inner) == STATUS_OK)
        return WARDER_OK;
    return error_out(err, &inner);
}
