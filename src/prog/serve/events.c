#include "serve/events.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "serve/frame.h"
#include "serve/peer.h"
#include "serve/server.h"

/* For the report of one page of events. */
#define PAGE_MEMORY_MAX ((size_t)32 * 1024 * 1024)

static const char *const kind_names[] = {"review", "decision", "rules",
                                         "policy"}; /* ORDER of the bits */

static unsigned kind_of(struct str name)
{
    for (unsigned i = 0; i < COUNT(kind_names); i++)
        if (str_is(name, kind_names[i]))
            return 1u << i;
    return 0;
}

bool events_kinds(struct str list, unsigned *out)
{
    struct str word;
    bool more = true;

    *out = 0;
    while (more) {
        more = str_cut(list, ',', &word, &list);
        unsigned kind = kind_of(word);
        if (!kind)
            return false;
        *out |= kind;
    }
    return true;
}

const char *events_names(unsigned kinds, char out[EVENTS_TYPES_MAX])
{
    size_t len = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < COUNT(kind_names); i++)
        if (kinds & 1u << i)
            len += (size_t)snprintf(out + len, EVENTS_TYPES_MAX - len, "%s ", kind_names[i]);
    return out;
}

static void count_wishes(struct events *e, unsigned kinds, bool more)
{
    for (unsigned i = 0; i < COUNT(e->wanted); i++)
        if (kinds & 1u << i)
            e->wanted[i] += more ? 1 : (size_t)-1;
}

/* True if any listener wants this kind. */
static bool is_wanted(const struct events *e, unsigned kind)
{
    for (unsigned i = 0; i < COUNT(e->wanted); i++)
        if (kind & 1u << i && e->wanted[i])
            return true;
    return false;
}

/* Out of memory, the slot stays empty, and listeners that reach it are told that an event is
 * missing. */
static void keep(struct events *e, unsigned kind, const char *json)
{
    struct kept_event *slot = &e->kept[e->next++ % EVENTS_KEPT];

    free(slot->json);
    *slot = (struct kept_event){.kind = kind, .json = strdup(json)};
}

static void wake(struct listener *l, uint64_t place)
{
    if (!l->behind) {
        l->behind = true;
        l->place = place;
    }
    peer_wake(l->peer);
}

/* Called during a commit: nothing here may call the service. */
void events_happened(void *context, const warder_event *event)
{
    struct server *server = context;
    struct events *e = &server->events;
    unsigned kind = kind_of(str_from(event->type));

    e->cursor = event->cursor;
    if (kind != EVENT_DECISION) {
        server_tick_soon(server);
        notify_tell(&server->notify, event->json, event->links);
    }
    if (!is_wanted(e, kind))
        return;
    keep(e, kind, event->json);
    for (struct listener *l = e->head.next; l != &e->head; l = l->next)
        if (l->wants & kind)
            wake(l, e->next - 1);
}

static void on_poll_end(struct ev_loop *loop, ev_timer *timer, int revents)
{
    struct listener *l = timer->data;

    (void)loop, (void)revents;
    wake(l, l->events->next);
}

void events_join(struct events *e, struct listener *l, double wait_s)
{
    l->events = e;
    l->behind = l->live = l->ping = l->silent = l->revoked = false;
    l->prev = e->head.prev;
    l->next = &e->head;
    e->head.prev->next = l;
    e->head.prev = l;
    count_wishes(e, l->wants, true);
    e->sockets += l->polls ? 0 : 1;
    ev_timer_init(&l->timer, on_poll_end, wait_s, 0.);
    l->timer.data = l;
    if (l->polls)
        ev_timer_start(e->server->loop, &l->timer);
    else
        peer_wake(l->peer); /* its first message tells it the current cursor */
}

void events_leave(struct listener *l)
{
    if (!l->next)
        return;
    l->prev->next = l->next;
    l->next->prev = l->prev;
    l->next = l->prev = NULL;
    count_wishes(l->events, l->wants, false);
    l->events->sockets -= l->polls ? 0 : 1;
    ev_timer_stop(l->events->server->loop, &l->timer);
}

