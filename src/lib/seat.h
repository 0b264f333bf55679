/* seat.h - what one thread that judges call after call keeps between them: what the disk and the files of sessions
 * said, for as long as they would say the same, which texts held no secret, and the memory of decisions that are over.
 *
 * A service's engine has one. Decisions that are judged there one after the other borrow from it; many may exist at a
 * time, as those of a batch do. */
#ifndef LIB_SEAT_H
#define LIB_SEAT_H

#include "lib/engine.h"
#include "lib/session_memory.h"

#define SEAT_RESTING_MAX 32u                  /* decisions whose memory is kept for the next ones */
#define SEAT_ARENA_MAX   ((size_t)256 * 1024) /* bytes of such a one; what a larger one had is given back */

struct seat {
    struct disk_memory *disk;        /* NULL: not to be had */
    struct session_memory *sessions; /* likewise */
    struct redact_memory *redacts;   /* likewise */
    struct decision_ids ids;         /* a service forks only to start hooks */
    warder_decision *resting;
    size_t count;
};

struct seat *seat_new(void); /* NULL: no memory, and nothing is kept */
void seat_free(struct seat *seat);

warder_decision *seat_take(struct seat *seat); /* one that rests: of it only the arena counts; NULL: none does */
void seat_leave(struct seat *seat, warder_decision *d);

#endif
