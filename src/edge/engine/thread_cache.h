/* thread_cache.h - what one thread that judges call after call keeps between them: the answers of
 * the disk and the contents of session files while they are current, which texts had no secret in
 * them, and the memory of decisions that are over.
 *
 * A service's engine has one. Decisions that are judged one after the other borrow from it; several
 * may exist at a time, as in a batch. */
#ifndef ENGINE_THREAD_CACHE_H
#define ENGINE_THREAD_CACHE_H

#include "ask/session_later.h"
#include "engine/engine.h"
#include "engine/session_memory.h"

#define THREAD_CACHE_RESTING_MAX 32u /* decisions whose memory is kept for the next ones */
#define THREAD_CACHE_ARENA_MAX                                                                     \
    ((size_t)256 * 1024) /* bytes of one that is kept; the memory of a larger one is freed */

struct thread_cache {
    struct disk_memory *disk;        /* NULL: there is none */
    struct session_memory *sessions; /* NULL: there is none */
    struct redact_memory *redacts;   /* NULL: there is none */
    struct decision_ids ids;         /* a service forks only to start hooks */
    struct session_later later;      /* for the next batch of the service's writer */
    warder_decision *resting;
    size_t count;
};

struct thread_cache *thread_cache_new(void); /* NULL: no memory, and nothing is kept */
void thread_cache_free(struct thread_cache *cache);

warder_decision *thread_cache_take(
    struct thread_cache *cache); /* one that is over: only its arena counts; NULL: there is none */
void thread_cache_put(struct thread_cache *cache, warder_decision *d);

#endif