/* The "cursor" of a page; `before` if it has none. */
static uint64_t page_cursor(const char *json, uint64_t before)
{
    struct arena arena;
    struct value page;
    int64_t cursor;
    uint64_t found = before;

    arena_init(&arena, PAGE_MEMORY_MAX);
    if (json_read(&arena, str_from(json), NULL, &page, NULL) == STATUS_OK &&
        value_get(&page, "cursor") && value_integer(value_get(&page, "cursor"), &cursor) &&
        cursor >= 0)
        found = (uint64_t)cursor;
    arena_release(&arena);
    return found;
}

/* Before it follows the ring, it gets the events that the service has kept, one page per
 * message. */
static unsigned catch_up(struct listener *l, struct bytes *out, const char **why)
{
    struct server *server = l->events->server;
    warder_report *page;
    warder_error err = {0};
    char types[EVENTS_TYPES_MAX];
    warder_outcome outcome = warder_service_events_of(server->service, &l->peer->request.caller,
                                                      events_names(l->wants, types), l->cursor,
                                                      EVENTS_PAGE_MAX, &page, &err);
    uint64_t cursor;
    bool added;

    *why = "cannot read the events";
    if (outcome != WARDER_DONE)
        return CLOSE_INTERNAL;
    cursor = page_cursor(warder_report_json(page), l->cursor);
    added = frame_add(out, FRAME_TEXT, str_from(warder_report_json(page)));
    warder_report_free(page);
    /* No progress ends it too: the cursor was from before a restart of the service. */
    if (cursor == l->cursor || cursor == l->events->cursor)
        l->live = true;
    l->cursor = cursor;
    l->behind = false;
    return added ? 0 : CLOSE_INTERNAL;
}

/* The next event in the ring that it wants. */
static unsigned follow(struct listener *l, struct bytes *out, const char **why)
{
    struct events *e = l->events;

    *why = "too slow: reconnect with your cursor";
    if (e->next - l->place > EVENTS_KEPT)
        return CLOSE_TRY_AGAIN_LATER;
    while (l->place < e->next && !(e->kept[l->place % EVENTS_KEPT].kind & l->wants))
        l->place++;
    if (l->place == e->next) {
        l->behind = false;
        return 0;
    }
    const struct kept_event *event = &e->kept[l->place++ % EVENTS_KEPT];
    *why = "an event was lost: reconnect with your cursor";
    return event->json && frame_add(out, FRAME_TEXT, str_from(event->json)) ? 0
                                                                            : CLOSE_TRY_AGAIN_LATER;
}

bool events_wait_for(const struct listener *l)
{
    return !l->live || l->behind || l->ping || l->revoked;
}

unsigned events_write(struct listener *l, struct bytes *out, size_t max, const char **why)
{
    unsigned code = 0;

    *why = "token revoked, or ping not answered";
    if (l->revoked)
        return CLOSE_POLICY;
    if (l->ping) {
        l->ping = false;
        l->silent = true;
        if (!frame_add(out, FRAME_PING, STR("")))
            return CLOSE_INTERNAL;
    }
    while (code == 0 && (!l->live || l->behind) && out->len < max)
        code = l->live ? follow(l, out, why) : catch_up(l, out, why);
    return code;
}

bool events_token_holds(struct server *server, const struct listener *l, const char **known)
{
    warder_caller caller;
    warder_error err;

    if (*known && strcmp(*known, l->token) == 0)
        return true;
    if (warder_service_login(server->service, l->token, &caller, &err) != WARDER_DONE)
        return false;
    *known = l->token;
    return true;
}

static void on_sweep(struct ev_loop *loop, ev_timer *timer, int revents)
{
    struct events *e = timer->data;
    const char *known = NULL;

    (void)loop, (void)revents;
    for (struct listener *l = e->head.next; l != &e->head; l = l->next) {
        if (l->polls)
            continue;
        l->revoked = l->silent || !events_token_holds(e->server, l, &known);
        l->ping = true;
        peer_wake(l->peer);
    }
}

void events_init(struct events *e, struct server *server)
{
    *e = (struct events){.server = server};
    e->head.next = e->head.prev = &e->head;
    ev_timer_init(&e->sweep, on_sweep, PING_INTERVAL_S, PING_INTERVAL_S);
    e->sweep.data = e;
    ev_timer_start(server->loop, &e->sweep);
}

void events_release(struct events *e)
{
    if (!e->server)
        return;
    ev_timer_stop(e->server->loop, &e->sweep);
    for (size_t i = 0; i < EVENTS_KEPT; i++)
        free(e->kept[i].json);
}
