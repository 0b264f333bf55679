/* options.h - what follows from options alone, for those who have no engine yet. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include "base/arena.h"
#include "base/str.h"
#include "warder.h"

#define SERVICE_DIRS 2

/* Rules, files, a mode or a profile are given: a service does not know them. */
bool options_by_hand(const warder_options *o);

/* Where a service's socket may lie; empty: nowhere. Beside the record that was named, else where
 * the session's sockets lie, else beside the record. Who may be believed there is looked at when it
 * is asked. `cwd`: empty: not known. Below an arena_try(). */
void options_service_dirs(struct arena *a, const warder_options *o, struct str cwd,
                          struct str out[SERVICE_DIRS]);

#endif
