/* fakeservice.h - a service that says what it is told to, to one client, on a socket where programs
 * look for one. */
#ifndef SUPPORT_FAKESERVICE_H
#define SUPPORT_FAKESERVICE_H

#include <pthread.h>
#include <stddef.h>

#define ANSWERS_MAX 4

struct fake {
    int fd;
    const char *answers[ANSWERS_MAX]; /* "": hangs up; NULL: says nothing, and waits until the
                                         client has gone */
    size_t count;
    char heard[ANSWERS_MAX][4096];
    size_t lines;
    pthread_t thread;
};

int fake_listen(const char *directory); /* the socket alone */
void fake_start(struct fake *f, const char *directory);
void fake_stop(struct fake *f);

#endif
