/* options.h - what follows from options alone, before there is an engine. */
#ifndef ENGINE_OPTIONS_H
#define ENGINE_OPTIONS_H

#include "base/arena.h"
#include "base/str.h"
#include "warder.h"

#define SERVICE_DIRS 2

/* Are rules, files, a mode or a profile given? A service does not know them. */
bool options_by_hand(const warder_options *o);

/* Where a service's socket may be; empty: nowhere. Beside the record that was named, else in the
 * directory for sockets of the login session, else beside the record. Whether it can be trusted is
 * checked when it is opened. `cwd` empty: not known. Below an arena_try(). */
void options_service_dirs(struct arena *a, const warder_options *o, struct str cwd,
                          struct str out[SERVICE_DIRS]);

/* Where the state of this user is, without an engine; empty: the home is not known. */
struct str options_state_dir(struct arena *a, const warder_options *o);

#endif
