#include "engine/thread_cache.h"

#include <stdlib.h>

#include "machine/stamp.h"

struct thread_cache *thread_cache_new(void)
{
    struct thread_cache *cache = calloc(1, sizeof(*cache));

    if (!cache)
        return NULL;
    cache->disk = disk_memory_new();
    cache->sessions = session_memory_new(stamp_now);
    cache->redacts = redact_memory_new();
    return cache;
}

static void end(warder_decision *d)
{
    arena_release(&d->arena);
    free(d);
}

void thread_cache_free(struct thread_cache *cache)
{
    warder_decision *d;

    if (!cache)
        return;
    while ((d = thread_cache_take(cache)))
        end(d);
    disk_memory_free(cache->disk);
    session_memory_free(cache->sessions);
    redact_memory_free(cache->redacts);
    session_later_release(&cache->later);
    free(cache);
}

warder_decision *thread_cache_take(struct thread_cache *cache)
{
    warder_decision *d = cache->resting;

    if (d) {
        cache->resting = d->resting;
        cache->count--;
    }
    return d;
}

void thread_cache_put(struct thread_cache *cache, warder_decision *d)
{
    if (cache->count >= THREAD_CACHE_RESTING_MAX || d->arena.used > THREAD_CACHE_ARENA_MAX) {
        end(d);
        return;
    }
    arena_reset(&d->arena);
    d->resting = cache->resting;
    cache->resting = d;
    cache->count++;
}
