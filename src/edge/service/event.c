/* event.c - recent events in a numbered ring: a client that was away for a moment misses nothing,
 * and one that was away for longer is told so. All of it is redacted. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/auto.h"
#include "service/service.h"

#define EVENTS_KEPT      4096u
#define EVENT_BYTES_MAX  ((size_t)8 * 1024) /* of one object; of larger ones only the id is kept */
#define EVENTS_LIST_MAX  1000u
#define EVENT_MEMORY_MAX ((size_t)1024 * 1024)

struct event_kept {
    const char *type;
    char *json;
};

struct event_ring {
    char epoch[17];
    uint64_t last; /* cursor of the newest; 0: none yet */
    struct event_kept kept[EVENTS_KEPT];
};

struct event_ring *events_new(void)
{
    struct event_ring *ring = calloc(1, sizeof(*ring));
    uint64_t bits = 0;

    if (ring && getrandom(&bits, sizeof(bits), 0) == (ssize_t)sizeof(bits)) {
        snprintf(ring->epoch, sizeof(ring->epoch), "%016" PRIx64, bits);
        return ring;
    }
    free(ring);
    return NULL;
}

void events_free(struct event_ring *ring)
{
    for (size_t i = 0; ring && i < EVENTS_KEPT; i++)
        free(ring->kept[i].json);
    free(ring);
}

/* ---- adding ---- */

static void add(warder_service *s, const char *type, const char *name, struct str json,
                const char *links)
{
    struct event_ring *ring = s->events;
    struct event_kept *place = &ring->kept[++ring->last % EVENTS_KEPT];
    char at[STAMP_SIZE];
    char *text = NULL;

    stamp_print(s->wall(), at);
    if (asprintf(&text,
                 "{\"cursor\":%" PRIu64
                 ",\"epoch\":\"%s\",\"type\":\"%s\",\"at\":\"%s\",\"%s\":%.*s}",
                 ring->last, ring->epoch, type, at, name, STR_ARG(json)) < 0)
        text = NULL;
    free(place->json);
    *place = (struct event_kept){type, text};
    if (!text || !s->options.event)
        return;
    const warder_event event = {ring->last, type, text, links};
    s->options.event(s->options.context, &event);
}

void events_add(warder_service *s, const char *type, const char *name, struct str json)
{
    add(s, type, name, json, NULL);
}

/* The bytes of a JSON string that begins here, with its quotes. */
static struct str string_at(struct str s)
{
    size_t i = 1;

    while (i < s.len && s.s[i] != '"')
        i += s.s[i] == '\\' ? 2 : 1;
    return str_slice(s, 0, i + 1);
}

/* The event is the record, with a few members renamed for the wire. */
void events_decision(warder_service *s, struct str body)
{
    static const char mark[] = ",\"command\":";
    char at[STAMP_SIZE], *text = NULL;
    const char *found = memmem(body.s, body.len, mark, sizeof(mark) - 1);
    struct str command = STR("\"\"");
    int len;

    stamp_print(s->wall(), at);
    if (found)
        command = string_at(str_from_byte(body, (size_t)(found - body.s) + sizeof(mark) - 1));
    if (body.len + command.len <= EVENT_BYTES_MAX)
        len = asprintf(&text, "{\"timestamp\":\"%s\",%.*s%s,\"command_redacted\":%.*s}", at,
                       STR_ARG(body), found ? "" : ",\"command\":\"\"", STR_ARG(command));
    else
        len = asprintf(
            &text,
            "{\"timestamp\":\"%s\",\"id\":\"%.*s\",\"decision\":\"%.*s\",\"too_large\":true}", at,
            STR_ARG(chain_member(body, "id")), STR_ARG(chain_member(body, "decision")));
    if (len > 0)
        events_add(s, "decision", "decision", (struct str){text, (size_t)len});
    free(text);
}

struct review_event {
    const struct review *review;
    bool ended;
    const warder_service *service;
    const struct waiting *waiting;
};

