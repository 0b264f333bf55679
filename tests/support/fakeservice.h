/* fakeservice.h - a fake service that gives scripted answers to one client, on the socket where
 * programs look for the real one. */
#ifndef SUPPORT_FAKESERVICE_H
#define SUPPORT_FAKESERVICE_H

#include <pthread.h>
#include <stddef.h>

#define ANSWERS_MAX 4

struct fake {
    int fd;
    /* "": hangs up; NULL: sends nothing and waits until the client leaves */
    const char *answers[ANSWERS_MAX];
    size_t count;
    char heard[ANSWERS_MAX][4096];
    size_t lines;
    pthread_t thread;
};

int fake_listen(const char *directory); /* only the socket */
void fake_start(struct fake *f, const char *directory);
void fake_stop(struct fake *f);

#endif
