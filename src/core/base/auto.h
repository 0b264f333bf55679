/* auto.h - the only three cleanup attributes: what a scope owns is released on every exit from it.
 *
 * For the edge only. Never in a scope that calls arena_alloc(): arena_leave() jumps past
 * cleanups. */
#ifndef BASE_AUTO_H
#define BASE_AUTO_H

#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static inline void auto_close(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

/* A lock of flock(). A child that was forked while it was held has it, too, and closing it here
 * would leave it locked for as long as that child lives. */
static inline void auto_unlock(const int *fd)
{
    if (*fd >= 0) {
        (void)flock(*fd, LOCK_UN);
        close(*fd);
    }
}

static inline void auto_free(void *pointer)
{
    free(*(void **)pointer);
}

#define AUTO_CLOSE  __attribute__((cleanup(auto_close)))
#define AUTO_UNLOCK __attribute__((cleanup(auto_unlock)))
#define AUTO_FREE   __attribute__((cleanup(auto_free)))

#endif
