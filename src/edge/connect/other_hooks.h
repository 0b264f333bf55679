/* other_hooks.h - hooks of other programs that an agent runs before the same tools.
 *
 * All hooks of an event run beside ours, and the agent puts their answers together: one may change
 * a call that we have judged, or allow what we leave to the agent. What they do cannot be known;
 * that they are there can. Hooks that plugins and extensions of an agent bring are not looked for.
 */
#ifndef CONNECT_OTHER_HOOKS_H
#define CONNECT_OTHER_HOOKS_H

#include "connect/place.h"

struct other_hook {
    struct str file, event, matcher; /* matcher: empty: all tools */
    struct str runs; /* a command line, or the kind of hook; empty: the file itself */
};
struct other_hooks LIST_OF(struct other_hook);

/* `user`: where the client is registered for the user; `known`: the commands that are ours. False:
 * no memory. A file that cannot be read has no hooks: the agent cannot read it either. Not below an
 * arena_try(). */
bool other_hooks_find(struct arena *a, const struct place *user, const warder_installation *where,
                      const struct strs *known, struct other_hooks *out);

#endif