static void write_review(struct json_writer *w, const void *about)
{
    const struct review_event *e = about;
    const struct review *r = e->review;

    json_begin_object(w);
    if (!e->ended) {
        review_members(w, r, (struct str){0});
        explain_summary(w, e->service, e->waiting);
    } else {
        json_text_member(w, "id", r->id);
        json_text_member(w, "status", str_from(review_status_name(r->status)));
        json_text_member(w, "responded_at", r->responded_at);
        json_text_member(w, "responded_by", r->responded_by);
        json_text_member(w, "decision_id", r->decision_id);
    }
    json_end_object(w);
}

static void add_review(warder_service *s, const struct review *r, bool ended)
{
    char id[REVIEW_ID_SIZE], named[REVIEW_ID_SIZE + 64];
    struct arena arena;
    struct str text;

    snprintf(id, sizeof(id), "%.*s", STR_ARG(r->id));
    const struct review_event event = {r, ended, s, waiting_find(s, id)};
    AUTO_FREE char *links = ended ? NULL : links_make(s, event.waiting);

    arena_init(&arena, EVENT_MEMORY_MAX);
    if (!json_try(&arena, write_review, &event, &text) || text.len > EVENT_BYTES_MAX) {
        snprintf(named, sizeof(named), "{\"id\":\"%.*s\",\"status\":\"%s\",\"too_large\":true}",
                 STR_ARG(r->id), review_status_name(r->status));
        text = str_from(named);
    }
    add(s, "review", "review", text, links);
    arena_release(&arena);
}

void events_review(warder_service *s, const struct review *r)
{
    add_review(s, r, false);
}

void events_ended(warder_service *s, const struct review *r)
{
    add_review(s, r, true);
}

/* ---- listing ---- */

struct listing {
    const struct event_ring *ring;
    uint64_t from, to; /* the first and the last one */
    uint64_t most;
    struct str types; /* empty: all */
    bool missed;
};

static void write_list(struct report *r, const void *about)
{
    const struct listing *l = about;
    bool missed = l->missed;
    uint64_t last = l->from - 1, shown = 0;

    json_begin_object(&r->json);
    json_key(&r->json, "events");
    json_begin_array(&r->json);
    for (uint64_t i = l->from; i <= l->to && shown < l->most; i++) {
        const struct event_kept *e = &l->ring->kept[i % EVENTS_KEPT];
        last = i;
        if (l->types.len && !str_has_word(l->types, str_from(e->type)))
            continue;
        missed |= !e->json; /* there was no memory for it */
        if (e->json)
            json_raw(&r->json, str_from(e->json));
        shown++;
    }
    json_end_array(&r->json);
    report_number(r, "cursor", (int64_t)last);
    json_key(&r->json, "epoch");
    json_text(&r->json, str_from(l->ring->epoch));
    json_key(&r->json, "missed");
    json_bool(&r->json, missed);
    json_end_object(&r->json);
}

warder_outcome warder_service_events_of(warder_service *s, const warder_caller *caller,
                                        const char *types, uint64_t cursor, uint32_t limit,
                                        warder_report **out, warder_error *err)
{
    if (!s || !out)
        return outcome_say(err, WARDER_FAILED, "missing argument: service or events");
    *out = NULL;
    if (!caller_is(caller, WARDER_OPERATOR) && !caller_is(caller, WARDER_VIEWER))
        return outcome_forbidden(err, "operators and viewers");
    const struct event_ring *ring = s->events;
    const uint64_t oldest = ring->last > EVENTS_KEPT ? ring->last - EVENTS_KEPT + 1 : 1;
    struct listing l = {.ring = ring,
                        .from = cursor + 1,
                        .to = ring->last,
                        .most = limit && limit < EVENTS_LIST_MAX ? limit : EVENTS_LIST_MAX,
                        .types = str_from(types)};

    /* A cursor of an earlier run may be before or after the events of this one. */
    if (cursor > ring->last || l.from < oldest) {
        l.missed = cursor != 0;
        l.from = oldest;
    }
    return report_make_line(write_list, &l, out, err) == WARDER_OK ? WARDER_DONE : WARDER_FAILED;
}

warder_outcome warder_service_events(warder_service *s, const warder_caller *caller,
                                     uint64_t cursor, uint32_t limit, warder_report **out,
                                     warder_error *err)
{
    return warder_service_events_of(s, caller, NULL, cursor, limit, out, err);
}
