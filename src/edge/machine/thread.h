/* thread.h - threads of our own, in a process whose other threads handle the signals. */
#ifndef MACHINE_THREAD_H
#define MACHINE_THREAD_H

#include <pthread.h>

/* 0, or the number of the error. */
int thread_start(pthread_t *out, void *(*work)(void *arg), void *arg);

/* For a thread that has little to do and that many wait for: while all processors are busy it gets
 * one sooner, and for a shorter time. No more of it altogether; a kernel before 6.12 ignores it. */
void thread_take_short_turns(void);

#endif
