/* case.c - one call and its state: pending, settled, delivered. */
#include <stdlib.h>

#include "service/service.h"

#define DENY_TEXT                                                                                  \
    "{\"behavior\":\"deny\",\"layer\":\"limit\",\"reason\":\"it could not be "                     \
    "decided\",\"decision\":\"auto-deny\"}"

int warder_case_pending(const warder_case *item)
{
    return item && item->state == CASE_PENDING;
}

int warder_case_ending(const warder_case *item)
{
    return item && item->claimed;
}

uint32_t warder_case_wait_ms(const warder_case *item)
{
    return item ? item->wait_ms : 0;
}

const char *warder_case_json(warder_case *item)
{
    return item && (item->json || item->held) ? item->json : DENY_TEXT;
}

warder_outcome warder_case_outcome(const warder_case *item)
{
    return !item || (item->held && item->state != CASE_SETTLED) ? WARDER_FAILED
           : item->held                                         ? item->outcome
                                                                : WARDER_DONE;
}

static void unlist(warder_case *item)
{
    warder_service *s = item->service;

    *(item->before ? &item->before->next : &s->settled) = item->next;
    *(item->next ? &item->next->before : &s->settled_last) = item->before;
    item->before = item->next = NULL;
    item->listed = false;
}

static void release(warder_case *item)
{
    free(item->json);
    free(item);
}

void warder_case_free(warder_case *item)
{
    if (!item)
        return;
    if (item->claimed) {
        item->gone = true; /* the batch that is being written has its answer */
        return;
    }
    switch (item->state) {
    case CASE_STAGED:
        item->gone = true; /* it is still recorded; the commit frees it */
        return;
    case CASE_PENDING:
        case_detach(item);
        break;
    case CASE_SETTLED:
        if (item->listed)
            unlist(item);
        break;
    }
    release(item);
}

void case_stage(warder_case *item, struct staged *staged)
{
    if (item->staged)
        item->staged->item = NULL;
    item->staged = staged;
    if (staged)
        staged->item = item;
}

void case_unclaim(warder_case *item)
{
    item->claimed = false;
    if (item->gone && item->state == CASE_PENDING)
        warder_case_free(item);
}

void case_settle(warder_case *item, char *json)
{
    warder_service *s = item->service;

    case_stage(item, NULL);
    free(item->json);
    item->json = json;
    item->state = CASE_SETTLED;
    if (item->gone) {
        release(item);
        return;
    }
    item->listed = true;
    item->next = NULL;
    item->before = s->settled_last;
    *(item->before ? &item->before->next : &s->settled) = item;
    s->settled_last = item;
}

/* The callback may free this case or any other, and may start new calls. */
void service_tell_settled(warder_service *s)
{
    while (s->settled) {
        warder_case *item = s->settled;
        unlist(item);
        if (s->options.settled)
            s->options.settled(s->options.context, item, item->user);
    }
}
