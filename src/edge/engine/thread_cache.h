/* thread_cache.h - what one thread that judges call after call keeps between them: what the disk
 * and the files of sessions said, for as long as they would say the same, which texts held no
 * secret, and the memory of decisions that are over.
 *
 * A service's engine has one. Decisions that are judged there one after the other borrow from it;
 * many may exist at a time, as those of a batch do. */
#ifndef ENGINE_THREAD_CACHE_H
#define ENGINE_THREAD_CACHE_H

#include "engine/engine.h"
#include "engine/session_memory.h"

#define THREAD_CACHE_RESTING_MAX 32u /* decisions whose memory is kept for the next ones */
#define THREAD_CACHE_ARENA_MAX                                                                     \
    ((size_t)256 * 1024) /* bytes of such a one; what a larger one had is given back */

struct thread_cache {
    struct disk_memory *disk;        /* NULL: not to be had */
    struct session_memory *sessions; /* likewise */
    struct redact_memory *redacts;   /* likewise */
    struct decision_ids ids;         /* a service forks only to start hooks */
    warder_decision *resting;
    size_t count;
};

struct thread_cache *thread_cache_new(void); /* NULL: no memory, and nothing is kept */
void thread_cache_free(struct thread_cache *cache);

warder_decision *thread_cache_take(
    struct thread_cache *cache); /* one that rests: of it only the arena counts; NULL: none does */
void thread_cache_put(struct thread_cache *cache, warder_decision *d);

#endif
