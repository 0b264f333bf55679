/* watch.h - waits for the call of an entry whose directories are in the trash already, in a process
 * of its own.
 *
 * The client may still refuse the call, by a rule of its own or by its person, and tells nobody. If
 * the call has not deleted them in a few seconds, they come back to their places, and the trash
 * keeps links of them for the case that it does so later. If this process is killed, the next call
 * that is saved and `warder undo` do the same. */
#ifndef UNDO_WATCH_H
#define UNDO_WATCH_H

#include "undo/store.h"

/* Starts it; the store is locked by us until the entry is written, and it waits for that. False: it
 * cannot be started, and no directory should be moved. */
bool undo_watch(const char *state_dir, const struct undo_store *s, const char *id);

#endif
