#include "measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS  401
#define WARM_UP 20

static double seconds_of(void (*run)(void))
{
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    run();
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *samples)
{
    qsort(samples, ROUNDS, sizeof(*samples), by_size);
    return samples[ROUNDS / 2];
}

void measure_compare(const char *what, struct contender ours, struct contender theirs)
{
    static double our_samples[ROUNDS], their_samples[ROUNDS];

    for (int i = 0; i < WARM_UP; i++) {
        ours.run();
        theirs.run();
    }
    for (int i = 0; i < ROUNDS; i++) {
        our_samples[i] = seconds_of(ours.run);
        their_samples[i] = seconds_of(theirs.run);
    }
    double our_median = median(our_samples), their_median = median(their_samples);
    printf("%-36s %s %8.1f us   %s %8.1f us   %.2f times faster\n", what, ours.name, our_median * 1e6, theirs.name,
           their_median * 1e6, their_median / our_median);
}
