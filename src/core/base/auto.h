/* auto.h - the only two cleanup attributes: what a scope owns is released on every exit from it.
 *
 * For the edge only. Never in a scope that calls arena_alloc(): arena_leave() jumps past
 * cleanups. */
#ifndef BASE_AUTO_H
#define BASE_AUTO_H

#include <stdlib.h>
#include <unistd.h>

static inline void auto_close(const int *fd)
{
    if (*fd >= 0)
        close(*fd);
}

static inline void auto_free(void *pointer)
{
    free(*(void **)pointer);
}

#define AUTO_CLOSE __attribute__((cleanup(auto_close)))
#define AUTO_FREE  __attribute__((cleanup(auto_free)))

#endif
