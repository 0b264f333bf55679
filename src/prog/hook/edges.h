/* edges.h - the edges of warder-hook: what it cannot do is handed over to `warder hook`. */
#ifndef HOOK_EDGES_H
#define HOOK_EDGES_H

#include "engine/edges.h"
#include "warder_admin.h"

/* warder_hook() with these edges. */
warder_status small_hook(const warder_options *options, const char *client, const char *event,
                         size_t len, uint32_t deadline_ms, warder_reply **out, warder_error *err);

/* The policy from its image: no policy file is read here. Where there is no fresh image, `warder
 * hook` reads the files, answers, and leaves one for the next call. */
enum status image_policy_open(const struct policy_request *request, struct policy **out,
                              struct error *err);

#endif
