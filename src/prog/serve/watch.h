/* watch.h - notices that policy files have changed, and has them read again.
 *
 * What is watched is the directory of each file, or the nearest one above it
 * that is there: an editor replaces a file, and one that is missing may come. */
#ifndef SERVE_WATCH_H
#define SERVE_WATCH_H

#include <ev.h>
#include <stdbool.h>
#include <stddef.h>

struct server;

struct watched {
    int watch;  /* of inotify */
    char *name; /* malloc'ed: in that directory */
};

struct watch {
    struct server *server;
    ev_io io; /* fd -1: nothing can be watched */
    ev_timer quiet;
    struct watched *items; /* malloc'ed */
    size_t count, room;
    bool failing; /* the last reload failed, and that was said */
};

void watch_start(struct watch *watch, struct server *server);
void watch_stop(struct watch *watch);

/* Reads the policy now, and says what is wrong with it. */
void watch_reload(struct watch *watch);

#endif
