#include "lib/seat.h"

#include <stdlib.h>

#include "record/stamp.h"

struct seat *seat_new(void)
{
    struct seat *seat = calloc(1, sizeof(*seat));

    if (!seat)
        return NULL;
    seat->disk = disk_memory_new();
    seat->sessions = session_memory_new(stamp_now);
    seat->redacts = redact_memory_new();
    return seat;
}

static void end(warder_decision *d)
{
    arena_release(&d->arena);
    free(d);
}

void seat_free(struct seat *seat)
{
    warder_decision *d;

    if (!seat)
        return;
    while ((d = seat_take(seat)))
        end(d);
    disk_memory_free(seat->disk);
    session_memory_free(seat->sessions);
    redact_memory_free(seat->redacts);
    free(seat);
}

warder_decision *seat_take(struct seat *seat)
{
    warder_decision *d = seat->resting;

    if (d) {
        seat->resting = d->resting;
        seat->count--;
    }
    return d;
}

void seat_leave(struct seat *seat, warder_decision *d)
{
    if (seat->count >= SEAT_RESTING_MAX || d->arena.used > SEAT_ARENA_MAX) {
        end(d);
        return;
    }
    arena_reset(&d->arena);
    d->resting = seat->resting;
    seat->resting = d;
    seat->count++;
}
