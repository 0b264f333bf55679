#include "serve/watch.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/str.h"
#include "serve/say.h"
#include "serve/server.h"
#include "serve/systemd.h"

#define CHANGES                                                                                    \
    (IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR)

static void forget(struct watch *w)
{
    for (size_t i = 0; i < w->count; i++) {
        inotify_rm_watch(
            w->io.fd,
            w->items[i].watch); /* two items may share one directory: the second removal fails */
        free(w->items[i].name);
    }
    w->count = 0;
}

static bool keep(struct watch *w, int watch, const char *name)
{
    if (w->count == w->room) {
        size_t room = w->room ? w->room * 2 : 16;
        struct watched *larger = realloc(w->items, room * sizeof *larger);
        if (!larger)
            return false;
        w->items = larger;
        w->room = room;
    }
    char *copy = strdup(name);
    if (!copy)
        return false;
    w->items[w->count++] = (struct watched){watch, copy};
    return true;
}

/* Goes up from the file to the nearest existing directory, and waits there for the next
 * component. */
static void add(void *context, const char *path)
{
    struct watch *w = context;
    char part[PATH_MAX];
    char *slash;
    int watch = -1;

    if (path[0] != '/' || strlen(path) >= sizeof part)
        return;
    memcpy(part, path, strlen(path) + 1);
    while (watch < 0 && (slash = strrchr(part, '/')) != NULL) {
        const char *name = path + (slash - part) + 1;
        size_t len = strcspn(name, "/");
        *slash = '\0';
        watch = inotify_add_watch(w->io.fd, part[0] ? part : "/", CHANGES);
        if (watch < 0)
            continue;
        char one[NAME_MAX + 1];
        if (len <= NAME_MAX) {
            memcpy(one, name, len);
            one[len] = '\0';
            (void)keep(w, watch, one);
        }
    }
}

/* Starts over: a reload may name other files, and directories may have been created. */
static void look_around(struct watch *w)
{
    if (w->io.fd < 0)
        return;
    forget(w);
    warder_service_files(w->server->service, add, w);
}

void watch_reload(struct watch *w)
{
    warder_error err = {0};

    systemd_notify_reloading();
    if (warder_service_reload(w->server->service, &err) == WARDER_OK) {
        serve_say(w->failing ? "the policy is readable again and in force" : "policy reloaded");
        w->failing = false;
    } else {
        serve_say("POLICY NOT RELOADED, the last good one stays in force: %s", err.message);
        w->failing = true;
    }
    outbox_commit(&w->server->outbox);
    look_around(w);
    systemd_notify("READY=1");
}

static bool concerns(const struct watch *w, const struct inotify_event *event)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->items[i].watch == event->wd && event->len &&
            strcmp(w->items[i].name, event->name) == 0)
            return true;
    return false;
}

/* A revocation holds at once; a policy is read when its files are quiet. */
static void noticed(struct watch *w, const struct inotify_event *event)
{
    bool lost = event->mask & IN_Q_OVERFLOW;

    if (!lost && (event->mask & IN_IGNORED || !concerns(w, event)))
        return;
    bool tokens = !lost && strcmp(event->name, WARDER_TOKENS_CHANGED) == 0;
    if (lost || tokens)
        peers_check_tokens(w->server);
    if (!tokens)
        ev_timer_again(w->server->loop, &w->quiet);
}

static void on_change(struct ev_loop *loop, ev_io *io, int events)
{
    struct watch *w = io->data;
    _Alignas(struct inotify_event) char room[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
    ssize_t len;

    (void)loop, (void)events;
    while ((len = read(io->fd, room, sizeof room)) > 0) {
        for (char *at = room; at < room + len;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)at;
            noticed(w, event);
            at += sizeof *event + event->len;
        }
    }
}

static void on_quiet(struct ev_loop *loop, ev_timer *timer, int events)
{
    (void)events;
    ev_timer_stop(loop, timer);
    watch_reload(timer->data);
}

void watch_start(struct watch *w, struct server *server)
{
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

    *w = (struct watch){.server = server};
    ev_io_init(&w->io, on_change, fd, EV_READ);
    ev_timer_init(&w->quiet, on_quiet, 0., RELOAD_QUIET_S);
    ev_set_priority(&w->io, EV_MAXPRI); /* a revocation comes before what is asked after it */
    w->io.data = w->quiet.data = w;
    if (fd < 0) {
        serve_say("cannot watch the policy files, so changes will not be noticed: %s",
                  strerror(errno));
        return;
    }
    ev_io_start(server->loop, &w->io);
    look_around(w);
}

void watch_stop(struct watch *w)
{
    if (!w->server)
        return;
    ev_timer_stop(w->server->loop, &w->quiet);
    if (w->io.fd >= 0) {
        ev_io_stop(w->server->loop, &w->io);
        forget(w);
        close(w->io.fd);
    }
    free(w->items);
}
