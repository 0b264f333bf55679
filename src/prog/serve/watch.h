/* watch.h - reloads the policy when its files or the list of trusted projects change, and checks
 * the tokens of open connections when one was revoked.
 *
 * It watches the directory of each file, or the nearest existing one above it: an editor replaces a
 * file, and a missing file may appear. */
#ifndef SERVE_WATCH_H
#define SERVE_WATCH_H

#include <ev.h>
#include <stdbool.h>
#include <stddef.h>

struct server;

struct watched {
    int watch;  /* of inotify */
    char *name; /* malloc'ed: a name in that directory */
};

struct watch {
    struct server *server;
    ev_io io; /* fd -1: watching is impossible */
    ev_timer quiet;
    struct watched *items; /* malloc'ed */
    size_t count, room;
    bool failing; /* the last reload failed, and that was reported */
};

void watch_start(struct watch *watch, struct server *server);
void watch_stop(struct watch *watch);

/* Reloads the policy now, and prints what is wrong with it. */
void watch_reload(struct watch *watch);

#endif
